import { useMemo } from "react";
import { classNames } from "#web/lib/class-names.ts";
import { type PromptLine, promptDifference } from "./prompt-difference.ts";

interface PromptDifferenceProps {
  readonly before: string;
  readonly now: string;
  /** What it is compared with: "the prompt of the answer before". */
  readonly what: string;
}

export function PromptDifference({ before, now, what }: PromptDifferenceProps) {
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
