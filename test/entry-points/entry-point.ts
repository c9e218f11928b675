// An entry point: a way by which an agent gets to the service. Each is opened with the agent's key alone.

export interface Visitor {
  readonly url: string;
  /** The agent's key. */
  readonly key: string;
}

export interface Outcome {
  /** Everything that came out, as text: also what the entry point gave to a model, logged or wrote elsewhere. */
  readonly text: string;
  /** The receipt, where the entry point gives one. */
  readonly receipt?: {
    readonly usedMemories: readonly { readonly namespace: string }[];
    readonly blockedNamespaces: readonly string[];
  };
}

export interface OpenEntryPoint {
  /**
   * By name, the ways to ask for the text of memories: recall, an answer, a listing. Each must give the canary of every
   * namespace that the agent may use, and no other.
   */
  readonly reads: Readonly<Record<string, () => Promise<Outcome>>>;
  /** Ways that give no text of a memory, whether they succeed or fail: errors, names, searches for what is blocked. */
  readonly probes?: Readonly<Record<string, () => Promise<string>>>;
  close?(): Promise<void>;
}

export type EntryPoint = (visitor: Visitor) => Promise<OpenEntryPoint>;

/** What came out of a call that fails: all of the error, its cause and its fields. */
export async function outcomeOrError(call: () => Promise<unknown>): Promise<string> {
  return call().then(
    (value) => JSON.stringify(value) ?? "",
    (error: Error) => [error.name, error.message, error.stack, JSON.stringify(error), String(error.cause)].join("\n"),
  );
}
