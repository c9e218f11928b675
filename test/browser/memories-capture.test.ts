import { describe, expect, test } from "vitest";
import { pagePath } from "#contract/page-paths.ts";
import { browserForFile, eventually, FLOW_WIDTHS } from "./support/browser.ts";
import { checkNow, openMemory, openPanel, rows } from "./support/memories-page.ts";
import { openService } from "./support/open-service.ts";
import { expectStateSound } from "./support/page-assertions.ts";

const browser = browserForFile();
const MEMORIES = pagePath("memories");

describe("the capture form", () => {
  test.for(FLOW_WIDTHS)("captures a memory, on a %s", async (width) => {
    const service = await openService();
    const { page } = await browser.visit(service.url, { width });
    await page.goto(MEMORIES);
    await page.getByText("14 memories").waitFor();
    await openPanel(page, "Capture a memory", width);
    const form = page.locator("form");
    await form.getByRole("button", { name: "Save memory" }).click();
    expect(await form.getByText("must not be empty").count()).toBe(3);
    await eventually(() => form.getByLabel("Namespace").evaluate((input) => input === document.activeElement)).toBe(
      true,
    );
    await expectStateSound(page, "memories-capture-faults");

    await form.getByLabel("Namespace").fill("garden");
    await form.getByLabel("Source agent").fill("planner");
    await form.getByLabel("Memory").fill("x".repeat(8_001));
    await form.getByText("8,001 of 8,000 characters: 1 too many").waitFor();
    await form.getByLabel("Memory").fill("The apple tree was planted in March.");
    // How long it is, is said when it is nearly too long.
    await form.getByText("of 8,000 characters").waitFor({ state: "detached" });
    await form.getByRole("button", { name: "Save memory" }).click();
    await form.getByText("saved", { exact: true }).waitFor();
    await page.getByText("15 memories").waitFor();
    await eventually(() => rows(page).first().innerText()).toContain("The apple tree was planted in March.");
    expect(await form.getByLabel("Memory").inputValue()).toBe("");
    await eventually(() => page.locator("datalist").first().locator("option", { hasText: "garden" }).count()).toBe(1);
    await openMemory(page, "The apple tree was planted in March.");
    await checkNow(page, "apple tree");
    await page.getByText("intact", { exact: true }).waitFor();
    await expectStateSound(page, "memories-captured");
  });

  test("shows the faults that the service finds, at their fields", async () => {
    const service = await openService();
    const { page, expectError } = await browser.visit(service.url);
    expectError(/400 \(Bad Request\)/);
    await page.goto(MEMORIES);
    // The page itself would refuse this name, so the request is changed on the way to the service.
    await page.route("**/api/memories", (route) =>
      route.continue({ postData: '{"namespace":" x","content":"a","sourceAgent":"b"}' }),
    );
    const form = page.locator("form");
    for (const [label, text] of [
      ["Namespace", "x"],
      ["Source agent", "b"],
      ["Memory", "a"],
    ] as const) {
      await form.getByLabel(label).fill(text);
    }
    await form.getByRole("button", { name: "Save memory" }).click();
    await form.getByText("must not begin or end with white space").waitFor();
    expect(await form.getByLabel("Namespace").getAttribute("aria-invalid")).toBe("true");
  });

  test("shows hostile text as text", async () => {
    const service = await openService();
    const markup = "<img src=x onerror=alert(1)><script>alert(2)</script>";
    const name = `<b onclick=alert(3)>\u05d0\u05d1\u05d2${"W".repeat(40)}`;
    for (const content of [markup, "pay \u202e000,1 to\u2066 nobody", "W".repeat(8_000), "a\n".repeat(3_999)]) {
      await service.client.capture({ namespace: name, content, sourceAgent: name });
    }
    const { page } = await browser.visit(service.url);
    await page.goto(MEMORIES);
    await page.getByText("18 memories").waitFor();
    await page.getByText(markup, { exact: true }).waitFor();
    expect(await page.locator("main").locator("img, script, b[onclick]").count()).toBe(0);
    await page.getByRole("button", { name: "Show all 8,000 characters" }).waitFor();
    await expectStateSound(page, "memories-hostile");
    await page.getByRole("button", { name: "Show all 8,000 characters" }).click();
    await page.getByText("W".repeat(8_000), { exact: true }).waitFor();
  });
});
