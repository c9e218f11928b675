// MCP over stdin and stdout, for a host that starts a program. It talks to a running service, as one agent. Nothing but
// the protocol is written to stdout.
import { StdioServerTransport, serveStdio } from "@modelcontextprotocol/server/stdio";
import { untilSuccess } from "#async/coalesce.ts";
import { type Client, createClient } from "#contract/client/client.ts";
import { withHeaders } from "#contract/client/send-request.ts";
import { AGENT_HEADER } from "#contract/paths.ts";
import { type Problem, ProblemError } from "#contract/problem.ts";
import type { Reply } from "#contract/routes.ts";
import { PortcullisError } from "#core/errors.ts";
import packageJson from "../../package.json" with { type: "json" };
import type { CalledRoute, RouteCalls, RouteInput } from "./route-calls.ts";
import { createMcpServer } from "./server.ts";

interface StdioOptions {
  readonly url: string;
  readonly key?: string | undefined;
  /** The agent that an admin's key acts as, and anybody's on a service without identities. An agent's key needs none. */
  readonly agentId?: string | undefined;
  readonly tenant?: string | undefined;
}

/** The longest line that is read. A tool takes 8,000 characters of content. */
const LONGEST_MESSAGE = 1_000_000;

/** Serves until stdin ends. Rejects at once when the service is there and the key is for neither agents nor reviewers. */
export async function serveMcpOverStdio({ url, key, agentId, tenant }: StdioOptions): Promise<void> {
  // An agent's id may have any letters, and a header may not.
  const asAgent = agentId === undefined ? fetch : withHeaders(fetch, { [AGENT_HEADER]: encodeURIComponent(agentId) });
  const client = createClient({ baseUrl: url.replace(/\/+$/, ""), bearer: key, tenant, fetch: asAgent });
  // Until it has succeeded once, nothing else is sent: an admin's key must never act with an admin's rights.
  const ready = untilSuccess(() => checkSpeaksAsAgent(client, agentId));
  await ready().catch((error) => {
    // A host may start before the service does. Each call tries again.
    if (error instanceof PortcullisError || isRefusal(error)) throw error;
  });
  const transport = new StdioServerTransport(process.stdin, process.stdout, { maxBufferSize: LONGEST_MESSAGE });
  const ended = Promise.withResolvers<void>();
  process.stdin.once("close", ended.resolve);
  const callsFor = (signal: AbortSignal) => callsOverClient(client, ready, signal);
  serveStdio(() => createMcpServer(callsFor, packageJson.version), { transport, maxSubscriptions: 0 });
  await ended.promise;
}

/** The service is there, and will say the same again. */
const isRefusal = (error: unknown) => error instanceof ProblemError && error.status < 500 && error.status !== 429;

async function checkSpeaksAsAgent(client: ReturnType<typeof createClient>, named: string | undefined): Promise<void> {
  const { role, agentId } = await client.getSession({ signal: AbortSignal.timeout(START_DEADLINE_MS) });
  if (role === "agent" && (named === undefined || named === agentId)) return;
  if (role === "namespace-admin" && named === undefined) return;
  const sentences = {
    admin: "Use an agent's key, or name the agent to act as with --agent.",
    public: "This service needs a key: set PORTCULLIS_KEY to an agent's.",
    agent: "This key speaks as another agent than the one that was named.",
    operator: "An operator's key cannot be used here. Use an agent's.",
    auditor: "An auditor's key cannot be used here. Use an agent's.",
    "namespace-admin": "The key of a namespace's admin acts as no agent. Leave --agent out, or use an agent's key.",
  };
  throw new PortcullisError("forbidden", sentences[role]);
}

const START_DEADLINE_MS = 10_000;

const DEADLINE_MS = 120_000;

/** Calls a service through the typed client, when it is ready, until nobody waits for the reply any more. */
function callsOverClient(client: Client, ready: () => Promise<void>, signal: AbortSignal): RouteCalls {
  return {
    async call<N extends CalledRoute>(name: N, input: RouteInput<N>) {
      await ready();
      const { params, query, body } = input as { params?: unknown; query?: unknown; body?: unknown };
      // Every function of the client takes what its row has, in this order.
      const given = [params, query, body].filter((part) => part !== undefined);
      const called = client[name] as (...given: readonly unknown[]) => Promise<Reply<N>>;
      return called(...given, { signal: AbortSignal.any([signal, AbortSignal.timeout(DEADLINE_MS)]) });
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
