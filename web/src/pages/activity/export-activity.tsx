// Saves what the filters show as a file, page by page.

import { useEffect, useRef, useState } from "react";
import { client } from "#web/api/client.ts";
import { type CsvCell, csvLine, saveFile } from "#web/lib/files.ts";
import type { FilterValues } from "#web/lib/use-filters.ts";
import { Button } from "#web/ui/form.tsx";
import { Download } from "#web/ui/icons.tsx";
import { ProblemNote } from "#web/ui/status.tsx";
import { type ACTIVITY_FILTERS, type Decision, queryOf } from "./filter-bar.tsx";

/** So many rows are held in memory until the file is saved. The API gives all of them, as NDJSON. */
const MOST_ROWS = 100_000;
const PAGE_SIZE = 1_000;

type Format = "csv" | "ndjson";

interface ExportActivityProps {
  readonly values: FilterValues<typeof ACTIVITY_FILTERS>;
}

export function ExportActivity({ values }: ExportActivityProps) {
  const [rows, setRows] = useState<number>();
  const [note, setNote] = useState("");
  const [error, setError] = useState<Error | null>(null);
  const running = useRef<AbortController>(undefined);
  useEffect(() => () => running.current?.abort(), []);

  async function save(format: Format): Promise<void> {
    const controller = new AbortController();
    running.current = controller;
    setError(null);
    setNote("");
    setRows(0);
    try {
      const { parts, count } = await read(format, values, controller.signal, setRows);
      saveFile(`activity.${format}`, format === "csv" ? "text/csv" : "application/x-ndjson", parts);
      const cut = count >= MOST_ROWS ? " The file ends there; choose a shorter time." : "";
      setNote(`Saved ${count.toLocaleString("en")} entries.${cut}`);
    } catch (failure) {
      if (!controller.signal.aborted) setError(failure as Error);
    } finally {
      setRows(undefined);
    }
  }

  const isRunning = rows !== undefined;
  // The log does not know these.
  if (values.model ?? values.anchored ?? values.verified ?? values.status) return null;
  return (
    <div className="flex flex-wrap items-center gap-3">
      <Button busy={isRunning} onClick={() => void save("csv")}>
        <Download className="size-4" />
        Save as CSV
      </Button>
      <Button busy={isRunning} onClick={() => void save("ndjson")}>
        <Download className="size-4" />
        Save as NDJSON
      </Button>
      {isRunning && (
        <Button look="plain" onClick={() => running.current?.abort()}>
          Cancel
        </Button>
      )}
      <p role="status" className="min-h-6 basis-full text-sm text-soft">
        {isRunning ? `Reading … ${rows.toLocaleString("en")} entries` : note}
      </p>
      {error !== null && <ProblemNote error={error} />}
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
  for await (const { decisions } of client.listDecisions.pages({ ...queryOf(values), limit: PAGE_SIZE }, { signal })) {
    const lines = decisions.map((decision) =>
      format === "csv" ? toCsvLine(decision) : `${JSON.stringify(decision)}\n`,
    );
    parts.push(lines.join(""));
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
  ["held back", ({ blockedNamespaces }) => blockedNamespaces?.join(" | ")],
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
