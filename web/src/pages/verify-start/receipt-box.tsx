// The box for an id or a link, and the place for a file.
import { FileUp, LockKeyhole } from "lucide-react";
import { type FormEvent, useRef, useState } from "react";
import { baseUrl } from "#web/lib/base-path.ts";
import { classNames } from "#web/lib/class-names.ts";
import { Button } from "#web/ui/form/button.tsx";
import { Field, TextInput } from "#web/ui/form/field.tsx";
import { type Entered, readEntered } from "./entered-text.ts";

interface ReceiptBoxProps {
  readonly initial: string;
  /** What is wrong with the text in the address. */
  readonly fault: string | undefined;
  /** A file is over the page. */
  readonly isDragging: boolean;
  readonly onEnter: (entered: Entered) => void;
  readonly onFile: (file: File) => void;
}

export function ReceiptBox({ initial, fault: first, isDragging, onEnter, onFile }: ReceiptBoxProps) {
  const [text, setText] = useState(initial);
  const [fault, setFault] = useState(first);
  const input = useRef<HTMLInputElement>(null);
  function submit(event: FormEvent): void {
    event.preventDefault();
    const entered = readEntered(text, baseUrl());
    setFault(faultIn(entered));
    onEnter(entered);
  }
  return (
    <div className="rounded-lg border border-line bg-card px-5 py-6 shadow-lift sm:px-8 sm:py-8">
      <form onSubmit={submit}>
        <Field
          label="An id of the receipt, or a link to it"
          hint="Receipt id (0x…), transaction, blob id, digest or answer id."
          error={fault}
        >
          {(control) => (
            <div className="flex flex-wrap gap-3">
              <TextInput
                {...control}
                dir="ltr"
                autoComplete="off"
                autoCapitalize="none"
                spellCheck={false}
                value={text}
                onChange={({ target }) => setText(target.value)}
                className="min-h-13 min-w-0 flex-1 basis-64 font-mono"
              />
              <Button type="submit" look="primary" className="min-h-13 flex-none px-8 max-sm:w-full">
                Verify
              </Button>
            </div>
          )}
        </Field>
      </form>
      <div
        className={classNames(
          "mt-6 flex flex-wrap items-center gap-x-5 gap-y-3 rounded-md border border-dashed px-4 py-4 sm:px-5",
          isDragging ? "border-iron bg-iron-wash" : "border-edge",
        )}
      >
        <p className="min-w-0 flex-1 basis-60 text-sm">
          <b className="font-medium">Or drop the receipt as a file</b>, anywhere on this page: the JSON of a receipt, of
          an answer, or of a proof that was shared with you.
        </p>
        <Button onClick={() => input.current?.click()}>
          <FileUp className="size-4" aria-hidden="true" />
          Choose a file
        </Button>
        <input
          ref={input}
          type="file"
          accept=".json,.txt,application/json"
          aria-label="Receipt as a file"
          hidden
          onChange={({ target }) => {
            const [file] = target.files ?? [];
            if (file !== undefined) onFile(file);
            // The browser reports the same file again only after a reset.
            target.value = "";
          }}
        />
      </div>
      <p className="mt-4 flex items-start gap-2 text-soft text-xs">
        <LockKeyhole className="mt-0.5 size-3.5 flex-none" aria-hidden="true" />
        <span className="measure">
          Your browser checks it. A file, and the words that you enter, are sent nowhere: the service is asked only
          where a receipt with this digest or answer id is anchored.
        </span>
      </p>
    </div>
  );
}

function faultIn(entered: Entered): string | undefined {
  if (entered.kind === "none") return entered.fault;
  if (entered.kind !== "elsewhere") return undefined;
  return `This link leads to another service, ${entered.host}. Its receipts are checked there.`;
}
