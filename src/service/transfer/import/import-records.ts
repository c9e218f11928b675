// POST /api/import: spools an export, checks all of it, and then records it, section by section. What is on record
// already is passed over, so an import that broke off is repeated as a whole.
import { PortcullisError } from "#core/errors.ts";
import type { Principal } from "#core/identity/principal.ts";
import type { ExportKind } from "#core/transfer/export-format.ts";
import type { SpoolFile } from "#ports.ts";
import { recordChange } from "#service/decisions/decision-log.ts";
import type { Deps } from "#service/deps.ts";
import { heldLock } from "./held-lock.ts";
import {
  type CheckedExport,
  type Chunk,
  checkExport,
  type ExportReader,
  recordsIn,
  type Section,
} from "./read-export.ts";
import { createRestorer, type ImportOutcome } from "./restorer.ts";

export interface ImportOptions {
  readonly body: AsyncIterable<Uint8Array>;
  /** The id of the key that must have signed it. */
  readonly key?: string | undefined;
  readonly replacesPolicy: boolean;
  /** Aborts when the caller goes away. */
  readonly signal: AbortSignal;
}

export type ImportStep = { readonly done: number; readonly of: number } | { readonly outcome: ImportOutcome };

/** Of the body. A million memories are about half a gigabyte. */
const MOST_BYTES = 16 * 1024 ** 3;

/** In this order. What was exported newest first is recorded oldest first, so that lists keep their order. */
const ORDER: readonly { readonly section: Section; readonly isReversed?: true }[] = [
  { section: "seal-secret" },
  { section: "namespace" },
  { section: "leaf" },
  // First, so that what was forgotten while it was exported does not come back.
  { section: "tombstone" },
  { section: "history", isReversed: true },
  { section: "memory", isReversed: true },
  { section: "names" },
  { section: "receipt" },
  { section: "anchor" },
  { section: "chain-anchor" },
  { section: "decision", isReversed: true },
];

/** Gives its first step when the export was found in order. Before that, nothing is recorded. */
export async function* importRecords(
  deps: Deps,
  { body, key, replacesPolicy, signal }: ImportOptions,
  reader: ExportReader,
  principal: Principal,
): AsyncGenerator<ImportStep> {
  const file = await deps.spool.create();
  try {
    await spool(file, body);
    const own = await deps.records.signingKeys.list();
    const isTrusted = (keyId: string) => (key === undefined ? own.some((each) => each.keyId === keyId) : key === keyId);
    const checked = await checkExport(file, reader, isTrusted);
    yield { done: 0, of: checked.total };
    // Lists of names that nothing refers to yet must not be pruned meanwhile.
    const release = await heldLock(deps.records.locks, "pruning");
    try {
      await recordChange(deps);
      yield* restore(deps, { file, checked, reader, replacesPolicy, signal }, principal);
    } finally {
      await release();
    }
  } finally {
    await file.close();
  }
}

async function spool(file: SpoolFile, body: AsyncIterable<Uint8Array>): Promise<void> {
  for await (const bytes of body) {
    if (file.size() + bytes.length > MOST_BYTES)
      throw new PortcullisError("export-damaged", "The body is too long for an export. Nothing was recorded.");
    await file.append(bytes);
  }
}

interface Restoring {
  readonly file: SpoolFile;
  readonly checked: CheckedExport;
  readonly reader: ExportReader;
  readonly replacesPolicy: boolean;
  readonly signal: AbortSignal;
}

async function* restore(
  deps: Deps,
  { file, checked, reader, replacesPolicy, signal }: Restoring,
  principal: Principal,
): AsyncGenerator<ImportStep> {
  const { header, sections, total } = checked;
  const restorer = createRestorer(deps, { header, replacesPolicy, by: principal.name });
  await restorer.begin();
  let done = 0;
  for (const { section, isReversed } of ORDER) {
    for (const chunk of inOrder(sections.get(section) ?? [], isReversed)) {
      signal.throwIfAborted();
      const records = inOrder(await recordsIn(file, chunk, reader), isReversed);
      await restorer.restore(kindOf(section), records);
      done += chunk.lines;
      yield { done, of: total };
    }
    await restorer.endOf(kindOf(section));
  }
  deps.gatekeeper.wake();
  yield { outcome: restorer.outcome() };
}

const kindOf = (section: Section): ExportKind => (section === "history" ? "memory" : section);

function inOrder<T extends Chunk | object>(items: readonly T[], isReversed: true | undefined): readonly T[] {
  return isReversed ? items.toReversed() : items;
}
