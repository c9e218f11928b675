// What is said when there is no answer. Neither message nor cause quotes prompt, answer, headers or the SDK's errors,
// which hold all of these: an endpoint may send back the very key that it was shown.
import { PortcullisError } from "#core/errors.ts";
import type { Seen } from "./wire.ts";

export function isTransient({ status = 200, broken }: Seen): boolean {
  return broken !== undefined || status === 429 || status >= 500;
}

export function failureOf(seen: Seen, error: unknown): PortcullisError {
  if (error instanceof PortcullisError) return error;
  const [code, message] = inWords(seen);
  return new PortcullisError(code, message, { cause: traceOf(seen, error) });
}

/** The endpoint answered, but not with an answer. */
export function unusable(how: string): PortcullisError {
  return new PortcullisError("model-failed", `The language model's answer ${how}.`);
}

// Statuses that say that somebody else, or a later moment, will do better. 529 is "overloaded" with some providers.
const NOT_NOW = new Set([502, 503, 504, 529]);

function inWords({ status, broken, hasPassedOn }: Seen): ["model-failed" | "model-unavailable", string] {
  if (hasPassedOn) return ["model-failed", "The language model broke off in the middle of its answer. Ask again."];
  if (broken !== undefined)
    return ["model-unavailable", "The language model cannot be reached. Check that one runs at MODEL_BASE_URL."];
  if (status === undefined)
    return ["model-failed", "The language model could not be asked. Check MODEL_BASE_URL and MODEL_API_KEY."];
  if (status === 429) return ["model-unavailable", "The language model takes no more requests now. Ask again later."];
  if (NOT_NOW.has(status))
    return ["model-unavailable", `The language model is not available now (HTTP ${status}). Ask again later.`];
  if (status >= 500) return ["model-failed", `The language model failed (HTTP ${status}). Ask again.`];
  if (status === 401 || status === 403)
    return ["model-failed", `The language model refused us (HTTP ${status}). Check MODEL_API_KEY.`];
  if (status === 404) return ["model-failed", "No such language model. Check MODEL_BASE_URL and MODEL_NAME."];
  if (status >= 400) return ["model-failed", `The language model refused the request (HTTP ${status}).`];
  if (status >= 300)
    return ["model-failed", `The language model has moved (HTTP ${status}). Set MODEL_BASE_URL to where it is.`];
  return ["model-failed", "What the language model sent is not an answer. Check MODEL_BASE_URL."];
}

/** Enough for a log line: the error's class, the status, the system's code. */
function traceOf({ status, broken }: Seen, error: unknown): Error {
  const trace = new Error(status === undefined ? "no response" : `HTTP ${status}`);
  if (error instanceof Error) trace.name = error.name;
  return broken === undefined ? trace : Object.assign(trace, { code: broken });
}
