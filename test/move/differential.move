/// Replays sequences of transactions that the local ledger executed, and compares the results.
/// test/move/differential-move.ts appends the sequences, as BCS, with one test for each and one more for each abort.
#[test_only]
module portcullis::differential;

use portcullis::gate::{
    Self,
    AccessChanged,
    AnchorCap,
    Checkpoint,
    CheckpointAnchored,
    Gate,
    GateMade,
    KeyAdded,
    KeyEnded,
    PolicyCap,
    Receipt,
    ReceiptAnchored,
    VersionClosed,
};
use std::string::String;
use std::unit_test::assert_eq;
use sui::bcs::{Self, BCS};
use sui::clock;
use sui::event;
use sui::test_scenario::{Self as scenario, Scenario};

const OWNER: address = @0xA11CE;

/// A transaction did not abort, although it should have.
const EDidNotAbort: u64 = 1_000_000;

/// Two publications of the module. All calls go to the first gate, or to one below it, some with a capability of the
/// second.
public struct World has copy, drop {
    gate: ID,
    policy_caps: vector<ID>,
    anchor_caps: vector<ID>,
}

public struct Call has copy, drop {
    /// The index in `FUNCTIONS` of test/move/differential-move.ts.
    function: u8,
    cap_of: u64,
    agent: String,
    /// The namespace of `set_access`, the blob id of `anchor_receipt`, or the origin of a log.
    text: String,
    allowed: bool,
    version: u64,
    /// A digest, a public key, the key of a gate, or the root of a tree.
    bytes: vector<u8>,
    claimed: vector<String>,
}

/// A receipt of the local ledger. `rest` is its BCS without the ids, which differ here.
public struct Minted has copy, drop {
    digest: vector<u8>,
    claimed: vector<String>,
    policy_version: u64,
    rest: vector<u8>,
}

public struct Transaction has copy, drop {
    at_ms: u64,
    calls: vector<Call>,
    is_aborted: bool,
    version: u64,
    minted: vector<Minted>,
    /// The BCS of the events without the ids.
    changed: vector<vector<u8>>,
    closed: vector<vector<u8>>,
    added: vector<vector<u8>>,
    ended: vector<vector<u8>>,
    anchored: vector<vector<u8>>,
    checkpoints: vector<vector<u8>>,
    /// How many gates were made.
    made: u64,
}

/// Executes the transactions that did not abort, and compares. An aborted transaction changed nothing, so it is skipped.
fun replay(bytes: vector<u8>) {
    let mut data = bcs::new(bytes);
    let (mut scenario, world) = publish(data.peel_bool());
    data.peel_vec!(|data| data.peel_transaction()).do!(|transaction| {
        if (!transaction.is_aborted) scenario.compare(&world, transaction);
    });
    let gate = scenario.take_shared_by_id<Gate>(world.gate);
    data.peel_vec_length().do!(|_| {
        let agent = data.peel_string();
        let namespace = data.peel_string();
        assert_eq!(gate.was_allowed(agent, namespace, gate.version()), data.peel_bool());
    });
    assert_eq!(bcs::to_bytes(gate.keys()), data.peel_vec_u8());
    assert_eq!(gate.has_pseudonyms(), data.peel_bool());
    scenario::return_shared(gate);
    assert!(data.into_remainder_bytes().is_empty());
    scenario.end();
}

/// Executes the transactions that did not abort, up to the transaction with the index `last`, which must abort.
fun replay_to_abort(bytes: vector<u8>, last: u64) {
    let mut data = bcs::new(bytes);
    let (mut scenario, world) = publish(data.peel_bool());
    let transactions = data.peel_vec!(|data| data.peel_transaction());
    transactions.length().min(last).do!(|i| {
        if (!transactions[i].is_aborted) {
            scenario.execute(&world, &transactions[i]);
            scenario.next_tx(OWNER);
        };
    });
    scenario.execute(&world, &transactions[last]);
    abort EDidNotAbort
}

fun publish(is_below: bool): (Scenario, World) {
    let mut scenario = scenario::begin(OWNER);
    let mut world = World { gate: @0x0.to_id(), policy_caps: vector[], anchor_caps: vector[] };
    2u64.do!(|i| {
        gate::init_for_testing(scenario.ctx());
        scenario.next_tx(OWNER);
        if (i == 0) world.gate = scenario::most_recent_id_shared<Gate>().destroy_some();
        world.policy_caps.push_back(scenario.most_recent_id_for_sender<PolicyCap>().destroy_some());
        world.anchor_caps.push_back(scenario.most_recent_id_for_sender<AnchorCap>().destroy_some());
    });
    if (is_below) scenario.go_below(&mut world);
    (scenario, world)
}

/// Makes a gate below the first one, for the calls to go to.
fun go_below(scenario: &mut Scenario, world: &mut World) {
    let key = vector::tabulate!(32, |_| 5);
    let mut root = scenario.take_shared_by_id<Gate>(world.gate);
    let cap = scenario.take_from_sender_by_id<AnchorCap>(world.anchor_caps[0]);
    root.new_gate(&cap, key, scenario.ctx());
    world.gate = root.gate_address(key).to_id();
    scenario.return_to_sender(cap);
    scenario::return_shared(root);
    scenario.next_tx(OWNER);
}

fun execute(scenario: &mut Scenario, world: &World, transaction: &Transaction) {
    let mut gate = scenario.take_shared_by_id<Gate>(world.gate);
    let mut clock = clock::create_for_testing(scenario.ctx());
    clock.set_for_testing(transaction.at_ms);
    // An object that was returned in a transaction cannot be taken again in the same one.
    let policy_caps = world.policy_caps.map!(|id| scenario.take_from_sender_by_id<PolicyCap>(id));
    let anchor_caps = world.anchor_caps.map!(|id| scenario.take_from_sender_by_id<AnchorCap>(id));
    transaction.calls.do!(|call| {
        let Call { function, cap_of, agent, text, allowed, version, bytes, claimed } = call;
        match (function) {
            0 => gate.set_access(&policy_caps[cap_of], agent, text, allowed, version),
            1 => gate.close_version(&policy_caps[cap_of], version, &clock),
            2 => gate.add_key(&anchor_caps[cap_of], bytes, &clock),
            3 => gate.end_key(&anchor_caps[cap_of], bytes, &clock),
            4 => gate.anchor_receipt(&anchor_caps[cap_of], agent, text, bytes, claimed, version, &clock),
            5 => gate.use_pseudonyms(&policy_caps[cap_of]),
            6 => gate.new_gate(&anchor_caps[cap_of], bytes, scenario.ctx()),
            _ => gate.anchor_checkpoint(&anchor_caps[cap_of], text, version, bytes, &clock, scenario.ctx()),
        };
    });
    policy_caps.do!(|cap| scenario.return_to_sender(cap));
    anchor_caps.do!(|cap| scenario.return_to_sender(cap));
    clock.destroy_for_testing();
    scenario::return_shared(gate);
}

fun compare(scenario: &mut Scenario, world: &World, transaction: Transaction) {
    scenario.execute(world, &transaction);
    let changed = event::events_by_type<AccessChanged>().map!(|event| bcs::to_bytes(&event).without_ids(1));
    let closed = event::events_by_type<VersionClosed>().map!(|event| bcs::to_bytes(&event).without_ids(1));
    let added = event::events_by_type<KeyAdded>().map!(|event| bcs::to_bytes(&event).without_ids(1));
    let ended = event::events_by_type<KeyEnded>().map!(|event| bcs::to_bytes(&event).without_ids(1));
    let anchored = event::events_by_type<ReceiptAnchored>().map!(|event| bcs::to_bytes(&event).without_ids(2));
    assert_eq!(changed, transaction.changed);
    assert_eq!(closed, transaction.closed);
    assert_eq!(added, transaction.added);
    assert_eq!(ended, transaction.ended);
    assert_eq!(anchored, transaction.anchored);
    let checkpoints = event::events_by_type<CheckpointAnchored>().map!(|event| bcs::to_bytes(&event).without_ids(2));
    assert_eq!(checkpoints, transaction.checkpoints);
    assert_eq!(event::events_by_type<GateMade>().length(), transaction.made);
    let effects = scenario.next_tx(OWNER);
    assert_eq!(effects.frozen().length(), transaction.minted.length() + checkpoints.length());
    let others = closed.length() + added.length() + ended.length() + checkpoints.length();
    assert_eq!(effects.num_user_events(), changed.length() + others + anchored.length() + transaction.made);

    let gate = scenario.take_shared_by_id<Gate>(world.gate);
    assert_eq!(gate.version(), transaction.version);
    transaction.minted.do!(|minted| {
        let Minted { digest, claimed, policy_version, rest } = minted;
        let id = gate.receipt_address(digest, claimed, policy_version).to_id();
        let receipt = scenario.take_immutable_by_id<Receipt>(id);
        let mut expected = bcs::to_bytes(&id);
        expected.append(bcs::to_bytes(&world.gate));
        expected.append(rest);
        assert_eq!(bcs::to_bytes(&receipt), expected);
        scenario::return_immutable(receipt);
    });
    // Those of one log grow, so the gate has the last one of each. It says what its event said.
    checkpoints.do!(|fields| {
        let mut data = bcs::new(fields);
        let last = gate.last_checkpoint(data.peel_string()).destroy_some();
        if (gate.anchored_size(bcs::new(fields).peel_string()) != data.peel_u64()) return;
        let checkpoint = scenario.take_immutable_by_id<Checkpoint>(last.checkpoint_id());
        let mut expected = bcs::to_bytes(&last.checkpoint_id());
        expected.append(bcs::to_bytes(&world.gate));
        expected.append(fields);
        expected.append(bcs::to_bytes(&transaction.at_ms));
        assert_eq!(bcs::to_bytes(&checkpoint), expected);
        scenario::return_immutable(checkpoint);
    });
    scenario::return_shared(gate);
    scenario.next_tx(OWNER);
}

// === Reading ===

fun peel_transaction(data: &mut BCS): Transaction {
    Transaction {
        at_ms: data.peel_u64(),
        calls: data.peel_vec!(|data| data.peel_call()),
        is_aborted: data.peel_bool(),
        version: data.peel_u64(),
        minted: data.peel_vec!(|data| data.peel_minted()),
        changed: data.peel_vec_vec_u8(),
        closed: data.peel_vec_vec_u8(),
        added: data.peel_vec_vec_u8(),
        ended: data.peel_vec_vec_u8(),
        anchored: data.peel_vec_vec_u8(),
        checkpoints: data.peel_vec_vec_u8(),
        made: data.peel_u64(),
    }
}

fun peel_call(data: &mut BCS): Call {
    Call {
        function: data.peel_u8(),
        cap_of: data.peel_u64(),
        agent: data.peel_string(),
        text: data.peel_string(),
        allowed: data.peel_bool(),
        version: data.peel_u64(),
        bytes: data.peel_vec_u8(),
        claimed: data.peel_strings(),
    }
}

fun peel_minted(data: &mut BCS): Minted {
    Minted {
        digest: data.peel_vec_u8(),
        claimed: data.peel_strings(),
        policy_version: data.peel_u64(),
        rest: data.peel_vec_u8(),
    }
}

fun peel_string(data: &mut BCS): String { data.peel_vec_u8().to_string() }

fun peel_strings(data: &mut BCS): vector<String> { data.peel_vec_vec_u8().map!(|bytes| bytes.to_string()) }

fun without_ids(bytes: vector<u8>, count: u64): vector<u8> {
    vector::tabulate!(bytes.length() - 32 * count, |i| bytes[i + 32 * count])
}

use fun peel_transaction as BCS.peel_transaction;
use fun peel_call as BCS.peel_call;
use fun peel_minted as BCS.peel_minted;
use fun peel_string as BCS.peel_string;
use fun peel_strings as BCS.peel_strings;
use fun without_ids as vector.without_ids;
use fun go_below as Scenario.go_below;
use fun execute as Scenario.execute;
use fun compare as Scenario.compare;

// === Sequences ===
