// Applies the stored colour theme before the first paint. src/layout/theme.ts stores it.
try {
  const theme = localStorage.getItem("theme");
  if (theme === "light" || theme === "dark") document.documentElement.dataset.theme = theme;
} catch {
  // The browser refuses storage: the system decides.
}
