// The filters in the URL. The router decodes a search twice, so that a name such as `50%25` would come out as `50%`;
// here it is read as the browser has it.
import { useCallback, useMemo } from "react";
import { useLocation, useSearch } from "wouter";

type Init = URLSearchParams | Readonly<Record<string, string>>;
type Change = Init | ((before: URLSearchParams) => Init);

export function useSearchParams() {
  // Only to hear of changes.
  useSearch();
  const [, navigate] = useLocation();
  const { search } = window.location;
  const params = useMemo(() => new URLSearchParams(search), [search]);
  const set = useCallback(
    (change: Change, options: { readonly replace?: boolean } = {}) => {
      const init = typeof change === "function" ? change(new URLSearchParams(window.location.search)) : change;
      const next = new URLSearchParams(init);
      navigate(`${window.location.pathname}${next.size === 0 ? "" : `?${next}`}`, options);
    },
    [navigate],
  );
  return [params, set] as const;
}
