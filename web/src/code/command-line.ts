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
  const said = COMMANDS[call.route]?.({ ...(body as Fields | undefined), ...query, ...params });
  if (said === undefined || !isSayable(said)) return undefined;
  if (target.isOperator && isAboutDeploymentKey(call)) return undefined;
  const options = Object.entries({ ...placeOf(said, target), ...said.options }).flatMap(([name, value]) =>
    optionWords(name, value),
  );
  const given = said.arguments.filter((value) => value !== undefined).map(String);
  // Whatever comes after `--` is no option.
  const isOptionLike = given.some((value) => value.startsWith("-"));
  const positionals = given.map(shellWord);
  const tail = isOptionLike ? [...options, "--", ...positionals] : [...positionals, ...options];
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

const command = (words: string, args: readonly unknown[] = [], options: Fields = {}): Command => ({
  words: words.split(" "),
  arguments: args,
  options,
});

/** The commands about keys open the database themselves. */
const local = (...parts: Parameters<typeof command>): Command => ({ ...command(...parts), isLocal: true });

/** The command of a route, made of the parameters, the query and the fields of the body that a call gives. */
const COMMANDS: Readonly<Partial<Record<Call["route"], (given: Fields) => Command | undefined>>> = {
  chat: ({ query, agentId: agent }) => command("chat", [query], { agent }),
  companion: ({ query }) => command("chat", [query], { companion: true }),
  explain: ({ query, agentId: agent, limit, memoryId: memory }) =>
    command("explain", [query], { agent, limit, memory }),
  recall: ({ namespacePrefix, query, agentId: agent, limit }) =>
    namespacePrefix === undefined ? command("recall", [query], { agent, limit }) : undefined,
  capture: (given) => command("remember", [given.content], pick(given, CAPTURE)),
  listMemories: (given) => command("memories", [], { ...pick(given, LIST), superseded: given.superseded === "true" }),
  getMemory: ({ memoryId }) => command("memories", [memoryId]),
  importMemories: () => command("import", ["facts.ndjson"]),
  importRecords: () => command("import", ["facts.ndjson"]),
  exportRecords: ({ namespace, sourceAgent }) => command("export", [], { namespace, "source-agent": sourceAgent }),
  forgetMemory: ({ memoryId, reason }) => command("forget", [memoryId], { reason }),
  forgetMemories: (given) => command("forget", [], pick(given, FORGET)),
  getPolicy: () => command("policy"),
  setAccess({ allowed, agentId, namespace, allowConfusable }) {
    if (typeof allowed !== "boolean" && allowed !== null) return undefined;
    const verb = allowed ? "allow" : allowed === null ? "remove" : "revoke";
    const options = { "allow-confusable": allowed === true && allowConfusable === true };
    return command(`policy ${verb}`, [agentId, namespace], options);
  },
  listReceipts: (given) => command("receipts", [], pick(given, RECEIPTS)),
  getReceipt: ({ answerId }) => command("receipts", [answerId]),
  anchorReceipt: (given) => anchor(given, true),
  anchorOnChain: (given) => anchor(given, false),
  verify: ({ receiptId, deep }) => command("verify", [receiptId], { deep: deep === "1" }),
  listenToEvents: () => command("events"),
  listTenants: () => command("tenants list"),
  createTenant: ({ template, id }) => (template === undefined ? command("tenants create", [id]) : undefined),
  getTenant: ({ tenantId }) => command("tenants show", [tenantId]),
  deleteTenant: ({ tenantId }) => command("tenants delete", [tenantId]),
  updateTenant({ tenantId, quotas, suspended }) {
    if (quotas !== undefined || typeof suspended !== "boolean") return undefined;
    return command(`tenants ${suspended ? "suspend" : "resume"}`, [tenantId]);
  },
  createTenantKey: ({ tenantId: tenant, name, expiresAt: expires }) =>
    local("keys create", [], { tenant, name, role: "admin", expires }),
  listKeys: () => local("keys list"),
  createKey: ({ name, role, captures, expiresAt: expires }) =>
    local("keys create", [], { name, role, captures, expires }),
  rotateKey({ keyId, graceSeconds: seconds }) {
    const grace = typeof seconds === "number" && seconds > 0 ? seconds / 3_600 : undefined;
    return local("keys rotate", [keyId], { grace });
  },
  revokeKey: ({ keyId }) => local("keys revoke", [keyId]),
};

function anchor({ answerId, sealed, claimNamespaces: claim }: Fields, blob: boolean): Command | undefined {
  return answerId === undefined ? undefined : command("anchor", [answerId], { blob, sealed: sealed === true, claim });
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
