// Bytes as they came, so that nobody has to believe what was read out of them.
import { bytesToHex } from "@noble/hashes/utils.js";
import { visible } from "#core/encoding/visible-text.ts";
import { Fold } from "./disclosure.tsx";

const utf8 = new TextDecoder();

export function RawText({ what, bytes }: { readonly what: string; readonly bytes: Uint8Array }) {
  return <Raw what={what} length={bytes.byteLength} text={visible(utf8.decode(bytes))} />;
}

export function RawHex({ what, bytes }: { readonly what: string; readonly bytes: Uint8Array }) {
  return <Raw what={what} length={bytes.byteLength} text={bytesToHex(bytes)} />;
}

interface RawProps {
  readonly what: string;
  readonly length: number;
  readonly text: string;
}

function Raw({ what, length, text }: RawProps) {
  return (
    <Fold summary={`${what}, ${length.toLocaleString("en")} bytes`}>
      <section
        aria-label={what}
        // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable with the keyboard.
        tabIndex={0}
        className="raw max-h-72 overflow-y-auto rounded-md bg-well px-3.5 py-2.5 print:max-h-none"
      >
        <pre dir="ltr" className="outside whitespace-pre-wrap font-mono text-xs">
          {text}
        </pre>
      </section>
    </Fold>
  );
}
