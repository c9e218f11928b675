import type { Reply } from "#contract/routes.ts";

export type Decision = Reply<"listDecisions">["decisions"][number];
