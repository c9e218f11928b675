// Records what an export holds, kind by kind, and counts what was not on record.
import { digestOf } from "#core/encoding/digest.ts";
import { PortcullisError } from "#core/errors.ts";
import { type AccessRule, isAllowed, isRevoked } from "#core/gate/policy.ts";
import { DEFAULT_TENANT } from "#core/identity/tenant.ts";
import type { ExportHeader, ExportKind, ExportRecord, RecordOf } from "#core/transfer/export-format.ts";
import type { RestoredDecision } from "#ports.ts";
import type { Call } from "#service/call.ts";
import { decisionOf } from "#service/decisions/decision-log.ts";
import type { Tenant } from "#service/tenant.ts";
import { restoreAnchor, restoreMemories, restoreOnLedger, toRestoredReceipt } from "./restored.ts";

export interface ImportOutcome {
  /** How many records of each kind are on record now that were not. */
  readonly added: Readonly<Partial<Record<ExportKind, number>>>;
  /** `kept`: the policy here differs from the exported one, and stays. */
  readonly policy: "set" | "same" | "kept";
  /** Records that cannot be had here. */
  readonly leftOut: Readonly<Partial<Record<ExportKind, number>>>;
}

export type Importer = Pick<
  Tenant,
  "number" | "records" | "policyMirror" | "about" | "blobs" | "ledger" | "cipher" | "now"
>;

/** Refuses what can never be recorded here. */
export function checkImportable({ about }: Importer, { blobs }: ExportHeader): void {
  const { kind } = about.blobs;
  if (blobs === kind) return;
  const message = `The export's blob ids are those of the store "${blobs}", and this service uses "${kind}". Import into a service with the same store.`;
  throw new PortcullisError("export-not-importable", message);
}

interface Options {
  readonly header: ExportHeader;
  readonly replacesPolicy: boolean;
  readonly call: Call;
}

export function createRestorer(tenant: Importer, { header, replacesPolicy, call }: Options) {
  const { records } = tenant;
  const added = new Map<ExportKind, number>();
  const leftOut = new Map<ExportKind, number>();
  const rules: AccessRule[] = [];
  const names: string[] = [];
  const numberEqual = equalDecisions();
  let policy: ImportOutcome["policy"] = "same";
  const stamp = () => ({ by: call.principal.name, at: tenant.now().toISOString() });

  const restoring: { readonly [Kind in ExportKind]: (page: readonly RecordOf<Kind>[]) => Promise<number> } = {
    "encryption-secret": restoreSecrets,
    namespace: (page) => countOf(page, restoreNamespace),
    async rule(page) {
      for (const { agentId, namespace, allowed } of page) rules.push({ agentId, namespace, allowed });
      return 0;
    },
    memory: (page) => restoreMemories(tenant, page, stamp()),
    tombstone: (page) => records.transfer.restoreTombstones(page.map(({ tombstone }) => tombstone)),
    async names(page) {
      for (const part of page) await restoreNames(part);
      return 0;
    },
    receipt: (page) => records.transfer.restoreReceipts(page.map(toRestoredReceipt)),
    anchor: (page) => countOf(page, (anchor) => restoreAnchor(tenant, anchor)),
    async "chain-anchor"(page) {
      const outcomes: string[] = [];
      for (const anchor of page) outcomes.push(isSameLedger() ? await restoreOnLedger(tenant, anchor) : "left out");
      const count = (wanted: string) => outcomes.filter((each) => each === wanted).length;
      leftOut.set("chain-anchor", (leftOut.get("chain-anchor") ?? 0) + count("left out"));
      return count("added");
    },
    decision: (page) =>
      records.transfer.restoreDecisions(page.map(({ kind: _, ...decision }) => numberEqual(decision))),
  };

  /** A local ledger is its own: nothing on it is known elsewhere. */
  const isSameLedger = () => header.network !== "local" && header.network === tenant.ledger.network;

  /** A database has one secret, whatever keys it is wrapped by. Another one cannot be used beside it. */
  async function restoreSecrets(page: readonly RecordOf<"encryption-secret">[]): Promise<number> {
    const here = await records.encryption.secrets();
    if (here.size > 0) {
      const known = (keyId: string) => Buffer.from(here.get(keyId) ?? "").toString("base64url");
      const others = page.filter(({ keyId, wrapped }) => known(keyId) !== wrapped);
      if (others.length > 0) leftOut.set("encryption-secret", others.length);
      return 0;
    }
    const isOurs = page.some(({ keyId }) => tenant.cipher.keyIds().includes(keyId));
    // It would be the secret of this database, and nothing could be encrypted here any more.
    if (!isOurs && tenant.cipher.status() === "ready")
      throw new PortcullisError("export-not-importable", OTHER_ENCRYPTION_KEY);
    for (const { keyId, wrapped } of page) await records.encryption.addSecret(keyId, Buffer.from(wrapped, "base64url"));
    return page.length;
  }

  async function restoreNamespace({ kind: _, ...settings }: RecordOf<"namespace">): Promise<boolean> {
    const isPlain = (each: object) =>
      !("description" in each) && !("retentionSeconds" in each) && !("encrypted" in each && each.encrypted === true);
    const found = await records.namespaces.find(settings.name);
    if (isPlain(settings) || (found !== undefined && !isPlain(found))) return false;
    await records.namespaces.put(settings, stamp(), { allowConfusable: true });
    return true;
  }

  async function restoreNames({ digest, names: part, isLast }: RecordOf<"names">): Promise<void> {
    names.push(...part);
    if (!isLast) return;
    const list = { digest, names: names.splice(0) };
    if (digestOf(list.names) !== digest)
      throw new PortcullisError(
        "export-damaged",
        "A list of names in the export has another digest than its id. Export again.",
      );
    await records.transfer.restoreList(list);
  }

  /** A policy that never changed gives way. Another one stays, unless the caller says otherwise. */
  async function restorePolicy(): Promise<void> {
    const isWhole = header.by.role === "admin" && Object.keys(header.filter).length === 0;
    const isUnchanged = (await records.policy.version()) === 0;
    if (rules.length === 0 && !replacesPolicy) return;
    if (isWhole && (isUnchanged || replacesPolicy)) {
      const decision = decisionOf(tenant, call, { outcome: "changed" });
      policy = (await records.transfer.replacePolicy(rules, { ...stamp(), decision })) ? "set" : "same";
    } else policy = (await hasAll(rules)) ? "same" : "kept";
  }

  async function hasAll(rules: readonly AccessRule[]): Promise<boolean> {
    const { policy: here } = await records.policy.current();
    return rules.every(({ agentId, namespace, allowed }) =>
      (allowed ? isAllowed : isRevoked)(here, agentId, namespace),
    );
  }

  /** As ended ones: they sign nothing here. What another tenant than `default` says of keys counts for itself alone. */
  async function restoreKeys(): Promise<void> {
    const now = tenant.now().toISOString();
    const keys = header.keys.map(({ publicKey, endedAt = now, ...key }) => ({
      ...key,
      endedAt: endedAt < now ? endedAt : now,
      publicKey: Uint8Array.from(Buffer.from(publicKey, "hex")),
    }));
    const own = new Set((await records.signingKeys.list()).map(({ keyId }) => keyId));
    const isDefault = tenant.number === DEFAULT_TENANT.number;
    const others = keys.filter(({ keyId }) => !own.has(keyId));
    if (others.length > 0) await records.transfer.restoreKeys(others, isDefault ? "deployment" : "tenant");
  }

  return {
    async restore(kind: ExportKind, page: readonly ExportRecord[]): Promise<void> {
      const restore = restoring[kind] as (page: readonly ExportRecord[]) => Promise<number>;
      const count = await restore(page);
      added.set(kind, (added.get(kind) ?? 0) + count);
    },

    async endOf(kind: ExportKind): Promise<void> {
      if (kind === "rule") await restorePolicy();
      // The first section, which may be refused. Receipts come after it.
      if (kind === "encryption-secret") await restoreKeys();
      // The cipher reads the secret when it needs it first.
      const isEncrypted =
        kind === "encryption-secret" && (added.get(kind) ?? 0) > 0 && tenant.cipher.status() === "ready";
      if (isEncrypted) await tenant.cipher.takeOver();
    },

    outcome(): ImportOutcome {
      const counted = (counts: ReadonlyMap<ExportKind, number>) =>
        Object.fromEntries([...counts].filter(([, count]) => count > 0));
      return { added: counted(added), policy, leftOut: counted(leftOut) };
    },
  };
}

const OTHER_ENCRYPTION_KEY =
  "The export was encrypted with another ENCRYPTION_KEY. Name that key in ENCRYPTION_KEY_FORMER, or on a further line of the file or command, and start the service again. Nothing was recorded.";

/** Decisions that are equal have equal times, so they follow each other. Tells how many equal ones came before. */
function equalDecisions(): (decision: Omit<RestoredDecision, "copy">) => RestoredDecision {
  const seen = new Map<string, number>();
  let time = "";
  return (decision) => {
    if (decision.at !== time) seen.clear();
    time = decision.at;
    const { allowed: _, blocked: __, ...rest } = decision;
    const key = JSON.stringify(Object.entries(rest).sort(([a], [b]) => (a < b ? -1 : 1)));
    const copy = seen.get(key) ?? 0;
    seen.set(key, copy + 1);
    return { ...decision, copy };
  };
}

async function countOf<T>(items: readonly T[], restore: (item: T) => Promise<boolean>): Promise<number> {
  let count = 0;
  for (const item of items) if (await restore(item)) count += 1;
  return count;
}
