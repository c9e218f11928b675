// llms.txt: what a language model reads first (llmstxt.org). The file is at the root of the repository and of the package.
import { readFile } from "node:fs/promises";
import { PortcullisError } from "#core/errors.ts";
import type { HttpReply } from "#http/answer/reply.ts";

const FILE = new URL("../../../llms.txt", import.meta.url);

export async function llmsText(): Promise<HttpReply> {
  const body = await readFile(FILE, "utf8").catch((cause) => {
    throw new PortcullisError("not-found", "This installation has no llms.txt. GET /openapi.json describes the API.", {
      cause,
    });
  });
  return { headers: { "content-type": "text/plain; charset=utf-8", "cache-control": "no-cache" }, body };
}
