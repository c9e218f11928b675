import type { Run } from "#cli/invocation.ts";
import { setAccess } from "./set-access.ts";

export const run: Run<"policy revoke"> = (invocation) => setAccess(invocation, false);
