// The only reader of the environment. What contradicts itself stops the start with a sentence that says what to set.
import { existsSync } from "node:fs";
import { dirname, join } from "node:path";
import { z } from "zod";
import { PortcullisError } from "./core/errors.ts";
import { RECALL_LIMIT } from "./core/gate/gate.ts";

export interface Config {
  readonly host: string;
  readonly port: number;
  /** Serve only requests whose Host names this machine: so without authentication, unless told otherwise. */
  readonly loopbackOnly: boolean;
  readonly logLevel: "debug" | "info" | "warn" | "error" | "silent";
  readonly records: RecordsConfig;
  readonly blobs: BlobsConfig;
  readonly model: ModelConfig;
  readonly ledger: LedgerConfig;
  readonly recallLimit: number;
  /** How often blobs are stored again so that they are not forgotten; absent when somebody else sees to it. */
  readonly renewEveryHours?: number;
}

type RecordsConfig =
  | { readonly kind: "sqlite"; readonly path: string }
  /** With the password, if it has one. */
  | { readonly kind: "postgres"; readonly url: string };

type BlobsConfig =
  | { readonly kind: "memory" }
  | {
      readonly kind: "walrus";
      readonly publisher: string;
      /** Asked in this order. */
      readonly aggregators: readonly string[];
      readonly epochs: number;
      readonly permanent: boolean;
      readonly token?: string;
    };

type ModelConfig =
  | { readonly kind: "extractive" }
  | {
      readonly kind: "openai-compatible";
      readonly baseUrl: string;
      readonly model: string;
      readonly apiKey?: string;
      readonly timeoutMs: number;
    };

type LedgerConfig =
  /** The key is kept in this file, beside the database; without one, it is kept in the records. */
  | { readonly kind: "local"; readonly keyPath?: string }
  | {
      readonly kind: "sui";
      readonly network: SuiNetwork;
      readonly url: string;
      readonly keystore: string;
      readonly address?: string;
      readonly packageId: string;
      readonly gateId: string;
    };

export const SUI_NETWORKS = ["mainnet", "testnet", "devnet", "localnet"] as const;
export type SuiNetwork = (typeof SUI_NETWORKS)[number];

const number = (min: number, max: number, standard: number) =>
  z
    .string()
    .regex(/^\d+$/, "must be a whole number")
    .transform(Number)
    .pipe(z.number().min(min, `must be at least ${min}`).max(max, `must be at most ${max}`))
    .default(standard);

const objectId = z.string().regex(/^0x[0-9a-f]{64}$/, "must be 0x and 64 hex digits");

const modelUrl = z
  .url({ protocol: /^https?$/, error: "must be a URL such as http://127.0.0.1:11434/v1" })
  .refine((url) => !/[?#@]/.test(url), "must have no credentials, query or fragment; set MODEL_API_KEY instead");

const variables = z.object({
  HOST: z.string().default("127.0.0.1"),
  PORT: number(0, 65_535, 3_000),
  ALLOW_UNAUTHENTICATED: z.enum(["true", "false"], "must be true or false").default("false"),
  LOG_LEVEL: z.enum(["debug", "info", "warn", "error", "silent"]).default("info"),
  DATABASE_URL: z.string().default("data/portcullis.db"),
  SERVICE_MODE: z.literal("mock", "can only be mock, or be left out").optional(),
  BLOBSTORE_PUBLISHER: z.string().optional(),
  BLOBSTORE_AGGREGATOR: z.string().optional(),
  // A Walrus store takes at most 53 epochs.
  BLOBSTORE_EPOCHS: number(1, 53, 5),
  BLOBSTORE_TOKEN: z.string().optional(),
  BLOBSTORE_PERMANENT: z.enum(["true", "false"], "must be true or false").default("false"),
  BLOBSTORE_RENEW_HOURS: number(0, 24 * 365, 0),
  MODEL_BASE_URL: modelUrl.optional(),
  MODEL_NAME: z.string().trim().optional(),
  MODEL_API_KEY: z
    .string()
    .trim()
    .regex(/^[\x21-\x7e]+$/, "must be one word of ASCII")
    .optional(),
  MODEL_TIMEOUT_MS: number(100, 600_000, 60_000),
  RECALL_LIMIT: number(1, 64, RECALL_LIMIT),
  SUI_NETWORK: z.enum(SUI_NETWORKS, `must be one of ${SUI_NETWORKS.join(", ")}`).optional(),
  SUI_URL: z.url({ protocol: /^https?$/, error: "must be the URL of a full node" }).optional(),
  SUI_KEYSTORE: z.string().optional(),
  SUI_ADDRESS: objectId.optional(),
  SUI_PACKAGE_ID: objectId.optional(),
  SUI_GATE_ID: objectId.optional(),
});

type Variables = z.infer<typeof variables>;

/** The process's environment, with what the file `.env` adds to it. What is set outside wins. */
export function readEnvironment(): Readonly<Record<string, string | undefined>> {
  if (existsSync(".env")) process.loadEnvFile(".env");
  return process.env;
}

export function readConfig(environment: Readonly<Record<string, string | undefined>>): Config {
  const given = Object.entries(environment).filter(([, value]) => value !== undefined && value.trim() !== "");
  const { data, error } = variables.safeParse(Object.fromEntries(given));
  if (data === undefined)
    throw refusal(error.issues.map(({ path, message }) => `${path.join()} ${message}.`).join(" "));
  return {
    host: data.HOST,
    port: data.PORT,
    loopbackOnly: loopbackOnly(data),
    logLevel: data.LOG_LEVEL,
    records: recordsOf(data),
    blobs: blobsOf(data),
    model: modelOf(data),
    ledger: ledgerOf(data),
    recallLimit: data.RECALL_LIMIT,
    ...(data.BLOBSTORE_RENEW_HOURS > 0 && { renewEveryHours: data.BLOBSTORE_RENEW_HOURS }),
  };
}

const LOOPBACK = /^(?:localhost|127(?:\.\d{1,3}){3}|::1)$/;

function loopbackOnly({ HOST, ALLOW_UNAUTHENTICATED }: Variables): boolean {
  if (ALLOW_UNAUTHENTICATED === "true") return false;
  if (LOOPBACK.test(HOST)) return true;
  throw refusal(
    `HOST=${HOST} would open an unauthenticated service to the network. Leave HOST out, or set ALLOW_UNAUTHENTICATED=true if something else guards it.`,
  );
}

function recordsOf({ DATABASE_URL }: Variables): Config["records"] {
  if (/^postgres(?:ql)?:\/\//i.test(DATABASE_URL)) return { kind: "postgres", url: DATABASE_URL };
  if (!/^[a-z][\w+.-]+:\/\//i.test(DATABASE_URL)) return { kind: "sqlite", path: DATABASE_URL };
  throw refusal(
    "DATABASE_URL must be the path of an SQLite file, :memory:, or postgres://user:password@host/database.",
  );
}

function blobsOf(data: Variables): BlobsConfig {
  const {
    SERVICE_MODE,
    BLOBSTORE_PUBLISHER: publisher,
    BLOBSTORE_AGGREGATOR: aggregator,
    BLOBSTORE_TOKEN: token,
  } = data;
  if (SERVICE_MODE === "mock") return { kind: "memory" };
  if (publisher === undefined && aggregator === undefined && token !== undefined) {
    throw refusal(
      "BLOBSTORE_TOKEN is set and BLOBSTORE_PUBLISHER is not. Set BLOBSTORE_PUBLISHER and BLOBSTORE_AGGREGATOR.",
    );
  }
  if (publisher === undefined && aggregator === undefined) return { kind: "memory" };
  if (publisher === undefined || aggregator === undefined) {
    const [set, missing] = publisher === undefined ? ["AGGREGATOR", "PUBLISHER"] : ["PUBLISHER", "AGGREGATOR"];
    throw refusal(`BLOBSTORE_${set} is set and BLOBSTORE_${missing} is not. Set both, or neither.`);
  }
  const aggregators = aggregator.split(",").map((url) => url.trim());
  return {
    kind: "walrus",
    publisher,
    aggregators: aggregators.filter((url) => url !== ""),
    epochs: data.BLOBSTORE_EPOCHS,
    permanent: data.BLOBSTORE_PERMANENT === "true",
    ...(token !== undefined && { token }),
  };
}

function modelOf({ MODEL_BASE_URL, MODEL_NAME, MODEL_API_KEY, MODEL_TIMEOUT_MS }: Variables): ModelConfig {
  if (MODEL_BASE_URL === undefined && MODEL_NAME === undefined && MODEL_API_KEY === undefined) {
    return { kind: "extractive" };
  }
  if (MODEL_BASE_URL === undefined || MODEL_NAME === undefined) {
    throw refusal(
      "To use a language model, set MODEL_BASE_URL and MODEL_NAME. For the built-in one, set none of MODEL_*.",
    );
  }
  return {
    kind: "openai-compatible",
    baseUrl: MODEL_BASE_URL,
    model: MODEL_NAME,
    timeoutMs: MODEL_TIMEOUT_MS,
    ...(MODEL_API_KEY !== undefined && { apiKey: MODEL_API_KEY }),
  };
}

function ledgerOf(data: Variables): LedgerConfig {
  const { SUI_NETWORK, SUI_KEYSTORE, SUI_PACKAGE_ID, SUI_GATE_ID } = data;
  const needed = { SUI_NETWORK, SUI_KEYSTORE, SUI_PACKAGE_ID, SUI_GATE_ID };
  const missing = Object.entries(needed).flatMap(([name, value]) => (value === undefined ? [name] : []));
  const isAlone = data.SUI_URL === undefined && data.SUI_ADDRESS === undefined;
  if (missing.length === Object.keys(needed).length && isAlone) return localLedger(data);
  if (!SUI_NETWORK || !SUI_KEYSTORE || !SUI_PACKAGE_ID || !SUI_GATE_ID) {
    throw refusal(`To anchor on Sui, set ${missing.join(" and ")} too. To use the local ledger, set none of SUI_*.`);
  }
  return {
    kind: "sui",
    network: SUI_NETWORK,
    url: data.SUI_URL ?? fullNode(SUI_NETWORK),
    keystore: SUI_KEYSTORE,
    ...(data.SUI_ADDRESS !== undefined && { address: data.SUI_ADDRESS }),
    packageId: SUI_PACKAGE_ID,
    gateId: SUI_GATE_ID,
  };
}

export function fullNode(network: SuiNetwork): string {
  return network === "localnet" ? "http://127.0.0.1:9000" : `https://fullnode.${network}.sui.io:443`;
}

/** Beside an SQLite file lies the key; otherwise it is kept with the records. */
function localLedger(data: Variables): LedgerConfig {
  const records = recordsOf(data);
  return records.kind === "postgres" || records.path === ":memory:"
    ? { kind: "local" }
    : { kind: "local", keyPath: join(dirname(records.path), "ledger.key") };
}

function refusal(sentence: string): PortcullisError {
  return new PortcullisError("configuration", sentence);
}
