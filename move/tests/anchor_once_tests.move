/// The same anchor is minted once. Another digest, other claims or another version of the policy make another anchor.
#[test_only]
module portcullis::anchor_once_tests;

use portcullis::gate::{Self, AnchorCap, Gate};
use portcullis::gate_fixture::{Self as fixture, anchor, digest};
use std::unit_test::assert_eq;
use sui::test_scenario::Scenario;

use fun fixture::change as Scenario.change;

#[test, expected_failure(abort_code = gate::EAlreadyAnchored)]
fun same_anchor_in_the_same_transaction_is_refused() {
    let mut scenario = fixture::publish();
    let mut gate = scenario.take_shared<Gate>();
    let cap = scenario.take_from_sender<AnchorCap>();
    anchor().call(&mut gate, &cap, scenario.ctx());
    anchor().call(&mut gate, &cap, scenario.ctx());

    abort
}

#[test, expected_failure(abort_code = gate::EAlreadyAnchored)]
fun same_anchor_later_is_refused() {
    let mut scenario = fixture::publish();
    anchor().claims(vector["health"]).submit(&mut scenario);
    anchor().claims(vector["health"]).at_ms(1_800_000_000_000).submit(&mut scenario);

    abort
}

#[test, expected_failure(abort_code = gate::EAlreadyAnchored)]
fun another_agent_does_not_make_another_anchor() {
    let mut scenario = fixture::publish();
    anchor().submit(&mut scenario);
    anchor().agent("chef").submit(&mut scenario);

    abort
}

#[test, expected_failure(abort_code = gate::EAlreadyAnchored)]
fun another_blob_does_not_make_another_anchor() {
    let mut scenario = fixture::publish();
    anchor().submit(&mut scenario);
    anchor().blob_id("elsewhere").submit(&mut scenario);

    abort
}

#[test, expected_failure(abort_code = gate::EAlreadyAnchored)]
fun another_open_version_does_not_make_another_anchor() {
    let mut scenario = fixture::publish();
    scenario.change("trainer", "health", true);
    anchor().submit(&mut scenario);
    fixture::set_access(&mut scenario, "trainer", "diet", true, 2);
    anchor().submit(&mut scenario);

    abort
}

#[test]
fun another_digest_is_another_anchor() {
    let mut scenario = fixture::publish();
    anchor().digest_bytes(digest(1)).submit(&mut scenario);
    anchor().digest_bytes(digest(2)).submit(&mut scenario);
    scenario.end();
}

#[test]
fun other_claims_are_another_anchor() {
    let mut scenario = fixture::publish();
    anchor().claims(vector[]).submit(&mut scenario);
    anchor().claims(vector["a"]).submit(&mut scenario);
    anchor().claims(vector["a", "b"]).submit(&mut scenario);
    // If claims were joined, this would be the same as the one before.
    anchor().claims(vector["ab"]).submit(&mut scenario);
    scenario.end();
}

#[test]
fun another_version_of_the_policy_is_another_anchor() {
    let mut scenario = fixture::publish();
    assert_eq!(anchor().claims(vector["health"]).verdict(&mut scenario), false);
    scenario.change("trainer", "health", true);
    assert_eq!(anchor().claims(vector["health"]).verdict(&mut scenario), true);
    scenario.end();
}

#[test]
fun another_gate_is_another_anchor() {
    let mut scenario = fixture::publish();
    let first = anchor().submit(&mut scenario).frozen();
    fixture::publish_another(&mut scenario);
    let second = anchor().submit(&mut scenario).frozen();
    assert_eq!(first.length(), 1);
    assert_eq!(second.length(), 1);
    assert!(first != second);
    scenario.end();
}
