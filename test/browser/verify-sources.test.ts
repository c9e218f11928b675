// Where the verifier's page gets its word from: full nodes of its own choice or the reader's, and what the reader trusts.
import type { Page } from "playwright-core";
import { describe, expect, test } from "vitest";
import { askAndAnchor } from "./support/ask-and-anchor.ts";
import { browserForFile, eventually } from "./support/browser.ts";
import { openOnSui, openService } from "./support/open-service.ts";
import { expectSound, expectSoundEverywhere } from "./support/page-assertions.ts";
import { checkOn, expectVerdict, statusesOn } from "./support/verify-page.ts";

const browser = browserForFile();
const OWN_NODE = "https://fullnode.mainnet.sui.io";

/** Answers for a public full node from the stand-in. */
async function forwardTo(page: Page, baseUrl: string): Promise<string[]> {
  const asked: string[] = [];
  await page.route(`${OWN_NODE}/**`, async (route) => {
    const { pathname } = new URL(route.request().url());
    asked.push(pathname);
    await route.fulfill({ response: await route.fetch({ url: `${baseUrl}${pathname}` }) });
  });
  return asked;
}

describe("on a public network", () => {
  test("the page asks a full node that it chose itself, and not the operator's", async () => {
    const service = await openOnSui("mainnet");
    const { verifyPath } = await askAndAnchor(service);
    const { page } = await browser.visit(service.url);
    const requested: string[] = [];
    page.on("request", (request) => requested.push(request.url()));
    const asked = await forwardTo(page, service.chain.node.baseUrl);
    await page.goto(verifyPath);
    await expectVerdict(page, "verified");
    expect(asked.length).toBeGreaterThan(1);
    expect(requested.filter((url) => url.startsWith(service.chain.node.baseUrl))).toEqual([]);
    await page.locator("[data-sources]").getByText("chosen by this page, not by the operator").waitFor();
    expect(await page.getByText("that the operator chose").count()).toBe(0);
    await expectSoundEverywhere(page, "verify-own-node");
  });

  test("a node of the operator's alone gets no word of Sui: the receipt is not there, and the page says so", async () => {
    const service = await openOnSui("mainnet");
    const { verifyPath } = await askAndAnchor(service);
    const empty = await openOnSui("mainnet");
    const { page } = await browser.visit(service.url);
    await forwardTo(page, empty.chain.node.baseUrl);
    await page.goto(verifyPath);
    await expectVerdict(page, "failed", "verified");
    await page.getByRole("heading", { level: 1, name: "Failed: no such receipt" }).waitFor();
    await page.getByRole("alert").getByText("Your browser and the service do not agree").waitFor();
  });

  test("the reader can have another full node asked, which is named in the verdict's sources", async () => {
    const service = await openOnSui("mainnet");
    const { verifyPath } = await askAndAnchor(service);
    const { page, expectError } = await browser.visit(service.url);
    expectError(/fullnode\.mainnet/);
    await page.route(`${OWN_NODE}/**`, (route) => route.abort());
    await page.goto(verifyPath);
    await expectVerdict(page, "unknown", "verified");
    await page.getByText("Ask another full node").click();
    const field = page.getByLabel("URL of a full node");
    await field.fill("not a url");
    await page.getByRole("button", { name: "Ask this node" }).click();
    await page.getByText("That is not an http or https URL.").waitFor();
    await field.fill(service.chain.node.baseUrl);
    await page.getByRole("button", { name: "Ask this node" }).click();
    await expectVerdict(page, "verified");
    await page.locator("[data-sources]").getByText("chosen by you").waitFor();

    // It stays, also when the reader comes from another page, whose policy would not allow the request.
    await page.goto("/receipts");
    await page.getByRole("heading", { level: 1 }).waitFor();
    await page.evaluate((path) => {
      history.pushState(null, "", path);
      dispatchEvent(new PopStateEvent("popstate"));
    }, verifyPath);
    await expectVerdict(page, "verified");
  });
});

describe("what the reader trusts", () => {
  test("is checked from then on, and a change is shown", async () => {
    const service = await openService();
    const { verifyPath, receipt } = await askAndAnchor(service);
    const { page } = await browser.visit(service.url);
    await page.goto(verifyPath);
    await expectVerdict(page, "verified");
    expect((await statusesOn(page)).has("trust")).toBe(false);
    await page.getByRole("button", { name: "Trust these ids" }).click();
    await eventually(async () => (await statusesOn(page)).get("trust")).toBe("pass");
    await page.locator("[data-trusted]").getByText(receipt.signature.keyId).waitFor();
    await expectVerdict(page, "verified");
    await expectSound(page, "verify-trusted");

    // Another package has taken the place of the one that was trusted.
    await page.evaluate(() => {
      const key = Object.keys(localStorage).find((name) => name.startsWith("verify:")) ?? "";
      const settings = JSON.parse(localStorage.getItem(key) ?? "");
      settings.trusted.packageId = `0x${"ac".repeat(32)}`;
      localStorage.setItem(key, JSON.stringify(settings));
    });
    await page.reload();
    await expectVerdict(page, "failed", "verified");
    await page.getByRole("heading", { level: 1, name: "Failed: not what you trust" }).waitFor();
    await checkOn(page, "trust").getByText("another package than the one that you trust").waitFor();
    // The service and the browser agree about everything that both check.
    expect(await page.getByRole("alert").count()).toBe(0);
    await page.getByRole("button", { name: "Remove" }).click();
    await expectVerdict(page, "verified");
  });
});
