// /memories: the list of all memories with filters, a form to capture one, and the import of a file.
import { useFilters } from "#web/lib/use-filters.ts";
import { PageHeader } from "#web/ui/page-header.tsx";
import { CaptureForm } from "./capture-form.tsx";
import { CollapsiblePanel } from "./collapsible-panel.tsx";
import { FilterBar } from "./filter-bar.tsx";
import { ImportPanel } from "./import/import-panel.tsx";
import { MEMORY_FILTERS } from "./memory-filters.ts";
import { MemoryList } from "./memory-list.tsx";

export default function MemoriesPage() {
  const filters = useFilters(MEMORY_FILTERS);
  return (
    <>
      <PageHeader
        title="Memories"
        lede="Short facts, each in a namespace, each stored as a blob that anyone can fetch. Check one here: your browser asks the blob store itself."
      />
      <div className="grid gap-x-12 gap-y-8 lg:grid-cols-[20rem_minmax(0,1fr)]">
        <div className="lg:sticky lg:top-4 lg:max-h-[calc(100dvh-2rem)] lg:self-start lg:overflow-y-auto lg:-mx-1 lg:px-1 lg:pb-4">
          <CollapsiblePanel title="Capture a memory">
            <CaptureForm />
          </CollapsiblePanel>
          <CollapsiblePanel title="Import a file">
            <ImportPanel />
          </CollapsiblePanel>
        </div>
        <section aria-label="All memories" className="min-w-0">
          <FilterBar {...filters} />
          <MemoryList {...filters} />
        </section>
      </div>
    </>
  );
}
