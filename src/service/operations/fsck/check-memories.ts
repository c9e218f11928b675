import { orUndefined } from "#core/defined.ts";
import { digestHex } from "#core/encoding/digest.ts";
import { factBytes, storedFact } from "#core/memory.ts";
import type { RecordRows } from "#ports.ts";
import type { FsckContext } from "./context.ts";

/** When the counter is far ahead, at most this many unused sequence numbers are reported one by one. */
const SPARE = 100_000;

/** Digests, blob ids, pins, and sequence numbers: what takes one has its own, and none is missing. */
export async function checkMemories(context: FsckContext): Promise<void> {
  const { rows, report, counters, step } = context;
  const sequences = sequenceCheck(context);
  const namespaces = new Set<string>();
  let textBytes = 0;
  const pins = new Map<number, RecordRows["pin"]>();
  for await (const pin of rows("pin")) {
    const { sequence, captured } = pin;
    if (captured >= sequence) report("memory", "", `number ${sequence} pins number ${captured}, which comes later`);
    if (Boolean(pin.pinned) === Boolean(pins.get(captured)?.pinned))
      report("memory", "", `number ${sequence} changes the pin of number ${captured} to what it was`);
    sequences.take(sequence, "a change of a pin");
    pins.set(captured, pin);
  }
  for await (const row of rows("memory")) {
    await checkMemory(context, row);
    checkPin(context, row, pins.get(row.sequence));
    namespaces.add(row.namespace);
    textBytes += textBytesOf(row);
    sequences.take(row.sequence, `memory ${row.memoryId}`);
    step();
  }
  const superseded = new Set<number>();
  for await (const row of rows("superseded")) {
    await checkMemory(context, row);
    if (row.hasRemoval !== 1) report("memory", row.memoryId, "it is superseded, but no removal of it is on record");
    superseded.add(row.sequence);
    textBytes += textBytesOf(row);
  }
  for await (const { sequence, captured, cause } of rows("forgotten")) {
    if (captured >= sequence) report("memory", "", `number ${sequence} removes number ${captured}, which comes later`);
    if (cause === "superseded" && !superseded.has(captured))
      report("memory", "", `number ${sequence} supersedes number ${captured}, which is not on record`);
    sequences.take(sequence, "a removal");
    sequences.take(captured, "a removed memory");
  }
  for await (const { sequence } of rows("encryptionChange"))
    sequences.take(sequence, "a change of the encryption of a namespace");
  sequences.end();
  await checkCounts(context);
  const { memories, memoriesCounted, textBytesCounted, namespacesCounted } = counters;
  for (const [found, counted, what] of [
    [namespaces.size, namespacesCounted, "namespaces have memories"],
    [memories, memoriesCounted, "memories are on record"],
    [textBytes, textBytesCounted, "bytes of text are on record"],
  ] as const)
    if (found !== counted) report("memory", "", `${found} ${what}, but ${counted} are counted for the limit`);
  for await (const { blobId } of rows("strayLease")) report("lease", blobId, "no memory and no anchor has this blob");
  for await (const { proposalId, isDecided, isExposed } of rows("faultyProposal")) {
    const kept = isDecided ? "it was decided, and still has its text" : "its extraction has no receipt";
    report("proposal", proposalId, isExposed ? "its namespace is encrypted, and its text is not" : kept);
  }
}

const textBytesOf = ({ content, metadata }: RecordRows["memory"]): number =>
  Buffer.byteLength(content + (metadata ?? ""));

async function checkMemory({ report, blobIdOf }: FsckContext, memory: RecordRows["memory"]): Promise<void> {
  const { memoryId, contentDigest, storeRef, encryptionKeyId, factHash } = memory;
  // What is encrypted is kept as the text of its blob.
  const bytes =
    encryptionKeyId === null ? orUndefined(() => factBytes(storedFact(memory))) : Buffer.from(memory.content);
  if (bytes === undefined) return report("memory", memoryId, "its fact has no canonical JSON");
  const digest = digestHex(bytes);
  if (digest !== contentDigest)
    report("memory", memoryId, `the digest on record is ${contentDigest}, but its fact has ${digest}`);
  if (encryptionKeyId === null && factHash !== digest)
    report("memory", memoryId, "it is not found as the same fact again");
  const blobId = await blobIdOf?.(bytes, storeRef);
  if (blobId !== undefined && blobId !== storeRef)
    report("memory", memoryId, `the blob on record is ${storeRef}, but its fact has ${blobId}`);
}

/** `last` is the memory's last entry in the log of pins. */
function checkPin({ report }: FsckContext, memory: RecordRows["memory"], last: RecordRows["pin"] | undefined): void {
  const { memoryId, namespace, pinned } = memory;
  const logged = last?.pinned ?? 0;
  if (pinned !== logged)
    report("memory", memoryId, `it is ${pinWord(pinned)}, but the log of pins says ${pinWord(logged)}`);
  if (last !== undefined && last.namespace !== namespace)
    report("memory", memoryId, "the log of pins has it in another namespace");
}

const pinWord = (pinned: number) => (pinned === 1 ? "pinned" : "not pinned");

/** Checks the heads and counts by which indices follow and pages count. They must not have to read the memories. */
async function checkCounts({ rows, report }: FsckContext): Promise<void> {
  const differs = (name: string, what: string) => report("memory", JSON.stringify(name), what);
  for await (const { name, memories, head, recorded, last } of rows("namespace")) {
    if ((memories ?? 0) !== (recorded ?? 0))
      differs(name, `the namespace counts ${memories ?? 0} memories, but has ${recorded ?? 0}`);
    if ((head ?? 0) < (last ?? 0))
      differs(name, `the namespace ends at number ${head ?? 0}, but has a change with number ${last}`);
  }
  for await (const { name, memories, recorded } of rows("sourceAgent")) {
    if ((memories ?? 0) !== (recorded ?? 0))
      differs(name, `the source agent counts ${memories ?? 0} memories, but has ${recorded ?? 0}`);
  }
}

/** Marks the sequence numbers in use, and reports duplicates, gaps and numbers beyond the counter. */
function sequenceCheck({ counters, report }: FsckContext) {
  const last = counters.memory;
  const inUse = counters.memories + 2 * counters.forgotten + counters.pins + counters.encryptionChanges;
  const taken = new Uint8Array(Math.max(0, Math.min(last, inUse + SPARE)) + 1);

  return {
    take(number: number, by: string): void {
      if (number < 1 || number > last)
        report("memory", "", `number ${number} (${by}) is not within 1 to ${last}, the last number given`);
      else if (taken[number] === 1) report("memory", "", `number ${number} (${by}) is taken twice`);
      else if (number < taken.length) taken[number] = 1;
    },
    end(): void {
      for (let first = taken.indexOf(0, 1); first !== -1; ) {
        const next = taken.indexOf(1, first);
        const end = next === -1 ? last : next - 1;
        const gap = first === end ? `number ${first}` : `the numbers ${first} to ${end}`;
        report("memory", "", `nothing is on record for ${gap}`);
        first = next === -1 ? -1 : taken.indexOf(0, next);
      }
    },
  };
}

const NAMES: Readonly<Record<RecordRows["altered"]["kind"], string>> = {
  decision: "it",
  removal: "a removal, or its tombstone,",
  pin: "a change of a pin",
  encryption: "a change of the encryption of a namespace",
};

/** Checks the logs of who did what: each row is as it was recorded, and no decision is missing. */
export async function checkLogs({ rows, counters, report }: FsckContext): Promise<void> {
  for await (const { kind, sequence } of rows("altered")) {
    const detail = `${NAMES[kind]} is not as it was recorded`;
    if (kind === "decision") report("decision", String(sequence), detail);
    else report("memory", "", `number ${sequence}: ${detail}`);
  }
  const { decisions, decisionsCounted } = counters;
  if (decisions !== decisionsCounted)
    report("decision", "", `${decisions} are on record, but ${decisionsCounted} were recorded and not pruned`);
}
