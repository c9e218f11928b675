// Where an issuer keeps its keys, by its metadata: OpenID Connect Discovery 1.0, or RFC 8414.
import { isTrustworthyUrl } from "#core/identity/issuer-url.ts";
import { orUndefined } from "#core/or-undefined.ts";
import { type IssuerFetch, issuerUnavailable } from "./issuer-fetch.ts";

export async function findKeySetUrl(issuer: string, fetch: IssuerFetch): Promise<string> {
  for (const url of metadataUrls(issuer)) {
    const { status, text } = await fetch(url);
    const found = status === 200 ? keySetUrlIn(text, issuer) : undefined;
    if (found !== undefined) return found;
  }
  throw issuerUnavailable(new Error("the issuer has no metadata of its own that names its keys"));
}

/** OpenID Connect appends the well-known path to the issuer's own. RFC 8414 puts it in front. */
function metadataUrls(issuer: string): string[] {
  const { origin, pathname } = new URL(issuer);
  const path = pathname.replace(/\/$/, "");
  return [
    `${origin}${path}/.well-known/openid-configuration`,
    `${origin}/.well-known/oauth-authorization-server${path}`,
  ];
}

/** RFC 8414, 3.3: metadata that names another issuer must not be used. */
function keySetUrlIn(text: string, issuer: string): string | undefined {
  const metadata: unknown = orUndefined(() => JSON.parse(text));
  if (typeof metadata !== "object" || metadata === null) return undefined;
  if (!("issuer" in metadata) || metadata.issuer !== issuer || !("jwks_uri" in metadata)) return undefined;
  const { jwks_uri: url } = metadata;
  return typeof url === "string" && isTrustworthyUrl(url) ? url : undefined;
}
