#[test_only]
module portcullis::access_tests;

use portcullis::gate::{Self, AccessChanged, AnchorCap, Gate, PolicyCap};
use portcullis::gate_fixture::{Self as fixture, name};
use std::string::String;
use std::unit_test::assert_eq;
use sui::bcs;
use sui::event;
use sui::test_scenario::{Self as scenario, Scenario};

use fun fixture::is_allowed as Scenario.is_allowed;
use fun fixture::publish_another as Scenario.publish_another;
use fun fixture::change as Scenario.change;
use fun fixture::version as Scenario.version;

/// `AccessChanged` as a client decodes it: the same fields, in the same order.
public struct AccessChangedLayout has drop {
    gate: ID,
    agent: String,
    namespace: String,
    allowed: bool,
    version: u64,
}

#[test]
fun publisher_gets_one_of_each_capability() {
    let scenario = fixture::publish();
    assert_eq!(scenario.ids_for_sender<PolicyCap>().length(), 1);
    assert_eq!(scenario.ids_for_sender<AnchorCap>().length(), 1);
    scenario.end();
}

#[test]
fun new_gate_allows_nothing() {
    let mut scenario = fixture::publish();
    assert_eq!(scenario.is_allowed("trainer", "health"), false);
    assert_eq!(scenario.version(), 0);
    scenario.end();
}

#[test]
fun allowing_allows_that_pair_alone() {
    let mut scenario = fixture::publish();
    scenario.change("trainer", "health", true);
    assert_eq!(scenario.is_allowed("trainer", "health"), true);
    assert_eq!(scenario.is_allowed("trainer", "finance"), false);
    assert_eq!(scenario.is_allowed("chef", "health"), false);
    assert_eq!(scenario.is_allowed("health", "trainer"), false);
    assert_eq!(scenario.is_allowed("Trainer", "health"), false);
    assert_eq!(scenario.is_allowed("trainer", "health "), false);
    scenario.end();
}

#[test]
fun taking_away_takes_that_pair_alone() {
    let mut scenario = fixture::publish();
    scenario.change("trainer", "health", true);
    scenario.change("trainer", "diet", true);
    scenario.change("chef", "health", true);
    scenario.change("trainer", "health", false);
    assert_eq!(scenario.is_allowed("trainer", "health"), false);
    assert_eq!(scenario.is_allowed("trainer", "diet"), true);
    assert_eq!(scenario.is_allowed("chef", "health"), true);
    scenario.end();
}

#[test]
fun allowing_again_after_taking_away_allows() {
    let mut scenario = fixture::publish();
    scenario.change("trainer", "health", true);
    scenario.change("trainer", "health", false);
    scenario.change("trainer", "health", true);
    assert_eq!(scenario.is_allowed("trainer", "health"), true);
    assert_eq!(scenario.version(), 3);
    scenario.end();
}

#[test]
fun every_change_raises_the_version_by_one() {
    let mut scenario = fixture::publish();
    scenario.change("trainer", "health", true);
    assert_eq!(scenario.version(), 1);
    scenario.change("chef", "diet", true);
    assert_eq!(scenario.version(), 2);
    scenario.change("trainer", "health", false);
    assert_eq!(scenario.version(), 3);
    scenario.end();
}

#[test]
fun allowing_what_is_allowed_changes_nothing() {
    let mut scenario = fixture::publish();
    scenario.change("trainer", "health", true);
    let effects = fixture::set_access(&mut scenario, "trainer", "health", true, 2);
    assert_eq!(effects.num_user_events(), 0);
    assert_eq!(scenario.is_allowed("trainer", "health"), true);
    scenario.end();
}

#[test]
fun taking_away_what_is_not_allowed_changes_nothing() {
    let mut scenario = fixture::publish();
    let effects = fixture::set_access(&mut scenario, "trainer", "health", false, 1);
    assert_eq!(effects.num_user_events(), 0);
    assert_eq!(scenario.is_allowed("trainer", "health"), false);
    scenario.end();
}

#[test]
fun every_change_is_an_event() {
    let scenario = fixture::publish();
    let mut gate = scenario.take_shared<Gate>();
    let cap = scenario.take_from_sender<PolicyCap>();
    let agent: String = "trainer";
    let namespace: String = "health";
    gate.set_access(&cap, agent, namespace, true, 1);
    gate.set_access(&cap, agent, namespace, false, 7);

    let events = event::events_by_type<AccessChanged>();
    let gate_id = object::id(&gate);
    let layouts = vector[
        AccessChangedLayout { gate: gate_id, agent, namespace, allowed: true, version: 1 },
        AccessChangedLayout { gate: gate_id, agent, namespace, allowed: false, version: 7 },
    ];
    assert_eq!(bcs::to_bytes(&events), bcs::to_bytes(&layouts));
    scenario.return_to_sender(cap);
    scenario::return_shared(gate);
    scenario.end();
}

#[test]
fun names_that_would_be_the_same_if_joined_are_not() {
    let mut scenario = fixture::publish();
    scenario.change("a", "b.c", true);
    assert_eq!(scenario.is_allowed("a", "b.c"), true);
    assert_eq!(scenario.is_allowed("a.b", "c"), false);
    assert_eq!(scenario.is_allowed("a.", "b.c"), false);
    assert_eq!(scenario.is_allowed("", "a.b.c"), false);

    scenario.change("a.b", "c", true);
    scenario.change("a", "b.c", false);
    assert_eq!(scenario.is_allowed("a", "b.c"), false);
    assert_eq!(scenario.is_allowed("a.b", "c"), true);
    scenario.end();
}

#[test]
fun any_text_is_a_name() {
    let mut scenario = fixture::publish();
    scenario.change("__proto__", "constructor", true);
    scenario.change("Köchin 👩‍🍳", "健康", true);
    assert_eq!(scenario.is_allowed("__proto__", "constructor"), true);
    assert_eq!(scenario.is_allowed("Köchin 👩‍🍳", "健康"), true);
    scenario.end();
}

#[test]
fun longest_names_are_taken() {
    let mut scenario = fixture::publish();
    scenario.change(name(256), name(256), true);
    assert_eq!(scenario.is_allowed(name(256), name(256)), true);
    scenario.end();
}

#[test, expected_failure(abort_code = gate::EInvalidAgent)]
fun empty_agent_is_refused() {
    let mut scenario = fixture::publish();
    scenario.change("", "health", true);

    abort
}

#[test, expected_failure(abort_code = gate::EInvalidAgent)]
fun too_long_agent_is_refused() {
    let mut scenario = fixture::publish();
    scenario.change(name(257), "health", true);

    abort
}

#[test, expected_failure(abort_code = gate::EInvalidNamespace)]
fun empty_namespace_is_refused() {
    let mut scenario = fixture::publish();
    scenario.change("trainer", "", true);

    abort
}

#[test, expected_failure(abort_code = gate::EInvalidNamespace)]
fun too_long_namespace_is_refused() {
    let mut scenario = fixture::publish();
    scenario.change("trainer", name(257), true);

    abort
}

#[test, expected_failure(abort_code = gate::EInvalidNamespace)]
fun bad_names_are_refused_even_if_nothing_would_change() {
    let mut scenario = fixture::publish();
    scenario.change("trainer", "", false);

    abort
}

#[test, expected_failure(abort_code = gate::EWrongGate)]
fun capability_of_another_gate_is_refused() {
    let mut scenario = fixture::publish();
    let first = scenario::most_recent_id_shared<Gate>().destroy_some();
    scenario.publish_another();

    let mut gate = scenario.take_shared_by_id<Gate>(first);
    let cap = scenario.take_from_sender<PolicyCap>();
    gate.set_access(&cap, "trainer", "health", true, 1);

    abort
}

#[test]
fun gates_do_not_share_a_policy() {
    let mut scenario = fixture::publish();
    let first = scenario::most_recent_id_shared<Gate>().destroy_some();
    scenario.publish_another();
    scenario.change("trainer", "health", true);

    let gate = scenario.take_shared_by_id<Gate>(first);
    assert_eq!(gate.was_allowed("trainer", "health", 0), false);
    assert_eq!(gate.version(), 0);
    scenario::return_shared(gate);
    assert_eq!(scenario.version(), 1);
    scenario.end();
}
