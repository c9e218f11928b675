// What of a receipt is anchored: its open form, or its sealed form, which keeps its private fields to those who hold an
// opening.
import { NEVER_ABORTS } from "#async/with-deadline.ts";
import { canonicalJson, canonicalJsonWithin } from "#core/encoding/canonical-json.ts";
import { PortcullisError } from "#core/errors.ts";
import { divide } from "#core/gate/gate.ts";
import { forbidden } from "#core/identity/permissions.ts";
import type { Principal } from "#core/identity/principal.ts";
import type { AnswerReceipt, ForeignReceipt, ReceiptToAnchor, UsedMemory } from "#core/receipt/receipt.ts";
import { isComplete, LARGEST_RECEIPT } from "#core/receipt/receipt.ts";
import { sealedReceiptOf } from "#core/receipt/receipt-shape.ts";
import type { FencedAction } from "#ports.ts";
import { type FenceState, readSetOf } from "#service/policy/policy-mirror.ts";
import { getReceipt, isIssuedHere, type ReceiptEntry } from "#service/receipts/receipts.ts";
import type { Tenant } from "#service/tenant.ts";

interface AnchoredForm {
  /** The canonical JSON of the form. Its bytes are the blob. */
  readonly body: string;
  readonly issued: boolean;
  /** The memories that the form names in public. A sealed one names none. */
  readonly usedMemories: readonly { readonly storeRef: string }[];
}

/** `isSealed`: the caller wants the sealed form. It is also taken where the service or a used memory demands it. */
async function formToAnchor(
  tenant: Pick<Tenant, "records" | "stored" | "settings">,
  receipt: ForeignReceipt,
  isSealed = false,
): Promise<AnchoredForm> {
  const body = canonicalJsonWithin(LARGEST_RECEIPT, receipt);
  if (body === undefined) throw tooLarge();
  const issued = await isIssuedHere(tenant, receipt);
  const used = issued ? await usedOnRecord(tenant, receipt) : { isSealed: false, isWhole: true };
  const mustBeSealed = isSealed || tenant.settings.anchorSealed || used.isSealed;
  if (!mustBeSealed) {
    // What was forgotten is not published, also when the caller still has its text. The sealed form quotes none.
    if (!used.isWhole || receipt.usedMemories.some(({ snippet }) => snippet === undefined)) throw memoryForgotten();
    return { body, issued, usedMemories: receipt.usedMemories };
  }
  if (!issued) throw new PortcullisError("cannot-be-sealed", NOT_OURS);
  return { body: canonicalJson(sealedReceiptOf(receipt as AnswerReceipt)), issued, usedMemories: [] };
}

const NOT_OURS =
  "Only a receipt that this service issued, and that is on record here word for word, can be anchored sealed.";

/** Whether a memory that the receipt names is sealed, and whether all of them are on record, history included. */
async function usedOnRecord({ stored }: Pick<Tenant, "stored">, { usedMemories }: ForeignReceipt) {
  const ids = new Set((usedMemories as AnswerReceipt["usedMemories"]).map(({ memoryId }) => memoryId));
  // Also those that cannot be decrypted here.
  const found = await stored.memories.findAll([...ids]);
  return {
    isSealed: [...found.values()].some(({ encryption }) => encryption !== undefined),
    isWhole: found.size === ids.size,
  };
}

/** A verifier would not read it. */
function tooLarge(): PortcullisError {
  const detail = `must have at most ${LARGEST_RECEIPT / 1024} KiB as canonical JSON`;
  return new PortcullisError("invalid-request", "The receipt is too large to be verified.", {
    fields: [{ pointer: "#/receipt", detail }],
  });
}

/** The given receipt, or the issued one with this id. An agent anchors only what was issued to it. */
async function receiptToAnchor(tenant: Pick<Tenant, "records">, given: ReceiptToAnchor, principal: Principal) {
  if (given.receipt !== undefined && principal.role !== "admin") await checkOwn(tenant, given.receipt, principal);
  return given.receipt ?? completed(await getReceipt(tenant, given.answerId, principal));
}

function completed({ receipt, status }: ReceiptEntry): ForeignReceipt {
  if (isComplete(receipt)) return receipt as ForeignReceipt;
  const why = status === "begun" ? "Its answer is still being made." : "Its answer was broken off.";
  throw new PortcullisError("receipt-incomplete", `Only a complete receipt can be anchored. ${why}`);
}

async function checkOwn(tenant: Pick<Tenant, "records">, receipt: ForeignReceipt, principal: Principal): Promise<void> {
  const isOwn = principal.role === "agent" && principal.agentId === receipt.agentId;
  const isBounded = isOwn && canonicalJsonWithin(LARGEST_RECEIPT, receipt) !== undefined;
  if (isBounded && (await isIssuedHere(tenant, receipt))) return;
  throw forbidden("An agent anchors only receipts that this service issued to it.");
}

// The fence of an anchor. An anchored receipt is public, and so are the memories that it names: so each step that
// publishes something of it runs behind the fence, as the bytes of an answer do.

/** Runs what publishes, while the caller may publish it. Rejects without running it when the caller may not. */
type PublicationFence = (publish: FencedAction) => Promise<void>;

export interface Publication {
  readonly receipt: ForeignReceipt;
  readonly form: AnchoredForm;
  readonly publish: PublicationFence;
}

export async function preparePublication(
  tenant: Pick<Tenant, "records" | "stored" | "policyMirror" | "settings">,
  { sealed, ...given }: ReceiptToAnchor & { readonly sealed?: boolean | undefined },
  principal: Principal,
): Promise<Publication> {
  // Taken before the receipt is read: the fence looks closer when the state has changed since.
  const state = await tenant.policyMirror.fenceState();
  const receipt = await receiptToAnchor(tenant, given, principal);
  const form = await formToAnchor(tenant, receipt, sealed);
  return { receipt, form, publish: await publicationFence(tenant, { receipt, form, state }, principal) };
}

/** Rejects when the caller may not publish the receipt now. An agent publishes what it may use; an admin, everything. */
async function publicationFence(
  { policyMirror, records }: Pick<Tenant, "policyMirror" | "records">,
  { receipt, form, state }: Omit<Publication, "publish"> & { readonly state: FenceState },
  principal: Principal,
): Promise<PublicationFence> {
  const agentId = principal.role === "agent" ? principal.agentId : "";
  const used = [...new Set(receipt.usedMemories.map(({ namespace }) => namespace))];
  const namespaces = principal.role === "agent" ? used : [];
  // Memories that it quotes must not be forgotten meanwhile. A sealed form quotes none.
  const isQuoting = form.issued && form.usedMemories.length > 0;
  const quoted = receipt.usedMemories as readonly Partial<Pick<UsedMemory, "memoryId">>[];
  const memoryIds = isQuoting ? [...new Set(quoted.flatMap(({ memoryId }) => memoryId ?? []))] : [];
  if (namespaces.length === 0 && memoryIds.length === 0) return async (publish) => publish(NEVER_ABORTS);
  if (divide(agentId, namespaces, await policyMirror.currentOf(agentId)).blocked.length > 0) throw mayNotUse();
  const memories = await records.memories.findAll(memoryIds);
  // The fence counts removals; a memory that has just expired is not removed yet.
  if (memories.size < memoryIds.length) throw memoryForgotten();
  const { expiresAt } = readSetOf(state, [...memories.values()]);
  const readSet = { agentId, ...state, namespaces, memoryIds, expiresAt, allowsSuperseded: true };
  return async (publish) => {
    if (await records.policy.passFence(readSet, publish)) return;
    const onRecord = await records.memories.findAll(memoryIds);
    throw onRecord.size < memoryIds.length ? memoryForgotten() : mayNotUse();
  };
}

const memoryForgotten = () =>
  new PortcullisError(
    "memory-forgotten",
    "A memory that this receipt names was forgotten, or its namespace was encrypted since. Anchor the receipt sealed: send sealed: true.",
  );

const mayNotUse = () =>
  forbidden("The receipt uses namespaces that this agent may not use any more. An admin can anchor it.");
