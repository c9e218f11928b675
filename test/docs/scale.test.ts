import { expect, test } from "vitest";
import { emptyDatabase, tenantTables } from "#test/support/sent-statements.ts";
import { pageAt } from "./pages.ts";

test("docs/scale.md distributes every table of tenants, and no other", () => {
  const { text } = pageAt("docs/scale.md");
  const distributed = [...text.matchAll(/create_distributed_table\('portcullis\.(\w+)'/g)].map(([, table]) => table);
  expect(distributed.toSorted()).toEqual(tenantTables(emptyDatabase()).sort());
});
