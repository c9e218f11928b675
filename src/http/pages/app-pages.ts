// Where the app's pages are, and what a browser may do on them. Paths that the service also serves itself, without any
// script, keep that page for `?plain=1` and for programs that did not ask for HTML.

import { PAGES } from "#contract/page-paths.ts";
import type { HttpReply } from "#http/answer/reply.ts";
import type { WebFile, WebFiles } from "#http/static/app-files.ts";
import type { About } from "#service/operations/about.ts";
import { prefersJson } from "./verify-page.ts";

/** Pages of the app alone. */
export const APP_PATHS = Object.values(PAGES).flatMap((page) => ("hasPlainVersion" in page ? [] : [page.path]));

export interface AppPages {
  page(request: Request): Promise<HttpReply>;
  file(file: WebFile, request: Request): Promise<HttpReply>;
  /** The app's page for a browser, and for everybody else what there is without it. */
  pageOr(request: Request, plain: () => HttpReply | Promise<HttpReply>): Promise<HttpReply>;
}

export function appPages({ index }: WebFiles, about: About): AppPages {
  const policy = policyFor(about);

  // A worker is bound by the policy of its own script, and not by that of the page.
  async function file({ reply }: WebFile, { headers }: Request): Promise<HttpReply> {
    const made = await reply(headers.get("accept-encoding"));
    return { ...made, headers: { ...made.headers, "content-security-policy": policy } };
  }

  async function page(request: Request): Promise<HttpReply> {
    const made = await file(index, request);
    return { ...made, headers: { ...made.headers, vary: "accept, accept-encoding" } };
  }

  return {
    page,
    file,
    async pageOr(request, plain) {
      return isForTheApp(request) ? page(request) : plain();
    },
  };
}

function isForTheApp({ url, headers }: Request): boolean {
  const accept = headers.get("accept") ?? "";
  if (!accept.toLowerCase().includes("text/html") || prefersJson(accept)) return false;
  return new URL(url).searchParams.get("plain") !== "1";
}

/** Nothing inline, nothing from elsewhere; the verifier in the browser asks the blob store and the ledger itself. */
function policyFor({ blobs, fullNode }: About): string {
  const peers = [blobs.aggregator, fullNode ?? ""].filter((url) => url !== "").map((url) => new URL(url).origin);
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
