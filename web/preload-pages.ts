// Asks for the code of a page with the app itself: theme.js, which the page begins with, names it. Without it the browser
// learns of it only when the app runs.
import { readFileSync } from "node:fs";
import type { Plugin } from "vite";
import { PAGES } from "../src/contract/page-paths.ts";

/** `name: lazy(() => import("./pages/…"))` of the router. */
const LAZY = /(\w+): lazy\(\(\) => [^"]*?import\("\.\/(pages\/[^"]+)"\)/g;

export function preloadPages(): Plugin {
  return {
    name: "preload-pages",
    generateBundle(_options, bundle) {
      const router = readFileSync(new URL("src/app.tsx", import.meta.url), "utf8");
      const chunks = Object.values(bundle).filter((file) => file.type === "chunk");
      const entry = chunks.find(({ isEntry }) => isEntry)?.fileName ?? "";
      const pages = [...router.matchAll(LAZY)].map(([, name = "", module = ""]) => {
        const first = chunks.find(({ facadeModuleId }) => facadeModuleId?.endsWith(module))?.fileName ?? "";
        const files = new Set([first]);
        for (const file of files)
          for (const next of chunks.find(({ fileName }) => fileName === file)?.imports ?? [])
            if (next !== entry) files.add(next);
        const pattern = PAGES[name as keyof typeof PAGES].path.replaceAll(/:\w+/g, "[^/]+");
        return [`^${pattern}$`, [...files]];
      });
      const theme = readFileSync(new URL("public/theme.js", import.meta.url), "utf8");
      const source = `${theme}(${PRELOAD})(${JSON.stringify(pages)});\n`;
      this.emitFile({ type: "asset", fileName: "theme.js", source });
    },
  };
}

/** Runs in the browser. */
const PRELOAD = `(pages) => {
  const base = document.documentElement.dataset.basePath ?? "";
  const path = location.pathname.slice(base.length) || "/";
  for (const file of pages.find(([pattern]) => new RegExp(pattern).test(path))?.[1] ?? []) {
    const link = document.createElement("link");
    link.rel = "modulepreload";
    link.href = base + "/" + file;
    document.head.append(link);
  }
}`;
