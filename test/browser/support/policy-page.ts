// Reads and operates the table of gates.
import type { Page } from "playwright-core";

export const gate = (page: Page, namespace: string, agentId: string) =>
  page.getByRole("switch", { name: `${namespace} for ${agentId}`, exact: true });
export const cell = (page: Page, namespace: string, agentId: string) =>
  page.getByRole("gridcell").filter({ has: gate(page, namespace, agentId) });
export const stateOf = (page: Page, namespace: string, agentId: string) =>
  cell(page, namespace, agentId).getAttribute("data-state");
