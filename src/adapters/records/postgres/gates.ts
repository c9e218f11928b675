import type { GateRecords, VersionMove } from "#ports.ts";
import type { Database } from "./connection/database.ts";

const TOLD = "SELECT told FROM gates WHERE gate_id = $1";
const MOVES = `SELECT version, after_version AS "after" FROM gate_moves WHERE gate_id = $1 ORDER BY version`;
const LATEST = "SELECT coalesce(max(told), 0) AS latest FROM gates";

export function gateRecords({ row, rows }: Database): GateRecords {
  return {
    async find(gateId) {
      // In this order: a move is recorded before anything of it is told.
      const told = (await row<{ told: number }>({ text: TOLD, values: [gateId] }))?.told ?? 0;
      return { told, moves: await rows<VersionMove>({ text: MOVES, values: [gateId] }) };
    },
    latest: async () => (await row<{ latest: number }>({ text: LATEST, values: [] }))?.latest ?? 0,
  };
}
