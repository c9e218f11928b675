/// When a closed version was superseded, and what a receipt says of that.
#[test_only]
module portcullis::supersede_tests;

use portcullis::gate::{Gate, PolicyCap, Receipt};
use portcullis::gate_fixture::{Self as fixture, Anchor, anchor};
use std::unit_test::assert_eq;
use sui::clock;
use sui::test_scenario::{Self as scenario, Scenario};

use fun fixture::change as Scenario.change;
use fun fixture::close as Scenario.close;
use fun fixture::set_access as Scenario.set_access;

/// A transaction that anchors, and what its receipt says.
fun superseded_at(anchor: Anchor, scenario: &mut Scenario): Option<u64> {
    let receipt_id = anchor.submit(scenario).frozen()[0];
    let receipt = scenario.take_immutable_by_id<Receipt>(receipt_id);
    let superseded_at_ms = receipt.receipt_superseded_at_ms();
    scenario::return_immutable(receipt);
    scenario.next_tx(@0xA11CE);
    superseded_at_ms
}

#[test]
fun last_closed_version_is_not_superseded() {
    let mut scenario = fixture::publish();
    assert_eq!(anchor().superseded_at(&mut scenario), option::none());
    scenario.close(1, 10);
    assert_eq!(anchor().superseded_at(&mut scenario), option::none());
    scenario.close(2, 20);
    assert_eq!(anchor().superseded_at(&mut scenario), option::none());
    scenario.end();
}

#[test]
fun receipt_says_when_the_next_version_was_closed() {
    let mut scenario = fixture::publish();
    scenario.close(1, 10);
    scenario.close(2, 20);
    scenario.close(3, 30);
    assert_eq!(anchor().policy_version(1).superseded_at(&mut scenario), option::some(20));
    assert_eq!(anchor().policy_version(2).superseded_at(&mut scenario), option::some(30));
    assert_eq!(anchor().policy_version(3).superseded_at(&mut scenario), option::none());
    scenario.end();
}

#[test]
fun version_zero_is_superseded_by_the_first_closed_one() {
    let mut scenario = fixture::publish();
    scenario.close(7, 10);
    scenario.close(8, 20);
    assert_eq!(anchor().policy_version(0).superseded_at(&mut scenario), option::some(10));
    scenario.end();
}

#[test]
fun next_version_is_the_next_closed_one() {
    let mut scenario = fixture::publish();
    scenario.close(2, 10);
    scenario.close(900, 20);
    scenario.close(901, 30);
    let gate = scenario.take_shared<Gate>();
    assert_eq!(gate.superseded_at_ms(0), option::some(10));
    assert_eq!(gate.superseded_at_ms(2), option::some(20));
    assert_eq!(gate.superseded_at_ms(900), option::some(30));
    assert_eq!(gate.superseded_at_ms(901), option::none());
    assert_eq!(gate.closed_at_ms(2), 10);
    assert_eq!(gate.closed_at_ms(900), 20);
    scenario::return_shared(gate);
    scenario.end();
}

#[test]
fun change_that_is_not_closed_supersedes_nothing() {
    let mut scenario = fixture::publish();
    scenario.change("trainer", "health", true);
    scenario.set_access("trainer", "health", false, 2);
    assert_eq!(anchor().superseded_at(&mut scenario), option::none());
    scenario.end();
}

#[test]
fun later_closings_do_not_change_when_a_version_was_superseded() {
    let mut scenario = fixture::publish();
    scenario.change("trainer", "health", true);
    scenario.close(2, 20);
    50u64.do!(|i| { scenario.close(3 + i, 30 + i); });
    assert_eq!(anchor().claims(vector["health"]).policy_version(1).superseded_at(&mut scenario), option::some(20));
    scenario.end();
}

#[test]
fun versions_that_are_closed_in_one_transaction_supersede_each_other() {
    let mut scenario = fixture::publish();
    let mut gate = scenario.take_shared<Gate>();
    let cap = scenario.take_from_sender<PolicyCap>();
    let mut clock = clock::create_for_testing(scenario.ctx());
    clock.set_for_testing(10);
    gate.close_version(&cap, 1, &clock);
    gate.close_version(&cap, 2, &clock);
    gate.close_version(&cap, 5, &clock);
    assert_eq!(gate.superseded_at_ms(1), option::some(10));
    assert_eq!(gate.superseded_at_ms(2), option::some(10));
    assert_eq!(gate.superseded_at_ms(5), option::none());
    clock.destroy_for_testing();
    scenario.return_to_sender(cap);
    scenario::return_shared(gate);
    scenario.end();
}

#[test]
fun receipt_that_was_anchored_before_does_not_change() {
    let mut scenario = fixture::publish();
    scenario.close(1, 10);
    let receipt_id = anchor().submit(&mut scenario).frozen()[0];
    scenario.close(2, 20);
    let receipt = scenario.take_immutable_by_id<Receipt>(receipt_id);
    assert_eq!(receipt.receipt_superseded_at_ms(), option::none());
    scenario::return_immutable(receipt);
    scenario.end();
}

use fun superseded_at as Anchor.superseded_at;
