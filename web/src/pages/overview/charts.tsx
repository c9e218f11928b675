// Small charts that need no legend: every bar says what it is and how much.
import { useId } from "react";
import { classes } from "#web/lib/class-names.ts";
import { Mono } from "#web/ui/text/copyable-id.tsx";
import { Name } from "#web/ui/text/untrusted-text.tsx";

interface BarsProps {
  /** What the table is, for those who listen. */
  readonly caption: string;
  readonly bars: readonly { readonly name: string; readonly count: number }[];
}

/** A table whose numbers are drawn: the name, a bar, and the number at its end. */
export function Bars({ caption, bars }: BarsProps) {
  const most = Math.max(1, ...bars.map(({ count }) => count));
  return (
    <table className="w-full border-separate border-spacing-y-1 text-sm">
      <caption className="sr-only">{caption}</caption>
      <tbody>
        {bars.map(({ name, count }) => (
          <tr key={name}>
            <th scope="row" title={name} className="w-28 max-w-28 truncate pr-3 text-left font-normal">
              <Name>{name}</Name>
            </th>
            <td>
              <span className="flex items-center gap-2">
                <span
                  className="h-5 min-w-0.5 rounded-r-sm bg-iron"
                  style={{ width: `calc((100% - 4rem) * ${count / most})` }}
                />
                <Mono>{count.toLocaleString("en")}</Mono>
              </span>
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

interface ColumnsProps {
  readonly caption: string;
  readonly columns: readonly { readonly label: string; readonly count: number }[];
  /** What stands under the columns, from the first one to the last. */
  readonly marks: readonly string[];
  /** Names the two columns of the table that says the same. */
  readonly head: readonly [label: string, count: string];
}

/** Counts over time, each column with its number when there is room; the same as a table for those who listen. */
export function Columns({ caption, columns, marks, head }: ColumnsProps) {
  const captionId = useId();
  const most = Math.max(1, ...columns.map(({ count }) => count));
  return (
    <figure aria-labelledby={captionId}>
      <figcaption id={captionId} className="sr-only">
        {caption}
      </figcaption>
      <div aria-hidden="true">
        <div className="flex h-40 items-end gap-[2px] border-ink border-b sm:gap-1">
          {columns.map(({ label, count }) => (
            <span
              key={label}
              title={`${label}: ${count}`}
              className="flex h-full flex-1 flex-col items-center justify-end"
            >
              <Mono className="hidden text-soft sm:inline">{count === 0 ? "" : count}</Mono>
              <span
                className={classes("w-full rounded-t-sm", count === 0 ? "h-1 bg-line" : "min-h-1 bg-iron")}
                style={count === 0 ? undefined : { height: `calc((100% - 1.5rem) * ${count / most})` }}
              />
            </span>
          ))}
        </div>
        <p className="mt-1 flex justify-between text-soft text-xs">
          {marks.map((mark) => (
            <span key={mark}>{mark}</span>
          ))}
        </p>
      </div>
      {/* A table does not clip what overflows it, so what hides it goes around it. */}
      <div className="sr-only">
        <table>
          <caption>{caption}</caption>
          <thead>
            <tr>
              <th scope="col">{head[0]}</th>
              <th scope="col">{head[1]}</th>
            </tr>
          </thead>
          <tbody>
            {columns.map(({ label, count }) => (
              <tr key={label}>
                <th scope="row">{label}</th>
                <td>{count}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </figure>
  );
}

interface ShareProps {
  readonly part: number;
  readonly whole: number;
  /** "of used memories resolved when they were used" */
  readonly children: string;
}

/** A share as a number and as the part of a line. */
export function Share({ part, whole, children }: ShareProps) {
  const share = whole === 0 ? undefined : part / whole;
  return (
    <div>
      <p className="font-serif text-2xl">{share === undefined ? "none yet" : percent(share)}</p>
      <div aria-hidden="true" className="my-2 h-2 rounded-sm bg-well">
        <div className="h-full rounded-sm bg-pass" style={{ width: `${100 * (share ?? 0)}%` }} />
      </div>
      <p className="text-sm text-soft">
        <Mono>{part.toLocaleString("en")}</Mono> of <Mono>{whole.toLocaleString("en")}</Mono> {children}
      </p>
    </div>
  );
}

/** Never rounded up to everything. */
const percent = (share: number): string => `${(Math.floor(share * 1_000) / 10).toLocaleString("en")}%`;
