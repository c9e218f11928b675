// POST /api/import: spools an export, checks all of it, and then records it, section by section. What is on record
// already is passed over, so an import that broke off is repeated as a whole.
import { PortcullisError } from "#core/errors.ts";
import type { ExportKind, RecordOf } from "#core/transfer/export-format.ts";
import type { JobLocks, SpoolFile } from "#ports.ts";
import type { Call } from "#service/call.ts";
import { recordChange } from "#service/decisions/decision-log.ts";
import type { Tenant } from "#service/tenant.ts";
import * as reading from "./read-export.ts";
import { newMemories } from "./restored.ts";
import { checkImportable, createRestorer, type Importer, type ImportOutcome } from "./restorer.ts";

interface ImportOptions {
  readonly body: AsyncIterable<Uint8Array>;
  /** The id of the key that must have signed it. */
  readonly key?: string | undefined;
  readonly replacesPolicy: boolean;
  /** Checks the export, and records nothing. */
  readonly isDryRun: boolean;
}

type ImportStep =
  | { readonly done: number; readonly of: number }
  | { readonly outcome: ImportOutcome }
  | { readonly plan: ReturnType<typeof planOf> };

/** Of the body. A million memories are about half a gigabyte. */
const MOST_BYTES = 16 * 1024 ** 3;

/** In this order. What was exported newest first is recorded oldest first, so that lists keep their order. */
const ORDER: readonly { readonly section: reading.Section; readonly isReversed?: true }[] = [
  { section: "encryption-secret" },
  { section: "namespace" },
  { section: "rule" },
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
  tenant: Importer & Pick<Tenant, "index" | "spool">,
  { body, key, replacesPolicy, isDryRun }: ImportOptions,
  reader: reading.ExportReader,
  call: Call,
): AsyncGenerator<ImportStep> {
  const file = await tenant.spool.create();
  try {
    await spool(file, body);
    const own = await tenant.records.signingKeys.list();
    const isTrusted = (keyId: string) => (key === undefined ? own.some((each) => each.keyId === keyId) : key === keyId);
    const checked = await reading.checkExport(file, reader, isTrusted);
    checkImportable(tenant, checked.header);
    const newMemories = await countNew(tenant, { file, checked });
    if (isDryRun) return yield { plan: planOf(checked, newMemories) };
    yield { done: 0, of: checked.total };
    // Lists of names that nothing refers to yet must not be pruned meanwhile.
    const release = await heldLock(tenant.records.locks, "pruning");
    try {
      await recordChange(tenant, call);
      yield* restore(tenant, { file, checked, replacesPolicy }, call);
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

/** How many memories are not on record. Refuses those that may not be. */
async function countNew(tenant: Importer, { file, checked }: Omit<Restoring, "replacesPolicy">) {
  let count = 0;
  const [current = [], history = []] = [checked.sections.get("memory"), checked.sections.get("history")];
  for (const chunk of [...current, ...history]) {
    const page = (await reading.recordsIn(file, chunk)) as RecordOf<"memory">[];
    count += (await newMemories(tenant, page)).length;
  }
  return count;
}

function planOf({ sections }: reading.CheckedExport, newMemories: number) {
  const records = new Map<ExportKind, number>();
  for (const [section, chunks] of sections) {
    const kind = kindOf(section);
    for (const { lines } of chunks) records.set(kind, (records.get(kind) ?? 0) + lines);
  }
  return { records: Object.fromEntries(records), newMemories };
}

interface Restoring extends Pick<ImportOptions, "replacesPolicy"> {
  readonly file: SpoolFile;
  readonly checked: reading.CheckedExport;
}

async function* restore(
  tenant: Importer & Pick<Tenant, "index">,
  { file, checked, replacesPolicy }: Restoring,
  call: Call,
): AsyncGenerator<ImportStep> {
  const { header, sections, total } = checked;
  const restorer = createRestorer(tenant, { header, replacesPolicy, call });
  let done = 0;
  for (const { section, isReversed } of ORDER) {
    for (const chunk of inOrder(sections.get(section) ?? [], isReversed)) {
      call.signal?.().throwIfAborted();
      const records = inOrder(await reading.recordsIn(file, chunk), isReversed);
      await restorer.restore(kindOf(section), records);
      done += chunk.lines;
      yield { done, of: total };
    }
    await restorer.endOf(kindOf(section));
  }
  tenant.index.wake();
  yield { outcome: restorer.outcome() };
}

const kindOf = (section: reading.Section): ExportKind => (section === "history" ? "memory" : section);

function inOrder<T extends reading.Chunk | object>(items: readonly T[], isReversed: true | undefined): readonly T[] {
  return isReversed ? items.toReversed() : items;
}

/** Takes the lock, and answers with what gives it back. For work that is not one function. */
async function heldLock(locks: JobLocks, name: Parameters<JobLocks["exclusively"]>[0]): Promise<() => Promise<void>> {
  const taken = Promise.withResolvers<void>();
  const given = Promise.withResolvers<void>();
  const job = locks.exclusively(name, () => {
    taken.resolve();
    return given.promise;
  });
  // A lock that cannot be taken rejects.
  await Promise.race([taken.promise, job]);
  return () => {
    given.resolve();
    return job;
  };
}
