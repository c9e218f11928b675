import { expect, test } from "vitest";
import { send } from "#test/support/send.ts";
import { serviceForTest } from "#test/support/service.ts";
import { pageAt } from "./pages.ts";

test("the service serves the llms.txt of the repository", async () => {
  const { url } = await serviceForTest();
  const { status, headers, text } = await send(`${url}/llms.txt`);
  expect(status).toBe(200);
  expect(headers["content-type"]).toBe("text/plain; charset=utf-8");
  expect(text).toBe(pageAt("llms.txt").text);
});
