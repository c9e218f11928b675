// The pitch of it all, in words: which gates moved between two answers, and what went or came with them.
import type { ReactNode } from "react";
import { Gate } from "#web/ui/gate-icon.tsx";
import { Name } from "#web/ui/text/untrusted-text.tsx";
import { type Difference, isSame } from "./answer-difference.ts";

const NAMED_AT_MOST = 8;

interface WhatChangedProps {
  readonly difference: Difference;
  readonly agents: readonly [before: string, now: string];
}

export function WhatChanged({ difference, agents: [before, now] }: WhatChangedProps) {
  const { closed, opened, left, came, stayed } = difference;
  const more = Math.max(0, closed.length - NAMED_AT_MOST) + Math.max(0, opened.length - NAMED_AT_MOST);
  const outranked = left.filter(({ namespace }) => !closed.includes(namespace)).length;
  const replacing = came.filter(({ namespace }) => !opened.includes(namespace)).length;
  return (
    <section className="rounded-lg border border-line bg-card px-5 py-5 sm:px-6">
      <h3 className="font-medium text-sm">What changed</h3>
      {before !== now && (
        <p className="mt-2 font-serif text-xl">
          Asked as <Name className="font-semibold">{now}</Name> instead of{" "}
          <Name className="font-semibold">{before}</Name>.
        </p>
      )}
      <ul className="mt-2 flex flex-col gap-2">
        {closed.slice(0, NAMED_AT_MOST).map((namespace) => (
          <Moved key={namespace} open={false}>
            <Name className="font-semibold">{namespace}</Name>{" "}
            {before === now ? "closed" : <IsTo word="closed" to={now} />}
            {took(countIn(left, namespace), " and took ", " with it")}.
          </Moved>
        ))}
        {opened.slice(0, NAMED_AT_MOST).map((namespace) => (
          <Moved key={namespace} open>
            <Name className="font-semibold">{namespace}</Name>{" "}
            {before === now ? "opened" : <IsTo word="open" to={now} />}
            {took(countIn(came, namespace), " and brought ", "")}.
          </Moved>
        ))}
      </ul>
      {more > 0 && <p className="mt-2 text-sm">And {more} more, as the receipts below say.</p>}
      {isSame(difference) && before === now && (
        <p className="mt-2 font-serif text-xl">Nothing: the same gates, the same memories.</p>
      )}
      <p className="mt-3 text-sm text-soft">
        {[
          outranked > 0 && `${memories(outranked)} left to better or newer ones.`,
          replacing > 0 && `${memories(replacing)} came into free places.`,
          stayed === 0
            ? "No memory is in both answers."
            : `${memories(stayed)} ${stayed === 1 ? "is" : "are"} in both.`,
        ]
          .filter(Boolean)
          .join(" ")}
      </p>
    </section>
  );
}

const memories = (count: number): string => `${count} ${count === 1 ? "memory" : "memories"}`;
const countIn = (used: Difference["left"], namespace: string): number =>
  used.filter((memory) => memory.namespace === namespace).length;
const took = (count: number, verb: string, after: string): string =>
  count === 0 ? "; no memory of it was in play" : `${verb}${memories(count)}${after}`;

/** Between two agents no gate moved: one finds closed what the other found open. */
function IsTo({ word, to }: { readonly word: string; readonly to: string }) {
  return (
    <>
      is {word} to <Name>{to}</Name>
    </>
  );
}

function Moved({ open, children }: { readonly open: boolean; readonly children: ReactNode }) {
  return (
    <li className="flex items-center gap-3">
      <Gate open={open} className="size-9" />
      <span className="font-serif text-xl">{children}</span>
    </li>
  );
}
