// The console: who asks, which gates are open, the question, and the answer with its receipt.
import { useEffect, useRef, useState } from "react";
import { consoleAsking, type Turn, useTurns } from "#web/answers/conversation.ts";
import { useSearchParams } from "#web/lib/use-search-params.ts";
import { GateStrip } from "#web/policy/agent-gates.tsx";
import { useAccess } from "#web/policy/use-access.ts";
import { PageHeader, Section } from "#web/ui/page-header.tsx";
import { Name } from "#web/ui/text/untrusted-text.tsx";
import { AgentChoice } from "./agent-select.tsx";
import { AskForm, FIRST_QUESTION } from "./ask-form.tsx";
import { HowItWorks } from "./how-it-works.tsx";
import { Results } from "./results.tsx";

const FIRST_AGENT = "assistant";

export function ConsolePage() {
  const turns = useTurns(consoleAsking);
  const now = turns.at(-1);
  const [search] = useSearchParams();
  const [agentId, setAgentId] = useState(search.get("agent") ?? now?.agentId ?? FIRST_AGENT);
  const [query, setQuery] = useState(now?.query ?? FIRST_QUESTION);
  const { version } = useAccess();
  const results = useRef<HTMLDivElement>(null);

  const changedSince =
    now?.receipt !== undefined && version !== undefined && now.receipt.evidence.policyVersion < version;
  const id = now?.id;
  useEffect(() => {
    if (id !== undefined) results.current?.scrollIntoView({ block: "nearest" });
  }, [id]);

  return (
    <>
      <PageHeader
        title="Ask through the gate"
        lede="Choose who asks, and which gates stand open. What is behind a closed gate never reaches the model, and every answer comes with a receipt of what was used."
      />
      {/* In the order of the story: who asks, what it may use, the question. */}
      <div className="grid gap-x-12 gap-y-5 lg:grid-cols-[minmax(20rem,5fr)_7fr] lg:grid-rows-[auto_1fr]">
        <AgentChoice agentId={agentId} onChange={setAgentId} />
        <Section
          title="What it may use"
          lede="A raised grille is open, a lowered one closed."
          className="self-start rounded-lg border border-line bg-card p-5 pb-3 sm:p-6 sm:pb-3 lg:row-span-2"
        >
          {agentId === "" ? (
            <p className="text-sm text-soft">Name the agent first.</p>
          ) : (
            <GateStrip key={agentId} agentId={agentId} layout="stack" />
          )}
        </Section>
        <AskForm
          agentId={agentId}
          query={query}
          onQuery={setQuery}
          onAsk={() => consoleAsking.ask({ agentId, query })}
          onStop={consoleAsking.stop}
          isAsking={now?.status === "asking"}
          askAgain={changedSince && now.query === query}
        />
      </div>
      <div ref={results} className="scroll-mt-4">
        {now === undefined && <HowItWorks />}
        {now !== undefined && (
          <section aria-label="The answer" className="mt-10 border-line border-t pt-8">
            <h2 dir="auto" className="outside mb-6 max-w-[52rem] font-serif text-soft text-xl italic">
              {now.query}
            </h2>
            <Results now={now} before={beforeOf(turns)} />
          </section>
        )}
      </div>
      <p role="status" className="sr-only">
        {now !== undefined && <Said turn={now} />}
      </p>
    </>
  );
}

/** The last answer before this one to the same question. */
function beforeOf(turns: readonly Turn[]): Turn | undefined {
  const now = turns.at(-1);
  return turns.slice(0, -1).findLast(({ query, status }) => query === now?.query && status === "answered");
}

const SAID = 600;

/** For those who listen: that it began, and the whole when it is there, never word by word. */
function Said({ turn }: { readonly turn: Turn }) {
  const { status, restarted, text, receipt, agentId } = turn;
  if (status === "asking") {
    return restarted ? "The policy changed; answering again without it." : "Answering.";
  }
  if (status !== "answered" || receipt === undefined) return status === "stopped" ? "Stopped." : "";
  return (
    <>
      Answered to <Name>{agentId}</Name> with {receipt.usedMemories.length} memories; {receipt.blockedNamespaces.length}{" "}
      namespaces were blocked. {text.slice(0, SAID)}
    </>
  );
}
