// /activity: the log of decisions as a timeline; of answers, their receipts.
import { useEffect, useRef, useState } from "react";
import { Link } from "wouter";
import { pagePath } from "#contract/page-paths.ts";
import { client, queryKeys } from "#web/api/client.ts";
import { useCursorPages } from "#web/api/use-cursor-pages.ts";
import { useMutation } from "#web/api/use-mutation.ts";
import { type CsvCell, csvLine, saveFile } from "#web/lib/files.ts";
import { type FilterValues, useFilters } from "#web/lib/use-filters.ts";
import { ReceiptRows } from "#web/pages/receipts/receipt-row.tsx";
import { receiptsFor, withQuestions } from "#web/receipt/kept-question.tsx";
import { usePermissions } from "#web/session/permissions.ts";
import { Button } from "#web/ui/form.tsx";
import { Download } from "#web/ui/icons.tsx";
import { ListCount, ListEnd, NoMatch } from "#web/ui/list.tsx";
import { EmptyState, PageHeader, Skeleton } from "#web/ui/page.tsx";
import { ProblemNote } from "#web/ui/status.tsx";
import { ActivityEntry } from "./activity-entry.tsx";
import {
  ACTIVITY_FILTERS,
  type ActivityFilters,
  type Decision,
  FilterBar,
  queryOf,
  receiptQueryOf,
} from "./filter-bar.tsx";

const PAGE_SIZE = 50;

export default function ActivityPage() {
  const filters = useFilters(ACTIVITY_FILTERS);
  const { kind, requestId } = filters.values;
  const [models, setModels] = useState<readonly string[]>([]);
  return (
    <>
      <PageHeader title="Activity" actions={<ExportActivity values={filters.values} />} />
      <FilterBar {...filters} models={models} />
      {kind === "answer" && requestId === undefined ? (
        <Receipts {...filters} onModels={setModels} />
      ) : (
        <Timeline key={JSON.stringify(filters.values)} {...filters} />
      )}
    </>
  );
}

function Timeline({ values, isFiltered, clear }: ActivityFilters) {
  const pages = useCursorPages({
    queryKey: [...queryKeys.decisions, values],
    async fetchPage(page, signal) {
      const [{ decisions, ...rest }, newest] = await Promise.all([
        client.listDecisions({ ...page, ...queryOf(values) }, { signal }),
        page.cursor === undefined ? receiptsFor({ limit: PAGE_SIZE, ...receiptQueryOf(values) }) : [],
      ]);
      return { ...rest, decisions: await withQuestions(decisions, newest) };
    },
    pageSize: PAGE_SIZE,
  });
  return (
    <>
      <ListCount pages={pages} isFiltered={isFiltered} noun={["entry", "entries"]} />
      {pages.isPending && <Skeleton what="the activity" className="h-[28rem]" />}
      {pages.isEmpty &&
        (isFiltered ? (
          <NoMatch title="No entry matches." all="Show all activity" clear={clear}>
            {values.requestId !== undefined && "Requests that only read, and malformed ones, leave no entry."}
          </NoMatch>
        ) : (
          <EmptyState title="Nothing yet." />
        ))}
      {byDay(pages.items).map(({ date, entries }) => (
        <section key={date.getTime()} aria-label={dayName(date)} className="mb-8">
          <h2 className="border-ink border-b pb-1 font-medium font-serif text-lg">{dayName(date)}</h2>
          <ol className="divide-y divide-line">
            {entries.map((decision) => (
              <ActivityEntry key={decision.sequence ?? decision.id} decision={decision} />
            ))}
          </ol>
        </section>
      ))}
      <ListEnd pages={pages} more="Show older entries" />
    </>
  );
}

interface ReceiptsProps extends ActivityFilters {
  /** Called with the models of the receipts that are listed. */
  readonly onModels: (models: readonly string[]) => void;
}

function Receipts({ values, clear, onModels }: ReceiptsProps) {
  const { mayOpen } = usePermissions();
  const pages = useCursorPages({
    queryKey: [...queryKeys.receipts, values],
    fetchPage: (page, signal) => client.listReceipts({ ...page, ...receiptQueryOf(values) }, { signal }),
    pageSize: PAGE_SIZE,
  });
  const { items } = pages;
  useEffect(
    () => onModels([...new Set(items.flatMap(({ receipt }) => receipt.evidence.model ?? []))]),
    [items, onModels],
  );
  const isFiltered = Object.keys(values).length > 1;
  return (
    <>
      <ListCount pages={pages} isFiltered={isFiltered} noun={["receipt", "receipts"]} />
      {pages.isPending && <Skeleton what="receipts" className="h-[28rem]" />}
      {pages.isEmpty &&
        (isFiltered ? (
          <NoMatch title="No receipt matches." all="Show all activity" clear={clear} />
        ) : (
          <EmptyState title="No receipts yet.">
            {mayOpen("console") && <Link href={pagePath("console")}>Ask something</Link>}
          </EmptyState>
        ))}
      <ReceiptRows pages={pages} />
      {items.length > 0 && items.every(({ question }) => question === undefined) && (
        <p className="mt-4 text-sm text-soft">
          <code className="font-mono">KEEP_QUESTIONS=true</code> keeps questions with their receipts.
        </p>
      )}
      <ListEnd pages={pages} more="Show older receipts" />
    </>
  );
}

/** Entries come newest first, and stay so. The date is midnight of the day. */
export function byDay<T extends { readonly at: string }>(entries: readonly T[]) {
  const days = Map.groupBy(entries, ({ at }) => new Date(at).setHours(0, 0, 0, 0));
  return [...days].map(([midnight, own]) => ({ date: new Date(midnight), entries: own }));
}

const DAY = new Intl.DateTimeFormat("en-GB", { weekday: "long", day: "numeric", month: "long", year: "numeric" });

export function dayName(date: Date, now = new Date()): string {
  const daysAgo = Math.round((new Date(now).setHours(0, 0, 0, 0) - date.getTime()) / 86_400_000);
  if (daysAgo === 0) return "Today";
  return daysAgo === 1 ? "Yesterday" : DAY.format(date);
}

/** So many rows are held in memory until the file is saved. The API gives all of them, as NDJSON. */
const MOST_ROWS = 100_000;
const ROWS_A_PAGE = 1_000;

type Format = "csv" | "ndjson";

interface ExportActivityProps {
  readonly values: FilterValues<typeof ACTIVITY_FILTERS>;
}

function ExportActivity({ values }: ExportActivityProps) {
  const [rows, setRows] = useState(0);
  const running = useRef<AbortController>(undefined);
  useEffect(() => () => running.current?.abort(), []);
  const saving = useMutation({
    async mutationFn(format: Format) {
      running.current = new AbortController();
      setRows(0);
      const { parts, count } = await read(format, values, running.current.signal, setRows);
      saveFile(`activity.${format}`, format === "csv" ? "text/csv" : "application/x-ndjson", parts);
      const cut = count >= MOST_ROWS ? " The file ends there; choose a shorter time." : "";
      return `Saved ${count.toLocaleString("en")} entries.${cut}`;
    },
  });
  const { isPending, data: note, error } = saving;
  // The log does not know these.
  if (values.model ?? values.anchored ?? values.verified ?? values.status) return null;
  return (
    <div className="flex flex-wrap items-center gap-3">
      <Button icon={Download} busy={isPending} onClick={() => saving.mutate("csv")}>
        Save as CSV
      </Button>
      <Button icon={Download} busy={isPending} onClick={() => saving.mutate("ndjson")}>
        Save as NDJSON
      </Button>
      {isPending && (
        <Button look="plain" onClick={() => running.current?.abort()}>
          Cancel
        </Button>
      )}
      <p role="status" className="basis-full text-sm text-soft empty:hidden">
        {isPending ? `Reading … ${rows.toLocaleString("en")} entries` : note}
      </p>
      {error !== null && !running.current?.signal.aborted && <ProblemNote error={error} />}
    </div>
  );
}

async function read(
  format: Format,
  values: ExportActivityProps["values"],
  signal: AbortSignal,
  onProgress: (count: number) => void,
): Promise<{ parts: string[]; count: number }> {
  const parts = format === "csv" ? [CSV_HEAD] : [];
  let count = 0;
  const toLine = format === "csv" ? toCsvLine : (decision: Decision) => `${JSON.stringify(decision)}\n`;
  const pages = client.listDecisions.pages({ ...queryOf(values), limit: ROWS_A_PAGE }, { signal });
  for await (const { decisions } of pages) {
    parts.push(decisions.map(toLine).join(""));
    count += decisions.length;
    onProgress(count);
    if (count >= MOST_ROWS) break;
  }
  return { parts, count };
}

const COLUMNS: readonly (readonly [head: string, cell: (decision: Decision) => CsvCell])[] = [
  ["at", ({ at }) => at],
  ["kind", ({ kind }) => kind],
  ["outcome", ({ outcome }) => outcome],
  ["route", ({ route }) => route],
  ["caller", ({ principalName }) => principalName],
  ["role", ({ role }) => role],
  ["agent", ({ agentId }) => agentId],
  ["namespace", ({ namespace }) => namespace],
  ["allowed", ({ details }) => (details?.allowed === null ? "removed" : details?.allowed)],
  ["cause", ({ details }) => details?.cause],
  ["memories", ({ details }) => details?.memories],
  ["open", ({ allowedNamespaces }) => allowedNamespaces?.join(" | ")],
  ["closed", ({ blockedNamespaces }) => blockedNamespaces?.join(" | ")],
  ["policy version", ({ policyVersion }) => policyVersion],
  ["answer", ({ answerId }) => answerId],
  ["memory", ({ memoryId }) => memoryId],
  ["blob", ({ details }) => details?.blobId],
  ["receipt on the ledger", ({ details }) => details?.receiptId],
  ["transaction", ({ details }) => details?.txDigest],
];

/** Decisions as lines of a file. */
const CSV_HEAD = csvLine(COLUMNS.map(([head]) => head));

const toCsvLine = (decision: Decision): string => csvLine(COLUMNS.map(([, cell]) => cell(decision)));
