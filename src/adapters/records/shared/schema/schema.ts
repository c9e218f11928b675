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

/** A table whose rows belong to tenants, and the columns of its key. */
export interface TenantTable {
  readonly table: string;
  readonly key: string;
}

const CREATE_TABLE = /CREATE (?:UNLOGGED )?TABLE (\w+) \(([^;]*);/g;

/** All of them, each before those that it refers to: a table refers to earlier ones. */
export const tenantTablesIn = (dialect: SchemaDialect): readonly TenantTable[] =>
  [...migrationsIn(dialect).join("\n").matchAll(CREATE_TABLE)].reverse().flatMap(([, table = "", columns = ""]) => {
    const [, key] = /PRIMARY KEY \(([^)]*)\)/.exec(columns) ?? /(\w+) [^,\n]*PRIMARY KEY/.exec(columns) ?? [];
    return /^\s*tenant /m.test(columns) && key !== undefined ? [{ table, key }] : [];
  });
