// Whom admission control takes the sender of a request for, before anybody is authenticated.
import { expect, test } from "vitest";
import { TENANT_HEADER } from "#contract/paths.ts";
import { type Applicant, createAdmission } from "#http/admission/admission.ts";
import { createRecentCallers } from "#http/admission/recent-callers.ts";
import { createKey } from "#service/identity/keys.ts";
import { send } from "#test/support/send.ts";
import { serviceForTest } from "#test/support/service.ts";

/** A service with keys, and a function that sends a request and says whom it counted for. */
async function watchedService(environment: Readonly<Record<string, string>> = {}) {
  const callers: (string | undefined)[] = [];
  const admission = createAdmission();
  const watched = {
    ...admission,
    apply(applicant: Applicant) {
      callers.push(applicant.caller);
      admission.apply(applicant);
    },
  };
  const service = await serviceForTest({ admission: watched, environment: { AUTH: "keys", ...environment } });
  const { key, record } = await createKey(service.tenant, { name: "own", role: "admin" }, "test");
  const callerOf = async (headers: Readonly<Record<string, string>>) => {
    await send(`${service.url}/api/memories`, { headers });
    return callers.at(-1);
  };
  return { callerOf, key: { authorization: `Bearer ${key}` }, keyId: record.keyId };
}

test("names that nobody checked count by the address, all alike", async () => {
  const { callerOf } = await watchedService();
  for (const name of ["one", "two", "two"]) {
    expect(await callerOf({ authorization: `Bearer ${name}` })).toBe("127.0.0.1");
    expect(await callerOf({ [TENANT_HEADER]: name, cookie: `portcullis=${name.padEnd(43, "x")}` })).toBe("127.0.0.1");
  }
});

test("a key that was authenticated counts for its tenant and itself, and only in the tenant that it was let into", async () => {
  const { callerOf, key, keyId } = await watchedService();
  expect(await callerOf(key)).toBe("127.0.0.1");
  expect(await callerOf(key)).toBe(`1 ${keyId}`);
  const elsewhere = { ...key, [TENANT_HEADER]: "victim" };
  expect(await callerOf(elsewhere)).toBe("127.0.0.1");
  expect(await callerOf(elsewhere)).toBe("127.0.0.1");
});

test("a session that was authenticated counts, whatever other cookies come with it, and no other session does", () => {
  const senderOf = createRecentCallers();
  const of = (cookie: string) => senderOf({ headers: { cookie }, socket: { remoteAddress: "192.0.2.1" } } as never);
  const own = `__Host-portcullis=${"s".repeat(43)}`;
  of(own).authenticated("1 key");
  expect(of(`theme=dark; ${own}; seen=1`).caller).toBe("1 key");
  expect(of(`__Host-portcullis=${"t".repeat(43)}`).caller).toBe("192.0.2.1");
});

test("behind a proxy of ours the address is the client's, and nobody else may name one", async () => {
  const named = { "x-forwarded-for": "198.51.100.7" };
  expect(await (await watchedService()).callerOf(named)).toBe("127.0.0.1");
  expect(await (await watchedService({ TRUST_PROXY: "127.0.0.1" })).callerOf(named)).toBe("198.51.100.7");
});

test("a caller is forgotten after ten minutes, and when ten thousand others were authenticated since", () => {
  let clock = 0;
  const senderOf = createRecentCallers({}, () => clock);
  const of = (name: string) =>
    senderOf({ headers: { authorization: `Bearer ${name}` }, socket: { remoteAddress: "192.0.2.1" } } as never);
  of("first").authenticated("1 first");
  clock = 599_999;
  expect(of("first").caller).toBe("1 first");
  clock = 600_000;
  expect(of("first").caller).toBe("192.0.2.1");
  of("first").authenticated("1 first");
  for (let i = 0; i < 10_000; i++) of(`other${i}`).authenticated(`1 other${i}`);
  expect([of("first").caller, of("other0").caller]).toEqual(["192.0.2.1", "1 other0"]);
});
