// Whether what a service has on record is what its log says: receipts, versions of the policy, and keys that sign.
import { toHex } from "#core/encoding/digest.ts";
import { type AccessRule, keyOf, type RuleChange } from "#core/gate/policy.ts";
import type { Checkpoint } from "#core/log/checkpoint.ts";
import { CLOCK_TOLERANCE_MS } from "#core/receipt/chain-receipt.ts";
import { type AuditedEntry, type ChainAudit, RECORDED_WITHIN_MS, type Report } from "./chain-audit.ts";

/** A complete receipt. */
export interface RecordedAnswer {
  readonly answerId: string;
  readonly createdAt: string;
  /** SHA-256 of its signature, hex. */
  readonly signatureDigest: string;
  /** Of the key that signed it, hex; undefined if it is none of the service. */
  readonly publicKey: string | undefined;
  /** The name of the log that it has to be in. */
  readonly promisedBy: string | undefined;
  readonly policyVersion: number;
  readonly policyDigest: string;
  /** Then pruning keeps it. */
  readonly isAnchored: boolean;
}

interface Chains {
  readonly tenant: ChainAudit;
  readonly deployment: ChainAudit;
}

interface NamedChains extends Chains {
  /** The names that the log has had, and when each ended. */
  readonly names: ReadonlyMap<string, number>;
}

/** Whose entries have it: the tenant's own, those of another tenant, or those of another log. */
export type Whose = "own" | "another-tenant" | "another-log";

/** Undefined if no entry names it. Of one that was imported, others have the rest. */
export function checkReceipt(chains: NamedChains, receipt: RecordedAnswer, report: Report): Whose | undefined {
  const { tenant, deployment } = chains;
  const { createdAt, signatureDigest, publicKey, policyVersion, policyDigest } = receipt;
  const entry = tenant.issued.get(signatureDigest);
  const key = publicKey === undefined ? undefined : deployment.keys.get(publicKey);
  if (entry === undefined)
    return tenant.imported.has(signatureDigest) ? checkImported(chains, receipt, report) : undefined;
  if (timeOf(entry) - Date.parse(createdAt) > ANSWERED_WITHIN_MS)
    report("late", `A receipt of ${createdAt} was entered at ${entry.at}: it is late, or backdated.`, entry.number);
  if (key === undefined || key.begun.index > entry.index)
    report("key-before-entry", "A receipt is signed with a key that the log did not have by then.", entry.number);
  else if (key.ended !== undefined && timeOf(entry) - timeOf(key.ended) > RECORDED_WITHIN_MS)
    report("key-after-end", "A receipt is signed with a key that had ended.", entry.number);
  const link = tenant.versions.findLast(({ version }) => version === policyVersion)?.link;
  if (link !== undefined && link !== policyDigest)
    report("policy-digest", `A receipt has another digest of version ${policyVersion} of the policy.`, entry.number);
  return "own";
}

/** A key that this log has begun signs for no other log, and under no name that the log has given up. */
function checkImported({ tenant, deployment, names }: NamedChains, receipt: RecordedAnswer, report: Report): Whose {
  const { createdAt, signatureDigest, publicKey = "", promisedBy = "" } = receipt;
  const key = deployment.keys.get(publicKey);
  // The keys of others are entered as ended.
  const isOurs = key !== undefined && key.begun !== key.ended;
  const ended = names.get(promisedBy) ?? Number.NEGATIVE_INFINITY;
  const isPromised = ended === Number.POSITIVE_INFINITY;
  if (isOurs && isPromised) return "another-tenant";
  const sentence = isOurs
    ? "A receipt is entered as imported, and is signed with a key of this log, which promised it nothing."
    : "A receipt is entered as imported that promises this log, and is signed with a key that the log does not have.";
  if (isPromised || (isOurs && Date.parse(createdAt) > ended + CLOCK_TOLERANCE_MS))
    report("key-elsewhere", sentence, tenant.imported.get(signatureDigest)?.number);
  return "another-log";
}

/** Each answer of another tenant has two entries in the tree that are not this tenant's. */
export function checkOtherTenants(imported: number, others: number, report: Report): void {
  if (2 * imported > others)
    report(
      "receipt-not-in-log",
      `This log promised ${imported} receipts that are entered as imported from other tenants, and has ${others} entries of others.`,
    );
}

/** What was pruned is older than all receipts on record, but for those that are anchored. */
export function checkRemoved({ tenant }: Chains, receipts: readonly RecordedAnswer[], report: Report): void {
  const known = new Set(receipts.map(({ signatureDigest }) => signatureDigest));
  // Those of others may be older.
  const isPrunable = ({ signatureDigest, isAnchored }: RecordedAnswer) =>
    tenant.issued.has(signatureDigest) && !isAnchored;
  const kept = receipts.flatMap((receipt) => (isPrunable(receipt) ? Date.parse(receipt.createdAt) : []));
  const oldest = kept.reduce((a, b) => Math.min(a, b), Number.POSITIVE_INFINITY);
  for (const [signature, entry] of tenant.issued)
    if (!known.has(signature) && timeOf(entry) > oldest + ANSWERED_WITHIN_MS)
      report("receipt-removed", "A receipt was removed, and older ones are on record.", entry.number);
}

/** Longer than an answer takes from its receipt's time to its end. */
const ANSWERED_WITHIN_MS = 15 * 60_000;

interface SigningKey {
  readonly publicKey: string;
  readonly createdAt: string;
  readonly endedAt?: string | undefined;
}

/** `before`: what was recorded by then is in the log. */
export function checkSigningKeys({ deployment }: Chains, keys: readonly SigningKey[], before: number, report: Report) {
  for (const { publicKey, createdAt, endedAt } of keys) {
    const entry = deployment.keys.get(publicKey);
    if (entry === undefined && Date.parse(createdAt) < before)
      report("key-not-in-log", "A key signs receipts and is not in the log.");
    else if (entry?.ended !== undefined && endedAt === undefined)
      report("revived", "A key that has ended signs receipts again.", entry.ended.number);
  }
  const known = new Set(keys.map(({ publicKey }) => publicKey));
  for (const [publicKey, { begun }] of deployment.keys)
    if (!known.has(publicKey)) report("key-not-on-record", "The service does not name a key of its log.", begun.number);
}

/** What the gate of the tenant has. */
export interface GateOnLedger {
  readonly chain: Checkpoint | undefined;
  readonly keys: readonly { readonly publicKey: Uint8Array; readonly addedAtMs: number }[];
  /** The last closed one, and when it was closed. */
  readonly version: number;
  readonly closedAtMs: number;
}

interface GateToCheck extends GateOnLedger {
  /** Whether another party keeps its policy. */
  readonly isAnothers: boolean;
}

/** `before`: what the ledger had by then is in the log. */
export function checkGate(
  { tenant, deployment }: Chains,
  { chain, keys, version, closedAtMs, isAnothers }: GateToCheck,
  before: number,
  report: Report,
): void {
  if (chain !== undefined && tenant.chainAt(chain.size) !== toHex(chain.root))
    report(
      "not-as-anchored",
      `The chain of ${chain.size} entries that the ledger has with the tenant’s gate is another: there are two histories.`,
      chain.size,
    );
  const isDue = (time: number) => time < before - CLOCK_TOLERANCE_MS;
  if (keys.some(({ publicKey, addedAtMs }) => !deployment.keys.has(toHex(publicKey)) && isDue(addedAtMs)))
    report("key-not-in-log", "The ledger has a key that signs receipts, and the log does not.");
  // After a restore, the policy has yet to move past that of the ledger.
  const isKnown =
    isAnothers || version === 0 || tenant.maySkip() || tenant.versions.some((one) => one.version === version);
  if (!isKnown && isDue(closedAtMs))
    report("policy-not-in-log", `The ledger closed version ${version} of the policy, which is not in the log.`);
  // The policy moves past what the ledger has, and no further.
  for (const skip of isAnothers ? [] : tenant.skips)
    if (skip.version > version + 1 && isDue(timeOf(skip)))
      report("version-skipped", `Version ${skip.version} follows versions that the ledger never had.`, skip.number);
}

interface PolicyChange extends Omit<RuleChange, "from"> {
  readonly version: number;
  readonly at: string;
}

/** `before`: what was recorded by then is in the log. */
export function checkPolicyVersions(
  { tenant: { versions } }: Chains,
  changes: readonly PolicyChange[],
  before: number,
  report: Report,
): void {
  const [logged, recorded] = [versions, changes].map((all) => new Set(all.map(({ version }) => version)));
  for (const { version, number } of versions)
    if (recorded?.has(version) === false)
      report("policy-not-on-record", `Version ${version} of the policy is in the log, and not on record.`, number);
  for (const { version, at } of changes)
    if (logged?.has(version) === false && Date.parse(at) < before)
      report("policy-not-in-log", `Version ${version} of the policy is on record, and not in the log.`);
}

/** That each gate is as its last change left it. `changes` are newest first, and of the version of the rules. */
export function checkRules(changes: readonly PolicyChange[], rules: readonly AccessRule[], report: Report): void {
  const now = new Map(rules.map((rule) => [keyOf(rule), rule.allowed]));
  const seen = new Set<string>();
  for (const change of changes) {
    const gate = keyOf(change);
    if (!seen.has(gate) && change.to !== true && now.get(gate) === true)
      report("not-revoked", `A gate that version ${change.version} of the policy closed is open.`);
    seen.add(gate);
  }
}

const timeOf = ({ at }: Pick<AuditedEntry, "at">): number => Date.parse(at);
