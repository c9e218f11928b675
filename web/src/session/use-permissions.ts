import { useMemo } from "react";
import { type Permissions, permissionsOf } from "./permissions.ts";
import { useSessionState } from "./session.ts";

export function usePermissions(): Permissions {
  const { session } = useSessionState();
  return useMemo(() => permissionsOf(session), [session]);
}
