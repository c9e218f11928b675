// The path under which this browser sees the service, `/memory` for example; empty for `/`. The service writes it into
// the page.
export const BASE_PATH: string =
  (typeof document === "undefined" ? undefined : document.documentElement.dataset.basePath) ?? "";

/** Where this browser sees the service. */
export const baseUrl = (): string => `${location.origin}${BASE_PATH}`;

/** A path as the router knows it, which adds the base path itself. */
export const routePath = (pathname: string): string =>
  pathname === BASE_PATH ? "/" : pathname.startsWith(`${BASE_PATH}/`) ? pathname.slice(BASE_PATH.length) : pathname;
