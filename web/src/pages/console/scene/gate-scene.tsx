// The gate at work: the gates of the agent above, and below them the prompt that leaves. A memory that passes travels from
// its gate into the prompt. Of what is behind a closed gate the page knows nothing but the name, and an admin the number.
import { type Ref, useRef } from "react";
import type { Turn } from "#web/answers/conversation.ts";
import { AgentGates } from "#web/policy/agent-gates.tsx";
import { Section } from "#web/ui/page-header.tsx";
import { PromptPane } from "./prompt-pane.tsx";
import { useCardFlights } from "./use-card-flights.ts";
import { useNamespaceSizes } from "./use-namespace-sizes.ts";

interface GateSceneProps {
  readonly agentId: string;
  /** The caller is the agent itself. */
  readonly isOwn: boolean;
  /** The last question, whichever agent asked. */
  readonly turn: Turn | undefined;
  readonly before: Turn | undefined;
  readonly ref: Ref<HTMLDivElement>;
}

export function GateScene({ agentId, isOwn, turn, before, ref }: GateSceneProps) {
  const scene = useRef<HTMLDivElement>(null);
  const sizes = useNamespaceSizes(turn?.gate);
  useCardFlights(scene, turn?.gate?.answerId);
  return (
    <div ref={ref} data-scene className="scroll-mt-3 self-start lg:col-start-2 lg:row-span-3 lg:row-start-1">
      <div ref={scene} className="rounded-lg border border-line bg-card p-4 sm:p-6">
        <Section
          title={isOwn ? "What you may use" : "What it may use"}
          lede="A raised grille is open, a lowered one closed."
          className=""
        >
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
