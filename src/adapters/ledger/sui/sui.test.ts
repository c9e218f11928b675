import { startGrpcChain, startLocalChain } from "../../../../test/support/local-chain.ts";
import { ledgerSuite } from "../suite.ts";

ledgerSuite("the local ledger, in process", startLocalChain);
ledgerSuite("the local ledger, through the SDK's gRPC client", startGrpcChain);
