// The colour theme. public/theme.js applies the stored choice before the first paint.
import { storeValue } from "#web/lib/storage.ts";
import { createStore, type ReadableStore } from "#web/lib/store.ts";

export const THEMES = ["system", "light", "dark"] as const;
type Theme = (typeof THEMES)[number];

const { theme: stored } = document.documentElement.dataset;
const store = createStore<Theme>(THEMES.find((theme) => theme === stored) ?? "system");
export const theme: ReadableStore<Theme> = store;

export function setTheme(chosen: Theme): void {
  store.set(chosen);
  if (chosen === "system") delete document.documentElement.dataset.theme;
  else document.documentElement.dataset.theme = chosen;
  storeValue("theme", chosen === "system" ? undefined : chosen);
}
