// One answer with its receipt; or, when the same question was answered before, both answers and their difference.
import { type ReactNode, useId } from "react";
import { consoleConversation, type Turn } from "#web/answers/conversation.ts";
import { AnchorActions } from "#web/receipt/anchor-actions.tsx";
import { ReceiptView } from "#web/receipt/receipt-view.tsx";
import { Skeleton } from "#web/ui/skeleton.tsx";
import { additionNotes, differenceOf, removalNotes } from "./answer-difference.ts";
import { ConsoleAnswer } from "./console-answer.tsx";
import { DifferenceSummary } from "./difference-summary.tsx";

interface ResultsProps {
  readonly now: Turn;
  /** The previous answer to the same question. */
  readonly before: Turn | undefined;
}

export function Results({ now, before }: ResultsProps) {
  return before?.receipt === undefined ? (
    <SingleAnswer turn={now} />
  ) : (
    <Comparison before={before} now={now} receipt={before.receipt} />
  );
}

const retry = ({ agentId, query }: Turn) => consoleConversation.ask({ agentId, query });

function SingleAnswer({ turn }: { readonly turn: Turn }) {
  return (
    <div className="grid gap-x-12 gap-y-8 lg:grid-cols-2">
      <Column title="Answer">
        <ConsoleAnswer turn={turn} onRetry={() => retry(turn)} />
        {turn.receipt !== undefined && <AnchorActions key={turn.receipt.answerId} receipt={turn.receipt} />}
      </Column>
      <Column title="Receipt">
        {turn.receipt === undefined ? <NoReceipt turn={turn} /> : <ReceiptView receipt={turn.receipt} />}
      </Column>
    </div>
  );
}

interface ComparisonProps extends Required<Pick<Turn, "receipt">> {
  readonly before: Turn;
  readonly now: Turn;
}

function Comparison({ before, now, receipt }: ComparisonProps) {
  const difference = now.receipt && differenceOf(receipt, now.receipt);
  return (
    <>
      {difference !== undefined && <DifferenceSummary difference={difference} agents={[before.agentId, now.agentId]} />}
      {difference === undefined && now.status === "asking" && <Skeleton className="h-24" />}
      <div className="mt-8 grid gap-x-12 gap-y-8 lg:grid-cols-2">
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
            receipt={receipt}
            {...(difference && now.receipt && { notes: removalNotes(difference, now.receipt) })}
          />
        </Column>
        <Column title="Receipt now">
          {now.receipt === undefined || difference === undefined ? (
            <NoReceipt turn={now} />
          ) : (
            <>
              <ReceiptView receipt={now.receipt} notes={additionNotes(difference)} newlyBlocked={difference.closed} />
              <AnchorActions key={now.receipt.answerId} receipt={now.receipt} />
            </>
          )}
        </Column>
      </div>
    </>
  );
}

function NoReceipt({ turn }: { readonly turn: Turn }) {
  if (turn.status === "asking") return <Skeleton className="h-72" />;
  return <p className="text-sm text-soft">There is no receipt, because no answer was released.</p>;
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
