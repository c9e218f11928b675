// How a call fails, and the error that the caller gets for it. Neither quotes the prompt, the answer or a header: an
// endpoint may echo the very key that it was sent.
import { PortcullisError } from "#core/errors.ts";

type Fault =
  /** The request could not be built: the URL is invalid, or the key cannot be a header. */
  | { readonly kind: "invalid-request" }
  /** The connection failed, before the response or within it. `code` is the system's error code. */
  | { readonly kind: "connection"; readonly code: string }
  /** The response has a status other than 2xx. `refused` is the member of a forwarded request that it names. */
  | {
      readonly kind: "status";
      readonly status: number;
      readonly retryAfter: string | undefined;
      readonly refused?: string | undefined;
    }
  /** The endpoint says that the prompt is longer than the model's context. */
  | { readonly kind: "context-overflow" }
  /** The response has a status of 2xx, but holds no answer. */
  | { readonly kind: "no-answer" }
  /** The response holds an answer that cannot be used. `problem` completes "The answer …". */
  | { readonly kind: "unusable-answer"; readonly problem: string };

export class CallFailure extends Error {
  readonly fault: Fault;

  constructor(fault: Fault) {
    super(fault.kind);
    this.fault = fault;
  }

  get isTransient(): boolean {
    const { fault } = this;
    return fault.kind === "connection" || (fault.kind === "status" && (fault.status === 429 || fault.status >= 500));
  }
}

/** `hasStarted`: the caller already has a part of the answer. */
export function modelError({ fault }: CallFailure, hasStarted: boolean): PortcullisError {
  if (hasStarted && fault.kind !== "unusable-answer")
    return failed("The language model broke off in the middle of its answer. Ask again.");
  switch (fault.kind) {
    case "invalid-request":
      return failed("The language model could not be asked. Check MODEL_BASE_URL and MODEL_API_KEY.");
    case "connection":
      return unavailable("The language model cannot be reached. Check that one runs at MODEL_BASE_URL.", fault.code);
    case "status":
      return fault.refused === undefined ? statusError(fault.status) : refusedBy(fault.refused);
    case "context-overflow":
      return new PortcullisError(
        "prompt-too-long",
        "The prompt is too long for the language model. Lower PROMPT_CHARACTERS, or give the model a larger context.",
      );
    case "no-answer":
      return failed("What the language model sent is not an answer. Check MODEL_BASE_URL.");
    case "unusable-answer":
      return failed(`The language model's answer ${fault.problem}.`);
  }
}

export function timeoutError(timeoutMs: number): PortcullisError {
  return new PortcullisError(
    "model-timeout",
    `The language model has not answered within ${timeoutMs / 1000} s. Ask again, or raise MODEL_TIMEOUT_MS.`,
  );
}

// A later try, or another server, may answer. Some providers send 529 for "overloaded".
const NOT_AVAILABLE = new Set([502, 503, 504, 529]);

/** A status that HTTP does not know counts as a server's error (RFC 9110, section 15). */
function statusError(status: number): PortcullisError {
  if (status === 429) return unavailable("The language model is busy. Ask again later.");
  if (NOT_AVAILABLE.has(status))
    return unavailable(`The language model is not available now (HTTP ${status}). Ask again later.`);
  if (status >= 500) return failed(`The language model failed (HTTP ${status}). Ask again.`);
  if (status === 401 || status === 403)
    return failed(`The language model refused us (HTTP ${status}). Check MODEL_API_KEY.`);
  if (status === 404) return failed("No such language model. Check MODEL_BASE_URL and MODEL_NAME.");
  if (status >= 400) return failed(`The language model refused the request (HTTP ${status}).`);
  return failed(`The language model has moved (HTTP ${status}). Set MODEL_BASE_URL to where it is.`);
}

function refusedBy(member: string): PortcullisError {
  const detail = "is refused by the provider of the model";
  return new PortcullisError("invalid-request", `The provider of the model refuses \`${member}\`.`, {
    fields: [{ pointer: `#/${member.replaceAll(/[.[\]]+/g, "/").replace(/\/$/, "")}`, detail }],
  });
}

const failed = (message: string): PortcullisError => new PortcullisError("model-failed", message);

/** The log shows the code of the cause. */
function unavailable(message: string, code?: string): PortcullisError {
  const cause = code === undefined ? undefined : Object.assign(new Error("The connection failed."), { code });
  return new PortcullisError("model-unavailable", message, { cause });
}
