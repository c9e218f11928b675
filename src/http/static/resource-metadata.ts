import { type HttpReply, jsonReply } from "#http/answer/reply.ts";
import type { ClientConnection } from "#http/edge/client-connection.ts";
import type { Identities } from "#service/identity/identities.ts";

/**
 * Protected-resource metadata (RFC 9728): how an OAuth client learns whose tokens this service takes. `path` is that of the
 * resource below the service, empty for the whole of it.
 */
export function resourceMetadata({ tokens }: Identities, client: ClientConnection, path: string): HttpReply {
  // An issuer that follows RFC 8707 puts the resource into `aud`, so an audience that is a URL is the resource.
  const audience = tokens && /^https?:\/\//i.test(tokens.audience) ? tokens.audience : undefined;
  return jsonReply({
    resource: audience ?? client.secureOrigin() + client.basePath + path,
    ...(tokens && { authorization_servers: [tokens.issuer] }),
    bearer_methods_supported: ["header"],
    resource_name: "Portcullis",
  });
}
