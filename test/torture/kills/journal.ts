// What was asked of the service, and what of it was acknowledged. After a crash, all that was acknowledged must be there;
// what was not may be there, once and whole.
import type { Body } from "#contract/routes.ts";
import type { AccessRule, Policy } from "#core/gate/policy.ts";

/** As it goes over the wire. */
export type Receipt = Body<"anchorReceipt">["receipt"];

/** `asked` and `acknowledged` are moments, in the order that things happened here. */
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
}

export interface SetAccess extends Asked {
  readonly rule: AccessRule;
  got?: { readonly policy: Policy; readonly version: number };
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
  got?: { readonly receiptId: string; readonly txDigest: string; readonly allAuthorized: boolean };
}

export interface Journal {
  readonly captures: Capture[];
  readonly sets: SetAccess[];
  readonly questions: Question[];
  readonly anchors: Anchored[];
  readonly onLedger: OnLedger[];
  readonly resets: Asked[];
  /** A later moment with every call. */
  tick(): number;
}

export function createJournal(): Journal {
  let ticks = 0;
  return { captures: [], sets: [], questions: [], anchors: [], onLedger: [], resets: [], tick: () => ++ticks };
}

export const KINDS = ["captures", "sets", "questions", "anchors", "onLedger", "resets"] as const;
