/// The content and the verdict of an anchored receipt.
#[test_only]
module portcullis::anchor_tests;

use portcullis::gate::{AnchorCap, Gate, Receipt, ReceiptAnchored};
use portcullis::gate_fixture::{Self as fixture, anchor, digest};
use std::string::String;
use std::unit_test::assert_eq;
use sui::bcs;
use sui::event;
use sui::test_scenario::{Self as scenario, Scenario};

use fun fixture::change as Scenario.change;

/// `Receipt` as a client decodes it: the same fields, in the same order.
public struct ReceiptLayout has drop {
    id: ID,
    gate: ID,
    agent: String,
    blob_id: String,
    digest: vector<u8>,
    claimed: vector<String>,
    all_authorized: bool,
    policy_version: u64,
    closed_at_ms: u64,
    superseded_at_ms: Option<u64>,
    anchored_at_ms: u64,
}

/// `ReceiptAnchored` as a client decodes it.
public struct ReceiptAnchoredLayout has drop {
    receipt: ID,
    gate: ID,
    agent: String,
    digest: vector<u8>,
    all_authorized: bool,
    policy_version: u64,
}

#[test]
fun claims_that_are_all_allowed_are_authorized() {
    let mut scenario = fixture::publish();
    scenario.change("trainer", "diet", true);
    scenario.change("trainer", "health", true);
    assert_eq!(anchor().claims(vector["diet", "health"]).verdict(&mut scenario), true);
    scenario.end();
}

#[test]
fun claims_are_not_authorized_by_default() {
    let mut scenario = fixture::publish();
    assert_eq!(anchor().claims(vector["health"]).verdict(&mut scenario), false);
    scenario.end();
}

#[test]
fun one_claim_that_is_not_allowed_spoils_all_wherever_it_stands() {
    let mut scenario = fixture::publish();
    scenario.change("trainer", "diet", true);
    scenario.change("trainer", "health", true);
    assert_eq!(anchor().claims(vector["admin", "diet", "health"]).verdict(&mut scenario), false);
    assert_eq!(anchor().claims(vector["diet", "finance", "health"]).verdict(&mut scenario), false);
    assert_eq!(anchor().claims(vector["diet", "health", "zoo"]).verdict(&mut scenario), false);
    scenario.end();
}

#[test]
fun no_claims_are_authorized() {
    let mut scenario = fixture::publish();
    assert_eq!(anchor().claims(vector[]).verdict(&mut scenario), true);
    scenario.end();
}

#[test]
fun what_another_agent_may_use_authorizes_nothing() {
    let mut scenario = fixture::publish();
    scenario.change("chef", "health", true);
    assert_eq!(anchor().agent("trainer").claims(vector["health"]).verdict(&mut scenario), false);
    scenario.end();
}

#[test]
fun what_was_taken_away_authorizes_nothing() {
    let mut scenario = fixture::publish();
    scenario.change("trainer", "health", true);
    scenario.change("trainer", "health", false);
    assert_eq!(anchor().claims(vector["health"]).verdict(&mut scenario), false);
    scenario.end();
}

#[test]
fun later_change_of_the_policy_leaves_the_receipt_as_it_was() {
    let mut scenario = fixture::publish();
    scenario.change("trainer", "health", true);
    anchor().claims(vector["health"]).submit(&mut scenario);
    scenario.change("trainer", "health", false);

    let receipt = scenario.take_immutable<Receipt>();
    assert_eq!(receipt.all_authorized(), true);
    assert_eq!(receipt.policy_version(), 1);
    scenario::return_immutable(receipt);
    scenario.end();
}

#[test]
fun receipt_says_what_was_anchored() {
    let mut scenario = fixture::publish();
    let gate_id = scenario::most_recent_id_shared<Gate>().destroy_some();
    scenario.change("chef", "diet", true);
    anchor()
        .agent("chef")
        .blob_id("blob")
        .digest_bytes(digest(9))
        .claims(vector["diet"])
        .at_ms(1_234)
        .submit(&mut scenario);

    let receipt = scenario.take_immutable<Receipt>();
    assert_eq!(receipt.gate(), gate_id);
    assert_eq!(*receipt.agent(), "chef");
    assert_eq!(*receipt.blob_id(), "blob");
    assert_eq!(*receipt.digest(), digest(9));
    assert_eq!(*receipt.claimed(), vector["diet"]);
    assert_eq!(receipt.all_authorized(), true);
    assert_eq!(receipt.policy_version(), 1);
    assert_eq!(receipt.receipt_closed_at_ms(), 1_600_000_000_000);
    assert_eq!(receipt.receipt_superseded_at_ms(), option::none());
    assert_eq!(receipt.anchored_at_ms(), 1_234);
    scenario::return_immutable(receipt);
    scenario.end();
}

#[test]
fun receipt_has_the_layout_that_clients_decode() {
    let mut scenario = fixture::publish();
    fixture::close(&mut scenario, 2, 4);
    scenario.compare_layout(option::none());
    scenario.end();
}

#[test]
fun receipt_of_a_superseded_version_has_the_layout_that_clients_decode() {
    let mut scenario = fixture::publish();
    fixture::close(&mut scenario, 2, 4);
    fixture::close(&mut scenario, 3, 5);
    scenario.compare_layout(option::some(5));
    scenario.end();
}

/// Anchors at version 2, which was closed at 4.
fun compare_layout(scenario: &mut Scenario, superseded_at_ms: Option<u64>) {
    let gate = scenario::most_recent_id_shared<Gate>().destroy_some();
    anchor()
        .agent("chef")
        .blob_id("blob")
        .claims(vector["a", "b"])
        .policy_version(2)
        .at_ms(5)
        .submit(scenario);

    let receipt = scenario.take_immutable<Receipt>();
    let layout = ReceiptLayout {
        id: object::id(&receipt),
        gate,
        agent: "chef",
        blob_id: "blob",
        digest: digest(7),
        claimed: vector["a", "b"],
        all_authorized: false,
        policy_version: 2,
        closed_at_ms: 4,
        superseded_at_ms,
        anchored_at_ms: 5,
    };
    assert_eq!(bcs::to_bytes(&receipt), bcs::to_bytes(&layout));
    scenario::return_immutable(receipt);
}

use fun compare_layout as Scenario.compare_layout;

#[test]
fun receipt_is_frozen_and_nothing_else_is_handed_out() {
    let mut scenario = fixture::publish();
    let effects = anchor().submit(&mut scenario);
    assert_eq!(effects.frozen(), vector[scenario::most_recent_immutable_id<Receipt>().destroy_some()]);
    // The gate and the capability that the test took and returned.
    assert_eq!(effects.shared().length(), 1);
    assert_eq!(effects.transferred_to_account().length(), 1);
    scenario.end();
}

#[test]
fun receipt_is_at_the_address_told_beforehand() {
    let mut scenario = fixture::publish();
    let mut gate = scenario.take_shared<Gate>();
    let cap = scenario.take_from_sender<AnchorCap>();
    let anchor = anchor().claims(vector["diet", "health"]);
    let told = anchor.receipt_id(&gate);
    anchor.call(&mut gate, &cap, scenario.ctx());
    scenario.return_to_sender(cap);
    scenario::return_shared(gate);
    assert_eq!(scenario.end().frozen(), vector[told]);
}

#[test]
fun anchoring_is_an_event() {
    let mut scenario = fixture::publish();
    scenario.change("trainer", "health", true);
    let mut gate = scenario.take_shared<Gate>();
    let cap = scenario.take_from_sender<AnchorCap>();
    let good = anchor().claims(vector["health"]);
    let bad = anchor().claims(vector["finance"]);
    good.call(&mut gate, &cap, scenario.ctx());
    bad.call(&mut gate, &cap, scenario.ctx());

    let events = event::events_by_type<ReceiptAnchored>();
    let layouts = vector[
        ReceiptAnchoredLayout {
            receipt: good.receipt_id(&gate),
            gate: object::id(&gate),
            agent: "trainer",
            digest: digest(7),
            all_authorized: true,
            policy_version: 1,
        },
        ReceiptAnchoredLayout {
            receipt: bad.receipt_id(&gate),
            gate: object::id(&gate),
            agent: "trainer",
            digest: digest(7),
            all_authorized: false,
            policy_version: 1,
        },
    ];
    assert_eq!(bcs::to_bytes(&events), bcs::to_bytes(&layouts));
    scenario.return_to_sender(cap);
    scenario::return_shared(gate);
    assert_eq!(scenario.end().num_user_events(), 2);
}

#[test]
fun anchoring_leaves_the_policy_alone() {
    let mut scenario = fixture::publish();
    anchor().claims(vector["health"]).submit(&mut scenario);
    assert_eq!(fixture::is_allowed(&mut scenario, "trainer", "health"), false);
    assert_eq!(fixture::version(&mut scenario), 0);
    scenario.end();
}
