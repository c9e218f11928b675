import type { Client } from "#contract/client/client.ts";
import type { CallOptions } from "#contract/client/send-request.ts";
import { type Problem, ProblemError } from "#contract/problem.ts";
import type { Reply } from "#contract/routes.ts";
import { PortcullisError } from "#core/errors.ts";
import type { CalledRoute, RouteCalls, RouteInput } from "./route-calls.ts";

type Callers = {
  readonly [N in CalledRoute]: (client: Client, input: RouteInput<N>, options: CallOptions) => Promise<Reply<N>>;
};

const CALLERS: Callers = {
  capture: (client, { body }, options) => client.capture(body, options),
  recall: (client, { body }, options) => client.recall(body, options),
  chat: (client, { body }, options) => client.chat(body, options),
  forgetMemory: (client, { params, query }, options) => client.forgetMemory(params, query, options),
  getPolicy: (client, _, options) => client.getPolicy(options),
  getSession: (client, _, options) => client.getSession(options),
  getReceipt: (client, { params }, options) => client.getReceipt(params, options),
  listReceipts: (client, { query }, options) => client.listReceipts(query, options),
  verify: (client, { params, query }, options) => client.verify(params, query, options),
  listNamespaces: (client, { query }, options) => client.listNamespaces(query, options),
  listMemories: (client, { query }, options) => client.listMemories(query, options),
  getMemory: (client, { params }, options) => client.getMemory(params, options),
};

const DEADLINE_MS = 120_000;

interface Circumstances {
  /** Each call waits for it. */
  ready(): Promise<void>;
  /** Aborts when nobody waits for the reply any more. */
  readonly signal: AbortSignal;
}

/** Calls a service through the typed client. */
export function callsOverClient(client: Client, { ready, signal }: Circumstances): RouteCalls {
  return {
    async call(name, input) {
      await ready();
      return CALLERS[name](client, input, { signal: AbortSignal.any([signal, AbortSignal.timeout(DEADLINE_MS)]) });
    },
    problemOf,
  };
}

/** The service's own problem; else what was wrong before anything was sent, or that nothing came back. */
function problemOf(error: unknown): Problem {
  if (error instanceof ProblemError) return error.problem;
  if (error instanceof PortcullisError) {
    const { code, fields, message } = error;
    return {
      type: `urn:portcullis:problem:${code}`,
      title: "The request is not valid",
      status: 400,
      code,
      detail: message,
      ...(fields.length > 0 && { errors: [...fields] }),
    };
  }
  return UNANSWERED;
}

const UNANSWERED: Problem = {
  type: "about:blank",
  title: "No answer",
  status: 503,
  code: "unexpected-response",
  detail: "The Portcullis service did not answer. Is it running?",
};
