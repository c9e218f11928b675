// Tokens of an identity provider over HTTP.
import { describe, expect, test } from "vitest";
import { createClient } from "#contract/client/client.ts";
import { expectProblem } from "#test/support/bodies.ts";
import { fetchWithoutKeepAlive } from "#test/support/fetch-without-keep-alive.ts";
import { AUDIENCE, issuerForTest, OPENID_PATH } from "#test/support/issuer-stand-in/issuer-stand-in.ts";
import { keyedServiceForTest } from "#test/support/keyed-service.ts";
import { post, send } from "#test/support/send.ts";
import { serviceForTest } from "#test/support/service.ts";

async function prepared(environment: Readonly<Record<string, string>> = {}) {
  const issuer = await issuerForTest();
  const tokens = { AUTH_ISSUER: issuer.issuer, AUTH_AUDIENCE: AUDIENCE, ...environment };
  const service = await serviceForTest({ environment: tokens });
  const as = (bearer: string) => createClient({ baseUrl: service.url, fetch: fetchWithoutKeepAlive, bearer });
  return { ...service, issuer, as };
}

describe("A token", () => {
  test("gives the role and the agent of its claims", async () => {
    const { issuer, as } = await prepared();
    const claims = { portcullis_role: "agent", portcullis_agent: "planner", portcullis_namespaces: ["diet"] };
    const session = await as(await issuer.token({ ...claims, sub: "user-7" })).getSession();
    expect(session).toEqual({
      signedIn: true,
      identities: true,
      name: "user-7",
      role: "agent",
      agentId: "planner",
      captures: ["diet"],
      tenant: "default",
    });
    await as(await issuer.token({ portcullis_role: "auditor" })).getPolicy();
  });

  test("names its tenant, and is refused when there is no such tenant or it is suspended", async () => {
    const { issuer, as, tenant } = await prepared();
    const { tenantAdministration } = tenant;
    await tenantAdministration.create("acme");
    const tokenFor = (id: unknown) => issuer.token({ portcullis_role: "auditor", portcullis_tenant: id });
    expect(await as(await tokenFor("acme")).getSession()).toMatchObject({ role: "auditor", tenant: "acme" });
    for (const id of ["nobody", 7, ["acme"], ""])
      await expect(as(await tokenFor(id)).getSession()).rejects.toMatchObject({ code: "forbidden" });
    await tenantAdministration.update("acme", { suspended: true });
    await expect(as(await tokenFor("acme")).getSession()).rejects.toMatchObject({ code: "forbidden" });
  });

  test("without a role is 403 on every route, public ones included, and its subject is no agent", async () => {
    const { issuer, as } = await prepared();
    const client = as(await issuer.token({ portcullis_role: undefined, sub: "planner" }));
    const forbidden = { status: 403, code: "forbidden", message: "This token names no role." };
    await expect(client.getPolicy()).rejects.toMatchObject(forbidden);
    await expect(client.getSession()).rejects.toMatchObject(forbidden);
    const agent = as(await issuer.token({ portcullis_role: "agent", sub: "planner" }));
    await expect(agent.getPolicy()).rejects.toMatchObject({ status: 403 });
  });

  test("names one identity by issuer and subject, which is no text that the issuer chose", async () => {
    const { issuer, tenant } = await prepared();
    const idOf = async (sub: string) =>
      (await tenant.authenticator.identify({ bearer: await issuer.token({ sub }) })).id;
    expect(await idOf("a")).toMatch(/^token:[0-9a-f]{32}$/);
    expect(await idOf("a")).toBe(await idOf("a"));
    expect(await idOf("a")).not.toBe(await idOf("b"));
  });

  test("that does not hold is 401, and one that cannot be checked now is 503", async () => {
    const { issuer, as } = await prepared();
    const other = await issuer.token({ aud: "somebody-else" });
    await expect(as(other).getPolicy()).rejects.toMatchObject({ status: 401, code: "unauthenticated" });
    const down = await prepared();
    down.issuer.on(OPENID_PATH, (response) => void response.destroy());
    const unchecked = down.as(await down.issuer.token());
    await expect(unchecked.getPolicy()).rejects.toMatchObject({ status: 503, code: "issuer-unavailable" });
    await expect(down.as("nonsense").getPolicy()).rejects.toMatchObject({ status: 401 });
  });

  test("is no way into a session, and keys are refused while they are off", async () => {
    const { issuer, url, as } = await prepared();
    const key = (await issuer.token()).slice(0, 200);
    expectProblem(await post(`${url}/api/session`, { key }, { origin: url }), 403, "forbidden");
    const keyed = await keyedServiceForTest();
    await expect(as(keyed.adminKey).getPolicy()).rejects.toMatchObject({ status: 401 });
    const admin = as(await issuer.token({ portcullis_role: "admin" }));
    await expect(admin.createKey({ name: "x", role: "admin" })).rejects.toMatchObject({ status: 403 });
  });

  test("is taken beside keys when both are on", async () => {
    const { issuer, as, tenant } = await prepared({ AUTH: "keys" });
    const admin = as(await issuer.token({ portcullis_role: "admin", sub: "ada" }));
    const { key, record } = await admin.createKey({ name: "x", role: "auditor" });
    expect(record.createdBy).toBe("ada");
    await as(key).getPolicy();
    expect(tenant.identities).toMatchObject({ keys: true, tokens: { issuer: issuer.issuer } });
  });
});

describe("The metadata of the protected resource", () => {
  const metadataOf = async (url: string) => {
    const { status, text } = await send(`${url}/.well-known/oauth-protected-resource`);
    expect(status).toBe(200);
    return JSON.parse(text);
  };

  test("names the issuer, and a 401 leads to it", async () => {
    const { issuer, url } = await prepared();
    const { headers } = await send(`${url}/api/policy`);
    const [, link = ""] = /resource_metadata="([^"]+)"/.exec(headers["www-authenticate"] ?? "") ?? [];
    expect(JSON.parse((await send(link)).text)).toEqual({
      resource: url,
      authorization_servers: [issuer.issuer],
      bearer_methods_supported: ["header"],
      resource_name: "Portcullis",
    });
  });

  test("names an audience that is a URL as the resource", async () => {
    const { url } = await prepared({ AUTH_AUDIENCE: "https://memory.example.test" });
    expect(await metadataOf(url)).toMatchObject({ resource: "https://memory.example.test" });
  });
});
