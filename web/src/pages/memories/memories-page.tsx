// /memories: everything on record, found, looked at, added to.
import { PageHeader } from "#web/ui/page-header.tsx";
import { CaptureForm } from "./capture-form.tsx";
import { Panel } from "./collapsible-panel.tsx";
import { FilterBar } from "./filter-bar.tsx";
import { ImportPanel } from "./import/import-panel.tsx";
import { useFilters } from "./memory-filters.ts";
import { MemoryList } from "./memory-list.tsx";

export default function MemoriesPage() {
  const filters = useFilters();
  return (
    <>
      <PageHeader
        title="Memories"
        lede="Short facts, each in a namespace, each stored as a blob that anyone can fetch. Check one here and now: your browser asks the store itself."
      />
      <div className="grid gap-x-12 gap-y-8 lg:grid-cols-[20rem_minmax(0,1fr)]">
        <div className="lg:sticky lg:top-4 lg:max-h-[calc(100dvh-2rem)] lg:self-start lg:overflow-y-auto lg:-mx-1 lg:px-1 lg:pb-4">
          <Panel title="Capture one">
            <CaptureForm />
          </Panel>
          <Panel title="Import a file">
            <ImportPanel />
          </Panel>
        </div>
        <section aria-label="On record" className="min-w-0">
          <FilterBar {...filters} />
          <MemoryList {...filters} />
        </section>
      </div>
    </>
  );
}
