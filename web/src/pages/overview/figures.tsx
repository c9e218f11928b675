interface FiguresProps {
  readonly figures: readonly (readonly [name: string, count: number])[];
}

/** Large numbers with their names. */
export function Figures({ figures }: FiguresProps) {
  return (
    <dl className="grid grid-cols-2 gap-x-8 gap-y-6 border-line border-y py-6 sm:grid-cols-3 lg:grid-cols-5">
      {figures.map(([name, count]) => (
        <div key={name} className="flex flex-col-reverse justify-end">
          <dt className="text-sm text-soft">{name}</dt>
          <dd className="font-mono text-xl">{count.toLocaleString("en")}</dd>
        </div>
      ))}
    </dl>
  );
}
