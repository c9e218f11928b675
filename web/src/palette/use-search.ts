// The targets of a search as the user types.
import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { useEffect, useState } from "react";
import { LIMITS } from "#core/encoding/text-validation.ts";
import { client, queryKeys } from "#web/api/client.ts";
import { useAgentsAndNamespaces } from "#web/policy/use-agents-and-namespaces.ts";
import { usePermissions } from "#web/session/use-permissions.ts";
import { useReadsNamespace } from "#web/ui/links/namespace-link.tsx";
import { idTargets, nameTargets, pageTargets, TARGET_PATHS, type Target } from "./search-targets.ts";

const DEBOUNCE_MS = 200;
const MEMORIES = 5;
/** The newest receipts, among which a name or a part of an id is looked for. A whole id leads to any receipt. */
const RECEIPTS = 50;
const RECEIPTS_SHOWN = 5;
const LABEL_LENGTH = 90;

interface Search {
  readonly targets: readonly Target[];
  readonly isSearching: boolean;
}

export function useSearch(text: string): Search {
  const query = text.trim();
  const permissions = usePermissions();
  const names = useAgentsAndNamespaces();
  const readsNamespace = useReadsNamespace();
  const memories = useMemories(query);
  const receipts = useReceipts(query);
  const { mayOpen } = permissions;
  const named = (group: "Agents" | "Namespaces", all: readonly string[] = [], pathOf: (name: string) => string) =>
    query === "" ? [] : nameTargets(group, all, query, pathOf);
  const targets = [
    ...idTargets(permissions, query),
    ...pageTargets(permissions, query),
    ...named("Agents", mayOpen("agent") ? names?.agents : [], TARGET_PATHS.agent),
    ...named("Namespaces", names?.namespaces.filter(readsNamespace), TARGET_PATHS.namespace),
    ...memories.targets,
    ...receipts,
  ];
  return { targets, isSearching: memories.isSearching };
}

/**
 * The requests take no signal: one that is overtaken ends by itself, and the network panel shows no cancelled ones. The
 * debounce bounds how many there are.
 */
function useMemories(query: string): Search {
  const mayList = usePermissions().may("listMemories");
  const q = useDebounced(query);
  const enabled = mayList && q !== "" && q.length <= LIMITS.query;
  const { data, isFetching } = useQuery({
    queryKey: [...queryKeys.memories, "search", q],
    queryFn: () => client.listMemories({ q, limit: MEMORIES }),
    placeholderData: keepPreviousData,
    enabled,
    gcTime: 0,
  });
  const targets = (enabled && query !== "" ? (data?.memories ?? []) : []).map(
    ({ memoryId, content, namespace }): Target => ({
      id: memoryId,
      group: "Memories",
      label: content.slice(0, LABEL_LENGTH),
      note: namespace,
      path: TARGET_PATHS.memory(memoryId),
      isUntrusted: true,
    }),
  );
  return { targets, isSearching: enabled && (isFetching || q !== query) };
}

function useReceipts(query: string): readonly Target[] {
  const mayList = usePermissions().may("listReceipts");
  const { data } = useQuery({
    queryKey: [...queryKeys.receipts, "newest"],
    queryFn: () => client.listReceipts({ limit: RECEIPTS }),
    enabled: mayList,
  });
  if (query === "") return [];
  return (data?.receipts ?? [])
    .map(({ receipt }) => receipt)
    .filter(({ answerId, agentId }) => `${answerId} ${agentId}`.toLowerCase().includes(query.toLowerCase()))
    .slice(0, RECEIPTS_SHOWN)
    .map(({ answerId, agentId, createdAt }) => ({
      id: answerId,
      group: "Receipts",
      label: answerId,
      note: `${agentId}, ${createdAt.slice(0, 16).replace("T", " ")}`,
      path: TARGET_PATHS.receipt(answerId),
    }));
}

function useDebounced(value: string): string {
  const [settled, setSettled] = useState(value);
  useEffect(() => {
    const timer = setTimeout(() => setSettled(value), DEBOUNCE_MS);
    return () => clearTimeout(timer);
  }, [value]);
  return settled;
}
