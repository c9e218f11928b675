// The publisher: PUT /v1/blobs.
import type { IncomingMessage } from "node:http";
import type { Network, StoreOrder } from "./blob-network.ts";
import type { Fault, Knobs } from "./knobs.ts";
import { type Answer, alreadyCertified, json, newlyCreated, plain, refusal } from "./replies.ts";

const BODY_LIMIT = 10 * 1024 * 1024;
const MAX_EPOCHS = 53;
const PARAMETERS = new Set([
  "epochs",
  "permanent",
  "deletable",
  "force",
  "reuse_resources",
  "send_object_to",
  "share",
  "encoding_type",
]);

export async function publish(request: IncomingMessage, url: URL, network: Network, knobs: Knobs, fault?: Fault) {
  const bytes = await bodyOf(request);
  if (knobs.token !== undefined && request.headers.authorization !== `Bearer ${knobs.token}`)
    return refusal(401, "UNAUTHENTICATED", "the request has no valid token");
  if (url.pathname !== "/v1/blobs") return plain(404, "");
  if (request.method !== "PUT") return plain(405, "");
  const order = orderOf(url.searchParams);
  if (typeof order === "string") return refusal(400, "MALFORMED_REQUEST", order);
  if (bytes === undefined) return plain(413, "length limit exceeded");
  if (fault === "endless") return plain(200, " ".repeat(8 * 1024 * 1024));
  if (fault === "error-in-200") {
    const error = { failurePhase: "store", errorMsg: "not enough confirmations" };
    return json(200, { error });
  }
  return store(bytes, order, network, knobs, fault);
}

function store(bytes: Uint8Array, order: StoreOrder, network: Network, knobs: Knobs, fault?: Fault): Answer {
  const { blob, certified } = network.store(bytes, order);
  const answered = fault === "wrong-bytes" ? { ...blob, blobId: "A".repeat(43) } : blob;
  return json(200, certified ? alreadyCertified(answered, certified) : newlyCreated(answered, knobs.epoch));
}

/** Undefined when the body is too long. It is read to its end, so that the client can read the answer. */
async function bodyOf(request: IncomingMessage): Promise<Uint8Array | undefined> {
  const chunks: Uint8Array[] = [];
  let length = 0;
  for await (const chunk of request) {
    length += chunk.length;
    if (length <= BODY_LIMIT) chunks.push(chunk);
  }
  return length <= BODY_LIMIT ? Buffer.concat(chunks) : undefined;
}

function orderOf(query: URLSearchParams): StoreOrder | string {
  const unknown = [...query.keys()].find((name) => !PARAMETERS.has(name));
  if (unknown !== undefined) return `unknown field \`${unknown}\``;
  const epochs = query.get("epochs") ?? "1";
  if (!/^[1-9]\d?$/.test(epochs) || Number(epochs) > MAX_EPOCHS) return "epochs must be from 1 to 53";
  const flag = (name: string) => query.get(name) === "true";
  return {
    epochs: Number(epochs),
    permanent: flag("permanent"),
    force: flag("force"),
    reuse: flag("reuse_resources"),
  };
}
