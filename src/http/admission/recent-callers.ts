// Who sends a request, as far as that is known before it is authenticated. What anybody can write into a header does not
// count: who shows what was authenticated lately is that caller in its tenant, and any other is known by the address.
import type { IncomingHttpHeaders, IncomingMessage } from "node:http";
import { TENANT_HEADER } from "#contract/paths.ts";
import { lruCache } from "#core/collections/lru-cache.ts";
import { createProxyReader, type ProxyOptions } from "#http/edge/trusted-proxies.ts";
import { addressKey } from "#http/limits/address-key.ts";
import { hashOf } from "#service/identity/keys.ts";

const KEPT_MS = 10 * 60_000;
const MOST = 10_000;

const BEARER = /^bearer +(\S+) *$/i;
const SESSION = /(?:^|[; ])(?:__Host-|__Secure-)?portcullis=([\w-]{43})(?:;|$)/;

export function createRecentCallers(transport: ProxyOptions = {}, now = () => performance.now()) {
  const provenanceOf = createProxyReader(transport);
  /** By the hash of what they showed. */
  const callers = lruCache<{ readonly caller: string; readonly until: number }>(MOST);

  return function senderOf(request: Pick<IncomingMessage, "headers" | "socket">) {
    const shown = shownIn(request.headers);
    const known = shown === undefined ? undefined : callers.get(shown);
    return {
      caller: known !== undefined && known.until > now() ? known.caller : addressKey(provenanceOf(request).address),
      /** What it showed is this caller's. */
      authenticated(caller: string): void {
        if (shown !== undefined) callers.put(shown, { caller, until: now() + KEPT_MS });
      },
    };
  };
}

/** A key may act in several tenants, and the header says in which. */
function shownIn({ authorization, cookie, [TENANT_HEADER]: tenant = "" }: IncomingHttpHeaders): string | undefined {
  const [, secret] = (authorization === undefined ? SESSION.exec(cookie ?? "") : BEARER.exec(authorization)) ?? [];
  return secret === undefined ? undefined : hashOf(`${secret}\n${tenant}`);
}
