// What a verifier knows of what a receipt says. An open form shows it all. Of a sealed receipt it is what was disclosed.
import { hexToBytes } from "@noble/hashes/utils.js";
import type { ChainGate } from "#core/ledger/gate-object.ts";
import { isPseudonym, pseudonymOf } from "#core/ledger/pseudonym.ts";
import { type DisclosedFields, type DisclosedName, disclosedMemories } from "#core/receipt/opening.ts";
import type { AnswerReceipt, ForeignReceipt, UsedMemory } from "#core/receipt/receipt.ts";
import { AGENT, BLOCKED, type SealedForm } from "#core/receipt/sealed-form.ts";
import { type Check, type Told, whileSealed } from "./check.ts";

export interface Disclosed {
  readonly createdAt: string;
  readonly agentId: string | undefined;
  readonly blockedNamespaces: readonly string[];
  /** By their place in the receipt; undefined for one that is sealed. */
  readonly memories: readonly (ForeignReceipt["usedMemories"][number] | undefined)[];
  /** Whether everything is known that an open form shows. */
  readonly isWhole: boolean;
}

export function disclosedBy(receipt: ForeignReceipt): Disclosed {
  const { createdAt, agentId, blockedNamespaces, usedMemories } = receipt;
  return { createdAt, agentId, blockedNamespaces, memories: usedMemories, isWhole: true };
}

/** A memory counts as known without its snippet: its namespace must be claimed all the same. */
export function disclosedIn(form: SealedForm, disclosed: DisclosedFields): Disclosed {
  const { values } = disclosed;
  const blocked = values.get(BLOCKED) as Pick<AnswerReceipt, "blockedNamespaces"> | undefined;
  const memories = disclosedMemories(form, disclosed).map((memory) => memory && { ...memory, snippet: "" });
  return {
    createdAt: form.createdAt,
    agentId: values.get(AGENT) as string | undefined,
    blockedNamespaces: blocked?.blockedNamespaces ?? [],
    memories,
    isWhole: false,
  };
}

export const NOTHING_DISCLOSED: DisclosedFields = { values: new Map(), salts: new Map(), blobs: new Map() };

export const knownMemories = ({ memories }: Disclosed): readonly (ForeignReceipt["usedMemories"][number] & Bound)[] =>
  memories.filter((memory) => memory !== undefined);

/** What only a signed receipt has. */
export type Bound = Partial<Pick<UsedMemory, "contentDigest" | "given" | "memoryId" | "intact">>;

/** What was disclosed may contradict the rest already. Otherwise the check is not made until everything is known. */
export function unlessSealed(
  name: Parameters<typeof whileSealed>[0],
  { isWhole }: Disclosed,
  check: Check,
  told?: Told,
): Check {
  return isWhole || check.status === "fail" ? check : whileSealed(name, told);
}

// The names behind what stands on the ledger. A gate has plain names or pseudonyms, and says which.

export type LedgerNames = ReturnType<typeof ledgerNames>;

/** While the gate cannot be read, what has the form of a pseudonym may be one. */
export function ledgerNames(gate: ChainGate | undefined, disclosed: readonly DisclosedName[]) {
  const names = new Map(disclosed.map(({ name, salt }) => [pseudonymOf(hexToBytes(salt), name), name]));
  const isHidden = (onLedger: string) => (gate === undefined ? isPseudonym(onLedger) : gate.hasPseudonyms);
  /** Undefined for a pseudonym that nobody has disclosed. */
  const nameOf = (onLedger: string) => (isHidden(onLedger) ? names.get(onLedger) : onLedger);
  return { nameOf };
}
