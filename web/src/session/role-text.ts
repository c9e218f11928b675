import type { Role } from "#core/identity/role.ts";

/** The role in words: "admin of garden", "agent planner". */
export function roleInWords(role: Role): string {
  if (role.role === "agent") return `agent ${role.agentId}`;
  if (role.role === "namespace-admin") return `admin of ${role.namespaces.join(", ")}`;
  return role.role;
}
