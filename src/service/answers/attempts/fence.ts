// The fence: optimistic concurrency control for answers. A recall notes its read set: the agent, and the namespaces and
// memories that the answer uses. Before the prompt leaves, and before anything of the answer does, the record store checks
// the read set against the policy and the memories of that moment. Bytes leave only while that check holds.
import { NEVER_ABORTS } from "#async/with-deadline.ts";
import { PortcullisError } from "#core/errors.ts";
import type { FencedAction, ReadSet, RecordStore, SendFence } from "#ports.ts";
import type { AnsweredWithoutMemories, GateReportWithoutMemories } from "#service/answers/answered.ts";

declare const passed: unique symbol;

/** Something on its way to the caller that has passed the fence. Nothing outside this file can make one. */
export type Fenced<T> = T & { readonly [passed]: true };

export interface Fence {
  /** For the model adapter: runs what makes the prompt leave. */
  readonly send: SendFence;
  /** Has `value` released to the caller. The signal is that of a `FencedAction`. */
  release<T>(value: T, release: (value: Fenced<T>, signal: AbortSignal) => void | Promise<void>): Promise<void>;
}

interface FenceOptions {
  readonly readSet: ReadSet;
  readonly policy: Pick<RecordStore["policy"], "passFence">;
  /** Aborts when nothing of the attempt may leave any more. */
  readonly signal: AbortSignal;
  /** Called when the policy no longer allows the read set, or a memory of it is gone. It aborts the signal. */
  readonly onStale: () => void;
  /** Called when the records failed before anything was given to the caller. */
  readonly onLost: () => void;
}

export function createFence({ readSet, policy, signal, onStale, onLost }: FenceOptions): Fence {
  const isEmpty = readSet.memoryIds.length === 0;

  async function pass(action: FencedAction): Promise<void> {
    signal.throwIfAborted();
    // Nothing conflicts with an empty read set.
    if (isEmpty) return action(NEVER_ABORTS);
    if (await policy.passFence(readSet, action)) return;
    onStale();
    signal.throwIfAborted();
  }

  /** What the caller was given must not be given again. A prompt may be sent again: each has a receipt. */
  async function passOrLose(action: FencedAction, isGiven: () => boolean): Promise<void> {
    try {
      await pass(action);
    } catch (error) {
      if (isUnavailable(error) && !isGiven()) onLost();
      throw error;
    }
  }

  return {
    send: ((action) => passOrLose(action, () => false)) as SendFence,
    release(value, release) {
      let isGiven = false;
      const give = (lost: AbortSignal) => {
        isGiven = true;
        return release(value as Fenced<typeof value>, lost);
      };
      return passOrLose(give, () => isGiven);
    },
  };
}

const isUnavailable = (error: unknown) => error instanceof PortcullisError && error.code === "records-unavailable";

/** An answer that carries no memory needs no check: its type has no room for one. */
export function withoutMemories<A extends AnsweredWithoutMemories>(answered: A, report: GateReportWithoutMemories) {
  return {
    report: report as Fenced<GateReportWithoutMemories>,
    pieces: [answered.answer] as readonly string[] as Fenced<readonly string[]>,
    answered: answered as Fenced<A>,
  };
}
