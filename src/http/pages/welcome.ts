import { type Route, routes } from "#contract/routes.ts";
import type { HttpReply } from "#http/answer/reply.ts";

/** What somebody sees who opens the address in a browser or with curl. */
export function welcome(version: string, origin: string): HttpReply {
  const all = Object.values<Route>(routes);
  const width = Math.max(...all.map(({ path }) => path.length)) + 2;
  const rows = all.map(({ method, path, summary }) => `${method.padEnd(5)}${path.padEnd(width)}${summary}`);
  const text = [
    `Portcullis ${version}: gated memory for AI agents.`,
    "",
    ...rows,
    "",
    `GET  ${"/openapi.json".padEnd(width)}All of it, for programs.`,
    "",
    "Try it:",
    `  curl -s ${origin}/api/chat -H 'content-type: application/json' \\`,
    `    -d '{"agentId":"assistant","query":"What is planned for dinner on Friday?"}'`,
    "",
  ].join("\n");
  return { headers: { "content-type": "text/plain; charset=utf-8" }, body: text };
}
