// What every store of the records needs: a database, statements for it, and what its rows are read as.
export * from "./rows.ts";
export * from "./sql/database.ts";
export * from "./sql/dialect.ts";
