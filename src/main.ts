// The entry. Compiled code is cached between starts, which halves the time to be ready; the cache must be on before the
// rest is imported.
import { enableCompileCache } from "node:module";
import { fileURLToPath } from "node:url";

enableCompileCache(fileURLToPath(new URL("../node_modules/.cache/portcullis", import.meta.url)));

try {
  const { serve } = await import("./serve.ts");
  await serve();
} catch (error) {
  // A sentence for the person who starts it; the stack only when it is our own fault.
  const { PortcullisError } = await import("./core/errors.ts");
  const sentence = error instanceof PortcullisError ? error.message : error instanceof Error ? error.stack : error;
  process.stderr.write(`portcullis: ${sentence}\n`);
  process.exitCode = 1;
}
