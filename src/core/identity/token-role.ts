// The role that a token's claims name. What they do not say clearly is refused: there is no default role.
import { PortcullisError } from "#core/errors.ts";
import { forbidden } from "./permissions.ts";
import { parseRole, type Role } from "./role.ts";

/** Claims as they stand in a token: of any type, or absent. */
export interface RoleClaims {
  readonly role?: unknown;
  readonly agent?: unknown;
  /** The namespaces that an agent may capture into. */
  readonly namespaces?: unknown;
}

/** Throws `forbidden` for claims that name no role, or contradict each other. The subject of a token is no agent id. */
export function roleOfClaims({ role, agent, namespaces = [] }: RoleClaims): Role {
  if (role === undefined || role === null) throw forbidden("This token names no role.");
  if (typeof role !== "string") throw forbidden("The role in this token is not a text.");
  if (agent !== undefined && typeof agent !== "string") throw forbidden("The agent in this token is not a text.");
  if (!isTextList(namespaces)) throw forbidden("The namespaces in this token are not a list of texts.");
  if (role === "agent" && agent === undefined) throw forbidden("This token has the role of an agent and names none.");
  const parsed = parsedRole(role === "agent" ? `agent:${agent}` : role, namespaces);
  if (agent !== undefined && (parsed.role !== "agent" || parsed.agentId !== agent))
    throw forbidden("The role and the agent in this token contradict each other.");
  return parsed;
}

const isTextList = (value: unknown): value is string[] =>
  Array.isArray(value) && value.every((each) => typeof each === "string");

function parsedRole(text: string, captures: readonly string[]): Role {
  try {
    return parseRole(text, captures);
  } catch (error) {
    if (error instanceof PortcullisError) throw forbidden(`The role in this token is not valid. ${error.message}`);
    throw error;
  }
}
