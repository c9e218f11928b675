import { type HttpReply, jsonReply } from "#http/answer/reply.ts";
import { secureOrigin } from "#http/request/loopback.ts";
import type { Identities } from "#service/identity/identities.ts";

/** Protected-resource metadata (RFC 9728): how an OAuth client learns whose tokens this service takes. */
export function resourceMetadata({ tokens }: Identities, request: Request): HttpReply {
  // An issuer that follows RFC 8707 puts the resource into `aud`, so an audience that is a URL is the resource.
  const audience = tokens && /^https?:\/\//i.test(tokens.audience) ? tokens.audience : undefined;
  return jsonReply({
    resource: audience ?? secureOrigin(request),
    ...(tokens && { authorization_servers: [tokens.issuer] }),
    bearer_methods_supported: ["header"],
    resource_name: "Portcullis",
  });
}
