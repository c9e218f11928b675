// /companion: a conversation with the health companion, beside the gates of the namespaces that it may use.
import { useEffect, useRef, useState } from "react";
import { COMPANION_AGENT } from "#core/identity/principal.ts";
import { memoriesSummary } from "#core/receipt/citations.ts";
import { AnswerText } from "#web/answers/answer-text.tsx";
import { companionConversation, type Turn } from "#web/answers/conversation.ts";
import { AsCode } from "#web/code/as-code.tsx";
import { useStore } from "#web/lib/store.ts";
import { plural } from "#web/lib/strings.ts";
import { AskForm } from "#web/pages/console/ask-form.tsx";
import { AgentGates } from "#web/policy/agent-gates.tsx";
import { AnchorActions } from "#web/receipt/anchor-actions.tsx";
import { ReceiptView } from "#web/receipt/receipt-view.tsx";
import { Disclosure, PageHeader, Section } from "#web/ui/page.tsx";

const ANNOUNCED_CHARACTERS = 600;

export default function CompanionPage() {
  const turns = useStore(companionConversation.turns);
  const last = turns.at(-1);
  const end = useRef<HTMLDivElement>(null);
  const [query, setQuery] = useState("");
  const send = (message: string) => companionConversation.ask({ agentId: COMPANION_AGENT, query: message });
  const id = last?.id;
  useEffect(() => {
    if (id !== undefined) end.current?.scrollIntoView({ block: "nearest" });
  }, [id]);

  return (
    <>
      <PageHeader title="Companion" lede="A health companion. It uses only the namespaces that you open to it." />
      <div className="grid gap-x-16 gap-y-10 lg:grid-cols-[1fr_19rem]">
        <Section title="What it may use" className="lg:sticky lg:top-6 lg:order-last lg:self-start">
          <AgentGates agentId={COMPANION_AGENT} layout="row" />
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
                <Exchange turn={turn} onRetry={() => send(turn.query)} />
              </li>
            ))}
          </ol>
          <div ref={end} className="mt-10 scroll-mb-8">
            <AskForm
              label="Message"
              placeholder="Is the restaurant on Friday safe for me?"
              button="Send"
              agentId={COMPANION_AGENT}
              query={query}
              onQuery={setQuery}
              onAsk={() => {
                send(query);
                setQuery("");
              }}
              onStop={companionConversation.stop}
              isAsking={last?.status === "asking"}
              code={<AsCode route="companion" input={{ body: { query } }} />}
            />
          </div>
        </section>
      </div>
      <p role="status" className="sr-only">
        {last?.status === "asking" && "The companion is answering."}
        {last?.status === "answered" && `The companion: ${last.text.slice(0, ANNOUNCED_CHARACTERS)}`}
      </p>
    </>
  );
}

function Exchange({ turn, onRetry }: { readonly turn: Turn; readonly onRetry: () => void }) {
  const { query, receipt } = turn;
  return (
    <>
      <h3 dir="auto" className="untrusted ml-auto w-fit max-w-[85%] whitespace-pre-line rounded-lg bg-well px-4 py-2.5">
        <span className="sr-only">You: </span>
        {query}
      </h3>
      <div className="mt-5">
        <AnswerText
          turn={turn}
          onRetry={onRetry}
          maxLength={1_200}
          clamp="line-clamp-[16]"
          className="font-serif text-[1.3125rem] leading-[1.5]"
        />
        {receipt !== undefined && (
          <Disclosure summary={summaryOf(receipt)} className="mt-2">
            <ReceiptView receipt={receipt} />
            <AnchorActions receipt={receipt} />
          </Disclosure>
        )}
      </div>
    </>
  );
}

function summaryOf(receipt: NonNullable<Turn["receipt"]>): string {
  const blocked = receipt.blockedCount ?? receipt.blockedNamespaces.length;
  return `Receipt: ${memoriesSummary(receipt)}; closed: ${plural(blocked, "namespace")}`;
}
