// `curl` for machines that have none: the options that our documents use, and no other.
import { readFile } from "node:fs/promises";
import { parseArgs } from "node:util";

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    silent: { type: "boolean", short: "s" },
    "no-buffer": { type: "boolean", short: "N" },
    request: { type: "string", short: "X" },
    header: { type: "string", short: "H", multiple: true },
    data: { type: "string", short: "d" },
    "data-binary": { type: "string" },
    "max-time": { type: "string" },
  },
});

async function bodyOf(text: string): Promise<string | Uint8Array<ArrayBuffer>> {
  if (!text.startsWith("@")) return text;
  return Uint8Array.from(await readFile(text === "@-" ? "/dev/stdin" : text.slice(1)));
}

const [target = ""] = positionals;
const given = values.data ?? values["data-binary"];
const headers = (values.header ?? []).map((header): [string, string] => {
  const [name = "", ...rest] = header.split(":");
  return [name, rest.join(":").trim()];
});
const OUT_OF_TIME = 28;
try {
  const response = await fetch(target.startsWith("http") ? target : `http://${target}`, {
    method: values.request ?? (given === undefined ? "GET" : "POST"),
    headers,
    ...(given !== undefined && { body: await bodyOf(given) }),
    ...(values["max-time"] !== undefined && { signal: AbortSignal.timeout(1_000 * Number(values["max-time"])) }),
  });
  for await (const piece of response.body ?? []) process.stdout.write(piece);
} catch (error) {
  if ((error as Error).name !== "TimeoutError") throw error;
  process.exitCode = OUT_OF_TIME;
}
