// The pages of the app, and what a browser may do on them. Some paths also have a page that the service renders without
// script: `?plain=1` shows it, and programs that do not ask for HTML get it.
import { MOVED_PAGES, PAGES, type PageName } from "#contract/page-paths.ts";
import { type Route, routes } from "#contract/routes.ts";
import { FULL_NODES } from "#core/verify/assurance.ts";
import { type HttpReply, withHeaders } from "#http/answer/reply.ts";
import type { Exchange } from "#http/exchange.ts";
import { prefersJson } from "#http/request/read-input.ts";
import type { WebFile, WebFiles } from "#http/static/app-files.ts";
import type { About } from "#service/tenant.ts";

export const APP_ONLY_PATHS = Object.values(PAGES).flatMap((page) => ("hasPlainVersion" in page ? [] : [page.path]));

export type PlainPageName = {
  [N in PageName]: (typeof PAGES)[N] extends { readonly hasPlainVersion: true } ? N : never;
}[PageName];

export function appPages({ index }: WebFiles, about: About, hasIdentities: boolean) {
  const policy = policyFor(about);
  const verifiersPolicy = policyFor(about, READERS_NODES);

  // Files need the policy as well as the page: a worker obeys the policy of its own script.
  const file = async (reply: WebFile, { headers }: Request): Promise<HttpReply> =>
    withHeaders(await reply({ headers }), { "content-security-policy": policy });

  async function page({ request, client }: Pick<Exchange, "request" | "client">): Promise<HttpReply> {
    const served = await index({ isOpen: !hasIdentities, basePath: client.basePath })(request);
    const isVerifier = VERIFY_PATH.test(new URL(request.url).pathname);
    const csp = isVerifier ? verifiersPolicy : policy;
    return withHeaders(served, { "content-security-policy": csp, vary: "accept, accept-encoding" });
  }

  /** The reply to a browser at an address that is no page; undefined for other programs. */
  function unknown(exchange: Pick<Exchange, "request" | "client">): Promise<HttpReply> | undefined {
    const { request, client } = exchange;
    if (!["GET", "HEAD"].includes(request.method) || !isForApp(request)) return undefined;
    const place = placeOf(new URL(request.url));
    return place === undefined
      ? page(exchange).then((reply) => ({ ...reply, status: 404 }))
      : Promise.resolve({ status: 308, headers: { location: `${client.basePath}${place}` }, body: "" });
  }

  return { page, file, unknown, isForApp };
}

/** Whether this request, at a path that has both, is for the app's page. */
function isForApp({ url, headers }: Request): boolean {
  const accept = headers.get("accept") ?? "";
  if (!accept.toLowerCase().includes("text/html") || prefersJson(accept)) return false;
  return new URL(url).searchParams.get("plain") !== "1";
}

const PAGE_PATHS = Object.values(PAGES).map(({ path }) => new RegExp(`^${path.replaceAll(/:\w+/g, "[^/]+")}$`));

/** The path of a page that has moved, or to which a slash was added. It is one of the table, so it names no host. */
function placeOf({ pathname, search }: URL): string | undefined {
  const path = pathname.replace(/\/+$/, "");
  const moved = MOVED_PAGES.get(path);
  if (moved !== undefined) return moved.includes("?") ? moved + search.replace("?", "&") : moved + search;
  return path !== pathname && PAGE_PATHS.some((known) => known.test(path)) ? path + search : undefined;
}

const VERIFY_PATH = /\/verify\/[^/]+$/;

/** A reader may have the verifier ask a full node of their own, wherever it is. */
const READERS_NODES = ["https:", "http://localhost:*", "http://127.0.0.1:*"];

/** Allows nothing inline and nothing from elsewhere, except that the verifier asks the blob store and the ledger. */
function policyFor({ blobs, fullNode }: About, readersNodes: readonly string[] = []): string {
  const known = fullNode === undefined ? [] : [fullNode, ...[...FULL_NODES.values()].flat()];
  const urls = [blobs.aggregator, ...known].filter((url) => url !== "");
  const peers = [...urls.map((url) => new URL(url).origin), ...(fullNode === undefined ? [] : readersNodes)];
  return [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    "font-src 'self'",
    "img-src 'self' data:",
    `connect-src ${["'self'", ...new Set(peers)].join(" ")}`,
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join("; ");
}

const METHOD_WIDTH = "DELETE ".length;

/** The reply at the paths of the app when it is not built. */
export const pageNotBuilt = (): HttpReply => ({
  status: 404,
  headers: { "content-type": "text/plain; charset=utf-8" },
  body: "This installation has no pages, only the API. `npm run build` builds them, where the development dependencies are installed; then copy the folder web/dist here and start the service again.\n",
});

/** The reply to `GET /` for programs, and for browsers when the app is not built: a list of the routes, as text. */
export function welcome(version: string, baseUrl: string): HttpReply {
  const table = Object.values<Route>(routes);
  const width = Math.max(...table.map(({ path }) => path.length)) + 2;
  const rows = table.map(
    ({ method, path, summary }) => `${method.padEnd(METHOD_WIDTH)}${path.padEnd(width)}${summary}`,
  );
  const text = [
    `Portcullis ${version}: memory for AI agents, with a gate and a receipt.`,
    "",
    ...rows,
    "",
    `${"GET".padEnd(METHOD_WIDTH)}${"/openapi.json".padEnd(width)}The description of the API, for programs.`,
    "",
    "Try it:",
    `  curl -s ${baseUrl}/api/chat -H 'content-type: application/json' \\`,
    `    -d '{"agentId":"assistant","query":"What is planned for dinner on Friday?"}'`,
    "",
  ].join("\n");
  return { headers: { "content-type": "text/plain; charset=utf-8" }, body: text };
}
