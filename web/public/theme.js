// Runs before the first paint, so that a remembered choice never flashes. src/ui/theme-switch.tsx writes it.
try {
  const theme = localStorage.getItem("theme");
  if (theme === "light" || theme === "dark") document.documentElement.dataset.theme = theme;
} catch {
  // Storage is closed to us: the system decides.
}
