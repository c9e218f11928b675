// The verdict of the verifier's page on a receipt: what it checks, whom it asks, what the reader trusts, and what it says
// while evidence is missing or sealed.
import type { Page } from "playwright-core";
import { describe, expect, test } from "vitest";
import { pagePath } from "#contract/page-paths.ts";
import { openingOfAll } from "#core/receipt/held-values.ts";
import { casesOf } from "#test/support/runs.ts";
import { readFragment, writeFragment } from "#web/receipt/opening-link.ts";
import { askAndAnchor } from "./support/ask-and-anchor.ts";
import { browserForFile, eventually } from "./support/browser.ts";
import { openOnSui, openOnWalrus, openService } from "./support/open-service.ts";
import { expectSound, expectSoundEverywhere, expectStateSound, screenshot } from "./support/page-assertions.ts";
import { checkOn, expectVerdict, statusesOn, unfold } from "./support/verify-page.ts";

const browser = browserForFile({ computes: true });
const QUESTION = "What may I eat on Friday?";

/**
 * Breaks the connections of the first requests. Unlike a route with `times`, it lets the others through itself: when a
 * route ends while a page loads, the driver can lose requests that are under way.
 */
async function lose(page: Page, url: string | RegExp, times: number): Promise<void> {
  let left = times;
  await page.route(url, (route) => (left-- > 0 ? route.abort("connectionreset") : route.continue()));
}

test("the browser fetches every blob itself, and the verdict is pending while one is on its way, unknown while one is missing, and failed for other bytes", async () => {
  const service = await openOnWalrus();
  const { verifyPath, receipt, receiptId, digestHex, storeBlob } = await askAndAnchor(service);
  const { page, expectError } = await browser.visit(service.url);
  const requested: string[] = [];
  page.on("request", (request) => requested.push(request.url()));
  const failed: string[] = [];
  page.on("requestfailed", (request) => failed.push(request.url()));
  const response = await page.goto(verifyPath);

  await expectVerdict(page, "verified");
  const statuses = await statusesOn(page);
  expect([...new Set([...statuses.values()].join(" ").split(" "))]).toEqual(["pass"]);
  expect(statuses.get("memory")?.split(" ")).toHaveLength(receipt.usedMemories.length);
  await checkOn(page, "digest").getByText(digestHex).first().waitFor();
  expect(await page.getByText("the service agrees").count()).toBe(await page.locator("[data-check]").count());

  // The browser asked the aggregator for the receipt and for every memory.
  const blobs = requested.filter((url) => url.startsWith(`${service.walrus.aggregatorUrl}/v1/blobs/`));
  const refs = new Set(receipt.usedMemories.map(({ storeRef }) => storeRef));
  expect(new Set(blobs).size).toBe(1 + refs.size);
  expect(requested).toContain(`${service.url}/api/ledger/objects/${receiptId}`);
  expect(failed).toEqual([]);

  const policy = (await response?.headerValue("content-security-policy")) ?? "";
  expect(policy).toContain("script-src 'self';");
  expect(policy).toContain(`connect-src 'self' ${service.walrus.aggregatorUrl};`);
  expect(policy).not.toContain("unsafe-inline");
  await expectSoundEverywhere(page, "verify");

  // One that is on its way.
  const blob = `**/v1/blobs/${storeBlob}`;
  const held = Promise.withResolvers<void>();
  await page.route(blob, async (route) => {
    await held.promise;
    await route.continue();
  });
  await page.reload();
  await eventually(async () => (await statusesOn(page)).get("object")).toBe("pass");
  expect((await statusesOn(page)).get("digest")).toBe("pending");
  expect(await page.locator("[data-verdict]").getAttribute("data-verdict")).toBe("pending");
  await page.getByRole("heading", { level: 1, name: "Checking" }).waitFor();
  await screenshot(page, "verify-pending");
  held.resolve();
  await expectVerdict(page, "verified");

  // One whose connection broke is asked for again.
  await page.unroute(blob);
  expectError(/\/v1\/blobs\//);
  await lose(page, blob, 1);
  await page.reload();
  await expectVerdict(page, "verified");

  const faults = ["reset", "unavailable", "too-many-requests", "endless"] as const;
  for (const fault of casesOf<(typeof faults)[number]>(faults, ["unavailable", "endless"])) {
    service.walrus.knobs.get.fault = fault;
    // Another document, as for somebody who comes while it lasts.
    await page.reload();
    await expectVerdict(page, "unknown");
    const missing = await statusesOn(page);
    expect([missing.get("blob"), missing.get("digest"), missing.get("memory")]).toEqual(Array(3).fill("unknown"));
    expect(await page.getByRole("heading", { name: /Verified|Consistent/ }).count()).toBe(0);
    if (fault === "unavailable") await expectStateSound(page, "verify-unknown");

    service.walrus.knobs.clear();
    await page.getByRole("button", { name: "Check again" }).click();
    await expectVerdict(page, "verified");
  }

  service.walrus.knobs.get.fault = "wrong-bytes";
  await page.reload();
  await expectVerdict(page, "failed");
  expect((await statusesOn(page)).get("digest")).toBe("fail");
  const values = checkOn(page, "digest").locator("dd");
  expect(await values.allInnerTexts()).toEqual([digestHex, expect.stringMatching(/^[0-9a-f]{64}$/)]);
  expect(await checkOn(page, "digest").locator("mark").count()).toBe(2);
  expect(await values.nth(1).innerText()).not.toBe(digestHex);
  await expectStateSound(page, "verify-tampered");
  service.walrus.knobs.clear();

  // The browser alone is given other bytes.
  await page.route(blob, async (route) => {
    const fetched = await route.fetch();
    await route.fulfill({ response: fetched, body: `${await fetched.text()} ` });
  });
  await page.reload();
  await expectVerdict(page, "failed", "verified");
  const alert = page.getByRole("alert");
  await alert.getByText("Your browser and the service do not agree").waitFor();
  await unfold(page);
  await alert.getByRole("row", { name: "Is this the text that was anchored? fail pass" }).waitFor();
  await checkOn(page, "digest").getByText("the service says: pass").waitFor();
  await expectSound(page, "verify-disagreement");
});

test("code that was lost on its way is asked for again, and the verdict and its details come without a reload", async () => {
  const service = await openService();
  const { verifyPath } = await askAndAnchor(service);
  const { page, expectError } = await browser.visit(service.url);
  const loads: string[] = [];
  page.on("load", () => loads.push(page.url()));
  expectError(/verify-in-browser|verification-details|Failed to (?:load|fetch)/);
  // Twice each: it is tried once more by itself, then when the reader says so.
  await lose(page, /\/verify-in-browser-/, 2);
  await lose(page, /\/verification-details-/, 2);
  await page.goto(verifyPath);
  await page.locator('[data-verdict="unknown"]').waitFor();
  await page.getByRole("button", { name: "Try again" }).click();
  await page.getByRole("button", { name: "Check again" }).click();
  await expectVerdict(page, "verified");
  expect(loads).toHaveLength(1);
});

test("an opening whose code was lost on its way is read when the reader tries again", async () => {
  const { client, url } = await openService();
  const { receipt, opening, answer } = await client.chat({ agentId: "assistant", query: QUESTION });
  const { receiptId } = await client.anchorOnChain({ receipt, sealed: true });
  const held = openingOfAll(receipt, opening.seed, { question: QUESTION, answer });
  const { page, expectError } = await browser.visit(url);
  expectError(/ERR_CONNECTION_RESET/);
  await lose(page, /\/assets\/receipts-/, 2);
  await page.goto(`${pagePath("verify", { receiptId })}#${await writeFragment(held)}`);
  await page.getByRole("button", { name: "Try again" }).click();
  await expectVerdict(page, "verified", "unknown");
  await page.getByText("Severe peanut allergy").first().waitFor();
});

test("the verdict is failed, with the difference, for a forged receipt, a refused claim, an object of another package, and an id that the ledger does not have", async () => {
  const service = await openService();
  const { client } = service;
  const { receipt } = await client.chat({ agentId: "assistant", query: QUESTION });
  const [first, ...rest] = receipt.usedMemories;
  const forged = { ...receipt, usedMemories: [{ ...first, snippet: "Eats everything" }, ...rest] } as typeof receipt;
  const { page, expectError } = await browser.visit(service.url);
  await page.goto((await client.anchorOnChain({ receipt: forged })).verifyPath);
  await expectVerdict(page, "failed");
  const statuses = await statusesOn(page);
  expect(statuses.get("signature")).toBe("fail");
  await page.getByRole("heading", { level: 1, name: /^Failed: .*its signature/ }).waitFor();
  expect(statuses.get("digest")).toBe("pass");
  expect(statuses.get("memory")?.startsWith("fail pass")).toBe(true);
  await checkOn(page, "memory").first().getByText("Eats everything").first().waitFor();
  await screenshot(page, "verify-forged");

  const { answerId } = receipt;
  const refused = await client.anchorOnChain({ answerId, claimNamespaces: ["diet", "finance"] });
  expect(refused.allAuthorized).toBe(false);
  await page.goto(refused.verifyPath);
  await expectVerdict(page, "failed");
  expect((await statusesOn(page)).get("claims")).toBe("fail");
  await checkOn(page, "claims").getByText("“finance”").waitFor();

  // It looks like a receipt.
  await page.route("**/api/ledger/objects/*", async (route) => {
    const object = await (await route.fetch()).json();
    await route.fulfill({ json: { ...object, type: `0x${"ac".repeat(32)}::gate::Receipt` } });
  });
  await page.goto((await client.anchorOnChain({ answerId })).verifyPath);
  await expectVerdict(page, "failed", "verified");
  await checkOn(page, "object").getByText("not a Receipt of our package").waitFor();
  expect((await statusesOn(page)).get("digest")).toBe("unknown");
  await page.unrouteAll();

  expectError(/404 \(Not Found\) .*\/api\/ledger\/objects\/0x0+1\)/);
  await page.goto(pagePath("verify", { receiptId: "0x1" }));
  await expectVerdict(page, "failed");
  await page.getByText("The ledger has no object with this id.").first().waitFor();
  await page.goto(pagePath("verify", { receiptId: "0xzz" }));
  await page.getByRole("heading", { level: 1, name: "Not a receipt id" }).waitFor();
});

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

describe("whom the page asks", () => {
  test("on a network of the operator's own, a receipt is verified against Sui without asking the service for the object", async () => {
    const service = await openOnSui();
    const { verifyPath } = await askAndAnchor(service);
    const { page } = await browser.visit(service.url);
    const requested: string[] = [];
    page.on("request", (request) => requested.push(request.url()));
    await page.goto(verifyPath);

    await expectVerdict(page, "verified");
    await page.getByRole("heading", { level: 1, name: "Verified", exact: true }).waitFor();
    expect(requested.some((url) => url.startsWith(service.chain.node.baseUrl))).toBe(true);
    expect(requested.filter((url) => url.includes("/api/ledger/objects"))).toEqual([]);
    await page.getByText("against a full node that the operator chose").first().waitFor();
    await unfold(page);
    const asked = page.locator("[data-sources]");
    await asked.getByText("Sui, localnet").waitFor();
    await asked.getByText("chosen by the operator").first().waitFor();
    await expectSound(page, "verify-sui");
  });

  test("on a public network it asks a full node that it chose itself, not the operator's, or one that the reader names", async () => {
    const service = await openOnSui("mainnet");
    const { verifyPath } = await askAndAnchor(service);
    const { page, expectError } = await browser.visit(service.url);
    const requested: string[] = [];
    page.on("request", (request) => requested.push(request.url()));
    const asked = await forwardTo(page, service.chain.node.baseUrl);
    await page.goto(verifyPath);
    await expectVerdict(page, "verified");
    await page.getByRole("heading", { level: 1, name: "Verified", exact: true }).waitFor();
    expect(asked.length).toBeGreaterThan(1);
    expect(requested.filter((url) => url.startsWith(service.chain.node.baseUrl))).toEqual([]);
    await unfold(page);
    await page.locator("[data-sources]").getByText("chosen by this page, not by the operator").waitFor();
    expect(await page.getByText("that the operator chose").count()).toBe(0);
    await expectStateSound(page, "verify-own-node");

    // What only the operator's node has is not on Sui, and the page says so.
    const empty = await openOnSui("mainnet");
    await page.unrouteAll();
    await forwardTo(page, empty.chain.node.baseUrl);
    await page.reload();
    await expectVerdict(page, "failed", "verified");
    await page.getByRole("heading", { level: 1, name: "Failed: no such receipt" }).waitFor();
    await page.getByRole("alert").getByText("Your browser and the service do not agree").waitFor();

    await page.unrouteAll();
    expectError(/fullnode\.mainnet/);
    await page.route(`${OWN_NODE}/**`, (route) => route.abort());
    await page.reload();
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

test("what the reader trusts is checked from then on, and a change is shown", async () => {
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

/** The link to so many fields on the receipt's page. */
const linkOn = async (page: Page, fields: string): Promise<string> =>
  (await page.getByRole("link", { name: new RegExp(`^Link to ${fields} fields$`) }).getAttribute("href")) ?? "";

const expectSealed = async (page: Page, disclosed: number) => {
  await page.locator(`[data-verdict="unknown"]`).waitFor();
  await page.getByRole("heading", { level: 1, name: `Sealed: ${disclosed} of 7 disclosed` }).waitFor();
  await page.locator("[data-check]").first().waitFor({ state: "attached" });
};

test("a sealed receipt: a shared link opens everything in the reader's browser, and no server sees the opening; without one nothing sealed is verified; a link opens one field, the box the rest, and another's opening fails", async () => {
  const { client, url: origin } = await openService({ RECALL_LIMIT: "1" });
  const { answer, receipt } = await client.chat({ agentId: "assistant", query: QUESTION });
  const { answerId } = receipt;
  const { verifyPath } = await client.anchorOnChain({ answerId, sealed: true });
  const receiptPage = pagePath("receipt", { answerId });
  const { page } = await browser.visit(origin);
  await page.goto(receiptPage);
  await page.getByText("Share the proof").click();
  await page.getByRole("textbox", { name: "Question" }).fill(QUESTION);
  await page.getByRole("textbox", { name: "Answer" }).fill(answer);
  await page.getByRole("group", { name: "Memory 1" }).getByRole("checkbox", { name: "source and digest" }).waitFor();
  await eventually(() => linkOn(page, "7 of 7")).toMatch(/#/);
  const url = await linkOn(page, "7 of 7");
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

  await page.goto(`${verifyPath}#AAAA`);
  await page.getByRole("heading", { level: 1, name: "Failed: the opening is not of this receipt" }).waitFor();
  await page.goto(receiptPage);
  await page.getByText("Share the proof").click();
  await eventually(() => linkOn(page, "4 of 7")).toMatch(/#/);
  const all = await linkOn(page, "4 of 7");
  for (const name of ["Closed namespaces", "text", "source and digest"])
    await page.getByRole("checkbox", { name, exact: true }).uncheck();
  await eventually(() => linkOn(page, "1 of 7")).toMatch(/#/);
  const one = await linkOn(page, "1 of 7");
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
  await unfold(page);
  await page.getByText("this policy object has plain names").waitFor();
  expect(await page.getByText(receipt.usedMemories[0]?.snippet ?? "").count()).toBe(0);
  await expectStateSound(page, "verify-sealed");
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
    const [, fragment = ""] = (await linkOn(page, "\\d of \\d")).split("#");
    return readFragment(fragment);
  }).toContain("A256GCM");
});
