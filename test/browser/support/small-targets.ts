// Targets of at least 24 by 24 pixels, or far enough from each other (WCAG 2.2, 2.5.8). The rule of axe-core for this takes
// longer than all its others together, so in `npm test` this one takes its place.
import type { Page } from "playwright-core";
import { expect } from "vitest";

export async function expectLargeTargets(page: Page): Promise<void> {
  expect(await page.evaluate(smallTargets), "targets that are too small and too close").toEqual([]);
}

/** Runs in the page. */
function smallTargets(): string[] {
  const SIZE = 24;
  // What is 23.99 was drawn as 24.
  const TOLERANCE = 0.05;
  const TARGETS = `a[href], button, input:not([type=hidden]), select, textarea, summary, [tabindex]:not([tabindex^="-"]),
    ${["button", "link", "checkbox", "radio", "switch", "tab", "menuitem", "option", "slider"].map((role) => `[role=${role}]`).join()}`;

  /** Of a text: its height is that of the line. */
  function isInText(element: Element): boolean {
    if (getComputedStyle(element).display !== "inline") return false;
    let block = element.parentElement;
    while (block !== null && getComputedStyle(block).display === "inline") block = block.parentElement;
    return block !== null && (block.textContent?.trim().length ?? 0) > (element.textContent?.trim().length ?? 0);
  }

  /** What stays in place while the page scrolls lies over the rest only for a moment. */
  function isFixed(element: Element): boolean {
    const { position } = getComputedStyle(element);
    return (
      position === "fixed" ||
      position === "sticky" ||
      (element.parentElement !== null && isFixed(element.parentElement))
    );
  }

  // What is behind a modal dialog is no target.
  const shown = document.querySelector("dialog:modal") ?? document;
  const targets = Array.from(shown.querySelectorAll(TARGETS))
    .filter(
      (element) => element.checkVisibility() && !element.matches(":disabled") && element.closest("[inert]") === null,
    )
    .map((element) => ({ element, box: element.getBoundingClientRect(), fixed: isFixed(element) }))
    // For screen readers alone, or outside of what can be scrolled to.
    .filter(({ box }) => box.width > 1 && box.height > 1 && box.right > 0 && box.bottom + scrollY > 0);
  const isSmall = ({ box }: (typeof targets)[number]) => Math.min(box.width, box.height) < SIZE - TOLERANCE;
  const centreOf = (box: DOMRect) => [box.x + box.width / 2, box.y + box.height / 2] as const;

  function isClose(one: (typeof targets)[number], other: (typeof targets)[number]): boolean {
    const isOther = one !== other && one.fixed === other.fixed;
    if (!isOther || one.element.contains(other.element) || other.element.contains(one.element)) return false;
    const [x, y] = centreOf(one.box);
    const { left, right, top, bottom } = other.box;
    const nearest = [Math.max(left, Math.min(x, right)), Math.max(top, Math.min(y, bottom))] as const;
    const distanceTo = ([toX, toY]: readonly [number, number]) => Math.hypot(toX - x, toY - y);
    if (distanceTo(nearest) < SIZE / 2 - TOLERANCE) return true;
    return isSmall(other) && distanceTo(centreOf(other.box)) < SIZE - TOLERANCE;
  }

  return targets
    .filter((target) => isSmall(target) && !isInText(target.element) && targets.some((other) => isClose(target, other)))
    .map(({ element, box }) => `${Math.round(box.width)}×${Math.round(box.height)} ${element.outerHTML.slice(0, 200)}`);
}
