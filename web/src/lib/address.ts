// The address of the page: the path that the service is at, the name at its end, and the query.
import { useCallback, useMemo } from "react";
import { useLocation, useSearch } from "wouter";
import { orUndefined } from "#core/defined.ts";

// The path under which this browser sees the service, `/memory` for example; empty for `/`. The service writes it into
// the page.
export const BASE_PATH: string =
  (typeof document === "undefined" ? undefined : document.documentElement.dataset.basePath) ?? "";

/** Where this browser sees the service. */
export const baseUrl = (): string => `${location.origin}${BASE_PATH}`;

/** A path as the router knows it, which adds the base path itself. */
export const routePath = (pathname: string): string =>
  pathname === BASE_PATH ? "/" : pathname.startsWith(`${BASE_PATH}/`) ? pathname.slice(BASE_PATH.length) : pathname;

/** Undefined if malformed. `URL.parse` is newer than some browsers that the app is built for. */
export const parseUrl = (text: string, base?: string): URL | undefined =>
  URL.canParse(text, base) ? new URL(text, base) : undefined;

/** The name at the end of the path, decoded. wouter uses `decodeURI`, which cannot tell `a/b` from `a%2Fb`. */
export function usePathParameter(): string {
  // Subscribes to changes of the path; its value is not used.
  useLocation();
  return lastSegment(window.location.pathname);
}

export function lastSegment(pathname: string): string {
  const segment = pathname.replace(/\/$/, "").split("/").at(-1) ?? "";
  return orUndefined(() => decodeURIComponent(segment)) ?? segment;
}

type Init = URLSearchParams | Readonly<Record<string, string>>;
type Change = Init | ((before: URLSearchParams) => Init);

/** The query of the URL. wouter's own hook decodes it twice, so that the name `50%25` becomes `50%`. */
export function useSearchParams() {
  // Subscribes to changes of the query; its value is not used.
  useSearch();
  const [, navigate] = useLocation();
  const { search } = window.location;
  const params = useMemo(() => new URLSearchParams(search), [search]);
  const set = useCallback(
    (change: Change, options: { readonly replace?: boolean } = {}) => {
      const init = typeof change === "function" ? change(new URLSearchParams(window.location.search)) : change;
      const next = new URLSearchParams(init);
      navigate(`${routePath(window.location.pathname)}${next.size === 0 ? "" : `?${next}`}`, options);
    },
    [navigate],
  );
  return [params, set] as const;
}
