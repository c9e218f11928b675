// The command line, by its own entry, with the agent's key in the environment.
import { portcullis } from "#test/support/portcullis.ts";
import type { EntryPoint, Outcome } from "./entry-point.ts";
import { NAMESPACES } from "./policies.ts";

const query = "What is the secret word?";
const WIDE = 500;

export const commandLineEntryPoint: EntryPoint = async ({ url, key }) => {
  const run = (args: readonly string[], columns?: number) => portcullis(args, { url, key, columns });
  const all = async (args: readonly string[], columns?: number): Promise<string> => {
    const { out, err } = await run(args, columns);
    return `${out}\n${err}`;
  };
  const withReceipt = async (args: readonly string[]): Promise<Outcome> => {
    const { code, out, err } = await run([...args, "--json"]);
    if (code !== 0) return { text: err };
    return { text: `${out}\n${err}`, receipt: JSON.parse(out).receipt };
  };
  return {
    reads: {
      chat: () => withReceipt(["chat", query]),
      "chat on a terminal": async () => ({ text: await all(["chat", query], WIDE) }),
      recall: () => withReceipt(["recall", query]),
      "recall on a terminal": async () => ({ text: await all(["recall", query], WIDE) }),
      memories: async () => ({ text: await all(["memories", "--all"]) }),
      search: async () => ({ text: await all(["memories", "--search", "secret", "--json"]) }),
    },
    probes: {
      policy: () => all(["policy", "--json"]),
      mistakes: async () =>
        (await Promise.all([all(["recall"]), all(["memories", "mem_x"]), all(["verify", "x"])])).join(),
      "memories of blocked namespaces": async () => {
        const { out } = await run(["policy", "--json"]);
        const allowed: Record<string, boolean> = Object.assign({}, ...Object.values(JSON.parse(out).policy));
        const blocked = NAMESPACES.filter((name) => allowed[name] !== true);
        return (await Promise.all(blocked.map((name) => all(["memories", "--namespace", name])))).join();
      },
    },
  };
};
