/// Fixtures of the tests: a published gate, and calls with default arguments.
#[test_only]
module portcullis::gate_fixture;

use portcullis::gate::{Self, AnchorCap, Gate, PolicyCap, Receipt};
use std::string::String;
use sui::clock;
use sui::test_scenario::{Self as scenario, Scenario, TransactionEffects};

const OWNER: address = @0xA11CE;

/// The arguments of `anchor_receipt`. The defaults are valid, and a test changes those that it is about.
public struct Anchor has copy, drop {
    agent: String,
    blob_id: String,
    digest: vector<u8>,
    claimed: vector<String>,
    /// The version to judge by. None is the last closed one.
    policy_version: Option<u64>,
    at_ms: u64,
}

/// A scenario in which the package is published and the next transaction has begun.
public fun publish(): Scenario {
    let mut scenario = scenario::begin(OWNER);
    gate::init_for_testing(scenario.ctx());
    scenario.next_tx(OWNER);
    scenario
}

/// Publishes a second gate. From then on the sender's most recent capabilities are those of the second.
public fun publish_another(scenario: &mut Scenario) {
    gate::init_for_testing(scenario.ctx());
    scenario.next_tx(OWNER);
}

/// When `close_version` and the calls with keys happen, unless a test says otherwise.
const AT_MS: u64 = 1_600_000_000_000;

/// A transaction that sets one entry in the next version, and closes it.
public fun change(scenario: &mut Scenario, agent: String, namespace: String, allowed: bool): TransactionEffects {
    let mut gate = scenario.take_shared<Gate>();
    let cap = scenario.take_from_sender<PolicyCap>();
    let version = gate.version() + 1;
    gate.set_access(&cap, agent, namespace, allowed, version);
    close_with(&mut gate, &cap, version, AT_MS, scenario.ctx());
    scenario.return_to_sender(cap);
    scenario::return_shared(gate);
    scenario.next_tx(OWNER)
}

/// A transaction that sets one entry and closes nothing.
public fun set_access(
    scenario: &mut Scenario,
    agent: String,
    namespace: String,
    allowed: bool,
    version: u64,
): TransactionEffects {
    let mut gate = scenario.take_shared<Gate>();
    let cap = scenario.take_from_sender<PolicyCap>();
    gate.set_access(&cap, agent, namespace, allowed, version);
    scenario.return_to_sender(cap);
    scenario::return_shared(gate);
    scenario.next_tx(OWNER)
}

/// A transaction that closes a version.
public fun close(scenario: &mut Scenario, version: u64, at_ms: u64): TransactionEffects {
    let mut gate = scenario.take_shared<Gate>();
    let cap = scenario.take_from_sender<PolicyCap>();
    close_with(&mut gate, &cap, version, at_ms, scenario.ctx());
    scenario.return_to_sender(cap);
    scenario::return_shared(gate);
    scenario.next_tx(OWNER)
}

public fun close_with(gate: &mut Gate, cap: &PolicyCap, version: u64, at_ms: u64, ctx: &mut TxContext) {
    let mut clock = clock::create_for_testing(ctx);
    clock.set_for_testing(at_ms);
    gate.close_version(cap, version, &clock);
    clock.destroy_for_testing();
}

/// A transaction that adds a signing key.
public fun add_key(scenario: &mut Scenario, public_key: vector<u8>, at_ms: u64): TransactionEffects {
    let mut gate = scenario.take_shared<Gate>();
    let cap = scenario.take_from_sender<AnchorCap>();
    let mut clock = clock::create_for_testing(scenario.ctx());
    clock.set_for_testing(at_ms);
    gate.add_key(&cap, public_key, &clock);
    clock.destroy_for_testing();
    scenario.return_to_sender(cap);
    scenario::return_shared(gate);
    scenario.next_tx(OWNER)
}

/// A transaction that ends a signing key.
public fun end_key(scenario: &mut Scenario, public_key: vector<u8>, at_ms: u64): TransactionEffects {
    let mut gate = scenario.take_shared<Gate>();
    let cap = scenario.take_from_sender<AnchorCap>();
    let mut clock = clock::create_for_testing(scenario.ctx());
    clock.set_for_testing(at_ms);
    gate.end_key(&cap, public_key, &clock);
    clock.destroy_for_testing();
    scenario.return_to_sender(cap);
    scenario::return_shared(gate);
    scenario.next_tx(OWNER)
}

/// As of the last closed version.
public fun is_allowed(scenario: &mut Scenario, agent: String, namespace: String): bool {
    let version = version(scenario);
    was_allowed(scenario, agent, namespace, version)
}

public fun was_allowed(scenario: &mut Scenario, agent: String, namespace: String, version: u64): bool {
    let gate = scenario.take_shared<Gate>();
    let allowed = gate.was_allowed(agent, namespace, version);
    scenario::return_shared(gate);
    scenario.next_tx(OWNER);
    allowed
}

public fun version(scenario: &mut Scenario): u64 {
    let gate = scenario.take_shared<Gate>();
    let version = gate.version();
    scenario::return_shared(gate);
    scenario.next_tx(OWNER);
    version
}

public fun anchor(): Anchor {
    Anchor {
        agent: "trainer",
        blob_id: "kBFEfZbGmm3xHVj0n1Nd8vXUvBJ4H2Ppy4yDbT7lEvM",
        digest: digest(7),
        claimed: vector[],
        policy_version: option::none(),
        at_ms: 1_700_000_000_000,
    }
}

public fun agent(mut self: Anchor, agent: String): Anchor {
    self.agent = agent;
    self
}

public fun blob_id(mut self: Anchor, blob_id: String): Anchor {
    self.blob_id = blob_id;
    self
}

public fun digest_bytes(mut self: Anchor, digest: vector<u8>): Anchor {
    self.digest = digest;
    self
}

public fun claims(mut self: Anchor, claimed: vector<String>): Anchor {
    self.claimed = claimed;
    self
}

public fun policy_version(mut self: Anchor, version: u64): Anchor {
    self.policy_version = option::some(version);
    self
}

public fun at_ms(mut self: Anchor, at_ms: u64): Anchor {
    self.at_ms = at_ms;
    self
}

public fun call(self: Anchor, gate: &mut Gate, cap: &AnchorCap, ctx: &mut TxContext) {
    let version = self.version_on(gate);
    let Anchor { agent, blob_id, digest, claimed, at_ms, .. } = self;
    let mut clock = clock::create_for_testing(ctx);
    clock.set_for_testing(at_ms);
    gate.anchor_receipt(cap, agent, blob_id, digest, claimed, version, &clock);
    clock.destroy_for_testing();
}

/// A transaction that anchors.
public fun submit(self: Anchor, scenario: &mut Scenario): TransactionEffects {
    let mut gate = scenario.take_shared<Gate>();
    let cap = scenario.take_from_sender<AnchorCap>();
    self.call(&mut gate, &cap, scenario.ctx());
    scenario.return_to_sender(cap);
    scenario::return_shared(gate);
    scenario.next_tx(OWNER)
}

/// A transaction that anchors, and the verdict that its receipt carries.
public fun verdict(self: Anchor, scenario: &mut Scenario): bool {
    let receipt_id = self.submit(scenario).frozen()[0];
    let receipt = scenario.take_immutable_by_id<Receipt>(receipt_id);
    let verdict = receipt.all_authorized();
    scenario::return_immutable(receipt);
    // Otherwise the returned receipt would count as frozen by the next transaction.
    scenario.next_tx(OWNER);
    verdict
}

/// The id that the receipt of this anchor would have.
public fun receipt_id(self: &Anchor, gate: &Gate): ID {
    gate.receipt_address(self.digest, self.claimed, self.version_on(gate)).to_id()
}

fun version_on(self: &Anchor, gate: &Gate): u64 {
    if (self.policy_version.is_some()) *self.policy_version.borrow() else gate.version()
}

/// A digest of 32 equal bytes.
public fun digest(byte: u8): vector<u8> { bytes(byte, 32) }

/// `length` equal bytes.
public fun bytes(byte: u8, length: u64): vector<u8> { vector::tabulate!(length, |_| byte) }

/// A name of `length` letters.
public fun name(length: u64): String { bytes(97, length).to_string() }
