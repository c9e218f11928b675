import type { Memory } from "#core/memory.ts";
import type { Permissions } from "#web/session/permissions.ts";

/** Whether the caller may capture this fact again, to correct it or to give it another end: as its source agent. */
export function mayCaptureAgain({ may, captures, mayRemove }: Permissions, memory: Memory): boolean {
  if (!may("capture") || memory.supersededBy !== undefined || !mayRemove(memory)) return false;
  return captures === undefined || captures.includes(memory.namespace);
}
