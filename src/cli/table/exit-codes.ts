// The exit codes of all commands. Scripts rely on them, so they never change.
export const EXIT = {
  done: 0,
  failed: 1,
  usage: 2,
  refused: 3,
  notFound: 4,
  unreachable: 5,
  unverified: 6,
  interrupted: 130,
} as const;

export const MEANINGS: readonly (readonly [code: number, meaning: string])[] = [
  [EXIT.done, "done"],
  [EXIT.failed, "it failed"],
  [EXIT.usage, "the command line is not right"],
  [EXIT.refused, "the caller may not do that: the key is missing, wrong or not allowed"],
  [EXIT.notFound, "there is no such thing"],
  [EXIT.unreachable, "the service does not answer, or cannot answer now: try again later"],
  [EXIT.unverified, "a verification found something wrong"],
  [EXIT.interrupted, "Ctrl-C"],
];
