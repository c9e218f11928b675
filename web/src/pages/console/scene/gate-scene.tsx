// The gate at work: the gates of the agent above, and below them the prompt that leaves. A memory that passes travels from
// its gate into the prompt. Of what is behind a closed gate the page knows nothing but the name, and an admin the number.
import { type Ref, type RefObject, useLayoutEffect, useMemo, useRef } from "react";
import type { GateEvent } from "#contract/routes.ts";
import type { Turn } from "#web/answers/conversation.ts";
import { useOverview } from "#web/api/queries.ts";
import { AgentGates } from "#web/policy/agent-gates.tsx";
import { usePermissions } from "#web/session/permissions.ts";
import { Section } from "#web/ui/page.tsx";
import { PromptPane } from "./prompt-pane.tsx";

interface GateSceneProps {
  readonly agentId: string;
  /** The last question, whichever agent asked. */
  readonly turn: Turn | undefined;
  readonly before: Turn | undefined;
  readonly ref: Ref<HTMLDivElement>;
}

export function GateScene({ agentId, turn, before, ref }: GateSceneProps) {
  const { agentId: own } = usePermissions();
  const scene = useRef<HTMLDivElement>(null);
  const sizes = useNamespaceSizes(turn?.gate);
  useCardFlights(scene, turn?.gate?.answerId);
  return (
    <div ref={ref} data-scene className="scroll-mt-3 self-start lg:col-start-2 lg:row-span-3 lg:row-start-1">
      <div ref={scene} className="rounded-lg border border-line bg-card p-4 sm:p-6">
        <Section title={own === undefined ? "What it may use" : "What you may use"} className="">
          {agentId === "" ? (
            <p className="text-sm text-soft">Enter the agent’s name first.</p>
          ) : (
            <AgentGates key={agentId} agentId={agentId} layout="stack" sizes={sizes} />
          )}
        </Section>
        <PromptPane turn={turn} before={before} />
      </div>
    </div>
  );
}

/** How many memories each namespace has, as far as the caller may know: from the overview, and newer from the gate. */
function useNamespaceSizes(gate: GateEvent | undefined): ReadonlyMap<string, number> {
  const counts = useOverview().data?.memories.byNamespace;
  return useMemo(
    () =>
      new Map([
        ...(counts ?? []).map(({ namespace, count }) => [namespace, count] as const),
        ...(gate?.blockedSizes ?? []).map(({ namespace, memories }) => [namespace, memories] as const),
      ]),
    [counts, gate],
  );
}

const FLIGHT_MS = 460;
const STAGGER_MS = 26;
/** However many cards there are, the last one sets off after this. */
const LAST_START_MS = 300;
const SCALE = 0.26;

/** A flight for every card that was not there before. `answerId` is of the prompt that the cards are in. */
function useCardFlights(scene: RefObject<HTMLElement | null>, answerId: string | undefined): void {
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
