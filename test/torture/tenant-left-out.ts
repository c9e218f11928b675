// Leaves the tenant out of a statement to SQLite, so that a checker can show that it notices.
import { DatabaseSync } from "node:sqlite";

/** Statements to leave it out of, by what they do. Each names things by what is the same in every tenant. */
export const STATEMENTS_BY_TENANT: ReadonlyMap<string, RegExp> = new Map([
  ["reads changes of memories", /^\s*SELECT \* FROM \(\s*SELECT sequence, content,/],
  ["reads changes of the policy", /^\s*SELECT .* FROM access_changes\s+WHERE tenant = \? AND version > \?/s],
  ["asks for a rule behind the fence", /^\s*SELECT allowed FROM access WHERE tenant = \? AND agent_id = \?/],
  ["removes rules", /^\s*DELETE FROM access\s+WHERE tenant = \?/],
  ["counts versions of the policy", /^\s*UPDATE counters SET value = \? WHERE tenant = \? AND name = 'policy'/],
  ["forgets all memories", /^\s*DELETE FROM memories WHERE tenant = \?$/],
]);

/** Until the function that it returns is called, which throws if no such statement was prepared. */
export function leaveTenantOut(statement: RegExp): () => void {
  const { prepare } = DatabaseSync.prototype;
  let isFound = false;
  DatabaseSync.prototype.prepare = function (this: DatabaseSync, text: string, ...rest: []) {
    const isIt = statement.test(text);
    isFound ||= isIt;
    return prepare.call(this, isIt ? text.replaceAll(/\b(?:\w+\.)?tenant = \?/g, "? IS NOT NULL") : text, ...rest);
  };
  return () => {
    DatabaseSync.prototype.prepare = prepare;
    if (!isFound) throw new Error(`No statement is like ${statement}.`);
  };
}
