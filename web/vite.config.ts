import tailwindcss from "@tailwindcss/vite";
import react from "@vitejs/plugin-react";
import { defineConfig } from "vite";

const SERVICE = "http://127.0.0.1:3000";

export default defineConfig({
  root: import.meta.dirname,
  // Relative links hold below any base path. The service makes those of the page itself absolute.
  base: "./",
  // Vite lowers the styles to `target` itself; Tailwind's own pass would lower them further than needed.
  plugins: [react(), tailwindcss({ optimize: false })],
  build: {
    outDir: "dist",
    emptyOutDir: true,
    manifest: true,
    target: ["chrome123", "edge123", "firefox128", "safari17.5"],
    // The pages' content security policy allows fonts and styles from their own origin only, and no data: URLs.
    assetsInlineLimit: 0,
    // Every browser of `target` preloads modules.
    modulePreload: { polyfill: false },
    // One chunk for everything that the console loads first: several small ones compress worse.
    rolldownOptions: { output: { codeSplitting: { groups: [{ name: "first-load", tags: ["$initial"] }] } } },
  },
  server: { proxy: { "/api": SERVICE, "/v1": SERVICE } },
  preview: { proxy: { "/api": SERVICE, "/v1": SERVICE } },
});
