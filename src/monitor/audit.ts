// What an auditor reads of a log: the entries of its tenant and of the deployment, all of the tree, and what the service has
// on record. It goes on where the pass before ended.
import type { Client } from "#contract/client/client.ts";
import type { Reply } from "#contract/routes.ts";
import { orUndefined } from "#core/defined.ts";
import { toHex } from "#core/encoding/digest.ts";
import { rulesOf } from "#core/gate/policy.ts";
import { type Bounds, createChainAudit, type Report } from "#core/log/audit/chain-audit.ts";
import { checkRestored, type Followed } from "#core/log/audit/follow-log.ts";
import * as records from "#core/log/audit/records-audit.ts";
import { parseCheckpoint, type SignedCheckpoint } from "#core/log/checkpoint.ts";
import { type DisclosedEntry, entryOfDisclosed } from "#core/log/entry.ts";
import { growingRoot, leafHash } from "#core/log/merkle-tree.ts";
import { sha256 } from "#core/log/sha256.ts";
import { signatureDigestOf } from "#core/receipt/signature.ts";
import type { LogClient } from "./log-client.ts";
import type { ChainEnd } from "./monitor-folder.ts";

const ENTRIES_AT_ONCE = 500;
/** So many may have been placed since the checkpoint. */
const MOST_NEWER = 100_000;
const CHAINS = ["deployment", "tenant"] as const;
type ChainName = (typeof CHAINS)[number];

export interface AuditParts {
  readonly log: LogClient;
  readonly auditor: Client;
  /** What the gate of an anchored receipt has. Rejects if the ledger does not answer. */
  readonly gateOnLedger: (receiptId: string, origin: string) => Promise<records.GateOnLedger>;
  readonly delayMs: number;
  readonly now: () => number;
}

interface Run extends Omit<Followed, "consistency"> {
  readonly bounds: Bounds;
  /** When the service answered. */
  readonly seen: readonly number[];
  /** Where chains ended in an earlier pass. */
  readonly ends: Readonly<Record<string, ChainEnd>>;
  readonly report: Report;
}

export type Audit = ReturnType<typeof createAudit>;

export function createAudit({ log, auditor, gateOnLedger, delayMs, now }: AuditParts) {
  const tree = growingRoot();
  /** What the tree must have, by its place. */
  const expected = new Map<number, string>();
  /** How many places of the tree have other tenants. */
  let others = 0;
  /** By the id of its answer, in whose entries a receipt was found, and the digest of its signature. */
  const checked = new Map<string, readonly [records.Whose, string]>();
  /** An anchored receipt of the tenant. */
  let receiptId: string | undefined;
  /** Whether another party keeps the policy on the ledger. */
  let isAnothers = false;
  let current: Pick<Run, "report" | "bounds" | "checkpoint">;
  const report: Report = (...finding) => current.report(...finding);
  const bounds: Bounds = (index) => current.bounds(index);
  const deployment = createChainAudit({ report, bounds });
  const tenant = createChainAudit({ report, bounds, restored: deployment.restorations });
  const chains = { deployment, tenant };

  /** Reads the entries that are new. `known` is where the chain ended in an earlier pass. */
  async function read(name: ChainName, known: ChainEnd | undefined): Promise<void> {
    const chain = chains[name];
    for (;;) {
      const page = { after: chain.end().number, limit: ENTRIES_AT_ONCE, chain: name };
      const { entries } = await auditor.listLogEntries(page);
      for (const entry of entries) {
        add(name, entry);
        const { number, chain: hash } = chain.end();
        if (number === known?.number && hash !== known.chain) report("chain", otherHistory(name), number);
      }
      // Whoever gives the same again has been found, and gives no more.
      if (entries.length === 0 || chain.end().number <= page.after) break;
      if (chain.end().number > current.checkpoint.size + MOST_NEWER)
        throw new Error("The service gives more entries than its log can have.");
    }
    const { number } = chain.end();
    if (known !== undefined && number < known.number) report("chain", otherHistory(name), number);
  }

  /** That of the deployment before and after: its entries come before those that rest on them. */
  async function readAll(ends: Run["ends"] = {}): Promise<void> {
    for (const name of CHAINS) await read(name, ends[name]);
    await read("deployment", undefined);
  }

  function add(name: ChainName, entry: DisclosedEntry): void {
    chains[name].add(entry);
    if (expected.has(entry.index)) report("not-in-tree", "Two entries claim one place in the tree.", entry.number);
    const digest = orUndefined(() => toHex(entryOfDisclosed(entry))) ?? "";
    if (entry.index >= tree.size()) expected.set(entry.index, digest);
    else report("order", "An entry claims a place in the tree that was there before it.", entry.number);
  }

  /** Reads what the tree has more, and compares it with what it must have. */
  async function readTree({ size, root }: SignedCheckpoint): Promise<void> {
    for await (const entries of log.entries(tree.size(), size))
      for (const entry of entries) {
        const index = tree.size();
        const claimed = expected.get(index);
        expected.delete(index);
        tree.append(leafHash(entry));
        if (claimed === undefined) others += 1;
        if (claimed !== undefined && claimed !== toHex(entry))
          report("not-in-tree", `The tree has another entry at place ${index}.`);
      }
    if (tree.size() === size && toHex(tree.root()) !== toHex(root))
      report("root", "The entries of the log do not lead to the root that is signed.");
  }

  /** That the service says of the chain what its entries do. */
  async function compareEnds(): Promise<void> {
    const { number, chain } = await auditor.getLog();
    // It may have grown meanwhile.
    if (number > tenant.end().number) await readAll();
    const own = tenant.end();
    if (number > own.number || (number === own.number && chain !== own.chain))
      report("chain", "The service names another end of the chain than its entries have.", own.number);
  }

  async function recordedAnswers(isFirst: boolean) {
    const { keys } = await auditor.getTrustRoot();
    const publicKeys = new Map(keys.map(({ keyId, publicKey }) => [keyId, publicKey]));
    const receipts: records.RecordedAnswer[] = [];
    for await (const page of auditor.listReceipts.pages({ limit: ENTRIES_AT_ONCE })) {
      receiptId ??= page.receipts.find(({ chain }) => chain.length > 0)?.chain[0]?.receiptId;
      isAnothers ||= page.receipts.some(({ receipt: { evidence } }) => evidence.ledgerVersion !== undefined);
      const answers = page.receipts.flatMap((entry) => toAnswer(entry, publicKeys));
      receipts.push(...answers);
      // Newest first: behind what is known there is nothing new.
      if (!isFirst && answers.length > 0 && answers.every(({ answerId }) => checked.has(answerId))) break;
    }
    return { keys, receipts };
  }

  async function policyOnRecord() {
    const { policy, version } = await auditor.getPolicy();
    const changes = await Array.fromAsync(auditor.listPolicyChanges.all({ limit: ENTRIES_AT_ONCE }));
    return { changes, rules: version === changes[0]?.version ? rulesOf(policy) : [] };
  }

  async function checkReceipts(receipts: readonly records.RecordedAnswer[], checkpoint: SignedCheckpoint) {
    const names = namesOfLog(checkpoint);
    const missing = receipts.filter((receipt) => !checked.has(receipt.answerId) && !isInLog(receipt, names));
    // The service is asked for the proof of one: it then places what waits, and says so if it cannot.
    if (missing[0] !== undefined) {
      await auditor.getReceiptProof({ answerId: missing[0].answerId }).catch(() => undefined);
      await readAll();
    }
    for (const receipt of missing.filter((each) => !isInLog(each, names)))
      report("receipt-not-in-log", `The receipt of ${receipt.answerId} is on record, and not in the log.`);
  }

  /** That the page for readers who do not trust the service is one that the log names. */
  function checkVerifier(page: Uint8Array | undefined): void {
    if (page !== undefined && !deployment.verifiers.has(toHex(sha256(page))))
      report("verifier-not-in-log", "The service sends a verify.html whose digest is not in the log.");
  }

  function isInLog(receipt: records.RecordedAnswer, names: ReadonlyMap<string, number>): boolean {
    const whose = records.checkReceipt({ ...chains, names }, receipt, report);
    if (whose !== undefined) checked.set(receipt.answerId, [whose, receipt.signatureDigest]);
    return whose !== undefined;
  }

  /** Those that the log has had, and when each ended. */
  function namesOfLog({ origin }: SignedCheckpoint): ReadonlyMap<string, number> {
    const before = deployment.restorations.map(
      ({ at, checkpoint }) => [parseCheckpoint(checkpoint)?.origin ?? "", Date.parse(at)] as const,
    );
    return new Map([...before, [origin, Number.POSITIVE_INFINITY]]);
  }

  /** Imported receipts that another tenant was given: as far as the tree was read, it has their entries. */
  function compareOthers(): void {
    const isPlaced = (signature: string) => (tenant.imported.get(signature)?.index ?? tree.size()) < tree.size();
    const imported = [...checked.values()].filter(([whose, digest]) => whose === "another-tenant" && isPlaced(digest));
    records.checkOtherTenants(imported.length, others, report);
  }

  return {
    async run(run: Run) {
      current = run;
      const isFirst = tree.size() === 0;
      const began = now();
      // First what is on record, then the log: so what is on record is due in the log.
      const { keys, receipts } = await recordedAnswers(isFirst);
      const { changes, rules } = await policyOnRecord();
      const verifier = await log.verifier();
      const onLedger = receiptId && (await gateOnLedger(receiptId, run.checkpoint.origin));
      await readAll(isFirst ? run.ends : {});
      await compareEnds();
      if (onLedger) records.checkGate(chains, { ...onLedger, isAnothers }, began - delayMs, report);
      await checkReceipts(receipts, run.checkpoint);
      await readTree(run.checkpoint);
      compareOthers();
      await checkRestored(deployment.restorations, { ...run, consistency: log.consistency }, report);
      for (const time of run.seen) tenant.checkOpen(time);
      if (isFirst) records.checkRemoved(chains, receipts, report);
      records.checkSigningKeys(chains, keys, began - delayMs, report);
      records.checkPolicyVersions(chains, changes, began - delayMs, report);
      records.checkRules(changes, rules, report);
      checkVerifier(verifier);
      const ends = Object.fromEntries(CHAINS.map((name) => [name, chains[name].end()]));
      const imported = [...checked.values()].filter(([whose]) => whose !== "own").length;
      return { ends, entries: tenant.end().number, receipts: checked.size, imported };
    },
  };
}

const otherHistory = (name: ChainName): string =>
  `The entries of the ${name} are not those of an earlier pass: there are two histories.`;

function toAnswer(
  { receipt, anchor, chain, pending }: Reply<"listReceipts">["receipts"][number],
  publicKeys: ReadonlyMap<string, string>,
): records.RecordedAnswer[] {
  const { answerId, createdAt, signature, evidence } = receipt;
  if (signature === undefined) return [];
  const { policyVersion, policyDigest, log } = evidence;
  const signatureDigest = signatureDigestOf(signature);
  const isAnchored = anchor !== null || chain.length + pending > 0;
  const publicKey = publicKeys.get(signature.keyId);
  const said = { createdAt, policyVersion, policyDigest, promisedBy: log?.origin };
  return [{ ...said, answerId, signatureDigest, publicKey, isAnchored }];
}
