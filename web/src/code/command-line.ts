// A call as a command of `portcullis`. Not every route has a command, and not every call of such a route.
import { type Call, shellWord, type Target } from "./call.ts";

const DEFAULT_URL = "http://127.0.0.1:3000";

interface Command {
  readonly words: readonly string[];
  readonly arguments?: readonly unknown[];
  /** An option that is undefined is left out, `true` is a switch, and a list is given once for each value. */
  readonly options?: Readonly<Record<string, unknown>>;
  /** It reads the settings of the service and its database, so it takes no URL. */
  readonly isLocal?: true;
}

/** Undefined when there is no such command. */
export function commandLine(call: Call, target: Target): string | undefined {
  const command = commandOf(call);
  if (command === undefined || !isSayable(command)) return undefined;
  if (target.isOperator && isAboutDeploymentKey(call)) return undefined;
  const options = Object.entries({ ...placeOf(command, target), ...command.options }).flatMap(([name, value]) =>
    optionWords(name, value),
  );
  const given = (command.arguments ?? []).filter((value) => value !== undefined).map(String);
  // Whatever comes after `--` is no option.
  const isOptionLike = given.some((value) => value.startsWith("-"));
  const positionals = given.map(shellWord);
  const tail = isOptionLike ? [...options, "--", ...positionals] : [...positionals, ...options];
  return ["portcullis", ...command.words, ...tail].join(" ");
}

/** Where a command works: the service, and the tenant that it must name. */
const placeOf = ({ isLocal }: Command, { baseUrl, tenant, ownTenant }: Target) =>
  isLocal ? { tenant: ownTenant } : { url: baseUrl === DEFAULT_URL ? undefined : baseUrl, tenant };

/** Commands know the keys of tenants. Of those of the deployment, they make an operator's. */
const isAboutDeploymentKey = ({ route, body }: Call): boolean =>
  route === "listKeys" ||
  route === "rotateKey" ||
  route === "revokeKey" ||
  (route === "createKey" && (body as Fields | undefined)?.tenants !== undefined);

/** The body may be any JSON. Words of a command are texts, numbers and switches, and options may be lists of them. */
function isSayable({ arguments: given = [], options = {} }: Command): boolean {
  const isWord = (value: unknown) => ["undefined", "string", "number", "boolean"].includes(typeof value);
  return given.every(isWord) && Object.values(options).flat().every(isWord);
}

function optionWords(name: string, value: unknown): readonly string[] {
  if (value === undefined || value === false) return [];
  if (value === true) return [`--${name}`];
  if (Array.isArray(value)) return value.flatMap((each) => optionWords(name, each));
  const text = String(value);
  return text === "" || text.startsWith("-") ? [`--${name}=${shellWord(text)}`] : [`--${name} ${shellWord(text)}`];
}

type Fields = Readonly<Record<string, unknown>>;

function commandOf({ route, params = {}, query = {}, body }: Call): Command | undefined {
  const given = (body ?? {}) as Fields;
  switch (route) {
    case "chat":
      return { words: ["chat"], arguments: [given.query], options: { agent: given.agentId } };
    case "companion":
      return { words: ["chat"], arguments: [given.query], options: { companion: true } };
    case "explain":
      return {
        words: ["explain"],
        arguments: [given.query],
        options: { agent: given.agentId, limit: given.limit, memory: given.memoryId },
      };
    case "recall":
      if (given.namespacePrefix !== undefined) return undefined;
      return { words: ["recall"], arguments: [given.query], options: { agent: given.agentId, limit: given.limit } };
    case "capture":
      return { words: ["remember"], arguments: [given.content], options: pick(given, CAPTURE) };
    case "listMemories":
      return { words: ["memories"], options: { ...pick(query, LIST), superseded: query.superseded === "true" } };
    case "getMemory":
      return { words: ["memories"], arguments: [params.memoryId] };
    case "importMemories":
    case "importRecords":
      return { words: ["import"], arguments: ["facts.ndjson"] };
    case "exportRecords":
      return { words: ["export"], options: { namespace: query.namespace, "source-agent": query.sourceAgent } };
    case "forgetMemory":
      return { words: ["forget"], arguments: [params.memoryId], options: { reason: query.reason } };
    case "forgetMemories":
      return { words: ["forget"], options: pick(given, FORGET) };
    case "getPolicy":
      return { words: ["policy"] };
    case "setAccess":
      if (typeof given.allowed !== "boolean" && given.allowed !== null) return undefined;
      return {
        words: ["policy", given.allowed ? "allow" : given.allowed === null ? "remove" : "revoke"],
        arguments: [given.agentId, given.namespace],
        options: { "allow-confusable": given.allowed === true && given.allowConfusable === true },
      };
    case "listReceipts":
      return { words: ["receipts"], options: pick(query, RECEIPTS) };
    case "getReceipt":
      return { words: ["receipts"], arguments: [params.answerId] };
    case "anchorReceipt":
    case "anchorOnChain":
      if (given.answerId === undefined) return undefined;
      return {
        words: ["anchor"],
        arguments: [given.answerId],
        options: { blob: route === "anchorReceipt", sealed: given.sealed === true, claim: given.claimNamespaces },
      };
    case "verify":
      return { words: ["verify"], arguments: [params.receiptId], options: { deep: query.deep === "1" } };
    case "listenToEvents":
      return { words: ["events"] };
    default:
      return tenantCommandOf(route, params, given) ?? keyCommandOf(route, params, given);
  }
}

function tenantCommandOf(route: Call["route"], { tenantId }: Fields, given: Fields): Command | undefined {
  const command = (verb: string, id: unknown) => ({ words: ["tenants", verb], arguments: [id] });
  switch (route) {
    case "listTenants":
      return { words: ["tenants", "list"] };
    case "createTenant":
      return given.template === undefined ? command("create", given.id) : undefined;
    case "getTenant":
      return command("show", tenantId);
    case "deleteTenant":
      return command("delete", tenantId);
    case "updateTenant":
      if (given.quotas !== undefined || typeof given.suspended !== "boolean") return undefined;
      return command(given.suspended ? "suspend" : "resume", tenantId);
    default:
      return undefined;
  }
}

/** The commands about keys open the database themselves. */
function keyCommandOf(route: Call["route"], { keyId, tenantId }: Fields, given: Fields): Command | undefined {
  switch (route) {
    case "createTenantKey": {
      const { name, expiresAt: expires } = given;
      return { words: ["keys", "create"], options: { tenant: tenantId, name, role: "admin", expires }, isLocal: true };
    }
    case "listKeys":
      return { words: ["keys", "list"], isLocal: true };
    case "createKey": {
      const { name, role, captures, expiresAt: expires } = given;
      return { words: ["keys", "create"], options: { name, role, captures, expires }, isLocal: true };
    }
    case "rotateKey": {
      const seconds = given.graceSeconds;
      const grace = typeof seconds === "number" && seconds > 0 ? seconds / 3_600 : undefined;
      return { words: ["keys", "rotate"], arguments: [keyId], options: { grace }, isLocal: true };
    }
    case "revokeKey":
      return { words: ["keys", "revoke"], arguments: [keyId], isLocal: true };
    default:
      return undefined;
  }
}

/** The options of a command, and the fields of the call that they come from. */
const pick = (fields: Fields, names: Readonly<Record<string, string>>): Fields =>
  Object.fromEntries(Object.entries(names).map(([option, field]) => [option, fields[field]]));

const CAPTURE = {
  namespace: "namespace",
  agent: "sourceAgent",
  "fact-key": "key",
  supersedes: "supersedes",
  expires: "expiresAt",
  ttl: "ttl",
};
const LIST = {
  namespace: "namespace",
  "source-agent": "sourceAgent",
  search: "q",
  "view-as": "viewAs",
  before: "createdBefore",
};
const FORGET = { namespace: "namespace", "source-agent": "sourceAgent", before: "before", reason: "reason" };
const RECEIPTS = { agent: "agentId", namespace: "namespace", anchored: "anchored", status: "status" };
