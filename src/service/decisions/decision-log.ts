// The decision log: one row for each decision that let data out, changed something, or refused it.
import type { DecisionDetails } from "#core/activity-kind.ts";
import { nameListOf } from "#core/encoding/digest.ts";
import { CodedError, type ErrorCode, PortcullisError } from "#core/errors.ts";
import type { RecallFilters } from "#core/memories/fact-filter.ts";
import type { Decision } from "#ports.ts";
import type { Call, GateOutcome } from "#service/call.ts";
import type { AgentAccess } from "#service/recall/search.ts";
import type { Tenant } from "#service/tenant.ts";

type Decided = Pick<Decision, "agentId" | "outcome" | "answerId" | "memoryId" | "namespace" | "details">;

type Logged = Pick<Tenant, "records" | "policyMirror" | "now">;

/** For a change: to be recorded in its transaction. Undefined when no request decided it. */
export function decisionOf(
  { now, policyMirror }: Pick<Tenant, "now" | "policyMirror">,
  call: Call | undefined,
  decided: Decided,
): Decision | undefined {
  const caller = by(call);
  return caller && { ...caller, at: now().toISOString(), policyVersion: policyMirror.lastVersion(), ...decided };
}

/** The agent that calls, for decisions that are no agent's otherwise: an agent reads its own rows. */
export const callerOf = (call: Call | undefined): string | undefined =>
  call?.principal.role === "agent" ? call.principal.agentId : undefined;

type EndOfAnswer = Extract<Decision["outcome"], "answered" | "broken-off">;

/** For an answer: to be recorded with its receipt. */
export function answerDecision(
  call: Call | undefined,
  { agentId, policyVersion, allowedNamespaces, blockedNamespaces, filters }: AgentAccess,
  { answerId, at, outcome }: { readonly answerId: string; readonly at: string; readonly outcome: EndOfAnswer },
): Decision | undefined {
  call?.onDecided?.(outcomeFor(allowedNamespaces));
  const caller = by(call);
  if (caller === undefined) return undefined;
  const lists = { allowed: nameListOf(allowedNamespaces), blocked: nameListOf(blockedNamespaces) };
  const details = filters && detailsOf(filters);
  return { ...caller, at, agentId, policyVersion, ...lists, outcome, answerId, details };
}

const detailsOf = ({ metadata, ...filters }: RecallFilters): DecisionDetails => ({
  filters: { ...filters, ...(metadata && { metadata: Object.keys(metadata) }) },
});

/** Records that an agent, or somebody who looks as it, is given memories. On record before anything leaves. */
export async function recordGiven(
  { records, policyMirror, now }: Logged,
  call: Call | undefined,
  agentId: string,
  memoryId?: string,
): Promise<void> {
  const caller = by(call);
  if (caller === undefined) return;
  const { policyVersion, allowed, blocked } = policyMirror.lastStateOf(agentId);
  call?.onDecided?.(outcomeFor(allowed));
  const lists = { allowed: nameListOf(allowed), blocked: nameListOf(blocked) };
  const at = now().toISOString();
  await records.decisions.add({ ...caller, at, agentId, policyVersion, ...lists, outcome: "given", memoryId });
}

/** For a change whose transaction takes no decision: on record before the caller is told. */
export const recordChange = (tenant: Logged, call: Call | undefined): Promise<void> =>
  record(tenant, call, { outcome: "changed", agentId: callerOf(call) });

/** The result of a change, once it is on record. */
export async function afterRecording<T>(tenant: Logged, call: Call, change: Promise<T>): Promise<T> {
  const result = await change;
  await recordChange(tenant, call);
  return result;
}

/** Records that a receipt is on the ledger. Its blob has a row of its own, from before. */
export const recordAnchored = (tenant: Logged, call: Call, anchored: Omit<Decided, "outcome">): Promise<void> =>
  record(tenant, call, { outcome: "anchored", ...anchored });

/** Records a refusal, and a change or an answer that failed. What the caller itself did wrong is no decision. */
export async function recordFailure(tenant: Logged, call: Call, error: unknown): Promise<void> {
  const outcome = failureOf(call, error);
  if (outcome === undefined) return;
  if (outcome === "refused") call.onDecided?.(outcome);
  await record(tenant, call, { outcome, agentId: callerOf(call) });
}

async function record(tenant: Logged, call: Call | undefined, decided: Decided): Promise<void> {
  const decision = decisionOf(tenant, call, decided);
  if (decision !== undefined) await tenant.records.decisions.add(decision);
}

/** What the caller did wrong, and what a limit refused: a flood of either must cost no writes. */
const UNRECORDED: ReadonlySet<ErrorCode> = new Set<ErrorCode>([
  "invalid-request",
  "not-found",
  "too-many-requests",
  "overloaded",
]);

function failureOf({ principal, reads }: Call, error: unknown): "refused" | "failed" | undefined {
  if (principal.role === "public") return undefined;
  const code = error instanceof PortcullisError ? error.code : undefined;
  if (code === "forbidden" || code === "unauthenticated") return "refused";
  // Errors of the HTTP layer reached no service.
  const isHttp = code === undefined && error instanceof CodedError;
  return reads || isHttp || (code !== undefined && UNRECORDED.has(code)) ? undefined : "failed";
}

const outcomeFor = (allowed: readonly string[]): GateOutcome => (allowed.length > 0 ? "allowed" : "blocked");

function by({ principal, route, requestId }: Partial<Call> = {}) {
  if (principal === undefined || route === undefined) return undefined;
  const { id, name, role } = principal;
  return { principalId: id, principalName: name, role, route, ...(requestId !== undefined && { requestId }) };
}
