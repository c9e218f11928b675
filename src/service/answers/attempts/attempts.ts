// Optimistic concurrency: an answer is made without a lock, and made again when the policy changed under it, or the fence
// was lost. Such an attempt releases nothing more, and the next one begins with a new recall.
import { createPacedTurns } from "#async/run-in-slices.ts";
import { PROMPT_CHARACTERS } from "#core/prompt/prompt.ts";
import type { LanguageModel, Metrics, RecordStore } from "#ports.ts";
import type { Caller } from "#service/answers/caller.ts";
import type { PolicyMirror } from "#service/policy/policy-mirror.ts";
import type { RecallGate } from "#service/recall/search.ts";
import { type Attempt, beginAttempt, policyChanged } from "./attempt.ts";
import { watchInFlightAttempts } from "./in-flight-attempts.ts";

export type Attempts = ReturnType<typeof createAttempts>;

const MAX_ATTEMPTS = 3;

/** How many stale answers begin again in one turn of the event loop. One change may concern all that are in progress. */
const RESTARTS_AT_ONCE = 5;

interface Options {
  readonly records: Pick<RecordStore, "memories" | "policy">;
  readonly policy: PolicyMirror;
  readonly gate: RecallGate;
  readonly model: LanguageModel;
  readonly metrics?: Pick<Metrics, "gauge"> | undefined;
  readonly promptCharacters?: number | undefined;
}

/** The only way from the gate to an answer. */
export function createAttempts({
  records,
  policy,
  gate,
  model,
  metrics,
  promptCharacters = PROMPT_CHARACTERS,
}: Options) {
  const inFlight = watchInFlightAttempts(records, policy);
  const queued = { pieces: 0 };
  const nextTurn = createPacedTurns(RESTARTS_AT_ONCE);
  metrics?.gauge("answersInFlight", inFlight.count);
  metrics?.gauge("piecesWaiting", () => queued.pieces);
  const parts = { gate, model, policy: records.policy, inFlight, queued, promptCharacters };

  return {
    /** Makes an answer. Rejects with `policy-changed` when every attempt went stale. */
    async run<A>(caller: Caller<A>, makeAnswer: (attempt: Attempt<A>) => Promise<void>): Promise<void> {
      for (let count = 1; ; count++) {
        const { attempt, isStale, isLost, hasReleased, end } = beginAttempt(parts, caller, count > 1);
        try {
          await makeAnswer(attempt);
          return await end();
        } catch (error) {
          await end(error);
          caller.signal?.throwIfAborted();
          if (!isStale() && !isLost()) throw error;
          if (count === MAX_ATTEMPTS) throw isStale() ? policyChanged() : error;
        }
        if (hasReleased()) await caller.listener?.restart();
        await nextTurn();
      }
    },
  };
}
