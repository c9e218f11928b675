// Cards of memories fly from their gates to their places in the prompt (FLIP: they are in their places already, and each
// is drawn from its gate on). Only transform and opacity change, nothing waits for it, and without motion nothing flies.
import { type RefObject, useLayoutEffect, useRef } from "react";

const FLIGHT_MS = 460;
const STAGGER_MS = 26;
/** However many cards there are, the last one sets off after this. */
const LAST_START_MS = 300;
/** How large a card is while it is in its gate. */
const SCALE = 0.26;

/** A flight for every card that was not there before. `answerId` is of the prompt that the cards are in. */
export function useCardFlights(scene: RefObject<HTMLElement | null>, answerId: string | undefined): void {
  const landed = useRef<ReadonlySet<string>>(new Set());
  useLayoutEffect(() => {
    const cards = [...(scene.current?.querySelectorAll<HTMLElement>("[data-card]") ?? [])];
    const before = landed.current;
    landed.current = new Set(cards.map(({ dataset }) => dataset.card ?? ""));
    if (answerId === undefined || scene.current === null) return;
    if (matchMedia("(prefers-reduced-motion: reduce)").matches) return;
    const arriving = cards.filter(({ dataset }) => !before.has(dataset.card ?? ""));
    const stagger = Math.min(STAGGER_MS, LAST_START_MS / arriving.length);
    for (const [i, card] of arriving.entries()) fly(card, gateOf(scene.current, card), i * stagger);
  }, [scene, answerId]);
}

function gateOf(scene: HTMLElement, { dataset }: HTMLElement): Element {
  const gate = `[data-namespace="${CSS.escape(dataset.namespace ?? "")}"] .gate`;
  // A gate that the list does not show: the card comes from above all of them.
  return scene.querySelector(gate) ?? scene;
}

function fly(card: HTMLElement, gate: Element, delay: number): void {
  const [from, to] = [gate.getBoundingClientRect(), card.getBoundingClientRect()];
  const x = from.left + from.width / 2 - (to.left + to.width / 2);
  const middle = Math.min(from.height, from.width) / 2;
  const at = (y: number) => `translate(${x}px, ${from.top + y - (to.top + to.height / 2)}px) scale(${SCALE})`;
  card.animate(
    [
      { transform: at(middle), opacity: 0 },
      { transform: at(1.5 * middle), opacity: 1, offset: 0.28, easing: "cubic-bezier(0.3, 0, 0.1, 1)" },
      { transform: "none", opacity: 1 },
    ],
    { duration: FLIGHT_MS, delay, fill: "backwards", easing: "ease-out" },
  );
}
