// What the app shows as code does what the app does: a shell and a program hand on exactly what was typed.
import { execFileSync } from "node:child_process";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { parseCommand } from "#cli/parse-command.ts";
import { paths, type RouteName } from "#contract/paths.ts";
import { codePoint } from "#test/support/code-point.ts";
import type { Call, Target } from "#web/code/call.ts";
import { clientCall, curlCommand } from "#web/code/call.ts";
import { commandLine } from "#web/code/command-line.ts";

const TARGET: Target = { baseUrl: "https://memory.example/base", hasIdentities: true };

/** What names and texts may be, and what a shell might take for more than that. */
const hostile = fc
  .oneof(
    fc.constantFrom(
      "'; touch /tmp/owned; '",
      '"$(id)"',
      "`id`",
      "$HOME",
      "\\",
      "'\\''",
      "-rf",
      "--",
      "!!",
      "*",
      "~",
      "a\nb",
      "# no comment",
      "\u202egnp.exe",
      "__proto__",
      "%00",
      "{a,b}",
      "[a-z]",
      "@/etc/passwd",
    ),
    fc.string({ minLength: 1, maxLength: 40, unit: "grapheme" }),
    fc.string({ minLength: 1, maxLength: 40, unit: codePoint }),
  )
  .filter((text) => text.isWellFormed() && !text.includes("\0"));

/** Browsers, curl and servers take these for steps in a path. */
const isNoStep = (text: string): boolean => text !== "." && text !== "..";

/** The words that a POSIX shell makes of a command, each as the command gets it. */
function shellWords(command: string, name: string): string[] {
  const script = `${name}() { for word in "$@"; do printf '%s\\0' "$word"; done; }\n${command}\n`;
  const output = execFileSync("sh", ["-s"], { input: script, env: { PORTCULLIS_KEY: "the key" } });
  return output.toString("utf8").split("\0").slice(0, -1);
}

describe("as curl", () => {
  test("a POSIX shell hands the URL, the key and the body on as they are", () => {
    fc.assert(
      fc.property(hostile.filter(isNoStep), hostile, (name, description) => {
        const words = shellWords(
          curlCommand({ route: "putNamespace", params: { name }, body: { description } }, TARGET),
          "curl",
        );
        const [method, methodName, url = "", ...rest] = words;
        expect([method, methodName]).toEqual(["-X", "PUT"]);
        expect(url).toBe(`${TARGET.baseUrl}/api/namespaces/${encodeURIComponent(name)}`);
        expect(rest.slice(0, 4)).toEqual([
          "-H",
          "authorization: Bearer the key",
          "-H",
          "content-type: application/json",
        ]);
        expect(rest[4]).toBe("-d");
        expect(JSON.parse(rest[5] ?? "")).toEqual({ description });
      }),
      { numRuns: 60 },
    );
  });

  test("a name that is a step in a path leads to no other operation", () => {
    const forgetting = (name: string) => ({ route: "forgetByKey" as const, params: { name, key: "key_1" } });
    for (const name of [".", ".."]) expect(() => curlCommand(forgetting(name), TARGET)).toThrow(TypeError);
    expect(curlCommand(forgetting("..."), TARGET)).toContain("/api/namespaces/.../keys/key_1");
  });

  test("the tenant that was chosen is named, and by commands about keys the caller's own", () => {
    const target = { ...TARGET, tenant: "a.b_c:d@e+f-1", ownTenant: "acme" };
    const words = shellWords(curlCommand({ route: "getPolicy" }, target), "curl");
    expect(words).toContain("portcullis-tenant: a.b_c:d@e+f-1");
    expect(clientCall({ route: "getPolicy" }, target)).toContain(', tenant: "a.b_c:d@e+f-1" });');
    expect(commandLine({ route: "getPolicy" }, target)).toMatch(/ --tenant a\.b_c:d@e\+f-1$/);
    expect(commandLine({ route: "listKeys" }, target)).toBe("portcullis keys list --tenant acme");
    expect(commandLine({ route: "listKeys" }, TARGET)).toBe("portcullis keys list");
  });

  test("a query is part of the URL, and a service without identities gets no key", () => {
    const call: Call = { route: "forgetMemory", params: { memoryId: "mem_1" }, query: { reason: "a & b" } };
    expect(curlCommand(call, { baseUrl: "http://127.0.0.1:3000", hasIdentities: false })).toBe(
      "curl -X DELETE 'http://127.0.0.1:3000/api/memories/mem_1?reason=a+%26+b'",
    );
  });
});

describe("as a program", () => {
  const AsyncFunction = (async () => undefined).constructor as FunctionConstructor;

  /** Runs the program with a client that records the call. */
  async function recordedCall(program: string) {
    const calls: [name: string, args: readonly unknown[]][] = [];
    const client = new Proxy(
      {},
      {
        get:
          (_, name) =>
          async (...args: unknown[]) =>
            calls.push([String(name), args]),
      },
    );
    const [, ...lines] = program.split("\n");
    const createClient = (options: unknown) => {
      calls.push(["createClient", [options]]);
      return client;
    };
    const run = new AsyncFunction("createClient", "process", "console", lines.join("\n"));
    await run(createClient, { env: { PORTCULLIS_KEY: "the key" } }, { log: () => undefined });
    return calls;
  }

  test("the client is called with exactly what was typed", async () => {
    await fc.assert(
      fc.asyncProperty(hostile, hostile, async (name, description) => {
        const body = { description, nested: JSON.parse('{"__proto__": 1, "x\\"__proto__": [{"__proto__": {}}]}') };
        expect(await recordedCall(clientCall({ route: "putNamespace", params: { name }, body }, TARGET))).toEqual([
          ["createClient", [{ baseUrl: TARGET.baseUrl, bearer: "the key" }]],
          ["putNamespace", [{ name }, body]],
        ]);
      }),
    );
  });

  test("nothing in it is invisible, or turns the direction of the text", () => {
    const program = clientCall({ route: "chat", body: { agentId: "\u202ea", query: "\u200b\u2066" } }, TARGET);
    expect(program).not.toMatch(/[\u200b-\u200f\u202a-\u202e\u2066-\u2069]/);
  });
});

describe("as a command", () => {
  /** What the command line's own parser reads. */
  function parsed(call: Call, target = TARGET) {
    const line = commandLine(call, target) ?? "";
    return parseCommand(shellWords(line, "portcullis"));
  }

  test("a POSIX shell and the parser hand the words on as they are", () => {
    fc.assert(
      fc.property(hostile, hostile, hostile, (content, namespace, sourceAgent) => {
        expect(parsed({ route: "capture", body: { content, namespace, sourceAgent } })).toMatchObject({
          name: "remember",
          values: { namespace, sourceAgent, url: TARGET.baseUrl },
          positionals: [content],
        });
        expect(parsed({ route: "setAccess", body: { agentId: sourceAgent, namespace, allowed: false } })).toMatchObject(
          { name: "policy revoke", positionals: [sourceAgent, namespace] },
        );
      }),
      { numRuns: 40 },
    );
  });

  test.for<[Call, string, object, string[]]>([
    [{ route: "chat", body: { agentId: "a", query: "q" } }, "chat", { agentId: "a" }, ["q"]],
    [{ route: "companion", body: { query: "q" } }, "chat", { companion: true }, ["q"]],
    [{ route: "recall", body: { agentId: "a", query: "q", limit: 3 } }, "recall", { agentId: "a", limit: 3 }, ["q"]],
    [
      { route: "listMemories", query: { q: "tea", superseded: "true" } },
      "memories",
      { q: "tea", superseded: "true" },
      [],
    ],
    [{ route: "getMemory", params: { memoryId: "mem_1" } }, "memories", {}, ["mem_1"]],
    [{ route: "importMemories" }, "import", {}, ["facts.ndjson"]],
    [{ route: "exportRecords", query: { namespace: "diet" } }, "export", { namespace: "diet" }, []],
    [
      { route: "forgetMemory", params: { memoryId: "mem_1" }, query: { reason: "r" } },
      "forget",
      { reason: "r" },
      ["mem_1"],
    ],
    [{ route: "forgetMemories", body: { sourceAgent: "a" } }, "forget", { sourceAgent: "a" }, []],
    [{ route: "getPolicy" }, "policy", {}, []],
    [{ route: "setAccess", body: { agentId: "a", namespace: "n", allowed: true } }, "policy allow", {}, ["a", "n"]],
    [
      { route: "listReceipts", query: { agentId: "a", anchored: "yes" } },
      "receipts",
      { agentId: "a", anchored: "yes" },
      [],
    ],
    [{ route: "getReceipt", params: { answerId: "ans_1" } }, "receipts", {}, ["ans_1"]],
    [{ route: "anchorReceipt", body: { answerId: "ans_1" } }, "anchor", { blob: true }, ["ans_1"]],
    [
      { route: "anchorOnChain", body: { answerId: "ans_1", claimNamespaces: ["a", "b"], sealed: true } },
      "anchor",
      { claimNamespaces: ["a", "b"], sealed: true },
      ["ans_1"],
    ],
    [{ route: "verify", params: { receiptId: "0x1" }, query: { deep: "1" } }, "verify", { deep: true }, ["0x1"]],
    [{ route: "listenToEvents" }, "events", {}, []],
    [{ route: "listKeys" }, "keys list", {}, []],
    [
      { route: "createKey", body: { name: "n", role: "agent:a", captures: ["x", "y"] } },
      "keys create",
      { name: "n", role: "agent:a", captures: ["x", "y"] },
      [],
    ],
    [
      { route: "rotateKey", params: { keyId: "key_1" }, body: { graceSeconds: 7_200 } },
      "keys rotate",
      { grace: "2" },
      ["key_1"],
    ],
    [{ route: "revokeKey", params: { keyId: "key_1" } }, "keys revoke", {}, ["key_1"]],
    [{ route: "listTenants" }, "tenants list", {}, []],
    [{ route: "createTenant", body: { id: "acme" } }, "tenants create", {}, ["acme"]],
    [{ route: "getTenant", params: { tenantId: "acme" } }, "tenants show", {}, ["acme"]],
    [
      { route: "updateTenant", params: { tenantId: "acme" }, body: { suspended: true } },
      "tenants suspend",
      { url: TARGET.baseUrl },
      ["acme"],
    ],
    [
      { route: "updateTenant", params: { tenantId: "acme" }, body: { suspended: false } },
      "tenants resume",
      {},
      ["acme"],
    ],
    [{ route: "deleteTenant", params: { tenantId: "acme" } }, "tenants delete", {}, ["acme"]],
    [
      { route: "createTenantKey", params: { tenantId: "acme" }, body: { name: "n" } },
      "keys create",
      { tenant: "acme", name: "n", role: "admin" },
      [],
    ],
  ])("%j", ([call, name, values, positionals]) => {
    expect(parsed(call)).toMatchObject({ kind: "command", name, values, positionals });
  });

  test("a route without a command has none, and neither has a call that the command cannot make", () => {
    const target = { baseUrl: "http://127.0.0.1:3000", hasIdentities: false };
    expect(commandLine({ route: "putNamespace", params: { name: "n" }, body: {} }, target)).toBeUndefined();
    expect(commandLine({ route: "anchorReceipt", body: { receipt: {} } }, target)).toBeUndefined();
    expect(commandLine({ route: "getPolicy" }, target)).toBe("portcullis policy");
    const update = { route: "updateTenant", params: { tenantId: "acme" } } as const;
    expect(commandLine({ ...update, body: { quotas: {}, suspended: true } }, target)).toBeUndefined();
    // No command knows the keys of the deployment, but for a new operator's.
    const operator = { ...target, isOperator: true };
    const agent = { name: "n", role: "agent:a", tenants: "all" };
    expect(commandLine({ route: "createKey", body: agent }, operator)).toBeUndefined();
    expect(commandLine({ route: "listKeys" }, operator)).toBeUndefined();
    expect(commandLine({ route: "createKey", body: { name: "n", role: "operator" } }, operator)).toBeDefined();
    // Whoever tries a route may type any JSON.
    for (const bad of [{ toString: 1 }, {}, [{ toString: 1 }], [[]], null]) {
      expect(commandLine({ route: "chat", body: { agentId: bad, query: "Hello?" } }, target)).toBeUndefined();
      expect(commandLine({ route: "chat", body: { agentId: "a", query: bad } }, target)).toBeUndefined();
    }
    const rule = { agentId: "a", namespace: "n" };
    expect(commandLine({ route: "setAccess", body: { ...rule, allowed: "yes" } }, target)).toBeUndefined();
    for (const route of Object.keys(paths) as RouteName[]) {
      const line = commandLine({ route, params: {}, body: { answerId: "ans_1" } }, target);
      if (line !== undefined)
        expect(() => parseCommand(shellWords(line, "portcullis")), line).not.toThrow(/no command/);
    }
  });
});
