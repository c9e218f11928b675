// /verify/<receiptId> in a real browser: what it finds out by itself, and that nobody can make it say more.
import { describe, expect, test } from "vitest";
import { askAndAnchor } from "./support/ask-and-anchor.ts";
import { browserForFile } from "./support/browser.ts";
import { openOnSui, openOnWalrus, openService } from "./support/open-service.ts";
import { expectSound, expectSoundEverywhere, screenshot } from "./support/page-assertions.ts";
import { checkOn, eventually, expectVerdict, statusesOn } from "./support/verify-page.ts";

const browser = browserForFile();

describe("A receipt that is as it should be", () => {
  test("is verified by the browser itself, and by the service", async () => {
    const service = await openOnWalrus();
    const { verifyPath, receipt, receiptId, digestHex } = await askAndAnchor(service);
    const { page } = await browser.visit(service.url);
    const asked: string[] = [];
    page.on("request", (request) => asked.push(request.url()));
    const response = await page.goto(verifyPath);

    await expectVerdict(page, "verified");
    const statuses = await statusesOn(page);
    expect([...new Set([...statuses.values()].join(" ").split(" "))]).toEqual(["pass"]);
    expect(statuses.get("memory")?.split(" ")).toHaveLength(receipt.usedMemories.length);
    await checkOn(page, "digest").getByText(digestHex).first().waitFor();
    expect(await page.getByText("the service agrees").count()).toBe(await page.locator("[data-check]").count());

    // It asked the aggregator itself, for the receipt and for every memory.
    const blobs = asked.filter((url) => url.startsWith(`${service.walrus.aggregatorUrl}/v1/blobs/`));
    const refs = new Set(receipt.usedMemories.map(({ storeRef }) => storeRef));
    expect(new Set(blobs).size).toBe(1 + refs.size);
    expect(asked).toContain(`${service.url}/api/ledger/objects/${receiptId}`);

    const policy = (await response?.headerValue("content-security-policy")) ?? "";
    expect(policy).toContain("script-src 'self';");
    expect(policy).toContain(`connect-src 'self' ${service.walrus.aggregatorUrl};`);
    expect(policy).not.toContain("unsafe-inline");
    await expectSoundEverywhere(page, "verify");
  });

  test("is checked against Sui without asking the service for the object", async () => {
    const service = await openOnSui();
    const { verifyPath } = await askAndAnchor(service);
    const { page } = await browser.visit(service.url);
    const asked: string[] = [];
    page.on("request", (request) => asked.push(request.url()));
    await page.goto(verifyPath);

    await expectVerdict(page, "verified");
    expect(asked.some((url) => url.startsWith(service.chain.face.baseUrl))).toBe(true);
    expect(asked.filter((url) => url.includes("/api/ledger/objects"))).toEqual([]);
    await page.getByText("Sui, localnet").waitFor();
    await expectSound(page, "verify-sui");
  });

  test("is verified deep when the service is asked for it", async () => {
    const service = await openService();
    const { verifyPath, storeBlob } = await askAndAnchor(service);
    const { page } = await browser.visit(service.url);
    await page.goto(verifyPath);
    await expectVerdict(page, "verified");
    await page.getByRole("button", { name: "Ask it for a deep check" }).click();
    const deep = page.getByRole("list", { name: "Deep check, by the service" });
    await deep.getByText(storeBlob).waitFor();
    expect(await deep.getByText("follows from its bytes").count()).toBeGreaterThan(1);
    expect(await page.getByRole("alert").count()).toBe(0);
  });
});

describe("What is wrong is red, with what differs", () => {
  test("bytes that are not the ones that were anchored", async () => {
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
    expect(statuses.get("issued")).toBe("fail");
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

  test("an object of another package that looks alike", async () => {
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
    const { page, expectTrouble } = await browser.visit(service.url);
    expectTrouble(/404 \(Not Found\) .*\/api\/ledger\/objects\/0x0+1\)/);
    await page.goto("/verify/0x1");
    await expectVerdict(page, "failed");
    await page.getByText("The ledger has no object with this id.").first().waitFor();
  });

  test("an address that is no id at all", async () => {
    const service = await openService();
    const { page } = await browser.visit(service.url);
    await page.goto("/verify/0xzz");
    await page.getByRole("heading", { level: 1, name: "Not a receipt id" }).waitFor();
  });

  test("a browser and a service that do not agree, loudly", async () => {
    const service = await openOnWalrus();
    const { verifyPath, storeBlob } = await askAndAnchor(service);
    const { page } = await browser.visit(service.url);
    await page.route(`**/v1/blobs/${storeBlob}`, async (route) => {
      const response = await route.fetch();
      await route.fulfill({ response, body: `${await response.text()} ` });
    });
    await page.goto(verifyPath);
    await expectVerdict(page, "failed", "verified");
    const alert = page.getByRole("alert");
    await alert.getByText("Your browser and the service do not agree").waitFor();
    await alert.getByRole("row", { name: "Is this the text that was anchored? fail pass" }).waitFor();
    await checkOn(page, "digest").getByText("the service says: pass").waitFor();
    await expectSound(page, "verify-disagreement");
  });
});

describe("What cannot be seen is unknown, and never green", () => {
  test.for(["reset", "unavailable", "too-many-requests", "endless"] as const)(
    "an aggregator that is down (%s), until it is back",
    async (fault) => {
      const service = await openOnWalrus();
      const { verifyPath } = await askAndAnchor(service);
      service.walrus.knobs.get.fault = fault;
      const { page, expectTrouble } = await browser.visit(service.url);
      if (fault !== "endless") expectTrouble(/\/v1\/blobs\//);
      await page.goto(verifyPath);
      await expectVerdict(page, "unknown");
      const statuses = await statusesOn(page);
      expect([statuses.get("blob"), statuses.get("digest"), statuses.get("memory")]).toEqual(Array(3).fill("unknown"));
      expect(await page.getByRole("heading", { name: "Verified" }).count()).toBe(0);
      if (fault === "unavailable") await expectSoundEverywhere(page, "verify-unknown");

      service.walrus.knobs.clear();
      await page.getByRole("button", { name: "Check again" }).click();
      await expectVerdict(page, "verified");
    },
  );

  test("what is on its way is pending, and one thing comes after another", async () => {
    const service = await openOnWalrus();
    const { verifyPath, storeBlob } = await askAndAnchor(service);
    const { page } = await browser.visit(service.url);
    let letThrough = () => {};
    const held = new Promise<void>((resolve) => {
      letThrough = resolve;
    });
    await page.route(`**/v1/blobs/${storeBlob}`, async (route) => {
      await held;
      await route.continue();
    });
    await page.goto(verifyPath);
    await eventually(async () => (await statusesOn(page)).get("object")).toBe("pass");
    expect((await statusesOn(page)).get("digest")).toBe("pending");
    expect(await page.locator("[data-verdict]").getAttribute("data-verdict")).toBe("pending");
    await page.getByRole("heading", { level: 1, name: "Checking" }).waitFor();
    await screenshot(page, "verify-pending");
    letThrough();
    await expectVerdict(page, "verified");
  });
});

describe("Hostile text", () => {
  const markup = "<img src=x onerror=alert(1)><script>alert(2)</script>";
  const turned = "pay \u202e000,1 to\u2066 nobody";

  test("is text, in a memory of 8,000 characters and in names", async () => {
    const service = await openService();
    const namespace = "<b onclick=alert(3)>\u202ediet";
    const facts = [markup, turned, `${markup} ${"long ".repeat(1_600)}`.slice(0, 7_999).trim()];
    await service.client.setAccess({ agentId: "assistant", namespace, allowed: true });
    for (const content of facts) {
      await service.client.capture({ namespace, content, sourceAgent: '"><svg onload=alert(4)>' });
    }
    const { verifyPath } = await askAndAnchor(service, { query: "pay nobody" });
    const { page } = await browser.visit(service.url, { width: "phone" });
    await page.goto(verifyPath);
    await expectVerdict(page, "verified");

    const main = page.getByRole("main");
    await main.getByText(markup, { exact: true }).waitFor();
    await main.getByText("pay ⟨U+202E⟩000,1 to⟨U+2066⟩ nobody", { exact: true }).waitFor();
    expect(await main.locator("img, script, b[onclick], svg[onload]").count()).toBe(0);
    expect(await main.innerText()).not.toMatch(/[\u202a-\u202e\u2066-\u2069]/u);
    const long = checkOn(page, "memory").filter({ hasText: "long long" });
    await long.getByText(/The bytes that came, 8,\d{3} bytes/).click();
    await long.getByRole("region", { name: "The bytes that came" }).getByText("long ".repeat(1_000)).waitFor();
    await expectSound(page, "verify-hostile");
  });
});

describe("The page can be used", () => {
  test("with the keyboard alone", async () => {
    const service = await openService();
    const { verifyPath, receiptId } = await askAndAnchor(service);
    const { page } = await browser.visit(service.url, { permissions: ["clipboard-read", "clipboard-write"] });
    await page.goto(verifyPath);
    await expectVerdict(page, "verified");

    const focused = () => page.evaluate(() => document.activeElement?.textContent ?? "");
    const tabTo = async (name: string) => {
      for (let presses = 0; presses < 60; presses++) {
        await page.keyboard.press("Tab");
        if ((await focused()).startsWith(name)) return;
      }
      throw new Error(`no press of Tab leads to ${name}`);
    };
    await tabTo("Skip to the page");
    await page.keyboard.press("Enter");
    await tabTo("Check again");
    await page.keyboard.press("Enter");
    await expectVerdict(page, "verified");
    await tabTo("Copy link");
    await page.keyboard.press("Enter");
    await eventually(() => page.evaluate(() => navigator.clipboard.readText())).toBe(
      `${service.url}/verify/${receiptId}`,
    );
    await tabTo("Repeat it yourself");
    await page.keyboard.press("Enter");
    await page.getByText(`curl -s '${service.url}/api/ledger/objects/${receiptId}'`).waitFor();
    const outline = await page.evaluate(() => getComputedStyle(document.activeElement as Element).outlineStyle);
    expect(outline).toBe("solid");
  });

  test("on paper: unfolded, without buttons, with the QR code", async () => {
    const service = await openService();
    const { verifyPath } = await askAndAnchor(service);
    const { page } = await browser.visit(service.url);
    await page.goto(verifyPath);
    await expectVerdict(page, "verified");
    await page.setViewportSize({ width: 794, height: 1123 });
    expect(await page.locator("main details[open]").count()).toBe(0);

    await page.emulateMedia({ media: "print" });
    await eventually(() => page.locator("main details:not([open])").count()).toBe(0);
    expect(await page.locator("button:visible, nav:visible").count()).toBe(0);
    expect(await page.getByRole("img", { name: "QR code" }).count()).toBe(1);
    expect(await page.evaluate(() => getComputedStyle(document.documentElement).backgroundColor)).toBe(
      "rgb(255, 255, 255)",
    );
    await screenshot(page, "verify-print");

    await page.emulateMedia({ media: "screen" });
    await eventually(() => page.locator("main details[open]").count()).toBe(0);
  });

  test("without any script, as the service renders it", async () => {
    const service = await openService();
    const { verifyPath } = await askAndAnchor(service);
    const { page } = await browser.visit(service.url);
    await page.goto(verifyPath);
    await expectVerdict(page, "verified");
    await page.getByRole("link", { name: "without any script" }).click();
    await page.waitForURL(/\?plain=1$/);
    expect(await page.locator("script").count()).toBe(0);
    await page.getByRole("heading", { level: 1, name: "Verified" }).waitFor();
  });
});
