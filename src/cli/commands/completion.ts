import type { Run } from "#cli/invocation.ts";

export const run: Run<"completion"> = async ({ positionals, out }) => {
  const [shell] = positionals;
  await out.write(await scriptFor(shell));
  return undefined;
};

/** The parser takes no other shell. */
async function scriptFor(shell: string | undefined): Promise<string> {
  if (shell === "bash") return (await import("#cli/completion/bash.ts")).bashCompletion();
  if (shell === "zsh") return (await import("#cli/completion/zsh.ts")).zshCompletion();
  return (await import("#cli/completion/fish.ts")).fishCompletion();
}
