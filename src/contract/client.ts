// The typed client: one function a route, no behaviour of its own.
import { IMPORT_PATH, importOver, problemOf } from "./import.ts";
import { ProblemError } from "./problem.ts";
import { type Body, type Params, type Query, type Reply, type RouteName, routes } from "./routes.ts";

export interface ClientOptions {
  /** Where the service is, `http://127.0.0.1:3000` for example; left out, the page's own origin. */
  readonly baseUrl?: string;
  readonly fetch?: typeof globalThis.fetch;
}

export type Client = ReturnType<typeof createClient>;

export function createClient({ baseUrl = "", fetch = globalThis.fetch }: ClientOptions = {}) {
  async function call<N extends RouteName>(name: N, { params, body, query }: Sent = {}) {
    const { method, path } = routes[name];
    const response = await fetch(`${baseUrl}${filled(path, params)}${search(query)}`, {
      method,
      ...(body === undefined ? {} : { headers: { "content-type": "application/json" }, body: JSON.stringify(body) }),
    });
    if (!response.ok) throw new ProblemError(await problemOf(response));
    return (await response.json()) as Reply<N>;
  }

  const ofTable = {
    chat: (body: Body<"chat">) => call("chat", { body }),
    companion: (body: Body<"companion">) => call("companion", { body }),
    capture: (body: Body<"capture">) => call("capture", { body }),
    listMemories: (query: Query<"listMemories"> = {}) => call("listMemories", { query }),
    getPolicy: () => call("getPolicy"),
    setAccess: (body: Body<"setAccess">) => call("setAccess", { body }),
    anchorReceipt: (body: Body<"anchorReceipt">) => call("anchorReceipt", { body }),
    anchorOnChain: (body: Body<"anchorOnChain">) => call("anchorOnChain", { body }),
    verify: (params: Params<"verify">, query: Query<"verify"> = {}) => call("verify", { params, query }),
    ledgerObject: (params: Params<"ledgerObject">) => call("ledgerObject", { params }),
    ledgerTransaction: (params: Params<"ledgerTransaction">) => call("ledgerTransaction", { params }),
    ledgerTransactions: (query: Query<"ledgerTransactions"> = {}) => call("ledgerTransactions", { query }),
    resetDemo: () => call("resetDemo"),
  } satisfies Record<RouteName, unknown>;

  return {
    ...ofTable,
    /** Results come as the facts are stored. */
    importMemories: (lines: Iterable<object> | AsyncIterable<object>) =>
      importOver(fetch, `${baseUrl}${IMPORT_PATH}`, lines),
  };
}

interface Sent {
  readonly params?: object;
  readonly body?: unknown;
  readonly query?: object;
}

function filled(path: string, params: object = {}): string {
  return Object.entries(params).reduce(
    (filling, [name, value]) => filling.replace(`{${name}}`, encodeURIComponent(String(value))),
    path,
  );
}

function search(query: object = {}): string {
  const given = Object.entries(query).flatMap(([key, value]): [string, string][] =>
    value === undefined ? [] : [[key, String(value)]],
  );
  return given.length === 0 ? "" : `?${new URLSearchParams(given)}`;
}
