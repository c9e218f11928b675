// A box for what somebody holds of an answer: question, answer and opening. Nothing of it leaves the browser.
import { useState } from "react";
import {
  answerHeld,
  type Holding,
  promptHeld,
  questionHeld,
  readOpening,
} from "#core/receipt/disclosure/held-values.ts";
import type { ForeignReceipt } from "#core/receipt/receipt.ts";
import type { FetchedBlob } from "#core/verify/observation.ts";
import { Field, TextArea, TextInput } from "#web/ui/form/field.tsx";
import { StatusMark } from "#web/ui/status-mark.tsx";

interface HeldValuesProps {
  readonly receipt: ForeignReceipt & { readonly evidence?: unknown };
  /** The blobs of the used memories, by id. */
  readonly memories: ReadonlyMap<string, FetchedBlob>;
}

export function HeldValues({ receipt, memories }: HeldValuesProps) {
  const [opening, setOpening] = useState("");
  const [question, setQuestion] = useState("");
  const [answer, setAnswer] = useState("");
  const seed = readOpening(opening);
  const isWrong = opening.trim() !== "" && seed === undefined;
  const contents = receipt.usedMemories.map(({ storeRef }) => contentOf(memories.get(storeRef)));
  return (
    <form className="flex flex-col gap-4" onSubmit={(event) => event.preventDefault()}>
      <p className="measure text-sm">
        If you asked the question, you hold the answer and an opening, which came beside the receipt. Enter them to see
        whether they belong to this receipt. They stay in your browser.
      </p>
      <Field
        label="Opening"
        hint="The seed of 64 digits, or the whole JSON."
        error={isWrong ? "This is not an opening." : undefined}
      >
        {(control) => (
          <TextInput
            {...control}
            value={opening}
            onChange={(event) => setOpening(event.target.value)}
            autoComplete="off"
            spellCheck={false}
            className="font-mono text-sm"
          />
        )}
      </Field>
      <Field label="Question" hint="Exactly as it was asked.">
        {(control) => (
          <TextArea {...control} rows={2} value={question} onChange={(event) => setQuestion(event.target.value)} />
        )}
      </Field>
      <Field label="Answer" hint="Exactly as it was given.">
        {(control) => (
          <TextArea {...control} rows={4} value={answer} onChange={(event) => setAnswer(event.target.value)} />
        )}
      </Field>
      <div role="status" className="flex flex-col gap-2 text-sm">
        {seed !== undefined && question !== "" && (
          <>
            <Result what="The question" holding={questionHeld(receipt, seed, question)} />
            <Result
              what="The prompt, rebuilt from the question and the memories,"
              holding={promptHeld(receipt, seed, question, contents)}
            />
          </>
        )}
        {seed !== undefined && answer !== "" && (
          <Result what="The answer" holding={answerHeld(receipt, seed, answer)} />
        )}
      </div>
    </form>
  );
}

const WORDS: Readonly<Record<Holding, string>> = {
  belongs: "belongs to this receipt, character for character.",
  differs: "is not the one of this receipt, or the opening is another receipt’s.",
  absent: "cannot be compared: this receipt has no commitment to it.",
};
const STATUS = { belongs: "pass", differs: "fail", absent: "unknown" } as const;

function Result({ what, holding }: { readonly what: string; readonly holding: Holding | undefined }) {
  if (holding === undefined) return null;
  return (
    <StatusMark status={STATUS[holding]}>
      {what} {WORDS[holding]}
    </StatusMark>
  );
}

/** The text of a memory. Whether the blob is the right one is told by the checks. */
function contentOf(blob: FetchedBlob | undefined): string | undefined {
  if (blob === undefined || typeof blob === "string") return undefined;
  try {
    const { content } = JSON.parse(new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(blob));
    return typeof content === "string" ? content : undefined;
  } catch {
    return undefined;
  }
}
