// A bound on the calls of the language model: so many at a time, and so many that wait. Tenants have fair shares, and agents
// in them: the next call is of the one that has the fewest under way. The deadline of a call covers its wait.
import { createSemaphore, inTenant } from "#async/semaphore.ts";
import { withDeadline } from "#async/with-deadline.ts";
import { PortcullisError } from "#core/errors.ts";
import type { CompleteOptions, LanguageModel, Metrics } from "#ports.ts";

interface ModelBounds {
  readonly calls?: number;
  readonly waiting?: number;
  /** For a call that had to wait. One that did not has the adapter's own deadline. */
  readonly deadlineMs?: number | undefined;
  readonly metrics?: Pick<Metrics, "gauge"> | undefined;
}

const CALLS = 256;
const WAITING = 256;
const DEADLINE_MS = 60_000;

export function boundedModel(
  model: LanguageModel,
  { calls = CALLS, waiting = WAITING, deadlineMs = DEADLINE_MS, metrics }: ModelBounds = {},
): LanguageModel {
  const permits = createSemaphore(calls, { most: waiting, onFull: overloaded });
  metrics?.gauge("modelCallsRunning", permits.running);
  metrics?.gauge("modelCallsWaiting", permits.waiting);
  const bounded = <O extends CallOptions, T>(options: O, call: (options: O) => Promise<T>): Promise<T> => {
    const { caller } = options;
    return (
      permits.tryRun(() => call(options), { caller }) ??
      withDeadline(deadlineMs, ({ signal }) => permits.run(() => call({ ...options, signal }), { signal, caller }), {
        signal: options.signal,
        onTimeout: timedOut,
      })
    );
  };
  const { completions } = model;
  return {
    name: model.name,
    requireRoom: permits.requireRoom,
    complete: (prompt, options) => bounded(options, (within) => model.complete(prompt, within)),
    completions: completions && {
      models: completions.models,
      forward: (name, request, options) => bounded(options, (within) => completions.forward(name, request, within)),
    },
  };
}

type CallOptions = Pick<CompleteOptions, "signal" | "caller">;

export const modelOfTenant = (model: LanguageModel, tenant: number): LanguageModel => ({
  name: model.name,
  requireRoom: (agentId) => model.requireRoom?.(inTenant(tenant, agentId)),
  complete: (prompt, options) => model.complete(prompt, { ...options, caller: inTenant(tenant, options.caller) }),
  completions: model.completions && {
    models: model.completions.models,
    forward: async (name, request, options) =>
      model.completions?.forward(name, request, { ...options, caller: inTenant(tenant, options.caller) }),
  },
});

const overloaded = () => new PortcullisError("overloaded", "The language model is busy. Ask again in a moment.");

const timedOut = () => new PortcullisError("model-timeout", "The language model did not answer in time. Ask again.");
