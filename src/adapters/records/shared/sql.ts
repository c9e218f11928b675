// What every store of the records needs: a database, and statements for it.
export * from "./sql/database.ts";
export * from "./sql/dialect.ts";
