// What an agent would be allowed to see, by the policy as it is now: the very gate that its answers pass.
import { useState } from "react";
import type { Memory } from "#core/memory.ts";
import { client, keys, useOverview } from "#web/api/client.ts";
import { useCursorPages } from "#web/api/use-cursor-pages.ts";
import { MemoryCard } from "#web/memory/memory-card.tsx";
import type { Access } from "#web/policy/use-access.ts";
import { Empty } from "#web/ui/empty-state.tsx";
import { Button } from "#web/ui/form/button.tsx";
import { Field, Select } from "#web/ui/form/field.tsx";
import { ProblemNote } from "#web/ui/problem-note.tsx";
import { Loading, Skeleton } from "#web/ui/skeleton.tsx";
import { Mono } from "#web/ui/text/copyable-id.tsx";
import { Name } from "#web/ui/text/untrusted-text.tsx";
import { type GateState, stateOf, WORDS } from "./gates/gate-state.ts";
import { GateShape } from "./gates/gate-state-icon.tsx";

interface ViewAsProps {
  readonly agentId: string;
  readonly agents: readonly string[];
  readonly namespaces: readonly string[];
  readonly access: Access;
  readonly isRevoked: (agentId: string, namespace: string) => boolean;
  readonly onChoose: (agentId: string) => void;
}

export function ViewAs({ agentId, agents, namespaces, access, isRevoked, onChoose }: ViewAsProps) {
  const gates = namespaces.map((namespace) => {
    const state = stateOf(access.leaf(agentId, namespace), isRevoked(agentId, namespace));
    return { namespace, state };
  });
  return (
    <>
      <Field label="View as" className="mb-6 max-w-72">
        {(control) => (
          <Select {...control} value={agentId} onChange={({ target }) => onChoose(target.value)}>
            <option value="">choose an agent …</option>
            {agentId !== "" && !agents.includes(agentId) && <option>{agentId}</option>}
            {agents.map((agent) => (
              <option key={agent}>{agent}</option>
            ))}
          </Select>
        )}
      </Field>
      {agentId !== "" && (
        <div className="grid gap-x-12 gap-y-8 lg:grid-cols-[20rem_minmax(0,1fr)]">
          <div className="flex flex-col gap-6">
            <Gates title="Open to it" none="Nothing." gates={gates.filter(({ state }) => state === "open")} />
            <Gates title="Blocked" none="Nothing." gates={gates.filter(({ state }) => state !== "open")} />
          </div>
          {/* The key: what another agent, or an older policy, let through must not be shown meanwhile. */}
          <Seen key={JSON.stringify([agentId, access.version])} agentId={agentId} version={access.version} />
        </div>
      )}
    </>
  );
}

interface GatesProps {
  readonly title: string;
  readonly none: string;
  readonly gates: readonly { readonly namespace: string; readonly state: GateState }[];
}

function Gates({ title, none, gates }: GatesProps) {
  const counted = useOverview().data?.memories.byNamespace ?? [];
  const counts = new Map(counted.map(({ namespace, count }) => [namespace, count]));
  const [all, setAll] = useState(false);
  return (
    <div>
      <h3 className="mb-2 font-medium text-sm">{title}</h3>
      {gates.length === 0 && <p className="text-soft text-sm">{none}</p>}
      <ul className="divide-y divide-line border-line border-y empty:hidden">
        {(all ? gates : gates.slice(0, SHOWN_GATES)).map(({ namespace, state }) => (
          <li key={namespace} className="flex items-center gap-3 py-1.5 text-sm">
            <GateShape state={state} className="size-6" />
            <Name className="min-w-0 font-medium">{namespace}</Name>
            <span className="ml-auto flex-none text-soft text-xs">
              {state === "open" ? <Memories count={counts.get(namespace) ?? 0} /> : WORDS[state]}
            </span>
          </li>
        ))}
      </ul>
      {gates.length > SHOWN_GATES && (
        <Button look="plain" aria-expanded={all} onClick={() => setAll(!all)}>
          {all ? "Show fewer" : `Show all ${gates.length.toLocaleString("en")}`}
        </Button>
      )}
    </div>
  );
}

const SHOWN_GATES = 12;

const Memories = ({ count }: { readonly count: number }) => (
  <>
    <Mono>{count.toLocaleString("en")}</Mono> {count === 1 ? "memory" : "memories"}
  </>
);

const PAGE = 10;

function Seen({ agentId, version }: { readonly agentId: string; readonly version: number | undefined }) {
  const [wanted, setWanted] = useState(PAGE);
  const { items, isPending, isFetchingMore, hasMore, error, retry } = useCursorPages<Memory>({
    queryKey: [...keys.memories, "view-as", agentId, version],
    fetchPage: async (cursor, signal) => {
      const query = { limit: PAGE, viewAs: agentId, ...(cursor !== undefined && { cursor }) };
      const { memories, nextCursor } = await client.listMemories(query, { signal });
      return { items: memories, nextCursor };
    },
    pageSize: PAGE,
    wanted,
  });
  return (
    <div className="min-w-0">
      <h3 className="mb-2 font-medium text-sm">
        What <Name>{agentId}</Name> may use, newest first
      </h3>
      {isPending && (
        <>
          <Loading what="memories" />
          <Skeleton className="h-72" />
        </>
      )}
      {!isPending && items.length === 0 && error === null && (
        <Empty title="It may use no memory.">Every gate with a memory behind it is closed to it.</Empty>
      )}
      <ul className="flex flex-col gap-3 empty:hidden">
        {items.map((memory) => (
          <li key={memory.memoryId}>
            <MemoryCard memory={memory} />
          </li>
        ))}
      </ul>
      {error !== null && <ProblemNote error={error} onRetry={retry} />}
      {hasMore && error === null && (
        <Button className="mt-4" busy={isFetchingMore} onClick={() => setWanted(items.length + PAGE)}>
          Show older ones
        </Button>
      )}
    </div>
  );
}
