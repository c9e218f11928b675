// The prompt that left, byte for byte. The page renders it again with the code that the service uses, and compares it with
// the commitment in the receipt: nobody has to believe that these are the bytes.
import { type ReactNode, useMemo } from "react";
import { type Prompt, promptFrom } from "#core/prompt/prompt.ts";
import { isPromptTemplate } from "#core/prompt/template.ts";
import { commitmentTo } from "#core/receipt/commitment.ts";
import { saltIn } from "#core/receipt/opening.ts";
import { PROMPT } from "#core/receipt/sealed-form.ts";
import { classNames, plural } from "#web/lib/strings.ts";
import { CopyButton } from "#web/ui/form.tsx";
import { StatusMark } from "#web/ui/status.tsx";
import { CopyableId } from "#web/ui/text.tsx";
import { type PromptLine, promptDifference } from "./prompt-difference.ts";
import type { PromptSource, PromptsToShow } from "./prompt-source.ts";

export default function PromptBytes({ now, other }: PromptsToShow) {
  const prompt = useMemo(() => rebuilt(now), [now]);
  const compared = useMemo(() => other && rebuilt(other), [other]);
  if (prompt === undefined) return <p className="text-sm text-soft">No model was asked, so no prompt left.</p>;
  return (
    <div className="flex flex-col gap-4">
      <Commitment prompt={prompt} source={now} />
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
  const { template, memories } = gate;
  return template !== null && isPromptTemplate(template) ? promptFrom(template, memories, query) : undefined;
}

function Commitment({ prompt, source }: { readonly prompt: Prompt; readonly source: PromptsToShow["now"] }) {
  const { receipt, opening } = source;
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

function Message({ title, text }: { readonly title: string; readonly text: string }) {
  return (
    <TextBlock
      title={`${title}: ${plural(new TextEncoder().encode(text).length, "byte")}`}
      action={<CopyButton text={text} what={`the ${title.toLowerCase()} text`} />}
    >
      {text}
    </TextBlock>
  );
}

interface TextBlockProps {
  readonly title: string;
  readonly action?: ReactNode;
  readonly children: ReactNode;
}

/** A text that scrolls in its frame, also with the keyboard. */
function TextBlock({ title, action, children }: TextBlockProps) {
  return (
    <div>
      <div className="flex items-center justify-between gap-3">
        <h3 className="font-medium text-xs">{title}</h3>
        {action}
      </div>
      <pre
        dir="auto"
        // biome-ignore lint/a11y/noNoninteractiveTabindex: a frame that scrolls must be reachable with the keyboard.
        tabIndex={0}
        className="untrusted mt-1 max-h-72 overflow-auto whitespace-pre-wrap rounded-md border border-line bg-card px-3 py-2 font-mono text-xs leading-relaxed"
      >
        {children}
      </pre>
    </div>
  );
}

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
