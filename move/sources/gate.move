/// The on-chain half of Portcullis: which agent may use which namespace, and proof of what was answered under it.
///
/// A shared `Gate` holds the policy with its history. Nothing is allowed until the holder of the `PolicyCap` allows it.
/// Every change belongs to a version, and `close_version` closes it: nothing is added to a closed version. The holder of
/// the `AnchorCap` anchors receipts: the gate itself evaluates the namespaces that a receipt claims, against the policy
/// as of the closed version that the answer was made under, and mints a frozen `Receipt` that nobody can change, delete
/// or mint again. So a later revoke does not touch an honest answer, and to allow something after the fact authorizes
/// nothing that was not allowed before. The receipt also says when the next version was closed, so that an answer that
/// was made under a version of the past is noticed.
///
/// A package has one `PolicyCap` and one `AnchorCap`. The first gate, which is there from the publication, is the root:
/// further gates are made below it, each with a policy of its own, and the same two capabilities count for all of them.
///
/// The holder of the `AnchorCap` also anchors checkpoints of the transparency log in which the receipts are: each is a
/// frozen `Checkpoint`, and the next one of the same log is larger. So there are not two trees of one size.
///
/// A `Receipt` says what this module checked (`all_authorized`, `policy_version`, `closed_at_ms`, `superseded_at_ms`,
/// `anchored_at_ms`) and what the holder of the `AnchorCap` stated (everything else). The text behind `digest` is not on
/// chain: a verifier fetches the blob and hashes its raw bytes.
module portcullis::gate;

use std::string::String;
use sui::clock::Clock;
use sui::derived_object;
use sui::dynamic_field;
use sui::event;
use sui::table::{Self, Table};

// === Errors ===

// Clients read the numbers. Add new ones at the end, and never renumber.

/// The capability does not count for this gate.
const EWrongGate: u64 = 0;
/// The agent is empty or longer than `MAX_NAME_BYTES`.
const EInvalidAgent: u64 = 1;
/// A namespace is empty or longer than `MAX_NAME_BYTES`.
const EInvalidNamespace: u64 = 2;
/// The blob id is empty or longer than `MAX_BLOB_ID_BYTES`.
const EInvalidBlobId: u64 = 3;
/// The digest, or the root of a tree, is not 32 bytes long.
const EInvalidDigest: u64 = 4;
/// There are more than `MAX_CLAIMS` claims.
const ETooManyClaims: u64 = 5;
/// The claims are not in ascending byte order, or one of them occurs twice.
const EUnorderedClaims: u64 = 6;
/// This receipt is already anchored, with these claims and under this version of the policy.
const EAlreadyAnchored: u64 = 7;
/// The version is not above the last closed one.
const EVersionClosed: u64 = 8;
/// The entry has a change of a later version.
const EVersionOutOfOrder: u64 = 9;
/// The gate has not closed this version.
const EVersionNotClosed: u64 = 10;
/// The entry has changed too often since this version: the gate does not know any more whether it was allowed.
const EHistoryCut: u64 = 11;
/// The public key is not 32 bytes long.
const EInvalidKey: u64 = 12;
/// There are `MAX_KEYS` keys already.
const ETooManyKeys: u64 = 13;
/// The key has ended, and does not come back.
const EKeyEnded: u64 = 14;
/// The gate does not have this key.
const EUnknownKey: u64 = 15;
/// The gate was told of entries or versions already, under plain names.
const EGateInUse: u64 = 16;
/// The key of a gate is not 32 bytes long.
const EInvalidGateKey: u64 = 17;
/// There is a gate with this key already.
const EGateExists: u64 = 18;
/// The origin of the log is empty or longer than `MAX_NAME_BYTES`.
const EInvalidOrigin: u64 = 19;
/// The gate has a checkpoint of the log that is as large.
const ELogNotGrown: u64 = 20;

// === Constants ===

/// Agents and namespaces have up to 64 characters, and a character has up to 4 bytes in UTF-8.
const MAX_NAME_BYTES: u64 = 256;
/// A Walrus blob id has 43 characters; other stores' content addresses fit as well.
const MAX_BLOB_ID_BYTES: u64 = 128;
/// Keeps the work of one call, and the size of its receipt and event, small.
const MAX_CLAIMS: u64 = 64;
/// The length of a blake2b256 digest, and of the root of a log's tree.
const DIGEST_BYTES: u64 = 32;
/// How many changes of an entry are kept.
const MAX_CHANGES: u64 = 64;
/// How many signing keys a gate has, ended ones included. They are in the gate itself, which every call writes.
const MAX_KEYS: u64 = 32;
/// The length of an Ed25519 public key.
const KEY_BYTES: u64 = 32;
/// The length of the key that the address of a gate is derived from.
const GATE_KEY_BYTES: u64 = 32;

// === Structs ===

/// The policy, and the parent from which the addresses of receipts are derived. Shared.
public struct Gate has key {
    id: UID,
    /// The history of each pair that was ever allowed.
    access: Table<AccessKey, History>,
    /// The last closed version of the policy. Only ever grows. Of a new gate it is 0, in which nothing is allowed.
    version: u64,
    /// Each closed version. 0 is one of them from the beginning.
    closed: Table<u64, Closing>,
    /// The public keys that sign receipts, in the order in which they were added.
    keys: vector<SigningKey>,
    /// Whether agents and namespaces are pseudonyms. The module takes any text for a name; this says how to read them.
    pseudonyms: bool,
}

/// The closing of a version, by the chain's clock.
public struct Closing has store {
    /// For version 0 it is 0: it has been closed since ever.
    closed_at_ms: u64,
    /// When the next version was closed. None for the last closed one.
    superseded_at_ms: Option<u64>,
}

/// A struct and not a joined string, so that `a` + `b.c` and `a.b` + `c` are two entries.
public struct AccessKey has copy, drop, store {
    agent: String,
    namespace: String,
}

/// The changes of one entry. Before the first one it was not allowed, unless older changes were dropped.
public struct History has store {
    /// Versions ascend, `allowed` alternates. The last `MAX_CHANGES`.
    changes: vector<Change>,
    /// Whether older changes were dropped.
    is_cut: bool,
}

public struct Change has copy, drop, store {
    /// The version from which on it counts.
    version: u64,
    allowed: bool,
}

/// A key with which the service signs receipts. A receipt that was anchored after its end is not signed by it.
public struct SigningKey has copy, drop, store {
    /// Ed25519.
    public_key: vector<u8>,
    added_at_ms: u64,
    ended_at_ms: Option<u64>,
}

/// The identity of a gate below the root. Its maker chooses it, and it need not say anything.
public struct GateKey has copy, drop, store {
    key: vector<u8>,
}

/// The name of the dynamic field in which a gate below the root has the id of the root.
public struct RootKey() has copy, drop, store;

/// May change the policy of its gate, and of the gates below it.
public struct PolicyCap has key, store {
    id: UID,
    gate: ID,
}

/// May anchor receipts on its gate and on the gates below it, name the keys that sign them, and make gates below it.
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
    /// The version of the policy that the claims were evaluated against.
    policy_version: u64,
    /// When that version was closed, by the chain's clock. For version 0 it is 0.
    closed_at_ms: u64,
    /// When the next version was closed. None if that version was the last closed one at the time of the anchoring.
    superseded_at_ms: Option<u64>,
    /// The time of the anchoring by the chain's clock.
    anchored_at_ms: u64,
}

/// The name of the dynamic field in which a gate has the last checkpoint of a log.
public struct LogKey has copy, drop, store {
    origin: String,
}

public struct LastCheckpoint has copy, drop, store {
    size: u64,
    checkpoint: ID,
}

/// The tree of a transparency log as it was before `anchored_at_ms`. Always frozen, and without `store`, as a receipt.
public struct Checkpoint has key {
    id: UID,
    gate: ID,
    /// The name of the log.
    origin: String,
    /// How many entries the tree has.
    size: u64,
    /// The hash of the tree (RFC 6962).
    root: vector<u8>,
    /// The time of the anchoring by the chain's clock.
    anchored_at_ms: u64,
}

// === Events ===

/// A gate was made below the root.
public struct GateMade has copy, drop {
    gate: ID,
    root: ID,
}

/// An entry changed, from `version` on.
public struct AccessChanged has copy, drop {
    gate: ID,
    agent: String,
    namespace: String,
    allowed: bool,
    version: u64,
}

/// Nothing is added to this version any more.
public struct VersionClosed has copy, drop {
    gate: ID,
    version: u64,
    closed_at_ms: u64,
}

public struct KeyAdded has copy, drop {
    gate: ID,
    public_key: vector<u8>,
    added_at_ms: u64,
}

public struct KeyEnded has copy, drop {
    gate: ID,
    public_key: vector<u8>,
    ended_at_ms: u64,
}

/// A receipt was anchored. The other fields are in the receipt, which nobody can delete.
public struct ReceiptAnchored has copy, drop {
    receipt: ID,
    gate: ID,
    agent: String,
    digest: vector<u8>,
    all_authorized: bool,
    policy_version: u64,
}

public struct CheckpointAnchored has copy, drop {
    checkpoint: ID,
    gate: ID,
    origin: String,
    size: u64,
    root: vector<u8>,
}

// === Publishing ===

/// Shares an empty gate, and gives both capabilities to the publisher, who may transfer either.
fun init(ctx: &mut TxContext) {
    let gate = Gate {
        id: object::new(ctx),
        access: table::new(ctx),
        version: 0,
        closed: first_closing(ctx),
        keys: vector[],
        pseudonyms: false,
    };
    let gate_id = object::id(&gate);

    transfer::transfer(PolicyCap { id: object::new(ctx), gate: gate_id }, ctx.sender());
    transfer::transfer(AnchorCap { id: object::new(ctx), gate: gate_id }, ctx.sender());
    transfer::share_object(gate);
}

// === Making gates ===

/// Shares an empty gate below `root`, at the address that `gate_address` predicts. It has pseudonyms if the root has.
/// Whoever may anchor on the root may make it: its policy is for the holder of the `PolicyCap` to change, as the root's.
public fun new_gate(root: &mut Gate, cap: &AnchorCap, key: vector<u8>, ctx: &mut TxContext) {
    let root_id = object::id(root);
    // A gate below the root has no gates below it: no capability has its id.
    assert!(cap.gate == root_id, EWrongGate);
    assert!(key.length() == GATE_KEY_BYTES, EInvalidGateKey);
    let key = GateKey { key };
    assert!(!derived_object::exists(&root.id, key), EGateExists);

    let mut gate = Gate {
        id: derived_object::claim(&mut root.id, key),
        access: table::new(ctx),
        version: 0,
        closed: first_closing(ctx),
        keys: vector[],
        pseudonyms: root.pseudonyms,
    };
    dynamic_field::add(&mut gate.id, RootKey(), root_id);
    event::emit(GateMade { gate: object::id(&gate), root: root_id });
    transfer::share_object(gate);
}

/// Version 0, which is closed from the beginning.
fun first_closing(ctx: &mut TxContext): Table<u64, Closing> {
    let mut closed = table::new(ctx);
    closed.add(0, Closing { closed_at_ms: 0, superseded_at_ms: option::none() });
    closed
}

/// Aborts unless a capability of the gate `cap_gate` counts for this one.
fun check_cap(gate: &Gate, cap_gate: ID) {
    assert!(cap_gate == object::id(gate) || cap_gate == gate.root(), EWrongGate);
}

// === Changing ===

/// Says that agents and namespaces of this gate are pseudonyms, for ever. Only a gate that was told nothing of a policy
/// takes it, so that no name is read in two ways.
public fun use_pseudonyms(gate: &mut Gate, cap: &PolicyCap) {
    gate.check_cap(cap.gate);
    if (gate.pseudonyms) return;
    assert!(gate.version == 0 && gate.access.is_empty(), EGateInUse);
    gate.pseudonyms = true;
}

/// Allows or revokes the use of `namespace` by `agent`, from `version` on, which must not be closed yet. Several calls,
/// and several transactions, may share a version; of two calls for the same entry the last one counts. A call that
/// changes nothing emits no event.
public fun set_access(
    gate: &mut Gate,
    cap: &PolicyCap,
    agent: String,
    namespace: String,
    allowed: bool,
    version: u64,
) {
    let gate_id = object::id(gate);
    gate.check_cap(cap.gate);
    assert!(is_name(&agent), EInvalidAgent);
    assert!(is_name(&namespace), EInvalidNamespace);
    assert!(version > gate.version, EVersionClosed);

    let key = AccessKey { agent, namespace };
    if (!gate.access.contains(key)) {
        if (!allowed) return;
        gate.access.add(key, History { changes: vector[Change { version, allowed }], is_cut: false });
    } else if (!gate.access[key].set(allowed, version)) {
        return
    };
    event::emit(AccessChanged { gate: gate_id, agent, namespace, allowed, version });
}

/// Closes `version`, also when nothing has changed in it. Versions between the last closed one and this one are left
/// out: they will never be closed. The last closed one is superseded from now on.
public fun close_version(gate: &mut Gate, cap: &PolicyCap, version: u64, clock: &Clock) {
    let gate_id = object::id(gate);
    gate.check_cap(cap.gate);
    assert!(version > gate.version, EVersionClosed);

    let closed_at_ms = clock.timestamp_ms();
    gate.closed[gate.version].superseded_at_ms = option::some(closed_at_ms);
    gate.closed.add(version, Closing { closed_at_ms, superseded_at_ms: option::none() });
    gate.version = version;
    event::emit(VersionClosed { gate: gate_id, version, closed_at_ms });
}

/// Names a key that signs receipts from now on. A key that is there already stays as it is.
public fun add_key(gate: &mut Gate, cap: &AnchorCap, public_key: vector<u8>, clock: &Clock) {
    let gate_id = object::id(gate);
    gate.check_cap(cap.gate);
    assert!(public_key.length() == KEY_BYTES, EInvalidKey);

    let found = gate.keys.find_index!(|key| key.public_key == public_key);
    if (found.is_some()) {
        assert!(gate.keys[found.destroy_some()].ended_at_ms.is_none(), EKeyEnded);
        return
    };
    assert!(gate.keys.length() < MAX_KEYS, ETooManyKeys);

    let added_at_ms = clock.timestamp_ms();
    gate.keys.push_back(SigningKey { public_key, added_at_ms, ended_at_ms: option::none() });
    event::emit(KeyAdded { gate: gate_id, public_key, added_at_ms });
}

/// Ends a key: it signs nothing from now on. The end of a key never changes.
public fun end_key(gate: &mut Gate, cap: &AnchorCap, public_key: vector<u8>, clock: &Clock) {
    let gate_id = object::id(gate);
    gate.check_cap(cap.gate);
    let found = gate.keys.find_index!(|key| key.public_key == public_key);
    assert!(found.is_some(), EUnknownKey);

    let key = &mut gate.keys[found.destroy_some()];
    if (key.ended_at_ms.is_some()) return;
    let ended_at_ms = clock.timestamp_ms();
    key.ended_at_ms = option::some(ended_at_ms);
    event::emit(KeyEnded { gate: gate_id, public_key, ended_at_ms });
}

/// Evaluates the claims as of `policy_version`, which must be closed, and mints the frozen `Receipt`, at the address that
/// `receipt_address` predicts.
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
    policy_version: u64,
    clock: &Clock,
) {
    let gate_id = object::id(gate);
    gate.check_cap(cap.gate);
    assert!(is_name(&agent), EInvalidAgent);
    assert!(is_within(&blob_id, MAX_BLOB_ID_BYTES), EInvalidBlobId);
    assert!(digest.length() == DIGEST_BYTES, EInvalidDigest);
    assert!(claimed.length() <= MAX_CLAIMS, ETooManyClaims);
    assert!(claimed.all!(|namespace| is_name(namespace)), EInvalidNamespace);
    assert!(claimed.is_sorted_by!(|left, right| is_before(left, right)), EUnorderedClaims);

    assert!(gate.is_closed(policy_version), EVersionNotClosed);

    let key = ReceiptKey { digest, claimed, policy_version };
    assert!(!derived_object::exists(&gate.id, key), EAlreadyAnchored);

    let all_authorized = claimed.all!(|namespace| gate.was_allowed(agent, *namespace, policy_version));
    let receipt = Receipt {
        id: derived_object::claim(&mut gate.id, key),
        gate: gate_id,
        agent,
        blob_id,
        digest,
        claimed,
        all_authorized,
        policy_version,
        closed_at_ms: gate.closed_at_ms(policy_version),
        superseded_at_ms: gate.superseded_at_ms(policy_version),
        anchored_at_ms: clock.timestamp_ms(),
    };

    event::emit(ReceiptAnchored {
        receipt: object::id(&receipt),
        gate: gate_id,
        agent,
        digest,
        all_authorized,
        policy_version,
    });
    transfer::freeze_object(receipt);
}

/// Mints the frozen `Checkpoint` of a log. It must have more entries than the last one of this log: whoever holds the
/// capability cannot anchor another tree of a size that is anchored, nor a smaller one. Whether the tree continues the last
/// one is for readers to check: they have the entries.
public fun anchor_checkpoint(
    gate: &mut Gate,
    cap: &AnchorCap,
    origin: String,
    size: u64,
    root: vector<u8>,
    clock: &Clock,
    ctx: &mut TxContext,
) {
    gate.check_cap(cap.gate);
    assert!(is_name(&origin), EInvalidOrigin);
    assert!(root.length() == DIGEST_BYTES, EInvalidDigest);
    assert!(size > gate.anchored_size(origin), ELogNotGrown);

    let checkpoint = Checkpoint {
        id: object::new(ctx),
        gate: object::id(gate),
        origin,
        size,
        root,
        anchored_at_ms: clock.timestamp_ms(),
    };
    let id = object::id(&checkpoint);
    let last = LastCheckpoint { size, checkpoint: id };
    let key = LogKey { origin };
    if (dynamic_field::exists(&gate.id, key)) *dynamic_field::borrow_mut(&mut gate.id, key) = last
    else dynamic_field::add(&mut gate.id, key, last);

    event::emit(CheckpointAnchored { checkpoint: id, gate: object::id(gate), origin, size, root });
    transfer::freeze_object(checkpoint);
}

// === Views of a gate ===

/// Whether `agent` was allowed to use `namespace` as of a version. Aborts when the gate does not know it any more.
public fun was_allowed(gate: &Gate, agent: String, namespace: String, version: u64): bool {
    let key = AccessKey { agent, namespace };
    gate.access.contains(key) && gate.access[key].as_of(version)
}

/// The last closed version.
public fun version(gate: &Gate): u64 { gate.version }

public fun is_closed(gate: &Gate, version: u64): bool { gate.closed.contains(version) }

/// When the version was closed. Version 0 has been closed since ever.
public fun closed_at_ms(gate: &Gate, version: u64): u64 { gate.closed[version].closed_at_ms }

/// When the next version was closed. None for the last closed one.
public fun superseded_at_ms(gate: &Gate, version: u64): Option<u64> { gate.closed[version].superseded_at_ms }

public fun has_pseudonyms(gate: &Gate): bool { gate.pseudonyms }

public fun keys(gate: &Gate): &vector<SigningKey> { &gate.keys }

/// The address that the receipt with this digest and these claims has, or would have, under a version of the policy.
public fun receipt_address(gate: &Gate, digest: vector<u8>, claimed: vector<String>, policy_version: u64): address {
    derived_object::derive_address(object::id(gate), ReceiptKey { digest, claimed, policy_version })
}

/// The gate whose capabilities count for this one: its root, or the gate itself if it is a root.
public fun root(gate: &Gate): ID {
    if (dynamic_field::exists(&gate.id, RootKey())) *dynamic_field::borrow(&gate.id, RootKey()) else object::id(gate)
}

/// The address that the gate with this key has, or would have, below a root.
public fun gate_address(root: &Gate, key: vector<u8>): address {
    derived_object::derive_address(object::id(root), GateKey { key })
}

/// How many entries the last anchored checkpoint of a log has. 0 if there is none.
public fun anchored_size(gate: &Gate, origin: String): u64 {
    let last = gate.last_checkpoint(origin);
    if (last.is_some()) last.destroy_some().size else 0
}

public fun last_checkpoint(gate: &Gate, origin: String): Option<LastCheckpoint> {
    let key = LogKey { origin };
    if (dynamic_field::exists(&gate.id, key)) option::some(*dynamic_field::borrow(&gate.id, key)) else option::none()
}

// === Views of a checkpoint ===

public fun checkpoint_id(last: &LastCheckpoint): ID { last.checkpoint }

public fun checkpoint_gate(checkpoint: &Checkpoint): ID { checkpoint.gate }

public fun checkpoint_origin(checkpoint: &Checkpoint): &String { &checkpoint.origin }

public fun checkpoint_size(checkpoint: &Checkpoint): u64 { checkpoint.size }

public fun checkpoint_root(checkpoint: &Checkpoint): &vector<u8> { &checkpoint.root }

public fun checkpoint_anchored_at_ms(checkpoint: &Checkpoint): u64 { checkpoint.anchored_at_ms }

// === Views of a receipt ===

public fun gate(receipt: &Receipt): ID { receipt.gate }

public fun agent(receipt: &Receipt): &String { &receipt.agent }

public fun blob_id(receipt: &Receipt): &String { &receipt.blob_id }

public fun digest(receipt: &Receipt): &vector<u8> { &receipt.digest }

public fun claimed(receipt: &Receipt): &vector<String> { &receipt.claimed }

public fun all_authorized(receipt: &Receipt): bool { receipt.all_authorized }

public fun policy_version(receipt: &Receipt): u64 { receipt.policy_version }

/// When `policy_version` was closed.
public fun receipt_closed_at_ms(receipt: &Receipt): u64 { receipt.closed_at_ms }

/// When the version after `policy_version` was closed, if that was before the anchoring.
public fun receipt_superseded_at_ms(receipt: &Receipt): Option<u64> { receipt.superseded_at_ms }

public fun anchored_at_ms(receipt: &Receipt): u64 { receipt.anchored_at_ms }

// === Histories ===

/// Records that the entry is allowed, or not, from `version` on. Returns whether that changes anything.
fun set(history: &mut History, allowed: bool, version: u64): bool {
    let changes = &mut history.changes;
    if (changes.is_empty()) {
        if (allowed) changes.push_back(Change { version, allowed });
        return allowed
    };
    let last = changes[changes.length() - 1];
    assert!(last.version <= version, EVersionOutOfOrder);
    if (last.allowed == allowed) return false;
    if (last.version == version) {
        // Changes alternate, so without this one the entry is as it was before the version.
        changes.pop_back();
        return true
    };
    if (changes.length() == MAX_CHANGES) {
        changes.remove(0);
        history.is_cut = true;
    };
    changes.push_back(Change { version, allowed });
    true
}

/// The value of the last change that is not later than `version`.
fun as_of(history: &History, version: u64): bool {
    let mut i = history.changes.length();
    while (i > 0) {
        i = i - 1;
        if (history.changes[i].version <= version) return history.changes[i].allowed
    };
    assert!(!history.is_cut, EHistoryCut);
    false
}

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
