// More namespaces than the overview names one by one: none is missing, and no count is of those alone.
import { expect, test } from "vitest";
import { pagePath } from "#contract/page-paths.ts";
import { browserForFile } from "./support/browser.ts";
import { openService } from "./support/open-service.ts";
import { turnTo } from "./support/turn-to.ts";

const browser = browserForFile();
const COUNT = 1_010;
const LAST = "n1009";

test("with more than a thousand namespaces each can be found, opened and chosen, and all are counted", async () => {
  const service = await openService({ SEED: "none" });
  const lines = Array.from({ length: COUNT }, (_, i) => {
    const namespace = `n${String(i).padStart(4, "0")}`;
    return `${JSON.stringify({ namespace, content: `Of ${namespace}.`, sourceAgent: "loader" })}\n`;
  });
  for await (const { problem } of service.client.importMemories(new Blob(lines))) expect(problem).toBeUndefined();
  const { page } = await browser.visit(service.url);

  await page.goto(pagePath("console"));
  // Nobody is here whom the demo has.
  await page
    .getByRole("combobox", { name: "Agent" })
    .locator("option:checked", { hasText: "loader" })
    .waitFor({ state: "attached" });
  await page.getByRole("searchbox", { name: `Find a namespace, of ${COUNT}` }).fill(LAST);
  await page.getByRole("switch", { name: `${LAST} for loader` }).click();
  await page.getByText(/^open since version \d+$/).waitFor();

  await turnTo(page, pagePath("connect"));
  await page.getByRole("checkbox", { name: LAST }).waitFor();
  await turnTo(page, pagePath("policy"));
  await page.getByRole("searchbox", { name: `Find namespaces, of ${COUNT}` }).waitFor();
  await turnTo(page, pagePath("overview"));
  const table = page.getByRole("table", { name: "Memories by namespace" });
  await table.getByRole("row", { name: "998 others" }).getByText("998", { exact: true }).waitFor({ state: "attached" });
  await turnTo(page, pagePath("memories"));
  await page.getByText("Filter", { exact: true }).click();
  await page.getByLabel("Namespace").last().selectOption(LAST);
  await page.getByText("1 memory", { exact: true }).waitFor();
});
