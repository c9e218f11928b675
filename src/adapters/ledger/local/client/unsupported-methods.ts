// The SDK's methods for coins, names, validators and epochs, which the local ledger does not have. Some return constants;
// the others reject with UNIMPLEMENTED.
import { CoreClient, type SuiClientTypes } from "@mysten/sui/client";
import { SUI_TYPE_ARG } from "@mysten/sui/utils";
import { refusal } from "#adapters/ledger/local/execution/failure.ts";
import { SUI_LIMITS } from "#adapters/ledger/local/execution/transaction.ts";

const NETWORK = "local";
const ZEROS = { epoch: "0", referenceGasPrice: "0", protocolVersion: "0" } as const;

const SYSTEM_STATE: SuiClientTypes.SystemStateInfo = {
  ...ZEROS,
  systemStateVersion: "0",
  epochStartTimestampMs: "0",
  safeMode: false,
  safeModeStorageRewards: "0",
  safeModeComputationRewards: "0",
  safeModeStorageRebates: "0",
  safeModeNonRefundableStorageFee: "0",
  parameters: {
    epochDurationMs: "0",
    stakeSubsidyStartEpoch: "0",
    maxValidatorCount: "0",
    minValidatorJoiningStake: "0",
    validatorLowStakeThreshold: "0",
    validatorLowStakeGracePeriod: "0",
  },
  storageFund: { totalObjectStorageRebates: "0", nonRefundableBalance: "0" },
  stakeSubsidy: {
    balance: "0",
    distributionCounter: "0",
    currentDistributionAmount: "0",
    stakeSubsidyPeriodLength: "0",
    stakeSubsidyDecreaseRate: 0,
  },
};

export abstract class UnsupportedMethods extends CoreClient {
  constructor() {
    // The SDK's types require a client around this one. Its code does not.
    super({ network: NETWORK } as ConstructorParameters<typeof CoreClient>[0]);
  }

  /** Transactions are free. */
  async getReferenceGasPrice(): Promise<SuiClientTypes.GetReferenceGasPriceResponse> {
    return { referenceGasPrice: SYSTEM_STATE.referenceGasPrice };
  }

  async getCurrentSystemState(): Promise<SuiClientTypes.GetCurrentSystemStateResponse> {
    return { systemState: structuredClone(SYSTEM_STATE) };
  }

  /** Sui's limits that hold here too. */
  async getProtocolConfig(): Promise<SuiClientTypes.GetProtocolConfigResponse> {
    const attributes = Object.fromEntries(Object.entries(SUI_LIMITS).map(([name, value]) => [name, String(value)]));
    return { protocolConfig: { protocolVersion: ZEROS.protocolVersion, featureFlags: {}, attributes } };
  }

  /** The one coin is worth nothing. */
  async getBalance(options: SuiClientTypes.GetBalanceOptions): Promise<SuiClientTypes.GetBalanceResponse> {
    const { coinType = SUI_TYPE_ARG } = options;
    return { balance: { coinType, balance: "0", coinBalance: "0", addressBalance: "0" } };
  }

  async listBalances(_options: SuiClientTypes.ListBalancesOptions): Promise<SuiClientTypes.ListBalancesResponse> {
    return { balances: [], hasNextPage: false, cursor: null };
  }

  async getCoinMetadata(
    _options: SuiClientTypes.GetCoinMetadataOptions,
  ): Promise<SuiClientTypes.GetCoinMetadataResponse> {
    return { coinMetadata: null };
  }

  verifyZkLoginSignature = unsupported("zkLogin");
  getMoveFunction = unsupported("descriptions of Move functions");
  defaultNameServiceName = unsupported("name service");
  resolveNameServiceAddress = unsupported("name service");
}

function unsupported(what: string): () => Promise<never> {
  return async () => {
    throw refusal(`the local ledger has no ${what}`, "UNIMPLEMENTED");
  };
}
