// Rate limits on a real server, on both databases: who is counted by what, what a refusal says, and that a revoke always
// goes through.
import { afterEach, describe, expect, onTestFinished, test, vi } from "vitest";
import { PortcullisError } from "#core/errors.ts";
import { ANONYMOUS, type Principal } from "#core/identity/principal.ts";
import type { Authenticator } from "#service/identity/authenticator.ts";
import { databaseForTest } from "#test/support/database-for-test.ts";
import { type Answer, post, problemIn, send } from "#test/support/send.ts";
import { type Service, type ServiceOptions, serviceForTest } from "#test/support/service.ts";

const QUESTION = { agentId: "assistant", query: "What about dinner?" };
const RULE = { agentId: "assistant", namespace: "diet" };

/** Anybody whose token begins with `good` is an admin of that name. */
function nameTags() {
  const seen: (string | undefined)[] = [];
  const authenticator: Authenticator = {
    async identify({ bearer }) {
      seen.push(bearer);
      if (bearer === undefined) return ANONYMOUS;
      if (!bearer.startsWith("good")) throw new PortcullisError("unauthenticated", "This key is not valid.");
      const credential = { kind: "key", keyId: bearer, keyHash: "" } as const;
      return { role: "admin", id: bearer, name: bearer, credential } satisfies Principal;
    },
  };
  return { authenticator, seen };
}

const keyed = (name: string) => ({ id: name, name, credential: { kind: "key", keyId: name, keyHash: "" } as const });
const bearer = (name: string) => ({ authorization: `Bearer ${name}` });
const chat = ({ url }: Service, headers = {}) => post(`${url}/api/chat`, QUESTION, headers);
const setAccess = ({ url }: Service, allowed: boolean, headers = {}) =>
  post(`${url}/api/policy`, { ...RULE, allowed }, headers);

function expectRefused(answer: Answer): void {
  expect(answer.status).toBe(429);
  expect(problemIn(answer).code).toBe("too-many-requests");
  const seconds = Number(answer.headers["retry-after"]);
  expect(seconds).toBeGreaterThanOrEqual(1);
  expect(seconds).toBeLessThanOrEqual(60);
}

afterEach(() => void vi.useRealTimers());

describe.each(["SQLite", "PostgreSQL"])("On %s", (kind) => {
  async function limited(environment: Record<string, string>, overrides: ServiceOptions["overrides"] = {}) {
    const database = kind === "SQLite" ? {} : { database: (await databaseForTest()).url };
    return serviceForTest({ ...database, environment, overrides });
  }

  test("a caller is told what is left of a limit, and refused when nothing is", async () => {
    const service = await limited({ LIMIT_ANSWERS_PER_MINUTE: "2" });
    const [first, second, third] = [await chat(service), await chat(service), await chat(service)];
    expect([first.status, second.status]).toEqual([200, 200]);
    expect(first.headers["ratelimit-policy"]).toBe('"answers";q=2;w=60');
    expect(first.headers.ratelimit).toMatch(/^"answers";r=1;t=(?:60|[1-5]\d)$/);
    expect(second.headers.ratelimit).toMatch(/^"answers";r=0;t=\d+$/);
    expectRefused(third);
    expect(third.headers.ratelimit).toMatch(/^"answers";r=0;t=\d+$/);
  });

  test("each class has a limit of its own, and one without a limit has no headers", async () => {
    const service = await limited({ LIMIT_ANSWERS_PER_MINUTE: "1", LIMIT_WRITES_PER_MINUTE: "1" });
    await chat(service);
    expectRefused(await chat(service));
    const policy = await send(`${service.url}/api/policy`);
    expect(policy.status).toBe(200);
    expect(policy.headers).not.toHaveProperty("ratelimit");
    expect((await setAccess(service, true)).headers["ratelimit-policy"]).toBe('"writes";q=1;w=60');
  });

  test("an identity is counted by itself, and a caller without one by its address", async () => {
    const { authenticator } = nameTags();
    const service = await limited({ LIMIT_READS_PER_MINUTE: "1" }, { authenticator });
    const read = (headers = {}) => send(`${service.url}/api/service`, { headers });
    expect((await read(bearer("good-ada"))).status).toBe(200);
    expectRefused(await read(bearer("good-ada")));
    expect((await read(bearer("good-bob"))).status).toBe(200);
    expect((await read()).status).toBe(200);
    expectRefused(await read());
  });

  test("a revoke, and the health of the service, are answered while every limit is used up", async () => {
    const { authenticator } = nameTags();
    const names = ["ANSWERS", "WRITES", "READS", "VERIFICATIONS", "SIGN_INS"];
    const limits = Object.fromEntries(names.map((name) => [`LIMIT_${name}_PER_MINUTE`, "1"]));
    const service = await limited(limits, { authenticator });
    const ada = bearer("good-ada");
    expect((await setAccess(service, true, ada)).status).toBe(200);
    expectRefused(await setAccess(service, true, ada));
    await chat(service, ada);
    expectRefused(await chat(service, ada));
    // Too many guesses from the same address, too.
    await chat(service, bearer("bad"));
    expectRefused(await chat(service, bearer("bad")));

    for (let i = 0; i < 5; i++) expect((await setAccess(service, false, ada)).status).toBe(200);
    const batch = (...rules: object[]) => post(`${service.url}/api/policy/batch`, { rules }, ada);
    const closing = [
      { ...RULE, allowed: false },
      { ...RULE, namespace: "health", allowed: null },
    ];
    for (let i = 0; i < 5; i++) expect((await batch(...closing)).status).toBe(200);
    expectRefused(await batch(...closing, { ...RULE, namespace: "work", allowed: true }));
    for (const path of ["/livez", "/readyz"]) expect((await send(service.url + path)).status).toBe(200);
    expect(JSON.parse((await setAccess(service, false, ada)).text)).toMatchObject({
      policy: { assistant: { diet: false } },
    });
  });

  test("a call that its caller may not make is counted before its refusal goes on record, also a revoke", async () => {
    const who: Record<string, Principal> = {
      agent: { role: "agent", agentId: "assistant", captures: [], ...keyed("agent") },
      other: { role: "namespace-admin", namespaces: ["work"], ...keyed("other") },
      admin: { role: "admin", ...keyed("admin") },
    };
    const authenticator: Authenticator = { identify: async ({ bearer = "" }) => who[bearer] ?? ANONYMOUS };
    const service = await limited({ LIMIT_WRITES_PER_MINUTE: "1" }, { authenticator });
    const calls = {
      "a revoke by an agent": () => setAccess(service, false, bearer("agent")),
      "a revoke in another's namespace": () => setAccess(service, false, bearer("other")),
      "the revoke of a key": () => send(`${service.url}/api/keys/x`, { method: "DELETE", headers: bearer("agent") }),
    };
    expect((await calls["a revoke by an agent"]()).status).toBe(403);
    expect((await calls["a revoke in another's namespace"]()).status).toBe(403);
    for (const call of Object.values(calls)) expectRefused(await call());
    // A grant that the limit refuses goes on record as little as they do.
    expect((await setAccess(service, true, bearer("admin"))).status).toBe(200);
    expectRefused(await setAccess(service, true, bearer("admin")));
    const log = await send(`${service.url}/api/decisions`, { headers: bearer("admin") });
    const outcomes = JSON.parse(log.text).decisions.map(({ outcome }: { outcome: string }) => outcome);
    expect(outcomes.sort()).toEqual(["changed", "refused", "refused"]);
  });

  test("who guesses keys is refused before the records are asked, and who shows no key is not", async () => {
    const { authenticator, seen } = nameTags();
    const service = await limited({ LIMIT_SIGN_INS_PER_MINUTE: "3" }, { authenticator });
    for (let i = 0; i < 3; i++) expect((await chat(service, bearer(`bad-${i}`))).status).toBe(401);
    expectRefused(await chat(service, bearer("bad-3")));
    expectRefused(await chat(service, bearer("good-ada")));
    expect(seen).toHaveLength(3);
    expect((await send(`${service.url}/api/service`)).status).toBe(200);
  });
});

test("a limit is whole again when its minute has passed", async () => {
  const service = await serviceForTest({ environment: { LIMIT_ANSWERS_PER_MINUTE: "1" } });
  await chat(service);
  expectRefused(await chat(service));
  vi.useFakeTimers({ toFake: ["Date"], now: Date.now() + 60_001 });
  onTestFinished(() => void vi.useRealTimers());
  expect((await chat(service)).status).toBe(200);
});

test("without identities nobody is limited, unless a limit is set", async () => {
  const service = await serviceForTest();
  expect((await chat(service)).headers).not.toHaveProperty("ratelimit");
});

test("pages and blobs that show what a route gives are counted as the route is", async () => {
  const service = await serviceForTest({
    environment: { LIMIT_VERIFICATIONS_PER_MINUTE: "1", LIMIT_READS_PER_MINUTE: "1" },
  });
  const get = (path: string) => send(service.url + path);
  expect((await get("/verify/0x1")).headers["ratelimit-policy"]).toBe('"verifications";q=1;w=60');
  expectRefused(await get("/api/verify/0x1"));
  expect((await get("/v1/blobs/none")).headers["ratelimit-policy"]).toBe('"reads";q=1;w=60');
  expectRefused(await get("/v1/blobs/none"));
});
