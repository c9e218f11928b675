// The gate at work, as frames: a question, and a gate that closes in the middle of its answer.
import type { Page } from "playwright-core";
import { closeGate } from "./console-actions.ts";
import { type Frame, startFilm } from "./film.ts";
import type { HeldModel } from "./held-model.ts";

const WORD_MS = 120;
const WORDS_A_FRAME = 3;

export async function filmGate(page: Page, say: HeldModel["say"]): Promise<readonly Frame[]> {
  await page.setViewportSize({ width: 1120, height: 850 });
  await page.getByRole("switch", { name: "health for assistant" }).waitFor();
  // All that happens is in view from the first frame on.
  await page.evaluate("document.querySelector('[data-scene]').scrollIntoView()");
  await page.evaluate("document.fonts.ready.then(() => true)");
  const { frames, hold, roll } = await startFilm(page);
  async function speak(words: number): Promise<void> {
    for (let said = 0; said < words; said += WORDS_A_FRAME) {
      await say(WORDS_A_FRAME);
      await hold(WORD_MS);
    }
  }
  await hold(1_000);
  await page.getByRole("button", { name: /^Ask/ }).click();
  await page.locator("[data-card]").first().waitFor();
  await roll(780);
  await speak(27);
  await hold(300);
  await closeGate(page, "health");
  await roll(220);
  await page.getByText("Withdrawn:").first().waitFor();
  await roll(400);
  await hold(700);
  await speak(18);
  await say(Number.POSITIVE_INFINITY);
  await page.getByText(/under policy version/).waitFor();
  await hold(2_000);
  return frames;
}
