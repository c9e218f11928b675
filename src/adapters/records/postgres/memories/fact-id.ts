import { factHashOf } from "#adapters/records/shared/rows.ts";
import type { MemoryOnRecord } from "#ports.ts";

/** The same fact under the same key, or without one. Of memories that have the same one, the first counts. */
export const idOfFact = (memory: MemoryOnRecord): string => JSON.stringify([factHashOf(memory), memory.key ?? null]);
