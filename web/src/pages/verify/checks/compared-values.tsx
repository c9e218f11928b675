// The expected and the found value, with their difference marked.
import { Fragment, type ReactNode } from "react";
import { differenceOf } from "#core/encoding/text-difference.ts";
import { visible } from "#core/encoding/visible-text.ts";
import type { Compared } from "#core/verify/check.ts";

export function ComparedValues({ expected, actual }: Compared) {
  if (expected === actual) return <Values rows={[["both", breakable(expected)]]} />;
  const { start, left, right, end } = differenceOf(expected, actual);
  const marked = (middle: string): ReactNode => (
    <>
      {breakable(start)}
      <mark className="rounded-sm bg-fail-wash text-ink underline decoration-2 decoration-fail underline-offset-4">
        {middle === "" ? <i>nothing</i> : breakable(middle)}
      </mark>
      {breakable(end)}
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

/** Lets the browser break a long Move type between its parts. */
const breakable = (text: string): ReactNode =>
  visible(text)
    .split("::")
    .map((part, index) => (
      // biome-ignore lint/suspicious/noArrayIndexKey: the parts have no other key and never change their order.
      <Fragment key={index}>
        {index > 0 && (
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
          <dd className="untrusted whitespace-pre-wrap font-mono text-xs">{value}</dd>
        </div>
      ))}
    </dl>
  );
}
