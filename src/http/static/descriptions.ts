import { readFile } from "node:fs/promises";
import { PortcullisError } from "#core/errors.ts";
import { compressed, type HttpReply, jsonReply, takesGzip } from "#http/answer/reply.ts";
import type { ClientConnection } from "#http/edge/client-connection.ts";
import type { Exchange } from "#http/exchange.ts";
import type { Identities } from "#service/identity/authenticator.ts";
import { MOST_BASE_PATHS } from "./app-files.ts";

// Files at the root of the repository and of the package.
const OPENAPI = new URL("../../../openapi.json", import.meta.url);
const LLMS = new URL("../../../llms.txt", import.meta.url);

/** openapi.json (`npm run openapi`). It is long, so its text is made once for each base path. */
export function apiDescription(): (exchange: Exchange) => Promise<HttpReply> {
  const replies = new Map<string, HttpReply>();
  return async ({ client: { basePath }, request }) => {
    const isZipped = takesGzip(request);
    const key = `${isZipped} ${basePath}`;
    const known = replies.get(key);
    if (known !== undefined) return known;
    const document = JSON.parse(await textOf(OPENAPI, "openapi.json"));
    const plain = jsonReply({ ...document, servers: [{ url: basePath || "/", description: "This service." }] });
    const reply = { ...(await compressed(plain, isZipped)), isShared: true };
    if (replies.size >= MOST_BASE_PATHS) replies.clear();
    replies.set(key, reply);
    return reply;
  };
}

/** What a language model reads first (llmstxt.org). */
export async function llmsText(): Promise<HttpReply> {
  const body = await textOf(LLMS, "llms.txt");
  return { headers: { "content-type": "text/plain; charset=utf-8", "cache-control": "no-cache" }, body };
}

function textOf(file: URL, name: string): Promise<string> {
  return readFile(file, "utf8").catch((cause) => {
    throw new PortcullisError("not-found", `This installation has no ${name}.`, { cause });
  });
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
