// Where the reader was on a page, for when the reader goes back to it. The browser would look before the page's lists are
// there, and land near the top.

/** Not in the types of all compilers yet. Browsers without it restore positions as they do by themselves. */
const { navigation } = globalThis as {
  readonly navigation?: { readonly currentEntry: { readonly key: string } | null };
};

/** By entry of the history. */
const positions = new Map<string, number>();
/** How long a page may take to be as high as it was. */
const LONGEST_MS = 3_000;

let isBack = false;
let restoring = new AbortController();

/** Whether the reader came here by going back or forward, so that lists begin as they were left. */
export const cameBack = (): boolean => isBack;

/** Call it once. */
export function keepScrollPositions(): void {
  const keyOf = () => navigation?.currentEntry?.key;
  addEventListener("popstate", () => {
    isBack = true;
    const top = positions.get(keyOf() ?? "");
    if (top !== undefined) restore(top);
  });
  for (const name of ["pushState", "replaceState"])
    addEventListener(name, () => {
      isBack = false;
      restoring.abort();
    });
  if (navigation === undefined) return;
  history.scrollRestoration = "manual";
  addEventListener("pagehide", () => {
    history.scrollRestoration = "auto";
  });
  restoring.abort();
  addEventListener("scroll", () => {
    const key = keyOf();
    if (key !== undefined && restoring.signal.aborted) positions.set(key, scrollY);
  });
  // Whoever scrolls by hand wants to be elsewhere.
  for (const name of ["wheel", "touchstart", "keydown"]) addEventListener(name, () => restoring.abort());
}

function restore(top: number): void {
  restoring.abort();
  restoring = new AbortController();
  const { signal } = restoring;
  const deadline = performance.now() + LONGEST_MS;
  const step = () => {
    if (signal.aborted) return;
    scrollTo(0, top);
    const isThere = Math.abs(scrollY - top) < 1;
    if (isThere || performance.now() > deadline) requestAnimationFrame(() => restoring.abort());
    else requestAnimationFrame(step);
  };
  requestAnimationFrame(step);
}
