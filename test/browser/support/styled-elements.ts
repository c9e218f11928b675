// Counts the elements of which the browser computes the styles. Unlike the time that this takes, the number is the same
// on a busy machine.
import type { Page } from "playwright-core";

interface TraceEvent {
  readonly name: string;
  readonly args?: { readonly elementCount?: number };
}

export async function styledDuring(page: Page, action: () => Promise<void>): Promise<number> {
  const browser = page.context().browser();
  if (browser === null) throw new Error("The page has no browser of its own.");
  await browser.startTracing(page, { categories: ["devtools.timeline"] });
  await action();
  const { traceEvents } = JSON.parse(String(await browser.stopTracing())) as { traceEvents: TraceEvent[] };
  return traceEvents
    .filter(({ name }) => name === "UpdateLayoutTree")
    .reduce((sum, { args }) => sum + (args?.elementCount ?? 0), 0);
}
