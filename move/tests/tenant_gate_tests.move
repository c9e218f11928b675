/// Gates below the root: the capabilities of the root count for them, and each has a policy of its own.
#[test_only]
module portcullis::tenant_gate_tests;

use portcullis::gate::{Self, AnchorCap, Gate, GateMade, PolicyCap, Receipt};
use portcullis::gate_fixture::{Self as fixture, bytes};
use std::unit_test::assert_eq;
use sui::bcs;
use sui::event;
use sui::test_scenario::{Self as scenario, Scenario};

/// `GateMade` as a client decodes it.
public struct GateMadeLayout has drop {
    gate: ID,
    root: ID,
}

const OWNER: address = @0xA11CE;

/// Makes a gate below this one, with the sender's most recent capability, and returns its id.
fun make(scenario: &mut Scenario, root: ID, key: vector<u8>): ID {
    let mut gate = scenario.take_shared_by_id<Gate>(root);
    let cap = scenario.take_from_sender<AnchorCap>();
    gate.new_gate(&cap, key, scenario.ctx());
    let made = gate.gate_address(key).to_id();
    scenario.return_to_sender(cap);
    scenario::return_shared(gate);
    scenario.next_tx(OWNER);
    made
}

fun root_id(): ID { scenario::most_recent_id_shared<Gate>().destroy_some() }

/// Allows `chef` to use `health` from version 1 on, and closes it.
fun allow(scenario: &mut Scenario, id: ID) {
    let mut gate = scenario.take_shared_by_id<Gate>(id);
    let cap = scenario.take_from_sender<PolicyCap>();
    gate.set_access(&cap, "chef", "health", true, 1);
    fixture::close_with(&mut gate, &cap, 1, 5, scenario.ctx());
    scenario.return_to_sender(cap);
    scenario::return_shared(gate);
    scenario.next_tx(OWNER);
}

#[test]
fun gate_is_made_empty_at_its_address() {
    let mut scenario = fixture::publish();
    let root = root_id();
    let made = scenario.make(root, bytes(1, 32));

    let gate = scenario.take_shared_by_id<Gate>(made);
    assert_eq!(gate.root(), root);
    assert_eq!(gate.version(), 0);
    assert!(gate.is_closed(0));
    assert!(gate.keys().is_empty());
    assert!(!gate.has_pseudonyms());
    scenario::return_shared(gate);
    let gate = scenario.take_shared_by_id<Gate>(root);
    assert_eq!(gate.root(), root);
    scenario::return_shared(gate);
    scenario.end();
}

#[test]
fun making_a_gate_emits_its_ids() {
    let mut scenario = fixture::publish();
    let root = root_id();
    let mut gate = scenario.take_shared<Gate>();
    let cap = scenario.take_from_sender<AnchorCap>();
    gate.new_gate(&cap, bytes(1, 32), scenario.ctx());
    let expected = GateMadeLayout { gate: gate.gate_address(bytes(1, 32)).to_id(), root };
    assert_eq!(bcs::to_bytes(&event::events_by_type<GateMade>()[0]), bcs::to_bytes(&expected));
    scenario.return_to_sender(cap);
    scenario::return_shared(gate);
    scenario.end();
}

#[test]
fun gate_has_pseudonyms_if_its_root_has() {
    let mut scenario = fixture::publish();
    let root = root_id();
    let mut gate = scenario.take_shared<Gate>();
    let cap = scenario.take_from_sender<PolicyCap>();
    gate.use_pseudonyms(&cap);
    scenario.return_to_sender(cap);
    scenario::return_shared(gate);
    scenario.next_tx(OWNER);
    let made = scenario.make(root, bytes(1, 32));
    let gate = scenario.take_shared_by_id<Gate>(made);
    assert!(gate.has_pseudonyms());
    scenario::return_shared(gate);
    scenario.end();
}

#[test]
fun gates_have_policies_of_their_own() {
    let mut scenario = fixture::publish();
    let root = root_id();
    let made = scenario.make(root, bytes(1, 32));
    let other = scenario.make(root, bytes(2, 32));
    scenario.allow(made);

    vector[made, other, root].do!(|id| {
        let gate = scenario.take_shared_by_id<Gate>(id);
        assert_eq!(gate.version(), if (id == made) 1 else 0);
        assert_eq!(gate.was_allowed("chef", "health", 1), id == made);
        scenario::return_shared(gate);
    });
    scenario.end();
}

#[test]
fun receipt_names_the_gate_that_judged_it() {
    let mut scenario = fixture::publish();
    let root = root_id();
    let made = scenario.make(root, bytes(1, 32));
    scenario.allow(made);

    let mut gate = scenario.take_shared_by_id<Gate>(made);
    let cap = scenario.take_from_sender<AnchorCap>();
    let anchor = fixture::anchor().agent("chef").claims(vector["health"]);
    let id = anchor.receipt_id(&gate);
    anchor.call(&mut gate, &cap, scenario.ctx());
    scenario.return_to_sender(cap);
    scenario::return_shared(gate);
    scenario.next_tx(OWNER);
    let receipt = scenario.take_immutable_by_id<Receipt>(id);
    assert_eq!(receipt.gate(), made);
    assert!(receipt.all_authorized());
    scenario::return_immutable(receipt);
    scenario.end();
}

#[test]
fun same_receipt_has_another_address_on_another_gate() {
    let mut scenario = fixture::publish();
    let root = root_id();
    let made = scenario.make(root, bytes(1, 32));
    let first = scenario.take_shared_by_id<Gate>(root);
    let second = scenario.take_shared_by_id<Gate>(made);
    assert!(fixture::anchor().receipt_id(&first) != fixture::anchor().receipt_id(&second));
    scenario::return_shared(first);
    scenario::return_shared(second);
    scenario.end();
}

#[test, expected_failure(abort_code = gate::EGateExists)]
fun key_is_used_once() {
    let mut scenario = fixture::publish();
    let root = root_id();
    scenario.make(root, bytes(1, 32));
    scenario.make(root, bytes(1, 32));
    abort 0
}

#[test, expected_failure(abort_code = gate::EInvalidGateKey)]
fun key_must_not_be_shorter() {
    let mut scenario = fixture::publish();
    scenario.make(root_id(), bytes(1, 31));
    abort 0
}

#[test, expected_failure(abort_code = gate::EInvalidGateKey)]
fun key_must_not_be_longer() {
    let mut scenario = fixture::publish();
    scenario.make(root_id(), bytes(1, 33));
    abort 0
}

#[test, expected_failure(abort_code = gate::EWrongGate)]
fun capability_of_another_root_makes_no_gate() {
    let mut scenario = fixture::publish();
    let root = root_id();
    fixture::publish_another(&mut scenario);
    scenario.make(root, bytes(1, 32));
    abort 0
}

#[test, expected_failure(abort_code = gate::EWrongGate)]
fun no_gate_is_made_below_a_gate_below_the_root() {
    let mut scenario = fixture::publish();
    let made = scenario.make(root_id(), bytes(1, 32));
    scenario.make(made, bytes(1, 32));
    abort 0
}

#[test, expected_failure(abort_code = gate::EWrongGate)]
fun capability_of_another_root_changes_nothing_below() {
    let mut scenario = fixture::publish();
    let made = scenario.make(root_id(), bytes(1, 32));
    fixture::publish_another(&mut scenario);
    scenario.allow(made);
    abort 0
}

#[test, expected_failure(abort_code = gate::EWrongGate)]
fun capability_of_another_root_anchors_nothing_below() {
    let mut scenario = fixture::publish();
    let made = scenario.make(root_id(), bytes(1, 32));
    fixture::publish_another(&mut scenario);
    let mut gate = scenario.take_shared_by_id<Gate>(made);
    let cap = scenario.take_from_sender<AnchorCap>();
    fixture::anchor().call(&mut gate, &cap, scenario.ctx());
    abort 0
}

use fun make as Scenario.make;
use fun allow as Scenario.allow;
