// /: the console. Choose an agent, open or close its gates, ask, and read the answer with its receipt.
import { useEffect, useRef, useState } from "react";
import { memoriesSummary } from "#core/receipt/citations.ts";
import { ANSWERING_AGAIN } from "#web/answers/answer-text.tsx";
import { consoleConversation, type Turn } from "#web/answers/conversation.ts";
import { plural } from "#web/lib/plural.ts";
import { useStore } from "#web/lib/store.ts";
import { useSearchParams } from "#web/lib/use-search-params.ts";
import { AgentGates } from "#web/policy/agent-gates.tsx";
import { useAccess } from "#web/policy/use-access.ts";
import { usePermissions } from "#web/session/use-permissions.ts";
import { PageHeader, Section } from "#web/ui/page-header.tsx";
import { Name } from "#web/ui/text/untrusted-text.tsx";
import { AgentSelect } from "./agent-select.tsx";
import { AskForm, FIRST_QUESTION } from "./ask-form.tsx";
import { HowItWorks } from "./how-it-works.tsx";
import { Results } from "./results.tsx";

const FIRST_AGENT = "assistant";

export function ConsolePage() {
  const turns = useStore(consoleConversation.turns);
  const now = turns.at(-1);
  const [search] = useSearchParams();
  const { agentId: own } = usePermissions();
  const [agentId, setAgentId] = useState(own ?? search.get("agent") ?? now?.agentId ?? FIRST_AGENT);
  const [query, setQuery] = useState(now?.query ?? FIRST_QUESTION);
  const { version } = useAccess();
  const results = useRef<HTMLDivElement>(null);

  const policyHasChanged =
    now?.receipt !== undefined && version !== undefined && now.receipt.evidence.policyVersion < version;
  const id = now?.id;
  useEffect(() => {
    if (id !== undefined) results.current?.scrollIntoView({ block: "nearest" });
  }, [id]);

  return (
    <>
      <PageHeader
        title="Ask through the gate"
        lede={
          own === undefined
            ? "Choose an agent and the namespaces that it may use. Memories in a closed namespace never reach the model, and every answer comes with a receipt of what was used."
            : "You ask as your own agent. Memories in a closed namespace never reach the model, and every answer comes with a receipt of what was used."
        }
      />
      {/* In the order of the steps: the agent, what it may use, the question. */}
      <div className="grid gap-x-12 gap-y-5 lg:grid-cols-[minmax(20rem,5fr)_7fr] lg:grid-rows-[auto_1fr]">
        {own === undefined ? <AgentSelect agentId={agentId} onChange={setAgentId} /> : <OwnAgent agentId={own} />}
        <Section
          title={own === undefined ? "What it may use" : "What you may use"}
          lede="A raised grille is open, a lowered one closed."
          className="self-start rounded-lg border border-line bg-card p-5 pb-3 sm:p-6 sm:pb-3 lg:row-span-2"
        >
          {agentId === "" ? (
            <p className="text-sm text-soft">Enter the agent’s name first.</p>
          ) : (
            <AgentGates key={agentId} agentId={agentId} layout="stack" />
          )}
        </Section>
        <AskForm
          agentId={agentId}
          query={query}
          onQuery={setQuery}
          onAsk={() => consoleConversation.ask({ agentId, query })}
          onStop={consoleConversation.stop}
          isAsking={now?.status === "asking"}
          isOutdated={policyHasChanged && now.query === query}
        />
      </div>
      <div ref={results} className="scroll-mt-4">
        {now === undefined && <HowItWorks />}
        {now !== undefined && (
          <section aria-label="The answer" className="mt-10 border-line border-t pt-8">
            <h2 dir="auto" className="untrusted mb-6 max-w-[52rem] font-serif text-soft text-xl italic">
              {now.query}
            </h2>
            <Results now={now} before={previousAnswer(turns)} />
          </section>
        )}
      </div>
      <p role="status" className="sr-only">
        {now !== undefined && <Announcement turn={now} />}
      </p>
    </>
  );
}

/** An agent speaks as nobody else. */
const OwnAgent = ({ agentId }: { readonly agentId: string }) => (
  <p>
    <span className="block font-medium text-sm">Agent</span>
    <Name className="font-serif text-lg">{agentId}</Name>
  </p>
);

/** The last answer before this one to the same question. */
function previousAnswer(turns: readonly Turn[]): Turn | undefined {
  const now = turns.at(-1);
  return turns.slice(0, -1).findLast(({ query, status }) => query === now?.query && status === "answered");
}

const ANNOUNCED_CHARACTERS = 600;

/** For screen readers: the start and the end of an answer, not every word of it. */
function Announcement({ turn }: { readonly turn: Turn }) {
  const { status, restarted, text, receipt, agentId } = turn;
  if (status === "asking") return restarted ? ANSWERING_AGAIN : "Answering.";
  if (status !== "answered" || receipt === undefined) return status === "stopped" ? "Stopped." : "";
  return (
    <>
      Answered to <Name>{agentId}</Name>. Memories {memoriesSummary(receipt)}; blocked:{" "}
      {plural(receipt.blockedCount ?? receipt.blockedNamespaces.length, "namespace")}.{" "}
      {text.slice(0, ANNOUNCED_CHARACTERS)}
    </>
  );
}
