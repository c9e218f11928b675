import { type Route, routes } from "#contract/routes.ts";
import type { HttpReply } from "#http/answer/reply.ts";

const METHOD_WIDTH = "DELETE ".length;

/** The reply at the paths of the app when it is not built. */
export const pageNotBuilt = (): HttpReply => ({
  status: 404,
  headers: { "content-type": "text/plain; charset=utf-8" },
  body: "This installation has no pages, only the API. `npm run build` builds them, where the development dependencies are installed; then copy the folder web/dist here and start the service again.\n",
});

/** The reply to `GET /` for programs, and for browsers when the app is not built: a list of the routes, as text. */
export function welcome(version: string, baseUrl: string): HttpReply {
  const table = Object.values<Route>(routes);
  const width = Math.max(...table.map(({ path }) => path.length)) + 2;
  const rows = table.map(
    ({ method, path, summary }) => `${method.padEnd(METHOD_WIDTH)}${path.padEnd(width)}${summary}`,
  );
  const text = [
    `Portcullis ${version}: memory for AI agents, with a gate and a receipt.`,
    "",
    ...rows,
    "",
    `${"GET".padEnd(METHOD_WIDTH)}${"/openapi.json".padEnd(width)}The description of the API, for programs.`,
    "",
    "Try it:",
    `  curl -s ${baseUrl}/api/chat -H 'content-type: application/json' \\`,
    `    -d '{"agentId":"assistant","query":"What is planned for dinner on Friday?"}'`,
    "",
  ].join("\n");
  return { headers: { "content-type": "text/plain; charset=utf-8" }, body: text };
}
