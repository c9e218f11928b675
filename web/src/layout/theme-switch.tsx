// The colour theme: light, dark, or the one of the system. public/theme.js applies the stored choice before the first
// paint.
import { Monitor, Moon, Sun } from "lucide-react";
import { useState } from "react";

const THEMES = ["system", "light", "dark"] as const;
type Theme = (typeof THEMES)[number];

const ICONS = { system: Monitor, light: Sun, dark: Moon } as const;

export function ThemeSwitch() {
  const [theme, setTheme] = useState<Theme>(currentTheme);
  const Icon = ICONS[theme];
  function selectNext(): void {
    const next = THEMES[(THEMES.indexOf(theme) + 1) % THEMES.length] ?? "system";
    applyTheme(next);
    setTheme(next);
  }
  return (
    <button
      type="button"
      onClick={selectNext}
      aria-label={`Colours: ${theme}`}
      title={`Colours: ${theme}`}
      className="grid size-10 place-items-center rounded-md text-soft hover:bg-well hover:text-ink"
    >
      <Icon className="size-4.5" aria-hidden="true" />
    </button>
  );
}

function currentTheme(): Theme {
  const { theme } = document.documentElement.dataset;
  return theme === "light" || theme === "dark" ? theme : "system";
}

function applyTheme(theme: Theme): void {
  if (theme === "system") delete document.documentElement.dataset.theme;
  else document.documentElement.dataset.theme = theme;
  try {
    if (theme === "system") localStorage.removeItem("theme");
    else localStorage.setItem("theme", theme);
  } catch {
    // The browser refuses storage: the choice lasts until the page is closed.
  }
}
