import { useEffect } from "react";

/** On paper nothing can be unfolded, so everything is; afterwards it is as it was. */
export function useUnfoldedPrint(): void {
  useEffect(() => {
    const paper = matchMedia("print");
    let unfolded: HTMLDetailsElement[] = [];
    const turn = () => {
      for (const fold of unfolded) fold.open = false;
      unfolded = paper.matches ? [...document.querySelectorAll<HTMLDetailsElement>("main details:not([open])")] : [];
      for (const fold of unfolded) fold.open = true;
    };
    paper.addEventListener("change", turn);
    turn();
    return () => paper.removeEventListener("change", turn);
  }, []);
}
