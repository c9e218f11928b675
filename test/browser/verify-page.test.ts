// The verifier's pages: /verify, the way in for whoever holds a receipt (any id, a link, a file, or the words of an answer),
// and what a reader can do with the page of one.
import type { Page } from "playwright-core";
import { describe, expect, test } from "vitest";
import { pagePath } from "#contract/page-paths.ts";
import { askAndAnchor } from "./support/ask-and-anchor.ts";
import { browserForFile, eventually, WIDTHS } from "./support/browser.ts";
import { focusOutline, tabTo } from "./support/keyboard.ts";
import { openService, openWithKeys } from "./support/open-service.ts";
import { expectSound, expectSoundEverywhere, expectSoundInBothSchemes, screenshot } from "./support/page-assertions.ts";
import { checkOn, expectVerdict, unfold } from "./support/verify-page.ts";

const browser = browserForFile({ computes: true });
const START = pagePath("verifyStart");
const QUESTION = "What may I eat on Friday?";
const box = (page: Page) => page.getByLabel("Id of the receipt, or a link to it");

/** Drops a file, as a reader would choose it. */
async function drop(page: Page, name: string, content: unknown): Promise<void> {
  const text = typeof content === "string" ? content : JSON.stringify(content);
  await page
    .locator('input[type="file"]')
    .setInputFiles({ name, mimeType: "application/json", buffer: Buffer.from(text) });
}

test("a stranger finds a receipt by each of its ids, by a link with ?q=, and by a shared link", async () => {
  const service = await openWithKeys();
  const { admin } = service;
  const { receipt } = await admin.chat({ agentId: "assistant", query: QUESTION });
  const { answerId } = receipt;
  const { receiptId, txDigest, digestHex, storeBlob } = await admin.anchorOnChain({ answerId });
  const secret = await admin.chat({ agentId: "assistant", query: QUESTION });
  const { page, expectError } = await browser.visit(service.url);
  await page.goto(START);
  await page.getByRole("link", { name: "Verify", exact: true }).waitFor();
  await expectSoundEverywhere(page, "verify-start");

  const verified = () => page.waitForURL(`${service.url}${pagePath("verify", { receiptId })}`);
  await tabTo(page, "Id of the receipt, or a link to it");
  await page.keyboard.type(` ${receiptId} `);
  await page.keyboard.press("Enter");
  await verified();
  await expectVerdict(page, "verified");
  const start = page.getByRole("link", { name: "Verify", exact: true });
  for (const id of [txDigest, digestHex.toUpperCase(), storeBlob, answerId]) {
    await start.click();
    await box(page).fill(id);
    await page.getByRole("button", { name: "Verify" }).click();
    await verified();
  }
  await page.goto(`${START}?q=${answerId}`);
  await verified();
  await start.click();
  await box(page).fill(`${service.url}${pagePath("verify", { receiptId })}#AAAA`);
  await page.keyboard.press("Enter");
  await page.getByRole("heading", { level: 1, name: "Failed: the opening is not of this receipt" }).waitFor();

  // A receipt that is not anchored is told as one that does not exist.
  expectError(/404 \(Not Found\) .*\/api\/anchors\//);
  const told: string[] = [];
  for (const id of [secret.receipt.answerId, "ans_nobody"]) {
    await page.goto(`${START}?q=${id}`);
    await page.getByRole("heading", { name: "No anchored receipt has this id" }).waitFor();
    await page.waitForFunction(() => document.activeElement?.tagName === "H2");
    told.push((await page.getByRole("main").innerText()).replaceAll(id, "<id>"));
  }
  expect(told[0]).toBe(told[1]);
  await expectSound(page, "verify-start-not-found");
  await box(page).fill("not an id at all");
  await page.keyboard.press("Enter");
  await page.getByText("That is not the id of a receipt.").waitFor();
  expect(await box(page).evaluate((input) => input === document.activeElement)).toBe(true);
});

describe("A receipt as a file", () => {
  test("is checked in the browser, compared with what was anchored, and sent nowhere", async () => {
    const service = await openService({ RECALL_LIMIT: "1" });
    const { client } = service;
    const reply = await client.chat({ agentId: "assistant", query: QUESTION });
    const { receipt, answer } = reply;
    await client.anchorOnChain({ answerId: receipt.answerId, sealed: true });
    const { page, expectError } = await browser.visit(service.url);
    const sent: string[] = [];
    page.on("request", (request) => sent.push(`${request.method()} ${request.url()} ${request.postData()}`));
    // The digest of the open form is not anchored, so it is found by its answer.
    expectError(/404 \(Not Found\) .*\/api\/anchors\//);

    await page.goto(START);
    await drop(page, "answer.json", reply);
    const verdict = page.locator("[data-held]");
    await verdict.getByRole("heading", { name: "This receipt was anchored" }).waitFor();
    expect(await verdict.getByRole("heading").evaluate((heading) => heading === document.activeElement)).toBe(true);
    await page.getByText("The answer belongs to this receipt").waitFor();
    await page.getByRole("textbox", { name: "Question" }).fill("What may I drink?");
    await page.getByText("The question is not the one of this receipt").waitFor();
    await page.getByRole("textbox", { name: "Question" }).fill(QUESTION);
    await page.getByText("The question belongs to this receipt").waitFor();
    await expectSoundInBothSchemes(page, "verify-start-file");
    const seed = reply.opening?.seed ?? "none";
    for (const secret of [seed, answer.slice(0, 20), receipt.usedMemories[0]?.snippet.slice(0, 20) ?? "none"])
      expect(sent.join("\n")).not.toContain(secret);
    expect(sent.every((line) => line.startsWith("GET "))).toBe(true);

    // The sealed anchor opens with what the file brings.
    await page.getByRole("link", { name: "Verify it on the ledger, sealed" }).click();
    await expectVerdict(page, "verified", "unknown");
    await page
      .getByText(receipt.usedMemories[0]?.snippet ?? "none")
      .first()
      .waitFor();
  });

  test("fails when it was changed, and says so of what is none, whatever it holds", async () => {
    const service = await openService();
    const { client } = service;
    const { receipt } = await client.chat({ agentId: "assistant", query: QUESTION });
    const { receiptId } = await client.anchorOnChain({ answerId: receipt.answerId });
    const { receipt: other } = await client.chat({ agentId: "assistant", query: QUESTION });
    const { page, expectError } = await browser.visit(service.url, { width: "phone" });
    expectError(/404 \(Not Found\) .*\/api\/anchors\//);
    await page.goto(START);
    const [first, ...rest] = receipt.usedMemories;
    await drop(page, "changed.json", { ...receipt, usedMemories: [{ ...first, snippet: "Eats everything" }, ...rest] });
    await page.getByRole("heading", { name: /^Failed: its signature, its text was changed$/ }).waitFor();
    await page.getByText("3 checks passed").waitFor();
    await expectSound(page, "verify-start-changed");

    await drop(page, "other.json", JSON.stringify(other, null, 2));
    await page.getByRole("heading", { name: "Not anchored" }).waitFor();
    expect(await page.locator('[data-check="signature"]').getAttribute("data-status")).toBe("pass");

    const hostile = { ...other, agentId: "<img src=x onerror=alert(1)>\u202e", signature: undefined };
    await drop(page, "hostile.json", hostile);
    await page.getByText("<img src=x onerror=alert(1)>⟨U+202E⟩").waitFor();
    for (const [name, content] of [
      ["<b>junk</b>.json", "[1,2"],
      ["deep.json", `{"receipt":${"[".repeat(100_000)}${"]".repeat(100_000)}}`],
      ["long.json", "x".repeat(3 * 1024 * 1024)],
      ["empty.json", ""],
    ] as const) {
      await drop(page, name, content);
      await page.getByRole("alert").getByText(`${name} is not a receipt.`).waitFor();
    }
    await expectSound(page, "verify-start-junk");
    await drop(page, "proof.json", { receiptId });
    await page.waitForURL(/\/verify\/0x/);
    await expectVerdict(page, "verified");
  });
});

test("a public blob leads on to its check, and the page says what that is worth", async () => {
  const service = await openService();
  const { receipt } = await service.client.chat({ agentId: "assistant", query: QUESTION });
  const { page } = await browser.visit(service.url);
  await page.goto(pagePath("receipt", { answerId: receipt.answerId }));
  await page.getByText("does not protect from the operator").first().waitFor();
  expect(await page.getByText(/anyone can check/i).count()).toBe(0);
  const save = page.getByRole("button", { name: "Save the receipt" });
  await save.click();
  await page.getByText("Saved.", { exact: true }).waitFor();
  expect(await save.evaluate((button) => button === document.activeElement)).toBe(true);
  await page.getByRole("button", { name: "Anchor on the ledger" }).click();
  await eventually(() => page.evaluate(() => document.activeElement?.tagName)).toBe("FIELDSET");
  await page.getByRole("link", { name: "Verify it" }).first().click();
  await page.getByRole("heading", { name: "Stored as a public blob" }).waitFor();
  expect(await page.locator("[data-check]").count()).toBe(5);
  await page.locator("[data-worth]").getByText("does not protect from the operator").waitFor();
  await expectSound(page, "verify-start-blob");

  await unfold(page);
  await page.getByRole("button", { name: "Trust what this service names" }).click();
  await page.locator("[data-trusted]").waitFor();
  await page.goto(START);
  await page.locator("[data-trusted] dd").nth(2).waitFor({ state: "attached" });
});

test("several anchors of one receipt are a choice, and a failed one names what failed and folds the rest", async () => {
  const service = await openService();
  const { client } = service;
  const { receipt } = await client.chat({ agentId: "assistant", query: QUESTION });
  const { answerId } = receipt;
  await client.anchorOnChain({ answerId });
  const { receiptId } = await client.anchorOnChain({ answerId, claimNamespaces: ["finance"] });
  const { page } = await browser.visit(service.url);
  await page.goto(`${START}?q=${answerId}`);
  await page.getByRole("heading", { name: "2 receipts on the ledger have this id" }).waitFor();
  await expectSound(page, "verify-start-several");
  await page
    .getByRole("listitem")
    .filter({ hasText: "a claim was refused" })
    .getByRole("link", { name: "Verify" })
    .click();
  await page.waitForURL(`${service.url}${pagePath("verify", { receiptId })}`);
  await page.getByRole("heading", { level: 1, name: "Failed: its claims" }).waitFor();
  const list = page.getByRole("region", { name: "What was checked" });
  await eventually(() => list.locator("[data-check]:visible").count()).toBe(1);
  await list.getByText(/^\d+ checks passed$/).click();
  expect(await list.locator("[data-check]:visible").count()).toBeGreaterThan(10);
});

test("the page works without script, and unknown addresses show the app's own page", async () => {
  const service = await openService();
  const { receipt } = await service.client.chat({ agentId: "assistant", query: QUESTION });
  const { receiptId } = await service.client.anchorOnChain({ answerId: receipt.answerId });
  const { page, expectError } = await browser.visit(service.url);
  await page.goto(`${START}?plain=1`);
  await page.getByLabel("Id of the receipt").fill(receipt.answerId);
  await page.getByRole("button", { name: "Verify" }).click();
  await page.getByRole("link", { name: "On the ledger" }).waitFor();
  expect(await page.locator("script").count()).toBe(0);
  await expectSound(page, "verify-start-plain");
  await page.getByLabel("Id of the receipt").fill(receiptId);
  await page.getByRole("button", { name: "Verify" }).click();
  await page.waitForURL(new RegExp(`/verify/${receiptId}\\?plain=1$`));

  expectError(/404 \(Not Found\)/);
  for (const path of ["/no/such/page", "/verify/a/b"]) {
    expect((await page.goto(path))?.status()).toBe(404);
    await page.getByRole("heading", { level: 1, name: "No such page" }).waitFor();
  }
  await page.goto("/policy/?viewAs=planner");
  await page.waitForURL(`${service.url}/policy?viewAs=planner`);
  await page.goto(pagePath("ledgerTransaction", { digest: "nothing" }));
  await page.getByRole("heading", { level: 1, name: "That is not a transaction digest" }).waitFor();
});

describe("the verifier", () => {
  test("says what the proof does not show, prints on one page, can be used with the keyboard alone, has the service make a deep check, and has a page without script", async () => {
    const service = await openService();
    const { verifyPath, receiptId, storeBlob } = await askAndAnchor(service);
    const { page } = await browser.visit(service.url, { permissions: ["clipboard-read", "clipboard-write"] });
    await page.goto(verifyPath);
    await expectVerdict(page, "verified");
    await page
      .locator("[data-verdict] + * > [data-not-shown]")
      .getByText("this service’s own, on one machine, and not Sui")
      .waitFor();
    const limits = page.getByRole("region", { name: "What else is not shown" });
    await limits.getByText("the service’s own mock store").waitFor();
    await limits.getByText("the model was given this prompt and no other").waitFor();

    // Printed, it is what is shown, without buttons, with the QR code.
    await page.setViewportSize({ width: 794, height: 1123 });
    const pdf = (await page.pdf({ format: "A4" })).toString("latin1");
    expect(pdf.match(/\/Type\s*\/Page\b/g)?.length).toBe(1);
    await page.emulateMedia({ media: "print" });
    expect(await page.locator("button:visible, nav:visible").count()).toBe(0);
    expect(await page.getByRole("img", { name: "QR code" }).count()).toBe(1);
    expect(await page.evaluate(() => getComputedStyle(document.documentElement).backgroundColor)).toBe(
      "rgb(255, 255, 255)",
    );
    await screenshot(page, "verify-print");
    await page.emulateMedia({ media: "screen" });
    await page.setViewportSize(WIDTHS.desktop);

    await tabTo(page, "Skip to content");
    await page.keyboard.press("Enter");
    await tabTo(page, "Check again");
    await page.keyboard.press("Enter");
    await expectVerdict(page, "verified");
    await tabTo(page, "Copy link");
    await page.keyboard.press("Enter");
    await eventually(() => page.evaluate(() => navigator.clipboard.readText())).toBe(
      service.url + pagePath("verify", { receiptId }),
    );
    await tabTo(page, "Repeat it in a shell");
    await page.keyboard.press("Enter");
    await page.getByText(`curl -s '${service.url}/api/ledger/objects/${receiptId}'`).waitFor();
    expect(await focusOutline(page)).toBe("solid");

    await page.getByRole("button", { name: "Request a deep check" }).click();
    const deep = page.getByRole("list", { name: "Deep check, by the service" });
    await deep.getByText(storeBlob).waitFor();
    expect(await deep.getByText("follows from its bytes").count()).toBeGreaterThan(1);
    expect(await page.getByRole("alert").count()).toBe(0);

    await page.getByRole("link", { name: "without any script" }).click();
    await page.waitForURL(/\?plain=1$/);
    expect(await page.locator("script").count()).toBe(0);
    await page.getByRole("heading", { level: 1, name: "Consistent: on a ledger that the operator keeps" }).waitFor();
  });

  test("without script, folds the checks that passed when one failed", async () => {
    const service = await openService();
    const { verifyPath } = await askAndAnchor(service, { claimNamespaces: ["finance"] });
    const { page } = await browser.visit(service.url);
    await page.goto(`${verifyPath}?plain=1`);
    await page.getByRole("heading", { level: 1, name: "Failed: its claims" }).waitFor();
    await page.getByRole("heading", { level: 3, name: "Was everything allowed that it used?" }).waitFor();
    const passed = page.getByRole("heading", { level: 3, name: "Is it a receipt of ours, on the ledger?" });
    expect(await passed.isVisible()).toBe(false);
    await page
      .getByText(/^\d+ checks passed$/)
      .first()
      .click();
    await passed.waitFor();
    await expectSound(page, "verify-plain-failed");
  });

  const markup = "<img src=x onerror=alert(1)><script>alert(2)</script>";
  const turned = "pay \u202e000,1 to\u2066 nobody";

  test("shows hostile memories and names as text", async () => {
    const service = await openService();
    const namespace = "<b onclick=alert(3)>\u05d0\u05d1\u05d2 diet";
    const facts = [markup, turned, `${markup} ${"long ".repeat(1_600)}`.slice(0, 7_999).trim()];
    await service.client.setAccess({ agentId: "reader", namespace, allowed: true });
    for (const content of facts) {
      await service.client.capture({ namespace, content, sourceAgent: '"><svg onload=alert(4)>' });
    }
    const { verifyPath } = await askAndAnchor(service, { agentId: "reader", query: "pay nobody" });
    const { page } = await browser.visit(service.url, { width: "phone" });
    await page.goto(verifyPath);
    await expectVerdict(page, "verified");

    const main = page.getByRole("main");
    await main.getByText(markup, { exact: true }).waitFor();
    await main.getByText("pay ⟨U+202E⟩000,1 to⟨U+2066⟩ nobody", { exact: true }).waitFor();
    expect(await main.locator("img, script, b[onclick], svg[onload]").count()).toBe(0);
    expect(await main.innerText()).not.toMatch(/[\u202a-\u202e\u2066-\u2069]/u);
    const long = checkOn(page, "memory").filter({ hasText: "long long" });
    await long.getByText(/The fetched bytes, 8,\d{3} bytes/).click();
    await long.getByRole("region", { name: "The fetched bytes" }).getByText("long ".repeat(1_000)).waitFor();
    await expectSound(page, "verify-hostile");
  });
});
