// /overview: counts of memories, answers and anchors, and the figures of a chosen time. The page prints as it is.
import { useQuery } from "@tanstack/react-query";
import type { Reply } from "#contract/routes.ts";
import { client, queryKeys } from "#web/api/client.ts";
import { useOverview } from "#web/api/queries.ts";
import { saveFile } from "#web/lib/files.ts";
import { plural } from "#web/lib/strings.ts";
import { useFilters } from "#web/lib/use-filters.ts";
import { BlobMark, type BlobState } from "#web/memory/blob.tsx";
import { Button } from "#web/ui/form.tsx";
import { Download, Printer } from "#web/ui/icons.tsx";
import { AgentLink, NamespaceLink } from "#web/ui/links.tsx";
import { FilterSelect } from "#web/ui/name-fields.tsx";
import { PageHeader, Section, Skeleton } from "#web/ui/page.tsx";
import { ProblemNote } from "#web/ui/status.tsx";
import { type Bar, Bars, Columns, Figures, Share } from "./charts.tsx";
import { Answers, CloseTimes, type Report, reportCsv, UnusedGates } from "./report-sections.tsx";

const FILTERS = { days: { values: ["7", "28", "91", "365"] } } as const;
const DEFAULT_DAYS = 28;
const DAY_MS = 86_400_000;
const MAX_BARS = 12;

export default function OverviewPage() {
  const { data, error, refetch } = useOverview();
  const { values, set } = useFilters(FILTERS);
  const days = Number(values.days ?? DEFAULT_DAYS);
  const report = useQuery({
    queryKey: [...queryKeys.reports, days],
    queryFn: () => client.getReports({ from: new Date(Date.now() - days * DAY_MS).toISOString() }),
  });
  return (
    <>
      <PageHeader title="Overview" actions={<ReportActions report={report.data} />} />
      {error !== null && <ProblemNote error={error} onRetry={() => void refetch()} />}
      <section>
        {data === undefined && error === null && <Skeleton what="the overview" className="mb-12 h-96" />}
        {data !== undefined && <Now overview={data} />}
      </section>
      {/* It appears after the part above (base.css). */}
      <section>
        <div className="mt-12 mb-6 flex flex-wrap items-end gap-x-6 gap-y-3">
          <div className="w-52 print:hidden">
            <FilterSelect
              label="Time"
              all="Last 4 weeks"
              options={[
                ["7", "Last week"],
                ["91", "Last 3 months"],
                ["365", "Last year"],
              ]}
              value={values.days === "28" ? "" : values.days}
              onChange={(value) => set("days", value)}
            />
          </div>
          {/* It has its place before its text is there. */}
          <p role="status" className="min-h-6 grow basis-72 text-sm text-soft">
            {report.data !== undefined &&
              `${DAY.format(new Date(report.data.from))} to ${DAY.format(new Date(report.data.to))}.`}
          </p>
        </div>
        {report.error !== null && <ProblemNote error={report.error} onRetry={() => void report.refetch()} />}
        {report.data === undefined && report.error === null && <Skeleton what="the report" className="h-[40rem]" />}
        {report.data !== undefined && (
          <div className="grid gap-x-16 gap-y-12 lg:grid-cols-2">
            <Answers report={report.data} />
            <CloseTimes revokes={report.data.revokes} />
            <Section title="Answers on the ledger" className="">
              <Share part={report.data.ledger.onLedger} whole={report.data.ledger.answers}>
                complete answers and recalls
              </Share>
              {!report.data.ledger.isComplete && <p className="mt-3 text-sm text-unknown">There are more anchors.</p>}
            </Section>
            <UnusedGates gates={report.data.gates} />
          </div>
        )}
      </section>
    </>
  );
}

const DAY = new Intl.DateTimeFormat("en-GB", { dateStyle: "medium", timeStyle: "short" });

const ReportActions = ({ report }: { readonly report: Report | undefined }) => (
  <div className="flex flex-wrap gap-3 print:hidden">
    <Button
      icon={Download}
      disabled={report === undefined}
      onClick={() => report && saveFile("reports.csv", "text/csv", [reportCsv(report)])}
    >
      Save as CSV
    </Button>
    <Button icon={Printer} disabled={report === undefined} onClick={() => print()}>
      Print
    </Button>
  </div>
);

function Now({ overview: { memories, answers, anchors, policyVersion } }: { readonly overview: Reply<"getOverview"> }) {
  const namespaces = memories.byNamespace.map(({ namespace: name, count }) => {
    return { name, count, link: <NamespaceLink name={name} /> };
  });
  const agents = memories.bySourceAgent.map(({ sourceAgent: name, count }) => {
    return { name, count, link: <AgentLink agentId={name} /> };
  });
  return (
    <>
      <Figures
        figures={{
          memories: memories.total,
          answers: answers.total,
          "anchors as blobs": anchors.blobs,
          "anchors on the ledger": anchors.onLedger,
          "policy version": policyVersion,
        }}
      />
      {answers.begun + answers.brokenOff > 0 && (
        <p className="mt-3 text-sm text-unknown">
          {plural(answers.begun, "answer")} in progress, {answers.brokenOff.toLocaleString("en")} broken off.
        </p>
      )}
      {anchors.pending > 0 && (
        <p className="mt-3 text-sm text-unknown">Waiting for the ledger: {plural(anchors.pending, "anchor")}.</p>
      )}
      <div className="grid gap-x-16 lg:grid-cols-2">
        <Section title="Memories by namespace">
          <Bars caption="Memories by namespace" bars={largest(namespaces, memories.namespaces, memories.total)} />
        </Section>
        <Section title="Memories by source agent">
          <Bars caption="Memories by source agent" bars={largest(agents, memories.sourceAgents, memories.total)} />
        </Section>
        <Section title="The last 24 hours" className="mt-12 lg:col-span-2">
          <Columns
            caption="Answers in each of the last 24 hours"
            axisLabels={["23 hours ago", "12 hours ago", "this hour"]}
            columns={answers.byHour.map(({ hour, count }) => ({ label: HOUR.format(new Date(hour)), count }))}
          />
          <BlobStates {...answers} />
        </Section>
      </div>
    </>
  );
}

const HOUR = new Intl.DateTimeFormat("en-GB", { weekday: "short", hour: "2-digit", minute: "2-digit" });

/** The largest bars, and the others as one more, also those that the overview left out. */
function largest(bars: readonly Bar[], names: number, total: number): readonly Bar[] {
  const shown = bars.toSorted((a, b) => b.count - a.count).slice(0, MAX_BARS);
  if (names <= shown.length) return shown;
  const count = shown.reduce((rest, bar) => rest - bar.count, total);
  return [...shown, { name: `${(names - shown.length).toLocaleString("en")} others`, count }];
}

/** Of the memories that answers used, what the blob store returned when they were used. */
function BlobStates({ used, verified, intact }: Reply<"getOverview">["answers"]) {
  if (used === 0) return null;
  const counts: readonly (readonly [BlobState, number])[] = [
    ["intact", intact],
    ["altered", Math.max(0, verified - intact)],
    ["not-reachable", used - verified],
  ];
  return (
    <p className="mt-4 flex flex-wrap gap-x-6 gap-y-1 text-sm">
      {plural(used, "use of a memory", "uses of memories")}:
      {counts.map(([state, count]) => (
        <span key={state} data-state={state}>
          <BlobMark state={state} count={count.toLocaleString("en")} />
        </span>
      ))}
    </p>
  );
}
