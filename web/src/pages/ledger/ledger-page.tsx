// /ledger: the transactions of the local ledger, newest first.
import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { Link } from "wouter";
import { pagePath } from "#contract/page-paths.ts";
import { client, queryKeys } from "#web/api/client.ts";
import { useSearchParams } from "#web/lib/address.ts";
import { EmptyState, PageHeader, Skeleton } from "#web/ui/page.tsx";
import { ProblemNote } from "#web/ui/status.tsx";
import { Monospace, Timestamp } from "#web/ui/text.tsx";
import { ExecutedMark, LOCAL_LEDGER_LEDE, LocalLedgerOnly, summaryOf, type TransactionEntry } from "./local-ledger.tsx";

const TITLE = "The local ledger";
const PAGE_SIZE = 25;

export default function LedgerPage() {
  return (
    <LocalLedgerOnly title="The ledger" target={undefined}>
      <PageHeader title={TITLE} lede={LOCAL_LEDGER_LEDE} />
      <Transactions />
    </LocalLedgerOnly>
  );
}

function Transactions() {
  const [search] = useSearchParams();
  const cursor = search.get("before") ?? undefined;
  const { data, error, refetch, isPlaceholderData } = useQuery({
    queryKey: [...queryKeys.ledger, "transactions", cursor],
    queryFn: () => client.ledgerTransactions({ limit: PAGE_SIZE, ...(cursor !== undefined && { cursor }) }),
    placeholderData: keepPreviousData,
  });
  if (error !== null) return <ProblemNote error={error} onRetry={() => void refetch()} />;
  if (data === undefined) return <Skeleton what="transactions" className="h-[32rem]" />;
  if (data.transactions.length === 0) {
    return <EmptyState title="No transactions">The ledger has no transactions before this one.</EmptyState>;
  }
  return (
    <>
      <section
        aria-label="Transactions"
        aria-busy={isPlaceholderData}
        // biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls must be reachable with the keyboard.
        tabIndex={0}
        className="overflow-x-auto rounded-lg border border-line bg-card"
      >
        <Table entries={data.transactions} />
      </section>
      <nav aria-label="Pages of the ledger" className="mt-4 flex flex-wrap gap-x-8 gap-y-2 text-sm">
        {cursor !== undefined && (
          <Link href={pagePath("ledger")} className="inline-flex min-h-8 items-center">
            Newest
          </Link>
        )}
        {data.nextCursor !== undefined && (
          <Link
            href={`${pagePath("ledger")}?${new URLSearchParams({ before: data.nextCursor })}`}
            className="inline-flex min-h-8 items-center"
          >
            Older
          </Link>
        )}
      </nav>
    </>
  );
}

const HEAD = "px-3 py-2.5 font-normal sm:px-5";
const CELL = "px-3 py-3 sm:px-5";
/** A phone has no room for these columns. */
const WIDE = "hidden md:table-cell";

const Table = ({ entries }: { readonly entries: readonly TransactionEntry[] }) => (
  <table className="w-full text-left text-sm">
    <caption className="sr-only">Transactions of the local ledger, newest first</caption>
    <thead className="border-line border-b text-soft text-xs">
      <tr>
        <th className={`${HEAD} ${WIDE} whitespace-nowrap text-right`}>Number</th>
        <th className={HEAD}>What happened</th>
        <th className={`${HEAD} ${WIDE}`}>When</th>
        <th className={HEAD}>Status</th>
        <th className={HEAD}>Transaction</th>
      </tr>
    </thead>
    <tbody className="divide-y divide-line">
      {entries.map((entry) => (
        <tr key={entry.sequence} className="align-middle">
          <td className={`${CELL} ${WIDE} text-right text-soft`}>
            <Monospace>{entry.sequence}</Monospace>
          </td>
          <th scope="row" className={`${CELL} font-normal text-base`}>
            {summaryOf(entry)}
            <span className="block text-sm text-soft md:hidden">
              <When entry={entry} />
            </span>
          </th>
          <td className={`${CELL} ${WIDE} whitespace-nowrap`}>
            <When entry={entry} />
          </td>
          <td className={`${CELL} whitespace-nowrap`}>
            <ExecutedMark isExecuted={entry.status.success} />
          </td>
          <td className={`${CELL} whitespace-nowrap`}>
            <Link href={pagePath("ledgerTransaction", { digest: entry.digest })} title={entry.digest}>
              <Monospace>
                {entry.digest.slice(0, 10)}…<span className="sr-only">, number {entry.sequence}</span>
              </Monospace>
            </Link>
          </td>
        </tr>
      ))}
    </tbody>
  </table>
);

/** The genesis transaction has no time. */
function When({ entry: { sequence, timestampMs } }: { readonly entry: TransactionEntry }) {
  return sequence === 0 ? <span className="text-soft">genesis</span> : <Timestamp at={timestampMs} />;
}
