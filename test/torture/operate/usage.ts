// What a process and its files take, measured now and then.
import { readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";

export interface Usage {
  /** Resident memory of the process. */
  readonly memory: number;
  /** The database with its log. */
  readonly database: number;
}

const SAMPLE_MS = 1_000;

/** Reads the usage each second, until it is stopped. */
export function sampleUsage(pid: number, path: string): { readonly samples: Usage[]; stop(): void } {
  const samples: Usage[] = [];
  const timer = setInterval(() => {
    const memory = residentBytes(pid);
    if (memory > 0) samples.push({ memory, database: sizeOf(path) + sizeOf(`${path}-wal`) });
  }, SAMPLE_MS);
  return { samples, stop: () => clearInterval(timer) };
}

export function folderBytes(folder: string): number {
  return readdirSync(folder).reduce((sum, name) => sum + sizeOf(join(folder, name)), 0);
}

export function sizeOf(path: string): number {
  return statSync(path, { throwIfNoEntry: false })?.size ?? 0;
}

/** 0 when the process is gone, or the system does not say. */
function residentBytes(pid: number): number {
  try {
    const kilobytes = /^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1];
    return Number(kilobytes ?? 0) * 1_024;
  } catch {
    return 0;
  }
}

export const greatest = (samples: readonly Usage[], what: keyof Usage): number =>
  samples.reduce((most, sample) => Math.max(most, sample[what]), 0);
