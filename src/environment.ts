// The environment: the only file that reads it. Checks each variable on its own; config.ts checks them together.
import { existsSync, readFileSync, statSync } from "node:fs";
import { isIP } from "node:net";
import { totalmem } from "node:os";
import { resolve } from "node:path";
import { z } from "zod";
import { basePathOf } from "./core/base-path.ts";
import { parseEncryptionKey } from "./core/encrypted-blob.ts";
import { configurationError } from "./core/errors.ts";
import { MAX_RECALL_LIMIT, RECALL_LIMIT } from "./core/gate/gate.ts";
import { isTrustworthyUrl } from "./core/identity/issuer-url.ts";
import { TENANT_ID } from "./core/identity/tenant.ts";
import { isKeyName } from "./core/log/signed-note.ts";
import { PROMPT_CHARACTERS } from "./core/prompt/prompt.ts";
import { LONGEST_MODEL_CALL_MS } from "./core/receipt/chain-receipt.ts";
import { faultOfDatabaseUrl } from "./database-url.ts";

export type Environment = Readonly<Record<string, string | undefined>>;
export type Variables = z.infer<typeof variables>;

export const DEFAULT_DATABASE = "data/portcullis.db";

export const SUI_NETWORKS = ["mainnet", "testnet", "devnet", "localnet"] as const;
export type SuiNetwork = (typeof SUI_NETWORKS)[number];

const PROXY_HEADERS = ["x-forwarded", "forwarded"] as const;

const wholeNumber = (min: number, max: number) =>
  z
    .string()
    .regex(/^\d+$/, "must be a whole number")
    .transform(Number)
    .pipe(z.number().min(min, `must be at least ${min}`).max(max, `must be at most ${max}`));

const number = (min: number, max: number, standard: number) => wholeNumber(min, max).default(standard);

/** Of records. 0 turns a limit off. */
const mostRecords = number(0, 10 ** 15, 0);
/** 0 turns a limit off. Its default depends on the identities. */
const perMinute = wholeNumber(0, 1_000_000_000).optional();

const flag = z.enum(["true", "false"], "must be true or false");
const off = flag.default("false");

/** `10.0.0.0/8`, `::1`, and the like. */
function isAddressBlock(block: string): boolean {
  const [address = "", bits] = block.split("/");
  const family = isIP(address);
  return family !== 0 && (bits === undefined || (/^\d{1,3}$/.test(bits) && Number(bits) <= (family === 4 ? 32 : 128)));
}

/** Written as a browser writes it: a scheme and a host in lower case, without a path, a star or the scheme's own port. */
const isWebOrigin = (origin: string): boolean => /^https?:[^*]*$/.test(origin) && URL.parse(origin)?.origin === origin;

const listOf = (text: string): string[] => text.split(",").map((part) => part.trim());

const listWhere = (isItem: (text: string) => boolean, fault: string) =>
  z
    .string()
    .transform(listOf)
    .refine((items) => items.every(isItem), `must be ${fault}, separated by commas`)
    .optional();

const objectId = z.string().regex(/^0x[0-9a-f]{64}$/, "must be 0x and 64 hex digits");

const modelUrl = z
  .url({ protocol: /^https?$/, error: "must be a URL such as http://127.0.0.1:11434/v1" })
  .refine((url) => !/[?#@]/.test(url), "must have no credentials, query or fragment; set MODEL_API_KEY instead");

const modelKey = z.string().regex(/^[\x21-\x7e]+$/, "must be one word of ASCII");

/** `groq=<value>,local=<value>`: a value for each prefix. */
const byPrefix = (value: z.ZodType<string>, error: string) =>
  z
    .string()
    .transform((text) => new Map(listOf(text).map((pair) => cutAt(pair, "="))))
    .refine((pairs) => [...pairs].every(([prefix, given]) => prefix !== "" && value.safeParse(given).success), error);

/** Before and after the first separator; nothing before it if there is none. */
export function cutAt(text: string, separator: string): readonly [string, string] {
  const at = text.indexOf(separator);
  return at < 0 ? ["", text] : [text.slice(0, at), text.slice(at + 1)];
}

const trustworthyUrl = z
  .string()
  .refine(isTrustworthyUrl, "must be an https URL, or an http URL of this machine, without credentials");

const claim = (standard: string) => z.string().trim().max(200, "must have at most 200 characters").default(standard);

const A_KEY = "32 bytes as 64 hex digits or as base64";

function refineDatabaseUrl(text: string, { addIssue }: z.RefinementCtx): void {
  const message = faultOfDatabaseUrl(text);
  if (message !== undefined) addIssue({ code: "custom", message });
}

const variables = z.object({
  HOST: z.string().default("127.0.0.1"),
  PORT: number(0, 65_535, 3_000),
  ALLOW_UNAUTHENTICATED: off,
  ALLOW_RESET: flag.optional(),
  SEED: z.enum(["demo", "none"], "must be demo or none").optional(),
  TLS_CERT: z.string().optional(),
  TLS_KEY: z.string().optional(),
  TRUST_PROXY: listWhere(isAddressBlock, "addresses or CIDR blocks"),
  PROXY_HEADERS: z.enum(PROXY_HEADERS, `must be ${PROXY_HEADERS.join(" or ")}`).default("x-forwarded"),
  BASE_PATH: z
    .string()
    .transform(basePathOf)
    .refine((path) => path !== undefined, "must be a path such as /memory, of letters, digits and . _ ~ -")
    .optional(),
  CORS_ORIGINS: listWhere(isWebOrigin, "origins such as https://app.example"),
  DRAIN_MS: wholeNumber(0, 600_000).optional(),
  LOG_LEVEL: z.enum(["debug", "info", "warn", "error", "silent"]).default("info"),
  DATABASE_URL: z.string().superRefine(refineDatabaseUrl).default(DEFAULT_DATABASE),
  INDEX_FOLDER: z.string().optional(),
  INDEX_MEMORY: number(16, 1_000_000, Math.trunc(totalmem() / 2 ** 22)),
  DISK_RESERVE_MB: number(0, 1_000_000, 32),
  BACKUP_BEFORE_UPGRADE: flag.default("true"),
  // A hundred years is longer than anybody's records.
  RETAIN_DAYS: number(0, 36_500, 0),
  RETAIN_EXPORT: z.string().trim().optional(),
  ENCRYPTION_KEY: z
    .string()
    .transform((text) => parseEncryptionKey(text.trim()))
    .refine((key) => key !== undefined, `must be ${A_KEY}`)
    .optional(),
  ENCRYPTION_KEY_FILE: z.string().optional(),
  ENCRYPTION_KEY_COMMAND: z.string().trim().optional(),
  ENCRYPTION_KEY_FORMER: z
    .string()
    .transform((list) => list.split(",").map((text) => parseEncryptionKey(text.trim())))
    .refine((keys) => keys.every((key) => key !== undefined), `must be keys of ${A_KEY}, separated by commas`)
    .optional(),
  SERVICE_MODE: z.literal("mock", "can only be mock, or be left out").optional(),
  BLOBSTORE_PUBLISHER: z.string().optional(),
  BLOBSTORE_AGGREGATOR: z.string().optional(),
  // Walrus stores a blob for at most 53 epochs.
  BLOBSTORE_EPOCHS: number(1, 53, 5),
  // By default as long as on the network that SUI_NETWORK names.
  BLOBSTORE_EPOCH_HOURS: number(0, 24 * 365, 0),
  BLOBSTORE_TOKEN: z.string().optional(),
  BLOBSTORE_PERMANENT: off,
  BLOBSTORE_RENEW_HOURS: number(0, 24 * 365, 0),
  MODEL_BASE_URL: modelUrl.optional(),
  MODEL_NAME: z.string().trim().optional(),
  MODEL_API_KEY: z.string().trim().pipe(modelKey).optional(),
  MODEL_ALLOW: z.string().transform(listOf).optional(),
  MODEL_PROVIDERS: byPrefix(modelUrl, "must be URLs by prefix, such as groq=https://api.groq.com/openai/v1").optional(),
  MODEL_PROVIDER_KEYS: byPrefix(modelKey, "must be keys by prefix of MODEL_PROVIDERS, such as groq=gsk1234").optional(),
  MODEL_TIMEOUT_MS: number(100, LONGEST_MODEL_CALL_MS, 60_000),
  RECALL_LIMIT: number(1, MAX_RECALL_LIMIT, RECALL_LIMIT),
  // The least holds the instructions, a question and a few memories.
  PROMPT_CHARACTERS: number(4_000, 4_000_000, PROMPT_CHARACTERS),
  EMBEDDING: z.enum(["table", "minilm"], "must be table or minilm").default("table"),
  METRICS_TENANTS: z
    .string()
    .transform(listOf)
    .refine(
      (ids) => ids.length <= 100 && ids.every((id) => TENANT_ID.test(id)),
      "must be up to 100 ids of tenants, separated by commas",
    )
    .optional(),
  LIMIT_MEMORIES: mostRecords,
  LIMIT_TEXT_BYTES: mostRecords,
  LIMIT_RECEIPTS: mostRecords,
  LIMIT_NAMESPACES: number(100, 1_000_000, 10_000),
  LIMIT_POLICY_RULES: number(100, 10_000_000, 100_000),
  LIMIT_NAMESPACE_RULES: number(1, 10_000_000, 1_000),
  LIMIT_ANSWERS_PER_MINUTE: perMinute,
  LIMIT_WRITES_PER_MINUTE: perMinute,
  LIMIT_READS_PER_MINUTE: perMinute,
  LIMIT_VERIFICATIONS_PER_MINUTE: perMinute,
  LIMIT_SIGN_INS_PER_MINUTE: perMinute,
  LIMIT_TENANT_ANSWERS_PER_MINUTE: perMinute,
  LIMIT_TENANT_WRITES_PER_MINUTE: perMinute,
  AUTH: z.enum(["none", "keys"], "must be none or keys").optional(),
  AUTH_ISSUER: trustworthyUrl.optional(),
  AUTH_AUDIENCE: z.string().trim().max(500, "must have at most 500 characters").optional(),
  AUTH_JWKS_URL: trustworthyUrl.optional(),
  AUTH_ROLE_CLAIM: claim("portcullis_role"),
  AUTH_AGENT_CLAIM: claim("portcullis_agent"),
  AUTH_NAMESPACES_CLAIM: claim("portcullis_namespaces"),
  AUTH_TENANT_CLAIM: claim("portcullis_tenant"),
  ANCHOR_SEALED: off,
  KEEP_QUESTIONS: flag.optional(),
  KEEP_CONVERSATIONS: off,
  LOG_ORIGIN: z
    .string()
    .max(200, "must have at most 200 characters")
    .refine(isKeyName, "must be a URL without its scheme, such as memory.example/log, without spaces and +")
    .optional(),
  LOG_DELAY: number(1, 86_400, 60),
  LOG_ANCHOR_INTERVAL: number(0, 31_536_000, 3_600),
  LOG_WITNESSES: z.string().max(100_000, "is too long").optional(),
  WEBHOOK_TARGETS: z.enum(["public", "any"], "must be public or any").default("public"),
  LEDGER_NAMES: z.enum(["plain", "pseudonyms"], "must be plain or pseudonyms").optional(),
  LOCAL_LEDGER: z.literal("read-only", "can only be read-only, or be left out").optional(),
  SUI_NETWORK: z.enum(SUI_NETWORKS, `must be one of ${SUI_NETWORKS.join(", ")}`).optional(),
  SUI_URL: z
    .url({ protocol: /^https?$/, error: "must be the URL of a full node" })
    .refine((url) => URL.parse(url)?.username === "" && URL.parse(url)?.password === "", "must have no credentials")
    .optional(),
  SUI_KEYSTORE: z.string().optional(),
  SUI_ADDRESS: objectId.optional(),
  SUI_PACKAGE_ID: objectId.optional(),
  SUI_GATE_ID: objectId.optional(),
});

/** Whether `.env` holds a secret and others than its owner may read it. */
export function isEnvFileExposed(): boolean {
  const stats = statSync(".env", { throwIfNoEntry: false });
  if (stats === undefined || process.platform === "win32" || (stats.mode & 0o044) === 0) return false;
  return /^\s*(?:MODEL_API_KEY|MODEL_PROVIDER_KEYS|BLOBSTORE_TOKEN|ENCRYPTION_KEY|ENCRYPTION_KEY_FORMER)\s*=\s*\S|suiprivkey1|:\/\/[^\s/]*:[^\s/]*@/m.test(
    readFileSync(".env", "utf8"),
  );
}

export const VARIABLE_NAMES: readonly string[] = Object.keys(variables.shape);

/** The environment of the process, with the file `.env` added. A variable that is set outside the file wins. */
export function readEnvironment(): Environment {
  try {
    if (existsSync(".env")) process.loadEnvFile(".env");
  } catch (cause) {
    const sentence = `The file ${resolve(".env")} must be a file that this user can read. Change its owner or its mode, or move it away.`;
    throw configurationError(sentence, cause);
  }
  return process.env;
}

/** Variables with their defaults. An empty variable counts as not set. */
export function parseVariables(environment: Environment): Variables {
  const set = Object.entries(environment).filter(([, value]) => value !== undefined && value.trim() !== "");
  const { data, error } = variables.safeParse(Object.fromEntries(set));
  if (data !== undefined) return data;
  const sentences = error.issues.map(({ path, message }) => `${path.join()} ${message}.`);
  throw configurationError(sentences.join(" "));
}
