// Settings that hold secrets are mistyped in the ways that people mistype them. The process says which setting is wrong,
// and nothing of the secret reaches standard output, standard error or the name of a file.
import { execFile } from "node:child_process";
import { randomBytes } from "node:crypto";
import { chmodSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { inspect } from "node:util";
import { Ed25519Keypair } from "@mysten/sui/keypairs/ed25519";
import { describe, expect, test } from "vitest";
import { composeParts } from "#compose.ts";
import { readConfig } from "#config.ts";
import { COMMAND_MAIN, SERVICE_MAIN } from "#test/support/built-service.ts";
import { COMPILE_CACHE } from "#test/support/compile-cache.ts";
import { freshDatabase } from "#test/support/postgres/databases.ts";
import { send as get } from "#test/support/send.ts";
import { directoryForTest } from "#test/support/service.ts";
import { serviceProcessForTest } from "#test/support/service-process.ts";

const PASSWORD = "CanaryPassword7";
const SECRET = randomBytes(32);
const EXPORTED = Ed25519Keypair.fromSecretKey(SECRET).getSecretKey();
const BASE64 = Buffer.concat([Buffer.of(0), SECRET]).toString("base64");
const HEX = SECRET.toString("hex");
const PEM = `-----BEGIN PRIVATE KEY-----\n${BASE64}\n-----END PRIVATE KEY-----\n`;
const CANARIES = [PASSWORD, EXPORTED, BASE64, HEX].flatMap((secret) => [secret, secret.slice(11, 25)]);

type Variables = Readonly<Record<string, string>>;
type Mistake = readonly [variables: Variables, says: RegExp];

const sui = (SUI_KEYSTORE: string): Variables => ({
  SUI_NETWORK: "testnet",
  SUI_KEYSTORE,
  SUI_PACKAGE_ID: `0x${"1".repeat(64)}`,
  SUI_GATE_ID: `0x${"2".repeat(64)}`,
});
const walrus = (BLOBSTORE_PUBLISHER: string, more: Variables = {}): Variables => ({
  BLOBSTORE_PUBLISHER,
  BLOBSTORE_AGGREGATOR: "http://127.0.0.1:1",
  ...more,
});
const model = { MODEL_BASE_URL: "http://127.0.0.1:1/v1", MODEL_NAME: "m" };

const DATABASES = [
  `postgres:u:${PASSWORD}@127.0.0.1/db`,
  `postgres:/u:${PASSWORD}@127.0.0.1/db`,
  `postgresql:/u:${PASSWORD}@127.0.0.1/db`,
  `postgres//u:${PASSWORD}@127.0.0.1/db`,
  `postgres;//u:${PASSWORD}@127.0.0.1/db`,
  `psql://u:${PASSWORD}@127.0.0.1/db`,
  `pg://u:${PASSWORD}@127.0.0.1/db`,
  `mysql://u:${PASSWORD}@127.0.0.1`,
  `jdbc:postgresql://127.0.0.1/db?user=u&password=${PASSWORD}`,
  `"postgres://u:${PASSWORD}@127.0.0.1/db"`,
  ` postgres://u:${PASSWORD}@127.0.0.1/db`,
  `DATABASE_URL=postgres://u:${PASSWORD}@127.0.0.1/db`,
  `u:${PASSWORD}@127.0.0.1/db`,
  `//u:${PASSWORD}@127.0.0.1/db`,
  `host=127.0.0.1 user=u password=${PASSWORD}`,
  `postgres://u:${PASSWORD}/x@127.0.0.1/db`,
  `postgres://u:${PASSWORD}#x@127.0.0.1/db`,
  `postgres://u:${PASSWORD}%@127.0.0.1/db`,
  `postgres://u:1/${PASSWORD}@127.0.0.1/db`,
];
const KEYSTORES = [
  BASE64,
  HEX,
  `0x${HEX}`,
  JSON.stringify([BASE64]),
  EXPORTED.slice(0, -1),
  ` ${EXPORTED}x`,
  `"${EXPORTED}"`,
  `suiprivkey${EXPORTED}`,
  `${BASE64}${"A".repeat(5_000)}`,
  PEM,
];
const MISTAKES: readonly Mistake[] = [
  ...DATABASES.map((DATABASE_URL): Mistake => [{ DATABASE_URL }, /: DATABASE_URL (must be|is not a valid)/]),
  ...KEYSTORES.map((keystore): Mistake => [sui(keystore), /: SUI_KEYSTORE (names no file|begins like)/]),
  [{ ...sui(EXPORTED), SUI_URL: `https://u:${PASSWORD}@127.0.0.1` }, /SUI_URL must have no credentials/],
  [{ ...sui(EXPORTED), SUI_URL: `https//u:${PASSWORD}@127.0.0.1` }, /SUI_URL must be/],
  [{ ...sui(EXPORTED), SUI_ADDRESS: EXPORTED }, /SUI_ADDRESS must be/],
  [{ ...model, MODEL_API_KEY: `${PASSWORD} ${PASSWORD}` }, /MODEL_API_KEY must be/],
  [{ ...model, MODEL_API_KEY: `${PASSWORD}é` }, /MODEL_API_KEY must be/],
  [{ MODEL_API_KEY: PASSWORD }, /set MODEL_BASE_URL/],
  [{ ...model, MODEL_BASE_URL: `http://u:${PASSWORD}@127.0.0.1/v1` }, /MODEL_BASE_URL must have no credentials/],
  [{ ...model, MODEL_BASE_URL: `http://127.0.0.1/v1?key=${PASSWORD}` }, /MODEL_BASE_URL must have no/],
  [{ ...model, MODEL_BASE_URL: PASSWORD }, /MODEL_BASE_URL must be/],
  [{ ...model, MODEL_TIMEOUT_MS: PASSWORD }, /MODEL_TIMEOUT_MS must be/],
  [{ BLOBSTORE_TOKEN: PASSWORD }, /Set BLOBSTORE_PUBLISHER/],
  [walrus("http://127.0.0.1:1", { BLOBSTORE_TOKEN: `${PASSWORD}\nx` }), /token/],
  [walrus(`htp://u:${PASSWORD}@127.0.0.1`), /publisher's URL/],
  [walrus(`u:${PASSWORD}@127.0.0.1`), /publisher's URL/],
  [walrus(`https://u:${PASSWORD}%@127.0.0.1`), /not percent-encoded/],
  [walrus(`https://u:${PASSWORD}@127.0.0.1`, { BLOBSTORE_TOKEN: PASSWORD }), /credentials in its URL and a token/],
  [walrus(`https://127.0.0.1/?token=${PASSWORD}`), /publisher's URL/],
  [walrus("http://127.0.0.1:1", { BLOBSTORE_AGGREGATOR: `//u:${PASSWORD}@127.0.0.1` }), /aggregator's URL/],
  [{ AUTH: PASSWORD }, /AUTH must be/],
  [{ AUTH_ISSUER: `https://u:${PASSWORD}@127.0.0.1`, AUTH_AUDIENCE: "a" }, /AUTH_ISSUER must be/],
  [{ AUTH_ISSUER: PASSWORD, AUTH_AUDIENCE: "a" }, /AUTH_ISSUER must be/],
  [{ AUTH_JWKS_URL: `https://u:${PASSWORD}@127.0.0.1` }, /AUTH_JWKS_URL must be/],
  [{ TLS_KEY: PEM }, /TLS_CERT is not/],
  [{ ENCRYPTION_KEY: BASE64 }, /ENCRYPTION_KEY must be/],
  [{ ENCRYPTION_KEY: ` "${HEX}"` }, /ENCRYPTION_KEY must be/],
  [{ ENCRYPTION_KEY: HEX, ENCRYPTION_KEY_FORMER: `${HEX};${HEX}` }, /ENCRYPTION_KEY_FORMER must be/],
  [{ ENCRYPTION_KEY_FORMER: HEX }, /ENCRYPTION_KEY is not/],
  [{ ENCRYPTION_KEY_FILE: HEX }, /ENCRYPTION_KEY_FILE names no file/],
  [{ ENCRYPTION_KEY_COMMAND: HEX }, /ENCRYPTION_KEY_COMMAND names no program/],
];

interface Ended {
  readonly code: unknown;
  readonly text: string;
}

function run(cwd: string, args: readonly string[], variables: Variables): Promise<Ended> {
  const env = { ...COMPILE_CACHE, PORT: "0", DATABASE_URL: ":memory:", ...variables };
  return new Promise((resolve) => {
    execFile(process.execPath, [...args], { cwd, env }, (error, out, err) =>
      resolve({ code: error?.code ?? 0, text: `${out}${err}` }),
    );
  });
}

function expectNoCanary(text: string): void {
  for (const canary of CANARIES) expect(text.toLowerCase()).not.toContain(canary.toLowerCase());
}

/** The error of a start with these settings, with everything that an inspection shows of it. */
async function refusalOf(variables: Variables): Promise<{ readonly message: string; readonly inspected: string }> {
  try {
    const tenant = await composeParts(readConfig({ DATABASE_URL: ":memory:", ...variables }));
    await tenant.records.close();
  } catch (error) {
    return { message: String(error), inspected: inspect(error, { depth: 9, showHidden: true }) };
  }
  return { message: "", inspected: "" };
}

describe("a mistyped setting", () => {
  test.each(MISTAKES)(
    "is refused with a sentence that names it and does not quote it (%#)",
    async (variables, says) => {
      const { message, inspected } = await refusalOf(variables);
      expect(message).toMatch(says);
      expectNoCanary(inspected);
    },
  );

  test("stops the process, and nothing of it is printed or becomes a file", async () => {
    const folder = await directoryForTest();
    // One that is wrong, one that names no file, and one that is longer than the name of a file may be.
    const mistakes = [
      { DATABASE_URL: DATABASES[0] ?? "" },
      sui(KEYSTORES[3] ?? ""),
      { TLS_KEY: PEM.repeat(100), TLS_CERT: SERVICE_MAIN },
    ];
    for (const variables of mistakes) {
      const { code, text } = await run(folder, [SERVICE_MAIN], variables);
      expectNoCanary(text);
      expect(text).toMatch(/^portcullis: (DATABASE_URL|SUI_KEYSTORE|TLS_KEY) .*\n$/m);
      expect(code).toBe(1);
    }
    expect(readdirSync(folder, { recursive: true })).toEqual([]);
  });

  test("is not printed by a command either", async () => {
    const folder = await directoryForTest();
    const databases = DATABASES.slice(0, 1).map((DATABASE_URL): Variables => ({ DATABASE_URL }));
    const keystores = KEYSTORES.slice(0, 1).map(sui);
    const commands = [
      ...databases.map((variables) => [[COMMAND_MAIN, "keys", "list"], variables] as const),
      ...keystores.map((variables) => [[COMMAND_MAIN, "fsck"], { ...variables, DATABASE_URL: "p.db" }] as const),
    ];
    writeFileSync(join(folder, "p.db"), "");
    for (const [args, variables] of commands) expectNoCanary((await run(folder, args, variables)).text);
    expectNoCanary(readdirSync(folder, { recursive: true }).join("\n"));
  });
});

describe("what PostgreSQL refuses", () => {
  test("is reported without the user and the password, which may be in each other's place", async () => {
    const folder = await directoryForTest();
    const { url, drop } = await freshDatabase();
    const at = (change: (url: URL) => void) => {
      const changed = new URL(url);
      change(changed);
      return changed.href;
    };
    const wrong: [change: (url: URL) => void, says: RegExp][] = [
      [(each) => Object.assign(each, { username: PASSWORD }), /cannot be opened. PostgreSQL refuses the user/],
      [(each) => Object.assign(each, { pathname: `/${PASSWORD}` }), /cannot be opened. PostgreSQL has no database/],
      [(each) => Object.assign(each, { hostname: "no-such-host.invalid", password: PASSWORD }), /cannot be opened/],
      [(each) => Object.assign(each, { port: "1", password: PASSWORD }), /does not answer/],
    ];
    for (const [change, says] of wrong) {
      const { message, inspected } = await refusalOf({ DATABASE_URL: at(change) });
      expect(message).toMatch(says);
      expectNoCanary(inspected);
    }
    const DATABASE_URL = at((each) => Object.assign(each, { username: PASSWORD }));
    for (const args of [[SERVICE_MAIN], [COMMAND_MAIN, "keys", "list"]]) {
      const { code, text } = await run(folder, args, { DATABASE_URL });
      expect(text).toContain("PostgreSQL refuses the user");
      expectNoCanary(text);
      expect(code).toBe(1);
    }
    await drop();
  });
});

test("credentials that are right are in no line of the log, and not in what the service says about itself", async () => {
  const folder = await directoryForTest();
  const aggregator = `http://u:${PASSWORD}@127.0.0.1:1`;
  const environment = {
    PORT: "0",
    SEED: "none",
    DATABASE_URL: ":memory:",
    ...walrus(`http://u:${PASSWORD}@127.0.0.1:1`, { BLOBSTORE_AGGREGATOR: aggregator }),
    ...sui(EXPORTED),
    SUI_URL: "http://127.0.0.1:1",
    ...model,
    MODEL_API_KEY: PASSWORD,
    LOG_LEVEL: "debug",
  };
  const service = serviceProcessForTest(folder, environment);
  const url = await service.ready();
  const paths = ["/readyz", "/api/service", "/api/ledger", "/api/overview", "/"];
  for (const path of paths) expectNoCanary((await get(`${url}${path}`)).text);
  await service.kill("SIGTERM");
  expectNoCanary(service.out() + service.err());
});

test.runIf(process.platform !== "win32")("a file .env with secrets that others can read is a warning", async () => {
  const folder = await directoryForTest();
  writeFileSync(
    join(folder, ".env"),
    `MODEL_API_KEY=${PASSWORD}\nMODEL_BASE_URL=http://127.0.0.1:1/v1\nMODEL_NAME=m\n`,
  );
  const environment = { PORT: "0", DATABASE_URL: ":memory:" };
  chmodSync(join(folder, ".env"), 0o644);
  const exposed = serviceProcessForTest(folder, environment);
  await exposed.logged("the file .env holds secrets, and others can read it; run: chmod 600 .env");
  await exposed.ready();
  expectNoCanary(exposed.out());
  chmodSync(join(folder, ".env"), 0o600);
  const closed = serviceProcessForTest(folder, environment);
  await closed.ready();
  expect(closed.out()).not.toContain(".env");
});
