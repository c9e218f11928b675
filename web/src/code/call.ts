// One call of the service, which the app shows as curl, as a call of the typed client, and as a command.
import { segmentOf } from "#contract/client/send-request.ts";
import { paths, type RouteName, TENANT_HEADER } from "#contract/paths.ts";
import type { Body, Params, Query } from "#contract/routes.ts";

/** What a route is given. */
export interface CallInput<N extends RouteName = RouteName> {
  readonly params?: Params<N>;
  readonly query?: Query<N>;
  readonly body?: Body<N>;
}

export interface Call {
  readonly route: RouteName;
  readonly params?: Readonly<Record<string, string>> | undefined;
  readonly query?: Readonly<Record<string, unknown>> | undefined;
  readonly body?: unknown;
}

/** Where the service is, and whether it asks who is calling. */
export interface Target {
  readonly baseUrl: string;
  readonly hasIdentities: boolean;
  /** Of a caller who may act in several. */
  readonly tenant?: string | undefined;
  /** The caller's own tenant, for commands that open the database. Left out for `default`. */
  readonly ownTenant?: string | undefined;
  readonly isOperator?: boolean;
}

// JSON that can stand in a shell command and in a program, and looks like what it is: characters that are invisible, or
// change how their neighbours look, are escaped.
const HIDDEN =
  /[\u007f-\u009f\u00ad\u061c\u115f\u1160\u180e\u200b-\u200f\u2028-\u202e\u2060-\u206f\u3164\ufeff\uffa0]|[\u{e0000}-\u{e0fff}]|\p{Cs}/gu;

function jsonLiteral(value: unknown, indent?: number): string {
  return (JSON.stringify(value, null, indent) ?? "null").replace(HIDDEN, escaped);
}

/**
 * A key `__proto__` in a program would set the prototype. In brackets it is a key like others. Each key begins a line, so
 * that the end of a longer one is not taken for it.
 */
const programLiteral = (value: unknown): string =>
  jsonLiteral(value, 2).replaceAll(/^( *)"__proto__":/gm, '$1["__proto__"]:');

const escaped = (character: string): string =>
  Array.from({ length: character.length }, (_, i) => {
    const unit = character.charCodeAt(i).toString(16).padStart(4, "0");
    return `\\u${unit}`;
  }).join("");

const SAFE = /^[\w@%+:,./][\w@%+=:,./-]*$/;

/** Quotes a word for a POSIX shell, so that whatever it holds stays one word. */
export const shellWord = (word: string): string => (SAFE.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`);

const NDJSON_BODIES: ReadonlySet<Call["route"]> = new Set(["importMemories", "importRecords"]);

/** A call as a curl command. */
export function curlCommand(call: Call, { baseUrl, hasIdentities, tenant }: Target): string {
  const { method, path } = paths[call.route];
  const parts = [`curl${method === "GET" ? "" : ` -X ${method}`} ${shellWord(baseUrl + filled(path, call))}`];
  // The shell fills it in. A key in a command would stay in the history.
  if (hasIdentities) parts.push('-H "authorization: Bearer $PORTCULLIS_KEY"');
  if (tenant !== undefined) parts.push(`-H '${TENANT_HEADER}: ${tenant}'`);
  if (NDJSON_BODIES.has(call.route)) {
    parts.push("-H 'content-type: application/x-ndjson'", "--data-binary @facts.ndjson");
  } else if (call.body !== undefined) {
    parts.push("-H 'content-type: application/json'", `-d ${shellWord(jsonLiteral(call.body))}`);
  }
  return parts.join(" \\\n  ");
}

/** The path with its parameters and its query. Throws for a parameter that would be a step in the path. */
export function filled(path: string, { params = {}, query = {} }: Pick<Call, "params" | "query">): string {
  const filledPath = path.replace(/\{(\w+)\}/g, (_, name: string) => segmentOf(params[name] ?? ""));
  const given = Object.entries(query).flatMap(([name, value]) =>
    value === undefined || value === "" ? [] : [[name, String(value)] as [string, string]],
  );
  return given.length === 0 ? filledPath : `${filledPath}?${new URLSearchParams(given)}`;
}

/** A call as a program that uses the typed client, whose functions take path parameters, then query or body. */
export function clientCall({ route, params, query, body }: Call, { baseUrl, hasIdentities, tenant }: Target): string {
  const bearer = hasIdentities ? ", bearer: process.env.PORTCULLIS_KEY" : "";
  const place = tenant === undefined ? "" : `, tenant: ${jsonLiteral(tenant)}`;
  return [
    'import { createClient } from "portcullis/client";',
    ...(takesFile(route) ? ['import { openAsBlob } from "node:fs";'] : []),
    "",
    `const client = createClient({ baseUrl: ${jsonLiteral(baseUrl)}${bearer}${place} });`,
    statement(route, [params, query, body].filter(isGiven).map(programLiteral).join(", ")),
  ].join("\n");
}

const takesFile = (route: Call["route"]): boolean => route === "importMemories" || route === "importRecords";

function statement(route: Call["route"], args: string): string {
  switch (route) {
    case "importMemories":
      return 'for await (const line of client.importMemories(await openAsBlob("facts.ndjson"))) console.log(line);';
    case "importRecords":
      return 'for await (const step of client.importRecords(await openAsBlob("facts.ndjson"))) console.log(step);';
    case "listenToEvents":
      return "for await (const event of client.listenToEvents()) console.log(event);";
    default:
      return `console.log(await client.${route}(${args}));`;
  }
}

const isGiven = (value: unknown): boolean =>
  value !== undefined && !(typeof value === "object" && value !== null && Object.keys(value).length === 0);
