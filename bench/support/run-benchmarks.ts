// Runs benchmarks one after another. One that fails is a result, too, so that the rest is measured.
import type { Benchmark, Report } from "./benchmark.ts";
import { createProgress } from "./progress.ts";
import { removeTemporaryFolders } from "./temporary-folder.ts";

export interface Result {
  readonly name: string;
  readonly title: string;
  /** Absent if it failed. */
  readonly report?: Report;
  /** Why it failed. */
  readonly error?: string;
}

interface Observer {
  readonly onResult: (result: Result) => void;
  /** Ends what a benchmark that failed has left running. */
  readonly onFailure: () => void;
}

export async function runBenchmarks(
  chosen: Iterable<readonly [name: string, benchmark: Benchmark]>,
  { onResult, onFailure }: Observer,
): Promise<Result[]> {
  const results: Result[] = [];
  for (const [name, benchmark] of chosen) {
    const outcome = await measure(benchmark);
    if ("error" in outcome) onFailure();
    removeTemporaryFolders();
    const result = { name, title: benchmark.title, ...outcome };
    results.push(result);
    onResult(result);
  }
  return results;
}

async function measure(benchmark: Benchmark): Promise<{ readonly report: Report } | { readonly error: string }> {
  const progress = createProgress(process.stderr);
  try {
    return { report: await benchmark.run(progress.say) };
  } catch (error) {
    return { error: error instanceof Error ? error.message : String(error) };
  } finally {
    progress.clear();
  }
}
