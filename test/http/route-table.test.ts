// The route table and its handlers: who may call a row, who called it, and of which kind its handler is.
import { readFileSync } from "node:fs";
import { describe, expect, expectTypeOf, test } from "vitest";
import type { RouteName } from "#contract/paths.ts";
import { type Reply, routes } from "#contract/routes.ts";
import type { Principal } from "#core/identity/principal.ts";
import type { AnswerSink } from "#http/answer/send-answer.ts";
import type { Exchange } from "#http/exchange.ts";
import { handlers } from "#http/handlers.ts";
import type { Handler, Input, StreamingHandler, ValueHandler } from "#http/route-handler.ts";
import { openAuthenticator } from "#service/identity/authenticator.ts";
import type { Tenant } from "#service/tenant.ts";
import { serviceForTest } from "#test/support/service.ts";
import { withSummaries } from "../../scripts/package/contract-types.ts";

describe("A row", () => {
  test("that changes the policy or resets the store is for admins alone", () => {
    const { setAccess, setAccessBatch, resetDemo } = routes;
    const own = ["namespace-admin"];
    expect([setAccess.access, setAccessBatch.access, resetDemo.access]).toEqual([own, own, []]);
  });

  test("that a verifier needs is public", () => {
    const { verify, getLedger, getService, ledgerObject, ledgerTransaction } = routes;
    for (const { access } of [verify, getLedger, getService, ledgerObject, ledgerTransaction]) {
      expect(access).toBe("public");
    }
  });
});

test("The package's client says of each function what its route does", () => {
  const source = withSummaries(readFileSync(new URL("../../src/contract/paths.ts", import.meta.url), "utf8"));
  for (const name of Object.keys(routes)) expect(source).toMatch(new RegExp(`^  /\\*\\* .+ \\*/\\n  ${name}: `, "m"));
  expect(source).toContain(`  /** ${routes.chat.summary} */\n  chat: `);
});

describe("The caller", () => {
  test("is an admin called `api` while no identity is configured", async () => {
    expect(await openAuthenticator.identify({})).toEqual({
      role: "admin",
      id: "open",
      name: "api",
      tenant: "any",
      operates: true,
    });
  });

  test("is in every handler's input, and its name is in the change log", async () => {
    expectTypeOf<Input<RouteName>["principal"]>().toEqualTypeOf<Principal>();
    const { tenant, client } = await serviceForTest();
    const principal: Principal = { role: "admin", id: "key:1", name: "ada" };
    const body = { agentId: "planner", namespace: "diet", allowed: false };
    const response = {
      reserve: () => undefined,
      hasBegun: () => true,
      write: async () => undefined,
      isClosed: () => false,
      end: () => undefined,
    };
    const input = { principal, call: { principal } };
    const exchange = { request: new Request("http://service.test"), response } as unknown as Exchange;
    await handlers.setAccess(tenant, { body, ...input } as Input<"setAccess">, exchange);
    await handlers.resetDemo(tenant, input as Input<"resetDemo">);
    const { changes } = await client.listPolicyChanges({ limit: 2 });
    expect(changes).toMatchObject([
      { by: "ada", namespace: "diet", to: true },
      { by: "ada", namespace: "diet", to: false },
    ]);
  });
});

describe("A handler", () => {
  test("of a row that streams takes a sink and returns nothing", () => {
    expectTypeOf<Handler<"chat">>().toEqualTypeOf<StreamingHandler<"chat", "answer">>();
    expectTypeOf<Parameters<Handler<"companion">>[2]>().toEqualTypeOf<AnswerSink>();
    expectTypeOf<Handler<"importMemories">>().toEqualTypeOf<StreamingHandler<"importMemories", "pieces">>();
    // @ts-expect-error A value handler does not serve a row that streams.
    const chat: Handler<"chat"> = async (): Promise<Reply<"chat">> => ({}) as Reply<"chat">;
    expect(chat).toBeTypeOf("function");
  });

  test("of any other row gives the row's reply", () => {
    expectTypeOf<Handler<"getOverview">>().toEqualTypeOf<ValueHandler<"getOverview">>();
    // @ts-expect-error A streaming handler does not serve a row that has a value.
    const getOverview: Handler<"getOverview"> = async (_: Tenant, __: Input<"getOverview">, ___: Caller) => undefined;
    expect(getOverview).toBeTypeOf("function");
  });

  test("is there for each row", () => {
    expect(Object.keys(handlers).sort()).toEqual(Object.keys(routes).sort());
    const { chat: _, ...others } = handlers;
    // @ts-expect-error The table does not compile without a handler for each row.
    const incomplete: { [N in RouteName]: Handler<N> } = others;
    expect(incomplete).not.toHaveProperty("chat");
  });
});
