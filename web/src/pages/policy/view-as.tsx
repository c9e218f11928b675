// The namespaces and memories that an agent may use under the current policy.
import { isRevoked, type Policy } from "#core/gate/policy.ts";
import { client, queryKeys } from "#web/api/client.ts";
import { useMemoryCounts } from "#web/api/queries.ts";
import { useCursorPages } from "#web/api/use-cursor-pages.ts";
import { plural } from "#web/lib/strings.ts";
import { MemoryCards } from "#web/memory/memory-card.tsx";
import type { Access } from "#web/policy/use-access.ts";
import { usePermissions } from "#web/session/permissions.ts";
import { Select } from "#web/ui/form.tsx";
import { AgentLink, NamespaceLink } from "#web/ui/links.tsx";
import { ListEnd, useFirst } from "#web/ui/list.tsx";
import { NameOptions } from "#web/ui/name-fields.tsx";
import { EmptyState, Skeleton } from "#web/ui/page.tsx";
import { GATE_STATE_TEXT, type GateState, GateStateIcon, stateOf } from "./gates/gate-state.tsx";

const SHOWN_AT_FIRST = 12;
const PAGE_SIZE = 10;

interface ViewAsProps {
  readonly agentId: string;
  readonly agents: readonly string[];
  readonly namespaces: readonly string[];
  readonly access: Access;
  readonly policy: Policy;
  readonly onChoose: (agentId: string) => void;
}

export function ViewAs({ agentId, agents, namespaces, access, policy, onChoose }: ViewAsProps) {
  const gates = (agentId === "" ? [] : namespaces).map((namespace) => {
    const state = stateOf(access.gate(agentId, namespace), isRevoked(policy, agentId, namespace));
    return { namespace, state };
  });
  return (
    <>
      <Select label="View as" className="mb-6 max-w-72" value={agentId} onChange={onChoose}>
        <option value="">Choose an agent</option>
        {agentId !== "" && !agents.includes(agentId) && <option value={agentId}>{agentId}</option>}
        <NameOptions names={agents} />
      </Select>
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
  const [shown, showAll] = useFirst(gates, SHOWN_AT_FIRST);
  return (
    <div>
      <h3 className="mb-2 font-medium text-sm">{title}</h3>
      {gates.length === 0 && <p className="text-soft text-sm">None.</p>}
      <ul className="divide-y divide-line border-line border-y empty:hidden">
        {shown.map(({ namespace, state }) => (
          <li key={namespace} className="flex items-center gap-3 py-1.5 text-sm">
            <GateStateIcon state={state} className="size-6" />
            <NamespaceLink name={namespace} className="min-w-0 font-medium" />
            <span className="ml-auto flex-none text-soft text-xs">{noteOf(state, countOf(namespace))}</span>
          </li>
        ))}
      </ul>
      {showAll}
    </div>
  );
}

const noteOf = (state: GateState, count: number | undefined): string =>
  state === "open" && count !== undefined ? plural(count, "memory", "memories") : GATE_STATE_TEXT[state];

function AllowedMemories({ agentId, version }: { readonly agentId: string; readonly version: number | undefined }) {
  const { governed } = usePermissions();
  const pages = useCursorPages({
    queryKey: [...queryKeys.memories, "view-as", agentId, version],
    fetchPage: (page, signal) => client.listMemories({ ...page, viewAs: agentId }, { signal }),
    itemsOf: ({ memories }) => memories,
    pageSize: PAGE_SIZE,
  });
  return (
    <div className="min-w-0">
      <h3 className="mb-2 font-medium text-sm">
        Memories that <AgentLink agentId={agentId} /> may use, newest first
      </h3>
      {pages.isPending && <Skeleton what="memories" className="h-72" />}
      {pages.isEmpty && (
        <EmptyState title="This agent may use no memory.">
          Every namespace {governed !== undefined && "of yours "}that has memories is closed to it.
        </EmptyState>
      )}
      <MemoryCards memories={pages.items} />
      <ListEnd pages={pages} more="Show older memories" />
    </div>
  );
}
