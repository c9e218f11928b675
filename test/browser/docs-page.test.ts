// The reference of the API in the app: from openapi.json, with forms to try it, and requests to look up.
import { expect, test } from "vitest";
import { pagePath } from "#contract/page-paths.ts";
import { paths } from "#contract/paths.ts";
import { browserForFile, eventually } from "./support/browser.ts";
import { openService, openWithKeys } from "./support/open-service.ts";
import { expectSoundEverywhere } from "./support/page-assertions.ts";
import { signInAt } from "./support/sign-in.ts";

const browser = browserForFile();
const DOCS = pagePath("docs");
/** They have an operation more, for their answers as events. */
const STREAMED = ["chat", "companion"];

test("shows every operation, opens the one that the address names, sends it, asks before what cannot be undone, and looks requests up", async () => {
  const service = await openService();
  const { page, expectError } = await browser.visit(service.url, {
    permissions: ["clipboard-read", "clipboard-write"],
  });
  await page.goto(pagePath("console"));
  await page.getByRole("contentinfo").getByRole("link", { name: "API reference" }).click();
  await page.getByRole("heading", { level: 1, name: "API reference" }).waitFor();
  const operations = page.getByRole("heading", { level: 3 }).getByRole("button");
  await operations.first().waitFor();
  expect(await operations.count()).toBe(Object.keys(paths).length + STREAMED.length);
  await page.getByLabel("Search the operations").fill("policy changes");
  await eventually(() => operations.count()).toBe(1);

  // A deep link opens an operation, and shows it.
  await page.goto(`${DOCS}#setAccess`);
  await page.reload();
  const operation = page.locator("#setAccess");
  await operation.getByText("For admins of namespaces and admins.").waitFor();
  await eventually(() => operation.evaluate((element) => element.getBoundingClientRect().top < innerHeight)).toBe(true);
  expect(await page.getByRole("region", { name: "Try it" }).count()).toBe(1);
  await operation.getByText(/^\d+ problems$/).click();
  await operation.getByText("confusable-name").waitFor();

  // The request does what it says, with the caller's own session.
  const form = operation.getByRole("region", { name: "Try it" });
  const body = form.getByLabel("Body, application/json");
  await body.fill('{"agentId": "planner",');
  await form.getByText("The body is not valid JSON.").waitFor();
  await body.fill('{"agentId": "planner", "namespace": "finance", "allowed": true}');
  await form.getByRole("button", { name: "Send" }).click();
  await form.getByText("200 OK").waitFor();
  expect((await service.client.getPolicy()).policy.planner?.finance).toBe(true);
  await form.getByText("As code").click();
  await form.getByRole("tab", { name: "Command line" }).click();
  await form.getByText(`portcullis policy allow planner finance --url ${service.url}`).waitFor();
  await form.getByRole("tab", { name: "curl" }).click();
  await form.getByRole("button", { name: "Copy the curl form" }).click();
  const copied = await page.evaluate(() => navigator.clipboard.readText());
  expect(copied).toContain(`curl -X POST ${service.url}/api/policy`);
  await expectSoundEverywhere(page, "docs");

  // Its id leads to what is on record.
  const sent = await form
    .getByText(/^Request id/)
    .first()
    .innerText();
  await form.getByRole("link", { name: "Look up this request" }).click();
  await page.getByText(/ opened finance to planner\.$/).waitFor();
  expect(sent).toContain(new URL(page.url()).searchParams.get("requestId"));

  // What cannot be undone is asked for first.
  await page.goto(`${DOCS}#resetDemo`);
  const reset = page.locator("#resetDemo").getByRole("region", { name: "Try it" });
  await service.client.capture({ namespace: "garden", content: "a rose", sourceAgent: "gardener" });
  await reset.getByRole("button", { name: "Send …" }).click();
  await page.getByRole("dialog").getByText("It deletes every memory").waitFor();
  await page.getByRole("dialog").getByRole("button", { name: "Cancel" }).click();
  expect((await service.client.listMemories({ namespace: "garden" })).memories).toHaveLength(1);
  await reset.getByRole("button", { name: "Send …" }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Send", exact: true }).click();
  await reset.getByText("200 OK").waitFor();
  expect((await service.client.listMemories({ namespace: "garden" })).memories).toEqual([]);

  // A problem is shown as it is, and a feed until the reader stops it.
  await page.goto(`${DOCS}#getMemory`);
  const reading = page.locator("#getMemory").getByRole("region", { name: "Try it" });
  const asked: string[] = [];
  page.on("request", (request) => void asked.push(request.url()));
  await reading.getByText("As code").click();
  await reading.getByText("/api/memories/MEMORY_ID").waitFor();
  await reading.getByRole("button", { name: "Send" }).click();
  await reading.getByText("It must not be empty.").waitFor();
  expect(await page.evaluate(() => document.activeElement?.getAttribute("name"))).toBe("memoryId");
  expect(asked.filter((url) => url.includes("/api/memories"))).toEqual([]);
  await reading.getByLabel("memoryId").fill("mem_none");
  expectError(/404 \(Not Found\)/);
  await reading.getByRole("button", { name: "Send" }).click();
  await reading.getByText("404 Not Found").waitFor();
  await reading.getByText('"code": "not-found"').waitFor();
  // The address would lose the steps, and the request would reach another operation.
  await reading.getByLabel("memoryId").fill("..");
  await reading.getByText("A path cannot contain it.").waitFor();
  expect(await reading.getByText("As code").count()).toBe(0);
  await page.goto(`${DOCS}#listenToEvents`);
  const feed = page.locator("#listenToEvents").getByRole("region", { name: "Try it" });
  await feed.getByRole("button", { name: "Send" }).click();
  await feed.getByText("200 OK").waitFor();
  await feed.getByRole("button", { name: "Stop" }).click();
  await feed.getByText("It was cut here.").waitFor();
});

test("says to each caller what it may not call, and is there for whoever is not signed in", async () => {
  const service = await openWithKeys();
  const { page } = await browser.visit(service.url);
  await page.goto(`${DOCS}#chat`);
  await page.getByText("You may not call it.").waitFor();
  const { key } = await service.keyFor("agent:assistant");
  await signInAt(page, pagePath("console"), key);
  await page.goto(`${DOCS}#setAccess`);
  await page.locator("#setAccess").getByText("Your role may not call this operation.").waitFor();
  await page.goto(`${DOCS}#chat`);
  await page.reload();
  const form = page.locator("#chat").getByRole("region", { name: "Try it" });
  await form.getByLabel("Body, application/json").fill('{"query": "What may I eat?"}');
  await form.getByRole("button", { name: "Send" }).click();
  await form.getByText("200 OK").waitFor();
  await form.getByText("As code").click();
  await form.getByText("authorization: Bearer $PORTCULLIS_KEY").waitFor();
});

test("the documentation is in the app, for whoever is not signed in, too", async () => {
  const service = await openWithKeys();
  const { page } = await browser.visit(service.url);
  await page.goto(pagePath("verifyStart"));
  await page.getByRole("contentinfo").getByRole("link", { name: "Guides" }).click();
  await page.getByRole("heading", { level: 1, name: "Guides" }).waitFor();
  await page.getByRole("link", { name: "start", exact: true }).click();
  await page.getByRole("heading", { level: 1, name: "Start" }).waitFor();
  await expectSoundEverywhere(page, "guide");
  await page.getByRole("link", { name: "API reference" }).click();
  await page.getByRole("heading", { level: 1, name: "API reference" }).waitFor();
});
