// One answer with its receipt; or, when the same question was answered before, both answers and their difference.
import { type ReactNode, useId } from "react";
import type { GateEvent } from "#contract/client/answer-stream.ts";
import { consoleConversation, type Turn } from "#web/answers/conversation.ts";
import { AnchorActions } from "#web/receipt/anchor-actions.tsx";
import { ReceiptView } from "#web/receipt/receipt-view.tsx";
import { Skeleton } from "#web/ui/skeleton.tsx";
import { additionNotes, differenceOf, removalNotes } from "./answer-difference.ts";
import { ConsoleAnswer } from "./console-answer.tsx";
import { DifferenceSummary } from "./difference-summary.tsx";

/** A turn that was answered. */
export type AnsweredTurn = Turn & Required<Pick<Turn, "receipt">>;

interface CompareProps {
  readonly now: Turn;
  /** The previous answer to the same question. */
  readonly before: AnsweredTurn;
}

/** The answer to a question that was not answered before, with what can be done with its receipt. */
export function SingleAnswer({ turn }: { readonly turn: Turn }) {
  const { receipt } = turn;
  return (
    <>
      <Column title="Answer">
        <ConsoleAnswer turn={turn} onRetry={() => retry(turn)} />
        <DifferenceToVoid turn={turn} />
      </Column>
      {receipt !== undefined && <AnchorActions key={receipt.answerId} receipt={receipt} />}
    </>
  );
}

export function SingleReceipt({ turn: now }: { readonly turn: Turn }) {
  return (
    <Column title="Receipt">
      {now.receipt === undefined ? (
        <NoReceipt turn={now} />
      ) : (
        <ReceiptView receipt={now.receipt} opening={now.opening} />
      )}
    </Column>
  );
}

/** What changed since the answer before. */
export function Change({ now, before }: CompareProps) {
  if (now.receipt === undefined) return now.status === "asking" ? <Skeleton className="h-44" /> : null;
  return (
    <DifferenceSummary difference={differenceOf(before.receipt, now.receipt)} agents={[before.agentId, now.agentId]} />
  );
}

const retry = ({ agentId, query }: Turn) => consoleConversation.ask({ agentId, query });

/** Both answers side by side, with their receipts. */
export function Comparison({ before, now }: CompareProps) {
  const difference = now.receipt && differenceOf(before.receipt, now.receipt);
  return (
    <div className="grid gap-x-12 gap-y-8 lg:grid-cols-2">
      <Column title="Before">
        <ConsoleAnswer
          turn={before}
          marking={difference && { memories: difference.removed, hint: "(only before:) " }}
          onRetry={() => retry(before)}
        />
      </Column>
      <Column title="Now">
        <ConsoleAnswer
          turn={now}
          marking={difference && { memories: difference.added, hint: "(new:) " }}
          onRetry={() => retry(now)}
        />
      </Column>
      <Column title="Receipt before">
        <ReceiptView
          receipt={before.receipt}
          opening={before.opening}
          {...(difference && now.receipt && { notes: removalNotes(difference, now.receipt) })}
        />
      </Column>
      <Column title="Receipt now">
        {now.receipt === undefined || difference === undefined ? (
          <NoReceipt turn={now} />
        ) : (
          <>
            <ReceiptView
              receipt={now.receipt}
              opening={now.opening}
              notes={additionNotes(difference)}
              newlyBlocked={difference.closed}
            />
            <AnchorActions key={now.receipt.answerId} receipt={now.receipt} />
          </>
        )}
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

function NoReceipt({ turn }: { readonly turn: Turn }) {
  if (turn.status === "asking") return <Skeleton className="h-72" />;
  return <p className="text-sm text-soft">There is no complete receipt, because no answer was released.</p>;
}

interface ColumnProps {
  readonly title: string;
  readonly className?: string;
  readonly children: ReactNode;
}

function Column({ title, className = "", children }: ColumnProps) {
  const id = useId();
  return (
    <section aria-labelledby={id} className={`min-w-0 ${className}`}>
      <h3 id={id} className="mb-2 font-medium text-sm">
        {title}
      </h3>
      {children}
    </section>
  );
}
