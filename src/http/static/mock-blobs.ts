// GET /v1/blobs/<blobId> in mock mode: the service answers as an aggregator does.
import { PortcullisError } from "#core/errors.ts";
import type { Principal } from "#core/identity/principal.ts";
import { type HttpReply, READ_BY_ANYONE } from "#http/answer/reply.ts";
import { takenBehindFence } from "#http/answer/send-answer.ts";
import type { Exchange } from "#http/exchange.ts";
import { locate } from "#http/request/authorize.ts";
import type { EndpointParts } from "#http/route-handler.ts";
import { recordGiven } from "#service/decisions/decision-log.ts";
import { type ReadableBlob, readableBlob } from "#service/memories/read-memories.ts";
import { readBehindFence } from "#service/policy/fenced-read.ts";
import type { Tenant } from "#service/tenant.ts";

export async function sendBlob(parts: EndpointParts, exchange: Exchange): Promise<void> {
  const caller = await locate(parts, { access: "public", limit: "read" }, exchange);
  await parts.limits.count(exchange, "read", caller);
  const isSent = await parts.tenants.useRecords(caller.tenant, (tenant) => sendFrom(tenant, caller, exchange));
  if (!isSent) throw new PortcullisError("blob-not-found", "The store has no blob with this id.");
}

/** Whether there is such a blob that the caller may read. */
async function sendFrom(tenant: Tenant, principal: Principal, { params, response }: Exchange): Promise<boolean> {
  const { blobId = "" } = params;
  const call = { principal, route: "blob", reads: true };
  let isSent = false;
  const load = async () => {
    const blob = await readableBlob(tenant, principal, blobId);
    if (blob === undefined) return { value: undefined, quoted: [] };
    // What is public left no gate.
    if (principal.role === "agent" && !blob.isPublic) await recordGiven(tenant, call, principal.agentId);
    return { value: blobReply(blob, blobId), quoted: blob.quoted };
  };
  await response.turn();
  await readBehindFence(tenant, principal, load, async (reply, lost) => {
    if (reply === undefined) return;
    isSent = true;
    await takenBehindFence(response, lost, () => response.send(reply));
  });
  return isSent;
}

/** Any page may read a public blob. Caches keep a receipt's alone, which never changes: a memory may be forgotten. */
function blobReply({ bytes, isPublic, quoted }: ReadableBlob, blobId: string): HttpReply {
  const isCached = isPublic && quoted.length === 0;
  return {
    headers: {
      "content-type": "application/octet-stream",
      etag: `"${blobId}"`,
      ...(isCached && { "cache-control": "public, max-age=86400" }),
      ...(isPublic && READ_BY_ANYONE),
    },
    body: Uint8Array.from(bytes),
  };
}
