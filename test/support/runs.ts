// How often a test tries what it generates, and from which seed. `npm test` tries a share of it, always the same, so that
// its result tells of the change and not of luck. `npm run torture -- properties` tries all of it, from a new seed.

/** For the environment of a test run that tries everything. */
export const EVERYTHING = { TEST_RUNS: "all" };

// biome-ignore lint/style/noProcessEnv: a setting of the tests alone.
const triesEverything = process.env.TEST_RUNS === EVERYTHING.TEST_RUNS;

/** `all`, or as many as `npm test` has time for. */
export const runs = (all: number, few = Math.ceil(all / 4)): number => (triesEverything ? all : few);

/** All cases of a list, or every fourth of them. For what another test of `npm test` tries with all of them. */
export const someOf = <T>(all: readonly T[]): T[] => all.filter((_, i) => triesEverything || i % 4 === 0);

/** All cases of a list, or those that `npm test` has time for. */
export const casesOf = <T>(all: readonly T[], few: readonly T[]): readonly T[] => (triesEverything ? all : few);

// biome-ignore lint/style/noProcessEnv: a setting of the tests alone.
const { TEST_SEED } = process.env;

/** What a run generates follows from it. `TEST_SEED` sets it: a number, or `random`. */
export const seed = seedFrom(TEST_SEED ?? (triesEverything ? "random" : "20260101"));

function seedFrom(setting: string): number {
  if (setting === "random") return Math.trunc(Math.random() * 2 ** 31);
  if (/^\d{1,10}$/.test(setting)) return Number(setting) % 2 ** 31;
  throw new Error(`TEST_SEED is "${setting}". Set a number, or "random".`);
}
