// The configuration, built from environment variables. Variables that contradict each other stop the start with a
// sentence that says what to set.
import { readFileSync } from "node:fs";
import { PAGES } from "./contract/page-paths.ts";
import { configurationError } from "./core/errors.ts";
import { isTrustworthyUrl } from "./core/identity/issuer-url.ts";
import { parseWitnessPolicy } from "./core/log/witness-policy.ts";
import type { RequestsPerMinute } from "./core/route-class.ts";
import { isPostgresUrl } from "./database-url.ts";
import type { Environment, SuiNetwork, Variables } from "./environment.ts";
import { cutAt, DEFAULT_DATABASE, parseVariables } from "./environment.ts";

export type Config = Readonly<ReturnType<typeof readConfig>>;

export function readConfig(environment: Environment) {
  const data = parseVariables(environment);
  return {
    host: data.HOST,
    port: data.PORT,
    ...networkOf(data),
    sharedWith: sharedWithOf(data),
    logLevel: data.LOG_LEVEL,
    records: recordsOf(data),
    ...indexFolderOf(data),
    indexBytes: data.INDEX_MEMORY * 1024 * 1024,
    /** How much room of the disk is kept for revokes, and for the end of what began. */
    diskReserveBytes: data.DISK_RESERVE_MB * 1024 * 1024,
    retention: retentionOf(data),
    /** 0: any number. */
    limits: {
      ...(data.LIMIT_MEMORIES > 0 && { memories: data.LIMIT_MEMORIES }),
      ...(data.LIMIT_TEXT_BYTES > 0 && { textBytes: data.LIMIT_TEXT_BYTES }),
      ...(data.LIMIT_RECEIPTS > 0 && { receipts: data.LIMIT_RECEIPTS }),
      namespaces: data.LIMIT_NAMESPACES,
      policyRules: data.LIMIT_POLICY_RULES,
      namespaceRules: data.LIMIT_NAMESPACE_RULES,
    },
    blobs: blobsOf(data),
    model: modelOf(data),
    ledger: ledgerOf(data),
    /** Where the key of encrypted namespaces is; absent without one. */
    ...encryptionOf(data),
    identity: identityOf(data),
    /** What services decide by. */
    settings: {
      seed: seedOf(data),
      allowReset: data.ALLOW_RESET === undefined ? identityOf(data) === undefined : data.ALLOW_RESET === "true",
      anchorSealed: data.ANCHOR_SEALED === "true",
      keepQuestions: data.KEEP_QUESTIONS === undefined ? isDemoFile(data) : data.KEEP_QUESTIONS === "true",
      keepConversations: data.KEEP_CONVERSATIONS === "true",
      recallLimit: data.RECALL_LIMIT,
      requestsPerMinute: requestsPerMinuteOf(data),
      metricsTenants: new Set(data.METRICS_TENANTS),
      tenantRates: {
        ...(data.LIMIT_TENANT_ANSWERS_PER_MINUTE && { answersPerMinute: data.LIMIT_TENANT_ANSWERS_PER_MINUTE }),
        ...(data.LIMIT_TENANT_WRITES_PER_MINUTE && { writesPerMinute: data.LIMIT_TENANT_WRITES_PER_MINUTE }),
      },
    },
    transparencyLog: {
      ...(data.LOG_ORIGIN !== undefined && { origin: data.LOG_ORIGIN }),
      ...(data.LOG_WITNESSES !== undefined && { witnesses: witnessesIn(data.LOG_WITNESSES) }),
      delayMs: data.LOG_DELAY * 1_000,
      anchorEveryMs: data.LOG_ANCHOR_INTERVAL * 1_000,
    },
    webhookTargets: data.WEBHOOK_TARGETS,
    promptCharacters: data.PROMPT_CHARACTERS,
    /** What compares meanings besides the table of word vectors: nothing, or the sentence model. */
    embedding: data.EMBEDDING,
    /** How often the service stores blobs again before their leases end; absent when it does not. */
    ...(data.BLOBSTORE_RENEW_HOURS > 0 && { renewEveryHours: data.BLOBSTORE_RENEW_HOURS }),
  };
}

/** The policy itself, or the file that has it. */
function witnessesIn(given: string): string {
  try {
    const text = /^\s*quorum\s/m.test(given) ? given : readFileSync(given, "utf8");
    const { witnesses } = parseWitnessPolicy(text);
    const wrong = [...witnesses.values()].some(({ url = "" }) => url !== "" && !isTrustworthyUrl(url));
    if (wrong) throw new Error("The URL of a witness must be https, or of this machine, without credentials.");
    return text;
  } catch (error) {
    throw configurationError(
      `LOG_WITNESSES is no policy of witnesses, and no file with one. ${(error as Error).message}`,
    );
  }
}

/** HAProxy needs three failed checks, two seconds apart, to take a server out. */
const DRAIN_MS = 10_000;

const firstSegment = (path: string): string => path.split("/")[1] ?? "";

const OWN_PATHS = new Set([".well-known", "api", "log", "v1", "assets", "livez", "readyz", "metrics"]);
for (const { path } of Object.values(PAGES)) if (path !== "/") OWN_PATHS.add(firstSegment(path));

const LOOPBACK = /^(?:localhost|127(?:\.\d{1,3}){3}|::1)$/;

function networkOf(data: Variables) {
  const { HOST, TLS_CERT, TLS_KEY, TRUST_PROXY: trustedProxies, PROXY_HEADERS: proxyHeaders } = data;
  if ((TLS_CERT === undefined) !== (TLS_KEY === undefined)) {
    const [set, missing] = TLS_CERT === undefined ? ["KEY", "CERT"] : ["CERT", "KEY"];
    throw configurationError(`TLS_${set} is set and TLS_${missing} is not. Set both, or neither.`);
  }
  const isOnLoopback = LOOPBACK.test(HOST);
  const hasIdentities = identityOf(data) !== undefined;
  const isOpen = data.ALLOW_UNAUTHENTICATED === "true";
  if (hasIdentities && isOpen)
    throw configurationError("ALLOW_UNAUTHENTICATED and AUTH contradict each other. Leave out one of them.");
  if (!hasIdentities && !isOpen && !isOnLoopback)
    throw configurationError(
      `HOST=${HOST} would open an unauthenticated service to the network. Set AUTH=keys to have callers say who they are, or leave HOST out, or set ALLOW_UNAUTHENTICATED=true if something else guards it.`,
    );
  if (hasIdentities && !isOnLoopback && TLS_CERT === undefined && trustedProxies === undefined)
    throw configurationError(
      `HOST=${HOST} would send keys over the network in the clear. Set TLS_CERT and TLS_KEY, or TRUST_PROXY to the addresses of a proxy that has TLS.`,
    );
  const loopbackOnly = isOnLoopback && !isOpen && trustedProxies === undefined && TLS_CERT === undefined;
  return {
    /** Serve only requests whose Host names this machine. */
    loopbackOnly,
    /** How long SIGTERM lets the service serve on, so that a balancer notices that it is not ready any more. */
    drainMs: data.DRAIN_MS ?? (loopbackOnly ? 0 : DRAIN_MS),
    /** The paths of certificate and key; absent without TLS. */
    ...(TLS_CERT !== undefined && TLS_KEY !== undefined && { tls: { cert: TLS_CERT, key: TLS_KEY } }),
    transport: {
      trustedProxies,
      proxyHeaders,
      basePath: basePathIn(data),
      requiresTls: hasIdentities && !(isOnLoopback && trustedProxies === undefined),
    },
  };
}

/** A proxy may take the base path away, so no path of ours may begin with it. */
function basePathIn({ BASE_PATH: basePath }: Variables): string | undefined {
  if (basePath === undefined || !OWN_PATHS.has(firstSegment(basePath))) return basePath;
  throw configurationError(`BASE_PATH=${basePath} begins as paths of the service do. Choose another one.`);
}

/** Origins whose pages bring a key or a token of their own. */
function sharedWithOf(data: Variables): ReadonlySet<string> {
  if (data.CORS_ORIGINS !== undefined && identityOf(data) === undefined)
    throw configurationError(
      "CORS_ORIGINS would let pages elsewhere call a service that asks nobody who they are. Set AUTH=keys or AUTH_ISSUER too.",
    );
  return new Set(data.CORS_ORIGINS);
}

/** What `npm start` alone serves: the demo, in the file that nobody named. */
const isDemoFile = (data: Variables): boolean =>
  data.DATABASE_URL === DEFAULT_DATABASE && identityOf(data) === undefined && seedOf(data) === "demo";

/** The demo comes where somebody tries the service out: never by itself into a database that was set up for real use. */
function seedOf(data: Variables): "demo" | "none" {
  if (data.SEED !== undefined) return data.SEED;
  if (recordsOf(data).kind === "postgres") return "none";
  const isDefaultFile = data.DATABASE_URL === DEFAULT_DATABASE;
  return identityOf(data) === undefined || isDefaultFile ? "demo" : "none";
}

function recordsOf({ DATABASE_URL, BACKUP_BEFORE_UPGRADE }: Variables) {
  if (isPostgresUrl(DATABASE_URL)) return { kind: "postgres" as const, url: DATABASE_URL };
  const keepsCopy = BACKUP_BEFORE_UPGRADE === "true";
  return { kind: "sqlite" as const, path: DATABASE_URL, ...(!keepsCopy && { keepsCopy }) };
}

/** Where snapshots of the recall index are kept: beside an SQLite file, or in a folder that is named. */
function indexFolderOf(data: Variables): { indexFolder?: string } {
  const records = recordsOf(data);
  if (records.kind === "sqlite" && records.path === ":memory:") return {};
  if (data.INDEX_FOLDER !== undefined) return { indexFolder: data.INDEX_FOLDER };
  return records.kind === "sqlite" ? { indexFolder: `${records.path}.index` } : {};
}

/** How long receipts and decisions are kept, and where they are exported before they are pruned. */
function retentionOf({ RETAIN_DAYS, RETAIN_EXPORT }: Variables) {
  if (RETAIN_DAYS > 0 && RETAIN_EXPORT === undefined)
    throw configurationError(
      "RETAIN_DAYS is set and RETAIN_EXPORT is not. Set RETAIN_EXPORT to the folder that old receipts and decisions are written to before they are removed, or to none to discard them.",
    );
  return {
    /** 0: for ever. */
    days: RETAIN_DAYS,
    ...(RETAIN_EXPORT !== undefined && RETAIN_EXPORT !== "none" && { exportFolder: RETAIN_EXPORT }),
  };
}

/** Where the key that encrypts comes from, and the keys that only decrypt. */
function encryptionOf(data: Variables) {
  const {
    ENCRYPTION_KEY: key,
    ENCRYPTION_KEY_FILE: path,
    ENCRYPTION_KEY_COMMAND: command,
    ENCRYPTION_KEY_FORMER: former = [],
  } = data;
  const sources = [
    key && { kind: "value" as const, key },
    path !== undefined && { kind: "file" as const, path },
    command !== undefined && { kind: "command" as const, command },
  ].filter((source) => source !== undefined && source !== false);
  const [source] = sources;
  if (sources.length > 1)
    throw configurationError(
      "ENCRYPTION_KEY, ENCRYPTION_KEY_FILE and ENCRYPTION_KEY_COMMAND contradict each other. Leave out all but one of them.",
    );
  if (source !== undefined) return { encryption: { source, former: former.filter((key) => key !== undefined) } };
  if (former.length > 0)
    throw configurationError(
      "ENCRYPTION_KEY_FORMER is set and ENCRYPTION_KEY is not. Set ENCRYPTION_KEY, ENCRYPTION_KEY_FILE or ENCRYPTION_KEY_COMMAND to the key of today.",
    );
  return {};
}

function blobsOf(data: Variables) {
  const { BLOBSTORE_PUBLISHER: publisher, BLOBSTORE_AGGREGATOR: aggregator, BLOBSTORE_TOKEN: token } = data;
  if (data.SERVICE_MODE === "mock") return { kind: "memory" as const };
  if (publisher === undefined && aggregator === undefined && token !== undefined) {
    throw configurationError(
      "BLOBSTORE_TOKEN is set and BLOBSTORE_PUBLISHER is not. Set BLOBSTORE_PUBLISHER and BLOBSTORE_AGGREGATOR.",
    );
  }
  if (publisher === undefined && aggregator === undefined) return { kind: "memory" as const };
  if (publisher === undefined || aggregator === undefined) {
    const [set, missing] = publisher === undefined ? ["AGGREGATOR", "PUBLISHER"] : ["PUBLISHER", "AGGREGATOR"];
    throw configurationError(`BLOBSTORE_${set} is set and BLOBSTORE_${missing} is not. Set both, or neither.`);
  }
  const aggregators = aggregator.split(",").map((url) => url.trim());
  return {
    kind: "walrus" as const,
    publisher,
    /** Tried in this order. */
    aggregators: aggregators.filter((url) => url !== ""),
    epochs: data.BLOBSTORE_EPOCHS,
    epochMs: (data.BLOBSTORE_EPOCH_HOURS || (data.SUI_NETWORK === "mainnet" ? 14 * 24 : 24)) * 3_600_000,
    permanent: data.BLOBSTORE_PERMANENT === "true",
    ...(token !== undefined && { token }),
  };
}

function modelOf(data: Variables) {
  const { MODEL_BASE_URL, MODEL_NAME, MODEL_API_KEY, MODEL_TIMEOUT_MS } = data;
  const { MODEL_ALLOW, MODEL_PROVIDERS, MODEL_PROVIDER_KEYS } = data;
  const set = [MODEL_BASE_URL, MODEL_NAME, MODEL_API_KEY, MODEL_ALLOW, MODEL_PROVIDERS, MODEL_PROVIDER_KEYS];
  if (set.every((value) => value === undefined)) return { kind: "extractive" as const };
  if (MODEL_BASE_URL === undefined || MODEL_NAME === undefined) {
    throw configurationError(
      "To use a language model, set MODEL_BASE_URL and MODEL_NAME. For the built-in one, set none of MODEL_*.",
    );
  }
  const key = MODEL_API_KEY !== undefined && { apiKey: MODEL_API_KEY };
  const main = { baseUrl: MODEL_BASE_URL, ...key };
  return {
    kind: "openai-compatible" as const,
    ...main,
    model: MODEL_NAME,
    timeoutMs: MODEL_TIMEOUT_MS,
    allowed: [...new Set(MODEL_ALLOW ?? [MODEL_NAME])].map((name) => allowedModel(name, main, data)),
  };
}

/** Of `prefix/model`, the provider of that prefix knows the model. A name without such a prefix is the first provider's. */
function allowedModel(
  name: string,
  main: { readonly baseUrl: string; readonly apiKey?: string },
  { MODEL_PROVIDERS: providers, MODEL_PROVIDER_KEYS: keys }: Variables,
) {
  const [prefix, model] = cutAt(name, "/");
  const baseUrl = providers?.get(prefix);
  if (baseUrl === undefined) return { ...main, name, model: name };
  const apiKey = keys?.get(prefix);
  return { name, model, baseUrl, ...(apiKey !== undefined && { apiKey }) };
}

function ledgerOf(data: Variables) {
  const { SUI_NETWORK, SUI_KEYSTORE, SUI_PACKAGE_ID, SUI_GATE_ID } = data;
  const needed = { SUI_NETWORK, SUI_KEYSTORE, SUI_PACKAGE_ID, SUI_GATE_ID };
  const missing = Object.entries(needed).flatMap(([name, value]) => (value === undefined ? [name] : []));
  const others = [data.SUI_URL, data.SUI_ADDRESS];
  const isAlone = others.every((value) => value === undefined);
  if (missing.length === Object.keys(needed).length && isAlone) return localLedger(data);
  if (!SUI_NETWORK || !SUI_KEYSTORE || !SUI_PACKAGE_ID || !SUI_GATE_ID) {
    throw configurationError(
      `To anchor on Sui, set ${missing.join(" and ")} too. To use the local ledger, set none of SUI_*.`,
    );
  }
  return {
    kind: "sui" as const,
    network: SUI_NETWORK,
    url: data.SUI_URL ?? fullNode(SUI_NETWORK),
    keystore: SUI_KEYSTORE,
    ...(data.SUI_ADDRESS !== undefined && { address: data.SUI_ADDRESS }),
    packageId: SUI_PACKAGE_ID,
    gateId: SUI_GATE_ID,
    ...namesOf(data),
  };
}

/** What names the gate must have; absent when it may have either. */
const namesOf = ({ LEDGER_NAMES: names }: Variables) => ({ ...(names !== undefined && { names }) });

/** How callers say who they are; undefined when nobody has to. */
function identityOf(data: Variables) {
  const { AUTH, AUTH_ISSUER: issuer, AUTH_AUDIENCE: audience, AUTH_JWKS_URL: jwksUrl } = data;
  if (AUTH === "none" && issuer !== undefined)
    throw configurationError("AUTH=none and AUTH_ISSUER contradict each other. Leave out one of them.");
  if (issuer === undefined && (audience !== undefined || jwksUrl !== undefined)) {
    const set = audience === undefined ? "AUTH_JWKS_URL" : "AUTH_AUDIENCE";
    throw configurationError(`${set} is set and AUTH_ISSUER is not. To take tokens, set AUTH_ISSUER too.`);
  }
  if (issuer !== undefined && audience === undefined)
    throw configurationError(
      "AUTH_ISSUER is set and AUTH_AUDIENCE is not. Set it to what the issuer's tokens for this service have as `aud`.",
    );
  const keys = AUTH === "keys";
  if (issuer === undefined || audience === undefined) return keys ? { keys } : undefined;
  const { AUTH_ROLE_CLAIM: role, AUTH_AGENT_CLAIM: agent, AUTH_NAMESPACES_CLAIM: namespaces } = data;
  const claims = { role, agent, namespaces, tenant: data.AUTH_TENANT_CLAIM };
  if (new Set(Object.values(claims)).size < Object.keys(claims).length)
    throw configurationError(
      "AUTH_ROLE_CLAIM, AUTH_AGENT_CLAIM, AUTH_NAMESPACES_CLAIM and AUTH_TENANT_CLAIM must name different claims.",
    );
  return { keys, tokens: { issuer, audience, ...(jwksUrl !== undefined && { jwksUrl }), claims } };
}

/** With identities the service may be on a network, and every caller is limited. */
function requestsPerMinuteOf(data: Variables): RequestsPerMinute {
  const hasIdentities = identityOf(data) !== undefined;
  const limit = (set: number | undefined, standard: number) => set ?? (hasIdentities ? standard : 0);
  const limits = {
    answer: limit(data.LIMIT_ANSWERS_PER_MINUTE, 600),
    write: limit(data.LIMIT_WRITES_PER_MINUTE, 1_200),
    read: limit(data.LIMIT_READS_PER_MINUTE, 3_000),
    verify: limit(data.LIMIT_VERIFICATIONS_PER_MINUTE, 120),
    "sign-in": limit(data.LIMIT_SIGN_INS_PER_MINUTE, 20),
  };
  return Object.fromEntries(Object.entries(limits).filter(([, points]) => points > 0));
}

export function fullNode(network: SuiNetwork): string {
  return network === "localnet" ? "http://127.0.0.1:9000" : `https://fullnode.${network}.sui.io:443`;
}

/** `keyPath` is the file that holds the key, beside the database; absent when the key is kept in the records. */
function localLedger(data: Variables) {
  const records = recordsOf(data);
  const isFile = records.kind === "sqlite" && records.path !== ":memory:";
  const files = isFile && { keyPath: `${records.path}.ledger-key` };
  const isReadOnly = data.LOCAL_LEDGER === "read-only";
  return { kind: "local" as const, ...files, ...namesOf(data), ...(isReadOnly && { isReadOnly }) };
}
