// /reports: figures for whoever answers for the service, each with its definition. The page prints as it is.

import { useQuery } from "@tanstack/react-query";
import { client, queryKeys } from "#web/api/client.ts";
import { saveFile } from "#web/lib/files.ts";
import { useFilters } from "#web/lib/use-filters.ts";
import { Button } from "#web/ui/form.tsx";
import { Download, Printer } from "#web/ui/icons.tsx";
import { FilterSelect } from "#web/ui/name-fields.tsx";
import { PageHeader, Skeleton } from "#web/ui/page.tsx";
import { ProblemNote } from "#web/ui/status.tsx";
import { type Report, reportCsv } from "./report-rows.ts";
import { AnswersOnLedger, PreventedAccesses, RevokeTimes, UnusedGates } from "./report-sections.tsx";

const FILTERS = { days: { values: ["7", "28", "91", "365"] } } as const;
const DEFAULT_DAYS = 28;
const DAY_MS = 86_400_000;

export default function ReportsPage() {
  const { values, set } = useFilters(FILTERS);
  const days = Number(values.days ?? DEFAULT_DAYS);
  const { data, error, refetch } = useQuery({
    queryKey: [...queryKeys.reports, days],
    queryFn: () => {
      const from = new Date(Date.now() - days * DAY_MS).toISOString();
      return client.getReports({ from });
    },
  });
  return (
    <>
      <PageHeader
        title="Reports"
        lede="What was answered and refused, how fast a gate closes, how much is on the ledger, and which open gates are unused."
        actions={<ReportActions report={data} />}
      />
      <div className="mb-8 flex flex-wrap items-end gap-x-6 gap-y-3">
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
          {data !== undefined && `${DAY.format(new Date(data.from))} to ${DAY.format(new Date(data.to))}.`}
        </p>
      </div>
      {error !== null && <ProblemNote error={error} onRetry={() => void refetch()} />}
      {data === undefined && error === null && <Skeleton what="the reports" className="h-[40rem]" />}
      {data !== undefined && (
        <div className="grid gap-x-16 gap-y-12 lg:grid-cols-2">
          <PreventedAccesses report={data} />
          <RevokeTimes revokes={data.revokes} />
          <AnswersOnLedger ledger={data.ledger} />
          <UnusedGates gates={data.gates} />
        </div>
      )}
    </>
  );
}

const DAY = new Intl.DateTimeFormat("en-GB", { dateStyle: "medium", timeStyle: "short" });

const ReportActions = ({ report }: { readonly report: Report | undefined }) => (
  <div className="flex flex-wrap gap-3 print:hidden">
    <Button
      disabled={report === undefined}
      onClick={() => report && saveFile("reports.csv", "text/csv", [reportCsv(report)])}
    >
      <Download className="size-4" />
      Save as CSV
    </Button>
    <Button disabled={report === undefined} onClick={() => print()}>
      <Printer className="size-4" />
      Print
    </Button>
  </div>
);
