// Raw bytes or text, hidden until the reader opens them, so that nobody has to trust what a page decoded from them.
import { visible } from "#core/encoding/visible-text.ts";
import { Disclosure } from "./disclosure.tsx";

interface RawContentProps {
  readonly summary: string;
  /** The accessible name of the region; the summary when left out. */
  readonly label?: string;
  readonly text: string;
}

export function RawContent({ summary, label = summary, text }: RawContentProps) {
  return (
    <Disclosure summary={summary}>
      <section
        aria-label={label}
        // biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls must be reachable with the keyboard.
        tabIndex={0}
        className="raw max-h-96 overflow-y-auto rounded-md bg-well px-3.5 py-2.5 print:max-h-none"
      >
        <pre dir="ltr" className="untrusted whitespace-pre-wrap break-all font-mono text-xs">
          {visible(text)}
        </pre>
      </section>
    </Disclosure>
  );
}
