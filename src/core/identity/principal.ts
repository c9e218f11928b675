import { nameFault } from "#core/encoding/text-validation.ts";
import { PortcullisError } from "#core/errors.ts";
import type { TenantQuotas, TenantRef } from "#core/identity/tenant.ts";

export type Principal = Role & {
  /** Names the identity: a key's id, or the subject of a token. Limits and logs are kept by it. */
  readonly id: string;
  /** What the change log shows. */
  readonly name: string;
  /** What the caller showed. Absent without identities. */
  readonly credential?: Credential;
  /** Where the caller acts; `any`: in the tenant that the request names. Absent: in the tenant `default`. */
  readonly tenant?: (TenantRef & { readonly quotas?: TenantQuotas }) | "any";
  readonly operates?: true;
  /** Of an agent that an admin acts as (`actingAs`): its `captures` do not count. */
  readonly capturesAnywhere?: true;
};

/** What a caller showed to say who they are. It holds no secret: hashes only. Streams are cut when it ends. */
export type Credential =
  | { readonly kind: "key"; readonly keyId: string; readonly keyHash: string }
  /** A session stands for the key that it was opened with. */
  | { readonly kind: "session"; readonly keyId: string; readonly keyHash: string; readonly sessionHash: string }
  | { readonly kind: "token"; readonly expiresAt: string };

/** The caller of a service without identities. It serves this machine only, and everybody on it is the admin of all. */
export const OPEN: Principal = { role: "admin", id: "open", name: "api", tenant: "any", operates: true };

/** The agent id under which the companion passes the gate. */
export const COMPANION_AGENT = "companion";

export const ANONYMOUS: Principal = { role: "public", id: "anonymous", name: "anonymous" };

// Roles: what a caller may do. The text form stands in keys, tokens and on the command line: `admin`, `auditor`,
// `agent:<id>`, `admin:<namespace>,<namespace>` for the admin of some namespaces, and `operator`.

export type RoleName = "operator" | "admin" | "namespace-admin" | "agent" | "auditor" | "public";

export type Role =
  /** Makes, suspends and deletes tenants. Reads nothing of what is in them. */
  | { readonly role: "operator" }
  /** Of its tenant. */
  | { readonly role: "admin" }
  /** Policy, pins and settings of these namespaces. */
  | { readonly role: "namespace-admin"; readonly namespaces: readonly string[] }
  /** Asks, recalls and captures as this agent. It captures into these namespaces only: none unless they are named. */
  | { readonly role: "agent"; readonly agentId: string; readonly captures: readonly string[] }
  /** Reads metadata, receipts without snippets, and logs. Changes nothing. */
  | { readonly role: "auditor" }
  /** The verifier, and what it needs. */
  | { readonly role: "public" };

/** More would not fit into a key's record or a token. */
const MOST_NAMESPACES = 100;

/** The role that a text names. A comma in a namespace is written `%2C`, and a percent sign `%25`. */
export function parseRole(text: string, captures: readonly string[] = []): Role {
  const colon = text.indexOf(":");
  const name = colon === -1 ? text : text.slice(0, colon);
  const rest = colon === -1 ? undefined : text.slice(colon + 1);
  if (name === "agent" && rest !== undefined)
    return { role: "agent", agentId: checked(rest), captures: list(captures) };
  if (captures.length > 0) throw invalid("Only the role of an agent names namespaces to capture into.");
  if (name === "admin" && rest !== undefined)
    return { role: "namespace-admin", namespaces: list(rest.split(",").map(unescaped)) };
  if (rest === undefined && (name === "admin" || name === "auditor" || name === "operator")) return { role: name };
  throw invalid("A role is admin, admin:<namespace>,…, agent:<id>, auditor or operator.");
}

export function roleText(role: Role): string {
  switch (role.role) {
    case "agent":
      return `agent:${role.agentId}`;
    case "namespace-admin":
      return `admin:${role.namespaces.map(escaped).join(",")}`;
    default:
      return role.role;
  }
}

function list(names: readonly string[]): readonly string[] {
  if (names.length > MOST_NAMESPACES) throw invalid(`A role names at most ${MOST_NAMESPACES} namespaces.`);
  return [...new Set(names.map(checked))];
}

function checked(name: string): string {
  const fault = nameFault(name);
  if (fault !== undefined) throw invalid(`A name in a role ${fault}.`);
  return name;
}

const escaped = (name: string): string => name.replaceAll("%", "%25").replaceAll(",", "%2C");

function unescaped(text: string): string {
  if (/%(?!2C|25)/i.test(text)) throw invalid("In a role, a percent sign is written %25.");
  return text.replaceAll(/%2C/gi, ",").replaceAll("%25", "%");
}

const invalid = (sentence: string): PortcullisError => new PortcullisError("invalid-request", sentence);
