// Work that runs beside the requests, each in a loop of its own.
import { setImmediate as nextTurn } from "node:timers/promises";
import { orAfter } from "#async/with-deadline.ts";
import { DEFAULT_TENANT, type TenantRef } from "#core/identity/tenant.ts";
import { LONGEST_MODEL_CALL_MS } from "#core/receipt/chain-receipt.ts";
import type { Log } from "#log.ts";
import type { Archive, DueTenant, DueWork } from "#ports.ts";
import { REPLAY_MS } from "#service/events/deliver-events.ts";
import { deliverWebhooks } from "#service/events/webhooks.ts";
import { KEPT_MS, sweepIdempotencyKeys } from "#service/idempotency/idempotency.ts";
import { type Encryptor, encryptNamespace } from "#service/memories/encryption.ts";
import { pruneRecords } from "#service/operations/prune-records.ts";
import { renew } from "#service/operations/renew-blobs.ts";
import { EXPIRED_AT_ONCE, expiryDecision } from "#service/recall/search.ts";
import type { Tenant } from "#service/tenant.ts";
import { continueDeletion } from "#service/tenants/delete-tenant.ts";
import type { TenantDirectory } from "#service/tenants/tenant-directory.ts";

const HOUR_MS = 3_600_000;
const DAY_MS = 86_400_000;
const SWEEP_MS = 600_000;
const EXPIRY_MS = 5_000;

type Parts = Pick<Tenant, "records" | "now">;

const before = ({ now }: Pick<Parts, "now">, ms: number): string => new Date(now().getTime() - ms).toISOString();

/** Longer than they are replayed: an event is recorded a moment after the time that it has, and clocks differ. */
const EVENTS_KEPT_MS = REPLAY_MS + HOUR_MS;

async function pruneEvents(tenant: Parts, signal: AbortSignal): Promise<void> {
  const oldest = before(tenant, EVENTS_KEPT_MS);
  while (!signal.aborted && (await tenant.records.events.prune(oldest)) > 0) await nextTurn();
}

type Expiring = Pick<Tenant, "records" | "policyMirror" | "index" | "blobs">;

/** None of them is recalled meanwhile: the records leave them out. */
async function forgetExpired({ records, policyMirror, index, blobs }: Expiring, log: Log, signal: AbortSignal) {
  let forgotten = 0;
  try {
    for (let count = 1; count > 0 && !signal.aborted; await nextTurn()) {
      count = await records.memories.forgetExpired(EXPIRED_AT_ONCE, expiryDecision(policyMirror.lastVersion()));
      forgotten += count;
    }
  } finally {
    if (forgotten > 0) {
      blobs.dropCache?.();
      index.wake();
      log.info({ forgotten }, "forgot expired memories");
    }
  }
}

interface Retention {
  /** 0: everything is kept for ever. */
  readonly days: number;
  /** Opens the archive of one run; absent when old records are discarded. */
  readonly openArchive?: ((now: Date, tenant: TenantRef) => Archive) | undefined;
}

type Archived = Parts & TenantRef;

/** What is not archived stays on record. */
export function pruneRecordsRegularly(tenant: Archived, log: Log, retention: Retention): Job {
  if (retention.days === 0) return { stop: () => undefined };
  return regularly({ intervalMs: HOUR_MS, onFailure: [log, "could not prune old records"] }, (signal) =>
    pruneOld(tenant, log, retention, signal),
  );
}

async function pruneOld(tenant: Archived, log: Log, { days, openArchive }: Retention, signal: AbortSignal) {
  const now = tenant.now();
  const archive = openArchive?.(now, tenant);
  try {
    const oldest = new Date(now.getTime() - days * DAY_MS).toISOString();
    const pruned = await pruneRecords(tenant.records, { before: oldest, now, archive, signal });
    if (pruned.receipts + pruned.decisions > 0) log.info({ before: oldest, ...pruned }, "pruned old records");
  } finally {
    await archive?.close().catch(() => undefined);
  }
}

/** Longer than a model may take. An answer that takes longer is taken for abandoned, and has no other end. */
const ABANDONED_AFTER_MS = LONGEST_MODEL_CALL_MS + 2 * 60_000;
/** Greater than every time. */
const ALL_TIMES = "~";

/** For a process that makes all answers alone, before it makes any: what is open then is another's. */
export const abandonAllReceipts = (tenant: Parts, log: Log) => abandon(tenant, log, ALL_TIMES);

async function abandon({ records }: Parts, log: Log, begunBefore: string): Promise<void> {
  let receipts = 0;
  for (let marked = 1; marked > 0; receipts += marked) marked = await records.receipts.abandon(begunBefore);
  if (receipts > 0) log.warn({ receipts }, "some answers were broken off when their process ended");
}

const TENANTS_AT_ONCE = 500;

/**
 * The work above, in all tenants that have some. Each run of one loop looks at `default`, and each of the other at the next of
 * the others, whose work may take long. Keys, events and decisions are due late: else a busy tenant would always have some.
 */
export function sweepTenantsRegularly(
  { tenants, dueWork, now }: Others & Pick<Tenant, "now">,
  log: Log,
  { intervalMs = EXPIRY_MS, ...retention }: Retention & { readonly intervalMs?: number },
): Job {
  const lateMs = SWEEP_MS - intervalMs;
  const sweep = (first: number, limit: number, decisionsBefore: () => string) => {
    let after = first;
    /** How often in a row the work in a tenant failed. One that always does must not hide that another begins to. */
    const failures = new Map<number, number>();
    return regularly(
      { intervalMs, onFailure: [log, "could not look for tenants with work that is due"] },
      async (signal) => {
        const { due, next } = await dueWork.look({
          after,
          limit,
          keysBefore: now().getTime() - KEPT_MS - lateMs,
          begunBefore: before({ now }, ABANDONED_AFTER_MS),
          eventsBefore: before({ now }, EVENTS_KEPT_MS + lateMs),
          decisionsBefore: decisionsBefore(),
        });
        after = limit === 1 ? first : (next ?? first);
        for (const ref of due) {
          if (signal.aborted) return;
          const { number: tenantNumber } = ref;
          const [done] = await Promise.allSettled([tenants.useRecords(ref, (tenant) => workIn(tenant, ref, signal))]);
          const count = done.status === "rejected" ? (failures.get(tenantNumber) ?? 0) + 1 : 0;
          if (count === 0) failures.delete(tenantNumber);
          else failures.set(tenantNumber, count);
          if (done.status === "rejected" && Number.isInteger(Math.log2(count)))
            log.warn({ error: done.reason, tenantNumber }, "could not do the work that is due in a tenant");
        }
      },
    );
  };
  const { number } = DEFAULT_TENANT;
  const old = () => (retention.days === 0 ? "" : before({ now }, retention.days * DAY_MS + HOUR_MS));
  // What `default` has of old records is pruned by the hour.
  return together(
    sweep(number - 1, 1, () => ""),
    sweep(number, TENANTS_AT_ONCE, old),
  );

  /** What fails keeps nothing else from being done. */
  async function workIn(tenant: Tenant, due: DueTenant, signal: AbortSignal): Promise<void> {
    await tenant.policyMirror.current();
    const all = await Promise.allSettled([
      due.expired && forgetExpired(tenant, log, signal),
      due.keys && sweepIdempotencyKeys(tenant),
      due.begun && abandon(tenant, log, before(tenant, ABANDONED_AFTER_MS)),
      due.events && pruneEvents(tenant, signal),
      due.proposals && tenant.records.proposals.sweep(),
      due.decisions && pruneOld(tenant, log, retention, signal),
    ]);
    const failed = all.find(({ status }) => status === "rejected");
    if (failed?.status === "rejected") throw failed.reason;
  }
}

const DELETION_MS = 1_000;
const DELETIONS_AT_ONCE = 100;

/** Deletes tenants. Those of the last day are looked at again: a request may have written when a deletion ended. */
export function deleteTenantsRegularly(
  deployment: Parameters<typeof continueDeletion>[0],
  log: Log,
  { intervalMs = DELETION_MS, lookMs = SWEEP_MS } = {},
): Job {
  const onFailure = [log, "could not look for tenants to delete"] as const;
  const work = (everyMs: number, endedAfter: () => string | undefined) =>
    regularly({ intervalMs: everyMs, onFailure }, async (signal) => {
      const limit = DELETIONS_AT_ONCE;
      let position = { endedAfter: endedAfter(), after: 0 };
      for (let isLast = false; !isLast && !signal.aborted; ) {
        const found = await deployment.tenantDeletions.list({ ...position, limit });
        for (const tenant of found) {
          if (signal.aborted) return;
          await continueDeletion(deployment, tenant, signal).catch((error) => {
            if (!signal.aborted) log.warn({ error }, "could not delete a tenant");
          });
          position = { endedAfter: tenant.deletedAt, after: tenant.number };
        }
        isLast = found.length < limit;
      }
    });
  return together(
    work(intervalMs, () => undefined),
    work(lookMs, () => before(deployment, DAY_MS)),
  );
}

/** Copies templates into tenants that do not have the version that they shall have. */
export function applyTemplatesRegularly(
  { tenantAdministration, tenants, now }: Pick<Tenant, "tenantAdministration" | "now"> & Pick<Others, "tenants">,
  log: Log,
  { intervalMs = EXPIRY_MS } = {},
): Job {
  const { templates } = tenantAdministration;
  const failed = (error: unknown) => log.warn({ error }, "could not apply a template to a tenant");
  return regularly({ intervalMs, onFailure: [log, "could not apply templates"] }, async (signal) => {
    let after: number | undefined = 0;
    while (after !== undefined && !signal.aborted) {
      const page = await templates.unfinished({ after, limit: TENANTS_AT_ONCE });
      for (const ref of page) {
        if (signal.aborted) return;
        const copy = ({ records }: Tenant) => templates.copy(ref, records, now().toISOString());
        await tenants.useRecords(ref, copy).catch(failed);
      }
      after = page.at(-1)?.number;
    }
  });
}

/** Versions are sent within a minute, and what was read is at most a minute old, also when one try fails. */
const SYNC_MS = 20_000;

/** Tells the ledger, also when nothing is anchored: a version that was closed there before an answer is worth more. */
export function syncLedgerRegularly({ ledger }: Pick<Tenant, "ledger">, { intervalMs = SYNC_MS } = {}): Job {
  // The local ledger is opened for this, which takes time and memory. It must not slow down the start.
  return regularly({ intervalMs, startsLater: ledger.network === "local" }, () => ledger.sync());
}

const RECOVER_MS = 30_000;

/** Recovers now, and then at an interval. After the first time, only anchors that the previous check found as well. */
export function recoverRegularly({ ledger }: Pick<Tenant, "ledger">, log: Log): Job {
  let previous: ReadonlySet<number | string> | undefined;

  // No caller waits for them, so a failure is only logged.
  const onFailure = [log, "could not check for unfinished anchors"] as const;
  return regularly({ intervalMs: RECOVER_MS, onFailure }, async () => {
    const { requests, transactions } = await ledger.unfinished();
    const found = [...requests, ...transactions];
    const abandoned = previous === undefined ? found : found.filter((each) => previous?.has(each));
    previous = new Set(found);
    if (abandoned.length === 0) return;
    const anchors = await ledger.recover();
    const left = (await ledger.unfinished()).requests.length;
    log.info({ finished: Math.max(anchors - left, 0), left }, "recovered unfinished anchors");
  });
}

/** The way to the tenants beside `default`. */
type Others = { readonly tenants: TenantDirectory; readonly dueWork: DueWork };

/** Open memories are found by a count of the encrypted ones. SQLite answers nothing else meanwhile. */
const LOOKED_AT_ONCE = { leases: TENANTS_AT_ONCE, unencrypted: 20 };

interface InOthers {
  readonly kind: Parameters<DueWork["having"]>[0];
  readonly before?: string;
  readonly onFailure: (error: unknown) => void;
  readonly signal: AbortSignal;
}

/** Runs `work` in each that is due, one after the other. One that fails does not keep it from the others. */
async function inOthers(
  { tenants, dueWork }: Partial<Others>,
  { kind, before: time, onFailure, signal }: InOthers,
  work: (tenant: Tenant) => Promise<void>,
): Promise<void> {
  let after: number | undefined = DEFAULT_TENANT.number;
  while (after !== undefined && dueWork !== undefined && !signal.aborted) {
    const { due, next } = await dueWork.having(kind, { after, limit: LOOKED_AT_ONCE[kind], before: time });
    for (const ref of due) if (!signal.aborted) await tenants?.useRecords(ref, work).catch(onFailure);
    after = next;
    await nextTurn();
  }
}

type Renewing = Pick<Tenant, "records" | "stored" | "blobs" | "now">;

/** The first run is after one interval, because blobs last longer than that. */
export function renewRegularly(tenant: Renewing & Partial<Others>, log: Log, everyHours = 0): Job {
  const intervalMs = everyHours * HOUR_MS;
  if (intervalMs === 0) return { stop: () => undefined };
  return regularly({ intervalMs, startsLater: true }, async (signal) => {
    const counts = { renewed: 0, fresh: 0, failed: 0 };
    const since = new Date(Date.now() - intervalMs / 2);
    const renewIn = async (each: Renewing) => {
      for await (const { status } of renew(each, { since })) {
        counts[status] += 1;
        if (signal.aborted) break;
      }
    };
    const onFailure = (error: unknown) => log.error({ error }, "renewing blobs failed");
    await renewIn(tenant).catch(onFailure);
    const before = since.toISOString();
    await inOthers(tenant, { kind: "leases", before, onFailure, signal }, renewIn).catch(onFailure);
    log.info(counts, "blobs renewed");
  });
}

const ENCRYPTION_MS = 60_000;

/** Encrypts what a process left open when it ended, and captures that had begun when the namespace was encrypted. */
export function encryptRegularly(tenant: Encryptor & Partial<Others>, log: Log, intervalMs = ENCRYPTION_MS): Job {
  const message = "open memories of an encrypted namespace could not be encrypted";
  return regularly({ intervalMs, onFailure: [log, message] }, async (signal) => {
    const encryptIn = async (each: Encryptor) => {
      if (each.cipher.status() !== "ready") return;
      for (const namespace of await each.records.encryption.unencryptedNamespaces()) {
        const done = await encryptNamespace(each, namespace, { signal });
        if (done.encrypted + done.forgottenHistory > 0)
          log.info(done, "encrypted open memories of an encrypted namespace");
      }
    };
    const onFailure = (error: unknown) => void (signal.aborted || log.warn({ error }, message));
    await encryptIn(tenant).catch(onFailure);
    await inOthers(tenant, { kind: "unencrypted", onFailure, signal }, encryptIn);
  });
}

/** A proof that somebody asks for does not wait for it. */
const SEQUENCE_MS = 3_000;
/** So many times within the delay that is promised. */
const SEQUENCES = 4;

/** Every replica does it. One at a time places entries, and the others find nothing to do. */
export function sequenceRegularly(tenant: Pick<Tenant, "log">, log: Log, delayMs: number): Job {
  const reported = new Set<number>();
  const often = regularly(
    { intervalMs: Math.min(SEQUENCE_MS, delayMs / SEQUENCES), onFailure: [log, "could not place entries in the log"] },
    async (signal) => {
      for (const number of await tenant.log.sequence(signal)) {
        if (!reported.has(number))
          log.error({ tenantNumber: number }, "a tenant's log is damaged; run portcullis fsck");
        reported.add(number);
      }
    },
  );
  // Witnesses count requests a day.
  const cosigned = { intervalMs: delayMs / SEQUENCES, onFailure: [log, "no witness could be asked"] } as const;
  const rarely = regularly(cosigned, () => tenant.log.cosign());
  return together(often, rarely);
}

const ANCHOR_MS = 60_000;
/** So many times within a short interval. */
const LOOKS = 4;

/** A chain costs as much as the tree, for one tenant alone. */
const CHAIN_INTERVALS = 24;

/** Every replica looks, and so learns what is anchored. The ledger has the last time, so one of them anchors. */
export function anchorLogRegularly({ log: tree, ledger, now, tenants }: Anchoring, log: Log, everyMs: number): Job {
  if (everyMs === 0) return { stop: () => undefined };
  const looks = { intervalMs: Math.min(everyMs / LOOKS, ANCHOR_MS), startsLater: true } as const;
  const nextLook = new WeakMap<object, number>();
  const anchorChain = async (tenant: Tenant, at: number) => {
    if (at < (nextLook.get(tenant) ?? 0)) return;
    nextLook.set(tenant, at + everyMs);
    await tree.anchorChain(tenant, { at, everyMs: CHAIN_INTERVALS * everyMs });
  };
  return regularly({ ...looks, onFailure: [log, "could not anchor the log"] }, async (signal) => {
    const at = now().getTime();
    await tree.anchor(ledger, { at, everyMs });
    for (const tenant of tenants.loaded()) {
      if (signal.aborted) return;
      // One that fails keeps no other waiting.
      await anchorChain(tenant, at).catch((error) => log.warn({ error }, "could not anchor the end of a chain"));
    }
  });
}

type Anchoring = Pick<Tenant, "log" | "ledger" | "now"> & { readonly tenants: Pick<TenantDirectory, "loaded"> };

const WEBHOOKS_MS = 1_000;
/** A target that does not answer holds up its own tenant alone. */
const TENANTS_SENDING = 20;

export function deliverWebhooksRegularly({ tenants, dueWork, now }: Others & Pick<Tenant, "now">, log: Log): Job {
  const sending = new Set<number>();
  const onFailure = [log, "could not look for events to send"] as const;
  return regularly({ intervalMs: WEBHOOKS_MS, onFailure }, async (signal) => {
    const due = await dueWork.webhooks(now().toISOString(), 2 * TENANTS_SENDING);
    for (const ref of due.filter(({ number }) => !sending.has(number)).slice(0, TENANTS_SENDING - sending.size)) {
      sending.add(ref.number);
      void tenants
        .useRecords(ref, (tenant) => deliverWebhooks(tenant, signal))
        .catch((error) => void (signal.aborted || log.warn({ error }, "could not send webhooks")))
        .finally(() => sending.delete(ref.number));
    }
  });
}

const FOLLOW_MS = 500;

export const followRegularly = ({ index }: Pick<Tenant, "index">): Job =>
  regularly({ intervalMs: FOLLOW_MS, startsLater: true }, async () => index.wake());

const SAVE_MS = 2_000;
/** For the snapshots at the end of the process. */
const GRACE_MS = 5_000;

export function saveSnapshotsRegularly({ index }: Pick<Tenant, "index">) {
  const saving = regularly({ intervalMs: SAVE_MS, startsLater: true }, () => index.saveSnapshots());
  return {
    async stop(): Promise<void> {
      saving.stop();
      const signal = AbortSignal.timeout(GRACE_MS);
      await orAfter(2 * GRACE_MS, index.saveSnapshots({ isLast: true, signal }), undefined);
    },
  };
}

interface Job {
  stop(): void;
}

const together = (...jobs: readonly Job[]): Job => ({
  stop() {
    for (const job of jobs) job.stop();
  },
});

interface JobOptions {
  readonly intervalMs: number;
  /** Whether the first run waits for the first interval. */
  readonly startsLater?: boolean;
  /** Where a failure is told, in these words: the first, second, fourth, eighth … in a row. Else nowhere. */
  readonly onFailure?: readonly [log: Log, message: string];
}

/** Runs never overlap: one that would begin while another is under way is left out. `signal` aborts at the stop. */
export function regularly(options: JobOptions, run: (signal: AbortSignal) => Promise<unknown>): Job {
  const { intervalMs, startsLater = false, onFailure: [log, message = ""] = [] } = options;
  const stopping = new AbortController();
  const { signal } = stopping;
  let isRunning = false;
  let failures = 0;

  async function runOnce(): Promise<void> {
    if (isRunning) return;
    isRunning = true;
    try {
      await run(signal);
      failures = 0;
    } catch (error) {
      failures += 1;
      if (!signal.aborted && Number.isInteger(Math.log2(failures))) log?.warn({ error }, message);
    }
    isRunning = false;
  }

  if (!startsLater) void runOnce();
  const timer = setInterval(() => void runOnce(), intervalMs).unref();
  return {
    stop() {
      stopping.abort();
      clearInterval(timer);
    },
  };
}
