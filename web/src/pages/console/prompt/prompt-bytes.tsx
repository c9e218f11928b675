// The prompt that left, byte for byte. The page renders it again with the code that the service uses, and compares it with
// the commitment in the receipt: nobody has to believe that these are the bytes.
import { type ReactNode, useMemo } from "react";
import type { Prompt } from "#core/prompt/prompt.ts";
import { promptFrom } from "#core/prompt/rebuild-prompt.ts";
import { isPromptTemplate } from "#core/prompt/template.ts";
import { commitmentTo } from "#core/receipt/disclosure/commitment.ts";
import { saltIn } from "#core/receipt/disclosure/opening-document.ts";
import { PROMPT } from "#core/receipt/disclosure/private-fields.ts";
import { plural } from "#web/lib/plural.ts";
import { CopyButton } from "#web/ui/form/copy-button.tsx";
import { StatusMark } from "#web/ui/status-mark.tsx";
import { CopyableId } from "#web/ui/text/copyable-id.tsx";
import { PromptDifference } from "./prompt-difference-view.tsx";
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
    return (
      <StatusMark status="unknown">The receipt comes with the answer, and then these bytes are checked.</StatusMark>
    );
  const matches = commitmentTo(salt, prompt) === commitment;
  return (
    <div className="flex flex-wrap items-center gap-x-4 gap-y-1 text-xs">
      <StatusMark status={matches ? "pass" : "fail"}>
        {matches
          ? "These are the bytes: they match the receipt’s commitment"
          : "These are not the bytes: they do not match the receipt’s commitment"}
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
