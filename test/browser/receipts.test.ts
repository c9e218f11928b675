import { readFile } from "node:fs/promises";
import type { Page } from "playwright-core";
import { describe, expect, onTestFinished, test } from "vitest";
import { pagePath } from "#contract/page-paths.ts";
import { canonicalJson } from "#core/encoding/canonical-json.ts";
import { digestOf } from "#core/encoding/digest.ts";
import { openingOfAll } from "#core/receipt/held-values.ts";
import { startOpenAiStandIn } from "#test/support/openai-stand-in/openai-stand-in.ts";
import { judge } from "#web/offline/judge-file.ts";
import { writeFragment } from "#web/receipt/opening-link.ts";
import { askAndAnchor } from "./support/ask-and-anchor.ts";
import { browserForFile, eventually, FLOW_WIDTHS } from "./support/browser.ts";
import { openOnWalrus, openService } from "./support/open-service.ts";
import { expectSoundEverywhere, expectSoundInBothSchemes, expectStateSound } from "./support/page-assertions.ts";
import { turnTo } from "./support/turn-to.ts";

const browser = browserForFile();
const RECEIPTS = `${pagePath("activity")}?kind=answer`;

const rows = (page: Page) => page.getByRole("list", { name: "Receipts, newest first" }).locator(":scope > li");

describe("a receipt of an answer that did not reach its end", () => {
  test("says why, in the list and on its page, and cannot be anchored", async () => {
    const model = await startOpenAiStandIn();
    onTestFinished(() => model.close());
    model.knobs.next.push({ kind: "refusal" });
    const service = await openService({ MODEL_BASE_URL: model.baseUrl, MODEL_NAME: "stand-in" });
    await expect(service.client.chat({ agentId: "assistant", query: "Dinner?" })).rejects.toThrow();
    const { page } = await browser.visit(service.url);
    await page.goto("/receipts?status=broken-off");
    await eventually(() => rows(page).count()).toBe(1);
    expect(await rows(page).first().innerText()).toContain("broken off: the model failed");
    await expectSoundInBothSchemes(page, "receipts-broken-off");
    await rows(page).first().getByRole("link").click();
    await page.getByText("The answer was broken off: the model failed.").waitFor();
    await page.getByText("Only a complete receipt can be.").waitFor();
    expect(await page.getByText("Anchor this receipt").count()).toBe(0);
    await expectStateSound(page, "receipt-broken-off");
    await turnTo(page, pagePath("overview"));
    await page.getByText("0 answers in progress, 1 broken off.").waitFor();
  });
});

describe("the list of receipts", () => {
  test.for(FLOW_WIDTHS)("shows the status of each receipt, and filters them, on a %s", async (width) => {
    const service = await openOnWalrus();
    const { client, walrus } = service;
    await client.chat({ agentId: "stranger", query: "Anything?" });
    walrus.knobs.get.fault = "unavailable";
    await client.chat({ agentId: "planner", query: "When do I fly?" });
    walrus.knobs.get.fault = "wrong-bytes";
    await client.chat({ agentId: "advisor", query: "How much is saved?" });
    walrus.knobs.clear();
    const { receipt } = await client.chat({ agentId: "companion", query: "How do I feel?" });
    await client.anchorReceipt({ receipt });
    await askAndAnchor(service);
    await askAndAnchor(service, { claimNamespaces: ["diet", "finance"] });

    const { page } = await browser.visit(service.url, { width });
    await page.goto(RECEIPTS);
    await eventually(() => rows(page).count()).toBe(6);
    // Each row names the model below the agent.
    const shown = (await rows(page).allInnerTexts()).map((text) => text.replaceAll(/\s+/g, " "));
    for (const text of shown) expect(text).toContain(" portcullis-extractive-2 ");
    const texts = shown.map((text) => text.replace(" portcullis-extractive-2 ", " "));
    expect(texts[0]).toMatch(/assistant \d+ used(?:, \d+ cited)? 1 closed intact on the ledger, not authorized/);
    expect(texts[1]).toMatch(/assistant \d+ used(?:, \d+ cited)? 1 closed intact on the ledger/);
    expect(texts[2]).toMatch(/companion \d+ used(?:, \d+ cited)? 3 closed intact anchored as a blob/);
    expect(texts[3]).toMatch(/advisor \d+ used(?:, \d+ cited)? 4 closed (\d of \d )?altered not anchored/);
    expect(texts[4]).toMatch(/planner \d+ used(?:, \d+ cited)? 3 closed not reachable not anchored/);
    expect(texts[5]).toMatch(/stranger 0 used 6 closed nothing to check not anchored/);
    await expectSoundEverywhere(page, "receipts");

    await page.getByLabel("Anchored").selectOption("no");
    await eventually(() => rows(page).count()).toBe(3);
    await page.getByLabel("Memories").selectOption("no");
    await eventually(() => rows(page).count()).toBe(2);
    expect(new URL(page.url()).search).toBe("?kind=answer&anchored=no&verified=no");
    await page.getByLabel("Agent").selectOption("planner");
    await eventually(() => rows(page).count()).toBe(1);
    await page.reload();
    await eventually(() => rows(page).count()).toBe(1);
    await expectStateSound(page, "receipts-filtered");
    await page.getByLabel("Agent").selectOption("companion");
    await page.getByText("No receipt matches.").waitFor();
    await page.getByRole("button", { name: "Clear all filters" }).click();
    await page.getByLabel("What").selectOption({ label: "Answers and receipts" });
    await eventually(() => rows(page).count()).toBe(6);
    await page.getByLabel("Namespace").selectOption("finance");
    await eventually(() => rows(page).count()).toBe(6);
  });

  test("shows an error while the service does not answer, is empty at first, links to the console, and keeps the focus", async () => {
    const service = await openService();
    const { page, expectError } = await browser.visit(service.url);
    expectError(/api\/receipts/);
    await page.route("**/api/receipts?*", (route) => route.abort("connectionrefused"));
    await page.goto(RECEIPTS);
    await page.getByRole("alert").getByText("The service did not answer").waitFor();
    await expectStateSound(page, "receipts-down");
    await page.unroute("**/api/receipts?*");
    await page.getByRole("button", { name: "Try again" }).click();
    await page.getByText("No receipts yet.").waitFor();
    await expectStateSound(page, "receipts-none");
    await page.getByRole("link", { name: "Ask something" }).click();
    await page.getByRole("heading", { level: 1, name: "Memory for AI agents, with a gate and a receipt" }).waitFor();

    await service.client.chat({ agentId: "assistant", query: "What may I eat on Friday?" });
    const focused = () => page.evaluate(() => document.activeElement?.tagName);
    for (const button of ["Clear all filters", "Show all activity"]) {
      await page.goto(RECEIPTS);
      await page.getByLabel("Anchored").selectOption({ label: "Anchored" });
      await page.getByRole("button", { name: button }).click();
      await eventually(focused).toBe("SELECT");
    }
    await page.goto(RECEIPTS);
    await rows(page).first().getByRole("link").click();
    await page.getByRole("heading", { name: "Anchors", exact: true }).waitFor();
    expect(await focused()).toBe("H1");
  });

  test("is loaded page by page", async () => {
    const service = await openService();
    for (let i = 0; i < 120; i++) await service.client.chat({ agentId: "advisor", query: "How much is saved?" });
    const { page } = await browser.visit(service.url);
    await page.goto(RECEIPTS);
    await page.getByText("The newest 50 receipts").waitFor();
    await page.getByRole("button", { name: "Show older receipts" }).click();
    await page.getByText("The newest 100 receipts").waitFor();
    await page.getByRole("button", { name: "Show older receipts" }).click();
    await page.getByText("120 receipts.", { exact: true }).waitFor();
    expect(await rows(page).count()).toBe(120);
    expect(await page.getByRole("button", { name: "Show older receipts" }).count()).toBe(0);
  });
});

describe("the page of a receipt", () => {
  test.for(FLOW_WIDTHS)("shows, downloads and anchors the receipt, on a %s", async (width) => {
    const service = await openService();
    const { receipt } = await service.client.chat({ agentId: "assistant", query: "What may I eat on Friday?" });
    const { page } = await browser.visit(service.url, {
      width,
      permissions: ["clipboard-read", "clipboard-write"],
    });
    await page.goto(RECEIPTS);
    await rows(page).first().getByRole("link").click();
    await page.waitForURL(`**${pagePath("receipt", receipt)}`);
    await page.getByRole("heading", { level: 1, name: "Receipt" }).waitFor();
    await page.getByText("Not anchored yet.").waitFor();
    await page.getByRole("heading", { name: /^Memories given to the model: \d+/ }).waitFor();
    await expectSoundEverywhere(page, "receipt");

    const downloading = page.waitForEvent("download");
    await page.getByRole("button", { name: "Download as JSON" }).click();
    const download = await downloading;
    expect(download.suggestedFilename()).toBe(`${receipt.answerId}.json`);
    expect(await readFile(await download.path(), "utf8")).toBe(canonicalJson(receipt));
    const proving = page.waitForEvent("download");
    await page.getByRole("button", { name: "Download the proof" }).click();
    const proof = await proving;
    expect(proof.suggestedFilename()).toBe(`${receipt.answerId}.portcullis.json`);
    const judged = await judge(await readFile(await proof.path(), "utf8"));
    const checks = "result" in judged ? judged.result.checks : [];
    expect(checks.flatMap(({ name, status }) => (status === "pass" ? name : []))).toEqual(
      expect.arrayContaining(["receipt", "evidence", "statements", "signature", "memory", "log"]),
    );
    expect(checks.filter(({ status }) => status === "fail")).toEqual([]);
    await page.getByRole("button", { name: "Copy link" }).click();
    await eventually(() => page.evaluate(() => navigator.clipboard.readText())).toBe(
      service.url + pagePath("receipt", receipt),
    );

    await page.getByRole("button", { name: "Anchor on the ledger …" }).click();
    await page.getByRole("checkbox", { name: "finance" }).check();
    await page.getByRole("button", { name: /^Anchor with \d claims$/ }).click();
    const anchors = page.getByRole("region", { name: "Anchors" });
    const onLedger = anchors.getByRole("list", { name: "On the ledger, oldest first" });
    await onLedger.getByText("not authorized: a claim was refused").waitFor();
    await anchors.getByRole("heading", { name: "As a blob" }).waitFor();
    await anchors.getByText("as long as this service keeps its records").first().waitFor();
    const title = await anchors.locator("dd [title]").first().getAttribute("title");
    expect(title).toBe(digestOf(receipt));
    await expectSoundEverywhere(page, "receipt-anchored");
    await onLedger.getByRole("link", { name: "Verify it" }).click();
    await page.waitForURL(`**${pagePath("verify", { receiptId: "0x*" })}`);
    await page.goBack();
    await onLedger.locator('a[href^="/ledger/tx/"]').click();
    await page.waitForURL(`**${pagePath("ledgerTransaction", { digest: "*" })}`);
  });

  test("says what the recall was limited to, and so does the verification to whoever holds the opening", async () => {
    const { client, url } = await openService();
    const filters = { namespacePrefix: "diet", metadata: { topic: "food" } };
    const { receipt, opening, answer } = await client.chat({ agentId: "assistant", query: "Dinner?", ...filters });
    const { receiptId } = await client.anchorOnChain({ receipt, sealed: true });
    const { page } = await browser.visit(url);
    await page.goto(pagePath("receipt", receipt));
    await page.getByText("Limited to: namespaces within diet, metadata topic").waitFor();
    await expectStateSound(page, "receipt-limited");
    await page.goto(pagePath("verify", { receiptId }));
    const limits = page.locator(".fact").filter({ hasText: "Limited to" });
    await limits.getByText("sealed").waitFor();
    const held = openingOfAll(receipt, opening.seed, { question: "Dinner?", answer, filters });
    await page.goto(`${pagePath("verify", { receiptId })}#${await writeFragment(held)}`);
    await page.reload();
    await limits.getByText('namespaces within diet, metadata {"topic":"food"}').waitFor();
    await expectStateSound(page, "verification-limited");

    const other = await client.chat({ agentId: "assistant", query: "Dinner?" });
    await turnTo(page, pagePath("receipt", other.receipt));
    await page.getByRole("heading", { name: "Anchors", exact: true }).waitFor();
    expect(await page.getByText("Limited to").count()).toBe(0);
  });

  test("says until when the blob store keeps the proof", async () => {
    const service = await openOnWalrus();
    const { receipt } = await askAndAnchor(service);
    const { anchor } = await service.client.getReceipt(receipt);
    const { page } = await browser.visit(service.url);
    await page.goto(pagePath("receipt", receipt));
    const kept = page.getByRole("region", { name: "Anchors" }).locator("dd").filter({ hasText: "at least" });
    await kept.waitFor();
    expect(await kept.locator("time").getAttribute("datetime")).toBe(anchor?.storedUntil);
    await page.getByText("every claim authorized").waitFor();
    await expectStateSound(page, "receipt-whole");
  });

  test("shows that a receipt does not exist", async () => {
    const service = await openService();
    const { page, expectError } = await browser.visit(service.url);
    expectError(/40[04] \((Not Found|Bad Request)\)/);
    for (const answerId of ["ans_none", "not an id"]) {
      await page.goto(pagePath("receipt", { answerId }));
      await page.getByText("This service has no receipt with this id.").waitFor();
    }
    await expectStateSound(page, "receipt-none");
  });

  test("shows hostile names and texts as text", async () => {
    const service = await openService();
    const markup = "<img src=x onerror=alert(1)><script>alert(2)</script>";
    const name = `<b onclick=alert(3)>\u05d0\u05d1\u05d2${"W".repeat(40)}`;
    for (const content of [markup, "W".repeat(8_000), "pay \u202e000,1 to\u2066 nobody"]) {
      await service.client.capture({ namespace: name, content, sourceAgent: name });
    }
    await service.client.setAccess({ agentId: name, namespace: name, allowed: true });
    const { receipt } = await service.client.chat({ agentId: name, query: "pay nobody" });
    const { page } = await browser.visit(service.url);
    await page.goto(RECEIPTS);
    await eventually(() => rows(page).count()).toBe(1);
    await expectStateSound(page, "receipts-hostile");
    await page.goto(pagePath("receipt", receipt));
    await page.getByText(markup, { exact: true }).waitFor();
    expect(await page.locator("main").locator("img, script, b[onclick]").count()).toBe(0);
    await expectStateSound(page, "receipt-hostile");
  });
});
