import { visible } from "#core/encoding/visible-text.ts";
import { CopyButton } from "#web/ui/form/copy-button.tsx";

interface CodeBlockProps {
  /** What it is, for the copy button: "the curl form". */
  readonly label: string;
  readonly text: string;
}

/** Code or JSON, to be read and copied. It shows invisible characters, and copies the text as it is. */
export function CodeBlock({ label, text }: CodeBlockProps) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls must be reachable with the keyboard.
    <section aria-label={label} tabIndex={0} className="max-h-96 overflow-auto rounded-md bg-well px-3.5 py-2.5">
      <span className="float-right -mt-1 -mr-1.5 ml-3">
        <CopyButton text={text} what={label} />
      </span>
      <pre dir="ltr" className="untrusted whitespace-pre-wrap font-mono text-xs">
        {visible(text)}
      </pre>
    </section>
  );
}
