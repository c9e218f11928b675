// The private fields of a sealed receipt: what was opened, and what stays sealed.
import { canonicalJson } from "#core/encoding/canonical-json.ts";
import { visible } from "#core/encoding/visible-text.ts";
import { privatePathsOf } from "#core/receipt/disclosure/sealed-receipt.ts";
import { sealedCount } from "#core/verify/labels.ts";
import type { SealedView } from "#core/verify/verify-receipt.ts";
import { fieldName } from "#web/receipt/field-name.ts";
import { StatusMark } from "#web/ui/status-mark.tsx";

export function OpenedFields({ sealed }: { readonly sealed: SealedView }) {
  const opened = new Map(Object.entries(sealed.opened));
  return (
    <>
      <p className="measure text-sm">
        {sealedCount(sealed)}. The public blob holds a commitment to each private field, and the service signed them
        all. An opening shows what a field says, and nobody can find another value for its commitment. Not sealed are
        the times, the model, the prompt template, the version of the policy, and how many memories were used.
      </p>
      <ol
        data-fields
        className="mt-4 divide-y divide-line overflow-hidden rounded-lg border border-line bg-card text-sm"
      >
        {privatePathsOf(sealed.receipt).map((path) => (
          <li key={path} className="grid gap-x-4 gap-y-1 px-4 py-2.5 sm:grid-cols-[12rem_minmax(0,1fr)]">
            <span className="font-medium">{fieldName(path)}</span>
            {opened.has(path) ? (
              <span className="untrusted min-w-0 whitespace-pre-wrap break-words" dir="auto">
                {visible(textOf(opened.get(path)))}
              </span>
            ) : (
              <StatusMark status="unknown">sealed</StatusMark>
            )}
          </li>
        ))}
      </ol>
    </>
  );
}

/** A text as it is, and anything else as JSON. */
const textOf = (value: unknown): string => (typeof value === "string" ? value : canonicalJson(value));
