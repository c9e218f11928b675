// The button that opens the search over everything, which Ctrl-K and ⌘K open as well.
import { Search } from "lucide-react";
import { lazy, Suspense, useEffect, useState } from "react";

const CommandPalette = lazy(() => import("#web/palette/command-palette.tsx"));

const IS_APPLE = /mac|iphone|ipad/i.test(navigator.userAgent);

export function SearchButton() {
  const [isOpen, setOpen] = useState(false);
  useEffect(() => {
    function onKeyDown(event: KeyboardEvent): void {
      if (event.key.toLowerCase() !== "k" || !(event.ctrlKey || event.metaKey) || event.altKey || event.shiftKey)
        return;
      event.preventDefault();
      // A dialog that is open asks for an answer first.
      if (document.querySelector("dialog[open]") === null) setOpen(true);
    }
    addEventListener("keydown", onKeyDown);
    return () => removeEventListener("keydown", onKeyDown);
  }, []);
  return (
    <>
      <button
        type="button"
        aria-keyshortcuts="Control+K Meta+K"
        title={IS_APPLE ? "Search (⌘K)" : "Search (Ctrl-K)"}
        onClick={() => setOpen(true)}
        className="inline-flex min-h-11 items-center gap-2 rounded-md px-2.5 text-sm text-soft hover:bg-well hover:text-ink"
      >
        <Search className="size-4.5" aria-hidden="true" />
        <span className="sr-only xl:not-sr-only">Search</span>
        <kbd className="hidden rounded-sm border border-line px-1.5 text-xs xl:pointer-fine:inline">
          {IS_APPLE ? "⌘K" : "Ctrl K"}
        </kbd>
      </button>
      {isOpen && (
        <Suspense>
          <CommandPalette onClose={() => setOpen(false)} />
        </Suspense>
      )}
    </>
  );
}
