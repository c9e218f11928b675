// A call as a command of `portcullis`. Not every route has a command, and not every call of such a route.
import { type Call, shellWord, type Target } from "./call.ts";

const DEFAULT_URL = "http://127.0.0.1:3000";

interface Command {
  readonly words: readonly string[];
  readonly arguments: readonly unknown[];
  /** An option that is undefined is left out, `true` is a switch, and a list is given once for each value. */
  readonly options: Fields;
  /** It reads the settings of the service and its database, so it takes no URL. */
  readonly isLocal?: true;
}

/** Undefined when there is no such command. */
export function commandLine(call: Call, target: Target): string | undefined {
  const { params, query, body } = call;
  const given = { ...(body as Fields | undefined), ...query, ...params };
  const known = COMMANDS[call.route];
  const said = typeof known === "string" ? command(known, given) : known?.(given);
  if (said === undefined || !isSayable(said)) return undefined;
  if (target.isOperator && isAboutDeploymentKey(call)) return undefined;
  const options = Object.entries({ ...placeOf(said, target), ...said.options }).flatMap(([name, value]) =>
    optionWords(name, value),
  );
  const positionals = said.arguments.filter((value) => value !== undefined).map(String);
  // Whatever comes after `--` is no option.
  const isOptionLike = positionals.some((value) => value.startsWith("-"));
  const positionalWords = positionals.map(shellWord);
  const tail = isOptionLike ? [...options, "--", ...positionalWords] : [...positionalWords, ...options];
  return ["portcullis", ...said.words, ...tail].join(" ");
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
function isSayable({ arguments: given, options }: Command): boolean {
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

/**
 * A command by its template: "chat {query} --agent=agentId" is followed by the field `query` of a call, and has the option
 * `agent` from the field `agentId`. An option without a field has that of its own name.
 */
function command(template: string, given: Fields = {}, options: Fields = {}): Command {
  const parts = template.split(" ");
  const named = parts.filter((part) => part.startsWith("--")).map((part) => part.slice(2).split("="));
  return {
    words: parts.filter((part) => /^\w/.test(part)),
    arguments: parts.filter((part) => part.startsWith("{")).map((part) => given[part.slice(1, -1)]),
    options: {
      ...Object.fromEntries(named.map(([option = "", field = option]) => [option, given[field]])),
      ...options,
    },
  };
}

/** The commands about keys open the database themselves. */
const local = (...parts: Parameters<typeof command>): Command => ({ ...command(...parts), isLocal: true });

/** The command of a route, made of the parameters, the query and the fields of the body that a call gives. */
const COMMANDS: Readonly<Partial<Record<Call["route"], string | ((given: Fields) => Command | undefined)>>> = {
  chat: "chat {query} --agent=agentId",
  companion: (given) => command("chat {query}", given, { companion: true }),
  explain: "explain {query} --agent=agentId --limit --memory=memoryId",
  recall: (given) =>
    given.namespacePrefix === undefined ? command("recall {query} --agent=agentId --limit", given) : undefined,
  capture: "remember {content} --namespace --agent=sourceAgent --fact-key=key --supersedes --expires=expiresAt --ttl",
  listMemories: (given) => command(LIST, given, { superseded: given.superseded === "true" }),
  getMemory: "memories {memoryId}",
  importMemories: "import facts.ndjson",
  importRecords: "import facts.ndjson",
  exportRecords: "export --namespace --source-agent=sourceAgent",
  forgetMemory: "forget {memoryId} --reason",
  forgetMemories: "forget --namespace --source-agent=sourceAgent --before --reason",
  getPolicy: "policy",
  setAccess(given) {
    const { allowed, allowConfusable } = given;
    if (typeof allowed !== "boolean" && allowed !== null) return undefined;
    const verb = allowed ? "allow" : allowed === null ? "remove" : "revoke";
    const options = { "allow-confusable": allowed === true && allowConfusable === true };
    return command(`policy ${verb} {agentId} {namespace}`, given, options);
  },
  listReceipts: "receipts --agent=agentId --namespace --anchored --status",
  getReceipt: "receipts {answerId}",
  anchorReceipt: (given) => anchor(given, true),
  anchorOnChain: (given) => anchor(given, false),
  verify: (given) => command("verify {receiptId}", given, { deep: given.deep === "1" }),
  listenToEvents: "events",
  listTenants: "tenants list",
  createTenant: (given) => (given.template === undefined ? command("tenants create {id}", given) : undefined),
  getTenant: "tenants show {tenantId}",
  deleteTenant: "tenants delete {tenantId}",
  updateTenant(given) {
    if (given.quotas !== undefined || typeof given.suspended !== "boolean") return undefined;
    return command(`tenants ${given.suspended ? "suspend" : "resume"} {tenantId}`, given);
  },
  createTenantKey: (given) =>
    local("keys create --tenant=tenantId --name --role --expires=expiresAt", { ...given, role: "admin" }),
  listKeys: () => local("keys list"),
  createKey: (given) => local("keys create --name --role --captures --expires=expiresAt", given),
  rotateKey(given) {
    const { graceSeconds: seconds } = given;
    return local("keys rotate {keyId}", given, {
      grace: typeof seconds === "number" && seconds > 0 ? seconds / 3_600 : undefined,
    });
  },
  revokeKey: (given) => local("keys revoke {keyId}", given),
};

const LIST = "memories --namespace --source-agent=sourceAgent --search=q --view-as=viewAs --before=createdBefore";

function anchor(given: Fields, blob: boolean): Command | undefined {
  if (given.answerId === undefined) return undefined;
  return command("anchor {answerId}", given, { blob, sealed: given.sealed === true, claim: given.claimNamespaces });
}
