/** Is told of each group commit that is on disk: how many writes shared it, and how long it took. */
export type OnCommit = (writes: number, seconds: number) => void;
