// One answer with its receipt beside it; or two, side by side, with what changed between them.
import { type ReactNode, useId } from "react";
import { consoleAsking, type Turn } from "#web/answers/conversation.ts";
import { Anchoring } from "#web/receipt/anchor-actions.tsx";
import { ReceiptView } from "#web/receipt/receipt-view.tsx";
import { Skeleton } from "#web/ui/skeleton.tsx";
import { coming, differenceOf, leaving } from "./answer-difference.ts";
import { Answer } from "./console-answer.tsx";
import { WhatChanged } from "./difference-summary.tsx";

interface ResultsProps {
  readonly now: Turn;
  /** The answer before to the same question. */
  readonly before: Turn | undefined;
}

export function Results({ now, before }: ResultsProps) {
  return before?.receipt === undefined ? (
    <One turn={now} />
  ) : (
    <Two before={before} now={now} receipt={before.receipt} />
  );
}

const again = ({ agentId, query }: Turn) => consoleAsking.ask({ agentId, query });

function One({ turn }: { readonly turn: Turn }) {
  return (
    <div className="grid gap-x-12 gap-y-8 lg:grid-cols-2">
      <Column title="Answer">
        <Answer turn={turn} onRetry={() => again(turn)} />
        {turn.receipt !== undefined && <Anchoring key={turn.receipt.answerId} receipt={turn.receipt} />}
      </Column>
      <Column title="Receipt">
        {turn.receipt === undefined ? <NoReceipt turn={turn} /> : <ReceiptView receipt={turn.receipt} />}
      </Column>
    </div>
  );
}

interface TwoProps extends Required<Pick<Turn, "receipt">> {
  readonly before: Turn;
  readonly now: Turn;
}

function Two({ before, now, receipt }: TwoProps) {
  const difference = now.receipt && differenceOf(receipt, now.receipt);
  return (
    <>
      {difference !== undefined && <WhatChanged difference={difference} agents={[before.agentId, now.agentId]} />}
      {difference === undefined && now.status === "asking" && <Skeleton className="h-24" />}
      <div className="mt-8 grid gap-x-12 gap-y-8 lg:grid-cols-2">
        <Column title="Before">
          <Answer
            turn={before}
            changed={difference && { memories: difference.left, how: "left" }}
            onRetry={() => again(before)}
          />
        </Column>
        <Column title="Now">
          <Answer
            turn={now}
            changed={difference && { memories: difference.came, how: "came" }}
            onRetry={() => again(now)}
          />
        </Column>
        <Column title="Receipt before">
          <ReceiptView
            receipt={receipt}
            {...(difference && now.receipt && { notes: leaving(difference, now.receipt) })}
          />
        </Column>
        <Column title="Receipt now">
          {now.receipt === undefined || difference === undefined ? (
            <NoReceipt turn={now} />
          ) : (
            <>
              <ReceiptView receipt={now.receipt} notes={coming(difference)} newlyBlocked={difference.closed} />
              <Anchoring key={now.receipt.answerId} receipt={now.receipt} />
            </>
          )}
        </Column>
      </div>
    </>
  );
}

function NoReceipt({ turn }: { readonly turn: Turn }) {
  if (turn.status === "asking") return <Skeleton className="h-72" />;
  return <p className="text-sm text-soft">A receipt comes with every answer that was released. This one was not.</p>;
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
