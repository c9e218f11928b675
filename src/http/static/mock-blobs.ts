// GET /v1/blobs/<blobId> in mock mode: the service answers as an aggregator does.
import { PortcullisError } from "#core/errors.ts";
import type { HttpReply } from "#http/answer/reply.ts";
import { takenBehindFence } from "#http/answer/send-answer.ts";
import type { Exchange } from "#http/exchange.ts";
import type { RateLimits } from "#http/limits/rate-limits.ts";
import { identify } from "#http/request/authorize.ts";
import { recordGiven } from "#service/decisions/decision-log.ts";
import { type ReadableBlob, readableBlob } from "#service/memories/read-memories.ts";
import { readBehindFence } from "#service/policy/fenced-read.ts";
import type { Tenant } from "#service/tenant.ts";

export async function sendBlob(
  tenant: Pick<Tenant, "records" | "policyMirror" | "blobs" | "authenticator" | "now">,
  limits: RateLimits,
  exchange: Exchange,
): Promise<void> {
  const { params, response } = exchange;
  const { blobId = "" } = params;
  const principal = await identify({ authenticator: tenant.authenticator, limits }, exchange);
  await limits.count(exchange, "read", principal);
  const call = { principal, route: "blob", reads: true };
  const load = async () => {
    const blob = await readableBlob(tenant, principal, blobId);
    if (blob === undefined) throw new PortcullisError("blob-not-found", "The store has no blob with this id.");
    // What is public left no gate.
    if (principal.role === "agent" && !blob.isPublic) await recordGiven(tenant, call, principal.agentId);
    return { value: blobReply(blob, blobId), quoted: blob.quoted };
  };
  await response.turn();
  await readBehindFence(tenant, principal, load, (reply, lost) =>
    takenBehindFence(response, lost, () => response.send(reply)),
  );
}

/** Any page may read a public blob. Caches keep a receipt's alone, which never changes: a memory may be forgotten. */
function blobReply({ bytes, isPublic, quoted }: ReadableBlob, blobId: string): HttpReply {
  return {
    headers: {
      "content-type": "application/octet-stream",
      etag: `"${blobId}"`,
      ...(isPublic && quoted.length === 0 && { "cache-control": "public, max-age=86400" }),
      ...(isPublic && {
        "cross-origin-resource-policy": "cross-origin",
        "access-control-allow-origin": "*",
      }),
    },
    body: Uint8Array.from(bytes),
  };
}
