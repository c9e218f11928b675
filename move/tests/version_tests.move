/// Versions of the policy: what is in one, when it is closed, and what it says afterwards.
#[test_only]
module portcullis::version_tests;

use portcullis::gate::{Self, Gate, PolicyCap, VersionClosed};
use portcullis::gate_fixture::{Self as fixture, anchor};
use std::unit_test::assert_eq;
use sui::bcs;
use sui::event;
use sui::test_scenario::{Self as scenario, Scenario};

use fun fixture::change as Scenario.change;
use fun fixture::close as Scenario.close;
use fun fixture::set_access as Scenario.set_access;
use fun fixture::was_allowed as Scenario.was_allowed;

/// `VersionClosed` as a client decodes it.
public struct VersionClosedLayout has drop {
    gate: ID,
    version: u64,
    closed_at_ms: u64,
}

#[test]
fun version_says_for_ever_what_it_said_when_it_was_closed() {
    let mut scenario = fixture::publish();
    scenario.change("trainer", "health", true);
    scenario.change("trainer", "health", false);
    scenario.change("trainer", "health", true);
    assert_eq!(scenario.was_allowed("trainer", "health", 0), false);
    assert_eq!(scenario.was_allowed("trainer", "health", 1), true);
    assert_eq!(scenario.was_allowed("trainer", "health", 2), false);
    assert_eq!(scenario.was_allowed("trainer", "health", 3), true);
    scenario.end();
}

#[test]
fun later_revoke_does_not_touch_the_verdict_of_an_answer() {
    let mut scenario = fixture::publish();
    scenario.change("trainer", "health", true);
    scenario.change("trainer", "health", false);
    assert_eq!(anchor().claims(vector["health"]).policy_version(1).verdict(&mut scenario), true);
    assert_eq!(anchor().claims(vector["health"]).policy_version(2).verdict(&mut scenario), false);
    scenario.end();
}

#[test]
fun allowing_after_the_fact_authorizes_nothing_that_was_closed_before() {
    let mut scenario = fixture::publish();
    scenario.close(1, 1);
    scenario.change("trainer", "health", true);
    assert_eq!(anchor().claims(vector["health"]).policy_version(1).verdict(&mut scenario), false);
    scenario.end();
}

#[test]
fun transactions_may_share_a_version() {
    let mut scenario = fixture::publish();
    scenario.set_access("trainer", "health", true, 5);
    scenario.set_access("chef", "diet", true, 5);
    scenario.close(5, 1);
    assert_eq!(scenario.was_allowed("trainer", "health", 5), true);
    assert_eq!(scenario.was_allowed("chef", "diet", 5), true);
    assert_eq!(scenario.was_allowed("chef", "diet", 4), false);
    scenario.end();
}

#[test]
fun last_call_of_a_version_counts() {
    let mut scenario = fixture::publish();
    scenario.change("trainer", "health", true);
    scenario.set_access("trainer", "health", false, 2);
    let effects = scenario.set_access("trainer", "health", true, 2);
    assert_eq!(effects.num_user_events(), 1);
    scenario.set_access("chef", "diet", true, 2);
    scenario.set_access("chef", "diet", false, 2);
    scenario.close(2, 1);
    assert_eq!(scenario.was_allowed("trainer", "health", 2), true);
    assert_eq!(scenario.was_allowed("chef", "diet", 2), false);
    // The entry is as if it had never been set.
    scenario.change("chef", "diet", true);
    assert_eq!(scenario.was_allowed("chef", "diet", 2), false);
    assert_eq!(scenario.was_allowed("chef", "diet", 3), true);
    scenario.end();
}

#[test]
fun change_of_an_open_version_is_not_in_the_closed_ones() {
    let mut scenario = fixture::publish();
    scenario.set_access("trainer", "health", true, 9);
    scenario.close(3, 1);
    assert_eq!(anchor().claims(vector["health"]).verdict(&mut scenario), false);
    scenario.close(9, 2);
    assert_eq!(anchor().claims(vector["health"]).verdict(&mut scenario), true);
    scenario.end();
}

#[test]
fun version_is_closed_also_when_nothing_changed() {
    let mut scenario = fixture::publish();
    scenario.close(1, 10);
    scenario.close(4, 20);
    assert_eq!(fixture::version(&mut scenario), 4);
    let gate = scenario.take_shared<Gate>();
    assert_eq!(gate.is_closed(0), true);
    assert_eq!(gate.is_closed(1), true);
    assert_eq!(gate.is_closed(2), false);
    assert_eq!(gate.is_closed(5), false);
    assert_eq!(gate.closed_at_ms(0), 0);
    assert_eq!(gate.closed_at_ms(1), 10);
    assert_eq!(gate.closed_at_ms(4), 20);
    scenario::return_shared(gate);
    scenario.end();
}

#[test]
fun closing_is_an_event() {
    let mut scenario = fixture::publish();
    let mut gate = scenario.take_shared<Gate>();
    let cap = scenario.take_from_sender<PolicyCap>();
    fixture::close_with(&mut gate, &cap, 2, 77, scenario.ctx());
    let events = event::events_by_type<VersionClosed>();
    let layouts = vector[VersionClosedLayout { gate: object::id(&gate), version: 2, closed_at_ms: 77 }];
    assert_eq!(bcs::to_bytes(&events), bcs::to_bytes(&layouts));
    scenario.return_to_sender(cap);
    scenario::return_shared(gate);
    scenario.end();
}

#[test, expected_failure(abort_code = gate::EVersionClosed)]
fun nothing_is_added_to_a_closed_version() {
    let mut scenario = fixture::publish();
    scenario.close(3, 1);
    scenario.set_access("trainer", "health", true, 3);

    abort
}

#[test, expected_failure(abort_code = gate::EVersionClosed)]
fun nothing_is_added_to_a_version_that_was_left_out() {
    let mut scenario = fixture::publish();
    scenario.close(3, 1);
    scenario.set_access("trainer", "health", true, 2);

    abort
}

#[test, expected_failure(abort_code = gate::EVersionClosed)]
fun version_is_closed_once() {
    let mut scenario = fixture::publish();
    scenario.close(3, 1);
    scenario.close(3, 1);

    abort
}

#[test, expected_failure(abort_code = gate::EVersionClosed)]
fun version_zero_is_closed() {
    let mut scenario = fixture::publish();
    scenario.close(0, 1);

    abort
}

#[test, expected_failure(abort_code = gate::EVersionOutOfOrder)]
fun entry_does_not_change_before_its_last_change() {
    let mut scenario = fixture::publish();
    scenario.set_access("trainer", "health", true, 5);
    scenario.set_access("trainer", "health", false, 4);

    abort
}

#[test, expected_failure(abort_code = gate::EVersionNotClosed)]
fun open_version_judges_nothing() {
    let mut scenario = fixture::publish();
    scenario.set_access("trainer", "health", true, 1);
    anchor().policy_version(1).submit(&mut scenario);

    abort
}

#[test, expected_failure(abort_code = gate::EVersionNotClosed)]
fun version_that_was_left_out_judges_nothing() {
    let mut scenario = fixture::publish();
    scenario.close(3, 1);
    anchor().policy_version(2).submit(&mut scenario);

    abort
}

#[test, expected_failure(abort_code = gate::EWrongGate)]
fun capability_of_another_gate_closes_nothing() {
    let mut scenario = fixture::publish();
    let first = scenario::most_recent_id_shared<Gate>().destroy_some();
    fixture::publish_another(&mut scenario);

    let mut gate = scenario.take_shared_by_id<Gate>(first);
    let cap = scenario.take_from_sender<PolicyCap>();
    fixture::close_with(&mut gate, &cap, 1, 1, scenario.ctx());

    abort
}

// === The last 64 changes ===

/// Opens and closes the entry until it has `count` changes, one a version.
fun change_often(scenario: &mut Scenario, count: u64) {
    count.do!(|i| { scenario.change("trainer", "health", i % 2 == 0); });
}

#[test]
fun entry_keeps_64_changes() {
    let mut scenario = fixture::publish();
    scenario.change_often(64);
    assert_eq!(scenario.was_allowed("trainer", "health", 0), false);
    65u64.do!(|version| assert_eq!(scenario.was_allowed("trainer", "health", version), version % 2 == 1));
    scenario.end();
}

#[test]
fun older_changes_are_dropped_and_the_rest_stays() {
    let mut scenario = fixture::publish();
    scenario.change_often(70);
    64u64.do!(|i| assert_eq!(scenario.was_allowed("trainer", "health", 7 + i), (7 + i) % 2 == 1));
    scenario.end();
}

#[test, expected_failure(abort_code = gate::EHistoryCut)]
fun claim_that_is_older_than_what_is_kept_aborts() {
    let mut scenario = fixture::publish();
    scenario.change_often(65);
    anchor().claims(vector["health"]).policy_version(1).submit(&mut scenario);

    abort
}

#[test]
fun other_entries_are_not_affected() {
    let mut scenario = fixture::publish();
    scenario.change("trainer", "diet", true);
    scenario.change_often(65);
    assert_eq!(anchor().claims(vector["diet"]).policy_version(1).verdict(&mut scenario), true);
    scenario.end();
}

use fun change_often as Scenario.change_often;
