/// A gate whose agents and namespaces are pseudonyms.
#[test_only]
module portcullis::pseudonym_tests;

use portcullis::gate::{Self, Gate, PolicyCap};
use portcullis::gate_fixture as fixture;
use sui::test_scenario::{Self as scenario, Scenario};

use fun fixture::change as Scenario.change;
use fun fixture::set_access as Scenario.set_access;
use fun fixture::publish_another as Scenario.publish_another;

fun use_pseudonyms(scenario: &mut Scenario, gate_id: ID) {
    let mut gate = scenario.take_shared_by_id<Gate>(gate_id);
    let cap = scenario.take_from_sender<PolicyCap>();
    gate.use_pseudonyms(&cap);
    scenario.return_to_sender(cap);
    scenario::return_shared(gate);
    scenario.next_tx(@0xA11CE);
}

fun gate_id(): ID { scenario::most_recent_id_shared<Gate>().destroy_some() }

fun has_pseudonyms(scenario: &mut Scenario, gate_id: ID): bool {
    let gate = scenario.take_shared_by_id<Gate>(gate_id);
    let found = gate.has_pseudonyms();
    scenario::return_shared(gate);
    scenario.next_tx(@0xA11CE);
    found
}

#[test]
fun a_new_gate_has_plain_names_until_it_is_told_otherwise() {
    let mut scenario = fixture::publish();
    let gate_id = gate_id();
    assert!(!scenario.has_pseudonyms(gate_id));
    scenario.use_pseudonyms(gate_id);
    assert!(scenario.has_pseudonyms(gate_id));
    scenario.end();
}

#[test]
fun it_stays_so_and_may_be_said_again_at_any_time() {
    let mut scenario = fixture::publish();
    let gate_id = gate_id();
    scenario.use_pseudonyms(gate_id);
    scenario.change(b"3f".to_string(), b"a0".to_string(), true);
    scenario.use_pseudonyms(gate_id);
    assert!(scenario.has_pseudonyms(gate_id));
    scenario.end();
}

#[test, expected_failure(abort_code = gate::EGateInUse)]
fun a_gate_with_a_closed_version_keeps_its_plain_names() {
    let mut scenario = fixture::publish();
    let gate_id = gate_id();
    scenario.change(b"chef".to_string(), b"diet".to_string(), false);
    scenario.use_pseudonyms(gate_id);
    abort
}

#[test, expected_failure(abort_code = gate::EGateInUse)]
fun a_gate_with_an_entry_keeps_its_plain_names() {
    let mut scenario = fixture::publish();
    let gate_id = gate_id();
    scenario.set_access(b"chef".to_string(), b"diet".to_string(), true, 1);
    scenario.use_pseudonyms(gate_id);
    abort
}

#[test, expected_failure(abort_code = gate::EWrongGate)]
fun the_capability_of_another_gate_does_not_count() {
    let mut scenario = fixture::publish();
    let gate_id = gate_id();
    scenario.publish_another();
    scenario.use_pseudonyms(gate_id);
    abort
}

use fun use_pseudonyms as Scenario.use_pseudonyms;
use fun has_pseudonyms as Scenario.has_pseudonyms;
