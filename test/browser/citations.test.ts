// Which memories an answer cites, on every page that shows a receipt. The model is a stand-in that cites.
import { expect, onTestFinished, test } from "vitest";
import { pagePath } from "#contract/page-paths.ts";
import { startOpenAiStandIn } from "#test/support/openai-stand-in/openai-stand-in.ts";
import { askAndAnchor } from "./support/ask-and-anchor.ts";
import { browserForFile } from "./support/browser.ts";
import { openService } from "./support/open-service.ts";
import { expectSoundEverywhere, expectStateSound } from "./support/page-assertions.ts";
import { unfold } from "./support/verify-page.ts";

const browser = browserForFile();
const QUERY = "What is planned for dinner on Friday?";

async function openWithCitingModel() {
  const standIn = await startOpenAiStandIn();
  onTestFinished(() => standIn.close());
  standIn.knobs.answer = () => "Dinner is at Lotus [1], but no satay for you [2].";
  return openService({ MODEL_BASE_URL: standIn.baseUrl, MODEL_NAME: "m" });
}

/** What the receipt says of itself, counted here. */
function summaryOf({ usedMemories }: { usedMemories: readonly { cited?: boolean }[] }): string {
  expect(usedMemories.filter(({ cited }) => cited === true).length).toBe(2);
  return `given to the model: ${usedMemories.length}, cited: 2`;
}

test("the console and the companion say how many memories the model was given, and mark those that it cites", async () => {
  const service = await openWithCitingModel();
  const { receipt } = await service.client.chat({ agentId: "assistant", query: QUERY });
  const { page } = await browser.visit(service.url);
  await page.goto(pagePath("console"));
  await page.getByRole("textbox", { name: "Question" }).fill(QUERY);
  await page.getByRole("button", { name: "Ask" }).click();
  await page.getByRole("heading", { name: `Memories ${summaryOf(receipt)}` }).waitFor();
  await page.getByText("Dinner is at Lotus, but no satay for you.").first().waitFor();
  expect(await page.getByText("cited", { exact: true }).count()).toBe(2);
  await expectStateSound(page, "console-cited");

  await page.goto(pagePath("companion"));
  await page.getByRole("textbox", { name: "Message" }).fill(QUERY);
  await page.getByRole("button", { name: "Send" }).click();
  await page.getByText(/^Receipt: given to the model: \d+, cited: 2; closed: 3 namespaces$/).click();
  await page.getByText("cited", { exact: true }).first().waitFor();
  await expectSoundEverywhere(page, "companion-cited");
});

test("the list of receipts and both verifiers say it too", async () => {
  const service = await openWithCitingModel();
  const { receipt, receiptId } = await askAndAnchor(service, { query: QUERY });
  const { page } = await browser.visit(service.url);
  await page.goto(`${pagePath("activity")}?kind=answer`);
  await page.getByText(`${receipt.usedMemories.length} used, 2 cited`).waitFor();
  await expectStateSound(page, "receipts-cited");

  for (const query of ["", "?plain=1"]) {
    await page.goto(`${pagePath("verify", { receiptId })}${query}`);
    await page
      .getByText(query === "" ? `Memories ${summaryOf(receipt)}` : `The receipt says: ${summaryOf(receipt)}.`)
      .waitFor();
    await unfold(page);
    expect(await page.getByRole("heading", { name: /^Memory \d+ in .*, cited$/ }).count()).toBe(2);
    await expectSoundEverywhere(page, `verify-cited${query === "" ? "" : "-plain"}`);
  }
});

test("a receipt of an older version, or of a model that does not cite, says nothing about citations", async () => {
  const service = await openWithCitingModel();
  const { receipt } = await service.client.chat({ agentId: "assistant", query: QUERY });
  const usedMemories = receipt.usedMemories.map(({ cited, ...memory }) => memory);
  const { receiptId } = await service.client.anchorOnChain({ receipt: { ...receipt, usedMemories } });
  const { page } = await browser.visit(service.url);
  await page.goto(pagePath("verify", { receiptId }));
  await page.getByText(`Memories given to the model: ${usedMemories.length}`).waitFor();
  expect(await page.getByText("cited").count()).toBe(0);
});
