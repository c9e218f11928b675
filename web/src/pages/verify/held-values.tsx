// A box for what somebody holds of an answer: question, answer and opening. Nothing of it leaves the browser.
import { useState } from "react";
import { orUndefined } from "#core/defined.ts";
import { digestOfText } from "#core/encoding/digest.ts";
import { factIn, type Holding, promptHeld, valueHeld } from "#core/receipt/held-values.ts";
import { type OpeningDocument, openingText, readOpening, saltIn } from "#core/receipt/opening.ts";
import { ANSWER, QUESTION } from "#core/receipt/sealed-form.ts";
import type { FetchedBlob } from "#core/verify/observation.ts";
import { readFragment } from "#web/receipt/opening-link.ts";
import { Form, TextArea, TextField } from "#web/ui/form.tsx";
import { StatusMark } from "#web/ui/status.tsx";

/** Of a sealed receipt that is not disclosed, `evidence` is the sealed form, and its memories are not known. */
interface HeldReceipt {
  readonly createdAt?: string;
  readonly evidence?: unknown;
  readonly usedMemories?: readonly { readonly storeRef: string; readonly contentDigest?: unknown }[];
}

interface HeldValuesProps {
  readonly receipt: HeldReceipt;
  readonly memories: ReadonlyMap<string, FetchedBlob>;
  /** The opening that the page has already, as JSON. */
  readonly held: string | undefined;
  readonly givenAnswer?: string | undefined;
  /** Called with an opening that opens more than question and answer. */
  readonly onOpening?: (text: string) => void;
}

export default function HeldValues({ receipt, memories, held, givenAnswer, onOpening }: HeldValuesProps) {
  const known = held === undefined ? undefined : readOpening(held);
  const [entered, setEntered] = useState("");
  const [question, setQuestion] = useState(() => wordsIn(known, QUESTION));
  const [answer, setAnswer] = useState(() => givenAnswer ?? wordsIn(known, ANSWER));
  const [isWrong, setWrong] = useState(false);
  const document = entered === "" ? known : readOpening(entered);
  const salts = (path: string) => document && saltIn(document, path);
  const { evidence, createdAt, usedMemories } = receipt;
  const given = new Map(known?.blobs?.map((blob) => [digestOfText(blob), blob]));
  const facts = usedMemories?.map(({ storeRef, contentDigest }) =>
    factIn(given.get(String(contentDigest)) ?? textOf(memories.get(storeRef))),
  );
  const isKnown = facts !== undefined && usedMemories !== undefined && createdAt !== undefined;
  const prompt = isKnown ? promptHeld({ evidence, createdAt, usedMemories }, salts, question, facts) : undefined;

  async function enter(text: string): Promise<void> {
    setEntered(text);
    const found = await openingIn(text);
    setWrong(text.trim() !== "" && found === undefined);
    if (found !== undefined && (found.values ?? found.names ?? found.blobs) !== undefined)
      onOpening?.(openingText(found));
  }

  return (
    <Form className="flex max-w-[50rem] flex-col gap-4" onSubmit={() => undefined}>
      <p className="measure text-sm">Do question, answer and opening belong to it? They stay in your browser.</p>
      <TextField
        label="Opening"
        hint={known === undefined ? OPENING_HINT : `The one that came with it is used. ${OPENING_HINT}`}
        error={isWrong ? "This is not an opening." : undefined}
        value={entered}
        onChange={(value) => void enter(value)}
        autoComplete="off"
        spellCheck={false}
        look="font-mono text-sm"
      />
      <TextArea label="Question" hint="Exactly as it was asked." rows={2} value={question} onChange={setQuestion} />
      <TextArea label="Answer" hint="Exactly as it was given." rows={4} value={answer} onChange={setAnswer} />
      <div role="status" className="flex flex-col gap-2 text-sm">
        {document !== undefined && question !== "" && (
          <>
            <Result what="The question" holding={valueHeld(receipt, salts, QUESTION, question)} />
            <Result what="The prompt, rebuilt from the question and the memories," holding={prompt} />
          </>
        )}
        {document !== undefined && answer !== "" && (
          <Result what="The answer" holding={valueHeld(receipt, salts, ANSWER, answer)} />
        )}
      </div>
    </Form>
  );
}

const OPENING_HINT = "The seed of 64 digits, the whole JSON, or a link that somebody shared with you.";

/** In any form: a link, its fragment, JSON, or the seed alone. */
async function openingIn(text: string): Promise<OpeningDocument | undefined> {
  return readOpening(text) ?? readOpening(await readFragment(text.trim().replace(/^[^#]*#/, "")));
}

function wordsIn(document: OpeningDocument | undefined, path: string): string {
  const value = new Map(Object.entries(document?.values ?? {})).get(path);
  return typeof value === "string" ? value : "";
}

const WORDS: Readonly<Record<Holding, string>> = {
  belongs: "belongs to this receipt, character for character.",
  differs: "is not the one of this receipt, or the opening is another receipt’s.",
  absent: "cannot be compared: this receipt has no commitment to it, or the opening does not disclose it.",
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

function textOf(blob: FetchedBlob | undefined): string | undefined {
  if (blob === undefined || typeof blob === "string") return undefined;
  return orUndefined(() => new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(blob));
}
