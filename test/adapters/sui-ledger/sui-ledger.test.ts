import { ledgerSuite } from "#test/suites/ledger.ts";
import { startGrpcChain, startLocalChain } from "#test/support/local-chain.ts";

ledgerSuite("the local ledger, in the same process", startLocalChain);
ledgerSuite("the local ledger, through the SDK's gRPC client", startGrpcChain);
