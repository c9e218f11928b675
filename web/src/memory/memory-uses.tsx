// The answers that were given a memory.
import { Link } from "wouter";
import { pagePath } from "#contract/page-paths.ts";
import type { Reply } from "#contract/routes.ts";
import { client } from "#web/api/client.ts";
import { useCursorPages } from "#web/api/use-cursor-pages.ts";
import { ReceiptStatusMark } from "#web/receipt/receipt-status.tsx";
import { usePermissions } from "#web/session/permissions.ts";
import { ListEnd } from "#web/ui/list.tsx";
import { Skeleton } from "#web/ui/page.tsx";
import { Name, Timestamp } from "#web/ui/text.tsx";

type MemoryUse = Reply<"listUses">["uses"][number];

const PAGE_SIZE = 20;

/** The answers, newest first. */
export function UseList({ memoryId }: { readonly memoryId: string }) {
  const pages = useCursorPages({
    queryKey: ["uses", memoryId],
    fetchPage: (page, signal) => client.listUses({ memoryId }, page, { signal }),
    itemsOf: ({ uses }) => uses,
    pageSize: PAGE_SIZE,
  });
  return (
    <div>
      {pages.isPending && <Skeleton what="the answers" className="h-5 w-64 max-w-full" />}
      {pages.isEmpty && <p className="text-soft">No answer used it.</p>}
      <ul aria-label="Answers that used it" className="flex flex-col gap-1 empty:hidden">
        {pages.items.map((use) => (
          <Use key={use.answerId} use={use} />
        ))}
      </ul>
      <ListEnd pages={pages} more="Show older answers" />
    </div>
  );
}

function Use({ use: { answerId, agentId, createdAt, status } }: { readonly use: MemoryUse }) {
  const { mayOpen } = usePermissions();
  const what = (
    <>
      answer to <Name>{agentId}</Name>, <Timestamp at={createdAt} />
    </>
  );
  return (
    <li className="flex min-h-6 flex-wrap items-center gap-x-3">
      {mayOpen("receipt") ? <Link href={pagePath("receipt", { answerId })}>{what}</Link> : <span>{what}</span>}
      <ReceiptStatusMark status={status} />
    </li>
  );
}
