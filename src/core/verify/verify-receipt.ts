// Verification: what a stranger can check of a receipt, from the object on the ledger and the raw bytes of the blobs.
// Nothing is believed that the other side could have chosen: bytes are hashed as they came, and what they say counts
// only once they are known to be the ones that were anchored.
import { isSameAddress } from "#core/encoding/address.ts";
import { digestHex } from "#core/encoding/digest.ts";
import { readCanonical } from "#core/encoding/read-canonical-json.ts";
import type { ChainReceipt } from "#core/receipt/chain-receipt.ts";
import type { ForeignReceipt } from "#core/receipt/receipt.ts";
import { isReceipt, receiptFault } from "#core/receipt/receipt-shape.ts";
import { type Check, check, listed, type Verdict, verdictOf } from "./check.ts";
import { checkMemory, contentAddress, type Fetched, readMemory } from "./check-memories.ts";

/** An object as a ledger gave it. Nothing in it has been checked. */
export interface SeenObject {
  readonly objectId: string;
  /** `<package>::<module>::<name>` */
  readonly type: string;
  readonly isFrozen: boolean;
  readonly receipt?: ChainReceipt;
}

/** What somebody saw who went to look. */
export interface Seen {
  readonly receiptId: string;
  /** Of the package whose receipts count. One package has one gate: only its publication makes one. */
  readonly packageId: string;
  readonly object: SeenObject | "missing" | "unreachable";
  readonly blob: Fetched;
  /** By storeRef. */
  readonly memories: ReadonlyMap<string, Fetched>;
  /** Of a deep look: by blob id, the id that the bytes have which came under it. Absent: nobody derived any. */
  readonly derivedIds?: ReadonlyMap<string, string>;
}

export interface Verified {
  readonly verdict: Verdict;
  readonly checks: readonly Check[];
  /** What the ledger says, when the object is a receipt of ours. */
  readonly chain?: ChainReceipt;
  /** What the blob says, when its bytes are the ones that were anchored. */
  readonly receipt?: ForeignReceipt;
}

/** A body that brings a receipt has at most 64 KiB; numbers like 1e20 can grow fivefold in canonical JSON. */
const LARGEST_RECEIPT = 384 * 1024;

export function verifyReceipt(seen: Seen): Verified {
  const object = checkObject(seen);
  const chain = object.status === "pass" && typeof seen.object === "object" ? seen.object.receipt : undefined;
  const blob = checkBlob(chain, seen.blob);
  const bytes = blob.status === "pass" && typeof seen.blob === "object" ? seen.blob : undefined;
  const digest = checkDigest(chain, bytes);
  const text = readReceipt(bytes);
  const receipt = digest.status === "pass" ? text.receipt : undefined;
  const checks = [
    object,
    blob,
    digest,
    text.check,
    checkAgent(chain, receipt),
    checkClaims(chain, receipt),
    checkIssued(chain),
    ...checkMemories(receipt, seen.memories, bytes !== undefined && chain?.blobId === contentAddress(bytes)),
    ...checkIds(chain, receipt, seen.derivedIds),
  ];
  return { verdict: verdictOf(checks), checks, ...(chain && { chain }), ...(receipt && { receipt }) };
}

function checkObject({ receiptId, packageId, object }: Seen): Check {
  if (object === "unreachable") return check("object", "unknown", "The ledger did not answer.");
  if (object === "missing") return check("object", "fail", "The ledger has no object with this id.");
  if (!isSameAddress(object.objectId, receiptId)) {
    const compared = { expected: receiptId, actual: object.objectId };
    return check("object", "fail", "The ledger answered with another object than the one asked for.", compared);
  }
  const described = (type: string, isFrozen: boolean) => `${type}, ${isFrozen ? "frozen" : "not frozen"}`;
  const compared = {
    expected: described(`${packageId}::gate::Receipt`, true),
    actual: described(object.type, object.isFrozen),
  };
  const fail = (sentence: string) => check("object", "fail", sentence, compared);
  if (!isReceiptOf(packageId, object.type)) {
    return fail("The object is not a Receipt of our package. Anyone can publish a package whose objects look alike.");
  }
  if (object.isFrozen !== true)
    return fail("The object is not frozen, so it may change. A receipt of ours never does.");
  if (object.receipt === undefined) return fail("The object has the right type, but cannot be read as a receipt.");
  return check("object", "pass", "The object is a frozen Receipt of our package: nobody can change it.", compared);
}

function isReceiptOf(packageId: string, type: string): boolean {
  const [address = "", module, name, ...more] = type.split("::");
  return isSameAddress(address, packageId) && module === "gate" && name === "Receipt" && more.length === 0;
}

function checkBlob(chain: ChainReceipt | undefined, blob: Fetched): Check {
  if (chain === undefined)
    return check("blob", "unknown", "Not checked: which blob it is, only a receipt of ours says.");
  if (blob === "unreachable") return check("blob", "unknown", "The blob store did not answer.");
  if (blob === "missing") {
    return check(
      "blob",
      "fail",
      "The blob store has no blob with the id on the ledger: it is gone, or never was there.",
    );
  }
  return check("blob", "pass", `The blob store has the blob that the ledger names, ${blob.byteLength} bytes.`);
}

function checkDigest(chain: ChainReceipt | undefined, bytes: Uint8Array | undefined): Check {
  if (chain === undefined || bytes === undefined) {
    return check("digest", "unknown", "Not checked: it takes both the object and the blob.");
  }
  const compared = { expected: chain.digest.toLowerCase(), actual: digestHex(bytes) };
  if (compared.actual === compared.expected) {
    const sentence =
      "blake2b256 of the raw bytes is the digest on the ledger: this is what was anchored, byte for byte.";
    return check("digest", "pass", sentence, compared);
  }
  const sentence = "blake2b256 of the raw bytes is not the digest on the ledger: this is not what was anchored.";
  return check("digest", "fail", sentence, compared);
}

function readReceipt(bytes: Uint8Array | undefined): { readonly check: Check; readonly receipt?: ForeignReceipt } {
  if (bytes === undefined) return { check: check("receipt", "unknown", "Not checked: there are no bytes to read.") };
  const reading = readCanonical(bytes, LARGEST_RECEIPT);
  if ("fault" in reading) return { check: check("receipt", "fail", `The blob ${reading.fault}.`, reading.compared) };
  const { value } = reading;
  if (!isReceipt(value)) {
    return { check: check("receipt", "fail", `The blob is canonical JSON, but no receipt: ${receiptFault(value)}.`) };
  }
  const sentence = "The bytes are the canonical JSON (RFC 8785) of a receipt, with every field that one must have.";
  return { check: check("receipt", "pass", sentence), receipt: value };
}

function checkAgent(chain: ChainReceipt | undefined, receipt: ForeignReceipt | undefined): Check {
  if (chain === undefined || receipt === undefined) return check("agent", "unknown", WITHOUT_RECEIPT);
  const compared = { expected: chain.agent, actual: receipt.agentId };
  return compared.actual === compared.expected
    ? check("agent", "pass", "The receipt and the ledger name the same agent.", compared)
    : check("agent", "fail", "The receipt names another agent than the ledger.", compared);
}

/** As the ledger judged them when the receipt was anchored: what the policy says today is of no matter. */
function checkClaims(chain: ChainReceipt | undefined, receipt: ForeignReceipt | undefined): Check {
  if (chain === undefined)
    return check("claims", "unknown", "Not checked: only a receipt of ours says what is claimed.");
  const { agent, claimed, allAuthorized, policyVersion } = chain;
  const policy = `When this was anchored, version ${policyVersion} of the policy on the ledger`;
  if (allAuthorized !== true) {
    return check("claims", "fail", `${policy} did not allow “${agent}” every claimed namespace: ${listed(claimed)}.`);
  }
  const verdict =
    claimed.length === 0
      ? "No namespace is claimed, so none had to be allowed: this holds of any receipt, and shows nothing of the policy."
      : `${policy} allowed “${agent}” every claimed namespace: ${listed(claimed)}.`;
  return check("claims", "pass", `${verdict}${unclaimed(claimed, receipt)}`);
}

function unclaimed(claimed: readonly string[], receipt: ForeignReceipt | undefined): string {
  const known = new Set(claimed);
  const rest = new Set(receipt?.usedMemories.map(({ namespace }) => namespace).filter((used) => !known.has(used)));
  if (rest.size === 0) return "";
  return ` Memories of other namespaces were used too, for which the ledger does not vouch: ${listed([...rest])}.`;
}

function checkIssued(chain: ChainReceipt | undefined): Check {
  if (chain === undefined) return check("issued", "unknown", "Not checked: only a receipt of ours says who issued it.");
  return chain.issued === true
    ? check(
        "issued",
        "pass",
        "When it was anchored, the service put on the ledger that it had issued it, word for word.",
      )
    : check("issued", "fail", "The service anchored this for somebody: it did not issue it, or not in these words.");
}

function checkMemories(
  receipt: ForeignReceipt | undefined,
  memories: ReadonlyMap<string, Fetched>,
  isContentAddressed: boolean,
): Check[] {
  if (receipt === undefined) return [check("memory", "unknown", WITHOUT_RECEIPT)];
  if (receipt.usedMemories.length === 0) {
    return [check("memory", "pass", "The receipt says that no memory was used, so there is none to look at.")];
  }
  // Reading a blob costs, and a receipt may name one many times.
  const readings = new Map<string, ReturnType<typeof readMemory>>();
  return receipt.usedMemories.map((shown, index) => {
    const { storeRef } = shown;
    const reading = readings.get(storeRef) ?? readMemory(storeRef, memories.get(storeRef), isContentAddressed);
    readings.set(storeRef, reading);
    return { ...checkMemory(shown, reading, isContentAddressed), index };
  });
}

/** A deep look trusts not even the blob store: each id must follow from the bytes that came under it. */
function checkIds(
  chain: ChainReceipt | undefined,
  receipt: ForeignReceipt | undefined,
  derived: ReadonlyMap<string, string> | undefined,
): Check[] {
  if (derived === undefined) return [];
  const named = [chain?.blobId, ...(receipt?.usedMemories.map(({ storeRef }) => storeRef) ?? [])];
  return [...new Set(named)].map((expected) => checkId(expected, derived));
}

function checkId(expected: string | undefined, derived: ReadonlyMap<string, string>): Check {
  const actual = expected === undefined ? undefined : derived.get(expected);
  if (expected === undefined || actual === undefined) {
    return check("id", "unknown", "Not checked: the blob’s id could not be derived from its bytes.");
  }
  const compared = { expected, actual };
  return actual === expected
    ? check("id", "pass", "The blob’s id follows from its bytes: not even the blob store has to be trusted.", compared)
    : check(
        "id",
        "fail",
        "The blob’s id does not follow from its bytes: they are not what was stored under it.",
        compared,
      );
}

const WITHOUT_RECEIPT = "Not checked: it takes a receipt whose bytes are the ones that were anchored.";
