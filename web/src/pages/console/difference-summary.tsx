// The difference between two answers in words: which gates moved, and which memories that removed or added.
import type { AnswerReceipt, UsedMemory } from "#core/receipt/receipt.ts";
import { plural } from "#web/lib/strings.ts";
import { GateIcon } from "#web/ui/gate-icon.tsx";
import { Name, say } from "#web/ui/text.tsx";

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
          <GateLine key={namespace} open={false} namespace={namespace} other={isSameAgent ? undefined : now}>
            {effect("removed", countIn(removed, namespace))}
          </GateLine>
        ))}
        {opened.slice(0, MAX_NAMED).map((namespace) => (
          <GateLine key={namespace} open namespace={namespace} other={isSameAgent ? undefined : now}>
            {effect("added", countIn(added, namespace))}
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

interface GateLineProps {
  readonly open: boolean;
  readonly namespace: string;
  /** Between two agents no gate moved: a gate is closed to one that is open to the other. */
  readonly other: string | undefined;
  readonly children: string;
}

function GateLine({ open, namespace, other, children }: GateLineProps) {
  const gate = <Name className="font-semibold">{namespace}</Name>;
  const between = other && say(gate, ` is ${open ? "open" : "closed"} to `, <Name>{other}</Name>, ", which ");
  return (
    <li className="flex items-center gap-3">
      <GateIcon open={open} className="size-9" />
      <span className="font-serif text-xl">
        {between ?? say(open ? "Opening " : "Closing ", gate, " ")}
        {children}.
      </span>
    </li>
  );
}

type Named = Pick<UsedMemory, "memoryId" | "namespace">;

/** What an answer was given: its receipt says so, and so does the gate before there is one. */
interface Given<M extends Named> extends Pick<AnswerReceipt, "blockedNamespaces"> {
  readonly usedMemories: readonly M[];
}

interface AnswerDifference<M extends Named = Named> {
  readonly closed: readonly string[];
  readonly opened: readonly string[];
  readonly removed: readonly M[];
  readonly added: readonly M[];
  readonly shared: number;
}

export function differenceOf<M extends Named>(before: Given<M>, now: Given<M>): AnswerDifference<M> {
  const removed = memoriesOnlyIn(before, now);
  const [closedBefore, closedNow] = [new Set(before.blockedNamespaces), new Set(now.blockedNamespaces)];
  return {
    closed: now.blockedNamespaces.filter((name) => !closedBefore.has(name)),
    opened: before.blockedNamespaces.filter((name) => !closedNow.has(name)),
    removed,
    added: memoriesOnlyIn(now, before),
    shared: before.usedMemories.length - removed.length,
  };
}

export const isEmpty = ({ closed, opened, removed, added }: AnswerDifference): boolean =>
  closed.length + opened.length + removed.length + added.length === 0;

/** Why each removed memory is not in the new answer, by memory id. */
export function removalNotes({ removed }: AnswerDifference, now: AnswerReceipt): ReadonlyMap<string, string> {
  const noteOn = ({ namespace }: Named) =>
    now.blockedNamespaces.includes(namespace) ? "gone: gate closed" : "gone: outranked";
  return new Map(removed.map((memory) => [memory.memoryId, noteOn(memory)]));
}

/** Why each added memory was not in the old answer, by memory id. */
export function additionNotes({ added, opened }: AnswerDifference): ReadonlyMap<string, string> {
  const noteOn = ({ namespace }: Named) => (opened.includes(namespace) ? "new: gate opened" : "new: moved up");
  return new Map(added.map((memory) => [memory.memoryId, noteOn(memory)]));
}

/** A sentence, with the marks behind it that say where it is from: "(diet)", "[2]". */
const SENTENCE = /.+?(?:[.!?…]+["”’']?(?:\s*[([][^()[\]]{0,70}[)\]])*(?=\s|$)\s*|$)/gsu;
const MARKS = /\s*[([][^()[\]]{0,70}[)\]]/gu;

const sentencesOf = (text: string): readonly string[] => text.match(SENTENCE) ?? [];
const bare = (sentence: string): string => sentence.replaceAll(MARKS, "").trim();

/** The sentences of an answer, and which the other does not have. Of two answers without a common one, nothing is told. */
export function sentencesOnlyIn(answer: string, other: string) {
  const others = new Set(sentencesOf(other).map(bare));
  const parts = sentencesOf(answer).map((text) => ({ text, isOnlyHere: !others.has(bare(text)) }));
  return parts.every(({ isOnlyHere }) => isOnlyHere) ? [{ text: answer, isOnlyHere: false }] : parts;
}

function memoriesOnlyIn<M extends Named>(receipt: Given<M>, other: Given<M>): M[] {
  const shared = new Set(other.usedMemories.map(({ memoryId }) => memoryId));
  return receipt.usedMemories.filter(({ memoryId }) => !shared.has(memoryId));
}
