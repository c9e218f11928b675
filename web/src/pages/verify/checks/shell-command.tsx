// How to see the same with a shell and without this page.

import { visible } from "#core/encoding/visible-text.ts";
import type { Command } from "#core/verify/shell-commands.ts";
import { Fold } from "#web/ui/disclosure.tsx";
import { CopyButton } from "#web/ui/form/copy-button.tsx";

export function Repeat({ command }: { readonly command: Command }) {
  return (
    <Fold summary="Repeat it yourself">
      <CommandLine command={command} />
    </Fold>
  );
}

function CommandLine({ command: { purpose, line, prints } }: { readonly command: Command }) {
  return (
    <figure>
      <figcaption className="text-soft text-sm">{purpose}</figcaption>
      <div className="mt-1.5 flex items-start gap-2 rounded-md bg-well py-2 pr-2 pl-3.5">
        <pre className="outside min-w-0 flex-1 whitespace-pre-wrap py-1 font-mono text-xs">
          <code>{line}</code>
        </pre>
        <CopyButton text={line} what="command" />
      </div>
      {prints !== undefined && (
        <p className="mt-1.5 text-soft text-sm">
          It must print <code className="font-mono text-ink text-xs">{visible(prints)}</code>
        </p>
      )}
    </figure>
  );
}
