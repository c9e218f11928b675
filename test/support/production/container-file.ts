// Runs the steps of a Containerfile in folders of this machine, one for each stage, without a container engine. It knows
// the instructions that ours has, and refuses others. Absolute paths mean paths below the stage's folder.
import { execFileSync } from "node:child_process";
import { cpSync, mkdirSync, readFileSync } from "node:fs";
import { basename, join, relative, resolve } from "node:path";

export interface Stage {
  /** Where the stage's `/` is. */
  readonly root: string;
  readonly workdir: string;
  readonly environment: Readonly<Record<string, string>>;
  /** `uid:gid`. */
  readonly user: string;
  readonly command: readonly string[];
  readonly healthCheck: readonly string[];
}

interface BuildOptions {
  /** The folder that COPY takes files from. */
  readonly context: string;
  /** A new folder for the stages. */
  readonly folder: string;
  /** The environment of RUN. */
  readonly environment: Readonly<Record<string, string>>;
  /** Called before the first RUN of a stage, to bring what would have to be downloaded. */
  readonly beforeRun?: (stage: { readonly name: string; readonly workdir: string }) => void;
}

type Building = { -readonly [Field in keyof Stage]: Stage[Field] } & { name: string; hasRun: boolean };

/** Runs all steps. Answers with the last stage. */
export function buildStages({ folder, environment, beforeRun, ...options }: BuildOptions): Stage {
  const context = resolve(options.context);
  const stages = new Map<string, Building>();
  const ignored = linesOf(join(context, ".containerignore"));
  let stage: Building | undefined;

  function copy(from: string, to: string): void {
    const isWanted = (path: string) => from !== context || !ignored.includes(relative(context, path));
    cpSync(from, to, { recursive: true, filter: isWanted, preserveTimestamps: true });
  }

  function run(current: Building, words: readonly string[], line: string): void {
    const [, ...args] = words;
    switch (words[0]) {
      case "WORKDIR":
        current.workdir = at(current, args[0] ?? "");
        mkdirSync(current.workdir, { recursive: true });
        break;
      case "COPY": {
        const source = /^--from=(\w+)$/.exec(args[0] ?? "")?.[1];
        const paths = source === undefined ? args : args.slice(1);
        const target = paths.at(-1) ?? "";
        for (const path of paths.slice(0, -1)) {
          const from = source === undefined ? resolve(context, path) : at(stages.get(source) as Building, path);
          copy(from, target.endsWith("/") ? join(at(current, target), basename(from)) : at(current, target));
        }
        break;
      }
      case "RUN": {
        if (!current.hasRun) beforeRun?.(current);
        current.hasRun = true;
        const script = args.join(" ").replaceAll(/(^|\s)(\/\S+)/g, (_, space, path) => `${space}${at(current, path)}`);
        execFileSync("/bin/sh", ["-ec", script], { cwd: current.workdir, env: environment, stdio: "pipe" });
        break;
      }
      case "ENV":
        for (const [name = "", value = ""] of args.map((pair) => pair.split("=")))
          current.environment = { ...current.environment, [name]: value.startsWith("/") ? at(current, value) : value };
        break;
      case "USER":
        current.user = args[0] ?? "";
        break;
      case "CMD":
        current.command = commandIn(current, line);
        break;
      case "HEALTHCHECK":
        current.healthCheck = commandIn(current, line);
        break;
      case "EXPOSE":
      case "STOPSIGNAL":
      case "VOLUME":
        break;
      default:
        throw new Error(`The tests cannot run this step: ${line}`);
    }
  }

  for (const line of linesOf(join(context, "Containerfile"))) {
    const words = line.split(/\s+/);
    if (words[0] !== "FROM") {
      if (stage === undefined) throw new Error("The first step must be FROM.");
      run(stage, words, line);
      continue;
    }
    const name = words[2] === "AS" ? (words[3] ?? "") : "last";
    const root = join(folder, name);
    mkdirSync(root);
    stage = { name, root, workdir: root, environment: {}, user: "0:0", command: [], healthCheck: [], hasRun: false };
    stages.set(name, stage);
  }
  if (stage === undefined) throw new Error("There is no stage.");
  return stage;
}

function linesOf(path: string): string[] {
  const lines = readFileSync(path, "utf8").split("\n");
  return lines.map((line) => line.trim()).filter((line) => line !== "" && !line.startsWith("#"));
}

const at = ({ root, workdir }: Building, path: string): string =>
  path.startsWith("/") ? join(root, path) : join(workdir, path);

function commandIn(stage: Building, line: string): string[] {
  const words: string[] = JSON.parse(line.slice(line.indexOf("[")));
  return words.map((word) => (word.startsWith("/") ? at(stage, word) : word));
}
