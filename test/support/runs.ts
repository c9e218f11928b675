// How often a test tries what it generates. `npm test` tries a share of it, and `npm run torture -- properties` all of it.

/** For the environment of a test run that tries everything. */
export const EVERYTHING = { TEST_RUNS: "all" };

// biome-ignore lint/style/noProcessEnv: a setting of the tests alone.
const triesEverything = process.env.TEST_RUNS === EVERYTHING.TEST_RUNS;

/** `all`, or as many as `npm test` has time for. */
export const runs = (all: number, few = Math.ceil(all / 4)): number => (triesEverything ? all : few);
