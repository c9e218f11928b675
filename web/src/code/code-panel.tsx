// The three forms of a call, each in a tab of its own, to be copied.
import * as Tabs from "@radix-ui/react-tabs";
import { paths } from "#contract/paths.ts";
import { DEFAULT_TENANT } from "#core/identity/tenant.ts";
import { baseUrl } from "#web/lib/address.ts";
import { useSessionState } from "#web/session/session.ts";
import { CodeBlock } from "#web/ui/text.tsx";
import { type Call, clientCall, curlCommand } from "./call.ts";
import { commandLine } from "./command-line.ts";

export default function CodePanel({ call }: { readonly call: Call }) {
  const { session, chosenTenant: chosen } = useSessionState();
  const target = {
    baseUrl: baseUrl(),
    hasIdentities: session?.identities === true,
    tenant: paths[call.route].access === "operators" ? undefined : chosen,
    ownTenant: session?.tenant === DEFAULT_TENANT.id ? undefined : session?.tenant,
    isOperator: session?.role === "operator",
  };
  const command = commandLine(call, target);
  const forms = [
    { id: "curl", title: "curl", text: curlCommand(call, target) },
    { id: "typescript", title: "TypeScript", text: clientCall(call, target) },
    ...(command === undefined ? [] : [{ id: "command", title: "Command line", text: command }]),
  ];
  return (
    <Tabs.Root defaultValue="curl" className="overflow-hidden rounded-md border border-line text-ink">
      <Tabs.List aria-label="As code" className="flex flex-wrap border-line border-b bg-card px-1">
        {forms.map(({ id, title }) => (
          <Tabs.Trigger
            key={id}
            value={id}
            className="min-h-11 px-3 text-soft text-sm hover:text-ink data-[state=active]:font-medium data-[state=active]:text-ink data-[state=active]:underline data-[state=active]:decoration-2 data-[state=active]:decoration-iron data-[state=active]:underline-offset-8"
          >
            {title}
          </Tabs.Trigger>
        ))}
      </Tabs.List>
      {forms.map(({ id, title, text }) => (
        <Tabs.Content key={id} value={id} tabIndex={-1}>
          <CodeBlock label={`the ${title} form`} text={text} />
        </Tabs.Content>
      ))}
    </Tabs.Root>
  );
}
