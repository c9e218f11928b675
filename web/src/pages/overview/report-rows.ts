// The report as CSV: one figure a line.
import type { Reply } from "#contract/routes.ts";
import { type CsvCell, csvLine } from "#web/lib/files.ts";

export type Report = Reply<"getReports">;

interface Row {
  readonly figure: string;
  readonly week?: string;
  readonly agentId?: string;
  readonly namespace?: string;
  readonly value: CsvCell;
}

export function reportCsv(report: Report): string {
  const head = csvLine(["figure", "week", "agent", "namespace", "value"]);
  const lines = rowsOf(report).map(({ figure, week, agentId, namespace, value }) =>
    csvLine([figure, week, agentId, namespace, value]),
  );
  return [head, ...lines].join("");
}

function rowsOf({ from, to, prevented, revokes, ledger, gates }: Report): Row[] {
  return [
    { figure: "from", value: from },
    { figure: "to", value: to },
    ...prevented.weeks.flatMap(({ week, agentId, answers, refused }) => [
      { figure: "answers", week, agentId, value: answers },
      { figure: "refused calls", week, agentId, value: refused },
    ]),
    { figure: "revokes", value: revokes.count },
    { figure: "revoke to in force, median ms", value: revokes.medianMs },
    { figure: "revoke to in force, 95th percentile ms", value: revokes.p95Ms },
    { figure: "revoke to in force, longest ms", value: revokes.maxMs },
    { figure: "answers with a receipt", value: ledger.answers },
    { figure: "answers on the ledger", value: ledger.onLedger },
    { figure: "open gates", value: gates.open },
    { figure: "open gates never used", value: gates.neverUsed },
    ...gates.gates.map((gate) => ({ figure: "open gate never used", ...gate, value: 1 })),
  ];
}
