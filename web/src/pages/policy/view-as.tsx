// The namespaces and memories that an agent may use under the current policy.

import { useState } from "react";
import type { Memory } from "#core/memory.ts";
import { client, queryKeys } from "#web/api/client.ts";
import { useMemoryCounts } from "#web/api/queries.ts";
import { useCursorPages } from "#web/api/use-cursor-pages.ts";
import { plural } from "#web/lib/plural.ts";
import { MemoryCard } from "#web/memory/memory-card.tsx";
import type { Access } from "#web/policy/use-access.ts";
import { usePermissions } from "#web/session/use-permissions.ts";
import { EmptyState } from "#web/ui/empty-state.tsx";
import { Button } from "#web/ui/form/button.tsx";
import { Field, Select } from "#web/ui/form/field.tsx";
import { NameOptions } from "#web/ui/form/name-options.tsx";
import { AgentLink } from "#web/ui/links/agent-link.tsx";
import { NamespaceLink } from "#web/ui/links/namespace-link.tsx";
import { ProblemNote } from "#web/ui/problem-note.tsx";
import { Skeleton } from "#web/ui/skeleton.tsx";
import { GATE_STATE_TEXT, type GateState, stateOf } from "./gates/gate-state.ts";
import { GateStateIcon } from "./gates/gate-state-icon.tsx";

const SHOWN_AT_FIRST = 12;
const PAGE_SIZE = 10;

interface ViewAsProps {
  readonly agentId: string;
  readonly agents: readonly string[];
  readonly namespaces: readonly string[];
  readonly access: Access;
  readonly isRevoked: (agentId: string, namespace: string) => boolean;
  readonly onChoose: (agentId: string) => void;
}

export function ViewAs({ agentId, agents, namespaces, access, isRevoked, onChoose }: ViewAsProps) {
  const gates = (agentId === "" ? [] : namespaces).map((namespace) => {
    const state = stateOf(access.leaf(agentId, namespace), isRevoked(agentId, namespace));
    return { namespace, state };
  });
  return (
    <>
      <Field label="View as" className="mb-6 max-w-72">
        {(control) => (
          <Select {...control} value={agentId} onChange={({ target }) => onChoose(target.value)}>
            <option value="">Choose an agent</option>
            {agentId !== "" && !agents.includes(agentId) && <option value={agentId}>{agentId}</option>}
            <NameOptions names={agents} />
          </Select>
        )}
      </Field>
      {agentId !== "" && (
        <div className="grid gap-x-12 gap-y-8 lg:grid-cols-[20rem_minmax(0,1fr)]">
          <div className="flex flex-col gap-6">
            <GateList title="Open" gates={gates.filter(({ state }) => state === "open")} />
            <GateList title="Blocked" gates={gates.filter(({ state }) => state !== "open")} />
          </div>
          {/* The key drops the memories of another agent or of an older policy at once. */}
          <AllowedMemories key={JSON.stringify([agentId, access.version])} agentId={agentId} version={access.version} />
        </div>
      )}
    </>
  );
}

interface GateListProps {
  readonly title: string;
  readonly gates: readonly { readonly namespace: string; readonly state: GateState }[];
}

function GateList({ title, gates }: GateListProps) {
  const countOf = useMemoryCounts();
  const [showsAll, setShowsAll] = useState(false);
  return (
    <div>
      <h3 className="mb-2 font-medium text-sm">{title}</h3>
      {gates.length === 0 && <p className="text-soft text-sm">None.</p>}
      <ul className="divide-y divide-line border-line border-y empty:hidden">
        {(showsAll ? gates : gates.slice(0, SHOWN_AT_FIRST)).map(({ namespace, state }) => (
          <li key={namespace} className="flex items-center gap-3 py-1.5 text-sm">
            <GateStateIcon state={state} className="size-6" />
            <NamespaceLink name={namespace} className="min-w-0 font-medium" />
            <span className="ml-auto flex-none text-soft text-xs">{noteOf(state, countOf(namespace))}</span>
          </li>
        ))}
      </ul>
      {gates.length > SHOWN_AT_FIRST && (
        <Button look="plain" aria-expanded={showsAll} onClick={() => setShowsAll(!showsAll)}>
          {showsAll ? "Show fewer" : `Show all ${gates.length.toLocaleString("en")}`}
        </Button>
      )}
    </div>
  );
}

const noteOf = (state: GateState, count: number | undefined): string =>
  state === "open" && count !== undefined ? plural(count, "memory", "memories") : GATE_STATE_TEXT[state];

function AllowedMemories({ agentId, version }: { readonly agentId: string; readonly version: number | undefined }) {
  const [wanted, setWanted] = useState(PAGE_SIZE);
  const { governed } = usePermissions();
  const { items, isPending, isFetchingMore, hasMore, error, retry } = useCursorPages<Memory>({
    queryKey: [...queryKeys.memories, "view-as", agentId, version],
    fetchPage: async (page, signal) => {
      const { memories, nextCursor } = await client.listMemories({ ...page, viewAs: agentId }, { signal });
      return { items: memories, nextCursor };
    },
    pageSize: PAGE_SIZE,
    wanted,
  });
  return (
    <div className="min-w-0">
      <h3 className="mb-2 font-medium text-sm">
        Memories that <AgentLink agentId={agentId} /> may use, newest first
      </h3>
      {isPending && <Skeleton what="memories" className="h-72" />}
      {!isPending && items.length === 0 && error === null && (
        <EmptyState title="This agent may use no memory.">
          {governed === undefined
            ? "Every namespace that has memories is closed to it."
            : "Every namespace of yours that has memories is closed to it."}
        </EmptyState>
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
        <Button className="mt-4" busy={isFetchingMore} onClick={() => setWanted(items.length + PAGE_SIZE)}>
          Show older memories
        </Button>
      )}
    </div>
  );
}
