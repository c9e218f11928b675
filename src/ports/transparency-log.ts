import type { DisclosedEntry } from "#core/log/entry.ts";
import type { StoredTile } from "#core/log/integrate.ts";

/** The tree of the deployment, into which entries of all tenants are placed. Spans tenants. Signs nothing. */
export interface TransparencyLog {
  /**
   * Places entries that wait in one commit: as many as given, and what one commit recorded with the last of them. `mayGoOn`:
   * there were as many, or another process was first. `damaged`: tenants whose next entry is lost or cannot be read. What
   * they have after it gets no place, and what others have is placed all the same.
   */
  integrate(most: number): Promise<Placed>;
  /**
   * The log's origin: the one on record, or `wanted`, or else `standard`. If another is wanted than that on record, a new log
   * begins with the same tree, and its next entry names the last checkpoint of the old one.
   */
  begin(wanted: string | undefined, standard: string): Promise<string>;
  /** Records an entry of the deployment that names this digest of verify.html, hex, unless it has one. */
  nameVerifier(sha256: string): Promise<void>;
  head(): Promise<LogHead>;
  /** Puts a checkpoint on record that was signed, unless there is one of this size, or of a greater one. */
  addNote(size: number, note: string): Promise<void>;
  /** The newest one that enough witnesses have cosigned. */
  addCosignedNote(size: number, note: string): Promise<void>;
  /** Of level 0 the entries, of the others hashes. */
  tile(place: Omit<StoredTile, "hashes">): Promise<Uint8Array | undefined>;
}

export interface Placed {
  readonly placed: number;
  readonly mayGoOn: boolean;
  readonly damaged: ReadonlySet<number>;
}

/** The last checkpoint that was signed, apart from the database: a restored backup does not take it back. */
export interface PublishedCheckpoint {
  read(): string | undefined;
  write(note: string): void;
}

export interface LogHead {
  /** Of the tree that is on record. It is signed when it is. */
  readonly size: number;
  /** Hex. */
  readonly root: string;
  readonly signedSize: number;
  readonly note: string | null;
  readonly cosignedSize: number;
  readonly cosignedNote: string | null;
}

/** What one tenant has in the log. */
export interface TenantLog {
  /** Those in the tree, by number. */
  entries(page: { readonly after: number; readonly limit: number }): Promise<readonly DisclosedEntry[]>;
  /** `opened` and `issued`, as far as they are in the tree. */
  ofAnswer(answerId: string): Promise<readonly DisclosedEntry[]>;
  /** Those of the forgetting of these memories. */
  ofForgotten(memoryIds: readonly string[]): Promise<readonly DisclosedEntry[]>;
  /** Of the deployment: the last ones of a kind that it has few of. */
  ofKind(kind: "signing-key" | "restored"): Promise<readonly DisclosedEntry[]>;
  /** The last entry in the tree, as of the tree's size. */
  end(): Promise<LogEnd>;
}

export interface LogEnd {
  readonly number: number;
  /** Of the hash chain, hex. */
  readonly chain: string;
  readonly size: number;
}
