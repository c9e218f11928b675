import { expect, test } from "vitest";
import { pagePath } from "#contract/page-paths.ts";
import { browserForFile } from "./support/browser.ts";
import { openService, openWithKeys } from "./support/open-service.ts";
import { expectSoundEverywhere } from "./support/page-assertions.ts";
import { signIn } from "./support/sign-in.ts";

const browser = browserForFile();

test("an agent is named, gets its namespaces and its lines, and its first call is seen as it comes", async () => {
  const { url, client } = await openService({ KEEP_QUESTIONS: "true" });
  const { page } = await browser.visit(url);
  await page.goto(pagePath("console"));
  await page.getByRole("link", { name: "Connect an agent" }).first().click();
  await page.getByLabel("Name of the agent").fill("mine");
  await page.getByRole("checkbox", { name: "diet" }).check();
  await page.getByRole("button", { name: "Open the gates" }).click();
  const lines = page.getByRole("region", { name: "the lines for Claude Code" });
  await lines
    .getByText(`claude mcp add --transport http portcullis '${url}/mcp' --header 'Portcullis-Agent: mine'`)
    .waitFor();
  await page.getByText("Waiting for the first call of mine …").waitFor();
  await expectSoundEverywhere(page, "connect");
  expect((await client.getPolicy()).policy.mine).toEqual({ diet: true });
  for (const program of ["Claude Desktop", "Cursor", "VS Code", "OpenAI’s client", "Python", "AI SDK", "curl"]) {
    await page.getByLabel("Program").selectOption(program);
    await page
      .getByRole("region", { name: `the lines for ${program}` })
      .getByText(url)
      .waitFor();
  }
  const { memories } = await client.recall({ agentId: "mine", query: "dinner" });
  await page
    .getByText(
      new RegExp(
        `^Connected: asked .?dinner.? \\d+ seconds? ago, ${memories.length} memories passed, .*finance.* held back\\.$`,
      ),
    )
    .waitFor();
});

test("with identities the lines have a key of the agent's own", async () => {
  const service = await openWithKeys();
  const { page } = await browser.visit(service.url);
  await signIn(page, service.adminKey);
  await page.goto(pagePath("connect"));
  await page.getByRole("checkbox", { name: "diet" }).check();
  await page.getByRole("button", { name: "Make the key" }).click();
  const lines = await page.getByRole("region", { name: "the lines for Claude Code" }).locator("pre").innerText();
  const [, key = ""] = /Bearer (portcullis_\w+)/.exec(lines) ?? [];
  const reply = await fetch(`${service.url}/api/recall`, {
    method: "POST",
    headers: { authorization: `Bearer ${key}`, "content-type": "application/json" },
    body: JSON.stringify({ query: "dinner" }),
  });
  expect(reply.status).toBe(200);
  await page.getByText("Connected").waitFor();
});
