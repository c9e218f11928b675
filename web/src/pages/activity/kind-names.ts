import type { ActivityKind } from "#core/activity-kind.ts";

/** How a reader chooses among them. */
export const KIND_NAMES: Readonly<Record<ActivityKind, string>> = {
  answer: "Answers",
  read: "Memories read",
  capture: "Captures",
  policy: "Gates opened and closed",
  forgetting: "Memories forgotten",
  anchor: "Anchors",
  setting: "Settings and keys",
  refusal: "Refused calls",
  failure: "Failures",
};
