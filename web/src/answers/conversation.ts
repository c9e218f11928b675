// A conversation: questions, and their answers while they stream in. It is a store outside of React, so that a visit to
// another page loses nothing.

import type { AnswerOptions } from "#contract/client/client.ts";
import type { GateEvent, Reply } from "#contract/routes.ts";
import type { VersionedPolicy } from "#core/gate/policy.ts";
import { client, invalidate, queryClient, queryKeys } from "#web/api/client.ts";
import { createStore, type ReadableStore } from "#web/lib/store.ts";
import { whenCallerChanges } from "#web/session/session.ts";

interface Question {
  readonly agentId: string;
  readonly query: string;
}

type AnswerReply = Reply<"chat">;

export interface VoidAttempt extends Pick<Turn, "text" | "gate"> {}

export interface Turn extends Question {
  readonly id: number;
  readonly status: "asking" | "answered" | "failed" | "stopped";
  /** The text that has arrived; at the end the whole answer. */
  readonly text: string;
  /** What the gate decided for it. Absent until the service has said so. */
  readonly gate?: GateEvent | undefined;
  /** What is void, because the policy or a memory changed while the service answered. Oldest first. */
  readonly voided: readonly VoidAttempt[];
  readonly receipt?: AnswerReply["receipt"];
  readonly opening?: AnswerReply["opening"];
  readonly error?: unknown;
}

type Send = (question: Question, options: AnswerOptions) => Promise<AnswerReply>;

const MAX_TURNS = 50;

export function createConversation(send: Send) {
  const turns = createStore<readonly Turn[]>([]);
  let controller: AbortController | undefined;
  let lastId = 0;

  function update(id: number, part: (turn: Turn) => Partial<Turn>): void {
    turns.set(turns.get().map((turn) => (turn.id === id ? { ...turn, ...part(turn) } : turn)));
  }

  async function run(id: number, question: Question, signal: AbortSignal): Promise<void> {
    try {
      const { answer, receipt, opening } = await send(question, {
        signal,
        onGate(gate) {
          update(id, () => ({ gate }));
          showPolicyOf(gate);
        },
        onText: (piece) => update(id, ({ text }) => ({ text: text + piece })),
        onRestart: () =>
          update(id, ({ text, gate, voided }) => ({ text: "", gate: undefined, voided: [...voided, { text, gate }] })),
      });
      update(id, () => ({ status: "answered", text: answer, receipt, opening }));
      // Somebody else may have changed the policy: the gates beside the answer must show the one it was made under.
      invalidate("receipts", "overview", "policy");
    } catch (error) {
      update(id, () => (signal.aborted ? { status: "stopped" } : { status: "failed", text: "", error }));
    }
  }

  return {
    turns: turns as ReadableStore<readonly Turn[]>,
    /** Stops the question before, when it has no answer yet. */
    ask(question: Question): void {
      controller?.abort();
      controller = new AbortController();
      lastId += 1;
      const turn: Turn = { ...question, id: lastId, status: "asking", text: "", voided: [] };
      turns.set([...turns.get(), turn].slice(-MAX_TURNS));
      void run(lastId, question, controller.signal);
    },
    stop: () => controller?.abort(),
    /** Stops, and drops every question. */
    clear(): void {
      controller?.abort();
      turns.set([]);
    },
  };
}

/** Somebody else may have changed the policy. The gates must show the one that the answer is made under. */
function showPolicyOf({ policyVersion }: GateEvent): void {
  const shown = queryClient.getQueryData<VersionedPolicy>(queryKeys.policy)?.version;
  if (shown !== undefined && shown < policyVersion) invalidate("policy");
}

/** So that a gate can be closed in the middle. Whoever wants less motion gets the answer at once. */
const paced = () => (matchMedia("(prefers-reduced-motion: reduce)").matches ? {} : { pace: "reader" as const });

export const consoleConversation = createConversation((question, options) =>
  client.chat({ ...question, ...paced() }, options),
);
export const companionConversation = createConversation(({ query }, options) =>
  client.companion({ query, ...paced() }, options),
);

for (const conversation of [consoleConversation, companionConversation]) whenCallerChanges(conversation.clear);

export type PromptMemory = GateEvent["memories"][number];

export interface Withdrawal {
  readonly namespace: string;
  readonly memories: readonly PromptMemory[];
  /** The gate closed. Otherwise the memories were forgotten or replaced, or others took their places. */
  readonly isClosed: boolean;
}

/** By namespace, in the order of the first prompt. */
export function withdrawnBetween(before: GateEvent, now: GateEvent): readonly Withdrawal[] {
  const present = new Set(now.memories.map(({ memoryId }) => memoryId));
  const closed = new Set(now.blockedNamespaces);
  const gone = Map.groupBy(
    before.memories.filter(({ memoryId }) => !present.has(memoryId)),
    ({ namespace }) => namespace,
  );
  return [...gone].map(([namespace, memories]) => ({ namespace, memories, isClosed: closed.has(namespace) }));
}
