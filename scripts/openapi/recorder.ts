// Sends requests by the names of their routes, and keeps what was sent and answered as examples.
import { NDJSON_TYPE } from "#contract/media-types.ts";
import type { RouteName } from "#contract/paths.ts";
import { type Reply, type Route, routes } from "#contract/routes.ts";
import type { OperationExample, RecordedExamples } from "./examples.ts";

export interface Sent {
  readonly params?: Readonly<Record<string, string>>;
  readonly query?: Readonly<Record<string, string | number>>;
  /** A text is sent as lines of JSON, and all else as JSON. */
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
}

/** In place of a port that happened to be free. */
const DOCUMENTED_URL = "http://localhost:3000";
const KEY = /portcullis_\w{20,}/g;
const WEBHOOK_SECRET = /whsec_[\w+/]{20,}=*/g;
const HIDDEN_SECRET = `whsec_${"0".repeat(43)}=`;
const HIDDEN_KEY = `portcullis_${"0".repeat(50)}`;

/** Keys of a service that is gone open nothing. They are hidden all the same, for those who look for leaked ones. */
const withoutKeys = <T>(value: T): T =>
  JSON.parse(JSON.stringify(value).replaceAll(KEY, HIDDEN_KEY).replaceAll(WEBHOOK_SECRET, HIDDEN_SECRET));

export function createRecorder(url: string, bearer: string) {
  const operations = new Map<RouteName, OperationExample>();
  const problems = new Map<string, Record<string, unknown>>();

  function send(name: RouteName, { params = {}, query = {}, body, headers = {} }: Sent): Promise<Response> {
    const route: Route = routes[name];
    const path = route.path.replaceAll(/\{(\w+)\}/g, (_, parameter) => encodeURIComponent(params[parameter] ?? ""));
    const search = new URLSearchParams(
      Object.entries(query).map(([key, value]): [string, string] => [key, String(value)]),
    );
    const isText = typeof body === "string";
    return fetch(`${url}${path}?${search}`, {
      method: route.method,
      headers: {
        authorization: `Bearer ${bearer}`,
        ...(body !== undefined && { "content-type": isText ? NDJSON_TYPE : "application/json" }),
        ...headers,
      },
      ...(body !== undefined && { body: isText ? body : JSON.stringify(body) }),
    });
  }

  /** The first example of an operation stays. */
  function keep(name: RouteName, { params, query, body }: Sent, reply: unknown): void {
    if (operations.has(name)) return;
    const sent = { ...(params && { params }), ...(query && { query }), ...(body !== undefined && { body }) };
    operations.set(name, withoutKeys({ ...sent, reply }));
  }

  async function answerTo(name: RouteName, sent: Sent): Promise<string> {
    const response = await send(name, sent);
    const text = (await response.text()).replaceAll(url, DOCUMENTED_URL);
    if (response.ok) return text;
    throw new Error(`${name} was answered ${response.status}: ${text}`);
  }

  return {
    /** Keeps a request and its JSON reply. */
    async call<N extends RouteName>(name: N, sent: Sent = {}): Promise<Reply<N>> {
      const reply = JSON.parse(await answerTo(name, sent));
      keep(name, sent, reply);
      return reply;
    },

    /** Keeps a request and a reply that is no JSON, or the lines that `shown` leaves of it. */
    async read(name: RouteName, sent: Sent = {}, shown = (text: string) => text): Promise<string> {
      const text = await answerTo(name, sent);
      keep(name, sent, shown(text));
      return text;
    },

    /** Keeps what an operation that has an example replies with another media type. */
    async readAs(mediaType: string, name: RouteName, sent: Sent, shown = (text: string) => text): Promise<void> {
      const text = await answerTo(name, { ...sent, headers: { ...sent.headers, accept: mediaType } });
      const example = operations.get(name);
      if (example === undefined) throw new Error(`${name} has no example yet`);
      operations.set(name, { ...example, others: { ...example.others, [mediaType]: shown(text) } });
    },

    /** Keeps the first events of a stream without an end. */
    async listen(name: RouteName, sent: Sent, events: number): Promise<void> {
      const { body } = await send(name, sent);
      if (body === null) throw new Error(`${name} has no body`);
      let text = "";
      for await (const piece of body.pipeThrough(new TextDecoderStream())) {
        text += piece;
        if (text.split("\n\n").length > events) break;
      }
      keep(name, {}, `${text.split("\n\n").slice(0, events).join("\n\n")}\n\n`);
    },

    /** Keeps the problem that a request gets. */
    async refused(code: string, name: RouteName, sent: Sent = {}): Promise<void> {
      const text = await (await send(name, sent)).text();
      const problem = JSON.parse(text || "{}");
      if (problem.code !== code) throw new Error(`${name} was answered ${text}, and not ${code}`);
      problems.set(code, problem);
    },

    recorded: (): RecordedExamples => ({
      operations: Object.fromEntries(operations),
      problems: Object.fromEntries(problems),
    }),
  };
}
