// The report as CSV: one figure a line.

import type { Reply } from "#contract/routes.ts";
import { weeksBetween } from "#core/week.ts";
import { type CsvCell, csvLine } from "#web/lib/files.ts";
import { plural } from "#web/lib/strings.ts";
import { GateIcon } from "#web/ui/gate-icon.tsx";
import { AgentLink, NamespaceLink } from "#web/ui/links.tsx";
import { EmptyState, Section } from "#web/ui/page.tsx";
import { Count, Counted, Monospace } from "#web/ui/text.tsx";
import { Columns, Figures } from "./charts.tsx";

export function Answers({ report }: { readonly report: Report }) {
  const { answers, refused, weeks, leftOut, since } = report.prevented;
  const columns = byWeek(report);
  return (
    <Section
      title="Answers and refused calls"
      lede="By week, from Monday, UTC. Refused: the key may not make the call."
      className="lg:col-span-2"
    >
      {weeks.length === 0 ? (
        <EmptyState title="No answers in this time." />
      ) : (
        <>
          <p className="mb-6 font-serif text-lg">
            <Counted value={answers} one="answer" />. <Counted value={refused} one="call was" many="calls were" />{" "}
            refused.
          </p>
          <div className={`grid items-start gap-x-16 gap-y-8 ${columns.length <= FEW_WEEKS ? "lg:grid-cols-2" : ""}`}>
            <Columns
              caption="Answers by week"
              axisLabels={[...new Set([columns[0]?.label ?? "", columns.at(-1)?.label ?? ""])]}
              columns={columns}
            />
            <WeekTable weeks={weeks} />
          </div>
        </>
      )}
      {leftOut > 0 && <p className="mt-3 text-sm text-soft">{leftOut.toLocaleString("en")} older rows are left out.</p>}
      {since !== undefined && (
        <p className="mt-3 text-sm text-unknown">
          The log of this time is too long. It was counted from {new Date(since).toLocaleString("en-GB")} on.
        </p>
      )}
    </Section>
  );
}

/** With more columns than these the chart has the whole width. */
const FEW_WEEKS = 14;

/** Every week of the time, oldest first. */
function byWeek({ from, to, prevented }: Report): { label: string; count: number }[] {
  const sums = new Map(weeksBetween(from, to).map((week) => [week, 0]));
  for (const { week, answers } of prevented.weeks) sums.set(week, (sums.get(week) ?? 0) + answers);
  return [...sums].map(([label, count]) => ({ label, count }));
}

const WeekTable = ({ weeks }: { readonly weeks: Report["prevented"]["weeks"] }) => (
  // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable with the keyboard.
  <section aria-label="By week and agent" tabIndex={0} className="relative max-h-80 overflow-auto print:max-h-none">
    <table className="w-full whitespace-nowrap text-sm [&_:is(td,th)]:py-1 [&_:is(td,th):not(:last-child)]:pr-4 [&_:is(td,th):nth-child(n+3)]:text-right">
      <caption className="sr-only">Answers and refused calls by week and agent</caption>
      <thead className="sticky top-0 bg-paper text-left text-soft">
        <tr>
          {["Week of", "Agent", "Answers", "Refused"].map((head) => (
            <th key={head} scope="col" className="font-normal">
              {head}
            </th>
          ))}
        </tr>
      </thead>
      <tbody className="divide-y divide-line">
        {weeks.map(({ week, agentId, answers, refused }) => (
          <tr key={`${week} ${agentId}`}>
            <td>
              <Monospace>{week}</Monospace>
            </td>
            <th scope="row" className="min-w-20 whitespace-normal text-left font-normal sm:min-w-36">
              <AgentLink agentId={agentId} />
            </th>
            <td>
              <Count value={answers} />
            </td>
            <td>
              <Count value={refused} />
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  </section>
);

export function CloseTimes({ revokes }: { readonly revokes: Report["revokes"] }) {
  const { count, medianMs, p95Ms, maxMs, isComplete } = revokes;
  const inMs = (ms = 0) => `${ms.toLocaleString("en")} ms`;
  const figures = { "half within": inMs(medianMs), "95% within": inMs(p95Ms), "the longest": inMs(maxMs) };
  return (
    <Section
      title="How fast gates closed"
      lede="From the call until no prompt leaves with that namespace, and no answer made of it, on any replica."
      className=""
    >
      <p className="mb-4 font-serif text-lg">
        {count === 0
          ? "No gate was closed."
          : `${plural(count, "gate")} closed${isComplete ? "." : ", and earlier ones."}`}
      </p>
      {count > 0 && <Figures figures={figures} />}
    </Section>
  );
}

export const UnusedGates = ({ gates: { open, neverUsed, gates, isComplete } }: { readonly gates: Report["gates"] }) => (
  <Section title="Open gates that were never used" lede="Whatever time is chosen." className="lg:col-span-2">
    <p className="mb-4 font-serif text-lg">
      <Count value={neverUsed} /> of <Count value={open} /> open gates.
    </p>
    <ul className="grid gap-x-8 gap-y-2 empty:hidden sm:grid-cols-2 lg:grid-cols-3">
      {gates.map(({ agentId, namespace }) => (
        <li key={JSON.stringify([agentId, namespace])} className="flex min-w-0 items-center gap-2 text-sm">
          <GateIcon open className="size-4.5 flex-none" />
          <span className="min-w-0">
            <NamespaceLink name={namespace} /> is open to <AgentLink agentId={agentId} />
          </span>
        </li>
      ))}
    </ul>
    {neverUsed > gates.length && (
      <p className="mt-3 text-sm text-soft">And {(neverUsed - gates.length).toLocaleString("en")} more.</p>
    )}
    {!isComplete && <p className="mt-3 text-sm text-unknown">There are more gates than one report counts.</p>}
  </Section>
);

export type Report = Reply<"getReports">;

export function reportCsv({ from, to, prevented, revokes, ledger, gates }: Report): string {
  const figure = (name: string, value: CsvCell, week?: string, agentId?: string, namespace?: string) =>
    csvLine([name, week, agentId, namespace, value]);
  return [
    csvLine(["figure", "week", "agent", "namespace", "value"]),
    figure("from", from),
    figure("to", to),
    ...prevented.weeks.flatMap(({ week, agentId, answers, refused }) => [
      figure("answers", answers, week, agentId),
      figure("refused calls", refused, week, agentId),
    ]),
    figure("revokes", revokes.count),
    figure("revoke to in force, median ms", revokes.medianMs),
    figure("revoke to in force, 95th percentile ms", revokes.p95Ms),
    figure("revoke to in force, longest ms", revokes.maxMs),
    figure("answers with a receipt", ledger.answers),
    figure("answers on the ledger", ledger.onLedger),
    figure("open gates", gates.open),
    figure("open gates never used", gates.neverUsed),
    ...gates.gates.map(({ agentId, namespace }) => figure("open gate never used", 1, undefined, agentId, namespace)),
  ].join("");
}
