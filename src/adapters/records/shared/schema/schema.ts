// The schema, written once for both databases.
import { anchorTables } from "./anchor-tables.ts";
import type { SchemaDialect } from "./dialect.ts";
import { memoryTables } from "./memory-tables.ts";
import { policyTables } from "./policy-tables.ts";
import { receiptTables } from "./receipt-tables.ts";
import { tenantTables } from "./tenant-tables.ts";

/**
 * The migrations: the first creates all tables, and each of the others changes them. Never edit one that was released:
 * add the next one.
 */
export const migrationsIn = (dialect: SchemaDialect): readonly string[] => [
  [policyTables, memoryTables, receiptTables, anchorTables, tenantTables].map((tables) => tables(dialect)).join("") +
    dialect.triggers +
    dialect.statistics,
];
