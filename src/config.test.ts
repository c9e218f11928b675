import { describe, expect, test } from "vitest";
import { readConfig } from "./config.ts";

describe("the configuration", () => {
  test("has defaults for everything: loopback, SQLite, the mock blob store, the built-in model, the local ledger", () => {
    expect(readConfig({})).toEqual({
      host: "127.0.0.1",
      port: 3000,
      loopbackOnly: true,
      drainMs: 0,
      sharedWith: new Set(),
      transport: { trustedProxies: undefined, proxyHeaders: "x-forwarded", basePath: undefined, requiresTls: false },
      logLevel: "info",
      records: { kind: "sqlite", path: "data/portcullis.db" },
      indexFolder: "data/portcullis.db.index",
      indexBytes: expect.any(Number),
      blobs: { kind: "memory" },
      model: { kind: "extractive" },
      diskReserveBytes: 32 * 1024 * 1024,
      ledger: { kind: "local", keyPath: "data/portcullis.db.ledger-key" },
      identity: undefined,
      settings: {
        seed: "demo",
        allowReset: true,
        anchorSealed: false,
        keepQuestions: true,
        keepConversations: false,
        recallLimit: 12,
        requestsPerMinute: {},
        metricsTenants: new Set(),
        tenantRates: {},
      },
      transparencyLog: { delayMs: 60_000, anchorEveryMs: 3_600_000 },
      retention: { days: 0 },
      limits: { namespaces: 10_000, policyRules: 100_000, namespaceRules: 1_000 },
      webhookTargets: "public",
      promptCharacters: 24_000,
      embedding: "table",
    });
  });

  test("prunes only when it says where old records go first, or that they are discarded", () => {
    expect(() => readConfig({ RETAIN_DAYS: "30" })).toThrow("RETAIN_EXPORT");
    expect(readConfig({ RETAIN_DAYS: "30", RETAIN_EXPORT: "none" }).retention).toEqual({ days: 30 });
    const retention = { days: 30, exportFolder: "old" };
    expect(readConfig({ RETAIN_DAYS: "30", RETAIN_EXPORT: "old" }).retention).toEqual(retention);
  });

  test("takes the key of encrypted namespaces from one place, and former keys beside it", () => {
    const key = new Uint8Array(32).fill(171);
    const [ENCRYPTION_KEY, other] = ["ab".repeat(32), Buffer.from(key).toString("base64")];
    const encryptionOf = (variables: Record<string, string>) => readConfig(variables).encryption;
    expect(encryptionOf({})).toBeUndefined();
    expect(encryptionOf({ ENCRYPTION_KEY })).toEqual({ source: { kind: "value", key }, former: [] });
    expect(encryptionOf({ ENCRYPTION_KEY_FILE: "k", ENCRYPTION_KEY_FORMER: `${ENCRYPTION_KEY}, ${other}` })).toEqual({
      source: { kind: "file", path: "k" },
      former: [key, key],
    });
    expect(encryptionOf({ ENCRYPTION_KEY_COMMAND: "vault read" })?.source).toEqual({
      kind: "command",
      command: "vault read",
    });
    expect(() => encryptionOf({ ENCRYPTION_KEY, ENCRYPTION_KEY_FILE: "k" })).toThrow("Leave out all but one");
    expect(() => encryptionOf({ ENCRYPTION_KEY_FORMER: ENCRYPTION_KEY })).toThrow(
      "ENCRYPTION_KEY_FORMER is set and ENCRYPTION_KEY is not",
    );
    for (const wrong of ["hunter2", ENCRYPTION_KEY.slice(2)])
      expect(() => encryptionOf({ ENCRYPTION_KEY: wrong })).toThrow(
        /^ENCRYPTION_KEY must be 32 bytes as 64 hex digits or as base64\.$/,
      );
  });

  test("drains for ten seconds when others than this machine can reach it, unless told otherwise", () => {
    const drainOf = (variables: Record<string, string>) => readConfig(variables).drainMs;
    expect(drainOf({ AUTH: "keys" })).toBe(0);
    expect(drainOf({ TRUST_PROXY: "127.0.0.1" })).toBe(10_000);
    expect(drainOf({ HOST: "0.0.0.0", ALLOW_UNAUTHENTICATED: "true" })).toBe(10_000);
    expect(drainOf({ TRUST_PROXY: "127.0.0.1", DRAIN_MS: "0" })).toBe(0);
    expect(drainOf({ DRAIN_MS: "2500" })).toBe(2_500);
    expect(() => drainOf({ DRAIN_MS: "5s" })).toThrow("DRAIN_MS must be a whole number");
  });

  test("takes a base path that no proxy or page could mistake for another", () => {
    const pathOf = (BASE_PATH: string) => readConfig({ BASE_PATH }).transport.basePath;
    expect(["/memory", "/memory/", "/a/b.c_d~e-f/", "/"].map(pathOf)).toEqual([
      "/memory",
      "/memory",
      "/a/b.c_d~e-f",
      "",
    ]);
    for (const wrong of [
      "memory",
      "//memory",
      "/a//b",
      "/..",
      "/a/../b",
      "/a b",
      '/"x',
      "/a?b",
      "/%2e",
      "https://a.test/b",
    ])
      expect(() => pathOf(wrong), wrong).toThrow("BASE_PATH must be a path such as /memory");
    for (const ours of ["/api", "/v1", "/verify", "/memories", "/ledger/x", "/assets/"])
      expect(() => pathOf(ours), ours).toThrow("begins as paths of the service do");
  });

  test("shares with exact origins, and only when callers say who they are", () => {
    const sharedWith = (CORS_ORIGINS: string) => [...readConfig({ AUTH: "keys", CORS_ORIGINS }).sharedWith];
    expect(sharedWith("https://a.test, http://localhost:5173")).toEqual(["https://a.test", "http://localhost:5173"]);
    for (const wrong of [
      "*",
      "null",
      "a.test",
      "https://a.test/",
      "https://a.test:443",
      "https://A.test",
      "https://*.a.test",
      "https://a.test,",
      "ftp://a.test",
      "https://u@a.test",
    ])
      expect(() => sharedWith(wrong), wrong).toThrow("CORS_ORIGINS must be origins such as https://app.example");
    expect(() => readConfig({ CORS_ORIGINS: "https://a.test" })).toThrow("Set AUTH=keys or AUTH_ISSUER too.");
  });

  test("has limits that the seed always fits into", () => {
    const { limits } = readConfig({
      LIMIT_NAMESPACES: "100",
      LIMIT_POLICY_RULES: "200",
      LIMIT_NAMESPACE_RULES: "30",
    });
    expect(limits).toEqual({ namespaces: 100, policyRules: 200, namespaceRules: 30 });
    expect(() => readConfig({ LIMIT_NAMESPACES: "99" })).toThrow("LIMIT_NAMESPACES must be at least 100");
    expect(() => readConfig({ LIMIT_POLICY_RULES: "99" })).toThrow("LIMIT_POLICY_RULES must be at least 100");
  });

  test("limits callers when they have identities, unless a limit is set", () => {
    const limitsOf = (variables: Record<string, string>) => readConfig(variables).settings.requestsPerMinute;
    expect(limitsOf({ AUTH: "keys" })).toEqual({ answer: 600, write: 1_200, read: 3_000, verify: 120, "sign-in": 20 });
    expect(limitsOf({ LIMIT_ANSWERS_PER_MINUTE: "5" })).toEqual({ answer: 5 });
    const some = { AUTH: "keys", LIMIT_READS_PER_MINUTE: "0", LIMIT_WRITES_PER_MINUTE: "7" };
    expect(limitsOf(some)).toEqual({ answer: 600, write: 7, verify: 120, "sign-in": 20 });
    expect(() => limitsOf({ LIMIT_SIGN_INS_PER_MINUTE: "many" })).toThrow(
      "LIMIT_SIGN_INS_PER_MINUTE must be a whole number",
    );
  });

  test("keeps snapshots of the index beside an SQLite file, and otherwise where it is told to", () => {
    const folderOf = (variables: Record<string, string>) => readConfig(variables).indexFolder;
    expect(folderOf({ DATABASE_URL: "/var/lib/p.db" })).toBe("/var/lib/p.db.index");
    expect(folderOf({ DATABASE_URL: "/var/lib/p.db", INDEX_FOLDER: "/var/cache/p" })).toBe("/var/cache/p");
    expect(folderOf({ DATABASE_URL: "postgres://localhost/p" })).toBeUndefined();
    expect(folderOf({ DATABASE_URL: "postgres://localhost/p", INDEX_FOLDER: "/var/cache/p" })).toBe("/var/cache/p");
    expect(folderOf({ DATABASE_URL: ":memory:", INDEX_FOLDER: "/var/cache/p" })).toBeUndefined();
  });

  test("treats an empty variable as not set", () => {
    expect(readConfig({ PORT: "", HOST: " ", BLOBSTORE_PUBLISHER: "" })).toEqual(readConfig({}));
  });

  test("reads the variables that are set", () => {
    const config = readConfig({
      PORT: "0",
      DATABASE_URL: ":memory:",
      LOG_LEVEL: "silent",
      RECALL_LIMIT: "64",
      PROMPT_CHARACTERS: "8000",
      HOST: "::1",
    });
    expect(config).toMatchObject({
      port: 0,
      host: "::1",
      logLevel: "silent",
      settings: { recallLimit: 64 },
      promptCharacters: 8_000,
    });
    expect(config.records).toEqual({ kind: "sqlite", path: ":memory:" });
  });

  test("compares meanings with the table of word vectors, or with the sentence model", () => {
    expect(readConfig({ EMBEDDING: "table" }).embedding).toBe("table");
    expect(readConfig({ EMBEDDING: "minilm" }).embedding).toBe("minilm");
    expect(() => readConfig({ EMBEDDING: "https://example.org" })).toThrow("EMBEDDING must be table or minilm.");
  });

  test("listens beyond loopback only if ALLOW_UNAUTHENTICATED is true", () => {
    expect(() => readConfig({ HOST: "0.0.0.0" })).toThrow("ALLOW_UNAUTHENTICATED=true");
    expect(() => readConfig({ HOST: "127.0.0.1.example.com" })).toThrow("ALLOW_UNAUTHENTICATED=true");
    expect(readConfig({ HOST: "0.0.0.0", ALLOW_UNAUTHENTICATED: "true" }).loopbackOnly).toBe(false);
  });

  describe("with identities", () => {
    const keys = { AUTH: "keys" };
    const tls = { TLS_CERT: "cert.pem", TLS_KEY: "key.pem" };

    test("listens beyond loopback only with TLS, its own or a proxy's", () => {
      expect(() => readConfig({ ...keys, HOST: "0.0.0.0" })).toThrow("TLS_CERT and TLS_KEY, or TRUST_PROXY");
      expect(readConfig({ ...keys, ...tls, HOST: "0.0.0.0" })).toMatchObject({
        loopbackOnly: false,
        tls: { cert: "cert.pem", key: "key.pem" },
        transport: { requiresTls: true },
      });
      const proxied = readConfig({ ...keys, HOST: "0.0.0.0", TRUST_PROXY: "10.0.0.0/8, ::1" });
      expect(proxied).toMatchObject({
        loopbackOnly: false,
        transport: { trustedProxies: ["10.0.0.0/8", "::1"], requiresTls: true },
      });
    });

    test("answers to any Host on loopback only when a proxy or TLS is configured", () => {
      expect(readConfig(keys)).toMatchObject({ loopbackOnly: true, transport: { requiresTls: false } });
      expect(readConfig({ ...keys, TRUST_PROXY: "127.0.0.1" })).toMatchObject({
        loopbackOnly: false,
        transport: { requiresTls: true },
      });
    });

    test("refuses half of TLS, wrong proxies, and a service that would be open all the same", () => {
      expect(() => readConfig({ ...keys, TLS_CERT: "c" })).toThrow("TLS_CERT is set and TLS_KEY is not");
      expect(() => readConfig({ ...keys, TLS_KEY: "k" })).toThrow("TLS_KEY is set and TLS_CERT is not");
      for (const TRUST_PROXY of ["proxy.test", "10.0.0.0/33", "::/129", "10.0.0.1,,", "*"])
        expect(() => readConfig({ ...keys, TRUST_PROXY })).toThrow("TRUST_PROXY must be addresses or CIDR blocks");
      expect(() => readConfig({ ...keys, ALLOW_UNAUTHENTICATED: "true" })).toThrow("contradict each other");
    });

    test("has no reset unless it is allowed, and the demo in the default file only", () => {
      expect(readConfig(keys).settings).toMatchObject({ allowReset: false, seed: "demo" });
      expect(readConfig({ ...keys, DATABASE_URL: "mine.db" }).settings.seed).toBe("none");
      const allowed = { ALLOW_RESET: "true", SEED: "demo", DATABASE_URL: "mine.db" };
      expect(readConfig({ ...keys, ...allowed }).settings).toMatchObject({ allowReset: true, seed: "demo" });
    });
  });

  test("never puts the demo into a PostgreSQL by itself", () => {
    expect(readConfig({ DATABASE_URL: "postgres://localhost/p" }).settings.seed).toBe("none");
    expect(readConfig({ DATABASE_URL: "postgres://localhost/p", SEED: "demo" }).settings.seed).toBe("demo");
    expect(readConfig({ DATABASE_URL: "mine.db" }).settings.seed).toBe("demo");
  });

  test("is in mock mode if SERVICE_MODE says so, whatever the URLs are", () => {
    const urls = { BLOBSTORE_PUBLISHER: "https://p.test", BLOBSTORE_AGGREGATOR: "https://a.test" };
    expect(readConfig({ SERVICE_MODE: "mock", ...urls }).blobs).toEqual({ kind: "memory" });
  });

  test("uses Walrus if both URLs are set, with several aggregators in their order", () => {
    const urls = { BLOBSTORE_PUBLISHER: "https://p.test", BLOBSTORE_AGGREGATOR: "https://a.test, https://b.test," };
    const walrus = { kind: "walrus", publisher: "https://p.test", aggregators: ["https://a.test", "https://b.test"] };
    const epochMs = 24 * 3_600_000;
    expect(readConfig(urls).blobs).toEqual({ ...walrus, epochs: 5, epochMs, permanent: false });
    expect(readConfig({ ...urls, BLOBSTORE_RENEW_HOURS: "24" }).renewEveryHours).toBe(24);
    const more = { BLOBSTORE_EPOCHS: "53", BLOBSTORE_TOKEN: "jwt", BLOBSTORE_PERMANENT: "true" };
    expect(readConfig({ ...urls, ...more }).blobs).toEqual({
      ...walrus,
      epochs: 53,
      epochMs,
      permanent: true,
      token: "jwt",
    });
  });

  test("takes the length of an epoch from the network, unless it is set", () => {
    const urls = { BLOBSTORE_PUBLISHER: "https://p.test", BLOBSTORE_AGGREGATOR: "https://a.test" };
    const sui = {
      SUI_NETWORK: "mainnet",
      SUI_KEYSTORE: "/k",
      SUI_PACKAGE_ID: `0x${"1".repeat(64)}`,
      SUI_GATE_ID: `0x${"2".repeat(64)}`,
    };
    const daysOf = (more: Record<string, string>) => {
      const { blobs } = readConfig({ ...urls, ...more });
      return blobs.kind === "walrus" && blobs.epochMs / 86_400_000;
    };
    expect(daysOf(sui)).toBe(14);
    expect(daysOf({ ...sui, SUI_NETWORK: "testnet" })).toBe(1);
    expect(daysOf({ ...sui, BLOBSTORE_EPOCH_HOURS: "48" })).toBe(2);
  });

  test("uses a language model if its address and name are set", () => {
    const model = { MODEL_BASE_URL: "http://127.0.0.1:11434/v1", MODEL_NAME: "llama" };
    const endpoint = { baseUrl: model.MODEL_BASE_URL, model: "llama" };
    const expected = { kind: "openai-compatible", ...endpoint, timeoutMs: 60_000 };
    expect(readConfig(model).model).toEqual({ ...expected, allowed: [{ ...endpoint, name: "llama" }] });
    const more = readConfig({ ...model, MODEL_API_KEY: " key ", MODEL_TIMEOUT_MS: "1000" }).model;
    const allowed = [{ ...endpoint, name: "llama", apiKey: "key" }];
    expect(more).toEqual({ ...expected, apiKey: "key", timeoutMs: 1_000, allowed });
  });

  test("gives callers of the gateway the models that are allowed, each at the provider of its prefix", () => {
    const first = { MODEL_BASE_URL: "http://127.0.0.1:11434/v1", MODEL_NAME: "llama", MODEL_API_KEY: "a" };
    const providers = {
      MODEL_PROVIDERS: "groq=https://groq.test/v1, own=http://own.test/v1?",
      MODEL_PROVIDER_KEYS: "groq=b=c",
    };
    expect(() => readConfig({ ...first, ...providers })).toThrow(/MODEL_PROVIDERS must be URLs by prefix/);
    const sound = {
      ...first,
      ...providers,
      MODEL_PROVIDERS: "groq=https://groq.test/v1",
      MODEL_ALLOW: "llama, groq/x/1,y/2",
    };
    expect(readConfig(sound).model).toMatchObject({
      allowed: [
        { name: "llama", model: "llama", baseUrl: first.MODEL_BASE_URL, apiKey: "a" },
        { name: "groq/x/1", model: "x/1", baseUrl: "https://groq.test/v1", apiKey: "b=c" },
        { name: "y/2", model: "y/2", baseUrl: first.MODEL_BASE_URL, apiKey: "a" },
      ],
    });
    expect(() => readConfig({ MODEL_ALLOW: "llama" })).toThrow(/set MODEL_BASE_URL and MODEL_NAME/);
  });

  const ID = `0x${"ab".repeat(32)}`;
  const SUI = { SUI_NETWORK: "testnet", SUI_KEYSTORE: "sui.keystore", SUI_PACKAGE_ID: ID, SUI_GATE_ID: ID };

  test("anchors on Sui if all of its variables are set", () => {
    expect(readConfig(SUI).ledger).toEqual({
      kind: "sui",
      network: "testnet",
      url: "https://fullnode.testnet.sui.io:443",
      keystore: "sui.keystore",
      packageId: ID,
      gateId: ID,
    });
    const own = readConfig({ ...SUI, SUI_NETWORK: "localnet", SUI_URL: "http://127.0.0.1:1", SUI_ADDRESS: ID });
    expect(own.ledger).toMatchObject({ url: "http://127.0.0.1:1", address: ID });
  });

  test("takes keys, tokens, both, or nobody's word", () => {
    const tokens = { AUTH_ISSUER: "https://id.test/realm", AUTH_AUDIENCE: "portcullis" };
    const names = ["role", "agent", "namespaces", "tenant"];
    const claims = Object.fromEntries(names.map((name) => [name, `portcullis_${name}`]));
    const expected = { issuer: "https://id.test/realm", audience: "portcullis", claims };
    expect(readConfig({}).identity).toBeUndefined();
    expect(readConfig({ AUTH: "none" }).identity).toBeUndefined();
    expect(readConfig({ AUTH: "keys" }).identity).toEqual({ keys: true });
    expect(readConfig(tokens).identity).toEqual({ keys: false, tokens: expected });
    expect(readConfig({ ...tokens, AUTH: "keys" }).identity).toEqual({ keys: true, tokens: expected });
    const own = {
      AUTH_JWKS_URL: "http://127.0.0.1:1/k",
      AUTH_ROLE_CLAIM: "r",
      AUTH_AGENT_CLAIM: "a",
      AUTH_NAMESPACES_CLAIM: "n",
      AUTH_TENANT_CLAIM: "t",
    };
    expect(readConfig({ ...tokens, ...own }).identity?.tokens).toEqual({
      ...expected,
      jwksUrl: "http://127.0.0.1:1/k",
      claims: { role: "r", agent: "a", namespaces: "n", tenant: "t" },
    });
  });

  test("keeps no key on disk if the database is in memory", () => {
    expect(readConfig({ DATABASE_URL: ":memory:" }).ledger).toEqual({ kind: "local" });
  });

  test.each([
    [{ SUI_NETWORK: "testnet" }, "set SUI_KEYSTORE and SUI_PACKAGE_ID and SUI_GATE_ID too"],
    [{ ...SUI, SUI_GATE_ID: undefined }, "set SUI_GATE_ID too"],
    [{ ...SUI, SUI_NETWORK: "moonnet" }, "SUI_NETWORK must be one of"],
    [{ ...SUI, SUI_PACKAGE_ID: "0x1" }, "SUI_PACKAGE_ID must be 0x and 64 hex digits"],
    [{ ...SUI, SUI_URL: "ftp://x" }, "SUI_URL must be"],
    [{ BLOBSTORE_PUBLISHER: "https://p.test" }, "BLOBSTORE_AGGREGATOR is not"],
    [{ BLOBSTORE_AGGREGATOR: "https://a.test" }, "BLOBSTORE_PUBLISHER is not"],
    [{ BLOBSTORE_TOKEN: "jwt" }, "BLOBSTORE_PUBLISHER is not"],
    [{ SUI_URL: "https://node.test" }, "set SUI_NETWORK and SUI_KEYSTORE"],
    [{ MODEL_NAME: "llama" }, "set MODEL_BASE_URL and MODEL_NAME"],
    [{ MODEL_BASE_URL: "http://u:p@127.0.0.1/v1", MODEL_NAME: "m" }, "set MODEL_API_KEY instead"],
    [{ MODEL_BASE_URL: "file:///v1", MODEL_NAME: "m" }, "MODEL_BASE_URL must be a URL"],
    [{ BLOBSTORE_EPOCHS: "54" }, "BLOBSTORE_EPOCHS must be at most 53"],
    [{ BLOBSTORE_PERMANENT: "yes" }, "BLOBSTORE_PERMANENT must be true or false"],
    [{ PORT: "http" }, "PORT must be a whole number"],
    [{ PORT: "65536" }, "PORT must be at most 65535"],
    [{ RECALL_LIMIT: "0" }, "RECALL_LIMIT must be at least 1"],
    [{ PROMPT_CHARACTERS: "3999" }, "PROMPT_CHARACTERS must be at least 4000"],
    [{ SERVICE_MODE: "production" }, "SERVICE_MODE can only be mock"],
    [{ ALLOW_UNAUTHENTICATED: "yes" }, "ALLOW_UNAUTHENTICATED must be true or false"],
    [{ DATABASE_URL: "mysql://x" }, "DATABASE_URL must be"],
    [{ AUTH: "yes" }, "AUTH must be none or keys"],
    [{ AUTH: "none", AUTH_ISSUER: "https://id.test", AUTH_AUDIENCE: "p" }, "AUTH=none and AUTH_ISSUER contradict"],
    [{ AUTH_ISSUER: "https://id.test" }, "AUTH_AUDIENCE is not"],
    [{ AUTH_AUDIENCE: "p" }, "AUTH_AUDIENCE is set and AUTH_ISSUER is not"],
    [{ AUTH_JWKS_URL: "https://id.test/keys" }, "AUTH_JWKS_URL is set and AUTH_ISSUER is not"],
    [{ AUTH_ISSUER: "http://id.test", AUTH_AUDIENCE: "p" }, "AUTH_ISSUER must be an https URL"],
    [
      { AUTH_ISSUER: "https://id.test", AUTH_AUDIENCE: "p", AUTH_JWKS_URL: "http://id.test/keys" },
      "AUTH_JWKS_URL must be an https URL",
    ],
    [
      { AUTH_ISSUER: "https://id.test", AUTH_AUDIENCE: "p", AUTH_ROLE_CLAIM: "x", AUTH_AGENT_CLAIM: "x" },
      "must name different claims",
    ],
  ])("refuses %j and says what to set", (environment, sentence) => {
    expect(() => readConfig(environment)).toThrow(expect.objectContaining({ code: "configuration" }));
    expect(() => readConfig(environment)).toThrow(sentence);
  });
});
