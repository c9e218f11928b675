// From the demo to one's own data, in three steps.
import { expect, test } from "vitest";
import { pagePath } from "#contract/page-paths.ts";
import { browserForFile, eventually, FLOW_WIDTHS } from "./support/browser.ts";
import { openService } from "./support/open-service.ts";
import { expectSoundEverywhere, expectStateSound } from "./support/page-assertions.ts";

const browser = browserForFile();
const file = (name: string, text: string) => ({ name, mimeType: "text/plain", buffer: Buffer.from(text) });

test.for(FLOW_WIDTHS)(
  "a first visit leads from the demo to one's own text, its namespaces and its gates, and the demo's person is gone, on a %s",
  async (width) => {
    const service = await openService();
    const { page } = await browser.visit(service.url, { width });
    await page.goto(pagePath("console"));
    await page.getByRole("button", { name: "See the demo" }).waitFor();
    await page.getByRole("link", { name: "begin with your own" }).first().click();
    await page.getByRole("heading", { level: 1, name: "Begin with your own" }).waitFor();
    await expectSoundEverywhere(page, "begin");

    await page
      .getByLabel("Paste text or a chat")
      .fill("User: I live in Porto.\nAssistant: Noted.\nUser: My sister is called Ana.");
    await page.getByRole("button", { name: "Find the facts" }).click();
    await page.getByRole("heading", { name: /^2\. Namespaces of \d memor/ }).waitFor();
    const fields = page.getByLabel(/^Namespace of memory/);
    expect(await fields.first().inputValue()).toBe("notes");
    await page.getByLabel("Put all into").fill("family");
    await eventually(() => fields.last().inputValue()).toBe("family");
    await fields.first().fill("home");
    await expectSoundEverywhere(page, "begin-preview");
    expect(await page.getByRole("checkbox", { name: "Remove the demo" }).isChecked()).toBe(true);
    await page.getByRole("button", { name: "Save, then open gates" }).click();

    await page.getByRole("heading", { level: 1, name: "Connect an agent" }).waitFor();
    const { memories } = await service.client.listMemories();
    expect(new Set(memories.map(({ namespace }) => namespace))).toEqual(new Set(["home", "family"]));
    expect(memories.map(({ content }) => content).join(" ")).toContain("Porto");
    expect((await service.client.getPolicy()).policy).toEqual({});
    await eventually(() => page.locator("fieldset").getByRole("checkbox").count()).toBe(2);
    await page.goto(pagePath("console"));
    await page.getByRole("link", { name: "Begin with your own", exact: true }).first().waitFor();
    await eventually(() => page.getByRole("button", { name: "See the demo" }).count()).toBe(0);
  },
);

test("tables, lines of JSON and exports of other products are previewed, what cannot be read is said, and the demo stays if wanted", async () => {
  const service = await openService();
  const { page } = await browser.visit(service.url);
  const choose = async (name: string, text: string) => {
    await page.goto(pagePath("begin"));
    await page.getByLabel("File of memories").setInputFiles(file(name, text));
  };
  const texts = () => page.locator("tbody tr td:first-child").allInnerTexts();

  await choose("a.csv", 'text,when\nLikes figs,today\n"Hates, truly, noise",never\n');
  await eventually(texts).toEqual(["Likes figs", "Hates, truly, noise"]);
  await choose("a.ndjson", '{"content":"Likes figs","namespace":"food"}\n{"content":"Runs"}\n');
  await eventually(texts).toEqual(["Likes figs", "Runs"]);
  expect(await page.getByLabel("Namespace of memory 1").inputValue()).toBe("food");
  expect(await page.getByLabel("Namespace of memory 2").inputValue()).toBe("notes");
  await choose("a.json", '[{"memory":"Likes figs"}]');
  await page.getByRole("alert").getByText("Line 1 has no “content”.").waitFor();
  await expectStateSound(page, "begin-fault");
  await page.getByLabel("Or drop a file").selectOption("mem0");
  await page
    .getByLabel("File of memories")
    .setInputFiles(file("a.json", '[{"memory":"Likes figs","categories":["food"]}]'));
  await eventually(texts).toEqual(["Likes figs"]);

  await page.getByLabel("Namespace of memory 1").fill("");
  expect(await page.getByRole("button", { name: "Save, then open gates" }).getAttribute("aria-disabled")).toBe("true");
  await page.getByLabel("Namespace of memory 1").fill("food");
  await page.getByRole("checkbox", { name: "Remove the demo" }).uncheck();
  await page.getByRole("button", { name: "Save, then open gates" }).click();
  await page.getByRole("heading", { level: 1, name: "Connect an agent" }).waitFor();
  const { memories } = await service.client.listMemories();
  expect(memories).toHaveLength(15);
  expect(memories[0]).toMatchObject({ content: "Likes figs", namespace: "food", sourceAgent: "mem0" });
});
