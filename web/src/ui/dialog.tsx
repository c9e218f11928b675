// A question before something is done: in the browser's own modal dialog, which keeps the focus inside, closes with Escape
// and then restores the focus.

import { type ReactNode, useEffect, useId, useRef, useState } from "react";
import { useMutation } from "#web/api/use-mutation.ts";
import { X } from "#web/ui/icons.tsx";
import { Button, Form } from "./form.tsx";
import { ProblemNote } from "./status.tsx";

interface ActionDialogProps<T> {
  /** The button that opens the dialog. Left out: it is open at once. */
  readonly button?: ReactNode;
  /** Its accessible name, where it has another one. */
  readonly label?: string;
  readonly look?: "quiet" | "plain";
  readonly title: string;
  readonly action: readonly [rest: string, running: string];
  /** What is wrong with what the user entered. Nothing is done then. */
  readonly check?: () => string | undefined;
  readonly run: () => Promise<T>;
  readonly onDone?: (result: T) => void;
  readonly onClose?: (() => void) | undefined;
  readonly code?: ReactNode;
  readonly lede?: ReactNode;
  /** A function is given what `check` found. */
  readonly children?: ReactNode | ((fault: string | undefined) => ReactNode);
}

/** A button, and the dialog that says what it does before it is done. */
export function ActionDialog<T>(props: ActionDialogProps<T>) {
  const { button, label, look = "plain", title, action, check, run, onDone, onClose, code, lede, children } = props;
  const [isOpen, setOpen] = useState(button === undefined);
  const [fault, setFault] = useState<string>();
  const { mutate, isPending, error } = useMutation({
    // It has no result: what the service answers may be a secret, which the cache must not keep.
    async mutationFn() {
      const result = await run();
      setOpen(false);
      onDone?.(result);
    },
  });
  function close(): void {
    setOpen(false);
    onClose?.();
  }
  function submit(): void {
    const found = check?.();
    setFault(found);
    if (found === undefined) mutate();
  }
  const dialog = useRef<HTMLDialogElement>(null);
  const titleId = useId();
  useEffect(() => {
    if (isOpen && dialog.current?.open === false) dialog.current.showModal();
    if (!isOpen) dialog.current?.close();
  }, [isOpen]);
  return (
    <>
      {button !== undefined && (
        <Button look={look} aria-label={label} onClick={() => setOpen(true)}>
          {button}
        </Button>
      )}
      <dialog
        ref={dialog}
        aria-labelledby={titleId}
        onClose={close}
        className="m-auto w-[min(36rem,calc(100vw-2rem))] rounded-lg border border-line bg-card p-6 text-ink shadow-lift backdrop:bg-[#0007]"
      >
        {isOpen && (
          <Form noValidate onSubmit={submit} onInput={() => setFault(undefined)}>
            <div className="mb-4 flex items-start justify-between gap-4">
              <h2 id={titleId} className="font-serif text-xl">
                {title}
              </h2>
              <button
                type="button"
                aria-label="Close"
                className="-m-2 grid size-10 flex-none place-items-center rounded-md hover:bg-well"
                onClick={close}
              >
                <X className="size-5" />
              </button>
            </div>
            {lede !== undefined && <p>{lede}</p>}
            {typeof children === "function" ? children(fault) : children}
            {error !== null && <ProblemNote error={error} className="mt-4" />}
            <div className="mt-6 flex flex-wrap gap-3">
              <Button type="submit" look="primary" busy={isPending}>
                {action[isPending ? 1 : 0]}
              </Button>
              <Button onClick={close}>Cancel</Button>
              {code}
            </div>
          </Form>
        )}
      </dialog>
    </>
  );
}
