// The schema, written once for both databases.
import { anchorTables } from "./anchor-tables.ts";
import type { SchemaDialect } from "./dialect.ts";
import { memoryTables } from "./memory-tables.ts";
import { policyTables } from "./policy-tables.ts";
import { receiptTables } from "./receipt-tables.ts";
import { tenantTables } from "./tenant-tables.ts";

/** The first migration creates all tables, the others change them. Never edit one that was released. */
export const migrationsIn = (dialect: SchemaDialect): readonly string[] => [
  [policyTables, memoryTables, receiptTables, anchorTables, tenantTables].map((tables) => tables(dialect)).join("") +
    dialect.triggers +
    dialect.statistics,
];
