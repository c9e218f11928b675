// The decision log: one row for each decision that let data out, changed something, or refused it.
import { CodedError, type ErrorCode, PortcullisError } from "#core/errors.ts";
import { nameListOf } from "#core/name-list.ts";
import type { Decision } from "#ports.ts";
import type { GateDecision } from "#service/answers/gatekeeper.ts";
import type { Deps } from "#service/deps.ts";
import type { Call, GateOutcome } from "./call.ts";

type Decided = Pick<Decision, "agentId" | "outcome" | "answerId" | "memoryId" | "namespace" | "details">;

/** For a change: to be recorded in its transaction. Undefined when no caller decided it. */
export function decisionOf(
  { call, now, gatekeeper }: Pick<Deps, "call" | "now" | "gatekeeper">,
  decided: Decided,
): Decision | undefined {
  return call && { ...by(call), at: now().toISOString(), policyVersion: gatekeeper.lastPolicyVersion(), ...decided };
}

/**
 * The agent that calls, for decisions that are no agent's otherwise. An agent reads its own rows, so a row must not tell
 * it of what others do in its name.
 */
export function callerOf({ call }: Pick<Deps, "call">): string | undefined {
  return call?.principal.role === "agent" ? call.principal.agentId : undefined;
}

type EndOfAnswer = Extract<Decision["outcome"], "answered" | "broken-off">;

/** For an answer: to be recorded with its receipt. */
export function answerDecision(
  call: Call | undefined,
  { agentId, policyVersion, allowedNamespaces, blockedNamespaces }: GateDecision,
  { answerId, at, outcome }: { readonly answerId: string; readonly at: string; readonly outcome: EndOfAnswer },
): Decision | undefined {
  call?.onDecided?.(outcomeFor(allowedNamespaces));
  return (
    call && {
      ...by(call),
      at,
      agentId,
      policyVersion,
      allowed: nameListOf(allowedNamespaces),
      blocked: nameListOf(blockedNamespaces),
      outcome,
      answerId,
    }
  );
}

/** Records that an agent, or somebody who looks as it, is given memories. On record before anything leaves. */
export async function recordGiven(deps: Deps, agentId: string, memoryId?: string): Promise<void> {
  const { call, records, gatekeeper, now } = deps;
  if (call === undefined) return;
  const { policyVersion, allowed, blocked } = gatekeeper.lastDivisionOf(agentId);
  call.onDecided?.(outcomeFor(allowed));
  await records.decisions.add({
    ...by(call),
    at: now().toISOString(),
    agentId,
    policyVersion,
    allowed: nameListOf(allowed),
    blocked: nameListOf(blocked),
    outcome: "given",
    memoryId,
  });
}

/** For a change whose transaction takes no decision: on record before the caller is told. */
export async function recordChange(deps: Deps): Promise<void> {
  const decision = decisionOf(deps, { outcome: "changed", agentId: callerOf(deps) });
  if (decision !== undefined) await deps.records.decisions.add(decision);
}

/** Records that a receipt is on the ledger. Its blob has a row of its own, from before. */
export async function recordAnchored(deps: Deps, anchored: Omit<Decided, "outcome">): Promise<void> {
  const decision = decisionOf(deps, { outcome: "anchored", ...anchored });
  if (decision !== undefined) await deps.records.decisions.add(decision);
}

/** Records a refusal, and a change or an answer that failed. What the caller itself did wrong is no decision. */
export async function recordFailure(deps: Deps, call: Call, error: unknown): Promise<void> {
  const outcome = failureOf(call, error);
  if (outcome === undefined) return;
  if (outcome === "refused") call.onDecided?.(outcome);
  const decision = decisionOf({ ...deps, call }, { outcome, agentId: callerOf({ call }) });
  if (decision !== undefined) await deps.records.decisions.add(decision);
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

const by = ({ principal: { id, name, role }, route, requestId }: Call) => ({
  principalId: id,
  principalName: name,
  role,
  route,
  ...(requestId !== undefined && { requestId }),
});
