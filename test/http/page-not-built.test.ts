import { expect, test } from "vitest";
import { send } from "#test/support/send.ts";
import { serviceForTest } from "#test/support/service.ts";

test("without a build of the app, its paths say how to get one, and the API answers", async () => {
  const { url, client } = await serviceForTest({ web: undefined });
  const page = await send(`${url}/activity`, { headers: { accept: "text/html" } });
  expect(page.status).toBe(404);
  expect(page.text).toContain("npm run build");
  expect((await client.getPolicy()).version).toBeGreaterThan(0);
});
