// The order of test files. Those that wait for processes run beside those that keep a browser busy, so that no core is
// idle, and the many short ones run last, so that no worker ends long after the others.
import { matchesGlob, relative } from "node:path";
import { BaseSequencer, type TestSpecification } from "vitest/node";

/** The names of the projects. A worker of the last one is reused for all of its files, if no others come between. */
const ORDER = ["isolated", "package", "shared"];

/** They start processes, servers and browsers, and wait for them; or they are long, and run early for that reason. */
const WAITING = [
  "test/{browser,docs,entry-points,faults,openapi,operations,python,replicas,storage,torture}/**/*.test.ts",
  "test/adapters/sqlite.test.ts",
  "test/adapters/{postgres,sui-ledger}/**/*.test.ts",
  "test/answers/interleavings.test.ts",
  "test/http/api-examples.test.ts",
  "test/identity/generated-requests.test.ts",
  "test/proof/bundles/*.test.ts",
  "test/receipts/signing-keys-command.test.ts",
  "{bench/recall,src/adapters/blobs/walrus/blob-id}.test.ts",
];

/** Which of the waiting ones come before the first that needs a browser: Chromium is installed meanwhile, if there is none. */
const BEFORE_BROWSERS = 0.1;
/** After all that wait. */
const LAST = 1;

const isOfBrowser = ({ moduleId }: TestSpecification) => moduleId.includes("/test/browser/");
const rankOf = ({ project }: TestSpecification) => ORDER.indexOf(project.name);

function isWaiting({ project, moduleId }: TestSpecification): boolean {
  const path = relative(project.config.root, moduleId);
  return project.name === "shared" && WAITING.some((pattern) => matchesGlob(path, pattern));
}

export class TestOrder extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files);
    const waiting = sorted.filter(isWaiting);
    const [browsers, others] = [waiting.filter(isOfBrowser), waiting.filter((file) => !isOfBrowser(file))];
    const places = new Map([
      ...others.map((file, i) => [file, i / others.length] as const),
      ...browsers.map((file, i) => [file, BEFORE_BROWSERS + ((1 - BEFORE_BROWSERS) * i) / browsers.length] as const),
    ]);
    const placeOf = (file: TestSpecification) => places.get(file) ?? LAST;
    return sorted.toSorted((a, b) => rankOf(a) - rankOf(b) || placeOf(a) - placeOf(b));
  }
}
