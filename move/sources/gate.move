/// The on-chain half of Portcullis: which agent may use which namespace, and proof of what was answered under it.
///
/// A shared `Gate` holds the policy. Nothing is allowed until the holder of the `PolicyCap` allows it. The holder of the
/// `AnchorCap` anchors receipts: the gate itself evaluates the namespaces that a receipt claims, against the policy as
/// it stands at that moment, and mints a frozen `Receipt` that nobody can change, delete or mint again.
///
/// A `Receipt` says what this module checked (`all_authorized`, `policy_version`, `anchored_at_ms`) and what the holder
/// of the `AnchorCap` stated (everything else). The text behind `digest` is not on chain: a verifier fetches the blob
/// and hashes its raw bytes.
module portcullis::gate;

use std::string::String;
use sui::clock::Clock;
use sui::derived_object;
use sui::event;
use sui::table::{Self, Table};

// === Errors ===

// Clients read the numbers. Add new ones at the end, and never renumber.

/// The capability belongs to another gate.
const EWrongGate: u64 = 0;
/// The agent is empty or longer than `MAX_NAME_BYTES`.
const EInvalidAgent: u64 = 1;
/// A namespace is empty or longer than `MAX_NAME_BYTES`.
const EInvalidNamespace: u64 = 2;
/// The blob id is empty or longer than `MAX_BLOB_ID_BYTES`.
const EInvalidBlobId: u64 = 3;
/// The digest is not 32 bytes long.
const EInvalidDigest: u64 = 4;
/// There are more than `MAX_CLAIMS` claims.
const ETooManyClaims: u64 = 5;
/// The claims are not in ascending byte order, or one of them occurs twice.
const EUnorderedClaims: u64 = 6;
/// This receipt is already anchored, with these claims and under this version of the policy.
const EAlreadyAnchored: u64 = 7;

// === Constants ===

/// Agents and namespaces have up to 64 characters, and a character has up to 4 bytes in UTF-8.
const MAX_NAME_BYTES: u64 = 256;
/// A Walrus blob id has 43 characters; other stores' content addresses fit as well.
const MAX_BLOB_ID_BYTES: u64 = 128;
/// Keeps the work of one call, and the size of its receipt and event, small.
const MAX_CLAIMS: u64 = 64;
/// The length of a blake2b256 digest.
const DIGEST_BYTES: u64 = 32;

// === Structs ===

/// The policy, and the parent from which the addresses of receipts are derived. Shared.
public struct Gate has key {
    id: UID,
    /// The pairs that are allowed. Revoking access removes the entry, so the value is always `true`.
    access: Table<AccessKey, bool>,
    /// How often the policy has changed. Only ever grows.
    version: u64,
}

/// A struct and not a joined string, so that `a` + `b.c` and `a.b` + `c` are two entries.
public struct AccessKey has copy, drop, store {
    agent: String,
    namespace: String,
}

/// May change the policy of its gate.
public struct PolicyCap has key, store {
    id: UID,
    gate: ID,
}

/// May anchor receipts on its gate.
public struct AnchorCap has key, store {
    id: UID,
    gate: ID,
}

/// The identity of an anchor. The digest covers the text of the receipt, and so the agent too.
public struct ReceiptKey has copy, drop, store {
    digest: vector<u8>,
    claimed: vector<String>,
    policy_version: u64,
}

/// The proof. Always frozen. It has no `store`, so no other module can hold or transfer one that is not frozen.
public struct Receipt has key {
    id: UID,
    /// The gate that evaluated the claims.
    gate: ID,
    /// The agent that got the answer.
    agent: String,
    /// The blob with the text of the receipt.
    blob_id: String,
    /// blake2b256 of the raw bytes of that blob.
    digest: vector<u8>,
    /// The namespaces that the answer is claimed to rest on, in ascending byte order.
    claimed: vector<String>,
    /// Whether `agent` was allowed to use all of `claimed`. It is `true` when there are no claims: an answer that claims
    /// nothing used nothing that was not allowed.
    all_authorized: bool,
    /// Whether the service that holds the `AnchorCap` says that it issued this receipt, word for word.
    issued: bool,
    /// The version of the policy that the claims were evaluated against.
    policy_version: u64,
    /// The time of the anchoring by the chain's clock.
    anchored_at_ms: u64,
}

// === Events ===

/// The policy changed. `version` is the version after the change.
public struct AccessChanged has copy, drop {
    gate: ID,
    agent: String,
    namespace: String,
    allowed: bool,
    version: u64,
}

/// A receipt was anchored. The other fields are in the receipt, which nobody can delete.
public struct ReceiptAnchored has copy, drop {
    receipt: ID,
    gate: ID,
    agent: String,
    digest: vector<u8>,
    all_authorized: bool,
    issued: bool,
    policy_version: u64,
}

// === Publishing ===

/// Shares an empty gate, and gives both capabilities to the publisher, who may transfer either.
fun init(ctx: &mut TxContext) {
    let gate = Gate { id: object::new(ctx), access: table::new(ctx), version: 0 };
    let gate_id = object::id(&gate);

    transfer::transfer(PolicyCap { id: object::new(ctx), gate: gate_id }, ctx.sender());
    transfer::transfer(AnchorCap { id: object::new(ctx), gate: gate_id }, ctx.sender());
    transfer::share_object(gate);
}

// === Changing ===

/// Allows or revokes the use of `namespace` by `agent`. A call that changes nothing keeps the version and emits no event,
/// so a whole policy can be sent again, and receipts under it still have the same version.
public fun set_access(gate: &mut Gate, cap: &PolicyCap, agent: String, namespace: String, allowed: bool) {
    let gate_id = object::id(gate);
    assert!(cap.gate == gate_id, EWrongGate);
    assert!(is_name(&agent), EInvalidAgent);
    assert!(is_name(&namespace), EInvalidNamespace);

    if (gate.is_allowed(agent, namespace) == allowed) return;

    let key = AccessKey { agent, namespace };
    if (allowed) {
        gate.access.add(key, true);
    } else {
        gate.access.remove(key);
    };
    gate.version = gate.version + 1;

    event::emit(AccessChanged { gate: gate_id, agent, namespace, allowed, version: gate.version });
}

/// Evaluates the claims and mints the frozen `Receipt`, at the address that `receipt_address` predicts.
///
/// `claimed` must be in strictly ascending byte order. The claims are a set, and if a set could be written in several
/// ways, one anchor would have several addresses.
public fun anchor_receipt(
    gate: &mut Gate,
    cap: &AnchorCap,
    agent: String,
    blob_id: String,
    digest: vector<u8>,
    claimed: vector<String>,
    issued: bool,
    clock: &Clock,
) {
    let gate_id = object::id(gate);
    assert!(cap.gate == gate_id, EWrongGate);
    assert!(is_name(&agent), EInvalidAgent);
    assert!(is_within(&blob_id, MAX_BLOB_ID_BYTES), EInvalidBlobId);
    assert!(digest.length() == DIGEST_BYTES, EInvalidDigest);
    assert!(claimed.length() <= MAX_CLAIMS, ETooManyClaims);
    assert!(claimed.all!(|namespace| is_name(namespace)), EInvalidNamespace);
    assert!(claimed.is_sorted_by!(|left, right| is_before(left, right)), EUnorderedClaims);

    let policy_version = gate.version;
    let key = ReceiptKey { digest, claimed, policy_version };
    assert!(!derived_object::exists(&gate.id, key), EAlreadyAnchored);

    let all_authorized = claimed.all!(|namespace| gate.is_allowed(agent, *namespace));
    let receipt = Receipt {
        id: derived_object::claim(&mut gate.id, key),
        gate: gate_id,
        agent,
        blob_id,
        digest,
        claimed,
        all_authorized,
        issued,
        policy_version,
        anchored_at_ms: clock.timestamp_ms(),
    };

    event::emit(ReceiptAnchored {
        receipt: object::id(&receipt),
        gate: gate_id,
        agent,
        digest,
        all_authorized,
        issued,
        policy_version,
    });
    transfer::freeze_object(receipt);
}

// === Views of a gate ===

/// Whether `agent` may use `namespace` now. A pair that was never set is not allowed.
public fun is_allowed(gate: &Gate, agent: String, namespace: String): bool {
    gate.access.contains(AccessKey { agent, namespace })
}

public fun version(gate: &Gate): u64 { gate.version }

/// The address that the receipt with this digest and these claims has, or would have, under a version of the policy.
public fun receipt_address(gate: &Gate, digest: vector<u8>, claimed: vector<String>, policy_version: u64): address {
    derived_object::derive_address(object::id(gate), ReceiptKey { digest, claimed, policy_version })
}

// === Views of a receipt ===

public fun gate(receipt: &Receipt): ID { receipt.gate }

public fun agent(receipt: &Receipt): &String { &receipt.agent }

public fun blob_id(receipt: &Receipt): &String { &receipt.blob_id }

public fun digest(receipt: &Receipt): &vector<u8> { &receipt.digest }

public fun claimed(receipt: &Receipt): &vector<String> { &receipt.claimed }

public fun all_authorized(receipt: &Receipt): bool { receipt.all_authorized }

public fun issued(receipt: &Receipt): bool { receipt.issued }

public fun policy_version(receipt: &Receipt): u64 { receipt.policy_version }

public fun anchored_at_ms(receipt: &Receipt): u64 { receipt.anchored_at_ms }

// === Rules for input ===

fun is_name(name: &String): bool { is_within(name, MAX_NAME_BYTES) }

fun is_within(text: &String, max_bytes: u64): bool { !text.is_empty() && text.length() <= max_bytes }

/// Whether `left` comes strictly before `right` in the order of their UTF-8 bytes.
fun is_before(left: &String, right: &String): bool {
    let left = left.as_bytes();
    let right = right.as_bytes();
    let shared = left.length().min(right.length());
    let mut i = 0;
    while (i < shared && left[i] == right[i]) i = i + 1;
    if (i == shared) left.length() < right.length() else left[i] < right[i]
}

#[test_only]
public fun init_for_testing(ctx: &mut TxContext) { init(ctx) }
