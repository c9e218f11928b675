// Names that differ only at their end can be told apart on a phone.
import type { Locator } from "playwright-core";
import { expect, test } from "vitest";
import { pagePath } from "#contract/page-paths.ts";
import { browserForFile } from "./support/browser.ts";
import { openService } from "./support/open-service.ts";

const browser = browserForFile();
const LONG = ["first", "second"].map((end) => `household-and-family-medical-appointments-and-notes-${end}`);

/** How much of an element's text is cut off, in pixels, by itself or by one of the three elements around it. */
const hiddenPixels = (element: Locator) =>
  element.evaluate((node) => {
    const around = [node, node.parentElement, node.parentElement?.parentElement].filter((each) => each != null);
    const hidden = around.map((each) =>
      Math.max(each.scrollWidth - each.clientWidth, each.scrollHeight - each.clientHeight),
    );
    return Math.max(...hidden.filter((_, place) => getComputedStyle(around[place] ?? node).overflow !== "visible"), 0);
  });

test("long names are shown whole on the console, the overview and a receipt", async () => {
  const service = await openService();
  for (const namespace of LONG) await service.client.capture({ namespace, content: "something", sourceAgent: "s" });
  const { receipt } = await service.client.chat({ agentId: "assistant", query: "What is for dinner?" });
  const { page } = await browser.visit(service.url, { width: "phone" });
  for (const path of [pagePath("console"), pagePath("overview"), pagePath("receipt", receipt)]) {
    await page.goto(path);
    for (const name of LONG) {
      const shown = page.getByText(name, { exact: true }).first();
      await shown.waitFor();
      expect([path, name, await hiddenPixels(shown)]).toEqual([path, name, 0]);
    }
  }
  const chip = page.getByRole("listitem").filter({ hasText: LONG[0] ?? "" });
  const lines = await chip.getByText("closed", { exact: true }).evaluate((word) => {
    const range = document.createRange();
    range.selectNodeContents(word);
    return range.getClientRects().length;
  });
  expect(lines).toBe(1);
});

test("each filter of the receipts shows the whole text of its first choice on a phone", async () => {
  const service = await openService();
  const { page } = await browser.visit(service.url, { width: "phone" });
  await page.goto(`${pagePath("activity")}?kind=answer`);
  const filters = page.getByRole("search", { name: "Activity" }).getByRole("combobox");
  await filters.first().waitFor();
  const room = await filters.evaluateAll((selects) =>
    selects.map((select) => {
      const { font, paddingLeft, paddingRight } = getComputedStyle(select);
      const context = document.createElement("canvas").getContext("2d");
      if (context === null) throw new Error("no canvas");
      context.font = font;
      const text = (select as HTMLSelectElement).options[0]?.text ?? "";
      const width = select.clientWidth - Number.parseFloat(paddingLeft) - Number.parseFloat(paddingRight);
      return { text, fits: context.measureText(text).width <= width };
    }),
  );
  expect(room).toHaveLength(8);
  expect(room.filter(({ fits }) => !fits)).toEqual([]);
});

test("the page without script links to what can be read without script", async () => {
  const { url } = await openService();
  const html = await (await fetch(url, { headers: { accept: "text/html" } })).text();
  const [, link = ""] = /<noscript>.*href="(\/\?plain=1)".*<\/noscript>/s.exec(html) ?? [];
  expect(await (await fetch(`${url}${link}`, { headers: { accept: "text/html" } })).text()).not.toContain("<noscript>");
});
