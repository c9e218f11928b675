import type { ReactNode } from "react";
import { weeksBetween } from "#core/week.ts";
import { classNames } from "#web/lib/strings.ts";
import { Columns, Share } from "#web/pages/overview/charts.tsx";
import { GateIcon } from "#web/ui/gate-icon.tsx";
import { AgentLink, NamespaceLink } from "#web/ui/links.tsx";
import { EmptyState, Section } from "#web/ui/page.tsx";
import { Count, Monospace } from "#web/ui/text.tsx";
import type { Report } from "./report-rows.ts";

type Prevented = Report["prevented"];

export function PreventedAccesses({ report }: { readonly report: Report }) {
  const { answers, refused, weeks, leftOut, since } = report.prevented;
  const columns = byWeek(report);
  return (
    <Section title="Answers and refused calls" className="lg:col-span-2">
      {weeks.length === 0 ? (
        <EmptyState title="No answers in this time." />
      ) : (
        <>
          <p className="mb-6 font-serif text-lg">
            <Count value={answers} /> {answers === 1 ? "answer" : "answers"}. <Count value={refused} />{" "}
            {refused === 1 ? "call was" : "calls were"} refused.
          </p>
          <div
            className={classNames("grid items-start gap-x-16 gap-y-8", columns.length <= FEW_WEEKS && "lg:grid-cols-2")}
          >
            <Columns
              caption="Answers by week"
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
        Complete answers and recalls, by week (from Monday, UTC). A refused call is one that its key may not make.
      </Definition>
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

function axisOf(columns: readonly { readonly label: string }[]): string[] {
  const [first, last] = [columns[0]?.label ?? "", columns.at(-1)?.label ?? ""];
  return first === last ? [`week of ${first}`] : [`week of ${first}`, `week of ${last}`];
}

function WeekTable({ weeks }: { readonly weeks: Prevented["weeks"] }) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable with the keyboard.
    <section aria-label="By week and agent" tabIndex={0} className="relative max-h-80 overflow-auto print:max-h-none">
      <table className="w-full whitespace-nowrap text-sm">
        <caption className="sr-only">Answers and refused calls by week and agent</caption>
        <thead className="sticky top-0 bg-paper text-left text-soft">
          <tr>
            {["Week of", "Agent", "Answers", "Refused"].map((head, i) => (
              <th
                key={head}
                scope="col"
                className={`py-1 align-bottom font-normal ${i > 1 ? "text-right max-sm:whitespace-normal" : ""} pr-4 last:pr-0`}
              >
                {head}
              </th>
            ))}
          </tr>
        </thead>
        <tbody className="divide-y divide-line">
          {weeks.map(({ week, agentId, answers, refused }) => (
            <tr key={`${week} ${agentId}`}>
              <td className="py-1.5 pr-4">
                <Monospace>{week}</Monospace>
              </td>
              <th scope="row" className="min-w-20 whitespace-normal sm:min-w-36 py-1.5 pr-4 text-left font-normal">
                <AgentLink agentId={agentId} />
              </th>
              {[answers, refused].map((count, i) => (
                // biome-ignore lint/suspicious/noArrayIndexKey: the two columns never change their order.
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

export function RevokeTimes({ revokes }: { readonly revokes: Report["revokes"] }) {
  const { count, medianMs, p95Ms, maxMs, isComplete } = revokes;
  const figures = [
    ["half of them within", medianMs],
    ["95% within", p95Ms],
    ["the longest", maxMs],
  ] as const;
  return (
    <Section title="From revoke to in force" className="">
      {count === 0 ? (
        <p className="font-serif text-lg">No gate was closed in this time.</p>
      ) : (
        <>
          <p className="mb-4">
            <Count value={count} /> {count === 1 ? "revoke" : "revokes"}
            {isComplete ? "." : ", the newest ones; there were more."}
          </p>
          <dl className="grid grid-cols-3 gap-x-8 border-line border-y py-6">
            {figures.map(([name, ms]) => (
              <div key={name} className="flex flex-col-reverse justify-end">
                <dt className="text-sm text-soft">{name}</dt>
                <dd className="font-mono text-xl">{(ms ?? 0).toLocaleString("en")} ms</dd>
              </div>
            ))}
          </dl>
        </>
      )}
      <Definition>
        The time from the arrival of a call that closes a gate until it is acknowledged. From then on no prompt with
        that namespace leaves, and no answer made of it is released, on any replica.
      </Definition>
    </Section>
  );
}

export function AnswersOnLedger({ ledger }: { readonly ledger: Report["ledger"] }) {
  const { answers, onLedger, isComplete } = ledger;
  return (
    <Section title="Answers on the ledger" className="">
      <Share part={onLedger} whole={answers}>
        answers
      </Share>
      {!isComplete && <p className="mt-3 text-sm text-unknown">There are more anchors than one report counts.</p>}
      <Definition>
        Complete answers and recalls of this time, and how many of their receipts are on the ledger. Receipts that are
        only blobs do not count.
      </Definition>
    </Section>
  );
}

export function UnusedGates({ gates: { open, neverUsed, gates, isComplete } }: { readonly gates: Report["gates"] }) {
  return (
    <Section title="Open gates that were never used" className="lg:col-span-2">
      <p className="mb-4 font-serif text-lg">
        <Count value={neverUsed} /> of <Count value={open} /> open gates.
      </p>
      {gates.length > 0 && (
        <ul className="grid gap-x-8 gap-y-2 sm:grid-cols-2 lg:grid-cols-3">
          {gates.map(({ agentId, namespace }) => (
            <li key={JSON.stringify([agentId, namespace])} className="flex min-w-0 items-center gap-2 text-sm">
              <GateIcon open className="size-4.5 flex-none" />
              <span className="min-w-0">
                <NamespaceLink name={namespace} /> is open to <AgentLink agentId={agentId} />
              </span>
            </li>
          ))}
        </ul>
      )}
      {neverUsed > gates.length && (
        <p className="mt-3 text-sm text-soft">And {(neverUsed - gates.length).toLocaleString("en")} more.</p>
      )}
      {!isComplete && <p className="mt-3 text-sm text-unknown">There are more gates than one report counts.</p>}
      <Definition>
        Gates that are open now and that no answer or recall ever used, whatever time is chosen above. Close what nobody
        needs.
      </Definition>
    </Section>
  );
}

/** What a figure counts, under it. */
const Definition = ({ children }: { readonly children: ReactNode }) => (
  <p className="measure mt-4 text-soft text-xs">{children}</p>
);
