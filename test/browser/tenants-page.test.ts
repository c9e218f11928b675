// Tenants in the app: what an operator does, what the admin of a tenant sees, and how one acts in several.
import type { Page } from "playwright-core";
import { expect, onTestFinished, test } from "vitest";
import { deleteTenantsRegularly } from "#background/jobs.ts";
import { pagePath } from "#contract/page-paths.ts";
import { createLog } from "#log.ts";
import type { KeyedService } from "#test/support/keyed-service.ts";
import { browserForFile, eventually } from "./support/browser.ts";
import { openMemory } from "./support/memories-page.ts";
import { openService, openWithKeys } from "./support/open-service.ts";
import { expectSoundEverywhere, expectStateSound } from "./support/page-assertions.ts";
import { enterKey, navigationOf, signIn, signInAt } from "./support/sign-in.ts";

const browser = browserForFile();

const TENANTS = pagePath("tenants");
const LONG_ID = `acme-${"0123456789".repeat(12)}`;
const heading = (page: Page, name: string) => page.getByRole("heading", { level: 1, name, exact: true });
const cardOf = (page: Page, id: string) =>
  page.getByRole("article").filter({ has: page.getByRole("heading", { name: id, exact: true }) });
const shownKey = (page: Page) => page.getByRole("region", { name: /^The key of/ }).locator("code");
const inDialog = (page: Page, name: string) => page.getByRole("dialog").getByRole("button", { name, exact: true });

async function operatorKeyOf({ tenant }: KeyedService): Promise<string> {
  const asked = { name: "first operator", role: "operator" };
  return (await tenant.tenantAdministration.createDeploymentKey(asked, "test")).key;
}

/** Every request that the app sends is one that the caller may send. */
function watchRefusals(page: Page): string[] {
  const refused: string[] = [];
  page.on("response", (response) => {
    if (response.status() >= 400) refused.push(`${response.status()} ${response.request().method()} ${response.url()}`);
  });
  return refused;
}

test("an operator makes a tenant and its admin's key, suspends it and deletes it; the admin acts in it meanwhile", async () => {
  const service = await openWithKeys();
  const { page, errors } = await browser.visit(service.url);
  const operatorKey = await operatorKeyOf(service);
  const rules = [{ agentId: "support", namespace: "orders", allowed: true }];
  await service.as(operatorKey).putTemplate({ template: "shop" }, { rules });
  await signIn(page, operatorKey);
  const refused = watchRefusals(page);
  await heading(page, "Tenants").waitFor();
  expect(await navigationOf(page)).toEqual(["Tenants", "Verify", "Keys"]);
  expect(new URL(page.url()).pathname).toBe(TENANTS);
  await page.getByText("Signed in as first operator, operator").waitFor();
  await cardOf(page, "default").getByText("Always there.").waitFor();
  expect(await cardOf(page, "default").getByRole("button").count()).toBe(1);

  await page.getByLabel("Id", { exact: true }).fill("no blanks");
  await page.getByRole("button", { name: "Create the tenant" }).click();
  expect(await page.getByLabel("Id", { exact: true }).getAttribute("aria-invalid")).toBe("true");
  await page.getByLabel("Id", { exact: true }).fill("acme");
  await page.getByLabel("Template").selectOption("shop");
  await page.getByRole("button", { name: "Create the tenant" }).click();
  await page.getByText("Created acme.").waitFor();
  await cardOf(page, "acme").getByText("active").waitFor();
  await page.getByRole("button", { name: "Create an admin's key of acme" }).click();
  await expectStateSound(page, "tenants-key");
  await inDialog(page, "Create the key").click();
  await page.getByText("It is not shown again.").waitFor();
  const key = await shownKey(page).innerText();
  await page.getByRole("button", { name: "I have stored it" }).click();
  expect((await service.as(key).getPolicy()).policy).toEqual({ support: { orders: true } });

  const { page: other, errors: others } = await browser.visit(service.url);
  await signInAt(other, pagePath("memories"), key);
  await other.getByText("Signed in as admin of acme in acme, admin").waitFor();
  await other.getByText("No memories yet.").waitFor();
  const form = other.locator("form").filter({ has: other.getByLabel("Source agent") });
  await form.getByLabel("Namespace").fill("orders");
  await form.getByLabel("Source agent").fill("shop");
  await form.getByLabel("Memory").fill("Prefers deliveries before nine.");
  await form.getByRole("button", { name: "Save memory" }).click();
  await form.getByText("saved", { exact: true }).waitFor();
  expect((await service.admin.listMemories({ q: "before nine" })).memories).toEqual([]);
  await expectStateSound(other, "memories-in-tenant");

  await cardOf(page, "acme").getByText("Usage and quotas").click();
  await page.getByRole("button", { name: "Quotas … of acme" }).click();
  await page.getByRole("dialog").getByLabel("Memories").fill("1.5");
  await inDialog(page, "Set the quotas").click();
  await page.getByRole("dialog").getByText("must be a whole number").waitFor();
  await expectStateSound(page, "tenants-quotas");
  await page.getByRole("dialog").getByLabel("Memories").fill("1");
  await inDialog(page, "Set the quotas").click();
  await cardOf(page, "acme").getByText("1 of 1", { exact: true }).waitFor();
  await form.getByLabel("Memory").fill("One too many.");
  others.expect(/409/);
  await form.getByRole("button", { name: "Save memory" }).click();
  await other.getByRole("alert").waitFor();
  await expectStateSound(page, "tenants-usage");
  await page.getByRole("button", { name: "Show all tenants" }).click();
  await page.waitForFunction(() => document.activeElement?.tagName === "H1");
  await cardOf(page, "default").waitFor();
  await expectSoundEverywhere(page, "tenants");
  others.expect(/401/);
  others.expect(/403/);
  await page.getByRole("button", { name: "Suspend acme" }).click();
  await inDialog(page, "Suspend").click();
  await cardOf(page, "acme").getByText("suspended", { exact: true }).waitFor();
  await other.getByText("You were signed out.").waitFor();
  await enterKey(other, key);
  await other.getByRole("alert").getByText("This tenant is suspended.").waitFor();

  await page.getByRole("button", { name: "Resume acme" }).click();
  await inDialog(page, "Resume").click();
  await cardOf(page, "acme").getByText("active").waitFor();
  await enterKey(other, key);
  await other.getByText("Prefers deliveries before nine.").waitFor();

  await page.getByRole("button", { name: "Delete acme" }).click();
  await page.getByLabel("Type acme to confirm").fill("acm");
  await inDialog(page, "Delete for good").click();
  await page.getByText("is not the id of this tenant").waitFor();
  await expectStateSound(page, "tenants-delete");
  await page.getByLabel("Type acme to confirm").fill("acme");
  await inDialog(page, "Delete for good").click();
  await cardOf(page, "acme").getByText("being deleted", { exact: true }).waitFor();
  await page.getByRole("progressbar", { name: "Deletion of acme" }).waitFor();
  await cardOf(page, "acme").getByText("0 of about 1 memories and receipts removed.").waitFor();
  await page.waitForFunction(() => document.activeElement?.tagName === "ARTICLE");
  await expectStateSound(page, "tenants-being-deleted");
  const job = deleteTenantsRegularly(service.tenant, createLog({ level: "silent" }));
  onTestFinished(() => job.stop());
  await cardOf(page, "acme").getByText("deleted", { exact: true }).waitFor();
  await cardOf(page, "acme").getByText("1 memory, 0 receipts and 1 key removed.").waitFor();
  expect(await cardOf(page, "acme").getByRole("button").count()).toBe(0);
  await cardOf(page, "acme").getByText("Tombstone").click();
  await cardOf(page, "acme").getByText('"tenantId": "acme"').waitFor();
  await expectStateSound(page, "tenants-deleted");
  await heading(other, "Sign in").waitFor();
  await expect(service.as(key).getSession()).rejects.toThrow();
  await page.getByLabel("Find by id").fill("globex");
  expect(refused).toEqual([]);
  errors.expect(/404/);
  await page.getByRole("button", { name: "Find" }).click();
  await page.getByText("No tenant has this id.").waitFor();
});

test("tenants come in pages, oldest first, and one is found by its id", async () => {
  const service = await openWithKeys({ LIMIT_WRITES_PER_MINUTE: "0" });
  const key = await operatorKeyOf(service);
  const ids = Array.from({ length: 55 }, (_, i) => `t${String(i).padStart(2, "0")}`);
  for (const id of ids) await service.as(key).createTenant({ id });
  const { page } = await browser.visit(service.url);
  await signIn(page, key);
  const cards = page.getByRole("list", { name: "Tenants, oldest first" }).getByRole("article");
  await eventually(() => cards.count()).toBe(50);
  await page.getByRole("button", { name: "Show more tenants" }).click();
  await eventually(() => cards.count()).toBe(56);
  await page.getByLabel("Find by id").fill("t54");
  await page.getByRole("button", { name: "Find" }).click();
  await cardOf(page, "t54").waitFor();
  expect(await page.getByRole("article").count()).toBe(1);
  expect(new URL(page.url()).search).toBe("?id=t54");
});

test("an operator makes keys of operators, and of agents in every tenant, who choose where they act", async () => {
  const service = await openWithKeys();
  const operatorKey = await operatorKeyOf(service);
  const operator = service.as(operatorKey);
  await operator.createTenant({ id: "acme" });
  const { key: acmeKey } = await operator.createTenantKey({ tenantId: "acme" }, { name: "admin" });
  const acme = service.as(acmeKey);
  await acme.capture({ namespace: "orders", content: "Prefers deliveries before nine.", sourceAgent: "shop" });
  await acme.setAccess({ agentId: "support", namespace: "orders", allowed: true });
  await service.admin.setAccess({ agentId: "support", namespace: "travel", allowed: true });

  const { page, errors } = await browser.visit(service.url);
  const refused = watchRefusals(page);
  await signInAt(page, pagePath("keys"), operatorKey);
  await page.getByRole("list", { name: "Keys" }).getByText("first operator").first().waitFor();
  expect(await page.getByLabel("Role").locator("option").allInnerTexts()).toEqual([
    "Operator: creates, suspends and deletes tenants",
    "Agent in every tenant: names the tenant in a header",
  ]);
  await page.getByLabel("Name").fill("backend");
  await page.getByLabel("Role").selectOption("agent");
  await page.getByLabel("Agent", { exact: true }).fill("support");
  await page.getByRole("button", { name: "Create the key" }).click();
  const key = await shownKey(page).innerText();
  await page.getByText("agent support in every tenant").waitFor();
  await page.keyboard.press("Control+k");
  const found = page.getByRole("listbox", { name: "Results" }).getByRole("option");
  await found.first().waitFor();
  expect(await found.allInnerTexts()).toEqual(["Tenants", "Verify", "Keys", "API reference"]);
  await page.keyboard.press("Escape");
  await page.getByRole("button", { name: "Sign out" }).click();
  await heading(page, "Sign in").waitFor();

  // Its key names no tenant, so that it begins in `default`.
  await page.goto(pagePath("memories"));
  await enterKey(page, key);
  const list = page.getByRole("list", { name: "Memories, newest first" });
  await list.getByText("travel").first().waitFor();
  await page.getByRole("button", { name: "Tenant default, switch to another" }).click();
  const field = page.getByRole("dialog").getByLabel("Tenant");
  expect(refused).toEqual([]);
  errors.expect(/403/);
  await field.fill("globex");
  await inDialog(page, "Switch").click();
  await page.getByRole("dialog").getByText("There is no tenant of this id").waitFor();
  await field.fill("acme");
  await inDialog(page, "Switch").click();
  await page.getByRole("button", { name: "Tenant acme, switch to another" }).waitFor();
  await page.getByRole("link", { name: "Memories" }).click();
  await list.getByText("Prefers deliveries before nine.").waitFor();
  expect(await list.getByRole("listitem").count()).toBe(1);
  await expectStateSound(page, "memories-agent-of-all-tenants");
  await page.reload();
  await list.getByText("Prefers deliveries before nine.").waitFor();

  // A suspended tenant keeps nobody from leaving.
  await operator.updateTenant({ tenantId: "acme" }, { suspended: true });
  await page.getByRole("button", { name: "Sign out" }).click();
  await heading(page, "Sign in").waitFor();
  await enterKey(page, service.adminKey);
  await page.getByText("Signed in as first admin, admin").waitFor();
  expect(await page.getByRole("button", { name: /^Tenant/ }).count()).toBe(0);
});

test("without identities one acts in any tenant, in every tab, and nothing of the former one is left", async () => {
  const service = await openService();
  const { page } = await browser.visit(service.url);
  const refused = watchRefusals(page);
  await page.goto(pagePath("console"));
  await page.getByRole("switch", { name: "finance for assistant" }).waitFor();
  await page.getByRole("button", { name: "Ask", exact: true }).click();
  await page.getByText("Answered to assistant").first().waitFor();
  expect(await page.getByRole("button", { name: /^Tenant/ }).count()).toBe(0);
  await page.getByRole("contentinfo").getByRole("link", { name: "Tenants" }).click();
  await page.getByLabel("Id", { exact: true }).fill(LONG_ID);
  await page.getByRole("button", { name: "Create the tenant" }).click();
  expect(await page.getByRole("button", { name: /admin's key/ }).count()).toBe(0);
  const other = await page.context().newPage();
  await other.goto(pagePath("memories"));
  const memories = other.getByRole("list", { name: "Memories, newest first" }).getByRole("listitem");
  await memories.first().waitFor();

  await page.getByRole("button", { name: `Act here, in ${LONG_ID}` }).click();
  const inAcme = (tab: Page) => tab.getByRole("button", { name: `Tenant ${LONG_ID}, switch to another` });
  await inAcme(page).waitFor();
  await page.waitForFunction(() => document.activeElement?.tagName === "H1");
  expect(new URL(page.url()).pathname).toBe(pagePath("console"));
  expect(await page.getByText("Answered to").count()).toBe(0);
  await inAcme(other).waitFor();
  await other.getByText("No memories yet.").waitFor();
  expect(await page.getByRole("switch", { name: /finance/ }).count()).toBe(0);
  await expectStateSound(page, "console-in-tenant");

  // What happens in the former tenant is not told here, and what happens in this one is.
  await service.client.capture({ namespace: "secret", content: "of default", sourceAgent: "s" });
  const inTenant = { "portcullis-tenant": LONG_ID, "content-type": "application/json" };
  const fact = { namespace: "orders", content: "Before nine.", sourceAgent: "shop" };
  await fetch(`${service.url}/api/memories`, { method: "POST", headers: inTenant, body: JSON.stringify(fact) });
  await other.reload();
  await eventually(() => memories.count()).toBe(1);
  await openMemory(other, "Before nine.");
  await other.getByRole("button", { name: "Check now" }).click();
  await other.getByText("intact", { exact: true }).waitFor();
  const opened = { agentId: "support", namespace: "orders", allowed: true };
  await other.getByRole("link", { name: "Policy" }).click();
  await fetch(`${service.url}/api/policy`, { method: "POST", headers: inTenant, body: JSON.stringify(opened) });
  await other.getByRole("switch", { name: "orders for support" }).waitFor();
  expect(await other.getByRole("columnheader").allInnerTexts()).toEqual(["Agent", "orders\n1 memory"]);

  await inAcme(page).click();
  await page.getByRole("dialog").getByLabel("Tenant").fill("default");
  await inDialog(page, "Switch").click();
  await page.getByRole("switch", { name: "finance for assistant" }).waitFor();
  expect(refused).toEqual([]);
});
