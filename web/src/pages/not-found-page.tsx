import { Link } from "wouter";
import { PageHeader } from "#web/ui/page-header.tsx";

export function NotFound() {
  return (
    <>
      <PageHeader title="No such page" lede="This gate leads nowhere." />
      <Link href="/">Back to the console</Link>
    </>
  );
}
