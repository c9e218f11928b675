// A verifier of anchored receipts, by the section "How to verify" of docs/proof.md.
import { canonicalJson, type Json } from "./canonical-json.ts";
import { closedEntryId, readClosing, readGate, readObject, readReceipt, receiptId } from "./ledger-bytes.ts";
import { digestHex, isSigned, keyIdOf, type OpenReceipt } from "./sealed-receipt.ts";
import { snippetOf } from "./snippet.ts";

/** Where the bytes come from. */
export interface Source {
  /** The whole BCS of an object. */
  object(id: string): Promise<Uint8Array>;
  blob(id: string): Promise<Uint8Array>;
  /** Whether the sender of this transaction owns the `PolicyCap`. Only asked if there is a `ledgerVersion`. */
  isPolicyOfSigner?(transaction: string): Promise<boolean>;
}

interface UsedMemory {
  readonly [key: string]: Json;
  readonly memoryId: string;
  readonly namespace: string;
  readonly snippet: string;
  readonly storeRef: string;
  readonly contentDigest: string;
  readonly given: number;
}

const CLOCKS_DIFFER_MS = 5 * 60_000;
const ANSWER_TAKES_MS = 10 * 60_000;
const YEAR_MS = 366 * 86_400_000;
const FRAMEWORK = `0x${"2".padStart(64, "0")}`;

/** What is wrong; empty if nothing is. Throws for bytes that cannot be read. */
export async function faultsOf(id: string, packageId: string, source: Source): Promise<string[]> {
  const object = readObject(await source.object(id));
  const chain = readReceipt(object.contents);
  const gateObject = readObject(await source.object(chain.gate));
  const gate = readGate(gateObject.contents);
  const entryId = closedEntryId(gate.closed.id, chain.policyVersion);
  const entryObject = readObject(await source.object(entryId));
  const entry = readClosing(entryObject.contents);
  const blob = await source.blob(chain.blobId);
  const receipt = JSON.parse(Buffer.from(blob).toString("utf8")) as OpenReceipt;
  const { evidence } = receipt;
  const used = receipt.usedMemories as unknown as readonly UsedMemory[];
  const blocked = receipt.blockedNamespaces ?? [];
  const key = gate.keys.find(({ publicKey }) => keyIdOf(publicKey) === receipt.signature.keyId);
  const derived = receiptId({ packageId, gateId: chain.gate }, { ...chain, digest: Buffer.from(chain.digest, "hex") });
  const anchoredAt = Number(chain.anchoredAtMs);
  const { supersededAtMs } = chain;
  const isSuperseded = supersededAtMs !== undefined;
  const isOwnPolicy =
    evidence.ledgerVersion === undefined || (await source.isPolicyOfSigner?.(object.previousTransaction)) !== false;
  const knownSince = Math.min(Number(key?.addedAtMs ?? 0n), Number(chain.closedAtMs) || Number.POSITIVE_INFINITY);

  const must: Readonly<Record<string, boolean>> = {
    "the type of the object": object.type === `${packageId}::gate::Receipt`,
    "the owner of the object": object.owner === "immutable",
    "the id of the object": chain.id === id && derived === id,
    "the order of the claims": isAscending(chain.claimed),
    "the names on the ledger": [chain.agent, ...chain.claimed].every((name) => isWithin(name, 256)),
    "the blob id": isWithin(chain.blobId, 128),
    "the number of claims": chain.claimed.length <= 64,
    "the length of the digest": chain.digest.length === 64,
    "the time of the version":
      chain.closedAtMs <= chain.anchoredAtMs && (chain.closedAtMs === 0n) === (chain.policyVersion === 0n),
    "the time of the next version":
      !isSuperseded || (chain.closedAtMs <= supersededAtMs && supersededAtMs <= chain.anchoredAtMs),
    "a version that allows something": chain.policyVersion > 0n || chain.claimed.length === 0 || !chain.allAuthorized,
    "the type of the gate": gateObject.type === `${packageId}::gate::Gate` && gate.id === chain.gate,
    "the owner of the gate": gateObject.owner === "shared",
    "the version of the gate": gate.version >= chain.policyVersion + (isSuperseded ? 1n : 0n),
    "the keys of the gate": gate.keys.length <= 32 && gate.keys.every(({ publicKey }) => publicKey.length === 32),
    "no key twice": new Set(gate.keys.map(({ publicKey }) => keyIdOf(publicKey))).size === gate.keys.length,
    "the type of the version's entry":
      entryObject.type === `${FRAMEWORK}::dynamic_field::Field<u64, ${packageId}::gate::Closing>` &&
      entryObject.ownerId === gate.closed.id,
    "the version's entry":
      entry.id === entryId &&
      entry.version === chain.policyVersion &&
      entry.closedAtMs === chain.closedAtMs &&
      (isSuperseded
        ? entry.supersededAtMs === supersededAtMs
        : (entry.supersededAtMs ?? chain.anchoredAtMs) >= chain.anchoredAtMs),
    "the digest of the blob": digestHex(blob) === chain.digest,
    "the form of the blob": canonicalJson(receipt as unknown as Json) === Buffer.from(blob).toString("utf8"),
    "the agent": chain.agent === receipt.agentId,
    "the version of the policy": chain.policyVersion === BigInt(evidence.ledgerVersion ?? evidence.policyVersion),
    "the verdict of the ledger": chain.allAuthorized,
    "the claims": used.every(({ namespace }) => chain.claimed.includes(namespace)),
    "what was claimed and blocked": !isOwnPolicy || chain.claimed.every((name) => !blocked.includes(name)),
    "whose policy it is": evidence.ledgerVersion === undefined || !isOwnPolicy,
    "an answer of a time that the ledger does not know": Date.parse(receipt.createdAt) >= knownSince - YEAR_MS,
    "the time of the answer": Date.parse(receipt.createdAt) <= anchoredAt + CLOCKS_DIFFER_MS,
    "a version of the past":
      !isSuperseded || Date.parse(receipt.createdAt) <= Number(supersededAtMs) + CLOCKS_DIFFER_MS + ANSWER_TAKES_MS,
    "what was authorized": used.every(({ authorized }) => authorized === true),
    "what was blocked": isAscending(blocked) && used.every(({ namespace }) => !blocked.includes(namespace)),
    "no memory twice": new Set(used.map(({ memoryId }) => memoryId)).size === used.length,
    "the key": key !== undefined && !(key.endedAtMs !== undefined && key.endedAtMs < chain.anchoredAtMs),
    "the signature": key !== undefined && isSigned(receipt, key.publicKey),
  };
  const faults = Object.keys(must).filter((what) => !must[what]);
  for (const memory of used)
    if (!isMemory(memory, await source.blob(memory.storeRef), evidence.kind === "recalled"))
      faults.push(`the memory ${memory.memoryId}`);
  return faults;
}

function isMemory(memory: UsedMemory, blob: Uint8Array, isRecalled: boolean): boolean {
  const { namespace, snippet, contentDigest, given } = memory;
  const text = Buffer.from(blob).toString("utf8");
  const { occurredAt = "", metadata = {}, ...fact } = JSON.parse(text);
  return (
    digestHex(blob) === contentDigest &&
    canonicalJson(JSON.parse(text)) === text &&
    typeof occurredAt === "string" &&
    Object.values(metadata).every((value) => ["string", "number", "boolean"].includes(typeof value)) &&
    Object.keys(fact).join() === "content,namespace,sourceAgent" &&
    fact.namespace === namespace &&
    snippetOf(fact.content ?? "") === snippet &&
    given <= (fact.content ?? "").length &&
    (!isRecalled || given === fact.content?.length)
  );
}

const isWithin = (text: string, bytes: number): boolean => text !== "" && Buffer.byteLength(text) <= bytes;

/** Strictly, by UTF-8 bytes. */
const isAscending = (names: readonly string[]): boolean =>
  names.every((name, i) => i === 0 || Buffer.compare(Buffer.from(names[i - 1] ?? ""), Buffer.from(name)) < 0);
