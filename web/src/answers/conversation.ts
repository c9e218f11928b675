// Questions and their answers as they come. Kept outside of React, so that a look at another page loses nothing.
import { useSyncExternalStore } from "react";
import type { AnswerOptions } from "#contract/client/client.ts";
import type { Reply } from "#contract/routes.ts";
import { client, refresh } from "#web/api/client.ts";

export interface Question {
  readonly agentId: string;
  readonly query: string;
}

type Answered = Reply<"chat">;

export interface Turn extends Question {
  readonly id: number;
  readonly status: "asking" | "answered" | "failed" | "stopped";
  /** What came so far; at the end the whole answer. */
  readonly text: string;
  /** The policy changed while it was made, so it was made anew. */
  readonly restarted: boolean;
  readonly receipt?: Answered["receipt"];
  readonly error?: unknown;
}

type Send = (question: Question, options: AnswerOptions) => Promise<Answered>;

interface Asking {
  readonly subscribe: (onChange: () => void) => () => void;
  readonly turns: () => readonly Turn[];
  readonly ask: (question: Question) => void;
  readonly stop: () => void;
}

const KEPT = 50;

export function createAsking(send: Send): Asking {
  let turns: readonly Turn[] = [];
  let current: AbortController | undefined;
  let count = 0;
  const listeners = new Set<() => void>();

  function set(next: readonly Turn[]): void {
    turns = next.slice(-KEPT);
    for (const listener of listeners) listener();
  }

  function change(id: number, part: (turn: Turn) => Partial<Turn>): void {
    set(turns.map((turn) => (turn.id === id ? { ...turn, ...part(turn) } : turn)));
  }

  async function run(id: number, question: Question, signal: AbortSignal): Promise<void> {
    try {
      const { answer, receipt } = await send(question, {
        signal,
        onText: (piece) => change(id, ({ text }) => ({ text: text + piece })),
        onRestart: () => change(id, () => ({ text: "", restarted: true })),
      });
      change(id, () => ({ status: "answered", text: answer, receipt }));
      // The gates may have been flipped elsewhere: what stands beside the answer must be what it was made under.
      refresh("receipts", "overview", "policy");
    } catch (error) {
      change(id, () => (signal.aborted ? { status: "stopped" } : { status: "failed", text: "", error }));
    }
  }

  return {
    subscribe(onChange) {
      listeners.add(onChange);
      return () => listeners.delete(onChange);
    },
    turns: () => turns,
    ask(question) {
      current?.abort();
      current = new AbortController();
      count += 1;
      set([...turns, { ...question, id: count, status: "asking", text: "", restarted: false }]);
      void run(count, question, current.signal);
    },
    stop: () => current?.abort(),
  };
}

export const consoleAsking = createAsking((question, options) => client.chat(question, options));
export const companionAsking = createAsking(({ query }, options) => client.companion({ query }, options));

export const useTurns = (asking: Asking): readonly Turn[] => useSyncExternalStore(asking.subscribe, asking.turns);
