// The opening that the reader holds: from the fragment of the address, or entered on the page. No server sees it.
import { useEffect, useState } from "react";
import { readFragment } from "#web/receipt/opening-link.ts";

export interface HeldOpening {
  /** Whether the address was read. */
  readonly isRead: boolean;
  /** The canonical JSON of the opening; undefined when the reader has none. */
  readonly text?: string;
}

export function useOpening(): HeldOpening & { readonly enter: (text: string) => void } {
  const [opening, setOpening] = useState<HeldOpening>(() => ({ isRead: location.hash.length <= 1 }));
  useEffect(() => {
    let isCurrent = true;
    const read = async () => {
      const fragment = location.hash.slice(1);
      // "Skip to the page" goes to a place on the page. It is no opening, and takes none away.
      if (document.getElementById(fragment) !== null) return setOpening((before) => ({ ...before, isRead: true }));
      const text = fragment === "" ? undefined : await readFragment(fragment);
      if (isCurrent) setOpening({ isRead: true, ...(text !== undefined && { text }) });
    };
    const reread = () => void read();
    reread();
    addEventListener("hashchange", reread);
    return () => {
      isCurrent = false;
      removeEventListener("hashchange", reread);
    };
  }, []);
  return { ...opening, enter: (text) => setOpening({ isRead: true, text }) };
}
