/// The input that `anchor_receipt` accepts and refuses.
#[test_only]
module portcullis::anchor_input_tests;

use portcullis::gate::{Self, AnchorCap, Gate};
use portcullis::gate_fixture::{Self as fixture, anchor, bytes, digest, name};
use sui::clock;
use sui::test_scenario as scenario;

#[test]
fun longest_input_is_taken() {
    let mut scenario = fixture::publish();
    let claims = vector::tabulate!(64, |i| {
        let mut claim = bytes(97, 255);
        claim.push_back(33 + (i as u8));
        claim.to_string()
    });
    anchor().agent(name(256)).blob_id(name(128)).claims(claims).submit(&mut scenario);
    scenario.end();
}

#[test]
fun shortest_input_is_taken() {
    let mut scenario = fixture::publish();
    anchor().agent("a").blob_id("b").claims(vector["c"]).submit(&mut scenario);
    scenario.end();
}

#[test, expected_failure(abort_code = gate::EWrongGate)]
fun capability_of_another_gate_is_refused() {
    let mut scenario = fixture::publish();
    let first = scenario::most_recent_id_shared<Gate>().destroy_some();
    fixture::publish_another(&mut scenario);

    let mut gate = scenario.take_shared_by_id<Gate>(first);
    let cap = scenario.take_from_sender<AnchorCap>();
    let clock = clock::create_for_testing(scenario.ctx());
    gate.anchor_receipt(&cap, "trainer", "blob", digest(7), vector[], 0, &clock);

    abort
}

#[test, expected_failure(abort_code = gate::EInvalidAgent)]
fun empty_agent_is_refused() {
    let mut scenario = fixture::publish();
    anchor().agent("").submit(&mut scenario);

    abort
}

#[test, expected_failure(abort_code = gate::EInvalidAgent)]
fun too_long_agent_is_refused() {
    let mut scenario = fixture::publish();
    anchor().agent(name(257)).submit(&mut scenario);

    abort
}

#[test, expected_failure(abort_code = gate::EInvalidBlobId)]
fun empty_blob_id_is_refused() {
    let mut scenario = fixture::publish();
    anchor().blob_id("").submit(&mut scenario);

    abort
}

#[test, expected_failure(abort_code = gate::EInvalidBlobId)]
fun too_long_blob_id_is_refused() {
    let mut scenario = fixture::publish();
    anchor().blob_id(name(129)).submit(&mut scenario);

    abort
}

#[test, expected_failure(abort_code = gate::EInvalidDigest)]
fun empty_digest_is_refused() {
    let mut scenario = fixture::publish();
    anchor().digest_bytes(vector[]).submit(&mut scenario);

    abort
}

#[test, expected_failure(abort_code = gate::EInvalidDigest)]
fun too_short_digest_is_refused() {
    let mut scenario = fixture::publish();
    anchor().digest_bytes(bytes(7, 31)).submit(&mut scenario);

    abort
}

#[test, expected_failure(abort_code = gate::EInvalidDigest)]
fun too_long_digest_is_refused() {
    let mut scenario = fixture::publish();
    anchor().digest_bytes(bytes(7, 33)).submit(&mut scenario);

    abort
}

#[test, expected_failure(abort_code = gate::ETooManyClaims)]
fun too_many_claims_are_refused() {
    let mut scenario = fixture::publish();
    anchor().claims(vector::tabulate!(65, |i| vector[33 + (i as u8)].to_string())).submit(&mut scenario);

    abort
}

#[test, expected_failure(abort_code = gate::EInvalidNamespace)]
fun empty_claim_is_refused() {
    let mut scenario = fixture::publish();
    anchor().claims(vector["", "health"]).submit(&mut scenario);

    abort
}

#[test, expected_failure(abort_code = gate::EInvalidNamespace)]
fun too_long_claim_is_refused_wherever_it_stands() {
    let mut scenario = fixture::publish();
    anchor().claims(vector["A", name(257)]).submit(&mut scenario);

    abort
}

#[test, expected_failure(abort_code = gate::EUnorderedClaims)]
fun claim_that_comes_twice_is_refused() {
    let mut scenario = fixture::publish();
    anchor().claims(vector["health", "health"]).submit(&mut scenario);

    abort
}

#[test, expected_failure(abort_code = gate::EUnorderedClaims)]
fun claims_out_of_order_are_refused() {
    let mut scenario = fixture::publish();
    anchor().claims(vector["diet", "health", "finance"]).submit(&mut scenario);

    abort
}

#[test, expected_failure(abort_code = gate::EUnorderedClaims)]
fun longer_claim_before_its_own_beginning_is_refused() {
    let mut scenario = fixture::publish();
    anchor().claims(vector["ab", "a"]).submit(&mut scenario);

    abort
}

#[test]
fun order_is_that_of_bytes_and_a_beginning_comes_first() {
    let mut scenario = fixture::publish();
    anchor().claims(vector["B", "a", "aa", "ab", "b"]).submit(&mut scenario);
    scenario.end();
}

/// The order of UTF-8 bytes is that of code points. JavaScript's own order of strings is not: it compares UTF-16 units,
/// and puts U+1F600 before U+FF5A.
#[test]
fun order_is_that_of_code_points() {
    let mut scenario = fixture::publish();
    anchor().claims(vector["z", "é", "ｚ", "😀"]).submit(&mut scenario);
    scenario.end();
}

#[test, expected_failure(abort_code = gate::EUnorderedClaims)]
fun order_of_utf16_units_is_refused() {
    let mut scenario = fixture::publish();
    anchor().claims(vector["😀", "ｚ"]).submit(&mut scenario);

    abort
}
