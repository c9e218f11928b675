// All forgeries but those of openings, which no verifier without an opening meets.
import type { Forgery } from "./forgery.ts";
import { ledgerForgeries } from "./ledger.ts";
import { operatorForgeries } from "./operator.ts";
import { outdatedForgeries } from "./outdated.ts";
import { sealedForgeries } from "./sealed.ts";
import { storeForgeries } from "./store.ts";
import { strangerForgeries } from "./stranger.ts";
import { tombstoneForgeries } from "./tombstones.ts";

export const allForgeries: readonly Forgery[] = [
  ...storeForgeries,
  ...strangerForgeries,
  ...operatorForgeries,
  ...outdatedForgeries,
  ...ledgerForgeries,
  ...tombstoneForgeries,
  ...sealedForgeries,
];
