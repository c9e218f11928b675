// A new key, until its reader says that it is stored. It is in this page only, and nobody can show it again.
import { useEffect, useRef } from "react";
import { Button, CopyButton } from "#web/ui/form.tsx";
import { Name } from "#web/ui/text.tsx";
import type { IssuedKey } from "./key-card.tsx";

interface IssuedKeyNoteProps {
  readonly issued: Pick<IssuedKey, "key"> & { readonly record: Pick<IssuedKey["record"], "name"> };
  readonly what?: "key" | "secret";
  readonly onDismiss: () => void;
}

export function IssuedKeyNote({ issued: { key, record }, what = "key", onDismiss }: IssuedKeyNoteProps) {
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    heading.current?.scrollIntoView({ block: "nearest" });
    heading.current?.focus({ preventScroll: true });
  }, []);
  return (
    <section
      aria-labelledby="issued-key"
      className="mb-10 scroll-mt-4 rounded-lg border border-unknown bg-unknown-wash p-5 sm:p-6"
    >
      <h2 ref={heading} id="issued-key" tabIndex={-1} className="scroll-mt-8 font-medium font-serif text-xl">
        The {what} of <Name>{record.name}</Name>
      </h2>
      <p className="measure mt-1 text-sm">
        Copy it now and keep it safe. <strong className="font-medium">It is not shown again.</strong>
      </p>
      <code className="mt-4 block break-all rounded-md border border-line bg-card px-4 py-3 font-mono text-sm">
        {key}
      </code>
      <div className="mt-4 flex flex-wrap gap-3">
        <CopyButton text={key} what={what} look="quiet" />
        <Button
          onClick={() => {
            // The button is gone with the note.
            document.querySelector("h1")?.focus();
            onDismiss();
          }}
        >
          I have stored it
        </Button>
      </div>
    </section>
  );
}
