// What an auditor checks of a chain of entries, one after the other: numbers without a gap, places and times that never go
// back, one end for each answer, versions of the policy that count by one, and no key that comes back after its end.
import { orUndefined } from "#core/defined.ts";
import { canonicalJson } from "#core/encoding/canonical-json.ts";
import { toHex } from "#core/encoding/digest.ts";
import type { DisclosedEntry, EntryBody, EntryKind } from "#core/log/entry.ts";
import { CHAIN_START, entryOfDisclosed, nextChain } from "#core/log/entry.ts";

const MINUTE_MS = 60_000;
/** Within which an answer has an end. */
const END_WITHIN_MS = 10 * MINUTE_MS;
/** Within which a service that runs notices that the process of an answer is gone. */
const NOTICED_WITHIN_MS = 5 * MINUTE_MS;
/** Between a recall and the record of its answer, rules may change that do not concern it. */
export const RECORDED_WITHIN_MS = MINUTE_MS;

export interface AuditedEntry extends EntryBody {
  readonly index: number;
}

/** Between which times an entry of this place in the tree was recorded, as far as somebody saw the log grow. */
export type Bounds = (index: number) => { readonly notBefore?: number | undefined; readonly notAfter: number };

interface Options {
  readonly report: Report;
  readonly bounds: Bounds;
  /** The entries `restored`: behind each, versions of the policy are skipped once, and answers end that were not open. */
  readonly restored?: readonly AuditedEntry[];
}

interface Open {
  readonly number: number;
  readonly at: number;
  /** A sign that the service runs, after the answer should have ended. */
  overdueAt?: number;
}

export type ChainAudit = ReturnType<typeof createChainAudit>;

export function createChainAudit({ report, bounds, restored = [] }: Options) {
  let last: Pick<AuditedEntry, "number" | "index" | "at"> = { number: 0, index: -1, at: "" };
  let chain = CHAIN_START;
  /** By number, from 1 on. */
  const chains: string[] = [];
  let began: number | undefined;
  const open = new Map<string, Open>();
  /** Those that were reported. */
  const overdue = new Set<string>();
  /** By slot, where the answer was opened. */
  const opened = new Map<string, number>();
  /** By slot, the receipt's signature. */
  const receipts = new Map<string, string>();
  const issued = new Map<string, AuditedEntry>();
  const imported = new Map<string, AuditedEntry>();
  const versions: AuditedEntry[] = [];
  let inForce: number | undefined;
  const keys = new Map<string, { readonly begun: AuditedEntry; ended?: AuditedEntry }>();
  const endedApiKeys = new Set<string>();
  const restorations: AuditedEntry[] = [];
  /** The last one behind which versions were skipped. */
  let skippedBehind = -1;
  const skips: AuditedEntry[] = [];
  const verifiers = new Set<string>();

  const checks: Partial<Readonly<Record<EntryKind, (entry: AuditedEntry) => void>>> = {
    opened(entry) {
      const { slot, number, index } = entry;
      if (opened.has(slot) || receipts.has(slot)) report("opened-twice", "An answer is opened a second time.", number);
      open.set(slot, { number, at: Date.parse(entry.at) });
      opened.set(slot, index);
      checkVersion(entry);
    },
    issued(entry) {
      end(entry);
      receipts.set(entry.slot, entry.signature);
      issued.set(entry.signature, entry);
    },
    imported(entry) {
      const { slot, signature, number, index } = entry;
      const known = receipts.get(slot);
      // What a backup lacks may come from an export: the end of an answer that the backup has as open.
      const isLost = known === undefined && lastRestored(index) > (opened.get(slot) ?? Number.POSITIVE_INFINITY);
      if (known === undefined ? opened.has(slot) && !isLost : known !== signature)
        report("second-end", "A receipt is imported of an answer that was given here, and has another end.", number);
      if (isLost) open.delete(slot);
      receipts.set(slot, signature);
      imported.set(signature, entry);
    },
    "broken-off": end,
    policy(entry) {
      const { version, number } = entry;
      if (inForce !== undefined && version !== inForce + 1) {
        if (version <= inForce || !maySkip(entry.index))
          report("version-skipped", `Version ${version} of the policy follows version ${inForce}.`, number);
        skippedBehind = lastRestored(entry.index);
        skips.push(entry);
      }
      inForce = version;
      versions.push(entry);
    },
    "signing-key"(entry) {
      const { publicKey, state, number } = entry;
      const known = keys.get(publicKey);
      if (state === "ended" && known !== undefined) known.ended ??= entry;
      else if (known === undefined) keys.set(publicKey, { begun: entry, ...(state === "ended" && { ended: entry }) });
      else report("revived", "A key that signs receipts is begun a second time.", number);
    },
    "api-key"({ key, state, number }) {
      if (endedApiKeys.has(key)) report("revived", "An API key that has ended is used again.", number);
      if (state === "ended") endedApiKeys.add(key);
    },
    restored: (entry) => void restorations.push(entry),
    verifier: ({ sha256 }) => void verifiers.add(sha256),
  };

  function end({ slot, number }: AuditedEntry): void {
    if (!open.delete(slot) && !overdue.delete(slot))
      report("second-end", "An answer ends that is not open: it has another end.", number);
  }

  /** The place of the last one before this place that names a checkpoint; -1 if there is none. */
  const lastRestored = (before: number): number =>
    restored.findLast(({ index, checkpoint }) => index < before && checkpoint !== "")?.index ?? -1;

  const maySkip = (before = Number.POSITIVE_INFINITY): boolean => lastRestored(before) > skippedBehind;

  /** An answer names the version in force, or one that was a moment before. */
  function checkVersion({ policyVersion, inForce: named, number, at }: AuditedEntry): void {
    inForce ??= named;
    const isOfNext = ({ version }: AuditedEntry, i: number) =>
      version > policyVersion && (versions[i - 1]?.version ?? 0) <= policyVersion;
    const next = policyVersion < named ? versions.findLast(isOfNext) : undefined;
    const since = next === undefined ? began : Date.parse(next.at);
    const isLate = policyVersion < named && Date.parse(at) - (since ?? 0) > RECORDED_WITHIN_MS;
    if (named !== inForce || policyVersion > named || isLate)
      report(
        "version-in-force",
        `An answer is opened under version ${policyVersion} of the policy, and version ${inForce} is in force.`,
        number,
      );
  }

  /** Reports answers that should have ended, when the service has run long enough since to say so. */
  function checkOpen(time: number): void {
    for (const [slot, answer] of open) {
      if (time - answer.at <= END_WITHIN_MS) return;
      answer.overdueAt ??= time;
      if (time - answer.overdueAt <= NOTICED_WITHIN_MS) continue;
      report("no-end", "An answer has no end within ten minutes.", answer.number);
      open.delete(slot);
      overdue.add(slot);
    }
  }

  function checkPlace({ number, index, at }: AuditedEntry, disclosed: number): void {
    if (number !== last.number + 1 || disclosed !== number)
      report("gap", `Entry ${disclosed} follows entry ${last.number}, and says that it is ${number}.`, number);
    if (index <= last.index) report("order", "An entry stands before its predecessor in the tree.", number);
    if (at < last.at) report("time-back", `An entry of ${at} follows one of ${last.at}.`, number);
    const { notBefore, notAfter } = bounds(index);
    if (notBefore !== undefined && Date.parse(at) < notBefore)
      report("late", `An entry of ${at} was not in the log when it had to be: it is late, or backdated.`, number);
    if (Date.parse(at) > notAfter) report("time-ahead", `An entry has a time that is not yet: ${at}.`, number);
  }

  return {
    add(entry: DisclosedEntry): void {
      chain = nextChain(chain, orUndefined(() => entryOfDisclosed(entry)) ?? new Uint8Array());
      chains.push(toHex(chain));
      const body = bodyIn(entry.body);
      if (body === undefined) {
        last = { ...last, number: entry.number, index: entry.index };
        report("malformed", "The body of an entry is not canonical JSON with a time.", entry.number);
        return;
      }
      const audited = { ...body, index: entry.index };
      began ??= Date.parse(body.at);
      checkOpen(Date.parse(body.at));
      checkPlace(audited, entry.number);
      if (Object.hasOwn(checks, body.kind)) checks[body.kind]?.(audited);
      last = audited;
    },
    /** The service answers at this time. Times come in their order. */
    checkOpen,
    end: () => ({ number: last.number, chain: toHex(chain) }),
    /** Whether versions of the policy may be skipped next. */
    maySkip: () => maySkip(),
    /** The chain up to so many entries. Undefined if there are not as many. */
    chainAt: (entries: number): string | undefined => chains[entries - 1],
    /** By the digest of the receipt's signature. */
    issued: issued as ReadonlyMap<string, AuditedEntry>,
    imported: imported as ReadonlyMap<string, AuditedEntry>,
    versions: versions as readonly AuditedEntry[],
    /** Versions of the policy that do not follow the one before. */
    skips: skips as readonly AuditedEntry[],
    keys: keys as ReadonlyMap<string, { readonly begun: AuditedEntry; readonly ended?: AuditedEntry }>,
    restorations: restorations as readonly AuditedEntry[],
    /** Digests of verify.html. */
    verifiers: verifiers as ReadonlySet<string>,
  };
}

function bodyIn(text: string): EntryBody | undefined {
  const body = orUndefined(() => JSON.parse(text)) as EntryBody | undefined;
  const isBody = typeof body === "object" && body !== null && orUndefined(() => canonicalJson(body)) === text;
  return isBody && !Number.isNaN(Date.parse(body.at)) ? body : undefined;
}

// What an audit of a log finds: each is evidence that can be shown to others, or at least to the operator.

export type FindingCode =
  // Of the log as a whole.
  | ("signature" | "fork" | "shrunk" | "root" | "begun-anew" | "not-cosigned" | "not-as-anchored")
  // Of the entries of a chain.
  | ("malformed" | "gap" | "order" | "time-back" | "time-ahead" | "late" | "not-in-tree" | "chain")
  | ("opened-twice" | "second-end" | "no-end" | "version-in-force" | "version-skipped" | "revived")
  // Of what is on record beside it.
  | ("receipt-not-in-log" | "receipt-removed" | "policy-not-in-log" | "policy-not-on-record" | "policy-digest")
  | ("key-not-in-log" | "key-not-on-record" | "key-before-entry" | "key-after-end" | "not-revoked")
  | ("key-elsewhere" | "not-restored" | "verifier-not-in-log");

export interface Finding {
  readonly code: FindingCode;
  /** Of the entry, in its chain. */
  readonly number?: number;
  readonly sentence: string;
}

export type Report = (code: FindingCode, sentence: string, number?: number) => void;
