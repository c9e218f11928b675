// The difference between two answers in words: which gates moved, and which memories that removed or added.
import type { ReactNode } from "react";
import { plural } from "#web/lib/strings.ts";
import { GateIcon } from "#web/ui/gate-icon.tsx";
import { Name } from "#web/ui/text.tsx";
import { type AnswerDifference, isEmpty } from "./answer-difference.ts";

const MAX_NAMED = 8;

interface DifferenceSummaryProps {
  readonly difference: AnswerDifference;
  readonly agents: readonly [before: string, now: string];
}

export function DifferenceSummary({ difference, agents: [before, now] }: DifferenceSummaryProps) {
  const { closed, opened, removed, added, shared } = difference;
  const unnamed = Math.max(0, closed.length - MAX_NAMED) + Math.max(0, opened.length - MAX_NAMED);
  const outranked = removed.filter(({ namespace }) => !closed.includes(namespace)).length;
  const movedUp = added.filter(({ namespace }) => !opened.includes(namespace)).length;
  const isSameAgent = before === now;
  return (
    <section className="rounded-lg border border-line bg-card px-5 py-5 sm:px-6">
      <h3 className="font-medium text-sm">What changed</h3>
      {!isSameAgent && (
        <p className="mt-2 font-serif text-xl">
          Asked as <Name className="font-semibold">{now}</Name> instead of{" "}
          <Name className="font-semibold">{before}</Name>.
        </p>
      )}
      <ul className="mt-2 flex flex-col gap-2">
        {closed.slice(0, MAX_NAMED).map((namespace) => (
          <GateLine key={namespace} open={false}>
            {isSameAgent ? (
              <>
                Closing <Name className="font-semibold">{namespace}</Name>
              </>
            ) : (
              <IsTo namespace={namespace} word="closed" agent={now} />
            )}{" "}
            {effect("removed", countIn(removed, namespace))}.
          </GateLine>
        ))}
        {opened.slice(0, MAX_NAMED).map((namespace) => (
          <GateLine key={namespace} open>
            {isSameAgent ? (
              <>
                Opening <Name className="font-semibold">{namespace}</Name>
              </>
            ) : (
              <IsTo namespace={namespace} word="open" agent={now} />
            )}{" "}
            {effect("added", countIn(added, namespace))}.
          </GateLine>
        ))}
      </ul>
      {unnamed > 0 && <p className="mt-2 text-sm">And {unnamed} more: see the receipts below.</p>}
      {isEmpty(difference) && isSameAgent && (
        <p className="mt-2 font-serif text-xl">Nothing: the same gates, the same memories.</p>
      )}
      <p className="mt-3 text-sm text-soft">
        {[
          outranked > 0 && `${memories(outranked)} gave way to better or newer ones.`,
          movedUp > 0 && `${memories(movedUp)} moved up into free places.`,
          shared === 0
            ? "No memory is in both answers."
            : `${memories(shared)} ${shared === 1 ? "is" : "are"} in both answers.`,
        ]
          .filter(Boolean)
          .join(" ")}
      </p>
    </section>
  );
}

const memories = (count: number): string => plural(count, "memory", "memories");
const countIn = (used: AnswerDifference["removed"], namespace: string): number =>
  used.filter((memory) => memory.namespace === namespace).length;
const effect = (verb: "removed" | "added", count: number): string =>
  `${verb} ${count === 0 ? "no memory" : memories(count)}`;

/** Between two agents no gate moved: a gate is closed to one that is open to the other. */
function IsTo({ namespace, word, agent }: Readonly<Record<"namespace" | "word" | "agent", string>>) {
  return (
    <>
      <Name className="font-semibold">{namespace}</Name> is {word} to <Name>{agent}</Name>, which
    </>
  );
}

function GateLine({ open, children }: { readonly open: boolean; readonly children: ReactNode }) {
  return (
    <li className="flex items-center gap-3">
      <GateIcon open={open} className="size-9" />
      <span className="font-serif text-xl">{children}</span>
    </li>
  );
}
