import { readFile } from "node:fs/promises";
import { openApiDocument, servedUnder } from "#contract/openapi/document.ts";
import { PortcullisError } from "#core/errors.ts";
import { compressed, type HttpReply, jsonReply, takesGzip } from "#http/answer/reply.ts";
import type { ClientConnection } from "#http/edge/client-connection.ts";
import type { Exchange } from "#http/exchange.ts";
import type { Identities } from "#service/identity/authenticator.ts";
import { MOST_BASE_PATHS } from "./app-files.ts";

/** openapi.json. It is long, so its text is made once for each base path. */
export function apiDescription(version: string): (exchange: Exchange) => Promise<HttpReply> {
  let description: ReturnType<typeof openApiDocument> | undefined;
  const replies = new Map<string, HttpReply>();
  return async ({ client: { basePath }, request }) => {
    const isZipped = takesGzip(request);
    const key = `${isZipped} ${basePath}`;
    const known = replies.get(key);
    if (known !== undefined) return known;
    description ??= openApiDocument(version);
    const plain = jsonReply(servedUnder(basePath, description));
    const reply = { ...(await compressed(plain, isZipped)), isShared: true };
    if (replies.size >= MOST_BASE_PATHS) replies.clear();
    replies.set(key, reply);
    return reply;
  };
}

// llms.txt: what a language model reads first (llmstxt.org). The file is at the root of the repository and of the package.

const FILE = new URL("../../../llms.txt", import.meta.url);

export async function llmsText(): Promise<HttpReply> {
  const body = await readFile(FILE, "utf8").catch((cause) => {
    throw new PortcullisError("not-found", "This installation has no llms.txt. GET /openapi.json describes the API.", {
      cause,
    });
  });
  return { headers: { "content-type": "text/plain; charset=utf-8", "cache-control": "no-cache" }, body };
}

/** Protected-resource metadata (RFC 9728). `path` is that of the resource, empty for the whole service. */
export function resourceMetadata(
  { audience, issuer }: NonNullable<Identities["tokens"]>,
  client: ClientConnection,
  path: string,
): HttpReply {
  // An issuer that follows RFC 8707 puts the resource into `aud`, so an audience that is a URL is the resource.
  const isUrl = /^https?:\/\//i.test(audience);
  return jsonReply({
    resource: isUrl ? audience : client.secureOrigin() + client.basePath + path,
    authorization_servers: [issuer],
    bearer_methods_supported: ["header"],
    resource_name: "Portcullis",
  });
}
