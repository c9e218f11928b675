// A sealed receipt on the verifier's page: what it shows without an opening, with one in the fragment, and with one that
// is entered. And the links on the receipt's page that share one.
import type { Page } from "playwright-core";
import { expect, test } from "vitest";
import { pagePath } from "#contract/page-paths.ts";
import { readFragment } from "#web/receipt/opening-link.ts";
import { browserForFile, eventually } from "./support/browser.ts";
import { openService } from "./support/open-service.ts";
import { expectSound, expectSoundEverywhere } from "./support/page-assertions.ts";
import { expectVerdict, statusesOn } from "./support/verify-page.ts";

const browser = browserForFile();
const QUESTION = "What may I eat on Friday?";

async function sealedReceipt() {
  const service = await openService({ RECALL_LIMIT: "1" });
  const { client } = service;
  const { answer, receipt } = await client.chat({ agentId: "assistant", query: QUESTION });
  const { answerId } = receipt;
  const { verifyPath } = await client.anchorOnChain({ answerId, sealed: true });
  const { page } = await browser.visit(service.url);
  return { service, page, answer, receipt, verifyPath, receiptPage: pagePath("receipt", { answerId }) };
}

/** The link with this name on the receipt's page. */
async function linkOn(page: Page, name: RegExp): Promise<string> {
  const links = page.getByRole("list", { name: "Links that disclose fields" });
  return (await links.getByRole("link", { name }).getAttribute("href")) ?? "";
}

const expectSealed = async (page: Page, disclosed: number) => {
  await page.locator(`[data-verdict="unknown"]`).waitFor();
  await page.getByRole("heading", { level: 1, name: `Sealed: ${disclosed} of 7 disclosed` }).waitFor();
};

test("a shared link opens everything in the reader's browser, and no server sees the opening", async () => {
  const { page, answer, receipt, verifyPath, receiptPage } = await sealedReceipt();
  await page.goto(receiptPage);
  await page.getByText("Share the proof").click();
  await page.getByRole("textbox", { name: "Question" }).fill(QUESTION);
  await page.getByRole("textbox", { name: "Answer" }).fill(answer);
  const name = /^Everything you hold: 7 of 7 fields/;
  await eventually(() => linkOn(page, name)).toMatch(/#/);
  const url = await linkOn(page, name);
  const [, fragment = ""] = url.split("#");
  await expectSound(page, "receipt-share");

  const requested: string[] = [];
  page.on("request", (request) =>
    requested.push(`${request.url()} ${request.postData()} ${request.headers().referer}`),
  );
  // Another document, as for somebody who gets the link.
  await page.goto("about:blank");
  await page.goto(url);
  await expectVerdict(page, "verified", "unknown");
  expect(await page.getByRole("alert").count()).toBe(0);
  await page
    .getByText(receipt.usedMemories[0]?.snippet ?? "")
    .first()
    .waitFor();
  await page.getByText("The question belongs to this receipt").waitFor();
  await page.getByText("The prompt, rebuilt from the question and the memories, belongs").waitFor();
  await page.getByText("The answer belongs to this receipt").waitFor();
  expect(requested.join("\n")).toContain(verifyPath);
  expect(requested.join("\n")).not.toContain(fragment.slice(0, 40));
  await expectSound(page, "verify-opened");
});

test("without an opening nothing that is sealed is verified; a link opens one field alone, the box the rest, and another's opening fails", async () => {
  const { page, receipt, verifyPath, receiptPage } = await sealedReceipt();
  await page.goto(`${verifyPath}#AAAA`);
  await page.getByRole("heading", { level: 1, name: "Failed: the opening is not of this receipt" }).waitFor();
  await page.goto(receiptPage);
  await page.getByText("Share the proof").click();
  await eventually(() => linkOn(page, /^Everything you hold: 4 of 7 fields/)).toMatch(/#/);
  const [all, one] = [await linkOn(page, /^Everything you hold/), await linkOn(page, /^Only Agent/)];
  await page.goto(one);
  await expectSealed(page, 1);
  expect((await statusesOn(page)).get("agent")).toBe("pass");

  await page.goto("about:blank");
  await page.goto(verifyPath);
  await expectSealed(page, 0);
  const statuses = await statusesOn(page);
  expect([statuses.get("signature"), statuses.get("claims"), statuses.get("memory")]).toEqual([
    "pass",
    "unknown",
    "unknown",
  ]);
  await page.getByText("this policy object has plain names").waitFor();
  expect(await page.getByText(receipt.usedMemories[0]?.snippet ?? "").count()).toBe(0);
  await expectSoundEverywhere(page, "verify-sealed");
  await page.getByLabel("Opening").fill(all);
  await expectVerdict(page, "verified", "unknown");
});

test("an encrypted memory is captured as such, and a shared link brings the ciphertext that strangers cannot fetch", async () => {
  const service = await openService({ RECALL_LIMIT: "1", SEED: "none", ENCRYPTION_KEY: "5e".repeat(32) });
  const { client } = service;
  await client.putNamespace({ name: "diary" }, { encrypted: true });
  await client.setAccess({ agentId: "assistant", namespace: "diary", allowed: true });
  const { page } = await browser.visit(service.url);
  await page.goto(pagePath("memories"));
  const form = page.locator("form");
  await form.getByLabel("Namespace").fill("diary");
  await form.getByLabel("Source agent").fill("planner");
  await form.getByLabel("Memory").fill("On Friday there is fish.");
  await form.getByRole("button", { name: "Save encrypted" }).click();
  await form.getByText("saved", { exact: true }).waitFor();

  const { receipt } = await client.chat({ agentId: "assistant", query: QUESTION });
  await client.anchorOnChain({ answerId: receipt.answerId });
  await page.goto(pagePath("receipt", { answerId: receipt.answerId }));
  await page.getByText("Share the proof").click();
  await eventually(async () => {
    const [, fragment = ""] = (await linkOn(page, /^Everything you hold/)).split("#");
    return readFragment(fragment);
  }).toContain("A256GCM");
});
