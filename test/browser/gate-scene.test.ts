// The gate at work on the console: real streams, and real changes in the middle of them. The model says what the test
// lets it say.
import type { Page } from "playwright-core";
import { describe, expect, test } from "vitest";
import type { LanguageModel } from "#ports.ts";
import { browserForFile, eventually, WIDTHS } from "./support/browser.ts";
import { openService } from "./support/open-service.ts";
import { expectSoundInBothSchemes, expectStateSound } from "./support/page-assertions.ts";

const browser = browserForFile();
const ALLERGY = "Severe peanut allergy";

const pane = (page: Page) => page.getByRole("region", { name: /^The prompt that (leaves|left)$/ });
const card = (page: Page, text: string) => pane(page).getByRole("listitem").filter({ hasText: text });
const gate = (page: Page, name: string) => page.getByRole("switch", { name: `${name} for assistant` });
const answer = (page: Page) => page.getByRole("region", { name: "Answer", exact: true });
const askButton = (page: Page) => page.getByRole("button", { name: /^Ask/ });

/** Begins to speak, and then waits until the test lets it end. */
function waitingModel() {
  let prompts = 0;
  let end = Promise.withResolvers<void>();
  const model: LanguageModel = {
    name: "waiting",
    async complete({ user }, { fence, onText, signal }) {
      await fence(() => undefined);
      prompts += 1;
      const text = user.includes(ALLERGY) ? "No peanuts, because of the allergy. " : "Nothing speaks against it. ";
      onText?.(text);
      const aborted = Promise.withResolvers<never>();
      signal?.addEventListener("abort", () => aborted.reject(signal.reason));
      await Promise.race([end.promise, aborted.promise]);
      return { text, model: "waiting" };
    },
  };
  return {
    model,
    prompts: () => prompts,
    finish() {
      end.resolve();
      end = Promise.withResolvers();
    },
  };
}

describe("the gate at work", () => {
  test("a revoke in the middle of an answer withdraws cards, strikes the text through, and shows what changed", async () => {
    const { model, finish } = waitingModel();
    const service = await openService({}, { model });
    const { page } = await browser.visit(service.url);
    await page.goto("/");
    await pane(page).getByText("The model gets nothing else.").waitFor();
    await page.getByText("2 memories held back").waitFor();

    await askButton(page).click();
    await pane(page).getByText("5 memories of 3 namespaces passed; finance is closed.").waitFor();
    await page.getByRole("status").filter({ hasText: "5 memories of 3 namespaces passed" }).waitFor();
    expect(await pane(page).getByRole("listitem").count()).toBe(5);
    await answer(page).getByText("No peanuts").waitFor();

    // Another window closes the gate.
    await service.client.setAccess({ agentId: "assistant", namespace: "health", allowed: false });
    await answer(page).getByText("Withdrawn: 1 memory of health.").waitFor();
    await eventually(() => gate(page, "health").getAttribute("aria-checked")).toBe("false");
    expect(await answer(page).locator("del").innerText()).toBe("No peanuts, because of the allergy. ".trim());
    await card(page, ALLERGY).getByText("withdrawn").waitFor();
    await pane(page).getByText("4 memories of 2 namespaces passed; finance and health are closed.").waitFor();
    await answer(page).getByText("Nothing speaks against it.").waitFor();
    await expectStateSound(page, "gate-scene-revoked");

    finish();
    await answer(page).getByText("Closing health removed 1 memory.").waitFor();
    await answer(page).getByText("4 memories are in both answers.").waitFor();
    expect(await page.getByRole("region", { name: "Receipt", exact: true }).innerText()).not.toContain("peanut");

    await page.getByText("The exact bytes").click();
    await pane(page).getByText("These bytes match the receipt’s commitment").waitFor();
    const difference = pane(page).getByRole("region", { name: "Compared with the void prompt" });
    await difference.getByRole("listitem").filter({ hasText: "removed:" }).filter({ hasText: ALLERGY }).waitFor();
    await expectSoundInBothSchemes(page, "gate-scene-bytes");
  });

  test("the bytes are those that the model was given, and two answers can be compared", async () => {
    const prompts: { readonly system: string; readonly user: string }[] = [];
    const model: LanguageModel = {
      name: "listening",
      async complete({ system, user }, { fence }) {
        await fence(() => void prompts.push({ system, user }));
        return { text: "Yes.", model: "listening" };
      },
    };
    const service = await openService({}, { model });
    const { page } = await browser.visit(service.url);
    await page.goto("/");
    await askButton(page).click();
    await answer(page).getByText("Yes.").waitFor();
    await page.getByText("The exact bytes").click();
    await pane(page).getByText("These bytes match").waitFor();
    const texts = await pane(page).locator("pre").allTextContents();
    expect(texts).toEqual([prompts[0]?.system, prompts[0]?.user]);
    await pane(page)
      .getByText(`User: ${Buffer.byteLength(prompts[0]?.user ?? "")} bytes`)
      .waitFor();
    await gate(page, "diet").click();
    await page.getByRole("button", { name: "Ask again" }).click();
    await page.getByText("Closing diet removed 3 memories.").waitFor();
    await page.getByText("The exact bytes").click();
    const compared = pane(page).getByRole("region", { name: "Compared with the prompt of the answer before" });
    await compared.getByText("removed:").first().waitFor();
    expect(await compared.getByText("removed:").count()).toBe(3);
  });

  test("cards fly for less than a second, change nothing but transform and opacity, and move nothing below", async () => {
    const { model, finish } = waitingModel();
    const service = await openService({}, { model });
    const { page } = await browser.visit(service.url);
    await page.emulateMedia({ reducedMotion: "no-preference" });
    for (const { width, height } of [WIDTHS.desktop, { width: 768, height: 1_000 }, WIDTHS.phone]) {
      await page.setViewportSize({ width, height });
      await page.goto("/");
      await gate(page, "health").waitFor();
      const held = Promise.withResolvers<void>();
      await page.route("**/api/chat", async (route) => {
        await held.promise;
        await route.continue();
      });
      await askButton(page).click();
      await pane(page).getByText("Deciding").waitFor();
      // What follows is no longer the click's own doing.
      await page.evaluate(watchPage);
      held.resolve();
      await answer(page).getByText("No peanuts").waitFor();
      finish();
      await page.getByText(/under policy version/).waitFor();
      const seen = await page.evaluate(() => (globalThis as unknown as { seen: Seen }).seen);
      expect(seen.flights.length, `flights at ${width}`).toBe(5);
      expect(Math.max(...seen.flights.map(({ end }) => end))).toBeLessThan(1_000);
      expect(new Set(seen.flights.flatMap(({ properties }) => properties))).toEqual(new Set(["transform", "opacity"]));
      const shift = seen.shifts.reduce((sum, { value }) => sum + value, 0);
      expect(shift, `at ${width}: ${JSON.stringify(seen.shifts)}`).toBeLessThan(0.05);
    }
  });

  test("a gate that opens or closes moves nothing below it", async () => {
    const service = await openService();
    const { page } = await browser.visit(service.url);
    for (const width of [1_360, 941, 768, 390]) {
      await page.setViewportSize({ width, height: 900 });
      await page.goto("/");
      await page.getByText("2 memories held back").waitFor();
      const place = () => pane(page).evaluate((element) => element.getBoundingClientRect().top + scrollY);
      const before = await place();
      for (const state of ["closed", "open"]) {
        await gate(page, "health").click();
        await gate(page, "health").getByText(`${state} since version`).waitFor();
        expect(await place(), `${state} at ${width}`).toBe(before);
      }
    }
  });

  test("without motion no card flies", async () => {
    const service = await openService();
    const { page } = await browser.visit(service.url);
    await page.goto("/");
    await gate(page, "health").waitFor();
    await page.evaluate(watchPage);
    await askButton(page).click();
    await card(page, ALLERGY).waitFor();
    expect(await page.evaluate(() => (globalThis as unknown as { seen: Seen }).seen.flights)).toEqual([]);
  });
});

interface Seen {
  readonly flights: { readonly end: number; readonly properties: readonly string[] }[];
  readonly shifts: { readonly value: number; readonly moved: readonly (string | undefined)[] }[];
}

/** https://wicg.github.io/layout-instability/, which TypeScript's library does not have. */
interface LayoutShift {
  readonly value: number;
  readonly sources: readonly { readonly node: Node | null }[];
}

/** Notes every animation of a card and every shift of the layout from now on. Runs in the page. */
function watchPage(): void {
  const seen: Seen = { flights: [], shifts: [] };
  Object.assign(globalThis, { seen });
  const { animate } = Element.prototype;
  Element.prototype.animate = function (keyframes, options) {
    const animation = animate.call(this, keyframes, options);
    const effect = animation.effect as KeyframeEffect;
    const known = ["offset", "computedOffset", "easing", "composite"];
    const properties = effect
      .getKeyframes()
      .flatMap((frame) => Object.keys(frame).filter((name) => !known.includes(name)));
    seen.flights.push({ end: Number(effect.getComputedTiming().endTime), properties });
    return animation;
  };
  new PerformanceObserver((list) => {
    for (const { value, sources } of list.getEntries() as unknown as LayoutShift[]) {
      const moved = sources.map(({ node }) => (node as Element | null)?.outerHTML?.slice(0, 160));
      seen.shifts.push({ value, moved });
    }
  }).observe({ type: "layout-shift" });
}

describe("the focus", () => {
  test("goes from Stop to Ask, whether one stops or the answer ends, and from Try again to the answer", async () => {
    const { model, finish, prompts } = waitingModel();
    const service = await openService({}, { model });
    const { page, expectError } = await browser.visit(service.url);
    const focused = () => page.evaluate(() => document.activeElement?.textContent ?? "");
    await page.goto("/");
    const stop = page.getByRole("button", { name: "Stop" });
    await askButton(page).click();
    await stop.focus();
    await page.keyboard.press("Enter");
    await page.getByText("Stopped. No answer was released.").waitFor();
    await page.setViewportSize(WIDTHS.phone);
    await page.getByText("No answer was released, so there is no complete receipt").waitFor();
    await page.setViewportSize(WIDTHS.desktop);
    expect(await focused()).toBe("Ask");

    await askButton(page).click();
    await stop.focus();
    await eventually(prompts).toBe(2);
    finish();
    await page.getByText(/under policy version/).waitFor();
    expect(await focused()).toBe("Ask");

    expectError(/api\/chat/);
    await page.route("**/api/chat", (route) => route.abort("connectionrefused"));
    await page.getByLabel("Question", { exact: true }).fill("And now?");
    await askButton(page).click();
    await page.unroute("**/api/chat");
    await page.getByRole("button", { name: "Try again" }).click();
    await answer(page).getByText("No peanuts").waitFor();
    expect(await page.evaluate(() => document.activeElement?.tagName)).not.toBe("BODY");
    expect(await focused()).toContain("No peanuts");
    finish();
  });
});
