import { describe, expect, test } from "vitest";
import { browserForFile } from "./support/browser.ts";
import { openService } from "./support/open-service.ts";
import { expectSound } from "./support/page-assertions.ts";

const browser = browserForFile();
const LONG = 120_000;

describe("The companion", () => {
  test.for(["desktop", "phone"] as const)(
    "does without what is closed to it, on a %s",
    { timeout: LONG },
    async (width) => {
      const service = await openService();
      const { page } = await browser.visit(service.url, { width });
      await page.goto("/companion");
      const conversation = page.getByRole("region", { name: "Conversation" });
      const words = page.getByRole("textbox", { name: "Your words" });
      await page.getByRole("switch", { name: "health for companion" }).waitFor();
      await expectSound(page, "companion");

      await words.fill("What should I keep in mind for a dinner out?");
      await words.press("Enter");
      await conversation.getByText("Severe peanut allergy").first().waitFor();
      await conversation.getByText("Receipt: 8 memories used, 3 gates closed").waitFor();

      await page.getByRole("switch", { name: "health for companion" }).click();
      await page.getByText("closed · final").waitFor();
      await words.fill("And now, what about that dinner?");
      await words.press("Enter");
      const last = conversation.getByRole("listitem").filter({ hasText: "And now, what about that dinner?" });
      await last.getByText("You have closed health to me").waitFor();
      await last.getByText("Receipt: 5 memories used, 4 gates closed").click();
      expect(await last.innerText()).not.toContain("peanut");
      await last.getByRole("button", { name: "Anchor as a blob" }).waitFor();
      await expectSound(page, "companion-closed");
    },
  );
});
