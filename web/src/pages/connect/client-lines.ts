// The lines that connect a program to this service, to be pasted: with the address, and with the key or the agent's name.

export interface Connection {
  readonly url: string;
  readonly agentId: string;
  /** Absent where nobody has to show one: then the agent is named. */
  readonly key?: string | undefined;
  /** Of a caller who acts in several. */
  readonly tenant?: string | undefined;
}

interface Program {
  readonly name: string;
  readonly place: string;
  readonly lines: (connection: Connection) => string;
}

const QUESTION = "What do you remember about me?";
const json = (value: unknown): string => JSON.stringify(value, undefined, 2);
const quoted = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`;

function headersOf({ agentId, key, tenant }: Connection): Record<string, string> {
  return {
    ...(key === undefined ? { "Portcullis-Agent": encodeURIComponent(agentId) } : { Authorization: `Bearer ${key}` }),
    ...(tenant !== undefined && { "Portcullis-Tenant": tenant }),
  };
}

const flags = (connection: Connection, flag: string): string =>
  Object.entries(headersOf(connection))
    .map(([name, value]) => ` ${flag} ${quoted(`${name}: ${value}`)}`)
    .join("");

const asKey = ({ agentId, key }: Connection): string => JSON.stringify(key ?? `agent:${encodeURIComponent(agentId)}`);
const named = ({ agentId, key }: Connection, field: string): string =>
  key === undefined ? `${field}${JSON.stringify(agentId)}, ` : "";
const overHttp = (connection: Connection) => ({ url: `${connection.url}/mcp`, headers: headersOf(connection) });

export const PROGRAMS: readonly Program[] = [
  {
    name: "Claude Code",
    place: "In a shell",
    lines: (to) => `claude mcp add --transport http portcullis ${quoted(`${to.url}/mcp`)}${flags(to, "--header")}`,
  },
  {
    name: "Claude Desktop",
    place: "In claude_desktop_config.json: Settings, Developer, Edit Config",
    lines({ url, agentId, key }) {
      const args = ["mcp", ...(key === undefined ? ["--agent", agentId] : [])];
      const env = { PORTCULLIS_URL: url, ...(key !== undefined && { PORTCULLIS_KEY: key }) };
      return json({ mcpServers: { portcullis: { command: "portcullis", args, env } } });
    },
  },
  { name: "Cursor", place: "In .cursor/mcp.json", lines: (to) => json({ mcpServers: { portcullis: overHttp(to) } }) },
  {
    name: "VS Code",
    place: "In .vscode/mcp.json",
    lines: (to) => json({ servers: { portcullis: { type: "http", ...overHttp(to) } } }),
  },
  {
    name: "OpenAI’s client",
    place: "In TypeScript. Only address and key change",
    lines: (to) => `import OpenAI from "openai";

const client = new OpenAI({ baseURL: ${JSON.stringify(`${to.url}/v1`)}, apiKey: ${asKey(to)} });
const [model] = (await client.models.list()).data;
const messages = [{ role: "user", content: ${JSON.stringify(QUESTION)} }];
console.log(await client.chat.completions.create({ model: model.id, messages }));`,
  },
  {
    name: "Python",
    place: "With the client of clients/python",
    lines: (to) => `from portcullis import Portcullis

with Portcullis(${JSON.stringify(to.url)}${to.key === undefined ? "" : `, key=${JSON.stringify(to.key)}`}) as client:
    found = client.recall(${named(to, "agent_id=")}query=${JSON.stringify(QUESTION)})
    print([memory.content for memory in found.memories])`,
  },
  {
    name: "AI SDK",
    place: "In TypeScript, around any model",
    lines: (to) => `import { generateText } from "ai";
import { withPortcullis } from "portcullis/ai-sdk";

const service = { url: ${JSON.stringify(to.url)}, ${to.key === undefined ? "agentId" : "key"}: ${JSON.stringify(to.key ?? to.agentId)} };
const model = withPortcullis(yourModel, service);
console.log(await generateText({ model, prompt: ${JSON.stringify(QUESTION)} }));`,
  },
  {
    name: "curl",
    place: "In a shell",
    lines: (to) =>
      `curl -s ${quoted(`${to.url}/api/recall`)}${flags(to, "-H")} \\\n  -H 'content-type: application/json' -d ${quoted(JSON.stringify({ query: QUESTION }))}`,
  },
];
