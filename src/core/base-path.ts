// The path under which clients see this service, `/memory` for `https://example.org/memory/`. Empty: a host of its own.

const SEGMENTS = /^(?:\/[\w~-][\w.~-]*)+$/;
const LONGEST = 200;

/** Letters, digits and `._~-` need no escape in a URL, in HTML and in a header. No segment begins with a dot. */
const isBasePath = (path: string): boolean => path.length <= LONGEST && SEGMENTS.test(path);

/** `/memory/` and `/memory` are the same, and `/` means no base path. Undefined if malformed. */
export function basePathOf(text: string): string | undefined {
  const path = text.trim().replace(/\/+$/, "");
  return path === "" || isBasePath(path) ? path : undefined;
}

/** The URL of a request below the base path. A URL that is not below it stays: the proxy has taken the path away. */
export function withoutBasePath(url: string, basePath: string): string {
  if (basePath === "" || !url.startsWith(basePath)) return url;
  const rest = url.slice(basePath.length);
  if (rest === "" || rest.startsWith("?")) return `/${rest}`;
  return rest.startsWith("/") ? rest : url;
}

/** A link to a page of ours, made absolute. Links to elsewhere are absolute already. */
export const absoluteUrl = (baseUrl: string, link: string): string => (link.startsWith("/") ? baseUrl + link : link);
