import { EXPIRY } from "#core/activity-kind.ts";
import type { Decision } from "#ports.ts";

/** For memories that expired: nobody called. The store adds the time, and how many there were. */
export const expiryDecision = (policyVersion: number): Decision => ({
  at: "",
  principalId: "service",
  principalName: "service",
  role: "service",
  route: EXPIRY,
  policyVersion,
  outcome: "changed",
  details: { cause: "expired" },
});
