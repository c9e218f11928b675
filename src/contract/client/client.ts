// The typed client: one function for each row of `paths`, and no behaviour of its own. It also runs in a browser, so it
// carries no schemas: it imports the paths of the table, and of the rest only the types.
import { EVENT_STREAM_TYPE } from "#contract/media-types.ts";
import { type Place, paths, type RouteName, TENANT_HEADER } from "#contract/paths.ts";
import type { Body, MinimalReply, Params, Query, Reply } from "#contract/routes.ts";
import { defined } from "#core/defined.ts";
import { type AnswerListener, readAnswer } from "./body-streams.ts";
import { eventFeed, type FeedEvent, type FeedOptions } from "./event-feed.ts";
import { type Importable, type ImportReply, importExportOver, importOver } from "./imports.ts";
import { readJson, readText } from "./read-reply.ts";
import { type CallOptions, type SentRequest, sendRequest, withHeaders } from "./send-request.ts";

export interface ClientOptions {
  /** Where the service is, `http://127.0.0.1:3000` for example; left out, the page's own origin. */
  readonly baseUrl?: string | undefined;
  /** A key or a token, for a service that has identities. A page of the service leaves it out: its browser has a session. */
  readonly bearer?: string | undefined;
  /** The tenant to act in, for a key that may act in several. */
  readonly tenant?: string | undefined;
  /** How often a request is sent again, at most, when that is safe. */
  readonly retries?: number | undefined;
  /** How long a call may take, with its retries; of a stream, until it begins. */
  readonly timeoutMs?: number | undefined;
  /** Ends the calls that have no signal of their own. */
  readonly signal?: AbortSignal | undefined;
  readonly fetch?: typeof globalThis.fetch | undefined;
}

/** With `onText` the answer also comes in pieces while it is made. */
export type AnswerOptions = CallOptions &
  (AnswerListener | { readonly onGate?: undefined; readonly onText?: undefined; readonly onRestart?: undefined });

/** A list in pages. The function itself gives one page. */
export interface Listing<Arguments extends unknown[], Page, Element> {
  (...args: Arguments): Promise<Page>;
  /** Every element, from the first page to the last: `for await (const memory of client.listMemories.all())`. */
  all(...args: Arguments): AsyncGenerator<Element, undefined>;
  /** The pages themselves. */
  pages(...args: Arguments): AsyncGenerator<Page, undefined>;
}

interface StreamFunctions {
  chat(body: Body<"chat">, options?: AnswerOptions): Promise<Reply<"chat">>;
  companion(body: Body<"companion">, options?: AnswerOptions): Promise<Reply<"companion">>;
  importMemories(
    lines: Importable,
    query?: Query<"importMemories">,
    options?: CallOptions,
  ): AsyncGenerator<ImportReply, undefined>;
  listenToEvents(options?: FeedOptions): AsyncGenerator<FeedEvent, undefined>;
  exportRecords(query?: Query<"exportRecords">, options?: CallOptions): Promise<ReadableStream<Uint8Array> | null>;
  importRecords(
    body: ReadableStream<Uint8Array> | Blob,
    query?: Query<"importRecords">,
    options?: CallOptions,
  ): AsyncGenerator<Reply<"importRecords">, undefined>;
}

type Row<N extends RouteName> = (typeof paths)[N];

/** What a route takes: the parameters of its path, its body, and its query. */
type Given<N extends RouteName> = [
  ...(Row<N>["path"] extends `${string}{${string}` ? [params: Params<N>] : []),
  ...(Row<N>["method"] extends "GET" | "DELETE"
    ? []
    : Row<N> extends { readonly bodyOptional: true }
      ? [body?: Body<N>]
      : [body: Body<N>]),
  ...(Row<N> extends { readonly hasQuery: true } ? [query?: Query<N>] : []),
];

type Arguments<N extends RouteName> = [...Given<N>, options?: CallOptions];

/** The function of a route that has a short reply, too: for the policy, its version alone. */
export interface WithMinimalReply<N extends RouteName> {
  (...args: [...Given<N>, options: CallOptions & { readonly prefer: "minimal" }]): Promise<MinimalReply<N>>;
  (...args: Arguments<N>): Promise<Reply<N>>;
}

type Element<N extends RouteName, List> = List extends keyof Reply<N>
  ? Reply<N>[List] extends readonly (infer T)[]
    ? T
    : never
  : never;

export type Client = {
  readonly [N in keyof typeof paths]: N extends keyof StreamFunctions
    ? StreamFunctions[N]
    : Row<N> extends { readonly lists: infer List }
      ? Listing<Arguments<N>, Reply<N>, Element<N, List>>
      : [MinimalReply<N>] extends [never]
        ? (...args: Arguments<N>) => Promise<Reply<N>>
        : WithMinimalReply<N>;
};

export function createClient({
  baseUrl = "",
  fetch: plain = globalThis.fetch,
  bearer,
  tenant,
  retries = 0,
  timeoutMs,
  signal,
}: ClientOptions = {}): Client {
  const added = defined({ authorization: bearer && `Bearer ${bearer}`, [TENANT_HEADER]: tenant });
  const fetch = Object.keys(added).length === 0 ? plain : withHeaders(plain, added as Record<string, string>);
  const service = { baseUrl: baseUrl.replace(/\/$/, ""), fetch, retries, timeoutMs, signal };

  function call<T>(place: Place, sent: SentRequest): Promise<T> {
    const isText = place.path === paths.getMetrics.path || place.path === paths.getReceiptProofFile.path;
    return sendRequest(service, place, sent, isText ? readText : readJson) as Promise<T>;
  }

  function functionOf(place: Place) {
    const load = (...args: unknown[]) => call(place, sentBy(place, args));
    if (place.lists === undefined) return load;
    const pages = (...args: unknown[]) => {
      const sent = sentBy(place, args);
      return pagesOf((query) => call<Page>(place, { ...sent, query }), sent.query ?? {});
    };
    const all = (...args: unknown[]) => elementsOf(pages(...args), place.lists ?? "");
    return Object.assign(load, { pages, all });
  }

  async function ask(place: Place, body: unknown, options: AnswerOptions = {}): Promise<Reply<"chat" | "companion">> {
    const { onGate, onText, onRestart, ...sent } = options;
    if (onText === undefined) return call(place, { body, ...sent });
    const headers = { accept: EVENT_STREAM_TYPE };
    const response = await sendRequest(service, place, { body, ...sent, headers }, (begun) => begun);
    return readAnswer(response, { onGate, onText, onRestart });
  }

  const streams: StreamFunctions = {
    chat: (body, options) => ask(paths.chat, body, options),
    companion: (body, options) => ask(paths.companion, body, options),
    importMemories: (lines, query = {}, options) => importOver(service, lines, query, options),
    listenToEvents: (options) => eventFeed(service, options),
    exportRecords: (query = {}, options) =>
      sendRequest(service, paths.exportRecords, { query, ...options }, (response) => response.body),
    importRecords: (body, query = {}, options) => importExportOver(service, body, query, options),
  };
  const functions = Object.entries(paths).map(([name, place]) => [name, functionOf(place)]);
  // `Client` gives each function the types of its row.
  return { ...Object.fromEntries(functions), ...streams };
}

/** The arguments of a function by what they are. The options of the call come last. */
function sentBy({ method, path, hasQuery }: Place, args: readonly unknown[]): SentRequest {
  const parts = [
    ...(path.includes("{") ? ["params"] : []),
    ...(method === "GET" || method === "DELETE" ? [] : ["body"]),
    ...(hasQuery ? ["query"] : []),
  ];
  return { ...(args[parts.length] as CallOptions), ...Object.fromEntries(parts.map((part, i) => [part, args[i]])) };
}

type Page = Readonly<Record<string, readonly unknown[]>> & { readonly nextCursor?: string };

/** Of what one request gives. A list without any parameter would come whole. */
const PAGE_LENGTH = 100;

/** Page after page, from the first one or from `query.cursor` on. A page is requested when it is asked for. */
async function* pagesOf(
  load: (query: object) => Promise<Page>,
  query: { readonly cursor?: string },
): AsyncGenerator<Page, undefined> {
  let { cursor } = query;
  do {
    const page = await load({ limit: PAGE_LENGTH, ...query, ...(cursor !== undefined && { cursor }) });
    yield page;
    cursor = page.nextCursor;
  } while (cursor !== undefined);
}

async function* elementsOf(pages: AsyncGenerator<Page, undefined>, list: string): AsyncGenerator<unknown, undefined> {
  for await (const page of pages) yield* page[list] ?? [];
}
