// One answer with its receipt; or, when the same question was answered before, both answers and their difference.
import { type ComponentProps, type ReactNode, useId, useRef } from "react";
import type { GateEvent } from "#contract/routes.ts";
import { isCited } from "#core/receipt/citations.ts";
import type { UsedMemory } from "#core/receipt/receipt.ts";
import { AnswerText } from "#web/answers/answer-text.tsx";
import { consoleConversation, type Turn } from "#web/answers/conversation.ts";
import { AnchorActions } from "#web/receipt/anchor-actions.tsx";
import { ReceiptView } from "#web/receipt/receipt-view.tsx";
import { MemoryLink } from "#web/ui/links.tsx";
import { Skeleton } from "#web/ui/page.tsx";
import { Name, say, Timestamp } from "#web/ui/text.tsx";
import {
  additionNotes,
  DifferenceSummary,
  differenceOf,
  removalNotes,
  sentencesOnlyIn,
} from "./difference-summary.tsx";

export type AnsweredTurn = Turn & Required<Pick<Turn, "receipt">>;

interface CompareProps {
  readonly now: Turn;
  readonly before: AnsweredTurn;
}

export const SingleAnswer = ({ turn }: { readonly turn: Turn }) => (
  <Column title="Answer">
    <ConsoleAnswer turn={turn} />
    <DifferenceToVoid turn={turn} />
  </Column>
);

/** With what can be done with it, below: what that brings moves nothing. */
export const SingleReceipt = ({ turn: now }: { readonly turn: Turn }) => (
  <Column title="Receipt">
    <TurnReceipt turn={now} />
  </Column>
);

export function Change({ now, before }: CompareProps) {
  if (now.receipt === undefined) return now.status === "asking" ? <Skeleton className="h-44" /> : null;
  return (
    <DifferenceSummary difference={differenceOf(before.receipt, now.receipt)} agents={[before.agentId, now.agentId]} />
  );
}

export function Comparison({ before, now }: CompareProps) {
  const difference = now.receipt && differenceOf(before.receipt, now.receipt);
  return (
    <div className="grid gap-x-12 gap-y-8 lg:grid-cols-2">
      <Column title="Before">
        <ConsoleAnswer turn={before} marking={now.receipt && { other: now.text, hint: "(only before:) " }} />
      </Column>
      <Column title="Now">
        <ConsoleAnswer turn={now} marking={now.receipt && { other: before.text, hint: "(new:) " }} />
      </Column>
      <Column title="Receipt before">
        <ReceiptView
          receipt={before.receipt}
          opening={before.opening}
          notes={difference && now.receipt && removalNotes(difference, now.receipt)}
        />
      </Column>
      <Column title="Receipt now">
        <TurnReceipt turn={now} notes={difference && additionNotes(difference)} newlyBlocked={difference?.closed} />
      </Column>
    </div>
  );
}

/** What the change in the middle of the answer took away and added. */
function DifferenceToVoid({ turn: { gate, voided, receipt, agentId } }: { readonly turn: Turn }) {
  const before = voided.at(-1)?.gate;
  if (receipt === undefined || gate === undefined || before === undefined) return null;
  return (
    <div className="mt-6">
      <DifferenceSummary difference={differenceOf(givenBy(before), givenBy(gate))} agents={[agentId, agentId]} />
    </div>
  );
}

const givenBy = ({ memories, blockedNamespaces }: GateEvent) => ({ usedMemories: memories, blockedNamespaces });

interface TurnReceiptProps extends Pick<ComponentProps<typeof ReceiptView>, "notes" | "newlyBlocked"> {
  readonly turn: Turn;
}

function TurnReceipt({ turn: { status, receipt, opening }, ...comparison }: TurnReceiptProps) {
  if (receipt === undefined && status === "asking") return <Skeleton className="h-72" />;
  if (receipt === undefined)
    return <p className="text-sm text-soft">No answer was released, so there is no complete receipt.</p>;
  return (
    <>
      <ReceiptView receipt={receipt} opening={opening} {...comparison} />
      <AnchorActions key={receipt.answerId} receipt={receipt} />
    </>
  );
}

function Column({ title, children }: { readonly title: string; readonly children: ReactNode }) {
  const id = useId();
  return (
    <section aria-labelledby={id} className="min-w-0">
      <h3 id={id} className="mb-2 font-medium text-sm">
        {title}
      </h3>
      {children}
    </section>
  );
}

interface Marking {
  /** The other answer. What it does not say is marked. */
  readonly other: string;
  /** A text before each mark, for screen readers. */
  readonly hint: string;
}

interface ConsoleAnswerProps {
  readonly turn: Turn;
  readonly marking?: Marking | undefined;
}

/** An answer of the console. In a comparison, the sentences that only this answer has are marked. */
function ConsoleAnswer({ turn, marking }: ConsoleAnswerProps) {
  const { agentId, query, text, receipt } = turn;
  const container = useRef<HTMLDivElement>(null);
  return (
    <div ref={container} tabIndex={-1}>
      <AnswerText
        turn={turn}
        onRetry={() => {
          // The note with the button goes away. The answer comes here.
          container.current?.focus({ preventScroll: true });
          consoleConversation.ask({ agentId, query });
        }}
        maxLength={900}
        clamp="line-clamp-[12]"
        className="max-w-[42rem] font-serif text-[1.375rem] leading-[1.45]"
      >
        {marking && <MarkedText text={text} {...marking} />}
      </AnswerText>
      {receipt !== undefined && <Citations memories={receipt.usedMemories.filter(isCited)} />}
      {receipt !== undefined && (
        <p className="mt-3 text-soft text-xs">
          Answered to <Name className="font-medium text-ink">{receipt.agentId}</Name> at{" "}
          <Timestamp at={receipt.createdAt} /> under policy version{" "}
          <span className="font-mono">{receipt.evidence.policyVersion}</span>
        </p>
      )}
    </div>
  );
}

const Citations = ({ memories }: { readonly memories: readonly UsedMemory[] }) =>
  memories.length > 0 && (
    <p className="mt-3 flex flex-wrap items-center gap-x-4 text-sm">
      <span className="text-soft">Cites</span>
      {memories.map(({ memoryId, namespace, snippet }, i) => (
        <span key={memoryId} title={snippet}>
          <MemoryLink memoryId={memoryId} className="inline-flex min-h-7 items-center">
            memory {i + 1} of <Name className="ml-1">{namespace}</Name>
          </MemoryLink>
        </span>
      ))}
    </p>
  );

function MarkedText({ text, other, hint }: Marking & { readonly text: string }) {
  const marked = (part: string) => (
    <mark className="rounded-sm bg-unknown-wash text-ink underline decoration-2 decoration-unknown underline-offset-4">
      <span className="sr-only">{hint}</span>
      {part}
    </mark>
  );
  return say(...sentencesOnlyIn(text, other).map((part) => (part.isOnlyHere ? marked(part.text) : part.text)));
}
