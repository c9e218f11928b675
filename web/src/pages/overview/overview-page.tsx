// /overview: counts of memories, answers and anchors.
import { Link } from "wouter";
import { pagePath } from "#contract/page-paths.ts";
import type { Reply } from "#contract/routes.ts";
import { useOverview } from "#web/api/queries.ts";
import { plural } from "#web/lib/strings.ts";
import { BLOB_STATES, type BlobState } from "#web/memory/blob.tsx";
import { AgentLink, NamespaceLink } from "#web/ui/links.tsx";
import { EmptyState, PageHeader, Section, Skeleton } from "#web/ui/page.tsx";
import { ProblemNote, StatusIcon } from "#web/ui/status.tsx";
import { type Bar, Bars, Columns, Figures, Share } from "./charts.tsx";

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
      {answers.begun + answers.brokenOff > 0 && (
        <p className="mt-3 text-sm text-unknown">
          {plural(answers.begun, "answer")} in progress, {answers.brokenOff.toLocaleString("en")} broken off.
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

interface BlobStatesProps {
  readonly used: number;
  /** The blob store returned the blob. */
  readonly verified: number;
  /** And its bytes were the stored ones. */
  readonly intact: number;
}

const BARS = { pass: "bg-pass", fail: "bg-fail", unknown: "bg-unknown" } as const;

/** How many of the used memories' blobs were intact, altered or not reachable. */
function BlobStates({ used, verified, intact }: BlobStatesProps) {
  if (used === 0) return <p className="text-soft">No answer has used a memory in the last 24 hours.</p>;
  const counts: readonly (readonly [BlobState, number])[] = [
    ["intact", intact],
    ["altered", Math.max(0, verified - intact)],
    ["not-reachable", used - verified],
  ];
  return (
    <dl className="grid gap-x-12 gap-y-6 sm:grid-cols-3">
      {counts.map(([state, count]) => {
        const [status, word, meaning] = BLOB_STATES[state];
        return (
          <div key={state} data-state={state}>
            <dt className="flex items-center gap-2 font-medium">
              <StatusIcon status={status} className="size-4" />
              {word}
            </dt>
            <dd className="mt-1">
              <Share part={count} whole={used} bar={BARS[status]}>
                {`uses. ${meaning}`}
              </Share>
            </dd>
          </div>
        );
      })}
    </dl>
  );
}
