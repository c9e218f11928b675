// The health companion: a letter that is written on both sides. Its gates stand beside it, and closing one changes
// its next answer.
import { useEffect, useRef } from "react";
import { COMPANION_AGENT } from "#core/prompt/persona.ts";
import { companionAsking, type Turn, useTurns } from "#web/answers/conversation.ts";
import { GateStrip } from "#web/policy/agent-gates.tsx";
import { Anchoring } from "#web/receipt/anchor-actions.tsx";
import { ReceiptView } from "#web/receipt/receipt-view.tsx";
import { Fold } from "#web/ui/disclosure.tsx";
import { Gate } from "#web/ui/gate-icon.tsx";
import { PageHeader, Section } from "#web/ui/page-header.tsx";
import { ProblemNote } from "#web/ui/problem-note.tsx";
import { Skeleton } from "#web/ui/skeleton.tsx";
import { Clamped } from "#web/ui/text/untrusted-text.tsx";
import { Say } from "./message-form.tsx";

/** About sixteen lines. */
const LONG = 1_200;

export default function CompanionPage() {
  const turns = useTurns(companionAsking);
  const last = turns.at(-1);
  const end = useRef<HTMLDivElement>(null);
  const say = (query: string) => companionAsking.ask({ agentId: COMPANION_AGENT, query });
  const id = last?.id;
  useEffect(() => {
    if (id !== undefined) end.current?.scrollIntoView({ block: "nearest" });
  }, [id]);

  return (
    <>
      <PageHeader
        title="Companion"
        lede="It knows you through what you let it see. Close a gate, and its next answer does without, and says so."
      />
      <div className="grid gap-x-16 gap-y-10 lg:grid-cols-[1fr_19rem]">
        <Section title="What it may see" className="lg:sticky lg:top-6 lg:order-last lg:self-start">
          <GateStrip agentId={COMPANION_AGENT} layout="row" />
        </Section>
        <section aria-label="Conversation" className="w-full max-w-[44rem]">
          {turns.length === 0 && (
            <p className="mb-10 font-serif text-soft text-xl">
              How are you today? Ask about your days, your meals, your runs. I remember what you left open to me.
            </p>
          )}
          <ol className="flex flex-col gap-10">
            {turns.map((turn) => (
              <li key={turn.id}>
                <Exchange turn={turn} onRetry={() => say(turn.query)} />
              </li>
            ))}
          </ol>
          <div ref={end} className="scroll-mb-8">
            <Say onSay={say} isBusy={last?.status === "asking"} />
          </div>
        </section>
      </div>
      <p role="status" className="sr-only">
        {last?.status === "asking" && "The companion is answering."}
        {last?.status === "answered" && `The companion: ${last.text.slice(0, 600)}`}
      </p>
    </>
  );
}

function Exchange({ turn, onRetry }: { readonly turn: Turn; readonly onRetry: () => void }) {
  const { query, status, text, restarted, receipt, error } = turn;
  return (
    <>
      <h3 dir="auto" className="outside ml-auto w-fit max-w-[85%] whitespace-pre-line rounded-lg bg-well px-4 py-2.5">
        <span className="sr-only">You: </span>
        {query}
      </h3>
      <div className="mt-5">
        {restarted && (
          <p className="mb-3 flex items-center gap-2 text-sm text-soft">
            <Gate open={false} className="size-5" />
            The policy changed; answering again without it.
          </p>
        )}
        {status === "failed" && <ProblemNote error={error} onRetry={onRetry} />}
        {status === "asking" && text === "" && <Skeleton lines={2} />}
        <Clamped
          length={text.length}
          short={status === "asking" ? Number.POSITIVE_INFINITY : LONG}
          clamp="line-clamp-[16]"
          className="font-serif text-[1.3125rem] leading-[1.5]"
        >
          {text}
        </Clamped>
        {receipt !== undefined && (
          <div className="mt-2">
            <Fold summary={summary(receipt)}>
              <ReceiptView receipt={receipt} />
              <Anchoring receipt={receipt} />
            </Fold>
          </div>
        )}
      </div>
    </>
  );
}

function summary({ usedMemories, blockedNamespaces }: NonNullable<Turn["receipt"]>): string {
  const used = usedMemories.length === 1 ? "1 memory" : `${usedMemories.length} memories`;
  const blocked = blockedNamespaces.length === 1 ? "1 gate" : `${blockedNamespaces.length} gates`;
  return `Receipt: ${used} used, ${blocked} closed`;
}
