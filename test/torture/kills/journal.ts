// Journal of what clients asked of the service and what it acknowledged. After a crash, everything acknowledged must be on
// record. What was not acknowledged may be there too, once and complete.
import type { Body } from "#contract/routes.ts";
import type { AccessRule, Policy } from "#core/gate/policy.ts";

/** A receipt as a client gets it. */
export type Receipt = NonNullable<Body<"anchorReceipt">["receipt"]>;

/** `asked` and `acknowledged` are moments of the journal's clock. */
interface Asked {
  readonly asked: number;
  acknowledged?: number;
}

export interface Capture extends Asked {
  readonly namespace: string;
  readonly content: string;
  readonly sourceAgent: string;
  memoryId?: string;
  storeRef?: string;
  /** It was sent twice at once, and the replies named different memories. */
  disagreed?: true;
  readonly key?: string;
  /** The content of the memory that it supersedes. */
  readonly supersedes?: string;
  /** It lives for a second. */
  readonly expires?: true;
  expiresAt?: string;
  /** It is to be forgotten or superseded, once. */
  isTaken?: true;
}

export interface Forget extends Asked {
  readonly content: string;
  readonly memoryId: string;
  readonly storeRef?: string | undefined;
}

export interface SetAccess extends Asked {
  readonly rule: AccessRule;
  reply?: { readonly policy: Policy; readonly version: number };
}

export interface Question extends Asked {
  receipt?: Receipt;
}

export interface Anchored extends Asked {
  readonly receipt: Receipt;
  readonly issued: boolean;
  blobId?: string;
}

export interface OnLedger extends Asked {
  readonly receipt: Receipt;
  reply?: { readonly receiptId: string; readonly txDigest: string; readonly allAuthorized: boolean };
}

export interface Journal {
  readonly captures: Capture[];
  readonly sets: SetAccess[];
  readonly questions: Question[];
  readonly anchors: Anchored[];
  readonly onLedger: OnLedger[];
  readonly resets: Asked[];
  readonly forgets: Forget[];
  /** The clock: every call gives a later moment. */
  tick(): number;
}

export function createJournal(): Journal {
  let ticks = 0;
  const none = { captures: [], sets: [], questions: [], anchors: [], onLedger: [], resets: [], forgets: [] };
  return { ...none, tick: () => ++ticks };
}

export const KINDS = ["captures", "sets", "questions", "anchors", "onLedger", "resets", "forgets"] as const;
