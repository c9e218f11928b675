import type { Access } from "#contract/paths.ts";

/** Who is calling. */
export interface Principal {
  readonly role: Access;
  /** What the change log says. */
  readonly name: string;
  /** The agent that the caller speaks for; absent for one who may speak for any. */
  readonly agentId?: string;
  /** The namespaces that the caller may write to; absent for one who may write to any. */
  readonly namespaces?: readonly string[];
}

const OPEN: Principal = { role: "admin", name: "api" };

/** Nobody has to identify themselves yet: the service is open, and every caller is an admin. */
export function identify(_request: Request): Principal {
  return OPEN;
}
