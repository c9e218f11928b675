// /overview: counts of memories, answers and anchors.
import { Link } from "wouter";
import { pagePath } from "#contract/page-paths.ts";
import type { Reply } from "#contract/routes.ts";
import { useOverview } from "#web/api/queries.ts";
import { plural } from "#web/lib/plural.ts";
import { EmptyState } from "#web/ui/empty-state.tsx";
import { AgentLink } from "#web/ui/links/agent-link.tsx";
import { NamespaceLink } from "#web/ui/links/namespace-link.tsx";
import { PageHeader, Section } from "#web/ui/page-header.tsx";
import { ProblemNote } from "#web/ui/problem-note.tsx";
import { Skeleton } from "#web/ui/skeleton.tsx";
import { BlobStates } from "./blob-states.tsx";
import { type Bar, Bars, Columns, Figures } from "./charts.tsx";

const MAX_BARS = 12;

export default function OverviewPage() {
  const { data, error, isPending, refetch } = useOverview();
  return (
    <>
      <PageHeader
        title="Overview"
        lede="How many memories, answers and anchors this service has, and what the blob store returned."
        actions={<Link href={pagePath("reports")}>Reports</Link>}
      />
      {error !== null && <ProblemNote error={error} onRetry={() => void refetch()} />}
      {isPending && (
        <>
          <Skeleton what="the overview" className="mb-12 h-24" />
          <Skeleton className="h-72" />
        </>
      )}
      {data !== undefined && <Charts overview={data} />}
    </>
  );
}

function Charts({ overview }: { readonly overview: Reply<"getOverview"> }) {
  const { memories, answers, anchors, policyVersion } = overview;
  return (
    <>
      <Figures
        figures={[
          ["memories", memories.total],
          ["answers", answers.total],
          ["anchors as blobs", anchors.blobs],
          ["anchors on the ledger", anchors.onLedger],
          ["policy version", policyVersion],
        ]}
      />
      {answers.opened + answers.brokenOff > 0 && (
        <p className="mt-3 text-sm text-unknown">
          {plural(answers.opened, "answer")} in progress, {answers.brokenOff.toLocaleString("en")} broken off.
        </p>
      )}
      {anchors.pending > 0 && (
        <p className="mt-3 text-sm text-unknown">
          {anchors.pending} {anchors.pending === 1 ? "anchor waits" : "anchors wait"} for the ledger.
        </p>
      )}
      <div className="grid gap-x-16 lg:grid-cols-2">
        <Section title="Memories by namespace">
          {memories.total === 0 ? (
            <EmptyState title="No memories yet.">Capture a memory on the Memories page.</EmptyState>
          ) : (
            <Bars
              caption="Memories by namespace"
              bars={largest(
                memories.byNamespace.map(({ namespace: name, count }) => ({
                  name,
                  count,
                  link: <NamespaceLink name={name} />,
                })),
              )}
            />
          )}
        </Section>
        <Section title="Memories by source agent">
          <Bars
            caption="Memories by source agent"
            bars={largest(
              memories.bySourceAgent.map(({ sourceAgent: name, count }) => ({
                name,
                count,
                link: <AgentLink agentId={name} />,
              })),
            )}
          />
        </Section>
        <Section title="Answers in each of the last 24 hours" className="mt-12 lg:col-span-2">
          <Columns
            caption="Answers in each of the last 24 hours"
            head={["Hour", "Answers"]}
            axisLabels={["23 hours ago", "12 hours ago", "this hour"]}
            columns={answers.byHour.map(({ hour, count }) => ({ label: HOUR.format(new Date(hour)), count }))}
          />
        </Section>
        <Section
          title="Memories that answers used"
          lede="What the blob store returned for each, when it was used."
          className="mt-12 lg:col-span-2"
        >
          <BlobStates {...answers} />
        </Section>
      </div>
    </>
  );
}

const HOUR = new Intl.DateTimeFormat("en-GB", { weekday: "short", hour: "2-digit", minute: "2-digit" });

/** The largest bars, and the sum of the others as one more. */
function largest(bars: readonly Bar[]): readonly Bar[] {
  const sorted = bars.toSorted((a, b) => b.count - a.count);
  const others = sorted.slice(MAX_BARS);
  if (others.length === 0) return sorted;
  const count = others.reduce((sum, bar) => sum + bar.count, 0);
  return [...sorted.slice(0, MAX_BARS), { name: `${others.length} others`, count }];
}
