// What became of a request: the decisions that are on record under its id.
import { useQuery } from "@tanstack/react-query";
import { type FormEvent, useState } from "react";
import { Link } from "wouter";
import { pagePath } from "#contract/page-paths.ts";
import type { Reply } from "#contract/routes.ts";
import { client } from "#web/api/client.ts";
import { useSearchParams } from "#web/lib/address.ts";
import { usePermissions } from "#web/session/permissions.ts";
import { Button, TextField } from "#web/ui/form.tsx";
import { AgentLink, MemoryLink } from "#web/ui/links.tsx";
import { Skeleton } from "#web/ui/page.tsx";
import { ProblemNote } from "#web/ui/status.tsx";
import { Monospace, Name, Timestamp } from "#web/ui/text.tsx";

type Decision = Reply<"listDecisions">["decisions"][number];

const REQUEST_ID = /^[\w-]{1,64}$/;

export function RequestLookup() {
  const [search, setSearch] = useSearchParams();
  const wanted = search.get("request") ?? "";
  const [typed, setTyped] = useState(wanted);
  const [fault, setFault] = useState<string>();

  function submit(event: FormEvent<HTMLFormElement>): void {
    event.preventDefault();
    const requestId = typed.trim();
    const isId = REQUEST_ID.test(requestId);
    setFault(isId ? undefined : "That is not the id of a request.");
    if (isId) setSearch({ request: requestId });
  }

  return (
    <div className="mb-8">
      <form noValidate onSubmit={submit} className="flex max-w-[36rem] items-start gap-3">
        <TextField
          label="Look up a request by its id"
          hint="Every reply has one in its header x-request-id."
          error={fault}
          className="min-w-0 flex-1"
          dir="ltr"
          look="font-mono text-sm"
          value={typed}
          autoComplete="off"
          spellCheck={false}
          onChange={setTyped}
        />
        <Button type="submit" className="mt-[1.65rem] whitespace-nowrap">
          Look up
        </Button>
      </form>
      {REQUEST_ID.test(wanted) && <Decisions key={wanted} requestId={wanted} />}
    </div>
  );
}

function Decisions({ requestId }: { readonly requestId: string }) {
  const { data, error, refetch } = useQuery({
    queryKey: ["decisions", "request", requestId],
    queryFn: () => client.listDecisions({ requestId }),
  });
  if (error !== null) return <ProblemNote error={error} onRetry={() => void refetch()} />;
  if (data === undefined) return <Skeleton what="the request" className="mt-4 h-16" />;
  return (
    <div role="status" className="mt-4">
      {data.decisions.length === 0 ? (
        <p className="measure text-soft text-sm">
          No entry for <code className="font-mono text-ink">{requestId}</code>. Requests that only read, and malformed
          ones, leave none. The service’s log has a line for each request.
        </p>
      ) : (
        <ul className="divide-y divide-line border-line border-y">
          {data.decisions.map((decision) => (
            <DecisionRow key={decision.id} decision={decision} />
          ))}
        </ul>
      )}
    </div>
  );
}

function DecisionRow({ decision }: { readonly decision: Decision }) {
  const { at, principalName, role, route, outcome, agentId, answerId, memoryId, policyVersion } = decision;
  const { mayOpen } = usePermissions();
  return (
    <li className="flex flex-wrap items-baseline gap-x-5 gap-y-1 py-2.5 text-sm">
      <Timestamp at={at} />
      <span className="font-medium">{outcome}</span>
      <a href={`#${route}`} className="font-mono text-[0.9em]">
        {route}
      </a>
      <span>
        by <Name>{principalName}</Name>, {role}
      </span>
      {agentId !== undefined && (
        <span>
          for <AgentLink agentId={agentId} />
        </span>
      )}
      {answerId !== undefined &&
        (mayOpen("receipt") ? (
          <Link href={pagePath("receipt", { answerId })}>its receipt</Link>
        ) : (
          <Monospace>{answerId}</Monospace>
        ))}
      {memoryId !== undefined && <MemoryLink memoryId={memoryId}>the memory</MemoryLink>}
      <span className="text-soft text-xs">
        policy version <Monospace>{policyVersion}</Monospace>
      </span>
    </li>
  );
}
