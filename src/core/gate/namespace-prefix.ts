// Namespaces whose names have parts, joined by `/`: `trips` holds `trips/2026`, and not `tripsheets`.

/** Whether the namespace is the one of this name, or below it. Without a prefix, every one is. */
export function isWithin(namespace: string, prefix: string | undefined): boolean {
  return prefix === undefined || namespace === prefix || namespace.startsWith(`${prefix}/`);
}
