// The browser's own modal dialog, which keeps the focus inside, closes with Escape and then restores the focus.
import { X } from "lucide-react";
import { type ReactNode, useEffect, useId, useRef } from "react";

interface DialogProps {
  readonly open: boolean;
  readonly onClose: () => void;
  readonly title: string;
  readonly children: ReactNode;
}

export function Dialog({ open, onClose, title, children }: DialogProps) {
  const dialog = useRef<HTMLDialogElement>(null);
  const titleId = useId();
  useEffect(() => {
    if (open && dialog.current?.open === false) dialog.current.showModal();
    if (!open) dialog.current?.close();
  }, [open]);
  return (
    <dialog
      ref={dialog}
      aria-labelledby={titleId}
      onClose={onClose}
      className="m-auto w-[min(36rem,calc(100vw-2rem))] rounded-lg border border-line bg-card p-6 text-ink shadow-lift backdrop:bg-[#0007]"
    >
      {open && (
        <>
          <div className="mb-4 flex items-start justify-between gap-4">
            <h2 id={titleId} className="font-serif text-xl">
              {title}
            </h2>
            <button
              type="button"
              aria-label="Close"
              className="-m-2 grid size-10 flex-none place-items-center rounded-md hover:bg-well"
              onClick={onClose}
            >
              <X className="size-5" aria-hidden="true" />
            </button>
          </div>
          {children}
        </>
      )}
    </dialog>
  );
}
