// Mutated bundles, judged by all: this service's verifier, the script of verify.html, and verify.py.
import { once } from "node:events";
import { writeFileSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { availableParallelism, tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { isDeepStrictEqual } from "node:util";
import { isMainThread, parentPort, Worker, workerData } from "node:worker_threads";
import type { judge as judgeFile } from "#web/offline/judge-file.ts";
import { verifierScript } from "../../../scripts/verify-html/build.ts";
import { judge } from "./forged-bundles.ts";
import { type MutatedBundle, mutatedBundles } from "./mutated-bundles.ts";
import { codesOf, type Judged, judgeInPython } from "./python-verifier.ts";

const REMEMBER = new URL("../../support/remember-signatures.ts", import.meta.url).href;

type JudgeInPage = (one: MutatedBundle) => Promise<Judged>;

/** `path`: a file with the script of verify.html. */
export async function loadPage(path: string): Promise<JudgeInPage> {
  const built = (await import(/* @vite-ignore */ pathToFileURL(path).href)) as { readonly judge: typeof judgeFile };
  return async ({ bundle, nowMs, witnesses = "" }) => {
    const judged = await built.judge(JSON.stringify(bundle), { now: () => nowMs, witnesses });
    return "fault" in judged ? { verdict: "malformed", checks: [] } : codesOf(judged.result);
  };
}

interface Batch {
  readonly seed: number;
  readonly size: number;
}

interface Compared {
  readonly verdicts: Readonly<Record<string, number>>;
  readonly codes: readonly string[];
  readonly differences: readonly string[];
}

/** `inPage`: the page has the same source as this verifier, and judges one in so many. */
async function compare({ seed, size }: Batch, judgeInPage: JudgeInPage, inPage: number): Promise<Compared> {
  const cases = await Array.fromAsync(mutatedBundles(seed, size));
  // Python is a process of its own, and works meanwhile.
  const judging = judgeInPython(cases);
  const verdicts: Record<string, number> = {};
  const codes = new Set<string>();
  const differences: string[] = [];
  const ours: Judged[] = [];
  for (const [i, one] of cases.entries()) {
    const { bundle, nowMs, ...seen } = one;
    const judged = await judge(bundle, nowMs, seen);
    ours.push(judged);
    verdicts[judged.verdict] = (verdicts[judged.verdict] ?? 0) + 1;
    for (const { code } of judged.checks) if (code !== undefined) codes.add(code);
    if (i % inPage === 0 && !isDeepStrictEqual(judged, await judgeInPage(one)))
      differences.push(`seed ${seed}, bundle ${i} of ${size}: verify.html has other codes`);
  }
  for (const [i, theirs] of (await judging).entries())
    if (!isDeepStrictEqual(ours[i], theirs))
      differences.push(`seed ${seed}, bundle ${i} of ${size}: verify.py has other codes`);
  return { verdicts, codes: [...codes], differences };
}

/** On each processor a thread, which takes one batch after the other. */
export async function compareVerifiers(
  batches: readonly Batch[],
  inPage: number,
  onProgress: (done: number) => void,
): Promise<readonly Compared[]> {
  const folder = await mkdtemp(join(tmpdir(), "portcullis-page-"));
  const path = join(folder, "verify-file.mjs");
  writeFileSync(path, await verifierScript());
  const [left, compared] = [[...batches], [] as Compared[]];
  async function work(): Promise<void> {
    const worker = new Worker(new URL(import.meta.url), {
      execArgv: ["--import", REMEMBER],
      workerData: { path, inPage },
    });
    try {
      for (let batch = left.shift(); batch !== undefined; batch = left.shift()) {
        worker.postMessage(batch);
        const [one] = (await once(worker, "message")) as [Compared];
        compared.push(one);
        onProgress(compared.length);
      }
    } finally {
      await worker.terminate();
    }
  }
  await Promise.all(Array.from({ length: availableParallelism() }, work)).finally(() =>
    rm(folder, { recursive: true }),
  );
  return compared;
}

if (!isMainThread && parentPort !== null && "inPage" in workerData) {
  const { path, inPage } = workerData as { readonly path: string; readonly inPage: number };
  const judgeInPage = await loadPage(path);
  parentPort.on("message", async (batch: Batch) => parentPort?.postMessage(await compare(batch, judgeInPage, inPage)));
}
