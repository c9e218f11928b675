// What a chain without coins, names, validators and epochs has to say when it is asked about them.
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

export abstract class BareClient extends CoreClient {
  constructor() {
    // The SDK's types want a client around this one; its code takes this one when there is none.
    super({ network: NETWORK } as ConstructorParameters<typeof CoreClient>[0]);
  }

  /** Nothing is charged. */
  async getReferenceGasPrice(): Promise<SuiClientTypes.GetReferenceGasPriceResponse> {
    return { referenceGasPrice: SYSTEM_STATE.referenceGasPrice };
  }

  async getCurrentSystemState(): Promise<SuiClientTypes.GetCurrentSystemStateResponse> {
    return { systemState: structuredClone(SYSTEM_STATE) };
  }

  /** The limits of Sui that are kept here as well. */
  async getProtocolConfig(): Promise<SuiClientTypes.GetProtocolConfigResponse> {
    const attributes = Object.fromEntries(Object.entries(SUI_LIMITS).map(([name, value]) => [name, String(value)]));
    return { protocolConfig: { protocolVersion: ZEROS.protocolVersion, featureFlags: {}, attributes } };
  }

  async listCoins(_options: SuiClientTypes.ListCoinsOptions): Promise<SuiClientTypes.ListCoinsResponse> {
    return { objects: [], hasNextPage: false, cursor: null };
  }

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

  verifyZkLoginSignature = none("zkLogin");
  getMoveFunction = none("descriptions of Move functions");
  defaultNameServiceName = none("name service");
  resolveNameServiceAddress = none("name service");
}

function none(what: string): () => Promise<never> {
  return async () => {
    throw refusal(`the local ledger has no ${what}`, "UNIMPLEMENTED");
  };
}
