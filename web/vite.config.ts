import { readFileSync } from "node:fs";
import tailwindcss from "@tailwindcss/vite";
import react from "@vitejs/plugin-react";
import { defineConfig, type Plugin } from "vite";
import { guides } from "./guides.ts";
import { lastingImports } from "./lasting-imports.ts";
import { preloadPages } from "./preload-pages.ts";
import { subsetFonts } from "./subset-fonts.ts";

const SERVICE = "http://127.0.0.1:3000";

/** Vite lists the licenses of code. Fonts and icons have theirs, too. */
function moreLicenses(): Plugin {
  const fonts = ["instrument-sans", "jetbrains-mono", "newsreader"];
  const licenseOf = (font: string) =>
    readFileSync(new URL(`node_modules/@fontsource-variable/${font}/LICENSE`, import.meta.url), "utf8");
  return {
    name: "more-licenses",
    generateBundle() {
      const source = fonts.map((font) => `${font}\n\n${licenseOf(font)}`).join("\n\n");
      this.emitFile({ type: "asset", fileName: "font-licenses.txt", source });
      const icons = readFileSync(new URL("icons-license.txt", import.meta.url), "utf8");
      this.emitFile({ type: "asset", fileName: "icon-licenses.txt", source: icons });
    },
  };
}

export default defineConfig({
  root: import.meta.dirname,
  // Relative links hold below any base path. The service makes those of the page itself absolute.
  base: "./",
  // Node's `imports` end at the package.json of this folder; the paths of tsconfig.json go on to the service's modules.
  resolve: {
    tsconfigPaths: true,
    // Preact does what the app needs of React in a fifth of its size, which every first visit waits for.
    alias: [
      { find: /^react-dom\/client$/, replacement: "preact/compat/client" },
      { find: /^react-dom$|^react$/, replacement: "preact/compat" },
      { find: /^react\/jsx-runtime$/, replacement: "preact/jsx-runtime" },
    ],
  },
  // Vite lowers the styles to `target` itself; Tailwind's own pass would lower them further than needed.
  plugins: [
    react(),
    tailwindcss({ optimize: false }),
    subsetFonts(),
    lastingImports(),
    preloadPages(),
    guides(),
    moreLicenses(),
  ],
  build: {
    outDir: "dist",
    emptyOutDir: true,
    manifest: true,
    // The bundle holds code of others, whose licenses ask to go with it.
    license: { fileName: "third-party-licenses.txt" },
    target: ["chrome123", "edge123", "firefox128", "safari17.5"],
    // The pages' content security policy allows fonts and styles from their own origin only, and no data: URLs.
    assetsInlineLimit: 0,
    // Every browser of `target` preloads modules.
    modulePreload: { polyfill: false },
    // One chunk for what all pages load first, one for what several share, and two for what shows receipts and hashes: many
    // small ones compress worse, and wait for each other.
    rolldownOptions: {
      output: {
        codeSplitting: {
          groups: [
            { name: "first-load", tags: ["$initial"], priority: 3 },
            {
              name: "shared",
              test: /web\/src\/(?:(?:ui|lib|api|policy|memory|code)\/|receipt\/(?:receipt-status|kept-question))|core\/receipt\/citations/,
              minShareCount: 3,
              priority: 2,
            },
            {
              name: "digests",
              test: /core\/encoding\/(?:digest|canonical-json)|@noble\/hashes/,
              minShareCount: 3,
              priority: 2,
            },
            { name: "receipts", test: /web\/src\/receipt\//, minShareCount: 3, priority: 1 },
          ],
        },
      },
    },
  },
  server: { proxy: { "/api": SERVICE, "/v1": SERVICE } },
  preview: { proxy: { "/api": SERVICE, "/v1": SERVICE } },
});
