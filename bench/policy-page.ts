// The policy page in a browser with 200 agents and 500 namespaces: how long it takes to open, and how long the browser
// is busy at a stretch while the table of gates scrolls.
import { fileURLToPath } from "node:url";
import { type Browser, chromium } from "playwright-core";
import { pagePath } from "#contract/page-paths.ts";
import { policyFrom } from "#core/gate/policy.ts";
import { loadWeb } from "#http/static/app-files.ts";
import { chromiumPath } from "#test/browser/support/find-chromium.ts";
import { startService } from "#test/support/start-service.ts";
import type { Benchmark } from "./support/benchmark.ts";

const AGENTS = 200;
const NAMESPACES = 500;
const ROUNDS = 5;
const STEPS = 60;
const DIST = fileURLToPath(new URL("../web/dist", import.meta.url));

export const policyPage: Benchmark = {
  title: `the policy page in Chromium with ${AGENTS} agents and ${NAMESPACES} namespaces`,

  async run(progress) {
    const service = await startService({ web: await loadWeb(DIST) });
    await service.tenant.records.reset([], largePolicy(), { by: "bench", at: new Date().toISOString() });
    // A service that runs has read its policy. This one has just got all of it at once.
    await service.client.getPolicy();
    const browser = await chromium.launch({ executablePath: await chromiumPath(), args: ["--no-sandbox"] });
    const rounds: Round[] = [];
    try {
      for (let round = 1; round <= ROUNDS; round++) {
        progress(`page: round ${round} of ${ROUNDS}`);
        rounds.push(await measure(browser, service.url));
      }
    } finally {
      await browser.close();
      await service.stop();
    }
    const each = (key: keyof Round) => rounds.map((round) => round[key]);
    return {
      figures: [
        {
          id: "open",
          what: "until the first gates are shown",
          unit: "ms",
          rounds: each("openMs"),
          aim: { under: 1_000 },
        },
        {
          id: "longestTask",
          what: "longest task of over 50 ms while scrolling (0: none)",
          unit: "ms",
          rounds: each("longestTaskMs"),
          aim: { under: 50 },
        },
        { id: "longTasks", what: "tasks of over 50 ms while scrolling", rounds: each("longTasks"), aim: { under: 1 } },
        {
          id: "longestProcessorTime",
          what: "processor time of the longest task while scrolling",
          unit: "ms",
          rounds: each("processorMs"),
          aim: { under: 50 },
        },
        { id: "cells", what: "gates in the page at the end", rounds: each("cells"), aim: { under: 400 } },
      ],
      notes: [
        `Each round opens the page with an empty cache, and scrolls ${STEPS} times down, sideways, and to a random place, one step a frame.`,
        "The browser and the service share the machine. A task also counts the time in which others had the processor.",
      ],
    };
  },
};

interface Round {
  readonly openMs: number;
  readonly longestTaskMs: number;
  readonly longTasks: number;
  readonly processorMs: number;
  readonly cells: number;
}

function largePolicy() {
  return policyFrom(
    Array.from({ length: AGENTS * NAMESPACES }, (_, i) => ({
      agentId: `agent-${Math.floor(i / NAMESPACES)}`,
      namespace: `namespace-${i % NAMESPACES}`,
      allowed: (i * 7_919) % 11 === 0,
    })),
  );
}

async function measure(browser: Browser, url: string): Promise<Round> {
  const context = await browser.newContext({ viewport: { width: 1360, height: 900 } });
  try {
    const page = await context.newPage();
    const began = performance.now();
    await page.goto(`${url}${pagePath("policy")}`);
    await page.getByRole("switch").first().waitFor();
    const openMs = performance.now() - began;
    // The change log belongs to the opening, too.
    await page.getByRole("list", { name: "Changes, newest first" }).waitFor();
    await browser.startTracing(page, { categories: ["toplevel", "blink.user_timing"] });
    const tasks = await page.evaluate<number[]>(`(${SCROLLING})(${STEPS})`);
    const processorMs = longestProcessorMs(JSON.parse(String(await browser.stopTracing())).traceEvents);
    const cells = await page.getByRole("switch").count();
    return { openMs, longestTaskMs: Math.max(0, ...tasks), longTasks: tasks.length, processorMs, cells };
  } finally {
    await context.close();
  }
}

/** Of a Chromium trace: times are in microseconds, and `tdur` is what a thread had of a processor. */
interface TraceEvent {
  readonly name: string;
  readonly pid: number;
  readonly tid: number;
  readonly ts: number;
  readonly tdur?: number;
}

/** Of the thread that set the mark, since then. */
function longestProcessorMs(events: readonly TraceEvent[]): number {
  const mark = events.find(({ name }) => name === MARK);
  if (mark === undefined) throw new Error("The trace does not have the mark of the page.");
  const tasks = events.filter(({ pid, tid, ts }) => pid === mark.pid && tid === mark.tid && ts >= mark.ts);
  return Math.max(...tasks.map(({ tdur = 0 }) => tdur)) / 1_000;
}

const MARK = "portcullis-scrolling";

/** Runs in the page. As text, because this file has no types of the DOM. */
const SCROLLING = `async (steps) => {
  const frame = () => new Promise(requestAnimationFrame);
  for (let i = 0; i < 30; i++) await frame();
  performance.mark("${MARK}");
  const durations = [];
  const observer = new PerformanceObserver((list) => {
    for (const { duration } of list.getEntries()) durations.push(duration);
  });
  observer.observe({ type: "longtask" });
  const region = document.querySelector('[aria-label="Gates by agent and namespace"]');
  for (let i = 0; i < steps; i++) { region.scrollTop += 120; await frame(); }
  for (let i = 0; i < steps; i++) { region.scrollLeft += 240; await frame(); }
  for (let i = 0; i < steps; i++) {
    region.scrollTo(Math.random() * region.scrollWidth, Math.random() * region.scrollHeight);
    await frame();
  }
  for (let i = 0; i < 10; i++) await frame();
  return durations;
}`;
