// An answer is made in attempts. Each remembers what it took from the gate, and passes a fence twice: before the prompt
// leaves for the model, and before anything of the answer is released. When the policy takes away something that it
// uses, it is given up, the model's work with it, and the next attempt begins without that.
import { PortcullisError } from "#core/errors.ts";
import type { Prompt } from "#core/prompt/prompt.ts";
import type { AnswerReceipt } from "#core/receipt/receipt.ts";
import type { Completion, Sight } from "#ports.ts";
import type { Deps } from "#service/deps.ts";
import type { GateView } from "./gatekeeper.ts";
import { type Speech, speechTo } from "./release-queue.ts";

export interface Answered {
  readonly answer: string;
  readonly receipt: AnswerReceipt;
}

/** Whoever waits for an answer. There is no other way to get one than through `release`, which the fence guards. */
export interface Caller {
  /** Aborts when they go away. */
  readonly signal?: AbortSignal;
  /** Present when they want the answer in pieces, too. */
  readonly listener?: Listener;
  /** Takes the answer. What it returns ends when the answer is out of our hands, and it must not wait for anybody. */
  release(answered: Answered): void | Promise<void>;
}

export interface Listener {
  /** Ends when something that is told now would go out at once. */
  ready(): Promise<void>;
  /** Takes pieces of the answer, as `release` does. */
  tell(pieces: readonly string[]): void | Promise<void>;
  /** What was told is void: the answer begins anew. */
  restart(): void | Promise<void>;
}

export interface Attempt {
  /** The gate's answer. From here on the attempt is given up when the policy takes away something of it. */
  recall(agentId: string, query: string): Promise<GateView>;
  /** Has the model answer, piece by piece if somebody listens. */
  ask(prompt: Prompt): Promise<Completion>;
  /** A piece of the answer that is not the model's. */
  say(piece: string): void;
  release(answered: Answered): Promise<void>;
}

/** The first, and two more. */
const ATTEMPTS = 3;

export async function inAttempts(deps: Deps, caller: Caller, run: (attempt: Attempt) => Promise<void>): Promise<void> {
  for (let left = ATTEMPTS - 1; ; left--) {
    const { attempt, hasGivenUp, hasSpoken, end } = begin(deps, caller);
    try {
      return await run(attempt);
    } catch (error) {
      caller.signal?.throwIfAborted();
      if (!hasGivenUp()) throw error;
      if (left === 0) throw policyChanged();
    } finally {
      await end();
    }
    if (hasSpoken()) await caller.listener?.restart();
  }
}

function begin(deps: Deps, caller: Caller) {
  const giving = new AbortController();
  const signal = caller.signal === undefined ? giving.signal : AbortSignal.any([caller.signal, giving.signal]);
  const { listener } = caller;
  let sight: Sight = { agentId: "", policyVersion: 0, namespaces: [] };
  let forget: () => void = () => undefined;

  function giveUp(): void {
    giving.abort(policyChanged());
  }

  async function pass(fence: "send" | "release", act: () => void | Promise<void>): Promise<void> {
    signal.throwIfAborted();
    // What uses nothing has nothing to lose.
    const passed = sight.namespaces.length === 0 ? await always(act) : await deps.fences[fence](sight, act);
    if (passed) return;
    giveUp();
    signal.throwIfAborted();
  }

  const speech: Speech | undefined =
    listener &&
    speechTo(listener, { signal, pass: (act) => pass("release", act), fail: (error) => giving.abort(error) });

  const attempt: Attempt = {
    async recall(agentId, query) {
      const view = await deps.gatekeeper.recall(agentId, query);
      const namespaces = [...new Set(view.memories.map(({ namespace }) => namespace))];
      sight = { agentId, policyVersion: view.policyVersion, namespaces };
      forget = deps.inFlight.add({ sight, giveUp });
      return view;
    },
    ask: (prompt) =>
      deps.model.complete(prompt, {
        signal,
        fence: (send) => pass("send", send),
        ...(speech !== undefined && { onText: speech.say }),
      }),
    say: (piece) => speech?.say(piece),
    async release(answered) {
      await speech?.spoken();
      await pass("release", () => caller.release(answered));
    },
  };

  return {
    attempt,
    hasGivenUp: () => giving.signal.reason instanceof PortcullisError && giving.signal.reason.code === "policy-changed",
    hasSpoken: () => speech?.hasSpoken() ?? false,
    /** Afterwards nothing of it is released any more. */
    async end() {
      forget();
      await speech?.quiet();
    },
  };
}

async function always(act: () => void | Promise<void>): Promise<true> {
  await act();
  return true;
}

function policyChanged(): PortcullisError {
  return new PortcullisError("policy-changed", "The policy kept changing while the answer was made. Ask again.");
}
