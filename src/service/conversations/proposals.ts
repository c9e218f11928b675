// Proposals that wait until somebody who governs their namespace accepts or declines them. To others they do not exist.
import { createHmac } from "node:crypto";
import { keyOf } from "#core/conversations/known-facts.ts";
import type { Proposal } from "#core/conversations/proposals.ts";
import { defined } from "#core/defined.ts";
import { PortcullisError } from "#core/errors.ts";
import { checkGoverns, governedBy, governs } from "#core/identity/permissions.ts";
import type { Principal } from "#core/identity/principal.ts";
import type { Memory } from "#core/memory.ts";
import type { DecidedProposal, ProposalDecision, WaitingProposal } from "#ports.ts";
import type { Call } from "#service/call.ts";
import { decisionOf } from "#service/decisions/decision-log.ts";
import { sharedSecret } from "#service/ids.ts";
import { type Capturer, capture } from "#service/memories/capture.ts";
import type { Tenant } from "#service/tenant.ts";

const DAY_MS = 86_400_000;
const WAITS_MS = 30 * DAY_MS;
const MOST_WAITING = 500;
const DECLINED_MS = 90 * DAY_MS;
const SECRET_BYTES = 32;

/** What a waiting proposal says. The memory that it corrects is read when it is shown. */
interface Said extends Pick<Proposal, "content" | "confidence" | "derivedFrom" | "occurredAt"> {
  readonly supersedes?: string;
  readonly conversationId?: string;
}

const saidBy = ({ text }: WaitingProposal): Said => JSON.parse(text);

/** Rejects with `limit-reached` when not one more may wait. */
export const requireRoom = ({ records }: Pick<Tenant, "records">): Promise<void> =>
  records.proposals.add([], { shown: [], most: MOST_WAITING - 1 });

interface Extracted {
  readonly agentId: string;
  readonly answerId: string;
  readonly conversationId?: string | undefined;
  /** The ids of the memories that the extractor was shown. */
  readonly shown: readonly string[];
}

/** Has them wait, and answers with their ids. What waits already, by the same agent, does not wait twice. */
export async function keepForReview(
  { records, newId, now }: Pick<Tenant, "records" | "newId" | "now">,
  proposals: readonly Proposal[],
  { agentId, answerId, conversationId, shown }: Extracted,
): Promise<{ readonly ids: readonly string[]; readonly added: readonly string[] }> {
  const namespaces = [...new Set(proposals.map(({ namespace }) => namespace))];
  const { proposals: waiting } = await records.proposals.page({ namespaces, agentId, limit: MOST_WAITING });
  const known = new Map(waiting.map((each) => [placeOf({ ...each, ...saidBy(each) }), each.proposalId]));
  const at = now();
  // Ids sort by age, and those of one conversation by their place in it.
  const kept = proposals.map((proposal, i) => ({
    proposal,
    proposalId: known.get(placeOf(proposal)) ?? newId("prop", at.getTime() + i),
  }));
  const waits = new Set(known.values());
  const added = kept.filter(({ proposalId }) => !waits.has(proposalId));
  const head = { agentId, answerId, createdAt: at.toISOString(), expiresAt: after(at, WAITS_MS), encrypted: false };
  const rows = added.map(({ proposal: { namespace, supersedes, ...said }, proposalId }) => {
    const text = JSON.stringify({ ...said, conversationId, supersedes: supersedes?.memoryId } satisfies Unset<Said>);
    return { ...head, proposalId, namespace, text };
  });
  if (rows.length > 0) await records.proposals.add(rows, { shown, most: MOST_WAITING });
  return { ids: kept.map(({ proposalId }) => proposalId), added: rows.map(({ proposalId }) => proposalId) };
}

type Unset<T> = { readonly [K in keyof T]: T[K] | undefined };

const placeOf = ({ namespace, content }: Pick<Proposal, "namespace" | "content">): string => `${namespace}\n${content}`;
const after = (at: Date, ms: number): string => new Date(at.getTime() + ms).toISOString();

/** Those that the caller governs, newest first. What they quote must leave behind the fence. */
export async function listProposals(
  { records }: Pick<Tenant, "records">,
  principal: Principal,
  { namespace, ...page }: { limit: number; namespace?: string | undefined; before?: string | undefined },
) {
  const governed = governedBy(principal);
  const namespaces =
    namespace === undefined ? governed : [namespace].filter((name) => governed?.includes(name) ?? true);
  if (namespaces?.length === 0) return { proposals: [], quoted: [] };
  const { proposals, next } = await records.proposals.page({ namespaces, ...page });
  const corrected = await successorsOf(
    records,
    proposals.flatMap((each) => saidBy(each).supersedes ?? []),
  );
  const shown = proposals.map((proposal) => {
    const { text: _, encrypted: __, ...head } = proposal;
    const { supersedes, ...said } = saidBy(proposal);
    const memory = corrected.get(supersedes ?? "");
    return { ...head, ...said, ...(memory && { supersedes: { memoryId: memory.memoryId, content: memory.content } }) };
  });
  return { proposals: shown, quoted: [...corrected.values()], ...defined({ next }) };
}

const LONGEST_CHAIN = 16;

/** What is current of each: the memory itself, or the one that took its place, and so on. */
async function successorsOf({ memories }: Tenant["records"], ids: readonly string[]): Promise<Map<string, Memory>> {
  let ends = new Map(ids.map((id) => [id, id]));
  for (let step = 0; step < LONGEST_CHAIN && ends.size > 0; step++) {
    const found = await memories.findAll([...new Set(ends.values())]);
    const next = new Map([...ends].map(([id, end]) => [id, found.get(end)?.supersededBy ?? end]));
    if ([...next].every(([id, end]) => ends.get(id) === end))
      return new Map([...ends].flatMap(([id, end]) => (found.has(end) ? [[id, found.get(end) as Memory]] : [])));
    ends = next;
  }
  return new Map();
}

interface Accepting {
  readonly proposalId: string;
  /** In place of what was proposed. */
  readonly content?: string | undefined;
  readonly namespace?: string | undefined;
}

/** Captures it as a memory of its agent, in the same commit. A repeat by the same caller gets the same memory. */
export async function acceptProposal(tenant: Capturer, accepting: Accepting, call: Call): Promise<Memory> {
  const { proposalId } = accepting;
  const proposal = await requireProposal(tenant, proposalId, call.principal);
  if (!("text" in proposal)) return acceptedBefore(tenant, proposal, call);
  const said = saidBy(proposal);
  const { namespace = proposal.namespace, content = said.content } = accepting;
  checkGoverns(call.principal, namespace);
  // In another namespace there is nothing that it could correct.
  const named = namespace === proposal.namespace && said.supersedes !== undefined ? [said.supersedes] : [];
  const [corrected] = (await successorsOf(tenant.records, named)).values();
  const { occurredAt, derivedFrom } = said;
  const supersedes = corrected?.content === content ? undefined : corrected?.memoryId;
  const draft = { content, namespace, sourceAgent: proposal.agentId, ...defined({ occurredAt, supersedes }) };
  const decided = { answerId: proposal.answerId, details: { proposalId, derivedFrom } };
  try {
    return await capture(tenant, draft, call, { decided, accepted: decisionBy(tenant, call, proposalId) });
  } catch (error) {
    if (!(error instanceof PortcullisError) || error.code !== "already-decided") throw error;
    return acceptedBefore(tenant, await requireProposal(tenant, proposalId, call.principal), call);
  }
}

async function acceptedBefore(
  tenant: Pick<Tenant, "records">,
  proposal: WaitingProposal | DecidedProposal,
  { principal }: Call,
): Promise<Memory> {
  const isOwn = "decidedBy" in proposal && proposal.decidedBy === principal.id;
  if (!isOwn || proposal.memoryId === undefined) throw alreadyDecided();
  const memory = await tenant.records.memories.find(proposal.memoryId);
  if (memory !== undefined) return memory;
  throw new PortcullisError("not-found", "The memory that it became was forgotten since.");
}

/** Its text is gone. What is left of it tells only whether its agent states the same fact again. */
export async function declineProposal(
  tenant: Pick<Tenant, "records" | "policyMirror" | "now" | "cipher">,
  proposalId: string,
  call: Call,
): Promise<void> {
  const proposal = await requireProposal(tenant, proposalId, call.principal);
  const { answerId, namespace, agentId } = proposal;
  const said = "text" in proposal ? { ...saidBy(proposal), namespace } : undefined;
  const digest = said === undefined ? null : await digestsFor(tenant, agentId).then((digestOf) => digestOf(said));
  const declined = { ...decisionBy(tenant, call, proposalId, DECLINED_MS), digest };
  const decision = decisionOf(tenant, call, { outcome: "changed", namespace, answerId, details: { proposalId } });
  if (await tenant.records.proposals.decline(declined, decision)) return;
  const decided = await requireProposal(tenant, proposalId, call.principal);
  const isOwn = "decidedBy" in decided && decided.decidedBy === call.principal.id && decided.memoryId === undefined;
  if (!isOwn) throw alreadyDecided();
}

/** Those that were not declined before. */
export async function withoutDeclined(
  tenant: Pick<Tenant, "records" | "cipher">,
  agentId: string,
  proposals: readonly Proposal[],
): Promise<readonly Proposal[]> {
  if (proposals.length === 0) return proposals;
  const digestOf = await digestsFor(tenant, agentId);
  const declined = await tenant.records.proposals.declined(agentId, proposals.map(digestOf));
  return proposals.filter((proposal) => !declined.has(digestOf(proposal)));
}

/** Keyed, as in idempotency.ts: a copy of the database confirms no guess where there is a key to encrypt with. */
async function digestsFor({ records, cipher }: Pick<Tenant, "records" | "cipher">, agentId: string) {
  const onRecord = sharedSecret(records.writeOnce, "declined-secret", SECRET_BYTES);
  const secret = (await cipher.digestKey()) ?? (await onRecord());
  return ({ namespace, content }: Pick<Proposal, "namespace" | "content">): string =>
    createHmac("sha256", secret)
      .update(JSON.stringify([agentId, namespace, keyOf(content)]))
      .digest("hex");
}

function decisionBy(
  { now }: Pick<Tenant, "now">,
  { principal }: Call,
  proposalId: string,
  keptMs = DAY_MS,
): ProposalDecision {
  const at = now();
  return { proposalId, decidedBy: principal.id, at: at.toISOString(), until: after(at, keptMs) };
}

async function requireProposal({ records }: Pick<Tenant, "records">, proposalId: string, principal: Principal) {
  const proposal = await records.proposals.find(proposalId);
  if (proposal !== undefined && governs(principal, proposal.namespace)) return proposal;
  throw new PortcullisError("not-found", "There is no proposal with this id.");
}

const alreadyDecided = () =>
  new PortcullisError("already-decided", "Somebody else has decided on this proposal, or you decided otherwise.");
