// The query of the URL. wouter's own hook decodes it twice, so that the name `50%25` becomes `50%`; this one decodes it
// once.
import { useCallback, useMemo } from "react";
import { useLocation, useSearch } from "wouter";
import { routePath } from "./base-path.ts";

type Init = URLSearchParams | Readonly<Record<string, string>>;
type Change = Init | ((before: URLSearchParams) => Init);

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
