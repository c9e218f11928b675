// The prompt that leaves: a card for each memory that passed the gate. What a change withdraws in the middle of an answer
// stays in its place, struck through.
import type { GateEvent } from "#contract/routes.ts";
import { type PromptMemory, type Turn, withdrawnBetween } from "#web/answers/conversation.ts";
import { classNames, plural } from "#web/lib/strings.ts";
import { useToggle } from "#web/ui/form.tsx";
import { lazyPart } from "#web/ui/lazy-part.tsx";
import { Disclosure, Skeleton } from "#web/ui/page.tsx";
import { Name, NameList } from "#web/ui/text.tsx";

const PromptBytes = lazyPart(
  async () => (await import("./prompt-bytes.tsx")).default,
  <Skeleton what="the prompt" className="h-64" />,
);

/** As many as there is room for: two rows of four or of three, or three rows of two. The rest is shown on request. */
const ROOM = { wide: 8, narrow: 6 } as const;

export function PromptPane({ turn, before }: { readonly turn: Turn | undefined; readonly before: Turn | undefined }) {
  const gate = turn?.gate ?? turn?.voided.at(-1)?.gate;
  const cards = cardsOf(turn);
  const [showsAll, toggle] = useToggle(`Show all ${cards.length}`, "Show fewer");
  const withdrawn = cards.filter(({ isWithdrawn }) => isWithdrawn).length;
  return (
    <section aria-labelledby="prompt" className="prompt-pane mt-3 rounded-md bg-well px-4 pt-3 pb-3">
      <div className="flex flex-wrap items-baseline justify-between gap-x-4">
        <h2 id="prompt" className="font-medium text-sm">
          {turn?.status === "answered" ? "The prompt that left" : "The prompt that leaves"}
        </h2>
        <p className="text-soft text-xs">
          {withdrawn > 0 && <span className="font-medium text-iron">{withdrawn} withdrawn</span>}
        </p>
      </div>
      <p className="prompt-line text-soft text-xs">
        {gate !== undefined ? <SceneText gate={gate} /> : turn === undefined ? AT_REST : "Deciding …"}
      </p>
      <ul className="prompt-cards mt-2" data-all={showsAll}>
        {cards.map(({ memory, isWithdrawn }) => (
          <PromptCard key={memory.memoryId} memory={memory} isWithdrawn={isWithdrawn} />
        ))}
        {gate === undefined && <AtRest />}
      </ul>
      {cards.length > ROOM.narrow && <p className={cards.length > ROOM.wide ? "" : "prompt-more"}>{toggle}</p>}
      <div className="mt-1 min-h-7">
        {turn?.gate !== undefined && (
          <Disclosure key={turn.id} summary="The exact bytes">
            <PromptBytes turn={turn} before={before} />
          </Disclosure>
        )}
      </div>
    </section>
  );
}

const AT_REST = "Ask. Each memory that passes an open gate appears here. The model gets nothing else.";

const AtRest = () =>
  ["a", "b", "c", "d"].map((place) => (
    <li key={place} aria-hidden="true" className="rounded-md border border-edge/50 border-dashed" />
  ));

interface Card {
  readonly memory: PromptMemory;
  readonly isWithdrawn: boolean;
}

/** Those of the last prompt, in its order, after those that a change in the middle of the answer withdrew. */
function cardsOf(turn: Turn | undefined): readonly Card[] {
  const last = turn?.voided.at(-1)?.gate;
  const now = turn?.gate;
  if (now === undefined) return (last?.memories ?? []).map((memory) => ({ memory, isWithdrawn: false }));
  const kept = now.memories.map((memory) => ({ memory, isWithdrawn: false }));
  if (last === undefined) return kept;
  const gone = new Set(withdrawnBetween(last, now).flatMap(({ memories }) => memories.map(({ memoryId }) => memoryId)));
  const known = new Set(last.memories.map(({ memoryId }) => memoryId));
  return [
    ...last.memories.map((memory) => ({ memory, isWithdrawn: gone.has(memory.memoryId) })),
    ...kept.filter(({ memory }) => !known.has(memory.memoryId)),
  ];
}

function PromptCard({ memory, isWithdrawn }: { readonly memory: PromptMemory; readonly isWithdrawn: boolean }) {
  const { memoryId, namespace, content } = memory;
  return (
    <li
      data-card={memoryId}
      data-namespace={namespace}
      className={classNames(
        "min-w-0 overflow-hidden rounded-md border px-2.5 py-1.5",
        isWithdrawn ? "withdrawn border-iron border-dashed bg-transparent" : "border-line bg-card shadow-lift",
      )}
    >
      <p className={classNames("flex items-baseline gap-1.5 text-xs", isWithdrawn ? "text-iron" : "text-pass")}>
        <Name className="truncate font-medium">{namespace}</Name>
        {isWithdrawn && <span className="flex-none">withdrawn</span>}
      </p>
      <p
        dir="auto"
        className={classNames(
          "untrusted line-clamp-2 font-serif text-[0.9375rem] leading-[1.25]",
          isWithdrawn && "text-soft line-through decoration-iron",
        )}
      >
        {content}
      </p>
    </li>
  );
}

const MAX_NAMED = 3;

/** "12 memories of 3 namespaces passed; health is closed." */
export function SceneText({ gate }: { readonly gate: GateEvent }) {
  const { memories, blockedNamespaces, blockedCount = blockedNamespaces.length } = gate;
  const namespaces = new Set(memories.map(({ namespace }) => namespace)).size;
  const passed =
    memories.length === 0
      ? "No memory passed"
      : `${plural(memories.length, "memory", "memories")} of ${plural(namespaces, "namespace")} passed`;
  if (blockedCount === 0) return `${passed}; no gate is closed.`;
  return (
    <>
      {passed}; {blockedCount <= MAX_NAMED ? <NameList names={blockedNamespaces} /> : plural(blockedCount, "namespace")}{" "}
      {blockedCount === 1 ? "is" : "are"} closed.
    </>
  );
}
