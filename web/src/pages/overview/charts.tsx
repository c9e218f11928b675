// Figures and small charts without a legend: every bar has its name and its number.
import type { ReactNode } from "react";
import { classNames } from "#web/lib/strings.ts";
import { Facts, Monospace, Name } from "#web/ui/text.tsx";

export interface Bar {
  readonly name: string;
  readonly count: number;
  /** Left out for a bar that stands for several names. */
  readonly link?: ReactNode;
}

/** A horizontal bar chart: a table of names and numbers, each with a bar. */
export function Bars({ caption, bars }: { readonly caption: string; readonly bars: readonly Bar[] }) {
  const max = Math.max(1, ...bars.map(({ count }) => count));
  return (
    <table className="w-full border-separate border-spacing-y-1 text-sm">
      <caption className="sr-only">{caption}</caption>
      <tbody>
        {bars.map(({ name, count, link }) => (
          <tr key={name}>
            <th scope="row" className="w-2/5 min-w-28 pr-3 text-left font-normal leading-snug">
              {link ?? <Name>{name}</Name>}
            </th>
            <td>
              <span className="flex items-center gap-2">
                <span
                  className="h-5 min-w-0.5 rounded-r-sm bg-iron"
                  style={{ width: `calc((100% - 4rem) * ${count / max})` }}
                />
                <Monospace>{count.toLocaleString("en")}</Monospace>
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
  readonly axisLabels: readonly string[];
}

/** A column chart of counts over time. To a screen reader it is a list of them. */
export function Columns({ caption, columns, axisLabels }: ColumnsProps) {
  const max = Math.max(1, ...columns.map(({ count }) => count));
  return (
    <figure aria-label={caption}>
      <ol className="flex h-40 items-end gap-[2px] border-ink border-b sm:gap-1">
        {columns.map(({ label, count }) => (
          <li
            key={label}
            title={`${label}: ${count}`}
            className="relative flex h-full flex-1 flex-col items-center justify-end"
          >
            <span className="sr-only">
              {label}: {count}
            </span>
            <Monospace className="hidden text-soft sm:inline">{count === 0 ? "" : count}</Monospace>
            <span
              className={classNames("w-full rounded-t-sm", count === 0 ? "h-1 bg-line" : "min-h-1 bg-iron")}
              style={count === 0 ? undefined : { height: `calc((100% - 1.5rem) * ${count / max})` }}
            />
          </li>
        ))}
      </ol>
      <p aria-hidden="true" className="mt-1 flex justify-between text-soft text-xs">
        {axisLabels.map((label) => (
          <span key={label}>{label}</span>
        ))}
      </p>
    </figure>
  );
}

interface ShareProps {
  readonly part: number;
  readonly whole: number;
  readonly children: string;
}

/** A percentage, as a number and as a bar. */
export function Share({ part, whole, children }: ShareProps) {
  const share = whole === 0 ? undefined : part / whole;
  return (
    <div>
      <p className="font-serif text-2xl">{share === undefined ? "none yet" : percent(share)}</p>
      <div aria-hidden="true" className="my-2 h-2 rounded-sm bg-well">
        <div className="h-full rounded-sm bg-pass" style={{ width: `${100 * (share ?? 0)}%` }} />
      </div>
      <p className="text-sm text-soft">
        <Monospace>{part.toLocaleString("en")}</Monospace> of <Monospace>{whole.toLocaleString("en")}</Monospace>{" "}
        {children}
      </p>
    </div>
  );
}

/** Rounded down: only the whole is 100%. */
const percent = (share: number): string => `${(Math.floor(share * 1_000) / 10).toLocaleString("en")}%`;

/** Large numbers with their names. */
export const Figures = ({ figures }: { readonly figures: Readonly<Record<string, number | string>> }) => (
  <Facts
    className="grid-cols-2 gap-x-8 gap-y-6 border-line border-y py-6 sm:grid-cols-3 lg:grid-cols-5 [&_dd]:font-mono [&_dd]:text-xl [&_dt]:text-sm"
    row="flex flex-col-reverse justify-end"
    rows={Object.fromEntries(Object.entries(figures).map(([name, value]) => [name, value.toLocaleString("en")]))}
  />
);
