import type { GateRecords, VersionMove } from "#ports.ts";
import type { Connection } from "./connection/connection.ts";

export function gateRecords({ database, read, inSnapshot }: Connection): GateRecords {
  const told = database.prepare("SELECT told FROM gates WHERE gate_id = ?");
  const moves = database.prepare(
    'SELECT version, after_version AS "after" FROM gate_moves WHERE gate_id = ? ORDER BY version',
  );
  const latest = database.prepare("SELECT coalesce(max(told), 0) AS latest FROM gates");
  return {
    find: (gateId) =>
      read(() =>
        inSnapshot(() => ({
          told: Number(told.get(gateId)?.told ?? 0),
          moves: moves.all(gateId) as unknown as VersionMove[],
        })),
      ),
    latest: () => read(() => Number(latest.get()?.latest)),
  };
}
