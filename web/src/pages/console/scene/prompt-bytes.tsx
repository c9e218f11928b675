// The prompt that left, byte for byte. The page renders it again with the code that the service uses, and compares it with
// the commitment in the receipt: nobody has to believe that these are the bytes.
import { useMemo } from "react";
import type { GateEvent } from "#contract/routes.ts";
import { type Prompt, promptFrom } from "#core/prompt/prompt.ts";
import { isPromptTemplate } from "#core/prompt/template.ts";
import { commitmentTo } from "#core/receipt/commitment.ts";
import { saltIn } from "#core/receipt/opening.ts";
import { PROMPT } from "#core/receipt/sealed-form.ts";
import type { Turn } from "#web/answers/conversation.ts";
import { classNames, plural } from "#web/lib/strings.ts";
import { StatusMark } from "#web/ui/status.tsx";
import { CodeBlock, CopyableId } from "#web/ui/text.tsx";

export default function PromptBytes({ turn, before }: { readonly turn: Turn; readonly before: Turn | undefined }) {
  const { now, other } = useMemo(() => promptsOf(turn, before), [turn, before]);
  const prompt = useMemo(() => rebuilt(now), [now]);
  const compared = useMemo(() => other && rebuilt(other), [other]);
  if (prompt === undefined) return <p className="text-sm text-soft">No model was asked, so no prompt left.</p>;
  return (
    <div className="flex flex-col gap-4">
      <Commitment prompt={prompt} {...now} />
      <Message title="System" text={prompt.system} />
      <Message title="User" text={prompt.user} />
      {other !== undefined && compared !== undefined && (
        <PromptDifference before={compared.user} now={prompt.user} what={other.what} />
      )}
    </div>
  );
}

/** Undefined if no model is asked, or the service is newer than this page and has a template that it does not know. */
function rebuilt({ gate, query }: PromptSource): Prompt | undefined {
  const { template, memories, createdAt } = gate;
  if (template === null || !isPromptTemplate(template)) return undefined;
  return promptFrom(template, memories, { question: query, createdAt });
}

interface CommitmentProps extends Pick<Turn, "receipt" | "opening"> {
  readonly prompt: Prompt;
}

function Commitment({ prompt, receipt, opening }: CommitmentProps) {
  const salt = opening && saltIn(opening, PROMPT);
  const commitment = receipt?.evidence.commitments[PROMPT];
  if (salt === undefined || commitment === undefined)
    return <StatusMark status="unknown">These bytes are checked when the receipt arrives.</StatusMark>;
  const matches = commitmentTo(salt, prompt) === commitment;
  return (
    <div className="flex flex-wrap items-center gap-x-4 gap-y-1 text-xs">
      <StatusMark status={matches ? "pass" : "fail"}>
        {matches ? "These bytes match the receipt’s commitment" : "These bytes do not match the receipt’s commitment"}
      </StatusMark>
      <CopyableId value={commitment} label="commitment to the prompt" ends={8} />
    </div>
  );
}

const Message = ({ title, text }: { readonly title: string; readonly text: string }) => (
  <div className="[&_.raw]:bg-card">
    <h3 className="mb-1 font-medium text-xs">
      {title}: {plural(new TextEncoder().encode(text).length, "byte")}
    </h3>
    <CodeBlock label={`the ${title.toLowerCase()} text`} text={text} />
  </div>
);

interface PromptDifferenceProps {
  readonly before: string;
  readonly now: string;
  /** What it is compared with: "the prompt of the answer before". */
  readonly what: string;
}

function PromptDifference({ before, now, what }: PromptDifferenceProps) {
  const lines = useMemo(() => promptDifference(before, now), [before, now]);
  const changed = lines.filter(({ kind }) => kind === "removed" || kind === "added").length;
  return (
    <section aria-labelledby="prompt-difference">
      <h3 id="prompt-difference" className="font-medium text-xs">
        Compared with {what}
      </h3>
      {changed === 0 ? (
        <p className="mt-1 text-soft text-xs">The same lines.</p>
      ) : (
        <ol className="mt-1 overflow-hidden rounded-md border border-line bg-card py-1 font-mono text-xs leading-relaxed">
          {lines.map(({ kind, text }, i) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: the lines of one difference never change their order.
            <li key={i} className={classNames("flex gap-2 px-3", LOOKS[kind])}>
              <span aria-hidden="true" className="w-2.5 flex-none select-none">
                {MARKS[kind]}
              </span>
              <span dir="auto" className="untrusted min-w-0">
                {WORDS[kind] !== undefined && <span className="sr-only">{WORDS[kind]}: </span>}
                {text}
              </span>
            </li>
          ))}
        </ol>
      )}
    </section>
  );
}

type Kind = PromptLine["kind"];
const MARKS: Readonly<Record<Kind, string>> = { same: "", renumbered: "~", removed: "−", added: "+" };
const WORDS: Readonly<Partial<Record<Kind, string>>> = { renumbered: "renumbered", removed: "removed", added: "added" };
const LOOKS: Readonly<Record<Kind, string>> = {
  same: "text-soft",
  renumbered: "text-soft",
  removed: "bg-iron-wash text-iron line-through",
  added: "bg-pass-wash text-pass",
};

interface PromptLine {
  readonly kind: "same" | "renumbered" | "removed" | "added";
  readonly text: string;
}

/** A line of a memory begins with its number (core/prompt/template.ts). */
const NUMBER = /^\{"n":\d+,/;

export function promptDifference(before: string, now: string): readonly PromptLine[] {
  const [left, right] = [before.split("\n"), now.split("\n")];
  const [leftKeys, rightKeys] = [left.map(keyOf), right.map(keyOf)];
  const lengths = commonLengths(leftKeys, rightKeys);
  const at = (i: number, j: number) => lengths[i]?.[j] ?? 0;
  const lines: PromptLine[] = [];
  let [i, j] = [0, 0];
  while (i < left.length || j < right.length) {
    const [old, text] = [left[i], right[j]];
    if (old !== undefined && text !== undefined && leftKeys[i] === rightKeys[j]) {
      lines.push({ kind: old === text ? "same" : "renumbered", text });
      i++;
      j++;
    } else if (old !== undefined && (text === undefined || at(i + 1, j) >= at(i, j + 1))) {
      lines.push({ kind: "removed", text: old });
      i++;
    } else {
      lines.push({ kind: "added", text: text ?? "" });
      j++;
    }
  }
  return lines;
}

const keyOf = (line: string): string => line.replace(NUMBER, "{");

/** Of each pair of ends, how many lines they have in common. A prompt has some hundred lines at most. */
function commonLengths(left: readonly string[], right: readonly string[]): readonly (readonly number[])[] {
  const lengths = Array.from({ length: left.length + 1 }, () => new Array<number>(right.length + 1).fill(0));
  for (let i = left.length - 1; i >= 0; i--)
    for (let j = right.length - 1; j >= 0; j--) {
      const [row = [], next = []] = [lengths[i], lengths[i + 1]];
      row[j] = left[i] === right[j] ? (next[j + 1] ?? 0) + 1 : Math.max(next[j] ?? 0, row[j + 1] ?? 0);
    }
  return lengths;
}

interface PromptSource {
  readonly gate: GateEvent;
  readonly query: string;
}

/** Of a turn whose gate has decided. `other`: of the attempt that became void, or of the answer before. */
function promptsOf({ gate, query, receipt, opening, voided }: Turn, before: Turn | undefined) {
  if (gate === undefined) throw new Error("the gate has not decided yet");
  const now = { gate, query, ...(receipt && { receipt }), ...(opening && { opening }) };
  const void_ = voided.at(-1)?.gate;
  if (void_ !== undefined) return { now, other: { gate: void_, query, what: "the void prompt" } };
  if (before?.gate === undefined) return { now, other: undefined };
  return { now, other: { gate: before.gate, query: before.query, what: "the prompt of the answer before" } };
}
