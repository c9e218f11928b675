// The transparency log as static files (C2SP tlog-tiles): anyone may read them, and caches keep all but the checkpoint.
import { PortcullisError } from "#core/errors.ts";
import { parseTilePath } from "#core/log/tiles.ts";
import { type HttpReply, READ_BY_ANYONE } from "#http/answer/reply.ts";
import type { Exchange } from "#http/exchange.ts";
import type { TransparencyLogService } from "#service/log/transparency-log.ts";

export const LOG_PREFIX = "/log/";

export async function logCheckpoint(log: TransparencyLogService): Promise<HttpReply> {
  const { note } = await log.published();
  const headers = {
    ...READ_BY_ANYONE,
    "content-type": "text/plain; charset=utf-8",
    "cache-control": "public, max-age=2",
  };
  return { headers, body: note };
}

export async function logTile(log: TransparencyLogService, { request }: Exchange): Promise<HttpReply> {
  const { pathname } = new URL(request.url);
  const ref = parseTilePath(pathname.slice(pathname.indexOf(LOG_PREFIX) + LOG_PREFIX.length));
  const body = ref && (await log.tile(ref));
  if (body === undefined) throw new PortcullisError("not-found", "The log has no such tile.");
  const cached = { "content-type": "application/octet-stream", "cache-control": "public, max-age=31536000, immutable" };
  return { headers: { ...READ_BY_ANYONE, ...cached }, body };
}
