// The schema, written once for both databases.
import { anchorTables } from "./anchor-tables.ts";
import { type SchemaDialect, withTables } from "./dialect.ts";
import { logTables } from "./log-tables.ts";
import { memoryTables } from "./memory-tables.ts";
import { policyTables } from "./policy-tables.ts";
import { receiptTables } from "./receipt-tables.ts";
import { tenantTables } from "./tenant-tables.ts";

/** The first migration creates all tables, the others change them. Never edit one that was released. */
export const migrationsIn = (dialect: SchemaDialect): readonly string[] => [
  withTables(
    dialect,
    [policyTables, memoryTables, receiptTables, anchorTables, logTables, tenantTables]
      .map((tables) => tables(dialect))
      .join(""),
  ) +
    dialect.triggers +
    dialect.statistics,
];

const CREATE_TABLE = /CREATE (?:UNLOGGED )?TABLE (\w+) \(([^;]*);/g;

/** The tables whose rows belong to tenants, with the columns of the key; each before those that it refers to, which are earlier. */
export const tenantTablesIn = (dialect: SchemaDialect) =>
  [...migrationsIn(dialect).join("\n").matchAll(CREATE_TABLE)].reverse().flatMap(([, table = "", columns = ""]) => {
    const [, key] = /PRIMARY KEY \(([^)]*)\)/.exec(columns) ?? /(\w+) [^,\n]*PRIMARY KEY/.exec(columns) ?? [];
    return /^\s*tenant /m.test(columns) && key !== undefined ? [{ table, key }] : [];
  });
