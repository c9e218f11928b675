import { digestHex } from "#core/encoding/digest.ts";
import { factBytes } from "#core/memory.ts";
import type { RecordRows } from "#ports.ts";
import type { Look } from "./fsck.ts";

/** How many numbers beyond those in use are looked for by name when the counter is too far. */
const SPARE = 100_000;

/** Digests and blob ids of memories, and the numbers that captures and forgettings took: each once, and none left out. */
export async function checkMemories(look: Look): Promise<void> {
  const numbers = numbersUpTo(look);
  for await (const row of look.rows("memory")) {
    await checkMemory(look, row);
    numbers.take(row.sequence, `memory ${row.memoryId}`);
    look.step();
  }
  for await (const { sequence, captured } of look.rows("forgotten")) {
    if (captured >= sequence)
      look.tell("memory", "", `number ${sequence} forgets number ${captured}, which comes later`);
    numbers.take(sequence, "a forgetting");
    numbers.take(captured, "a forgotten memory");
  }
  numbers.end();
  // What was forgotten leaves its lease behind, so a stray one means something only where nothing was.
  if (look.counters.forgotten > 0) return;
  for await (const { blobId } of look.rows("strayLease"))
    look.tell("lease", blobId, "no memory and no anchor has this blob");
}

async function checkMemory({ tell, blobIdOf }: Look, memory: RecordRows["memory"]): Promise<void> {
  const { memoryId, contentDigest, storeRef } = memory;
  const bytes = bytesOf(memory);
  if (bytes === undefined) return tell("memory", memoryId, "its fact has no canonical JSON");
  const digest = digestHex(bytes);
  if (digest !== contentDigest)
    tell("memory", memoryId, `the digest on record is ${contentDigest}, and its fact's ${digest}`);
  const blobId = await blobIdOf?.(bytes);
  if (blobId !== undefined && blobId !== storeRef)
    tell("memory", memoryId, `the blob on record is ${storeRef}, and its fact's is ${blobId}`);
}

/** What is thrown may quote the fact, and goes nowhere. */
function bytesOf(memory: RecordRows["memory"]): Uint8Array | undefined {
  try {
    return factBytes(memory);
  } catch {
    return undefined;
  }
}

function numbersUpTo({ counters, tell }: Look) {
  const last = counters.memory;
  const inUse = counters.memories + 2 * counters.forgotten;
  const taken = new Uint8Array(Math.max(0, Math.min(last, inUse + SPARE)) + 1);

  return {
    take(number: number, by: string): void {
      if (number < 1 || number > last)
        tell("memory", "", `number ${number} (${by}) is not within 1 to ${last}, the last one given`);
      else if (taken[number] === 1) tell("memory", "", `number ${number} (${by}) is taken twice`);
      else if (number < taken.length) taken[number] = 1;
    },
    end(): void {
      for (let first = taken.indexOf(0, 1); first !== -1; ) {
        const next = taken.indexOf(1, first);
        const end = next === -1 ? last : next - 1;
        tell(
          "memory",
          "",
          `nothing is on record of ${first === end ? `number ${first}` : `the numbers ${first} to ${end}`}`,
        );
        first = next === -1 ? -1 : taken.indexOf(0, next);
      }
    },
  };
}
