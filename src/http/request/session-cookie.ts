// The cookie of a session. Its prefix makes a browser keep it to this host and to TLS (RFC 6265bis, 4.1.3.2). On this
// machine there may be no TLS, and the name has no prefix.
import { secureOrigin } from "./loopback.ts";

const SESSION_ID = /^[\w-]{43}$/;

const isSecure = (request: Request): boolean => secureOrigin(request).startsWith("https:");
const nameFor = (request: Request): string => (isSecure(request) ? "__Host-portcullis" : "portcullis");

/** The id in the request's cookie; undefined when there is none that could be one. */
export function sessionIdOf(request: Request): string | undefined {
  const header = request.headers.get("cookie");
  if (header === null) return undefined;
  const prefix = `${nameFor(request)}=`;
  const cookies = header.split(";").map((cookie) => cookie.trim());
  const value = cookies.find((cookie) => cookie.startsWith(prefix))?.slice(prefix.length);
  return value !== undefined && SESSION_ID.test(value) ? value : undefined;
}

/** The header that sets the cookie. With an empty id and no age, it removes it. */
export function sessionCookie(request: Request, id: string, maxAgeSeconds: number): string {
  const secure = isSecure(request) ? "; Secure" : "";
  return `${nameFor(request)}=${id}; Path=/; Max-Age=${maxAgeSeconds}; HttpOnly; SameSite=Strict${secure}`;
}
