// What new tenants begin with. A tenant is made with the number of its template; then the template is copied into it. A
// process that ends between the two leaves a tenant that the next call of its kind, or the background, finishes. A changed
// template is copied in the same way, by a three-way merge: what the tenant's admin made or changed stays.
import { PortcullisError } from "#core/errors.ts";
import { type AccessRule, keyOf, rulesOf, type WantedRule } from "#core/gate/policy.ts";
import { TENANT_QUOTAS, type TenantQuotas } from "#core/identity/tenant.ts";
import type { DeploymentRecords, GivenSettings, RecordStore, UnfinishedTenant } from "#ports.ts";

export interface TenantTemplate {
  readonly rules?: readonly WantedRule[] | undefined;
  readonly namespaces?: readonly Omit<GivenSettings, "encrypted">[] | undefined;
  readonly quotas?: TenantQuotas | undefined;
}

/** More are not listed. */
const MOST_TEMPLATES = 1_000;

type Records = Pick<DeploymentRecords, "tenants" | "tenantTemplates">;
type Copied = Pick<RecordStore, "policy" | "namespaces">;

export function createTenantTemplates({ tenants, tenantTemplates: templates }: Records) {
  async function require(name: string) {
    const found = await templates.find(name);
    if (found === undefined) throw new PortcullisError("not-found", "There is no template of this name.");
    return found;
  }
  const read = async (number: number | null): Promise<TenantTemplate> =>
    JSON.parse((number === null ? undefined : await templates.body(number)) ?? "{}");

  async function show(name: string) {
    const { number, body } = await require(name);
    return {
      template: { name, ...(JSON.parse(body) as TenantTemplate) },
      progress: await templates.progress(name, number),
    };
  }

  return {
    /** The number of its newest version. */
    numberOf: async (name: string): Promise<number> => (await require(name)).number,
    names: () => templates.names(MOST_TEMPLATES),
    show,
    async put(name: string, template: TenantTemplate) {
      const known = await templates.names(MOST_TEMPLATES);
      if (known.length >= MOST_TEMPLATES && !known.includes(name))
        throw new PortcullisError("limit-reached", `There may be at most ${MOST_TEMPLATES} templates.`);
      const body = JSON.stringify(template);
      // A repeat is no new version.
      if ((await templates.find(name))?.body !== body) await templates.put(name, body);
      return show(name);
    },
    /** Tenants that were made from it stay as they are. */
    async remove(name: string): Promise<void> {
      if (!(await templates.remove(name))) await require(name);
    },
    /** The tenants that were made from it shall have its newest version. The background copies it into each. */
    async apply(name: string) {
      await require(name);
      await templates.apply(name);
      return show(name);
    },
    unfinished: (page: Parameters<typeof templates.unfinished>[0]) => templates.unfinished(page),

    /** Copies the version that the tenant shall have, in one change of its policy. May be repeated. */
    async copy({ number, id, wanted, applied }: UnfinishedTenant, records: Copied, at: string): Promise<void> {
      const [next, former] = [await read(wanted), await read(applied)];
      const stamp = { by: "operator", at };
      const quotas = (await tenants.find(id))?.quotas ?? {};
      const changed = TENANT_QUOTAS.filter((name) => quotas[name] === former.quotas?.[name]);
      if (next.quotas !== undefined || former.quotas !== undefined)
        await tenants.setQuotas(id, Object.fromEntries(changed.map((name) => [name, next.quotas?.[name] ?? null])));
      for (const settings of next.namespaces ?? []) {
        const before = former.namespaces?.find(({ name }) => name === settings.name);
        const found = await records.namespaces.find(settings.name);
        const isOwn =
          found?.description !== before?.description || found?.retentionSeconds !== before?.retentionSeconds;
        if (!isOwn) await records.namespaces.put(settings, stamp);
      }
      const rules = mergedRules(former, next, rulesOf((await records.policy.current()).policy));
      if (rules.length > 0) await records.policy.setAll(rules, stamp);
      await templates.finish(number, wanted);
    },
  };
}

/** The rules that change. One that is not as the former template had it is the admin's. */
function mergedRules(former: TenantTemplate, next: TenantTemplate, held: readonly AccessRule[]): WantedRule[] {
  const byGate = (rules: readonly WantedRule[] = []) => new Map(rules.map((rule) => [keyOf(rule), rule.allowed]));
  const [before, after, now] = [byGate(former.rules), byGate(next.rules), byGate(held)];
  const all = new Map([...(former.rules ?? []), ...(next.rules ?? [])].map((rule) => [keyOf(rule), rule]));
  return [...all].flatMap(([gate, { agentId, namespace }]) => {
    const [was, is, allowed] = [before, now, after].map((rules) => rules.get(gate) ?? null);
    return is === was && is !== allowed ? { agentId, namespace, allowed: allowed ?? null } : [];
  });
}
