// What a search leads to: pages, agents, namespaces and ids that the text names, and what the service finds for it.
import { PAGES, type PageName, pagePath } from "#contract/page-paths.ts";
import type { Permissions } from "#web/session/permissions.ts";
import { isPathStep } from "#web/ui/links/page-link.tsx";

export interface Target {
  /** Different for each target of a list. */
  readonly id: string;
  readonly group: "Pages" | "Agents" | "Namespaces" | "Memories" | "Receipts" | "Ids";
  readonly label: string;
  /** What kind of thing it is, or where it is from. */
  readonly note?: string | undefined;
  readonly path: string;
  /** The label was written by users, and not by us. */
  readonly isUntrusted?: boolean;
}

const PER_GROUP = 6;

const includes = (text: string, query: string): boolean => text.toLowerCase().includes(query.toLowerCase());

/** The pages without parameters that the caller may open. */
export function pageTargets({ mayOpen }: Permissions, query: string): Target[] {
  return (Object.keys(PAGES) as PageName[])
    .filter((name) => !PAGES[name].path.includes(":") && mayOpen(name))
    .map((name) => ({ id: `page ${name}`, group: "Pages" as const, label: titleOf(name), path: PAGES[name].path }))
    .filter(({ label }) => includes(label, query));
}

function titleOf(name: PageName): string {
  const { label, footer }: Partial<Record<"path" | "label" | "footer", string>> = PAGES[name];
  return label ?? footer ?? `${name.slice(0, 1).toUpperCase()}${name.slice(1)}`;
}

/** Those that begin with the text come first. */
export function nameTargets(
  group: "Agents" | "Namespaces",
  names: readonly string[],
  query: string,
  pathOf: (name: string) => string,
): Target[] {
  const found = names.filter((name) => includes(name, query) && !isPathStep(name));
  const isStart = (name: string) => Number(name.toLowerCase().startsWith(query.toLowerCase()));
  return found
    .toSorted((a, b) => isStart(b) - isStart(a))
    .slice(0, PER_GROUP)
    .map((name) => ({ id: `${group} ${name}`, group, label: name, path: pathOf(name), isUntrusted: true }));
}

/** Sui addresses and object ids, transaction digests, blob ids and digests: one word of many letters and digits. */
const ID = /^(?:0x)?[A-Za-z0-9_-]{20,128}$/;

/** Where an id that somebody pasted leads. */
export function idTargets({ mayOpen }: Permissions, query: string): Target[] {
  const id = query.trim();
  const targets: Target[] = [];
  const add = (label: string, path: string) => targets.push({ id: `id ${label}`, group: "Ids", label, note: id, path });
  if (!ID.test(id)) return [];
  if (id.startsWith("ans_") && mayOpen("receipt")) add("Open this receipt", TARGET_PATHS.receipt(id));
  if (id.startsWith("mem_")) {
    if (mayOpen("memory")) add("Open this memory", TARGET_PATHS.memory(id));
    return targets;
  }
  add("Verify this id", TARGET_PATHS.verify(id));
  return targets;
}

export const TARGET_PATHS = {
  agent: (agentId: string) => pagePath("agent", { agentId }),
  namespace: (name: string) => pagePath("namespace", { name }),
  memory: (memoryId: string) => pagePath("memory", { memoryId }),
  receipt: (answerId: string) => pagePath("receipt", { answerId }),
  verify: (q: string) => `${pagePath("verifyStart")}?${new URLSearchParams({ q })}`,
};
