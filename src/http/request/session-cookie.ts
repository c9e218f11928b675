// The cookie of a session. Its prefix makes a browser keep it to this host and to TLS (RFC 6265bis, 4.1.3). On this
// machine there may be no TLS, and the name has no prefix. Below a base path the cookie goes to that path only, because
// other services share the host; `__Host-` does not allow that, so the prefix keeps it to TLS alone.
import type { ClientConnection } from "#http/edge/client-connection.ts";

const SESSION_ID = /^[\w-]{43}$/;

const isSecure = (client: ClientConnection): boolean => client.secureOrigin().startsWith("https:");

function nameFor(client: ClientConnection): string {
  if (!isSecure(client)) return "portcullis";
  return client.basePath === "" ? "__Host-portcullis" : "__Secure-portcullis";
}

/** The id in the request's cookie; undefined when there is none that could be one. */
export function sessionIdOf(request: Request, client: ClientConnection): string | undefined {
  const header = request.headers.get("cookie");
  if (header === null) return undefined;
  const prefix = `${nameFor(client)}=`;
  const cookies = header.split(";").map((cookie) => cookie.trim());
  const value = cookies.find((cookie) => cookie.startsWith(prefix))?.slice(prefix.length);
  return value !== undefined && SESSION_ID.test(value) ? value : undefined;
}

/** The header that sets the cookie. With an empty id and no age, it removes it. */
export function sessionCookie(client: ClientConnection, id: string, maxAgeSeconds: number): string {
  const secure = isSecure(client) ? "; Secure" : "";
  const path = client.basePath || "/";
  return `${nameFor(client)}=${id}; Path=${path}; Max-Age=${maxAgeSeconds}; HttpOnly; SameSite=Strict${secure}`;
}
