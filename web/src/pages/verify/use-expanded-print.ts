import { useEffect } from "react";

/** Opens every disclosure of the page for printing, and closes them again afterwards. */
export function useExpandedPrint(): void {
  useEffect(() => {
    const print = matchMedia("print");
    let opened: HTMLDetailsElement[] = [];
    const update = () => {
      for (const details of opened) details.open = false;
      opened = print.matches ? [...document.querySelectorAll<HTMLDetailsElement>("main details:not([open])")] : [];
      for (const details of opened) details.open = true;
    };
    print.addEventListener("change", update);
    update();
    return () => print.removeEventListener("change", update);
  }, []);
}
