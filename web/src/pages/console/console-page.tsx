// /: the console. Choose an agent, open or close its gates, ask, and read the answer with its receipt.
import { useEffect, useRef } from "react";
import { Link } from "wouter";
import { pagePath } from "#contract/page-paths.ts";
import { memoriesSummary } from "#core/receipt/citations.ts";
import { ANSWERING_AGAIN, Withdrawn } from "#web/answers/answer-text.tsx";
import { consoleConversation, type Turn } from "#web/answers/conversation.ts";
import { useHasDemo } from "#web/api/queries.ts";
import { AsCode } from "#web/code/as-code.tsx";
import { useSearchParams } from "#web/lib/address.ts";
import { useStore } from "#web/lib/store.ts";
import { plural } from "#web/lib/strings.ts";
import { useAccess } from "#web/policy/use-access.ts";
import { useAgentsAndNamespaces } from "#web/policy/use-agents-and-namespaces.ts";
import { useKeptState } from "#web/session/kept-state.ts";
import { usePermissions } from "#web/session/permissions.ts";
import { Button } from "#web/ui/form.tsx";
import { lazyPart } from "#web/ui/lazy-part.tsx";
import { PageHeader, Skeleton } from "#web/ui/page.tsx";
import { Name } from "#web/ui/text.tsx";
import { AgentSelect, AskForm, FIRST_QUESTION } from "./ask-form.tsx";
import type { AnsweredTurn } from "./results.tsx";
import { GateScene } from "./scene/gate-scene.tsx";
import { SceneText } from "./scene/prompt-pane.tsx";

/** Where there is one: who has data of their own has other agents. */
const FIRST_AGENT = "assistant";

// What an answer needs is not needed before the first question.
const results = () => import("./results.tsx");
const SingleAnswer = lazyPart(async () => (await results()).SingleAnswer, <Skeleton lines={3} />);
const SingleReceipt = lazyPart(async () => (await results()).SingleReceipt, <Skeleton className="h-72" />);
const Change = lazyPart(async () => (await results()).Change, <Skeleton lines={3} />);
const Comparison = lazyPart(async () => (await results()).Comparison);

export default function ConsolePage() {
  const turns = useStore(consoleConversation.turns);
  const now = turns.at(-1);
  const [search] = useSearchParams();
  const { agentId: own, mayOpen } = usePermissions();
  const named = search.get("agent");
  const [chosen, setAgentId] = useKeptState(`agent ${named}`, () => own ?? named ?? now?.agentId);
  const agents = useAgentsAndNamespaces()?.agents;
  const agentId = chosen ?? (agents?.includes(FIRST_AGENT) === false ? agents[0] : undefined) ?? FIRST_AGENT;
  const hasDemo = useHasDemo();
  const [written, setQuery] = useKeptState("question", () => now?.query);
  const query = written ?? (hasDemo ? FIRST_QUESTION : "");
  const { version } = useAccess();
  const scene = useRef<HTMLDivElement>(null);

  const policyHasChanged =
    now?.receipt !== undefined && version !== undefined && now.receipt.evidence.policyVersion < version;
  const id = now?.id;
  useEffect(() => {
    if (id !== undefined) showScene(scene.current);
  }, [id]);
  const before = previousAnswer(turns);
  useEffect(() => void results().catch(() => undefined), []);

  return (
    <>
      <PageHeader
        title="Memory for AI agents, with a gate and a receipt"
        lede={
          own === undefined
            ? "Choose an agent, open or close its gates, and ask. Memories behind a closed gate never reach the model."
            : "You ask as your own agent. Memories behind a closed gate never reach the model."
        }
        actions={
          mayOpen("connect") && (
            <div className="flex flex-col gap-1 text-sm xl:items-end">
              {/* Its place is kept while nobody knows, so that nothing moves. */}
              <p className={hasDemo === undefined ? "invisible" : undefined}>
                {hasDemo !== false && now === undefined && (
                  <>
                    <Button
                      look="plain"
                      className="px-0!"
                      onClick={() => consoleConversation.ask({ agentId, query: FIRST_QUESTION })}
                    >
                      See the demo
                    </Button>
                    , or{" "}
                  </>
                )}
                <Link href={pagePath("begin")}>
                  {hasDemo !== false && now === undefined ? "begin with your own" : "Begin with your own"}
                </Link>
                {hasDemo !== false && now === undefined && "?"}
              </p>
              <Link href={pagePath("connect")}>Connect an agent</Link>
            </div>
          )
        }
      />
      {/* In the order of the story: the agent, the question, the gates, the prompt. */}
      <div className="grid gap-x-12 gap-y-5 lg:grid-cols-[minmax(20rem,5fr)_7fr] lg:grid-rows-[auto_auto_1fr]">
        {own === undefined ? <AgentSelect agentId={agentId} onChange={setAgentId} /> : <OwnAgent agentId={own} />}
        <div className="lg:col-start-1 lg:row-start-2">
          <AskForm
            agentId={agentId}
            query={query}
            onQuery={setQuery}
            onAsk={() => consoleConversation.ask({ agentId, query })}
            onStop={consoleConversation.stop}
            isAsking={now?.status === "asking"}
            label="Question"
            button={policyHasChanged && now.query === query ? "Ask again" : "Ask"}
            code={<AsCode route="chat" input={{ body: { agentId, query } }} />}
            isFirst={now === undefined}
            hasExamples={hasDemo}
          />
        </div>
        <GateScene ref={scene} agentId={agentId} turn={now} before={before} />
        {now !== undefined && (
          // One answer stands beside the scene, and on beside its receipt.
          <section
            aria-label="The answer"
            className={`border-line border-t pt-5 lg:col-start-1 lg:row-start-3 ${before === undefined ? "lg:row-span-2" : ""}`}
          >
            <h2 dir="auto" className="untrusted mb-4 font-serif text-lg text-soft">
              {now.query}
            </h2>
            {before === undefined ? <SingleAnswer turn={now} /> : <Change now={now} before={before} />}
          </section>
        )}
        {now !== undefined && before === undefined && (
          // Below an answer that grows, its place is kept and nothing is shown, so that nothing moves.
          <div className={`lg:col-start-2 lg:row-start-4 ${now.status === "asking" ? "max-lg:invisible" : ""}`}>
            <SingleReceipt turn={now} />
          </div>
        )}
      </div>
      {now !== undefined && before !== undefined && (
        <div className="mt-8">
          <Comparison now={now} before={before} />
        </div>
      )}
      <p role="status" className="sr-only">
        {now !== undefined && <Announcement turn={now} />}
      </p>
    </>
  );
}

/** How much of the answer is to be seen below the scene, in a window too narrow for both side by side. */
const ANSWER_PIXELS = 160;

/** Scrolls the scene to the top of the window, unless all of it and the beginning of the answer are in view. */
function showScene(scene: HTMLElement | null): void {
  if (scene === null) return;
  const { top, bottom } = scene.getBoundingClientRect();
  const isBeside = matchMedia("(min-width: 64rem)").matches;
  if (top >= 0 && bottom + (isBeside ? 0 : ANSWER_PIXELS) <= innerHeight) return;
  const isStill = matchMedia("(prefers-reduced-motion: reduce)").matches;
  scene.scrollIntoView({ block: "start", behavior: isStill ? "auto" : "smooth" });
}

/** An agent speaks as nobody else. */
const OwnAgent = ({ agentId }: { readonly agentId: string }) => (
  <p>
    <span className="block font-medium text-sm">Agent</span>
    <Name className="font-serif text-lg">{agentId}</Name>
  </p>
);

function previousAnswer(turns: readonly Turn[]): AnsweredTurn | undefined {
  const now = turns.at(-1);
  return turns
    .slice(0, -1)
    .findLast((turn): turn is AnsweredTurn => turn.query === now?.query && turn.receipt !== undefined);
}

const ANNOUNCED_CHARACTERS = 600;

/** For screen readers: the start and the end of an answer, not every word of it. */
function Announcement({ turn }: { readonly turn: Turn }) {
  const { status, text, gate, voided, receipt, agentId } = turn;
  if (status === "asking") {
    const last = voided.at(-1);
    if (last !== undefined && gate === undefined) return ANSWERING_AGAIN;
    if (gate === undefined) return "Asking.";
    return (
      <>
        {last?.gate !== undefined && <Withdrawn before={last.gate} now={gate} />} <SceneText gate={gate} />
      </>
    );
  }
  if (status !== "answered" || receipt === undefined) return status === "stopped" ? "Stopped." : "";
  return (
    <>
      Answered to <Name>{agentId}</Name>. Memories {memoriesSummary(receipt)}; closed:{" "}
      {plural(receipt.blockedCount ?? receipt.blockedNamespaces.length, "namespace")}.{" "}
      {text.slice(0, ANNOUNCED_CHARACTERS)}
    </>
  );
}
