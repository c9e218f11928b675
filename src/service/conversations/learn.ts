// Facts out of a conversation: the story of forward.ts with a request of our own. The extractor is shown memories that
// the agent may use, to find what is known or contradicted. The receipt commits to the messages and the proposals.
import type { NamespaceChoice } from "#core/conversations/choose-namespace.ts";
import { extractFacts, type SaidMessage } from "#core/conversations/extract-facts.ts";
import type { Extraction } from "#core/conversations/extraction-request.ts";
import { extractionRequest, readReply, repairRequest } from "#core/conversations/extraction-request.ts";
import { type Proposal, type Proposals, proposalsFrom } from "#core/conversations/proposals.ts";
import { defined } from "#core/defined.ts";
import { canonicalJson } from "#core/encoding/canonical-json.ts";
import { invalidFields, PortcullisError } from "#core/errors.ts";
import { isAllowed } from "#core/gate/policy.ts";
import { checkCapture, factBy } from "#core/identity/permissions.ts";
import { collectMessage } from "#core/prompt/completion-message.ts";
import { EXTRACTION_TEMPLATE } from "#core/prompt/gateway-request.ts";
import type { AnswerReceipt, Opening } from "#core/receipt/receipt.ts";
import type { Caller } from "#service/answers/caller.ts";
import { checkBlobs } from "#service/answers/check-blobs.ts";
import type { Call } from "#service/call.ts";
import { capture } from "#service/memories/capture.ts";
import { mayRemove } from "#service/memories/forget.ts";
import { beginReceipt, issueReceipt } from "#service/receipts/issue-receipt.ts";
import type { Tenant } from "#service/tenant.ts";
import { keepForReview, requireRoom, withoutDeclined } from "./proposals.ts";

interface Conversation {
  readonly agentId: string;
  readonly messages: readonly (Omit<SaidMessage, "at"> & { readonly at?: string | undefined })[];
  readonly conversationId?: string | undefined;
  readonly namespaces?: readonly string[] | undefined;
  readonly defaultNamespace?: string | undefined;
  readonly includeAssistant?: boolean | undefined;
  readonly userName?: string | undefined;
  readonly mode?: "propose" | "review" | "store" | undefined;
}

interface Listed extends Omit<Proposal, "supersedes"> {
  /** Its text is left out when it is history. */
  readonly supersedes?: { readonly memoryId: string; readonly content?: string };
  /** When it waits. */
  readonly proposalId?: string;
  /** When it is stored. */
  readonly memoryId?: string;
}

export interface Learned extends Pick<Proposals, "known" | "leftOut"> {
  readonly proposals: readonly Listed[];
  /** The model that extracted them, as it names itself, or the name of the rules. */
  readonly extractor: string;
  readonly receipt: AnswerReceipt;
  readonly opening: Opening;
  /** As in RecalledMemories. */
  readonly answer?: never;
}

/** More than an answer is given: each fact may have a memory of its own to be compared with. */
const SHOWN_MEMORIES = 24;

export async function learn(
  tenant: Tenant,
  { agentId, conversationId, mode = "propose", userName, defaultNamespace, ...given }: Conversation,
  caller: Caller<Learned>,
  call: Call,
): Promise<void> {
  const now = tenant.now().toISOString();
  const messages = given.messages.map(({ role, content, at = now }): SaidMessage => ({ role, content, at }));
  const roles: SaidMessage["role"][] = given.includeAssistant ? ["user", "assistant"] : ["user"];
  const namespaces = await choicesOf(tenant, { agentId, namespaces: given.namespaces, defaultNamespace }, call);
  const names = namespaces.map(({ name }) => name);
  const extraction: Extraction = { messages, namespaces, roles, userName };
  const request = extractionRequest(modelOf(tenant), extraction);
  const question = canonicalJson({ messages: given.messages.map(defined), ...defined({ conversationId }) });
  /** By an attempt before, whose reply was not released. */
  const stored = new Map<string, Listed>();
  let kept: readonly string[] = [];
  /** What an attempt before may have been shown is not for this one. */
  const dropKept = async () => kept.length > 0 && (await tenant.records.proposals.drop({ proposalIds: kept }));
  if (mode === "review") await requireRoom(tenant);

  const learning = tenant.attempts.run(caller, async ({ recall }) => {
    await dropKept();
    const recalled = await recall(agentId, question, {
      searched: { query: searchedIn(extraction), hasManySubjects: true },
      limit: SHOWN_MEMORIES,
    });
    let extractor = request.model;

    async function ask(asked: typeof request) {
      const message = collectMessage();
      const forwarded = await recalled.forward({
        request: asked,
        template: EXTRACTION_TEMPLATE,
        begin: (prompt) => beginReceipt(tenant, recalled, prompt, call),
        onChunk(chunk) {
          message.add(chunk);
          extractor = chunk.model ?? extractor;
          return undefined;
        },
      });
      return { forwarded, facts: readReply(message.answer()) };
    }
    const checking = checkBlobs(tenant.blobs, recalled.memories);
    let { forwarded, facts } = await ask(request);
    if (typeof facts === "string") ({ forwarded, facts } = await ask(repairRequest(request, facts)));
    if (typeof facts === "string") throw notAsAsked();

    const extracted = proposalsFrom(facts, {
      messages,
      roles,
      namespaces: names,
      defaultNamespace,
      userName,
      memories: forwarded.memories.map(({ memory }) => memory),
      maySupersede: (memory) => mayRemove(call.principal, memory),
    });
    const undeclined = await withoutDeclined(tenant, agentId, extracted.proposals);
    const leftOut = extracted.leftOut + extracted.proposals.length - undeclined.length;
    const found = { ...extracted, proposals: undeclined, leftOut };
    const again = found.known.flatMap(({ memoryId }) => stored.get(memoryId) ?? []);
    const known = found.known.filter(({ memoryId }) => !stored.has(memoryId));
    const proposals = [...again, ...(mode === "store" ? found.proposals.map(withoutQuote) : found.proposals)];
    const answer = canonicalJson(proposals.map(({ memoryId: _, ...proposal }: Listed) => proposal));
    const parts = { answer, checks: await checking, asked: { ...forwarded, text: answer, model: extractor } };
    // Nothing tells which memories came of it, so it would survive their forgetting, or that a proposal was declined.
    const becomesMemories = mode !== "propose" && (extracted.proposals.length > 0 || stored.size > 0);
    const access = { ...recalled, keepsQuestion: tenant.settings.keepConversations && !becomesMemories };
    const { answered, onRecord } = await issueReceipt(tenant, access, parts, call);
    const { receipt, opening } = answered;
    let listed = mode === "store" ? await storeAll(tenant, proposals, { agentId, stored }, call) : proposals;
    if (mode === "review") {
      const shown = receipt.usedMemories.map(({ memoryId }) => memoryId);
      const extraction = { agentId, answerId: receipt.answerId, conversationId, shown };
      const { ids, added } = await keepForReview(tenant, found.proposals, extraction);
      kept = added;
      listed = found.proposals.map((proposal, i) => ({ ...proposal, ...defined({ proposalId: ids[i] }) }));
    }
    const learned = { proposals: listed, known, leftOut: found.leftOut, extractor, receipt, opening };
    await recalled.release({ answered: learned, onRecord });
  });
  return learning.catch(async (error: unknown) => {
    if (error instanceof PortcullisError && error.code === "policy-changed") await dropKept();
    throw error;
  });
}

/** A memory is history once its correction is stored. */
const withoutQuote = ({ supersedes, ...proposal }: Proposal): Listed =>
  supersedes === undefined ? proposal : { ...proposal, supersedes: { memoryId: supersedes.memoryId } };

/** The model that answers questions; if callers of the gateway may not use it, the first that they may. */
function modelOf({ model: { name, completions } }: Tenant): string {
  const names = completions?.models ?? new Map();
  const [first] = names.keys();
  return names.has(name) || first === undefined ? name : first;
}

const MOST_CHOICES = 64;

/** Where the caller may write: what it names, or all that its key names, or else what its agent may use. */
async function choicesOf(
  { records, policyMirror }: Tenant,
  { agentId, namespaces: named, defaultNamespace }: Pick<Conversation, "agentId" | "namespaces" | "defaultNamespace">,
  { principal }: Call,
): Promise<NamespaceChoice[]> {
  for (const name of [...(named ?? []), defaultNamespace]) if (name !== undefined) checkCapture(principal, name);
  const policy = await policyMirror.currentOf(agentId);
  const mayUse = (name: string) => isAllowed(policy, agentId, name);
  const own =
    principal.role === "agent" && !principal.capturesAnywhere
      ? principal.captures
      : Object.keys(policy[agentId] ?? {}).filter(mayUse);
  const names = [...new Set(named ?? own)].slice(0, MOST_CHOICES);
  if (names.length === 0 && defaultNamespace === undefined)
    throw invalidFields({
      pointer: "#/namespaces",
      detail: "must name where facts may go: there is no namespace that this caller may write and its agent may use",
    });
  // What a namespace is for is told to whoever may use it.
  const page = await records.namespaces.page({ limit: MOST_CHOICES, names: names.filter(mayUse) });
  const descriptions = new Map(page.namespaces.map(({ name, description }) => [name, description]));
  return names.map((name) => ({ name, ...defined({ description: descriptions.get(name) }) }));
}

const SEARCHED_CHARACTERS = 4_000;

/** What the rules find comes first, and then the newest: only so many words count. */
function searchedIn({ messages, ...options }: Extraction): string {
  const facts = extractFacts(messages, options).map(({ content }) => content);
  const said = messages.filter(({ role }) => options.roles?.includes(role)).map(({ content }) => content);
  return [...facts, ...said.toReversed()].join("\n").slice(0, SEARCHED_CHARACTERS);
}

interface Storing {
  readonly agentId: string;
  readonly stored: Map<string, Listed>;
}

/** A correction makes the attempt stale that was shown the memory. The next one finds here what is stored already. */
async function storeAll(tenant: Tenant, proposals: readonly Listed[], { agentId, stored }: Storing, call: Call) {
  const listed: Listed[] = [];
  for (const proposal of proposals) {
    const { content, namespace, occurredAt, supersedes } = proposal;
    const draft = {
      content,
      namespace,
      sourceAgent: agentId,
      ...defined({ occurredAt, supersedes: supersedes?.memoryId }),
    };
    const memoryId = proposal.memoryId ?? (await capture(tenant, factBy(call.principal, draft), call)).memoryId;
    listed.push({ ...proposal, memoryId });
    stored.set(memoryId, { ...proposal, memoryId });
  }
  return listed;
}

const notAsAsked = () =>
  new PortcullisError(
    "model-failed",
    "The language model did not reply with facts in the form that was asked for. Try again.",
  );
