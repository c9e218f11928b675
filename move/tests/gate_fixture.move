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
    issued: bool,
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

/// A transaction that sets one entry.
public fun set_access(scenario: &mut Scenario, agent: String, namespace: String, allowed: bool): TransactionEffects {
    let mut gate = scenario.take_shared<Gate>();
    let cap = scenario.take_from_sender<PolicyCap>();
    gate.set_access(&cap, agent, namespace, allowed);
    scenario.return_to_sender(cap);
    scenario::return_shared(gate);
    scenario.next_tx(OWNER)
}

public fun is_allowed(scenario: &mut Scenario, agent: String, namespace: String): bool {
    let gate = scenario.take_shared<Gate>();
    let allowed = gate.is_allowed(agent, namespace);
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
        issued: true,
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

public fun issued(mut self: Anchor, issued: bool): Anchor {
    self.issued = issued;
    self
}

public fun at_ms(mut self: Anchor, at_ms: u64): Anchor {
    self.at_ms = at_ms;
    self
}

public fun call(self: Anchor, gate: &mut Gate, cap: &AnchorCap, ctx: &mut TxContext) {
    let Anchor { agent, blob_id, digest, claimed, issued, at_ms } = self;
    let mut clock = clock::create_for_testing(ctx);
    clock.set_for_testing(at_ms);
    gate.anchor_receipt(cap, agent, blob_id, digest, claimed, issued, &clock);
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

/// The id that the receipt of this anchor would have under the gate's current policy.
public fun receipt_id(self: &Anchor, gate: &Gate): ID {
    gate.receipt_address(self.digest, self.claimed, gate.version()).to_id()
}

/// A digest of 32 equal bytes.
public fun digest(byte: u8): vector<u8> { bytes(byte, 32) }

/// `length` equal bytes.
public fun bytes(byte: u8, length: u64): vector<u8> { vector::tabulate!(length, |_| byte) }

/// A name of `length` letters.
public fun name(length: u64): String { bytes(97, length).to_string() }
