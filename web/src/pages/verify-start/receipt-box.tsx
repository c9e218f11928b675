// The box for an id or a link, and the place for a file.

import { type FormEvent, useState } from "react";
import { baseUrl } from "#web/lib/address.ts";
import { classNames } from "#web/lib/strings.ts";
import { Button, Field, FileButton, TextInput } from "#web/ui/form.tsx";
import { LockKeyhole } from "#web/ui/icons.tsx";
import { type Entered, faultOf, readEntered } from "./entered-text.ts";

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
  function submit(event: FormEvent): void {
    event.preventDefault();
    const entered = readEntered(text, baseUrl());
    setFault(faultOf(entered));
    onEnter(entered);
  }
  return (
    <div className="rounded-lg border border-line bg-card px-5 py-6 shadow-lift sm:px-8 sm:py-8">
      <form onSubmit={submit}>
        <Field
          label="Id of the receipt, or a link to it"
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
          <b className="font-medium">Or drop a file anywhere on this page</b>: a receipt, an answer, or a proof.
        </p>
        <FileButton label="Receipt as a file" accept=".json,.txt,application/json" onFile={onFile}>
          Choose a file
        </FileButton>
      </div>
      <p className="mt-4 flex items-start gap-2 text-soft text-xs">
        <LockKeyhole className="mt-0.5 size-3.5 flex-none" />
        <span className="measure">
          Files stay in your browser. The service learns the digest or the answer id, to find the anchor.
        </span>
      </p>
    </div>
  );
}
