// A shell command that repeats a check without this page.
import { visible } from "#core/encoding/visible-text.ts";
import type { Command } from "#core/verify/shell-commands.ts";
import { Disclosure } from "#web/ui/disclosure.tsx";
import { CopyButton } from "#web/ui/form/copy-button.tsx";

export function ShellCommand({ command: { purpose, line, prints } }: { readonly command: Command }) {
  return (
    <Disclosure summary="Repeat it in a shell">
      <figure>
        <figcaption className="text-soft text-sm">{purpose}</figcaption>
        <div className="mt-1.5 flex items-start gap-2 rounded-md bg-well py-2 pr-2 pl-3.5">
          <pre className="untrusted min-w-0 flex-1 whitespace-pre-wrap py-1 font-mono text-xs">
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
    </Disclosure>
  );
}
