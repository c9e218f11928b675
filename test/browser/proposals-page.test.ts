import { expect, test } from "vitest";
import { pagePath } from "#contract/page-paths.ts";
import { browserForFile, FLOW_WIDTHS } from "./support/browser.ts";
import { openService } from "./support/open-service.ts";
import { expectSoundEverywhere } from "./support/page-assertions.ts";

const browser = browserForFile();

test.for(FLOW_WIDTHS)(
  "proposals are accepted, edited or declined beside what they contradict, on a %s",
  async (width) => {
    const service = await openService({ SEED: "none" });
    const { client } = service;
    await client.setAccess({ agentId: "assistant", namespace: "travel", allowed: true });
    const learn = (mode: "store" | "review", content: string) =>
      client.learn({
        agentId: "assistant",
        messages: [{ role: "user", content, at: "2026-05-11T19:00:00+01:00" }],
        namespaces: ["travel"],
        mode,
      });
    await learn("store", "My flight to Porto leaves tomorrow at 9:15.");
    await learn("review", "My flight to Porto leaves on Friday. I have a dog. I do not drink coffee.");
    const { page } = await browser.visit(service.url, { width });
    await page.goto(pagePath("proposals"));
    const list = page.getByRole("list", { name: "Proposals, newest first" });
    const flight = list.getByRole("listitem").filter({ hasText: "In place of" });
    await flight.getByRole("link", { name: /leaves on 2026-05-12 at 9:15/ }).waitFor();
    await expectSoundEverywhere(page, "proposals");
    const waiting = await list.getByRole("listitem").count();
    expect(waiting).toBeGreaterThan(1);

    await flight.getByLabel("Proposed").fill("The user's flight to Porto leaves on 2026-05-15 at 18:00.");
    await flight.getByRole("button", { name: "Accept as edited" }).click();
    await flight.waitFor({ state: "detached" });
    const { memories } = await client.listMemories({ namespace: "travel", limit: 10 });
    expect(memories.map(({ content }) => content)).toEqual([
      "The user's flight to Porto leaves on 2026-05-15 at 18:00.",
    ]);
    for (let left = waiting - 1; left > 0; left--) {
      await list.getByRole("button", { name: "Decline" }).first().click();
      await expect.poll(() => list.getByRole("listitem").count()).toBe(left - 1);
    }
    await page.getByText("Nothing waits for a decision.").waitFor();
  },
);
