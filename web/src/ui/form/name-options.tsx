import { memo } from "react";

/** The options of a select or a datalist, one a name. There may be hundreds, which are drawn again only when they change. */
export const NameOptions = memo(({ names }: { readonly names: readonly string[] }) =>
  names.map((name) => (
    <option key={name} value={name}>
      {name}
    </option>
  )),
);
