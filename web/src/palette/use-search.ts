// The targets of a search as the user types.
import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { PAGES, type PageName, pagePath } from "#contract/page-paths.ts";
import { LIMITS } from "#core/encoding/text-validation.ts";
import type { Memory } from "#core/memory.ts";
import { client, queryKeys } from "#web/api/client.ts";
import { useHasDemo } from "#web/api/queries.ts";
import { useSettled } from "#web/api/use-settled.ts";
import type { Access } from "#web/policy/use-access.ts";
import { useAgentsAndNamespaces } from "#web/policy/use-agents-and-namespaces.ts";
import { type Permissions, usePermissions } from "#web/session/permissions.ts";
import { isPathStep, useReadsNamespace } from "#web/ui/links.tsx";
import { readCommand } from "./commands.ts";
import { LABEL_LENGTH, type Target, useActions } from "./use-actions.ts";

/** The newest receipts, among which a name or a part of an id is looked for. A whole id leads to any receipt. */
const RECEIPTS = 50;
const SEARCHES = [...queryKeys.memories, "search"];

export function useSearch(text: string, access: Access) {
  const query = text.trim();
  const command = readCommand(query);
  const permissions = usePermissions();
  const names = useAgentsAndNamespaces();
  const readsNamespace = useReadsNamespace();
  const memories = useMemories(command?.verb === "forget" ? command.rest : query);
  const receipts = useReceipts(query);
  const { mayOpen } = permissions;
  const named = (group: "Agents" | "Namespaces", all: readonly string[] = [], pathOf: (name: string) => string) =>
    query === "" ? [] : nameTargets(group, all, query, pathOf);
  const actions = useActions(query, {
    agents: names?.agents ?? [],
    namespaces: names?.namespaces ?? [],
    ...{ access, memories: memories.found, limit: PER_GROUP },
  });
  const all = [
    ...actions,
    ...idTargets(permissions, query),
    ...pageTargets(permissions, query, useHasDemo()),
    ...named("Agents", mayOpen("agent") ? names?.agents : [], (agentId) => pagePath("agent", { agentId })),
    ...named("Namespaces", names?.namespaces.filter(readsNamespace), (name) => pagePath("namespace", { name })),
    ...memories.found.map(memoryTarget),
    ...receipts,
  ];
  const groups = [...Map.groupBy(all, ({ group }) => group).values()];
  const targets = groups.flatMap((group) => (group[0]?.group === "Pages" ? group : group.slice(0, PER_GROUP)));
  const [agent, namespace] = [names?.agents[0], names?.namespaces[0]];
  // What can be typed to have something done.
  const isGateNamed = permissions.may("setAccess") && agent !== undefined && namespace !== undefined;
  const example = isGateNamed ? `Or: “close ${namespace} to ${agent}”, “dark”, “export”, “forget …”` : undefined;
  return { targets, hasMore: targets.length < all.length, isSearching: memories.isSearching, example };
}

const memoryTarget = ({ memoryId, content, namespace }: Memory): Target => ({
  id: memoryId,
  group: "Memories",
  label: content.slice(0, LABEL_LENGTH),
  note: namespace,
  path: pagePath("memory", { memoryId }),
  isUntrusted: true,
});

/**
 * The requests take no signal: one that is overtaken ends by itself, and the network panel shows no cancelled ones. A
 * pause in the typing bounds how many there are.
 */
function useMemories(query: string): { found: readonly Memory[]; isSearching: boolean } {
  const mayList = usePermissions().may("listMemories");
  const q = useSettled(query, SEARCHES);
  const enabled = mayList && q !== "" && q.length <= LIMITS.query;
  const { data, isFetching } = useQuery({
    queryKey: [...SEARCHES, q],
    queryFn: () => client.listMemories({ q, limit: PER_GROUP + 1 }),
    placeholderData: keepPreviousData,
    enabled,
    gcTime: 0,
  });
  const found = enabled && query !== "" ? (data?.memories ?? []) : [];
  return { found, isSearching: enabled && (isFetching || q !== query) };
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
    .map(({ receipt, question = "" }) => ({ ...receipt, question }))
    .filter(({ answerId, agentId, question }) =>
      `${answerId} ${agentId} ${question}`.toLowerCase().includes(query.toLowerCase()),
    )
    .map(({ answerId, agentId, createdAt, question }) => ({
      id: answerId,
      group: "Receipts",
      label: question.slice(0, LABEL_LENGTH) || answerId,
      isUntrusted: question !== "",
      note: `${agentId}, ${createdAt.slice(0, 16).replace("T", " ")}`,
      path: pagePath("receipt", { answerId }),
    }));
}

const PER_GROUP = 6;

const includes = (text: string, query: string): boolean => text.toLowerCase().includes(query.toLowerCase());

function pageTargets({ mayOpen }: Permissions, query: string, hasDemo = false): Target[] {
  return (Object.keys(PAGES) as PageName[])
    .filter((name) => !PAGES[name].path.includes(":") && mayOpen(name) && (hasDemo || name !== "companion"))
    .map((name) => ({ id: `page ${name}`, group: "Pages" as const, label: titleOf(name), path: PAGES[name].path }))
    .filter(({ label }) => includes(label, query));
}

function titleOf(name: PageName): string {
  const { label, footer }: Partial<Record<"path" | "label" | "footer", string>> = PAGES[name];
  return label ?? footer ?? `${name.slice(0, 1).toUpperCase()}${name.slice(1)}`;
}

/** Those that begin with the text come first. */
function nameTargets(
  group: "Agents" | "Namespaces",
  names: readonly string[],
  query: string,
  pathOf: (name: string) => string,
): Target[] {
  const found = names.filter((name) => includes(name, query) && !isPathStep(name));
  const isStart = (name: string) => Number(name.toLowerCase().startsWith(query.toLowerCase()));
  return found
    .toSorted((a, b) => isStart(b) - isStart(a))
    .map((name) => ({ id: `${group} ${name}`, group, label: name, path: pathOf(name), isUntrusted: true }));
}

/** Sui addresses and object ids, transaction digests, blob ids and digests: one word of many letters and digits. */
const ID = /^(?:0x)?[A-Za-z0-9_-]{20,128}$/;

const LONGEST_REQUEST_ID = 64;

function idTargets({ mayOpen }: Permissions, query: string): Target[] {
  const id = query.trim();
  const targets: Target[] = [];
  const add = (label: string, path: string) => targets.push({ id: `id ${label}`, group: "Ids", label, note: id, path });
  if (!ID.test(id)) return [];
  if (id.startsWith("ans_") && mayOpen("receipt")) add("Show this receipt", pagePath("receipt", { answerId: id }));
  if (id.startsWith("mem_")) {
    if (mayOpen("memory")) add("Show this memory", pagePath("memory", { memoryId: id }));
    return targets;
  }
  if (mayOpen("activity") && !id.startsWith("0x") && id.length <= LONGEST_REQUEST_ID)
    add("Look up this request", `${pagePath("activity")}?${new URLSearchParams({ requestId: id })}`);
  add("Verify this id", `${pagePath("verifyStart")}?${new URLSearchParams({ q: id })}`);
  return targets;
}
