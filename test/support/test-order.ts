// The order of test files. Those that wait for processes run beside those that keep a browser busy, so that no core is
// idle, and the many short ones run last, so that no worker ends long after the others.
import { BaseSequencer, type TestSpecification } from "vitest/node";

/** The names of the projects. */
const ORDER = ["isolated", "waiting", "package", "shared"];
/** Which of the waiting ones come before the first that needs a browser: Chromium is installed meanwhile, if there is none. */
const BEFORE_BROWSERS = 0.1;

const isOfBrowser = ({ moduleId }: TestSpecification) => moduleId.includes("/test/browser/");
const rankOf = ({ project }: TestSpecification) => ORDER.indexOf(project.name);

export class TestOrder extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files);
    const waiting = sorted.filter(({ project }) => project.name === "waiting");
    const [browsers, others] = [waiting.filter(isOfBrowser), waiting.filter((file) => !isOfBrowser(file))];
    const places = new Map([
      ...others.map((file, i) => [file, i / others.length] as const),
      ...browsers.map((file, i) => [file, BEFORE_BROWSERS + ((1 - BEFORE_BROWSERS) * i) / browsers.length] as const),
    ]);
    return sorted.toSorted((a, b) => rankOf(a) - rankOf(b) || (places.get(a) ?? 0) - (places.get(b) ?? 0));
  }
}
