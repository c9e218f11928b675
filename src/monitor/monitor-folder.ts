// What a monitor has seen, on disk: it is there before anything is reported, so that a later run compares with it.
import { closeSync, fsyncSync, mkdirSync, openSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { z } from "zod";
import { orUndefined } from "#core/defined.ts";
import { configurationError } from "#core/errors.ts";

const count = z.int().min(0);
const end = z.object({ number: count, chain: z.string().regex(/^[0-9a-f]{64}$/) });
const state = z.object({
  v: z.literal(1),
  vkey: z.string(),
  /** The greatest checkpoint. */
  note: z.string(),
  /** When the log was seen last. */
  at: z.number().optional(),
  sights: z.array(z.object({ size: count, at: z.number() })).max(2),
  /** Where chains ended that an auditor read, by name. */
  ends: z.record(z.string(), end),
});

export type MonitorState = z.infer<typeof state>;
export type ChainEnd = z.infer<typeof end>;

const NAME = "monitor.json";

/** Undefined if there is none yet. One that cannot be read is an error: whoever damages it must not gain a fresh start. */
export function readState(folder: string): MonitorState | undefined {
  const path = join(folder, NAME);
  let text: string;
  try {
    text = readFileSync(path, "utf8");
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return undefined;
    throw configurationError(`${path} cannot be read.`, error);
  }
  const parsed = state.safeParse(orUndefined(() => JSON.parse(text)));
  if (!parsed.success) throw configurationError(`${path} is damaged. Without it the monitor forgets what it has seen.`);
  return parsed.data;
}

export const writeState = (folder: string, next: MonitorState): void =>
  writeDurably(folder, NAME, `${JSON.stringify(next)}\n`);

/** Two checkpoints that contradict each other, for whoever is to be shown. The last pair that was found. */
export const writeEvidence = (folder: string, notes: string): void => writeDurably(folder, "evidence.txt", notes);

function writeDurably(folder: string, name: string, text: string): void {
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const path = join(folder, name);
  writeFileSync(`${path}.new`, text, { mode: 0o600, flush: true });
  renameSync(`${path}.new`, path);
  const directory = openSync(folder, "r");
  fsyncSync(directory);
  closeSync(directory);
}
