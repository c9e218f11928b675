/**
 * A `ref` of a placeholder: its header or section is marked as loading while the placeholder is there, and what follows
 * is invisible (base.css). The style sheet does not look for placeholders itself (`:has`): the browser would compute the
 * styles of a whole table again with each row that is scrolled into sight.
 */
export function markLoading(placeholder: HTMLElement | null): (() => void) | undefined {
  const part = placeholder?.closest("header") ?? placeholder?.parentElement ?? null;
  if (part === null) return;
  count(part, 1);
  return () => count(part, -1);
}

/** A part of the page may have several placeholders. */
function count(part: HTMLElement, change: number): void {
  const loading = Number(part.dataset.loading ?? 0) + change;
  if (loading === 0) delete part.dataset.loading;
  else part.dataset.loading = String(loading);
}
