import { weeksBetween } from "#core/week.ts";
import { classNames } from "#web/lib/class-names.ts";
import { Columns } from "#web/pages/overview/charts.tsx";
import { EmptyState } from "#web/ui/empty-state.tsx";
import { AgentLink } from "#web/ui/links/agent-link.tsx";
import { Section } from "#web/ui/page-header.tsx";
import { Count, Monospace } from "#web/ui/text/monospace.tsx";
import { Definition } from "./definition.tsx";
import type { Report } from "./report-rows.ts";

type Prevented = Report["prevented"];

export function PreventedAccesses({ report }: { readonly report: Report }) {
  const { answers, heldBack, refused, weeks, leftOut, since } = report.prevented;
  const columns = byWeek(report);
  return (
    <Section title="Accesses prevented" className="lg:col-span-2">
      {weeks.length === 0 ? (
        <EmptyState title="No answers in this time." />
      ) : (
        <>
          <p className="mb-6 font-serif text-lg">
            In <Count value={heldBack} /> of <Count value={answers} /> answers a namespace was held back.{" "}
            <Count value={refused} /> {refused === 1 ? "call was" : "calls were"} refused.
          </p>
          <div
            className={classNames("grid items-start gap-x-16 gap-y-8", columns.length <= FEW_WEEKS && "lg:grid-cols-2")}
          >
            <Columns
              caption="Answers with a namespace held back, by week"
              head={["Week", "Answers"]}
              axisLabels={axisOf(columns)}
              columns={columns}
            />
            <WeekTable weeks={weeks} />
          </div>
        </>
      )}
      {leftOut > 0 && <p className="mt-3 text-sm text-soft">{leftOut.toLocaleString("en")} older rows are left out.</p>}
      {since !== undefined && (
        <p className="mt-3 text-sm text-unknown">
          The log of this time is too long for one report. It was counted from {new Date(since).toLocaleString("en-GB")}{" "}
          on.
        </p>
      )}
      <Definition>
        An answer counts when the gate held at least one existing namespace back from its agent, whatever the question
        was about. Complete answers and recalls count, by the week (from Monday, UTC) in which they were made. A refused
        call is one that its key may not make.
      </Definition>
    </Section>
  );
}

/** With more columns than these the chart has the whole width. */
const FEW_WEEKS = 14;

/** Every week of the time, oldest first. */
function byWeek({ from, to, prevented }: Report): { label: string; count: number }[] {
  const sums = new Map(weeksBetween(from, to).map((week) => [week, 0]));
  for (const { week, heldBack } of prevented.weeks) sums.set(week, (sums.get(week) ?? 0) + heldBack);
  return [...sums].map(([label, count]) => ({ label, count }));
}

function axisOf(columns: readonly { readonly label: string }[]): string[] {
  const [first, last] = [columns[0]?.label ?? "", columns.at(-1)?.label ?? ""];
  return first === last ? [`week of ${first}`] : [`week of ${first}`, `week of ${last}`];
}

function WeekTable({ weeks }: { readonly weeks: Prevented["weeks"] }) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable with the keyboard.
    <section aria-label="By week and agent" tabIndex={0} className="max-h-80 overflow-auto print:max-h-none">
      <table className="w-full whitespace-nowrap text-sm">
        <caption className="sr-only">Accesses prevented by week and agent</caption>
        <thead className="sticky top-0 bg-paper text-left text-soft">
          <tr>
            <th scope="col" className="py-1 pr-4 align-bottom font-normal">
              Week of
            </th>
            <th scope="col" className="py-1 pr-4 align-bottom font-normal">
              Agent
            </th>
            <th scope="col" className="py-1 pr-4 text-right align-bottom font-normal max-sm:whitespace-normal">
              Held back
            </th>
            <th scope="col" className="py-1 pr-4 text-right align-bottom font-normal max-sm:whitespace-normal">
              Answers
            </th>
            <th scope="col" className="py-1 text-right align-bottom font-normal">
              Refused
            </th>
          </tr>
        </thead>
        <tbody className="divide-y divide-line">
          {weeks.map(({ week, agentId, answers, heldBack, refused }) => (
            <tr key={`${week} ${agentId}`}>
              <td className="py-1.5 pr-4">
                <Monospace>{week}</Monospace>
              </td>
              <th scope="row" className="min-w-20 whitespace-normal sm:min-w-36 py-1.5 pr-4 text-left font-normal">
                <AgentLink agentId={agentId} />
              </th>
              {[heldBack, answers, refused].map((count, i) => (
                // biome-ignore lint/suspicious/noArrayIndexKey: the three columns never change their order.
                <td key={i} className="py-1.5 pr-4 text-right last:pr-0">
                  <Monospace>{count.toLocaleString("en")}</Monospace>
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}
