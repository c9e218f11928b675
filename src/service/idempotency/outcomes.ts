// What is kept of a request with an Idempotency-Key, by what its route makes, and what a repeat gets. Only ids are kept.
import { PortcullisError } from "#core/errors.ts";
import type { Memory } from "#core/memory.ts";
import type { Deps } from "#service/deps.ts";

interface Outcome {
  /** The dependencies that the request runs with. They note the ids that it makes. */
  readonly noting: Deps;
  /** The outcome of a request that has run, from the value that it gave. */
  outcomeOf(value: unknown): Ids;
  repeat(outcome: Ids, run: (deps: Deps) => Promise<unknown>): Promise<unknown>;
}

interface Ids {
  readonly answerId?: string;
  readonly keyId?: string;
  readonly memoryId?: string;
}

export type Outcomes = typeof outcomes;

export const outcomes = {
  /** Its text is not kept, so it cannot be given again. Its receipt is on record. */
  answer(deps: Deps): Outcome {
    let answerId = "";
    const newId: Deps["newId"] = (prefix) => {
      const id = deps.newId(prefix);
      // An answer that is made again, because the policy changed, has another id.
      if (prefix === "ans") answerId = id;
      return id;
    };
    return {
      noting: { ...deps, newId },
      outcomeOf: () => ({ answerId }),
      async repeat({ answerId = "" }) {
        throw new PortcullisError("already-answered", "The answer is not kept. Its receipt is, under `answerId`.", {
          made: { answerId },
        });
      },
    };
  },

  memory(deps: Deps): Outcome {
    return {
      noting: deps,
      outcomeOf: (value) => ({ memoryId: (value as { memory: Memory }).memory.memoryId }),
      async repeat({ memoryId = "" }) {
        const memory = await deps.records.memories.find(memoryId);
        if (memory !== undefined) return { memory };
        throw new PortcullisError("not-found", "The memory that this request captured was forgotten since.");
      },
    };
  },

  /** A key is shown once. */
  key(deps: Deps): Outcome {
    return {
      noting: deps,
      outcomeOf: (value) => ({ keyId: (value as { record: { keyId: string } }).record.keyId }),
      async repeat({ keyId = "" }) {
        throw new PortcullisError("already-created", "The key was shown to the first request. It is not shown twice.", {
          made: { keyId },
        });
      },
    };
  },

  /** The same receipt has the same anchor, so the work is done again. */
  anchor(deps: Deps): Outcome {
    return { noting: deps, outcomeOf: () => ({}), repeat: (_, run) => run(deps) };
  },
} as const satisfies Record<string, (deps: Deps) => Outcome>;
