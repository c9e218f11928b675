/// Checkpoints of a transparency log: each is frozen, and larger than the last one of its log.
#[test_only]
module portcullis::checkpoint_tests;

use portcullis::gate::{Self, AnchorCap, Checkpoint, CheckpointAnchored, Gate};
use portcullis::gate_fixture::{Self as fixture, bytes};
use std::string::String;
use std::unit_test::assert_eq;
use sui::bcs;
use sui::clock;
use sui::event;
use sui::test_scenario::{Self as scenario, Scenario, TransactionEffects};

const OWNER: address = @0xA11CE;

/// `Checkpoint` as a client decodes it: the same fields, in the same order.
public struct CheckpointLayout has drop {
    id: ID,
    gate: ID,
    origin: String,
    size: u64,
    root: vector<u8>,
    anchored_at_ms: u64,
}

/// `CheckpointAnchored` as a client decodes it.
public struct CheckpointAnchoredLayout has drop {
    checkpoint: ID,
    gate: ID,
    origin: String,
    size: u64,
    root: vector<u8>,
}

/// A transaction that anchors a checkpoint with the sender's most recent capability.
fun anchor(scenario: &mut Scenario, gate: ID, origin: String, size: u64, root: vector<u8>): TransactionEffects {
    let mut gate = scenario.take_shared_by_id<Gate>(gate);
    let cap = scenario.take_from_sender<AnchorCap>();
    let mut clock = clock::create_for_testing(scenario.ctx());
    clock.set_for_testing(1_700_000_000_000 + size);
    gate.anchor_checkpoint(&cap, origin, size, root, &clock, scenario.ctx());
    clock.destroy_for_testing();
    scenario.return_to_sender(cap);
    scenario::return_shared(gate);
    scenario.next_tx(OWNER)
}

use fun anchor as Scenario.anchor;

fun first_gate(): ID { scenario::most_recent_id_shared<Gate>().destroy_some() }

#[test]
fun checkpoint_is_frozen_and_says_what_was_anchored() {
    let mut scenario = fixture::publish();
    let id = first_gate();
    let effects = scenario.anchor(id, "log.example/a", 5, bytes(1, 32));
    assert_eq!(effects.frozen().length(), 1);
    assert_eq!(effects.num_user_events(), 1);

    let checkpoint = scenario.take_immutable<Checkpoint>();
    assert_eq!(checkpoint.checkpoint_gate(), id);
    assert_eq!(*checkpoint.checkpoint_origin(), "log.example/a");
    assert_eq!(checkpoint.checkpoint_size(), 5);
    assert_eq!(*checkpoint.checkpoint_root(), bytes(1, 32));
    assert_eq!(checkpoint.checkpoint_anchored_at_ms(), 1_700_000_000_005);
    let layout = CheckpointLayout {
        id: object::id(&checkpoint),
        gate: id,
        origin: "log.example/a",
        size: 5,
        root: bytes(1, 32),
        anchored_at_ms: 1_700_000_000_005,
    };
    assert_eq!(bcs::to_bytes(&checkpoint), bcs::to_bytes(&layout));

    let gate = scenario.take_shared<Gate>();
    assert_eq!(gate.last_checkpoint("log.example/a").destroy_some().checkpoint_id(), object::id(&checkpoint));
    scenario::return_shared(gate);
    scenario::return_immutable(checkpoint);
    scenario.end();
}

#[test]
fun anchoring_emits_the_checkpoint() {
    let mut scenario = fixture::publish();
    let id = first_gate();
    let mut gate = scenario.take_shared_by_id<Gate>(id);
    let cap = scenario.take_from_sender<AnchorCap>();
    let clock = clock::create_for_testing(scenario.ctx());
    gate.anchor_checkpoint(&cap, "log", 5, bytes(1, 32), &clock, scenario.ctx());
    clock.destroy_for_testing();
    let checkpoint = gate.last_checkpoint("log").destroy_some().checkpoint_id();
    let expected = CheckpointAnchoredLayout { checkpoint, gate: id, origin: "log", size: 5, root: bytes(1, 32) };
    let events = event::events_by_type<CheckpointAnchored>();
    assert_eq!(bcs::to_bytes(&events[0]), bcs::to_bytes(&expected));
    scenario.return_to_sender(cap);
    scenario::return_shared(gate);
    scenario.end();
}

#[test]
fun sizes_of_one_log_grow_and_logs_do_not_share_them() {
    let mut scenario = fixture::publish();
    let id = first_gate();
    scenario.anchor(id, "log", 5, bytes(1, 32));
    scenario.anchor(id, "log", 6, bytes(2, 32));
    scenario.anchor(id, "another", 1, bytes(3, 32));
    let gate = scenario.take_shared<Gate>();
    assert_eq!(gate.anchored_size("log"), 6);
    assert_eq!(gate.anchored_size("another"), 1);
    assert_eq!(gate.anchored_size("a third"), 0);
    assert!(gate.last_checkpoint("a third").is_none());
    scenario::return_shared(gate);
    scenario.end();
}

#[test, expected_failure(abort_code = gate::ELogNotGrown)]
fun another_tree_of_the_same_size_is_refused() {
    let mut scenario = fixture::publish();
    let id = first_gate();
    scenario.anchor(id, "log", 5, bytes(1, 32));
    scenario.anchor(id, "log", 5, bytes(2, 32));
    abort
}

#[test, expected_failure(abort_code = gate::ELogNotGrown)]
fun smaller_tree_is_refused() {
    let mut scenario = fixture::publish();
    let id = first_gate();
    scenario.anchor(id, "log", 5, bytes(1, 32));
    scenario.anchor(id, "log", 4, bytes(2, 32));
    abort
}

#[test, expected_failure(abort_code = gate::ELogNotGrown)]
fun empty_tree_is_refused() {
    let mut scenario = fixture::publish();
    scenario.anchor(first_gate(), "log", 0, bytes(1, 32));
    abort
}

#[test, expected_failure(abort_code = gate::EInvalidDigest)]
fun root_of_31_bytes_is_refused() {
    let mut scenario = fixture::publish();
    scenario.anchor(first_gate(), "log", 5, bytes(1, 31));
    abort
}

#[test, expected_failure(abort_code = gate::EInvalidOrigin)]
fun log_without_a_name_is_refused() {
    let mut scenario = fixture::publish();
    scenario.anchor(first_gate(), "", 5, bytes(1, 32));
    abort
}

#[test, expected_failure(abort_code = gate::EInvalidOrigin)]
fun name_of_257_bytes_is_refused() {
    let mut scenario = fixture::publish();
    scenario.anchor(first_gate(), bytes(97, 257).to_string(), 5, bytes(1, 32));
    abort
}

#[test, expected_failure(abort_code = gate::EWrongGate)]
fun capability_of_another_gate_is_refused() {
    let mut scenario = fixture::publish();
    let id = first_gate();
    fixture::publish_another(&mut scenario);
    scenario.anchor(id, "log", 5, bytes(1, 32));
    abort
}
