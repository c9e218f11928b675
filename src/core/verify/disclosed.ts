// What a verifier knows of what a receipt says. An open form shows it all. Of a sealed receipt it is what was opened.
import { type OpenedFields, openedMemories } from "#core/receipt/disclosure/opened-fields.ts";
import { AGENT, BLOCKED } from "#core/receipt/disclosure/private-fields.ts";
import type { SealedForm } from "#core/receipt/disclosure/sealed-form.ts";
import type { AnswerReceipt, ForeignReceipt, UsedMemory } from "#core/receipt/receipt.ts";
import { type Check, whileSealed } from "./check.ts";

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
export function disclosedIn(form: SealedForm, opened: OpenedFields): Disclosed {
  const { values } = opened;
  const blocked = values.get(BLOCKED) as Pick<AnswerReceipt, "blockedNamespaces"> | undefined;
  const memories = openedMemories(form, opened).map((memory) => memory && { ...memory, snippet: "" });
  return {
    createdAt: form.createdAt,
    agentId: values.get(AGENT) as string | undefined,
    blockedNamespaces: blocked?.blockedNamespaces ?? [],
    memories,
    isWhole: false,
  };
}

export const NOTHING_OPENED: OpenedFields = { values: new Map(), salts: new Map(), blobs: new Map() };

/** Those that are known. */
export function knownMemories({ memories }: Disclosed): readonly (ForeignReceipt["usedMemories"][number] & Bound)[] {
  return memories.filter((memory) => memory !== undefined);
}

/** What only format 2 has. */
export type Bound = Partial<Pick<UsedMemory, "contentDigest" | "given" | "memoryId" | "intact">>;

/** What was opened may contradict the rest already. Otherwise the check is not made until everything is known. */
export function unlessSealed(
  name: Parameters<typeof whileSealed>[0],
  { isWhole }: Disclosed,
  check: Check,
  sentence = SEALED,
): Check {
  return isWhole || check.status === "fail" ? check : whileSealed(name, sentence);
}

const SEALED = "Not checked: what the check needs is sealed. The opening shows it.";
