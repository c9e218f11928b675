import { describe, expect, test } from "vitest";
import { pagePath } from "#contract/page-paths.ts";
import { askAndAnchor } from "./support/ask-and-anchor.ts";
import { browserForFile, eventually } from "./support/browser.ts";
import { openOnSui, openOnWalrus, openService } from "./support/open-service.ts";
import { expectSound, expectSoundEverywhere, screenshot } from "./support/page-assertions.ts";
import { checkOn, expectVerdict, statusesOn } from "./support/verify-page.ts";

const browser = browserForFile();

describe("a valid receipt", () => {
  test("is verified by the browser, which fetches every blob itself, and by the service", async () => {
    const service = await openOnWalrus();
    const { verifyPath, receipt, receiptId, digestHex } = await askAndAnchor(service);
    const { page } = await browser.visit(service.url);
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
  });

  test("is verified against Sui without asking the service for the object", async () => {
    const service = await openOnSui();
    const { verifyPath } = await askAndAnchor(service);
    const { page } = await browser.visit(service.url);
    const requested: string[] = [];
    page.on("request", (request) => requested.push(request.url()));
    await page.goto(verifyPath);

    await expectVerdict(page, "verified");
    expect(requested.some((url) => url.startsWith(service.chain.node.baseUrl))).toBe(true);
    expect(requested.filter((url) => url.includes("/api/ledger/objects"))).toEqual([]);
    await page.getByText("against a full node that the operator chose").first().waitFor();
    const asked = page.locator("[data-sources]");
    await asked.getByText("Sui, localnet").waitFor();
    await asked.getByText("chosen by the operator").first().waitFor();
    await expectSound(page, "verify-sui");
  });
});

describe("the verdict is failed, with the difference, for", () => {
  test("a blob whose bytes are not the anchored ones", async () => {
    const service = await openOnWalrus();
    const { verifyPath, digestHex } = await askAndAnchor(service);
    service.walrus.knobs.get.fault = "wrong-bytes";
    const { page } = await browser.visit(service.url);
    await page.goto(verifyPath);

    await expectVerdict(page, "failed");
    expect((await statusesOn(page)).get("digest")).toBe("fail");
    const values = checkOn(page, "digest").locator("dd");
    expect(await values.allInnerTexts()).toEqual([digestHex, expect.stringMatching(/^[0-9a-f]{64}$/)]);
    expect(await checkOn(page, "digest").locator("mark").count()).toBe(2);
    expect(await values.nth(1).innerText()).not.toBe(digestHex);
    await expectSoundEverywhere(page, "verify-tampered");
  });

  test("a receipt that the service did not issue", async () => {
    const service = await openService();
    const { receipt } = await service.client.chat({ agentId: "assistant", query: "What may I eat?" });
    const [first, ...rest] = receipt.usedMemories;
    const forged = { ...receipt, usedMemories: [{ ...first, snippet: "Eats everything" }, ...rest] } as typeof receipt;
    const { verifyPath } = await service.client.anchorOnChain({ receipt: forged });
    const { page } = await browser.visit(service.url);
    await page.goto(verifyPath);

    await expectVerdict(page, "failed");
    const statuses = await statusesOn(page);
    expect(statuses.get("signature")).toBe("fail");
    await page.getByRole("heading", { level: 1, name: /^Failed: .*its signature/ }).waitFor();
    expect(statuses.get("digest")).toBe("pass");
    expect(statuses.get("memory")?.startsWith("fail pass")).toBe(true);
    await checkOn(page, "memory").first().getByText("Eats everything").first().waitFor();
    await screenshot(page, "verify-forged");
  });

  test("a claim that the policy did not allow", async () => {
    const service = await openService();
    const { verifyPath, allAuthorized } = await askAndAnchor(service, { claimNamespaces: ["diet", "finance"] });
    expect(allAuthorized).toBe(false);
    const { page } = await browser.visit(service.url);
    await page.goto(verifyPath);
    await expectVerdict(page, "failed");
    expect((await statusesOn(page)).get("claims")).toBe("fail");
    await checkOn(page, "claims").getByText("“finance”").waitFor();
  });

  test("an object of another package that looks like a receipt", async () => {
    const service = await openService();
    const { verifyPath } = await askAndAnchor(service);
    const { page } = await browser.visit(service.url);
    await page.route("**/api/ledger/objects/*", async (route) => {
      const object = await (await route.fetch()).json();
      await route.fulfill({ json: { ...object, type: `0x${"ac".repeat(32)}::gate::Receipt` } });
    });
    await page.goto(verifyPath);
    await expectVerdict(page, "failed", "verified");
    await checkOn(page, "object").getByText("not a Receipt of our package").waitFor();
    expect((await statusesOn(page)).get("digest")).toBe("unknown");
  });

  test("an id that the ledger does not have", async () => {
    const service = await openService();
    const { page, expectError } = await browser.visit(service.url);
    expectError(/404 \(Not Found\) .*\/api\/ledger\/objects\/0x0+1\)/);
    await page.goto(pagePath("verify", { receiptId: "0x1" }));
    await expectVerdict(page, "failed");
    await page.getByText("The ledger has no object with this id.").first().waitFor();
  });
});

describe("the verdict is not verified while evidence is missing:", () => {
  test("unknown while the aggregator does not deliver, verified afterwards, and when only one connection broke", async () => {
    const service = await openOnWalrus();
    const { verifyPath, storeBlob } = await askAndAnchor(service);
    const { page, expectError } = await browser.visit(service.url);
    expectError(/\/v1\/blobs\//);
    await page.route(`**/v1/blobs/${storeBlob}`, (route) => route.abort("connectionreset"), { times: 1 });
    await page.goto(verifyPath);
    await expectVerdict(page, "verified");
    for (const fault of ["reset", "unavailable", "too-many-requests", "endless"] as const) {
      service.walrus.knobs.get.fault = fault;
      // Another document, as for somebody who comes while it lasts.
      await page.reload();
      await expectVerdict(page, "unknown");
      const statuses = await statusesOn(page);
      expect([statuses.get("blob"), statuses.get("digest"), statuses.get("memory")]).toEqual(Array(3).fill("unknown"));
      expect(await page.getByRole("heading", { name: "Verified" }).count()).toBe(0);
      if (fault === "unavailable") await expectSoundEverywhere(page, "verify-unknown");

      service.walrus.knobs.clear();
      await page.getByRole("button", { name: "Check again" }).click();
      await expectVerdict(page, "verified");
    }
  });

  test("pending while a blob is on its way", async () => {
    const service = await openOnWalrus();
    const { verifyPath, storeBlob } = await askAndAnchor(service);
    const { page } = await browser.visit(service.url);
    const held = Promise.withResolvers<void>();
    await page.route(`**/v1/blobs/${storeBlob}`, async (route) => {
      await held.promise;
      await route.continue();
    });
    await page.goto(verifyPath);
    await eventually(async () => (await statusesOn(page)).get("object")).toBe("pass");
    expect((await statusesOn(page)).get("digest")).toBe("pending");
    expect(await page.locator("[data-verdict]").getAttribute("data-verdict")).toBe("pending");
    await page.getByRole("heading", { level: 1, name: "Checking" }).waitFor();
    await screenshot(page, "verify-pending");
    held.resolve();
    await expectVerdict(page, "verified");
  });
});
