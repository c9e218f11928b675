import { test } from "vitest";
import { pagePath } from "#contract/page-paths.ts";
import { browserForFile, FLOW_WIDTHS } from "./support/browser.ts";
import { openService } from "./support/open-service.ts";
import { expectSoundEverywhere } from "./support/page-assertions.ts";

const browser = browserForFile();

test.for(FLOW_WIDTHS)("the log shows how it grew, and whether an answer is in it, on a %s", async (width) => {
  const service = await openService();
  const ask = () => service.client.chat({ agentId: "planner", query: "When does the flight leave?" });
  const { receipt } = await ask();
  const { log, ledger } = service.tenant;
  await ledger.gate();
  await log.sequence();
  await log.anchor(ledger, { at: Date.now() + 1_000, everyMs: 0 });
  const { page, expectError } = await browser.visit(service.url, { width });
  await page.goto(pagePath("log"));
  const checkpoint = page.getByRole("region", { name: "The last checkpoint" });
  await checkpoint.getByText("valid", { exact: true }).waitFor();
  await checkpoint.getByText("none: the operator could show others another log").waitFor();
  await checkpoint.getByText("1 checkpoint, the last").waitFor();
  await page.getByText("issued", { exact: true }).waitFor();

  await page.getByLabel("Answer id").fill(receipt.answerId);
  await page.getByRole("button", { name: "Look", exact: true }).click();
  await page.getByText(/^In the log: entry \d+ of \d+/).waitFor();
  await page.getByText("The entry has the digest of this receipt.").waitFor();
  await page.getByText(/^On the ledger, in a tree of \d+ entries\.$/).waitFor();
  await expectSoundEverywhere(page, "log");

  await ask();
  await log.sequence();
  await page.getByRole("button", { name: "Look again" }).click();
  await checkpoint.getByText(/^2 entries more, nothing before them changed$/).waitFor();

  // Another log under the same key is noticed.
  await page.evaluate(() => {
    const place = Object.keys(localStorage).find((name) => name.startsWith("portcullis log ")) ?? "";
    const [origin, size, root = "", ...rest] = (localStorage.getItem(place) ?? "").split("\n");
    const other = root.startsWith("A") ? `B${root.slice(1)}` : `A${root.slice(1)}`;
    localStorage.setItem(place, [origin, size, other, ...rest].join("\n"));
  });
  await page.getByRole("button", { name: "Look again" }).click();
  await checkpoint.getByText(/^not the same log/).waitFor();

  expectError(/404 \(Not Found\)/);
  await page.getByLabel("Answer id").fill(`${receipt.answerId.slice(0, -3)}zzz`);
  await page.getByRole("button", { name: "Look", exact: true }).click();
  await page.getByRole("alert").waitFor();
});
