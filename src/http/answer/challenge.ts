// What a refused caller is told about credentials: RFC 6750, and where an OAuth client finds the issuer (RFC 9728).
import { MCP_PATH } from "#contract/mcp-path.ts";
import type { Problem } from "#contract/problem.ts";
import type { ClientConnection } from "#http/edge/client-connection.ts";

export const RESOURCE_METADATA_PATH = "/.well-known/oauth-protected-resource";

/** The header of a 401, and of a 403 for want of a role. Empty for any other problem. */
export function challengeOf(
  { code }: Pick<Problem, "code">,
  request: Request,
  client: ClientConnection,
): Readonly<Record<string, string>> {
  if (code !== "unauthenticated" && code !== "forbidden") return {};
  const error = code === "forbidden" ? "insufficient_scope" : "invalid_token";
  // RFC 6750, 3.1: whoever sent no credentials is told no error.
  const hasFailed = code === "forbidden" || request.headers.has("authorization");
  const parameters = [
    'realm="portcullis"',
    ...(hasFailed ? [`error="${error}"`] : []),
    `resource_metadata="${client.secureOrigin()}${client.basePath}${RESOURCE_METADATA_PATH}${resourceOf(request)}"`,
  ];
  return { "www-authenticate": `Bearer ${parameters.join(", ")}` };
}

/** MCP is a resource of its own. All else is the service. */
const resourceOf = ({ url }: Request): string => (new URL(url).pathname === MCP_PATH ? MCP_PATH : "");
