// What gates on the ledger were told of the policy.

export interface GateRecords {
  /** Of a gate that was never told anything, nothing was told. */
  find(gateId: string): Promise<ToldVersions>;
  /** The greatest version that any gate was told. */
  latest(): Promise<number>;
}

export interface ToldVersions {
  /** The greatest version that may be on the gate because of us. It was sent, or is about to be. */
  readonly told: number;
  /** When the database was behind its gate, it moved past it. Oldest first. */
  readonly moves: readonly VersionMove[];
}

/** What the gate says of the versions between the two is not ours. */
export interface VersionMove {
  /** The last version that we know to be ours. */
  readonly after: number;
  /** The version to which the policy moved. */
  readonly version: number;
}
