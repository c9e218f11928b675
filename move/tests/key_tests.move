/// The keys that sign receipts.
#[test_only]
module portcullis::key_tests;

use portcullis::gate::{Self, AnchorCap, Gate, KeyAdded, KeyEnded};
use portcullis::gate_fixture::{Self as fixture, bytes};
use std::unit_test::assert_eq;
use sui::bcs;
use sui::clock;
use sui::event;
use sui::test_scenario::{Self as scenario, Scenario};

use fun fixture::add_key as Scenario.add_key;
use fun fixture::end_key as Scenario.end_key;

/// `SigningKey` as a client decodes it.
public struct KeyLayout has drop {
    public_key: vector<u8>,
    added_at_ms: u64,
    ended_at_ms: Option<u64>,
}

/// `KeyAdded` and `KeyEnded` as a client decodes them.
public struct KeyEventLayout has drop {
    gate: ID,
    public_key: vector<u8>,
    at_ms: u64,
}

fun assert_keys(scenario: &mut Scenario, expected: vector<KeyLayout>) {
    let gate = scenario.take_shared<Gate>();
    assert_eq!(bcs::to_bytes(gate.keys()), bcs::to_bytes(&expected));
    scenario::return_shared(gate);
}

#[test]
fun new_gate_has_no_keys() {
    let mut scenario = fixture::publish();
    assert_keys(&mut scenario, vector[]);
    scenario.end();
}

#[test]
fun keys_have_the_times_of_their_begin_and_end() {
    let mut scenario = fixture::publish();
    scenario.add_key(bytes(1, 32), 10);
    scenario.add_key(bytes(2, 32), 20);
    scenario.end_key(bytes(1, 32), 30);
    assert_keys(
        &mut scenario,
        vector[
            KeyLayout { public_key: bytes(1, 32), added_at_ms: 10, ended_at_ms: option::some(30) },
            KeyLayout { public_key: bytes(2, 32), added_at_ms: 20, ended_at_ms: option::none() },
        ],
    );
    scenario.end();
}

#[test]
fun adding_or_ending_a_key_again_changes_nothing() {
    let mut scenario = fixture::publish();
    scenario.add_key(bytes(1, 32), 10);
    assert_eq!(scenario.add_key(bytes(1, 32), 20).num_user_events(), 0);
    scenario.end_key(bytes(1, 32), 30);
    assert_eq!(scenario.end_key(bytes(1, 32), 40).num_user_events(), 0);
    let kept = KeyLayout { public_key: bytes(1, 32), added_at_ms: 10, ended_at_ms: option::some(30) };
    assert_keys(&mut scenario, vector[kept]);
    scenario.end();
}

#[test]
fun keys_are_events() {
    let mut scenario = fixture::publish();
    let mut gate = scenario.take_shared<Gate>();
    let cap = scenario.take_from_sender<AnchorCap>();
    let mut clock = clock::create_for_testing(scenario.ctx());
    clock.set_for_testing(5);
    gate.add_key(&cap, bytes(1, 32), &clock);
    clock.set_for_testing(6);
    gate.end_key(&cap, bytes(1, 32), &clock);
    clock.destroy_for_testing();

    let gate_id = object::id(&gate);
    let added = vector[KeyEventLayout { gate: gate_id, public_key: bytes(1, 32), at_ms: 5 }];
    let ended = vector[KeyEventLayout { gate: gate_id, public_key: bytes(1, 32), at_ms: 6 }];
    assert_eq!(bcs::to_bytes(&event::events_by_type<KeyAdded>()), bcs::to_bytes(&added));
    assert_eq!(bcs::to_bytes(&event::events_by_type<KeyEnded>()), bcs::to_bytes(&ended));
    scenario.return_to_sender(cap);
    scenario::return_shared(gate);
    scenario.end();
}

#[test, expected_failure(abort_code = gate::EKeyEnded)]
fun key_that_ended_does_not_come_back() {
    let mut scenario = fixture::publish();
    scenario.add_key(bytes(1, 32), 10);
    scenario.end_key(bytes(1, 32), 20);
    scenario.add_key(bytes(1, 32), 30);

    abort
}

#[test, expected_failure(abort_code = gate::EUnknownKey)]
fun unknown_key_cannot_end() {
    let mut scenario = fixture::publish();
    scenario.add_key(bytes(1, 32), 10);
    scenario.end_key(bytes(2, 32), 20);

    abort
}

#[test, expected_failure(abort_code = gate::EInvalidKey)]
fun key_of_another_length_is_refused() {
    let mut scenario = fixture::publish();
    scenario.add_key(bytes(1, 33), 10);

    abort
}

#[test]
fun gate_takes_32_keys() {
    let mut scenario = fixture::publish();
    32u64.do!(|i| { scenario.add_key(bytes(i as u8, 32), 10); });
    scenario.end();
}

#[test, expected_failure(abort_code = gate::ETooManyKeys)]
fun gate_does_not_take_33_keys() {
    let mut scenario = fixture::publish();
    33u64.do!(|i| { scenario.add_key(bytes(i as u8, 32), 10); });

    abort
}

#[test, expected_failure(abort_code = gate::EWrongGate)]
fun capability_of_another_gate_adds_no_key() {
    let mut scenario = fixture::publish();
    let first = scenario::most_recent_id_shared<Gate>().destroy_some();
    fixture::publish_another(&mut scenario);

    let mut gate = scenario.take_shared_by_id<Gate>(first);
    let cap = scenario.take_from_sender<AnchorCap>();
    let clock = clock::create_for_testing(scenario.ctx());
    gate.add_key(&cap, bytes(1, 32), &clock);

    abort
}

#[test, expected_failure(abort_code = gate::EWrongGate)]
fun capability_of_another_gate_ends_no_key() {
    let mut scenario = fixture::publish();
    let first = scenario::most_recent_id_shared<Gate>().destroy_some();
    fixture::publish_another(&mut scenario);

    let mut gate = scenario.take_shared_by_id<Gate>(first);
    let cap = scenario.take_from_sender<AnchorCap>();
    let clock = clock::create_for_testing(scenario.ctx());
    gate.end_key(&cap, bytes(1, 32), &clock);

    abort
}
