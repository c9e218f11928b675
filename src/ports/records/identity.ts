// Who calls: tenants, keys, sessions, quotas, and requests that carry an Idempotency-Key. Secrets are not stored: their hashes
// are, and no answer's text is kept. The keys that sign receipts are here too: they live with the records, so that all
// replicas have them, and no two databases share one.
import type { QuotaName, TenantQuotas, TenantRef, TenantState } from "#core/identity/tenant.ts";
import type { DeletedCounts } from "#core/tombstone.ts";
import type { After, Page } from "./paging.ts";

/** The tenants of a deployment. What belongs to one is in its own records. */
export interface TenantRecords {
  /** Makes a tenant, with an empty policy. Undefined when there is one of this id. `template` is the version it shall have. */
  create(id: string, at: string, template?: number): Promise<TenantRecord | undefined>;
  /** What is on record now: no answer comes from a cache. */
  find(id: string): Promise<TenantRecord | undefined>;
  /**
   * Who has made this id public: that of an anchored receipt or its transaction, of the blob of one, of a memory that it
   * names or of that one's blob. `own` if that is one of them, or has such a blob or tombstone itself; otherwise whoever
   * issued it here comes before those who imported it.
   */
  ownerOf(id: string, own?: TenantRef): Promise<TenantRef | undefined>;
  /** In the order in which they were made. */
  page(page: TenantQuery): Promise<TenantPage>;
  suspendedAmong(numbers: readonly number[]): Promise<readonly number[]>;
  /** Nobody may act in a suspended tenant. `at` is undefined when it is resumed. Undefined when there is none of this id, or it is deleted. */
  suspend(id: string, at: string | undefined): Promise<TenantRecord | undefined>;
  /** Sets these quotas; null goes back to the default. In force everywhere when it answers, rates within a minute. */
  setQuotas(id: string, quotas: QuotaChanges): Promise<TenantRecord | undefined>;
}

/** The deletion of tenants, in steps. What is left of one is its row, which is its tombstone. */
export interface TenantDeletions {
  /** In one step, nobody may act in the tenant any more, and its keys are revoked. Undefined when there is none of this id. */
  begin(id: string, at: string): Promise<TenantRecord | undefined>;
  /** Those under way, after this number; with a time, those that ended after it, or then and have a greater number. */
  list(
    page: After<number> & { readonly endedAfter?: string | undefined },
  ): Promise<readonly (TenantRef & { readonly deletedAt?: string })[]>;
  /**
   * Removes some rows of the tenant, or records the end when there are none. `waiting`: a transaction of it is open, and
   * its outcome has to be on record first.
   */
  step(tenant: Pick<TenantRef, "number">, at: string): Promise<"removed" | "waiting" | "ended">;
}

export interface TenantDeletion {
  readonly startedAt: string;
  /** How many memories and receipts there were then, about. */
  readonly expected: number;
  readonly removed: DeletedCounts;
}

/** What has to be done in tenants, beside their requests. */
export interface DueWork {
  /** Looks at `limit` tenants, and answers with those that have something to do. */
  look(look: DueLook): Promise<Due<DueTenant>>;
  /**
   * The same where work takes long: blobs that were stored before a time, unencrypted memories in encrypted namespaces.
   */
  having(
    kind: "leases" | "unencrypted",
    page: Pick<DueLook, "after" | "limit"> & { readonly before?: string | undefined },
  ): Promise<Due<TenantRef>>;
  /** Tenants that have events to send to webhooks. */
  webhooks(now: string, limit: number): Promise<readonly TenantRef[]>;
}

interface Due<T> {
  readonly due: readonly T[];
  readonly next?: number | undefined;
}

export interface DueLook {
  /** After the tenant of this number. */
  readonly after: number;
  readonly limit: number;
  /** Idempotency keys that began before this time, in milliseconds, are due. */
  readonly keysBefore: number;
  /** And receipts that were begun, events and decisions from before these times. */
  readonly begunBefore: string;
  readonly eventsBefore: string;
  readonly decisionsBefore: string;
}

export type DueTenant = TenantRef &
  Readonly<Record<"expired" | "keys" | "begun" | "events" | "decisions" | "proposals", boolean>>;

export interface TenantRecord extends TenantRef {
  readonly createdAt: string;
  readonly suspendedAt?: string;
  /** Present from its beginning on. */
  readonly deletion?: TenantDeletion;
  /** When the deletion ended. */
  readonly deletedAt?: string;
  /** Its own. Others have the default. */
  readonly quotas: TenantQuotas;
}

/** What tenants are made from, by version. A body is JSON. */
export interface TenantTemplateRecords {
  put(name: string, body: string): Promise<void>;
  /** The newest version. */
  find(name: string): Promise<{ readonly number: number; readonly body: string } | undefined>;
  body(number: number): Promise<string | undefined>;
  names(limit: number): Promise<readonly string[]>;
  remove(name: string): Promise<boolean>;
  /** Every tenant that was made from it shall have the newest version. */
  apply(name: string): Promise<void>;
  /** How many tenants were made from it, and have this version. */
  progress(name: string, number: number): Promise<{ readonly tenants: number; readonly done: number }>;
  /** Tenants that do not have the version that they shall have. */
  unfinished(page: { readonly after?: number; readonly limit: number }): Promise<readonly UnfinishedTenant[]>;
  finish(tenant: number, version: number): Promise<void>;
}

export interface UnfinishedTenant extends TenantRef {
  readonly wanted: number;
  readonly applied: number | null;
}

export type QuotaChanges = Readonly<Partial<Record<QuotaName, number | null | undefined>>>;

export interface TenantQuery extends After<number> {
  readonly state?: TenantState | undefined;
}

export type TenantPage = Page<"tenants", TenantRecord, number>;

/** Does not decide whether a key holds, and never sees one. */
export interface KeyRecords {
  add(key: KeyRecord, keyHash: string): Promise<void>;
  /** What is on record now: no answer comes from a cache. */
  find(keyId: string): Promise<StoredKey | undefined>;
  /** Newest first, revoked ones included. */
  page(page: {
    readonly before?: number | undefined;
    readonly limit: number;
  }): Promise<Page<"keys", KeyRecord, number>>;
  /**
   * Gives a key another hash. The one that it had is good until `previousEndsAt`, or ends at once; one from an earlier
   * rotation ends in any case. Undefined when there is no such key, or when it was revoked.
   */
  rotate(keyId: string, keyHash: string, previousEndsAt?: string): Promise<KeyRecord | undefined>;
  /** Idempotent: the first time counts. Undefined when there is no such key. */
  revoke(keyId: string, at: string): Promise<KeyRecord | undefined>;
  /** Records a use, unless one after `unlessAfter` is on record. */
  used(keyId: string, at: string, unlessAfter: string): Promise<void>;
  /** Whether an admin's key was ever made; of the deployment, an operator's. */
  hasAdmin(): Promise<boolean>;
  /** The places of the credentials that are no longer good at `now`, in one statement. */
  endedAmong(credentials: readonly KeyCredential[], now: string): Promise<readonly number[]>;
}

export interface SessionRecords {
  /** Records a session, and forgets those that ended, and the oldest of a key that has more than `most`. */
  add(session: SessionRecord, limits: { readonly now: string; readonly most: number }): Promise<void>;
  find(sessionHash: string): Promise<SessionRecord | undefined>;
  remove(sessionHash: string): Promise<void>;
}

export interface KeyRecord {
  readonly keyId: string;
  readonly name: string;
  /** A role's text form. */
  readonly role: string;
  readonly captures: readonly string[];
  readonly createdAt: string;
  readonly createdBy: string;
  readonly expiresAt?: string;
  readonly revokedAt?: string;
  readonly lastUsedAt?: string;
  /** Until when the secret before the last rotation is good. */
  readonly previousEndsAt?: string;
}

export interface StoredKey extends KeyRecord {
  /** Whose it is. Absent: the deployment's. */
  readonly tenant?: Pick<TenantRecord, "number" | "id" | "suspendedAt" | "quotas">;
  /** SHA-256 of the whole key, hex. */
  readonly keyHash: string;
  readonly previousHash?: string;
}

export interface SessionRecord {
  /** SHA-256 of the session's id, hex. */
  readonly sessionHash: string;
  readonly keyId: string;
  /** Of the secret that it was opened with. The session ends with it. */
  readonly keyHash: string;
  readonly createdAt: string;
  readonly endsAt: string;
}

/** A key, or a session of it, that somebody uses right now. */
export interface KeyCredential {
  readonly keyId: string;
  readonly keyHash: string;
  readonly sessionHash?: string;
}

export interface IdempotencyRecords {
  /** Begins a request, or says why not. One older than `oldest`, or whose lease has ended, counts as none. */
  begin(request: IdempotentRequest): Promise<Begun>;
  /** Extends the lease of a request in progress. These three change nothing when another process has taken it over. */
  extend(held: HeldRequest, leaseEnd: number): Promise<void>;
  /** Records what the request made, as a short text. */
  complete(held: HeldRequest, outcome: string): Promise<void>;
  /** Forgets a request that made nothing, so that it can be tried again. */
  abandon(held: HeldRequest): Promise<void>;
  /** Forgets up to `limit` requests that began before this time. Answers with how many there were. */
  sweep(before: number, limit: number): Promise<number>;
}

export interface HeldRequest {
  /** Of the identity, the route and the key. */
  readonly id: string;
  /** Names the process that works on it, for this one request. */
  readonly holder: string;
}

/** Times are in milliseconds. */
export interface IdempotentRequest extends HeldRequest {
  /** Of the body, or `""` when none is kept: then it counts as the same body. */
  readonly digest: string;
  readonly now: number;
  readonly leaseEnd: number;
  readonly oldest: number;
}

export type Begun =
  | { readonly kind: "begun" }
  | { readonly kind: "in-progress" }
  /** The first request with this id had another body. */
  | { readonly kind: "other-request" }
  | { readonly kind: "done"; readonly outcome: string };

export interface Quota {
  /** Tells the counters of one quota from those of another. Short, and one of a few. */
  readonly name: string;
  readonly points: number;
  readonly seconds: number;
}

export interface Allowance {
  readonly isGranted: boolean;
  /** How many points are left, as far as this process knows. */
  readonly remaining: number;
  /** Milliseconds until the window ends and all points are there again. */
  readonly resetMs: number;
}

/**
 * Counts what each caller uses of a quota, in fixed windows, in all processes that share the records. Never rejects:
 * while the store is slow or down, each process counts for itself. Nothing of it survives a crash.
 */
export interface QuotaCounters {
  take(quota: Quota, caller: string): Promise<Allowance>;
}

export interface SigningKeyRecords {
  /** The newest key that has not ended: the one that signs. */
  signing(): Promise<SigningKey | undefined>;
  add(key: SigningKey): Promise<void>;
  /** Ends a key, and forgets its private half. Answers whether there is such a key that had not ended. */
  end(keyId: string, at: string): Promise<boolean>;
  /** Oldest first. */
  list(): Promise<readonly PublicSigningKey[]>;
  /** Those of other deployments, whose receipts were imported into the tenant. Nobody else is told of them. */
  imported(): Promise<readonly PublicSigningKey[]>;
}

export interface PublicSigningKey {
  readonly keyId: string;
  /** Ed25519, 32 bytes. */
  readonly publicKey: Uint8Array;
  readonly createdAt: string;
  /** Nothing that is anchored later counts as signed by it. */
  readonly endedAt?: string;
}

export interface SigningKey extends Omit<PublicSigningKey, "endedAt"> {
  /** Ed25519, the seed of 32 bytes. */
  readonly privateKey: Uint8Array;
}
