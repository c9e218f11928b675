// npm run verify-html: writes verify.html into dist/, or another folder, and prints its digest: a verifier in one file that
// needs no server and no network, made of the code that the app and the command line verify with.
import { createHash } from "node:crypto";
import { mkdirSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";

const ROOT = join(import.meta.dirname, "..", "..");

const STYLE = `body{font:1rem/1.5 system-ui,sans-serif;max-width:46rem;margin:2rem auto;padding:0 1rem;color:#1c1a17;background:#faf8f4}
label{display:block;margin:1rem 0}input,textarea{font:inherit;display:block;width:100%;box-sizing:border-box}
li{margin:.5rem 0}li p{margin:0;color:#5c564d;overflow-wrap:anywhere}code{font-size:.85em}
.fail strong,.failed{color:#9b1c1c}.unknown strong,.unknown{color:#7a5200}.pass strong,.verified{color:#1c5b36}`;

/** The script alone: a module without imports, which gives its `judge` to whoever loads it as one. */
export async function verifierScript(): Promise<string> {
  // It is installed with what builds the page.
  const { rolldown } = createRequire(join(ROOT, "web", "package.json"))("rolldown");
  const web = join(ROOT, "web");
  const input = join(web, "src", "offline", "verify-file.ts");
  const bundled = await rolldown({ cwd: ROOT, input, platform: "browser", tsconfig: join(web, "tsconfig.json") });
  const { output } = await bundled.generate({ format: "esm", codeSplitting: false, minify: true });
  const [{ code }] = output as readonly [{ readonly code: string }];
  return code.replaceAll("</script", "<\\/script");
}

/** The content security policy allows this script and this style, and no connection to anybody. */
export function pageOf(script: string): string {
  const hash = (text: string) => `'sha256-${createHash("sha256").update(text).digest("base64")}'`;
  const policy = `default-src 'none'; script-src ${hash(script)}; style-src ${hash(STYLE)}; base-uri 'none'; form-action 'none'`;
  return `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${policy}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Verify a Portcullis proof</title>
<style>${STYLE}</style>
<h1>Verify a proof</h1>
<p>Choose or drop a file that <code>portcullis proof</code> wrote. It stays on this machine: this page can connect to nobody.</p>
<label>The file <input id="file" type="file" accept=".json,application/json"></label>
<label>Ids of signing keys that you trust, from a source that is not the file <input id="keys" autocomplete="off" spellcheck="false"></label>
<label>Logs and witnesses that you trust, as a policy (C2SP tlog-policy) <textarea id="witnesses" rows="4" spellcheck="false"></textarea></label>
<output aria-live="polite"></output>
<script type="module">${script}</script>
</html>
`;
}

if (import.meta.main) {
  const page = pageOf(await verifierScript());
  const folder = process.argv[2] ?? join(ROOT, "dist");
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, "verify.html"), page);
  console.log(`sha256 ${createHash("sha256").update(page).digest("hex")}  verify.html, ${page.length} characters`);
}
