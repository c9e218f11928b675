import { describe, expect, test } from "vitest";
import { decidingAnchors } from "./receipt-row.tsx";

const receipt = { usedMemories: [{ namespace: "diet" }, { namespace: "diet" }, { namespace: "travel" }] };
const anchor = (allAuthorized: boolean, ...claimed: string[]) => ({ allAuthorized, claimed });
const deciding = (...chain: ReturnType<typeof anchor>[]) => decidingAnchors({ receipt, chain } as never);

describe("the anchors that decide what a list says of a receipt", () => {
  test("are those that claim what it used, whatever somebody else has claimed for the same bytes", () => {
    const own = anchor(true, "diet", "travel");
    expect(deciding(anchor(false, "diet", "finance", "travel"), own, anchor(true))).toEqual([own]);
  });

  test("are all of them if none claims just that", () => {
    const others = [anchor(false, "diet", "finance", "travel"), anchor(true, "diet")];
    expect(deciding(...others)).toEqual(others);
  });
});
