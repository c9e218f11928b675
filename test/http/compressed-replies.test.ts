import { expect, test } from "vitest";
import { serviceForTest } from "#test/support/service.ts";

test.for(["/openapi.json", "/api/memories?limit=100", "/api/receipts?limit=100"])(
  "%s is compressed for whoever takes it, and as it is for others",
  async (path) => {
    const { url, client } = await serviceForTest();
    for (let i = 0; i < 5; i++) await client.recall({ agentId: "assistant", query: "dinner" });
    const get = (encoding: string) => fetch(`${url}${path}`, { headers: { "accept-encoding": encoding } });
    const plain = await get("identity");
    expect(plain.headers.get("content-encoding")).toBe(null);
    expect(plain.headers.get("vary")).toContain("accept-encoding");
    const zipped = await get("gzip");
    expect(zipped.headers.get("content-encoding")).toBe("gzip");
    const [length, zippedLength] = [plain, zipped].map(({ headers }) => Number(headers.get("content-length")));
    expect(zippedLength).toBeLessThan((length ?? 0) / 2);
    expect(await zipped.json()).toEqual(await plain.json());
  },
);

test("a short reply is sent as it is", async () => {
  const { url } = await serviceForTest();
  const { headers } = await fetch(`${url}/api/service`, { headers: { "accept-encoding": "gzip" } });
  expect(headers.get("content-encoding")).toBe(null);
});
