// The transparency log as static files (C2SP tlog-tiles): anyone may read them, and caches keep all but the checkpoint.
import { PortcullisError } from "#core/errors.ts";
import { parseTilePath } from "#core/log/tiles.ts";
import type { HttpReply } from "#http/answer/reply.ts";
import type { Exchange } from "#http/exchange.ts";
import type { TransparencyLogService } from "#service/log/transparency-log.ts";

export const LOG_PREFIX = "/log/";
/** Anyone may read it, from any page. */
const PUBLIC = { "cross-origin-resource-policy": "cross-origin", "access-control-allow-origin": "*" };

export async function logCheckpoint(log: TransparencyLogService): Promise<HttpReply> {
  const { note } = await log.published();
  const headers = { ...PUBLIC, "content-type": "text/plain; charset=utf-8", "cache-control": "public, max-age=2" };
  return { headers, body: note };
}

export async function logTile(log: TransparencyLogService, { request }: Exchange): Promise<HttpReply> {
  const { pathname } = new URL(request.url);
  const ref = parseTilePath(pathname.slice(pathname.indexOf(LOG_PREFIX) + LOG_PREFIX.length));
  const body = ref && (await log.tile(ref));
  if (body === undefined) throw new PortcullisError("not-found", "The log has no such tile.");
  const cached = { "content-type": "application/octet-stream", "cache-control": "public, max-age=31536000, immutable" };
  return { headers: { ...PUBLIC, ...cached }, body };
}
