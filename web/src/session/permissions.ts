// What the app shows to a caller. The service decides what a caller may; the app asks the same route table, so that it
// offers nothing that would be refused.
import { PAGES, type PageName } from "#contract/page-paths.ts";
import { paths, type RouteName } from "#contract/paths.ts";
import { governs, mayCall } from "#core/identity/permissions.ts";
import { ANONYMOUS, COMPANION_AGENT, OPEN, type Principal, type Role } from "#core/identity/principal.ts";
import type { Memory } from "#core/memory.ts";
import { type Session, useSessionState } from "./session.ts";

/** The route that each page cannot do without. */
const ROUTE_OF_PAGE: Readonly<Record<PageName, RouteName>> = {
  console: "chat",
  companion: "companion",
  memories: "listMemories",
  policy: "getPolicy",
  activity: "listDecisions",
  ledger: "ledgerTransactions",
  log: "getLog",
  proposals: "listProposals",
  webhooks: "listWebhooks",
  overview: "getOverview",
  verifyStart: "findAnchors",
  keys: "listKeys",
  tenants: "listTenants",
  begin: "setAccessBatch",
  connect: "setAccessBatch",
  receipt: "getReceipt",
  docs: "getService",
  agent: "getPolicy",
  namespace: "getNamespace",
  memory: "getMemory",
  verify: "verify",
  ledgerTransaction: "ledgerTransaction",
  ledgerObject: "ledgerObject",
};

const PAGE_NAMES = Object.keys(PAGES) as PageName[];

export interface Permissions {
  readonly may: (route: RouteName) => boolean;
  readonly mayOpen: (page: PageName) => boolean;
  /** The pages of the navigation that the caller may open, in its order. */
  readonly navigation: readonly { readonly path: string; readonly label: string }[];
  readonly footer: readonly { readonly path: string; readonly label: string }[];
  /** Whether the caller changes the policy and the pins of this namespace. */
  readonly governs: (namespace: string) => boolean;
  /** Whether the caller may forget or supersede this memory: an agent what it captured, the others what they govern. */
  readonly mayRemove: (memory: Pick<Memory, "namespace" | "sourceAgent">) => boolean;
  /** The only namespaces that the caller changes; undefined when it may change all. */
  readonly governed: readonly string[] | undefined;
  /** The only agent that the caller speaks as; undefined when it may name any. */
  readonly agentId: string | undefined;
  /** The only namespaces that the caller captures into; undefined when it may name any. */
  readonly captures: readonly string[] | undefined;
}

export function permissionsOf(session: Session | undefined): Permissions {
  const principal = principalOf(session);
  const may = (route: RouteName) => mayCall(principal, paths[route].access);
  const mayOpen = (page: PageName) => {
    if ("forIdentities" in PAGES[page] && session?.identities !== true) return false;
    if (page === "companion" && principal.role === "agent" && principal.agentId !== COMPANION_AGENT) return false;
    if ((page === "connect" || page === "begin") && !may("createKey")) return false;
    // An auditor reads which answers were given a memory, and not its text.
    if (page === "memory" && may("listUses")) return true;
    return may(ROUTE_OF_PAGE[page]);
  };
  return {
    may,
    mayOpen,
    navigation: PAGE_NAMES.filter(mayOpen).flatMap((name) => pagesIn("navigation", name, principal)),
    footer: PAGE_NAMES.filter(mayOpen).flatMap((name) => pagesIn("footer", name, principal)),
    governs: (namespace) => governs(principal, namespace),
    mayRemove: ({ namespace, sourceAgent }) =>
      principal.role === "agent" ? principal.agentId === sourceAgent : governs(principal, namespace),
    governed: principal.role === "namespace-admin" ? principal.namespaces : undefined,
    agentId: principal.role === "agent" ? principal.agentId : undefined,
    captures: principal.role === "agent" ? principal.captures : undefined,
  };
}

function pagesIn(place: "navigation" | "footer", name: PageName, { role }: Principal) {
  const { path, ...page }: { readonly path: string } & Partial<Record<"label" | "footer", string>> = PAGES[name];
  const isBelow = "forOperators" in PAGES[name] && role !== "operator";
  const { label, footer } = isBelow ? { label: undefined, footer: page.label } : page;
  const text = place === "navigation" ? label : footer;
  return text === undefined ? [] : [{ path, label: text }];
}

export function principalOf(session: Session | undefined): Principal {
  if (session === undefined) return ANONYMOUS;
  if (!session.identities) return OPEN;
  const { name, role, agentId = "", captures = [], namespaces = [] } = session;
  const who = { id: name, name };
  switch (role) {
    case "agent":
      return { ...who, role, agentId, captures };
    case "namespace-admin":
      return { ...who, role, namespaces };
    default:
      return { ...who, role };
  }
}

/** Whether a path is of a page that everybody may open. */
export function isPublicPath(path: string): boolean {
  const { mayOpen } = permissionsOf(undefined);
  return PAGE_NAMES.filter(mayOpen).some((name) => path.startsWith(PAGES[name].path.replace(/:.*/, "")));
}

/** Derived once for each session: a page may have hundreds of links that ask. */
const derived = new WeakMap<Session, Permissions>();
const OF_NOBODY = permissionsOf(undefined);

export function usePermissions(): Permissions {
  const { session } = useSessionState();
  if (session === undefined) return OF_NOBODY;
  const permissions = derived.get(session) ?? permissionsOf(session);
  derived.set(session, permissions);
  return permissions;
}

/** Who may open a page, for somebody who may not: "Admins only." */
export function audienceOf(page: PageName, own: Role["role"]): string {
  const { access } = paths[ROUTE_OF_PAGE[page]];
  if (access === "operators") return "Operators only.";
  const others = (["auditor", "agent"] as const).filter((role) => role !== own && access.includes(role as never));
  return `${new Intl.ListFormat("en-GB").format(["Admins", ...others.map((role) => `${role}s`)])} only.`;
}

/** The role in words: "admin of garden", "agent planner". */
export function roleInWords(role: Role): string {
  if (role.role === "agent") return `agent ${role.agentId}`;
  if (role.role === "namespace-admin") return `admin of ${role.namespaces.join(", ")}`;
  return role.role;
}
