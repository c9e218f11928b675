// What should be there and what is, with the first difference marked.
import { Fragment, type ReactNode } from "react";
import { differenceOf } from "#core/encoding/text-difference.ts";
import { visible } from "#core/encoding/visible-text.ts";
import type { Compared } from "#core/verify/check.ts";

export function ComparedValues({ expected, actual }: Compared) {
  if (expected === actual) return <Values rows={[["both", broken(expected)]]} />;
  const { start, left, right, end } = differenceOf(expected, actual);
  const marked = (middle: string): ReactNode => (
    <>
      {broken(start)}
      <mark className="rounded-sm bg-fail-wash text-ink underline decoration-2 decoration-fail underline-offset-4">
        {middle === "" ? <i>nothing</i> : broken(middle)}
      </mark>
      {broken(end)}
    </>
  );
  return (
    <Values
      rows={[
        ["expected", marked(left)],
        ["found", marked(right)],
      ]}
    />
  );
}

/** A long type is best broken between its parts. */
const broken = (text: string): ReactNode =>
  visible(text)
    .split("::")
    .map((part, place) => (
      // biome-ignore lint/suspicious/noArrayIndexKey: the parts have no other name, and never move.
      <Fragment key={place}>
        {place > 0 && (
          <>
            <wbr />
            ::
          </>
        )}
        {part}
      </Fragment>
    ));

export function Values({ rows }: { readonly rows: readonly (readonly [label: string, value: ReactNode])[] }) {
  return (
    <dl className="compared mt-3 rounded-md bg-well px-3.5 py-2.5">
      {rows.map(([label, value]) => (
        <div key={label} className="grid gap-x-3 py-0.5 sm:grid-cols-[4.75rem_minmax(0,1fr)]">
          <dt className="text-soft text-xs">{label}</dt>
          <dd className="outside whitespace-pre-wrap font-mono text-xs">{value}</dd>
        </div>
      ))}
    </dl>
  );
}
