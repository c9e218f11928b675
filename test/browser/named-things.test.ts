// The pages of an agent, a namespace and a memory: what each role sees there, and what it can do.
import type { Page } from "playwright-core";
import { expect, test } from "vitest";
import { pagePath } from "#contract/page-paths.ts";
import { browserForFile, eventually } from "./support/browser.ts";
import { openService, openWithKeys } from "./support/open-service.ts";
import { expectSoundEverywhere } from "./support/page-assertions.ts";
import { signInAt } from "./support/sign-in.ts";
import { turnTo } from "./support/turn-to.ts";

const browser = browserForFile();
const ROSE = "The rose by the gate was planted in March.";
const h1 = (page: Page, name: string) => page.getByRole("heading", { level: 1, name, exact: true });
const section = (page: Page, name: string) => page.getByRole("region", { name, exact: true });

test("an agent's page shows what it may use, what it used and its gates' history, and leads to its namespaces", async () => {
  const service = await openService();
  await service.client.setAccess({ agentId: "assistant", namespace: "health", allowed: false });
  await service.client.setAccess({ agentId: "planner", namespace: "health", allowed: true });
  for (let i = 0; i < 6; i++) await service.client.chat({ agentId: "assistant", query: "What may I eat on Friday?" });
  const { page } = await browser.visit(service.url);
  await page.goto(pagePath("agent", { agentId: "assistant" }));
  await h1(page, "assistant").waitFor();
  await section(page, "What it used").getByRole("link", { name: "diet" }).waitFor();
  const receipts = section(page, "Its receipts");
  await receipts.getByRole("listitem").first().waitFor();
  expect(await receipts.getByRole("listitem").count()).toBe(4);
  await receipts.getByRole("button", { name: "Show 2 more" }).click();
  expect(await receipts.getByRole("listitem").count()).toBe(6);
  const history = section(page, "History of its gates").getByRole("list", { name: "Changes, newest first" });
  await history.getByText("health for assistant").first().waitFor();
  expect(await history.getByText("planner").count()).toBe(0);
  await section(page, "What it may use").getByRole("switch", { name: "health for assistant" }).click();
  await eventually(async () => (await service.client.getPolicy()).policy.assistant?.health).toBe(true);
  await eventually(() => history.getByText("health for assistant").count()).toBeGreaterThan(1);
  await expectSoundEverywhere(page, "agent");
  await section(page, "What it used").getByRole("link", { name: "diet" }).click();
  await h1(page, "diet").waitFor();
  await turnTo(page, pagePath("agent", { agentId: "nobody" }));
  await page.getByText("This agent is unknown.").waitFor();
});

test("a namespace's page opens its gates, keeps its settings, and says when there is none of that name", async () => {
  const service = await openService();
  // Both would be the same path if it were decoded as a whole.
  for (const namespace of ["a/b", "a%2Fb"])
    await service.client.capture({ namespace, content: `in ${namespace}`, sourceAgent: "gardener" });
  const { page, expectError } = await browser.visit(service.url);
  await page.goto(pagePath("namespace", { name: "a/b" }));
  await h1(page, "a/b").waitFor();
  await page.getByRole("article").filter({ hasText: "in a/b" }).waitFor();
  expect(await page.getByRole("article").count()).toBe(1);
  await page.getByRole("switch", { name: "a/b for planner" }).click();
  await eventually(async () => (await service.client.getPolicy()).policy.planner?.["a/b"]).toBe(true);
  await section(page, "History of its gates").getByText("a/b for planner").waitFor();

  await page.getByLabel("Keep memories for this many days (optional)").fill("many");
  await page.getByRole("button", { name: "Save settings" }).click();
  await page.getByText("must be a number up to 36,500").waitFor();
  await page.getByLabel("Keep memories for this many days (optional)").fill("30");
  await page.getByLabel("What it is for (optional)").fill("Plants and when they were planted.");
  await page.getByRole("button", { name: "Save settings" }).click();
  await page.getByText("Saved.").waitFor();
  await page.getByText("1 memory, kept for 30 days").waitFor();
  expect((await service.client.getNamespace({ name: "a/b" })).namespace).toMatchObject({
    description: "Plants and when they were planted.",
    retentionSeconds: 2_592_000,
    encrypted: false,
  });
  await expectSoundEverywhere(page, "namespace");

  // To encrypt is asked for twice. Without a key the service refuses it.
  await page.getByLabel("Encrypt its memories").check();
  await page.getByRole("button", { name: "Save settings" }).click();
  await page.getByRole("dialog").getByText("Superseded memories are forgotten.").waitFor();
  expectError(/409 \(Conflict\)/);
  await page.getByRole("dialog").getByRole("button", { name: "Encrypt", exact: true }).click();
  await page.getByRole("alert").getByRole("link", { name: "Look up this request" }).waitFor();
  expectError(/404 \(Not Found\)/);
  await page.goto(pagePath("namespace", { name: "none" }));
  await page.getByText("No such namespace.").waitFor();
});

test("a memory's page corrects it, gives it an end, pins it, shows which answers were given it, and forgets it", async () => {
  const service = await openService();
  await service.client.setAccess({ agentId: "gardener", namespace: "garden", allowed: true });
  const { memory } = await service.client.capture({ namespace: "garden", content: ROSE, sourceAgent: "gardener" });
  const { receipt } = await service.client.chat({ agentId: "gardener", query: "When was the rose planted?" });
  const { page, expectError } = await browser.visit(service.url);
  await page.goto(pagePath("memories"));
  await page.getByRole("article").filter({ hasText: ROSE }).getByRole("link", { name: ROSE }).click();
  await page.waitForURL(`**${pagePath("memory", memory)}`);
  const card = page.getByRole("article");
  await card.getByText(ROSE).waitFor();
  const use = section(page, "Answers that used it").getByRole("link");
  expect(await use.getAttribute("href")).toBe(pagePath("receipt", receipt));
  await expectSoundEverywhere(page, "memory");

  await card.getByRole("button", { name: "Pin", exact: true }).click();
  await card.getByRole("button", { name: "Unpin" }).waitFor();
  await card.getByRole("button", { name: "Set expiry …" }).click();
  await page.getByLabel("Day and time").fill("2020-01-01T00:00");
  await page.getByRole("button", { name: "Save expiry" }).click();
  await page.getByText("must be a day and a time in the future").waitFor();
  await page.getByLabel("Day and time").fill("2099-01-01T00:00");
  await page.getByRole("button", { name: "Save expiry" }).click();
  await card.getByText("expires").waitFor();
  expect((await service.client.getMemory(memory)).memory.expiresAt).toBe("2099-01-01T00:00:00.000Z");

  await card.getByRole("button", { name: "Correct …" }).click();
  await page.getByLabel("Corrected text").fill(ROSE.replace("March", "April"));
  await page.getByRole("button", { name: "Save correction" }).click();
  await card.getByText(ROSE.replace("March", "April")).waitFor();
  await card.getByRole("link", { name: "Show the earlier one" }).click();
  await card.getByText("Superseded").waitFor();
  expect(await card.getByRole("button", { name: "Correct …" }).count()).toBe(0);

  // The page knows that the memory is gone, and asks for its tombstone only.
  const refused: string[] = [];
  page.on("response", (response) => response.status() >= 400 && refused.push(response.url()));
  await card.getByRole("button", { name: "Forget …" }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Forget", exact: true }).click();
  await h1(page, "Forgotten memory").waitFor();
  await page.getByText("A signed tombstone stays.").waitFor();
  expect(await page.getByText(ROSE).count()).toBe(0);
  expect(await use.getAttribute("href")).toBe(pagePath("receipt", receipt));
  await page.waitForFunction(() => document.activeElement !== document.body);

  // What somebody else forgets is gone from the page at once.
  const other = await service.client.capture({ namespace: "garden", content: "A tulip.", sourceAgent: "gardener" });
  const feed = page.waitForResponse((response) => response.url().endsWith("/api/events"));
  await page.goto(pagePath("memory", other.memory));
  await card.getByText("A tulip.").waitFor();
  await feed;
  await service.client.forgetMemory(other.memory);
  await h1(page, "Forgotten memory").waitFor();
  expect(await page.getByText("A tulip.").count()).toBe(0);
  await turnTo(page, pagePath("activity"));
  await page.getByText("forgot a memory").first().getByRole("link", { name: "a memory" }).click();
  await h1(page, "Forgotten memory").waitFor();
  expect(refused).toEqual([]);
  // Whoever leaves a page before it has loaded leaves no failures in the network panel.
  const cancelled: string[] = [];
  page.on("requestfailed", (request) => cancelled.push(request.url()));
  const current = (await service.client.listMemories({ limit: 1 })).memories[0]?.memoryId ?? "";
  for (const path of [
    pagePath("memory", { memoryId: current }),
    pagePath("namespace", { name: "health" }),
    pagePath("overview"),
    pagePath("docs"),
    pagePath("activity"),
  ]) {
    await page.evaluate((to) => history.pushState(null, "", to), path);
    await page.waitForFunction((to) => location.pathname === to, path);
  }
  await page.getByText("forgot a memory").first().waitFor();
  expect(cancelled).toEqual([]);
  expectError(/404 \(Not Found\)/);
  await turnTo(page, pagePath("memory", { memoryId: "mem_none" }));
  await page.getByText("No memory has this id, or you may not read it.").waitFor();
});

test("each role sees on these pages what it may, and nothing is asked for that would be refused", async () => {
  const service = await openWithKeys();
  const { memory } = await service.admin.capture({ namespace: "health", content: ROSE, sourceAgent: "companion" });
  await service.admin.chat({ agentId: "assistant", query: "When was the rose planted?" });
  const visit = async (role: string) => {
    const { key } = await service.keyFor(role);
    const { page } = await browser.visit(service.url);
    const refused: string[] = [];
    page.on("response", (response) => response.status() >= 400 && refused.push(response.url()));
    return { page, key, refused };
  };

  const agent = await visit("agent:assistant");
  await signInAt(agent.page, pagePath("agent", { agentId: "assistant" }), agent.key);
  await section(agent.page, "Its receipts").getByRole("listitem").first().waitFor();
  expect(await agent.page.getByRole("switch").count()).toBe(0);
  expect(await section(agent.page, "History of its gates").count()).toBe(0);
  await agent.page.goto(pagePath("agent", { agentId: "planner" }));
  await agent.page.getByText("Not allowed.").waitFor();
  await turnTo(agent.page, pagePath("memory", memory));
  await agent.page.getByText(ROSE).waitFor();
  expect(await agent.page.getByRole("button", { name: /^(Correct|Forget|Pin|Set)/ }).count()).toBe(0);

  const auditor = await visit("auditor");
  await signInAt(auditor.page, pagePath("memory", memory), auditor.key);
  await section(auditor.page, "Answers that used it").getByRole("link").waitFor();
  expect(await auditor.page.getByText(ROSE).count()).toBe(0);
  await turnTo(auditor.page, pagePath("namespace", { name: "health" }));
  await section(auditor.page, "History of its gates").getByRole("listitem").first().waitFor();
  expect(await section(auditor.page, "Its memories").count()).toBe(0);
  expect(await section(auditor.page, "Settings").count()).toBe(0);

  const governor = await visit("admin:health");
  await signInAt(governor.page, pagePath("namespace", { name: "health" }), governor.key);
  await section(governor.page, "Its memories").getByText(ROSE).waitFor();
  await governor.page.getByRole("button", { name: "Save settings" }).waitFor();
  expect(await governor.page.getByRole("button", { name: "Correct …" }).count()).toBe(0);
  expect([...agent.refused, ...auditor.refused, ...governor.refused]).toEqual([]);
});
