// The table of all gates in its order, with a search when there are many.

import { useMemo, useState } from "react";
import { useMemoryCounts } from "#web/api/queries.ts";
import { openNames } from "#web/policy/use-agents-and-namespaces.ts";
import { byImportance, useKeptOrder } from "#web/policy/use-kept-order.ts";
import { usePermissions } from "#web/session/permissions.ts";
import { Button, SearchField } from "#web/ui/form.tsx";
import { MoveHorizontal } from "#web/ui/icons.tsx";
import { EmptyState } from "#web/ui/page.tsx";
import { GateGrid, type GridProps } from "./gate-grid.tsx";

const MAX_WITHOUT_SEARCH = 10;

export function GateMatrix(props: GridProps) {
  const mayAdd = usePermissions().may("setAccess");
  if (props.agents.length === 0 || props.namespaces.length === 0) {
    return (
      <EmptyState title="No gates yet.">
        {mayAdd ? "Enter an agent and a namespace below to add the first." : "An admin opens them."}
      </EmptyState>
    );
  }
  return <OrderedMatrix {...props} />;
}

function OrderedMatrix({ agents: allAgents, namespaces: allNamespaces, ...rest }: GridProps) {
  const { policy } = rest;
  const countOf = useMemoryCounts();
  const [agentSearch, setAgentSearch] = useState("");
  const [namespaceSearch, setNamespaceSearch] = useState("");
  const open = useMemo(() => openNames(policy), [policy]);
  const agents = useKeptOrder(
    useMemo(() => byImportance(allAgents, (name) => open.agents.has(name)), [allAgents, open]),
  );
  const namespaces = useKeptOrder(
    useMemo(
      () => byImportance(allNamespaces, (name) => open.namespaces.has(name), countOf),
      [allNamespaces, open, countOf],
    ),
  );
  const found = {
    agents: useMatching(agents.names, agentSearch),
    namespaces: useMatching(namespaces.names, namespaceSearch),
  };
  const isLarge = allAgents.length > MAX_WITHOUT_SEARCH || allNamespaces.length > MAX_WITHOUT_SEARCH;
  return (
    <>
      {isLarge && (
        <div className="mb-2 grid max-w-[36rem] gap-3 sm:grid-cols-2">
          <SearchField label={`Find agents, of ${allAgents.length}`} value={agentSearch} onChange={setAgentSearch} />
          <SearchField
            label={`Find namespaces, of ${allNamespaces.length}`}
            value={namespaceSearch}
            onChange={setNamespaceSearch}
          />
        </div>
      )}
      <div className="my-2 flex flex-wrap items-center gap-x-4 text-soft text-xs">
        {(agents.isOutdated || namespaces.isOutdated) && (
          <Button
            look="plain"
            onClick={() => {
              agents.renew();
              namespaces.renew();
            }}
          >
            Sort again
          </Button>
        )}
        <p className="flex items-center gap-2 sm:ml-auto lg:hidden">
          <MoveHorizontal className="size-4" />
          Scroll sideways for more namespaces.
        </p>
      </div>
      {found.agents.length === 0 || found.namespaces.length === 0 ? (
        <EmptyState title="No gate matches.">No agent or namespace has this name.</EmptyState>
      ) : (
        <GateGrid {...rest} {...found} />
      )}
    </>
  );
}

function useMatching(names: readonly string[], search: string): readonly string[] {
  return useMemo(
    () => (search === "" ? names : names.filter((name) => name.toLowerCase().includes(search.toLowerCase()))),
    [names, search],
  );
}
