// The examples of docs/api.md: a curl command, and the JSON that the service answers. They run in their order against a
// service that was just seeded. An id in a command is one that an earlier example shows.
import { createClient } from "#contract/client/client.ts";
import { elideLike, parseElided, printElided } from "./elided-json.ts";

export interface RunExample {
  readonly command: string;
  /** What the document shows, and what the service answered, with the same parts left out. */
  readonly documented: unknown;
  readonly answered: unknown;
}

const EXAMPLE = /((?:^ {4}.*\n)+)\n```json\n([\s\S]*?)\n```/gm;
/** The origin that the commands name. */
const DOCUMENTED_ORIGIN = "http://localhost:3000";

/** Runs every example, and answers also with the document as it would be with the service's answers. */
export async function runExamples(
  document: string,
  url: string,
): Promise<{ readonly examples: readonly RunExample[]; readonly updated: string }> {
  const ids = new Map<string, string>();
  const examples: RunExample[] = [];
  const parts: string[] = [];
  let end = 0;
  for (const match of document.matchAll(EXAMPLE)) {
    const [all, block = "", shown = ""] = match;
    const command = [...ids].reduce((text, [old, id]) => text.replaceAll(old, id), block);
    const text = (await answerTo(command, url)).replaceAll(url, DOCUMENTED_ORIGIN);
    const run = shown.endsWith(" …") ? cutText(shown, text) : elidedJson(shown, text);
    examples.push({ command: command.trim(), ...run });
    learnIds(ids, run.documented, run.answered);
    parts.push(document.slice(end, match.index), `${command}\n\`\`\`json\n${run.printed}\n\`\`\``);
    end = match.index + all.length;
  }
  return { examples, updated: [...parts, document.slice(end)].join("") };
}

function elidedJson(shown: string, text: string) {
  const documented = parseElided(shown);
  const answered = elideLike(documented, JSON.parse(text));
  return { documented, answered, printed: printElided(answered, shown) };
}

/** A text whose end is left out. */
function cutText(shown: string, text: string) {
  const answered = `${text.slice(0, shown.length - 2)} …`;
  return { documented: shown, answered, printed: answered };
}

async function answerTo(command: string, url: string): Promise<string> {
  const { path, method, body } = requestOf(command);
  await prepare(path, url);
  const response = await fetch(`${url}${path}`, {
    method,
    ...(body !== undefined && { body, headers: { "content-type": "application/json" } }),
  });
  return response.text();
}

/** What the text around an example says has happened before it. */
async function prepare(path: string, url: string): Promise<void> {
  const setHealth = (allowed: boolean) =>
    createClient({ baseUrl: url }).setAccess({ agentId: "companion", namespace: "health", allowed });
  if (path === "/api/companion") await setHealth(false);
  if (path === "/api/recall") await setHealth(true);
}

/** Understands the few options that the examples use. */
function requestOf(command: string): { path: string; method: string; body: string | undefined } {
  const words = [...command.replaceAll("\\\n", " ").matchAll(/'([^']*)'|(\S+)/g)].map(
    ([, quoted, word]) => quoted ?? word,
  );
  const after = (option: string) => (words.includes(option) ? words[words.indexOf(option) + 1] : undefined);
  const target = words.find((word) => word?.startsWith("localhost:3000/"));
  if (words[0] !== "curl" || target === undefined) throw new Error(`Not a command of an example: ${command}`);
  const body = after("-d");
  return {
    path: target.slice("localhost:3000".length),
    method: after("-X") ?? (body === undefined ? "GET" : "POST"),
    body,
  };
}

const AN_ID = /^(?:(?:mem|ans)_\w{26}|0x[0-9a-f]{64}|[\w-]{43,44})$/;

/** Where the document shows an id, the service gave another one. */
function learnIds(ids: Map<string, string>, documented: unknown, answered: unknown): void {
  if (typeof documented === "string" && typeof answered === "string") {
    if (AN_ID.test(documented) && AN_ID.test(answered)) ids.set(documented, answered);
  } else if (typeof documented === "object" && documented !== null && typeof answered === "object") {
    const other = (answered ?? {}) as Readonly<Record<string, unknown>>;
    for (const [name, value] of Object.entries(documented)) learnIds(ids, value, other[name]);
  }
}
