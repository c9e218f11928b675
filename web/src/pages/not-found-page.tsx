import { Link } from "wouter";
import { pagePath } from "#contract/page-paths.ts";
import { PageHeader } from "#web/ui/page-header.tsx";

export function NotFoundPage() {
  return (
    <>
      <PageHeader title="No such page" lede="There is no page at this address." />
      <Link href={pagePath("console")}>Back to the console</Link>
    </>
  );
}
