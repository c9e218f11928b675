// Asks for the code of a page with the app itself, and for what the page asks the service first: theme.js, which the page
// begins with, names both. Without it the browser learns of them only when the app runs.
import { readFileSync } from "node:fs";
import type { Plugin } from "vite";
import { PAGES } from "../src/contract/page-paths.ts";

/** `name: lazy(() => import("./pages/…"))` of the router. */
const LAZY = /(\w+): lazy\(\(\) => [^"]*?import\("\.\/(pages\/[^"]+)"\)/g;

const EVERYWHERE = ["/api/service", "/api/overview"];
const GATES = ["/api/policy", ...EVERYWHERE];

/**
 * The first requests of each page, as the typed client sends them; `$1` is the name at the end of the path. Where people
 * sign in, it is not known yet what the visitor may ask for, so the first request is who it is. Nor is it known which ledger
 * there is, so nothing of it is among them.
 */
const FIRST_REQUESTS: Readonly<Partial<Record<keyof typeof PAGES, readonly string[]>>> = {
  console: GATES,
  companion: GATES,
  memories: ["/api/memories?limit=100", "/api/namespaces?limit=1000", ...GATES],
  policy: ["/api/policy/changes?limit=200", ...GATES],
  activity: ["/api/decisions?limit=50", "/api/receipts?limit=50", ...GATES],
  overview: EVERYWHERE,
  begin: EVERYWHERE,
  connect: GATES,
  proposals: ["/api/proposals?limit=20", ...EVERYWHERE],
  webhooks: ["/api/webhooks", ...EVERYWHERE],
  tenants: ["/api/tenants?limit=50", "/api/tenant-templates", ...EVERYWHERE],
  ledger: EVERYWHERE,
  log: ["/api/log", ...EVERYWHERE],
  verifyStart: EVERYWHERE,
  docs: EVERYWHERE,
  receipt: ["/api/receipts/$1", ...GATES],
  verify: EVERYWHERE,
  agent: [...GATES, "/api/receipts?limit=20&agentId=$1"],
  namespace: ["/api/namespaces/$1", ...GATES, "/api/memories?limit=10&namespace=$1"],
  memory: ["/api/memories/$1", ...GATES],
  ledgerTransaction: EVERYWHERE,
  ledgerObject: EVERYWHERE,
};

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
        const page = name as keyof typeof PAGES;
        const pattern = PAGES[page].path.replaceAll(/:\w+/g, "([^/]+)");
        return [`^${pattern}$`, [...files], FIRST_REQUESTS[page] ?? []];
      });
      const theme = readFileSync(new URL("public/theme.js", import.meta.url), "utf8");
      const source = `${theme}(${PRELOAD})(${JSON.stringify(pages)});\n`;
      this.emitFile({ type: "asset", fileName: "theme.js", source });
    },
  };
}

/** Runs in the browser. web/src/lib/early-requests.ts takes over what it began. */
const PRELOAD = `(pages) => {
  const { basePath: base = "", identities } = document.documentElement.dataset;
  const path = location.pathname.slice(base.length) || "/";
  const [pattern, files, requests] = pages.find(([pattern]) => new RegExp(pattern).test(path)) ?? ["", [], []];
  let hasTenant = false;
  try {
    hasTenant = localStorage.getItem("tenant:" + base) !== null;
  } catch {}
  const isOpen = identities === "none";
  const first = isOpen ? (location.search === "" ? requests : []) : ["/api/session"];
  const [, name] = new RegExp(pattern).exec(path) ?? [];
  for (const file of files) {
    const link = document.createElement("link");
    link.rel = "modulepreload";
    link.href = base + "/" + file;
    document.head.append(link);
  }
  const begin = (request) => {
    const url = base + request.replace("$1", name);
    const reply = fetch(url);
    reply.catch(() => {});
    return [url, reply];
  };
  globalThis.earlyRequests = new Map(hasTenant ? [] : first.map(begin));
}`;
