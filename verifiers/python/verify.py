#!/usr/bin/env python3
"""Verifies a Portcullis bundle offline: python3 verify.py answer.portcullis.json

Written from docs/proof.md and docs/proof-ledger.md, and not from the code of the service. It needs Python 3.10 and
nothing besides: no package, no network. It prints a line for each check, and the verdict. Exit codes: 0 verified,
1 unknown, 2 this is no bundle, 6 failed.
"""

import argparse, base64, datetime, functools, hashlib, json, re, sys, time, unicodedata
from decimal import Decimal

# --- Conventions -------------------------------------------------------------------------------------------------------
MAX_DEPTH, MOST_BLOBS, MOST_COUNTED = 32, 64, 2**53 - 1
LARGEST_BUNDLE, LARGEST_RECEIPT, LARGEST_OPENING, LARGEST_MEMORY = 16 * 2**20, 512 * 1024, 512 * 1024, 40 * 1024
CLOCKS_MS, SUPERSEDED_MS, YEAR_MS, FOREVER = 5 * 60_000, 15 * 60_000, 366 * 86_400_000, float("inf")
WHITE_SPACE = "\t\n\v\f\r \xa0\u1680\u2028\u2029\u202f\u205f\u3000\ufeff" + "".join(map(chr, range(0x2000, 0x200B)))

class Malformed(Exception):
    """What was read is not what it should be."""
def refuse(condition):
    if condition: raise Malformed
def blake2b256(data, key=b""): return hashlib.blake2b(data, digest_size=32, key=key).digest()
def base64url(data): return base64.urlsafe_b64encode(data).rstrip(b"=").decode()
def is_base64(value):
    return isinstance(value, str) and len(value) % 4 == 0 and re.fullmatch("[A-Za-z0-9+/]*={0,2}", value) is not None
def utf16_length(text): return len(text.encode("utf-16-le", "surrogatepass")) // 2
def strip(text): return text.strip(WHITE_SPACE)
def is_well_formed(text): return text.isascii() or re.search("[\ud800-\udfff]", text) is None

# JSON. Numbers are those of JavaScript: whole ones are int here, all others float.
def read_number(text):
    value = float(text)
    return int(value) if value.is_integer() and abs(value) <= MOST_COUNTED + 1 else value
def no_constant(_): raise Malformed
def read_json(text):
    try: return json.loads(text, parse_int=read_number, parse_float=read_number, parse_constant=no_constant)
    except (ValueError, RecursionError): raise Malformed from None
def number_text(value):
    if isinstance(value, int): return str(value)
    refuse(value != value or value in (float("inf"), float("-inf")))
    sign = "-" if value < 0 else ""
    parts = Decimal(repr(abs(value))).normalize().as_tuple()
    digits = "".join(map(str, parts.digits))
    count, point = len(digits), len(digits) + parts.exponent
    if count <= point <= 21: return sign + digits + "0" * (point - count)
    if 0 < point <= 21: return f"{sign}{digits[:point]}.{digits[point:]}"
    if -6 < point <= 0: return f"{sign}0.{'0' * -point}{digits}"
    fraction = f".{digits[1:]}" if count > 1 else ""
    return f"{sign}{digits[0]}{fraction}e{'+' if point > 0 else '-'}{abs(point - 1)}"
ESCAPES = {'"': '\\"', "\\": "\\\\", "\b": "\\b", "\t": "\\t", "\n": "\\n", "\f": "\\f", "\r": "\\r"}
def string_text(text):
    refuse(not is_well_formed(text))
    escaped = re.sub(r'["\\\x00-\x1f]', lambda m: ESCAPES.get(m[0]) or f"\\u{ord(m[0]):04x}", text)
    return f'"{escaped}"'
def jcs_text(value):
    if value is None or isinstance(value, bool): return {None: "null", True: "true", False: "false"}[value]
    if isinstance(value, str): return string_text(value)
    if isinstance(value, (int, float)): return number_text(value)
    if isinstance(value, list): return f"[{','.join(map(jcs_text, value))}]"
    keys = sorted(value, key=lambda key: key.encode("utf-16-be", "surrogatepass"))
    return "{" + ",".join(f"{string_text(key)}:{jcs_text(value[key])}" for key in keys) + "}"
def jcs(value): return jcs_text(value).encode()
def is_shallow(value, levels=MAX_DEPTH):
    if not isinstance(value, (list, dict)): return True
    members = value.values() if isinstance(value, dict) else value
    return levels > 0 and all(is_shallow(member, levels - 1) for member in members)
def read_jcs(data, most):
    """What bytes say that are the JCS of it."""
    refuse(len(data) > most)
    try: text = data.decode("utf-8")
    except UnicodeDecodeError: raise Malformed from None
    value = read_json(text)
    refuse(not is_shallow(value) or jcs_text(value) != text)
    return value

# Types of JSON values. Each returns whether a value is of it.
def is_string(value): return isinstance(value, str)
def is_flag(value): return isinstance(value, bool)
def is_count(value): return isinstance(value, int) and not isinstance(value, bool) and 0 <= value <= MOST_COUNTED
def is_true(value): return value is True
def has_control(text, allowed=""): return any(unicodedata.category(one) == "Cc" and one not in allowed for one in text)
def is_name(value):
    if not is_string(value) or not 1 <= len(value) <= 64 or not is_well_formed(value) or has_control(value): return False
    return strip(value) == value and unicodedata.normalize("NFC", value) == value
def is_text(limit):
    def is_bounded(value): return is_string(value) and len(value) <= limit and is_well_formed(value)
    return lambda value: is_bounded(value) and strip(value) != "" and not has_control(value, "\t\n\r")
def matching(pattern):
    compiled = re.compile(pattern, re.ASCII)
    return lambda value: is_string(value) and compiled.fullmatch(value) is not None
def one_of(*values): return lambda value: any(type(value) is type(one) and value == one for one in values)
def or_null(rule): return lambda value: value is None or rule(value)
def list_of(rule, limit): return lambda value: isinstance(value, list) and len(value) <= limit and all(map(rule, value))
def by_key(rule): return lambda value: isinstance(value, dict) and all(map(rule, value.values()))
def at_least(members):
    return lambda value: isinstance(value, dict) and all(name in value and rule(value[name]) for name, rule in members.items())
def exactly(required, optional=None):
    known, has_required = {**required, **(optional or {})}, at_least(required)
    return lambda value: has_required(value) and all(name in known and known[name](one) for name, one in value.items())
is_digest = matching("[0-9a-f]{64}")
is_content = is_text(8_000)
def is_snippet(value): return value == "" or is_content(value)

# Times, in milliseconds since 1970.
OFFSET = r"(?::([0-5]\d)(?:\.(\d+))?(Z|[+-](?:[01]\d|2[0-3]):[0-5]\d)?)?"
TIME = re.compile(rf"(\d{{4}})-(\d\d)-(\d\d)T([01]\d|2[0-3]):([0-5]\d){OFFSET}", re.ASCII)
def days_of(year, month, day):
    """Days since 1970; None for a day that does not exist. The calendar repeats after 400 years, and has a year 0 here."""
    try: return datetime.date(400 + year % 400, month, day).toordinal() + (year // 400 - 1) * 146_097 - 719_163
    except ValueError: return None
def read_time(text):
    """Milliseconds, and whether the text has an offset; None for what is no time."""
    match = TIME.fullmatch(text) if is_string(text) else None
    days = days_of(*map(int, match.groups()[:3])) if match else None
    if days is None: return None
    hour, minute, second, fraction, offset = match.groups()[3:]
    ms = ((days * 24 + int(hour)) * 60 + int(minute)) * 60_000 + int(second or 0) * 1000
    ms += int(((fraction or "") + "000")[:3])
    if offset not in (None, "Z"):
        ms -= (int(offset[1:3]) * 60 + int(offset[4:])) * 60_000 * (1 if offset[0] == "+" else -1)
    return ms, offset is not None
def is_time(value):
    return is_string(value) and re.fullmatch(r".{19}\.\d{3}Z", value) is not None and read_time(value) is not None
def is_any_time(value): return read_time(value) is not None
def ms_of(text): return read_time(text)[0]

# --- Ed25519, RFC 8032, with the cofactor ------------------------------------------------------------------------------
P = 2**255 - 19
ORDER = 2**252 + 27742317777372353535851937790883648493
D, SQRT_M1, NEUTRAL = -121665 * pow(121666, P - 2, P) % P, pow(2, (P - 1) // 4, P), (0, 1, 1, 0)
def add(a, b):
    x = (a[1] - a[0]) * (b[1] - b[0]) % P
    y = (a[1] + a[0]) * (b[1] + b[0]) % P
    z, t = 2 * a[2] * b[2] % P, 2 * D * a[3] * b[3] % P
    e, f, g, h = y - x, z - t, z + t, y + x
    return e * f % P, g * h % P, f * g % P, e * h % P
def negative(a): return -a[0] % P, a[1], a[2], -a[3] % P
def is_neutral(a): return a[0] % P == 0 and (a[1] - a[2]) % P == 0
def times_eight(a): return functools.reduce(lambda sum_, _: add(sum_, sum_), range(3), a)
def decode_point(data):
    y = int.from_bytes(data, "little")
    sign, y = y >> 255, y & (2**255 - 1)
    if y >= P: return None
    x2 = (y * y - 1) * pow(D * y * y + 1, P - 2, P) % P
    x = pow(x2, (P + 3) // 8, P)
    if (x * x - x2) % P: x = x * SQRT_M1 % P
    if (x * x - x2) % P or (x == 0 and sign): return None
    x = P - x if x & 1 != sign else x
    return x, y, 1, x * y % P
BASE = decode_point((4 * pow(5, P - 2, P) % P).to_bytes(32, "little"))
@functools.lru_cache(maxsize=256)
def is_signature(signature, message, public_key):
    """Whether these 64 bytes are the key's signature of the message."""
    if len(signature) != 64 or len(public_key) != 32: return False
    a, r = decode_point(public_key), decode_point(signature[:32])
    s = int.from_bytes(signature[32:], "little")
    if a is None or r is None or s >= ORDER or is_neutral(times_eight(a)): return False
    k = int.from_bytes(hashlib.sha512(signature[:32] + public_key + message).digest(), "little") % ORDER
    minus_a = negative(a)
    both, sum_ = add(BASE, minus_a), NEUTRAL
    for bit in range(max(s.bit_length(), k.bit_length()) - 1, -1, -1):
        sum_ = add(sum_, sum_)
        of_s, of_k = s >> bit & 1, k >> bit & 1
        if of_s or of_k: sum_ = add(sum_, both if of_s and of_k else BASE if of_s else minus_a)
    return is_neutral(times_eight(add(sum_, negative(r))))
def key_id_of(public_key): return blake2b256(b"portcullis/key/v1\0" + public_key).hex()[:32]
def is_signed_by(value, message, public_key):
    return is_signature(base64.urlsafe_b64decode(value + "=="), message, public_key)

# --- A memory, a receipt, a tombstone ----------------------------------------------------------------------------------
TEMPLATES = ("assistant/1", "assistant-urgent/1", "companion/1", "companion-urgent/1")
FLAGS = dict.fromkeys(("authorized", "intact", "verified"), is_flag)
MEMORY_NAMES = {"memoryId": is_text(128), "namespace": is_name, "storeRef": is_text(256)}
MEMBERS_OF_REST = {**FLAGS, **MEMORY_NAMES, "contentDigest": is_digest, "given": is_count}
OPTIONAL_OF_REST = {"cited": is_flag, "pinned": is_true}
HEAD = {
    "v": one_of(2), "kind": one_of("answered", "recalled"), "model": or_null(is_string),
    "template": or_null(is_text(128)), "policyVersion": is_count, "policyDigest": is_digest,
}
OPTIONAL_OF_HEAD = {"ledgerVersion": is_count, "log": exactly({"by": is_time, "origin": is_text(256)})}
BLOCKED = {"blockedNamespaces": list_of(is_name, 1_000)}
OPTIONAL_OF_BLOCKED = {"blockedCount": is_count, "blockedDigest": is_digest}
is_signature_member = exactly({"keyId": matching("[0-9a-f]{32}"), "value": matching("[A-Za-z0-9_-]{85}[AQgw]")})
is_rest = exactly(MEMBERS_OF_REST, OPTIONAL_OF_REST)
is_used_memory = exactly({**MEMBERS_OF_REST, "snippet": is_snippet}, OPTIONAL_OF_REST)
is_evidence = exactly({**HEAD, "commitments": by_key(is_digest), "salts": by_key(is_digest)}, OPTIONAL_OF_HEAD)
is_open_form = exactly({
    "agentId": is_name, "answerId": is_text(128), **BLOCKED, "createdAt": is_time, "evidence": is_evidence,
    "signature": is_signature_member, "usedMemories": list_of(is_used_memory, 256),
}, OPTIONAL_OF_BLOCKED)
is_sealed_form = exactly({
    **HEAD, "answerId": is_text(128), "commitments": by_key(is_digest), "createdAt": is_time,
    "signature": is_signature_member,
}, OPTIONAL_OF_HEAD)
FOREIGN = {"namespace": is_name, "snippet": is_snippet, "storeRef": is_text(256), "authorized": is_flag, "verified": is_flag}
IN_FOREIGN = {"answerId": is_text(128), "agentId": is_name, **BLOCKED, "createdAt": is_any_time}
is_foreign_receipt = at_least({**IN_FOREIGN, "usedMemories": list_of(at_least(FOREIGN), 256)})
is_tombstone = exactly({
    "cause": one_of("forgotten", "expired", "reset", "encrypted"), "forgottenAt": is_time,
    "forgottenBy": lambda value: is_string(value) and value != "", "memoryId": is_text(128),
    "namespace": is_name, "signature": is_signature_member,
}, {"reason": lambda value: is_string(value) and utf16_length(value) <= 200})
is_memory = exactly({"content": is_string, "namespace": is_string, "sourceAgent": is_string}, {
    "metadata": by_key(lambda value: is_string(value) or isinstance(value, (bool, int, float))), "occurredAt": is_string,
})
is_base64url = matching("[A-Za-z0-9_-]*")
is_encrypted = exactly({"alg": one_of("A256GCM"), "ciphertext": is_base64url, "iv": is_base64url, "v": one_of(1)})
is_given = list_of(exactly({"content": is_string, "memoryId": is_string}), 256)
FIELDS = {
    "/agentId": is_name, "/blockedNamespaces": exactly(BLOCKED, OPTIONAL_OF_BLOCKED), "/question": is_string,
    "/prompt": exactly({"system": is_string, "user": is_string}), "/answer": is_string, "/filters": by_key(lambda _: True),
}
def snippet_of(content):
    line = re.sub(f"[{WHITE_SPACE}]+", " ", strip(content))
    return line if len(line) <= 160 else strip(line[:160]) + "…"
def salt_of(seed, path): return blake2b256(path.encode(), key=bytes.fromhex(seed)).hex()
def commitment_to(salt, value): return blake2b256(b"portcullis/commit/v2\0" + bytes.fromhex(salt) + jcs(value)).hex()
def private_paths(model, memories):
    of_memories = [f"/usedMemories/{i}/{part}" for i in range(memories) for part in ("rest", "snippet")]
    return {"/agentId", "/blockedNamespaces", "/question", "/answer", *of_memories, *(["/prompt"] if model is not None else [])}
HIDDEN = {"/question", "/answer", "/prompt", "/filters"}
def shown_fields(receipt):
    fields = {
        "/agentId": receipt["agentId"],
        "/blockedNamespaces": {name: one for name, one in receipt.items() if name in {**BLOCKED, **OPTIONAL_OF_BLOCKED}},
    }
    for i, memory in enumerate(receipt["usedMemories"]):
        fields[f"/usedMemories/{i}/rest"] = {name: one for name, one in memory.items() if name != "snippet"}
        fields[f"/usedMemories/{i}/snippet"] = memory["snippet"]
    return fields
def is_head_sound(head, memories):
    if (head["model"] is None) != (head["template"] is None): return False
    return head["model"] is None if head["kind"] == "recalled" else head["model"] is not None or memories == 0
def sealed_form(receipt):
    """Of an open form. Raises Malformed for one that must be refused."""
    refuse(not is_open_form(receipt))
    evidence, memories = receipt["evidence"], receipt["usedMemories"]
    refuse(("blockedCount" in receipt) != ("blockedDigest" in receipt))
    refuse("blockedCount" in receipt and (len(receipt["blockedNamespaces"]) != 1_000 or receipt["blockedCount"] <= 1_000))
    refuse(not is_head_sound(evidence, len(memories)))
    refuse(evidence["kind"] == "recalled" and any("cited" in memory for memory in memories))
    shown = shown_fields(receipt)
    refuse(evidence["salts"].keys() != shown.keys())
    refuse(evidence["commitments"].keys() - {"/filters"} != private_paths(evidence["model"], len(memories)) - shown.keys())
    commitments = {path: commitment_to(evidence["salts"][path], value) for path, value in shown.items()}
    head = {name: one for name, one in evidence.items() if name not in ("salts", "commitments")}
    whole = {**evidence["commitments"], **commitments}
    return {"answerId": receipt["answerId"], "createdAt": receipt["createdAt"], **head, "commitments": whole}
def memory_count(form): return sum(path.endswith("/rest") for path in form["commitments"])
def read_sealed_receipt(value):
    refuse(not is_sealed_form(value))
    memories = memory_count(value)
    refuse(memories > 256 or not is_head_sound(value, memories))
    refuse(value["commitments"].keys() - {"/filters"} != private_paths(value["model"], memories))

# --- The ledger --------------------------------------------------------------------------------------------------------
def full_address(text):
    match = re.fullmatch("0x([0-9a-fA-F]{1,64})", text) if is_string(text) else None
    return match and f"0x{match[1].lower().rjust(64, '0')}"
def is_same_address(left, right): return full_address(left) is not None and full_address(left) == full_address(right)

class Bcs:
    """Reads BCS. Raises Malformed."""
    def __init__(self, data): self.data, self.at = data, 0
    def take(self, count):
        refuse(count > len(self.data) - self.at)
        self.at += count
        return self.data[self.at - count : self.at]
    def length(self):
        value = 0
        for shift in range(0, 35, 7):
            byte = self.take(1)[0]
            value |= (byte & 127) << shift
            if byte < 128:
                refuse((byte == 0 and shift > 0) or value >= 2**32)
                return value
        raise Malformed
    def address(self): return "0x" + self.take(32).hex()
    def bool(self):
        refuse(self.data[self.at : self.at + 1] > b"\1")
        return self.take(1) == b"\1"
    def u64(self): return int.from_bytes(self.take(8), "little")
    def bytes(self): return self.take(self.length())
    def string(self):
        try: return self.bytes().decode("utf-8")
        except UnicodeDecodeError: raise Malformed from None
    def vector(self, element, most=None):
        count = self.length()
        refuse(most is not None and count > most)
        return [element() for _ in range(count)]
    def option(self, element): return next(iter(self.vector(element, 1)), None)
    def end(self): refuse(self.at != len(self.data))
def bcs_length(value): return bytes([value]) if value < 128 else bytes([value & 127 | 128]) + bcs_length(value >> 7)
def bcs_bytes(data): return bcs_length(len(data)) + data
def address_bytes(text):
    refuse(full_address(text) is None)
    return bytes.fromhex(full_address(text)[2:])
def u64le(value): return value.to_bytes(8, "little")
def child_id(parent, key, type_tag):
    return "0x" + blake2b256(b"\xf0" + address_bytes(parent) + u64le(len(key)) + key + type_tag).hex()
def receipt_id(package, chain):
    claims = b"".join(bcs_bytes(name.encode()) for name in chain["claimed"])
    key = bcs_bytes(chain["digest"]) + bcs_length(len(chain["claimed"])) + claims + u64le(chain["policy_version"])
    own = b"\x07" + address_bytes(package) + bcs_bytes(b"gate") + bcs_bytes(b"ReceiptKey") + b"\0"
    type_tag = b"\x07" + address_bytes("0x2") + bcs_bytes(b"derived_object") + bcs_bytes(b"DerivedObjectKey") + b"\1" + own
    return child_id(chain["gate"], key, type_tag)
def closing_id(table, version): return child_id(table, u64le(version), b"\x02")
def read_chain_receipt(data):
    """The contents of a `Receipt` that the module could have made."""
    read = Bcs(data)
    chain = {
        "id": read.address(), "gate": read.address(), "agent": read.string(), "blob_id": read.string(),
        "digest": read.bytes(), "claimed": read.vector(read.string), "all_authorized": read.bool(),
        "policy_version": read.u64(), "closed_at_ms": read.u64(), "superseded_at_ms": read.option(read.u64),
        "anchored_at_ms": read.u64(),
    }
    read.end()
    names = [chain["agent"], *chain["claimed"]]
    refuse(not all(1 <= len(name.encode()) <= 256 for name in names) or len(chain["claimed"]) > 64)
    refuse(not 1 <= len(chain["blob_id"].encode()) <= 128 or len(chain["digest"]) != 32)
    refuse((chain["policy_version"] == 0) != (chain["closed_at_ms"] == 0))
    refuse(chain["policy_version"] == 0 and chain["claimed"] and chain["all_authorized"])
    superseded = chain["superseded_at_ms"]
    refuse(superseded is not None and not chain["closed_at_ms"] <= superseded <= chain["anchored_at_ms"])
    return chain
def read_gate(data):
    read = Bcs(data)
    def table(): return (read.address(), read.u64())[0]
    def key():
        public_key, added, ended = read.bytes(), read.u64(), read.vector(read.u64, 1)
        refuse(len(public_key) != 32)
        return {"id": key_id_of(public_key), "public_key": public_key, "added": added, "ended": (ended + [FOREVER])[0]}
    gate = {"id": read.address(), "access": table(), "version": read.u64(), "closed": table()}
    gate |= {"keys": read.vector(key, 32), "pseudonyms": read.bool()}
    read.end()
    refuse(len({one["id"] for one in gate["keys"]}) < len(gate["keys"]))
    return gate
def read_anchored_tree(data):
    """The contents of a `Checkpoint`."""
    read = Bcs(data)
    names = "id", "gate", "origin", "size", "root", "anchored_at_ms"
    tree = dict(zip(names, (read.address(), read.address(), read.string(), read.u64(), read.bytes(), read.u64())))
    read.end()
    refuse(tree["origin"] == "" or not 0 < tree["size"] <= MOST_COUNTED or len(tree["root"]) != 32)
    return tree
BASE58 = "123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz"
def base58(data):
    value, digits = int.from_bytes(data, "big"), ""
    while value:
        value, rest = divmod(value, 58)
        digits = BASE58[rest] + digits
    return "1" * (len(data) - len(data.lstrip(b"\0"))) + digits
def object_digest(data): return base58(blake2b256(b"Object::" + data))
def read_object(data):
    """The envelope around the contents of an object."""
    read = Bcs(data)
    def struct(depth=0):
        name = f"{read.address()}::{read.string()}::{read.string()}"
        parameters = read.vector(lambda: tag(depth), 2)
        return f"{name}<{', '.join(parameters)}>" if parameters else name
    def tag(depth):
        kind = read.length()
        refuse(kind not in (2, 7) or depth == 16)
        return "u64" if kind == 2 else struct(depth + 1)
    refuse(read.length() != 0 or read.length() != 0)
    envelope = {"type": struct()}
    read.bool(), read.u64()
    envelope["content"] = read.bytes()
    owner = read.length()
    refuse(owner > 3)
    envelope["owner"] = {2: "shared", 3: "immutable"}.get(owner, "other")
    envelope["owner_id"] = read.address() if owner < 2 else None
    if owner == 2: read.u64()
    envelope["transaction"] = base58(read.bytes())
    read.u64()
    read.end()
    return envelope
def is_of_type(type_name, package, name):
    address, *rest = type_name.split("::")
    return is_same_address(address, package) and rest == ["gate", name]
def is_envelope_of(found, bcs):
    """Whether the bytes of the whole object say what the ledger said of it."""
    try: envelope = read_object(bcs)
    except Malformed: return False
    (address, *name), (own, *own_name) = found["type"].split("::"), envelope["type"].split("::")
    said = name, found["owner"], found["content"], found["previousTransaction"]
    return is_same_address(address, own) and said == (own_name, *(envelope[one] for one in ("owner", "content", "transaction")))
def is_closing(bcs, package, table, version):
    """`closed_at_ms` and `superseded_at_ms` of the entry. Raises Malformed if it is another one."""
    envelope = read_object(bcs)
    expected = f"{full_address('0x2')}::dynamic_field::Field<u64, {full_address(package)}::gate::Closing>"
    refuse((envelope["type"], envelope["owner_id"]) != (expected, table))
    read = Bcs(envelope["content"])
    refuse((read.address(), read.u64()) != (closing_id(table, version), version))
    times = read.u64(), read.option(read.u64)
    read.end()
    return times

# --- The transparency log (C2SP signed-note, tlog-checkpoint; RFC 6962, RFC 9162) --------------------------------------
def sha256(data): return hashlib.sha256(data).digest()
def read_base64(text):
    """Of the one spelling that given bytes have."""
    refuse(not is_base64(text))
    data = base64.b64decode(text)
    refuse(base64.b64encode(data).decode() != text)
    return data
def is_hash(value):
    try: return is_string(value) and len(read_base64(value)) == 32
    except Malformed: return False
def is_key_name(name): return re.fullmatch(f"[^+{WHITE_SPACE}]+", name) and is_well_formed(name) and not has_control(name)
def read_vkey(vkey, kind=1):
    """Name, id and public key of a log, or, of kind 4, of a witness."""
    name, key_id, encoded = (vkey.split("+", 2) + ["", ""])[:3]
    data = read_base64(encoded)
    refuse(not is_key_name(name) or len(data) != 33 or data[0] != kind)
    refuse(sha256(name.encode() + b"\n" + data)[:4].hex() != key_id)
    return name, key_id, data[1:]
def read_checkpoint(note):
    """Origin, size and root, the signed text, and the signatures by (name, id)."""
    text, gap, rest = note.rpartition("\n\n")
    refuse(text == "" or gap == "" or utf16_length(note) > 256 * 1024 or not is_well_formed(note) or not rest.endswith("\n"))
    refuse(re.search(r"[\x00-\x09\x0b-\x1f]", note) is not None)
    signatures, lines = {}, rest[:-1].split("\n")
    for line in lines:
        dash, name, encoded = (line.split(" ") + ["", ""])[:3]
        data = read_base64(encoded)
        refuse(line != f"— {name} {encoded}" or not is_key_name(name) or len(data) <= 4 or len(lines) > 64)
        signatures.setdefault((name, data[:4].hex()), []).append(data[4:])
    parts = text.split("\n")
    refuse(len(parts) < 3 or parts[0] == "" or "" in parts[3:] or not is_hash(parts[2]))
    refuse(re.fullmatch("0|[1-9][0-9]{0,15}", parts[1]) is None or int(parts[1]) > MOST_COUNTED)
    root, size = base64.b64decode(parts[2]), int(parts[1])
    return {"origin": parts[0], "size": size, "root": root, "text": f"{text}\n".encode(), "signatures": signatures}
def is_signed_by_log(checkpoint, log):
    own = checkpoint["signatures"].get(log[:2], [])
    return checkpoint["origin"] == log[0] and len(own) == 1 and is_signature(own[0], checkpoint["text"], log[2])
def cosigned_at(checkpoint, witness):
    """In milliseconds. None if it did not cosign; 0 if a line under its name does not hold."""
    latest = None
    for data in checkpoint["signatures"].get(witness[:2], []):
        seconds = int.from_bytes(data[:8], "big")
        message = b"cosignature/v1\ntime %d\n" % seconds + checkpoint["text"]
        if not 0 < seconds <= MOST_COUNTED or not is_signature(data[8:], message, witness[2]): return 0
        latest = seconds * 1000
    return latest
def read_policy(text):
    """Logs; witnesses and groups by name; the name of the quorum (C2SP tlog-policy)."""
    logs, parts, free, quorum = [], {"none": (0, [])}, [], []
    for line in text.split("\n"):
        kind, *words = line.split("#")[0].split() or [""]
        refuse(kind not in ("", "log", "witness", "group", "quorum") or (kind != "" and not words))
        if kind == "log": logs.append(read_vkey(words[0]))
        if kind == "quorum": quorum.append(words[0])
        if kind in ("witness", "group"):
            name, value, *members = words + [""]
            refuse(name in parts)
            free.append(name)
        if kind == "witness": parts[name] = read_vkey(value, 4)
        if kind == "group":
            members = members[:-1]
            needed = {"all": len(members), "any": 1}.get(value) or (int(value) if re.fullmatch("[1-9][0-9]{0,2}", value) else 0)
            refuse(not 1 <= needed <= len(members))
            for member in members:
                refuse(member not in free or member == name)
                free.remove(member)
            parts[name] = (needed, members)
    keys = [one[2] for one in logs] + [one[2] for one in parts.values() if len(one) == 3]
    refuse(len(set(keys)) < len(keys) or len(quorum) != 1 or quorum[0] not in parts)
    return {"logs": logs, "parts": parts, "quorum": quorum[0], "witnesses": [one for one in parts.values() if len(one) == 3]}
def is_met(policy, name, checkpoint):
    part = policy["parts"][name]
    if len(part) == 3: return bool(cosigned_at(checkpoint, part))
    return sum(is_met(policy, one, checkpoint) for one in part[1]) >= part[0]
def is_included(entry, checkpoint):
    node, last = entry["index"], checkpoint["size"] - 1
    if node > last: return False
    current = sha256(b"portcullis/log-entry/v1\n" + bytes.fromhex(entry["salt"]) + entry["body"].encode())
    current = sha256(b"\0" + current)
    for sibling in map(base64.b64decode, entry["hashes"]):
        if last == 0: return False
        if node & 1 or node == last:
            current = sha256(b"\1" + sibling + current)
            while not node & 1 and node != 0: node, last = node >> 1, last >> 1
        else: current = sha256(b"\1" + current + sibling)
        node, last = node >> 1, last >> 1
    return last == 0 and current == checkpoint["root"]
PATH, IS_ID = {"hashes": list_of(is_hash, 63)}, matching("0x[0-9a-f]{64}")
is_log_entry = exactly({"number": is_count, "index": is_count, "body": is_string, "salt": is_digest, **PATH})
LOG_HEAD = {"vkey": is_string, "checkpoint": is_string}
is_log_head, LOG_ENTRIES = exactly(LOG_HEAD), dict.fromkeys(("entry", "opened", "key"), is_log_entry)
OPTIONAL_OF_LOG = {"anchored": exactly({"objectId": IS_ID, **PATH}), "dated": list_of(is_log_entry, 512)}
is_log_proof = exactly({**LOG_HEAD, **LOG_ENTRIES}, OPTIONAL_OF_LOG)
IN_BODY = {"at": is_time, "number": is_count}
OF_ANSWER = {**IN_BODY, "slot": matching("[A-Za-z0-9_-]{43}")}
is_issued = exactly({**OF_ANSWER, "kind": one_of("issued"), "receipt": is_digest, "signature": is_digest})
is_opened = exactly({**OF_ANSWER, "kind": one_of("opened"), "inForce": is_count, "policyVersion": is_count})
OF_KEY = {**IN_BODY, "kind": one_of("signing-key"), "publicKey": is_digest}
is_begun_key, is_any_key = (exactly({**OF_KEY, "state": one_of(*states)}) for states in (["begun"], ["begun", "ended"]))
is_forgotten = exactly({**IN_BODY, "kind": one_of("forgotten", "expired"), "memory": is_digest, "tombstone": is_digest})
is_reset = exactly({**IN_BODY, "kind": one_of("reset"), "tombstone": is_digest})
def is_dated(value): return any(rule(value) for rule in (is_any_key, is_forgotten, is_reset))
def read_body(entry, rule):
    refuse(not is_well_formed(entry["body"]))
    body = read_jcs(entry["body"].encode(), 20_000)
    refuse(not rule(body) or body["number"] != entry["number"])
    return body
def pseudonym_of(name, salt): return blake2b256(b"portcullis/name/v1\0" + bytes.fromhex(salt) + name.encode()).hex()

# --- The bundle --------------------------------------------------------------------------------------------------------
is_object_entry = exactly({
    "objectId": is_string, "type": is_string, "owner": one_of("immutable", "shared", "other"),
    "content": is_base64, "previousTransaction": or_null(is_string),
}, {"bcs": is_base64, "digest": is_string})
is_bundle = exactly({
    "format": one_of("portcullis/bundle/v1"), "network": is_string, "packageId": is_string,
    "objects": by_key(or_null(is_object_entry)), "blobs": by_key(or_null(is_base64)), "tombstones": by_key(lambda _: True),
}, {
    "receiptId": IS_ID, "policyHolder": one_of("signer", "another"),
    **dict.fromkeys(("receipt", "opening", "log", "transactions", "keys", "templates"), lambda _: True),
})
def decoded(entry):
    bcs = entry and "bcs" in entry and base64.b64decode(entry["bcs"])
    return entry and {**entry, "content": base64.b64decode(entry["content"]), "bcs": bcs}

ABSENT = object()  # Neither there, nor said to be missing: nobody asked, or nobody answered.
NOT_MADE = object()  # A check that this bundle, or this reader, does not ask for.
CHECKS = (
    "object", "identity", "gate", "closing", "blob", "digest", "receipt", "evidence", "opening", "statements", "agent",
    "policy", "claims", "time", "stored", "signature", "memory", "log", "trust",
)
NEED_OBJECT = {"identity", "gate", "blob", "claims"}
NEED_ANCHOR = {"agent", "policy", "time"}
NEED_RECEIPT = {"evidence", "statements", "stored", "signature", "memory"}

class Verification:
    """The checks of docs/proof.md, in their order."""
    def __init__(self, bundle, now_ms, trusted, policy, seen):
        refuse(not is_shallow(bundle, 64) or not is_bundle(bundle) or ("receipt" in bundle) == ("receiptId" in bundle))
        self.bundle, self.now, self.trusted, self.policy, self.seen = bundle, now_ms, trusted or {}, policy, seen
        self.is_anchored, self.package, self.checks = "receipt" in bundle, bundle["packageId"], []
        self.chain = self.gate = self.blob = self.receipt = self.sealed = self.form = self.signature = None
        self.values, self.texts, self.names, self.open = {}, {}, {}, None
    def object(self, object_id):
        entry = self.bundle["objects"].get(object_id, ABSENT)
        return entry if entry is ABSENT else decoded(entry)
    def blob_of(self, blob_id):
        text = self.bundle["blobs"].get(blob_id, ABSENT)
        return text if text in (ABSENT, None) else base64.b64decode(text)
    def result(self):
        for name in CHECKS:
            needs_receipt = name in NEED_RECEIPT and not self.has_receipt
            if name in NEED_OBJECT and self.chain is None: outcome = "needs-object?"
            elif needs_receipt or (name in NEED_ANCHOR and not (self.has_receipt and self.chain)): outcome = "needs-receipt?"
            else: outcome = getattr(self, f"check_{name}")()
            for index, code in outcome if isinstance(outcome, list) else [(None, outcome)]:
                if code is not NOT_MADE: self.add(name, index, code)
        statuses = {check["status"] for check in self.checks}
        verdict = "failed" if "fail" in statuses else "verified" if statuses == {"pass"} else "unknown"
        return {"verdict": verdict, "checks": self.checks}
    def add(self, name, index, code):
        """`code` is None for a pass; one that ends in `?` leaves the check unknown."""
        status = "pass" if code is None else "unknown" if code.endswith("?") else "fail"
        place, reason = {} if index is None else {"index": index}, {} if code is None else {"code": code.rstrip("?")}
        self.checks.append({"name": name, **place, "status": status, **reason})

    # The object, the gate, and the entry of the version.
    def check_object(self):
        if "receipt" in self.bundle: return "not-anchored?"
        self.found = self.object(self.bundle["receiptId"])
        if self.found is ABSENT: return "ledger-unreachable?"
        code = self.judge_object("object", self.found, self.bundle["receiptId"], "Receipt", "immutable", "frozen")
        if code is not None: return code
        try: self.chain = read_chain_receipt(self.found["content"])
        except Malformed: return "object-malformed"
    def judge_object(self, kind, found, wanted, type_name, owner, word):
        if found is None: return f"{kind}-missing"
        if not is_same_address(found["objectId"], wanted): return f"{kind}-other-id"
        if not is_of_type(found["type"], self.package, type_name): return f"{kind}-other-type"
        return None if found["owner"] == owner else f"{kind}-not-{word}"
    def check_identity(self):
        found, wanted = self.found, self.bundle["receiptId"]
        if {receipt_id(self.package, self.chain), self.chain["id"]} != {wanted}: return "id-not-derived"
        if found["bcs"] is False or "digest" not in found: return "object-bytes-absent?"
        if not is_envelope_of(found, found["bcs"]): return "object-bytes-differ"
        return None if object_digest(found["bcs"]) == found["digest"] else "object-digest-differs"
    def check_gate(self):
        wanted, found = self.chain["gate"], self.object(self.chain["gate"])
        if found is ABSENT: return "gate-unreachable?"
        code = self.judge_object("gate", found, wanted, "Gate", "shared", "shared")
        if code is not None: return code
        try:
            gate = read_gate(found["content"])
            refuse(gate["id"] != wanted)
        except Malformed: return "gate-malformed"
        bcs, digest = found["bcs"], found.get("digest")
        if bcs is not False and (not is_envelope_of(found, bcs) or digest not in (None, object_digest(bcs))):
            return "gate-bytes-differ"
        if bcs is False or digest is None: return "gate-bytes-absent?"
        if gate["version"] < self.chain["policy_version"] + (self.chain["superseded_at_ms"] is not None): return "gate-behind?"
        self.gate = gate
    def check_closing(self):
        if self.gate is None: return "needs-gate?"
        chain, table = self.chain, self.gate["closed"]
        found = self.object(closing_id(table, chain["policy_version"]))
        if found is ABSENT or found is None: return "closing-unreachable?" if found is ABSENT else "closing-missing?"
        if found["bcs"] is False or "digest" not in found: return "closing-bytes-absent?"
        try:
            closed, superseded = is_closing(found["bcs"], self.package, table, chain["policy_version"])
            refuse(object_digest(found["bcs"]) != found["digest"])
        except Malformed: return "closing-malformed"
        told = chain["superseded_at_ms"]
        if closed == chain["closed_at_ms"] and told is not None and superseded is None: return "closing-behind?"
        is_same = superseded == told if told is not None else superseded is None or superseded >= chain["anchored_at_ms"]
        return None if closed == chain["closed_at_ms"] and is_same else "closing-differs"

    # The blob with the receipt, and the opening.
    def check_blob(self):
        found = self.blob_of(self.chain["blob_id"])
        if found is ABSENT or found is None: return "blob-unreachable?" if found is ABSENT else "blob-missing"
        self.blob = found
    def check_digest(self):
        if self.blob is None: return "needs-blob?"
        self.is_anchored = blake2b256(self.blob) == self.chain["digest"]
        return None if self.is_anchored else "digest-differs"
    def check_receipt(self):
        if self.blob is None and not self.is_anchored: return "needs-blob?"
        try:
            value = read_jcs(jcs(self.bundle["receipt"]) if self.blob is None else self.blob, LARGEST_RECEIPT)
            is_sealed = isinstance(value, dict) and "commitments" in value and "usedMemories" not in value
            if is_sealed: read_sealed_receipt(value)
            refuse(not is_sealed and not is_foreign_receipt(value))
        except Malformed: return "receipt-malformed"
        if self.is_anchored:
            self.receipt, self.sealed = (None, value) if is_sealed else (value, None)
    has_receipt = property(lambda self: self.receipt is not None or self.sealed is not None)
    def check_evidence(self):
        if self.sealed is not None:
            self.form = {name: one for name, one in self.sealed.items() if name != "signature"}
        elif "evidence" not in self.receipt and "signature" not in self.receipt:
            return "evidence-absent?"
        else:
            try: self.form = sealed_form(self.receipt)
            except Malformed: return "evidence-malformed"
        self.signature = (self.sealed or self.receipt)["signature"]
        template = self.form["template"]
        return None if template is None or template in TEMPLATES else "template-unknown?"
    def check_opening(self):
        is_given = "opening" in self.bundle
        if not is_given and self.sealed is None: return NOT_MADE
        if is_given and not self.has_receipt: return "needs-receipt?"
        code = self.open_fields() if is_given else None
        if code is None and self.sealed is not None: code = self.build_open_form()
        if code not in (None, "sealed?"): self.values, self.texts, self.names = {}, {}, {}
        return code
    def open_fields(self):
        """The code of an opening that must be refused, or None."""
        try: text = jcs(self.bundle["opening"])
        except (Malformed, RecursionError): return "opening-malformed"
        if len(text) > LARGEST_OPENING: return "opening-too-large"
        try:
            document = read_jcs(text, LARGEST_OPENING)
            refuse(not is_opening(document))
        except Malformed: return "opening-malformed"
        if self.form is None:
            if "seed" in document or "values" in document: return "opening-other-field"
        else:
            code = self.open_values(document)
            if code is not None: return code
        for one in document.get("names", []):
            pseudonym = pseudonym_of(one["name"], one["salt"])
            is_plain = self.gate is not None and not self.gate["pseudonyms"]
            on_ledger = () if is_plain or self.chain is None else (self.chain["agent"], *self.chain["claimed"])
            if pseudonym not in on_ledger: return "opening-name-differs"
            self.names[pseudonym] = one["name"]
    def open_values(self, document):
        commitments, seed, values = self.form["commitments"], document.get("seed"), document.get("values", {})
        if not values.keys() <= commitments.keys(): return "opening-other-field"
        self.salts = {}
        for path in sorted(values):
            self.salts[path] = salt = document["salts"][path] if seed is None else salt_of(seed, path)
            if commitment_to(salt, values[path]) != commitments[path]: return "opening-differs"
            if not self.is_value(path, values[path]): return "opening-value-malformed"
        self.values = values
        used = {value["contentDigest"] for path, value in values.items() if path.endswith("/rest")}
        self.texts = {blake2b256(text.encode()).hex(): text.encode() for text in document.get("blobs", [])}
        if not self.texts.keys() <= used: return "opening-blob-differs"
        shown = {} if self.receipt is None or seed is None else self.receipt["evidence"]["salts"]
        return "opening-differs" if any(salt_of(seed, path) != salt for path, salt in shown.items()) else None
    def is_value(self, path, value):
        if path == "/answer" and self.form["kind"] == "recalled": return is_given(value)
        return FIELDS.get(path, is_rest if path.endswith("/rest") else is_snippet)(value)
    def build_open_form(self):
        """Of a sealed receipt that the opening opens far enough."""
        count = memory_count(self.form)
        if not private_paths(None, count) - HIDDEN <= self.values.keys(): return "sealed?"
        part = lambda i, name: self.values[f"/usedMemories/{i}/{name}"]
        memories = [{**part(i, "rest"), "snippet": part(i, "snippet")} for i in range(count)]
        head = {name: one for name, one in self.form.items() if name not in ("answerId", "createdAt", "commitments")}
        hidden = {path: one for path, one in self.form["commitments"].items() if path in HIDDEN}
        salts = {path: salt for path, salt in self.salts.items() if path not in HIDDEN}
        self.open = {
            "agentId": self.values["/agentId"], "answerId": self.form["answerId"], **self.values["/blockedNamespaces"],
            "createdAt": self.form["createdAt"], "evidence": {**head, "commitments": hidden, "salts": salts},
            "signature": self.signature, "usedMemories": memories,
        }
        try: sealed_form(self.open)
        except Malformed:
            self.open = None
            return "opening-value-malformed"

    # What is known of the receipt. Of a sealed one: what the opening shows.
    whole = property(lambda self: self.receipt or self.open)
    created_at = property(lambda self: (self.whole or self.form)["createdAt"])
    blocked = property(lambda self: (self.whole or self.values.get("/blockedNamespaces") or {}).get("blockedNamespaces", []))
    def rests(self):
        """The used memories by their place, without snippets where the receipt is not whole; None for a sealed one."""
        if self.whole is not None: return self.whole["usedMemories"]
        rests = [self.values.get(f"/usedMemories/{i}/rest") for i in range(memory_count(self.form))]
        return [rest and {**rest, "snippet": ""} for rest in rests]
    def known(self): return [memory for memory in self.rests() if memory is not None]
    def unless_sealed(self, code):
        is_fail = code is not None and not code.endswith("?")
        return code if is_fail or self.whole is not None else "sealed?"
    def name_of(self, on_ledger):
        """The name behind what stands on the ledger; None if it is hidden."""
        is_hidden = self.gate["pseudonyms"] if self.gate else is_digest(on_ledger)
        return self.names.get(on_ledger) if is_hidden else on_ledger
    def check_statements(self): return self.unless_sealed(self.contradiction())
    def contradiction(self):
        blocked, memories = self.blocked, self.known()
        if any(memory["namespace"] in blocked for memory in memories): return "namespace-blocked"
        if any(memory["authorized"] is not True for memory in memories): return "not-authorized"
        if len(set(blocked)) < len(blocked): return "blocked-twice"
        if self.form is not None and not is_ascending(blocked): return "blocked-unordered"
        ids, said = set(), {}
        for memory in memories:
            if "memoryId" in memory and not isinstance(memory["memoryId"], (list, dict)):
                memory_id = jcs_text(memory["memoryId"])
                if memory_id in ids: return "memory-twice"
                ids.add(memory_id)
            says = jcs_text([memory["namespace"], memory["snippet"], memory.get("contentDigest")])
            if said.setdefault(memory["storeRef"], says) != says: return "memory-contradicted"
    def check_agent(self):
        agent = self.whole["agentId"] if self.whole else self.values.get("/agentId")
        if agent is None: return "sealed?"
        on_ledger = self.name_of(self.chain["agent"])
        if on_ledger is None: return "agent-pseudonym?"
        return None if on_ledger == agent else "agent-differs"
    def check_policy(self):
        form, chain, holder = self.form, self.chain, self.bundle.get("policyHolder")
        if form is None: return "policy-unstated?"
        if chain["policy_version"] != form.get("ledgerVersion", form["policyVersion"]): return "policy-differs"
        superseded = chain["superseded_at_ms"]
        if superseded is not None and ms_of(form["createdAt"]) > superseded + SUPERSEDED_MS: return "policy-superseded"
        if "ledgerVersion" in form and holder != "another":
            return "policy-own?" if holder == "signer" else "policy-holder-unknown?"
    def check_claims(self):
        chain = self.chain
        if not is_ascending(chain["claimed"]): return "claims-unordered"
        if not chain["all_authorized"]: return "claims-refused"
        if not self.has_receipt: return "needs-receipt?"
        names = [self.name_of(name) for name in chain["claimed"]]
        if None in names: return "claims-pseudonyms?" if self.whole else "sealed?"
        return self.unless_sealed(self.judge_claims(names))
    def judge_claims(self, names):
        if any(memory["namespace"] not in names for memory in self.known()): return "used-not-claimed"
        holder = self.bundle.get("policyHolder")
        if self.form is not None and any(name in names for name in self.blocked):
            is_anothers = "ledgerVersion" in self.form and holder != "signer"
            if not is_anothers: return "claimed-blocked"
            if holder != "another": return "policy-holder-unknown?"
        return None if names else "nothing-claimed?"
    def check_time(self):
        chain = self.chain
        if chain["closed_at_ms"] > chain["anchored_at_ms"]: return "closed-after-anchor"
        answered, has_offset = read_time(self.created_at)
        if not has_offset: return "time-unclear?"
        if answered > chain["anchored_at_ms"] + CLOCKS_MS: return "answered-after-anchor"
        key = self.key()
        since = min(key["added"] if key else 0, chain["closed_at_ms"] or 2**64)
        return "answered-before-ledger?" if answered < since - YEAR_MS else None
    def key(self):
        keys = self.gate["keys"] if self.gate and self.signature and self.form else []
        return next((key for key in keys if key["id"] == self.signature["keyId"]), None)
    def check_stored(self):
        if self.whole is None: return "sealed?"
        if any(memory["verified"] is not True for memory in self.known()): return "not-verified?"
        return "not-intact?" if any(one.get("intact", True) is not True for one in self.known()) else None
    def check_signature(self):
        if self.form is None: return "signature-malformed" if "signature" in self.receipt else "signature-absent?"
        by_log = self.chain is None and self.check_log() is None and self.log_keys[0]
        if self.gate is None and not by_log: return "keys-unknown?"
        key = by_log or self.key()
        if key is None: return "key-not-on-gate"
        if not is_signed_by(self.signature["value"], b"portcullis/receipt/v2\0" + jcs(self.form), key["public_key"]):
            return "signature-wrong"
        if by_log: return None
        anchored = self.chain["anchored_at_ms"]
        if key["ended"] < anchored: return "key-ended"
        return "key-later?" if key["added"] > anchored else None

    # The memories.
    def check_memory(self):
        shown = self.rests()
        if self.whole is None:
            snippets = [self.values.get(f"/usedMemories/{i}/snippet") for i in range(len(shown))]
            shown = [rest and text is not None and {**rest, "snippet": text} for rest, text in zip(shown, snippets)]
        refs = [one["storeRef"] for one in shown if one and not self.text_of(one)]
        asked = set(list(dict.fromkeys(refs))[:MOST_BLOBS])
        blobs, outcomes = {}, []
        for memory in shown:
            ref = memory["storeRef"] if memory else None
            if memory and ref not in blobs:
                blobs[ref] = self.text_of(memory) or (self.blob_of(ref) if ref in asked else ABSENT)
            outcomes.append(self.judge_memory(memory, blobs[ref]) if memory else "sealed?")
        return list(enumerate(outcomes)) or None
    def text_of(self, memory): return self.texts.get(memory["contentDigest"]) if is_string(memory.get("contentDigest")) else None
    def judge_memory(self, memory, blob):
        if blob is ABSENT: return "memory-unreachable?"
        if blob is None: return self.judge_tombstone(memory)
        digest = blake2b256(blob)
        has_derived_ids = self.chain and self.chain["blob_id"] == base64url(blake2b256(self.blob))
        if has_derived_ids and len(blob) <= LARGEST_MEMORY and base64url(digest) != memory["storeRef"]: return "memory-other-id"
        try:
            fact = read_jcs(blob, LARGEST_MEMORY)
            if is_encrypted(fact) and self.sealed is not None:
                return None if digest.hex() == memory["contentDigest"] else "memory-digest-differs"
            refuse(not is_memory(fact))
        except Malformed: return "memory-malformed"
        if (fact["namespace"], snippet_of(fact["content"])) != (memory["namespace"], memory["snippet"]): return "memory-differs"
        if self.form is None: return None
        if digest.hex() != memory["contentDigest"]: return "memory-digest-differs"
        length = utf16_length(fact["content"])
        if memory["given"] > length: return "memory-given-too-much"
        return "memory-given-in-part" if self.form["kind"] == "recalled" and memory["given"] < length else None
    def judge_tombstone(self, memory):
        memory_id = memory.get("memoryId")
        is_asked = is_string(memory_id) and re.fullmatch(r"[A-Za-z0-9_-]{1,64}", memory_id)
        tombstone = self.bundle["tombstones"].get(memory_id, ABSENT) if is_asked else ABSENT
        if tombstone is ABSENT: return "memory-missing?"
        if not is_tombstone(tombstone): return "tombstone-malformed?"
        if (tombstone["memoryId"], tombstone["namespace"]) != (memory_id, memory["namespace"]): return "memory-missing?"
        signature, said = tombstone["signature"], {name: one for name, one in tombstone.items() if name != "signature"}
        logged = {name: said[name] for name in said if said["cause"] != "reset" or name not in ("memoryId", "namespace")}
        message, logged = (b"portcullis/tombstone/v1\0" + jcs(one) for one in (said, logged))
        has_log = self.check_log() is None
        keys = (self.gate["keys"] if self.gate else []) + (self.log_keys if has_log else [])
        named = [key for key in keys if key["id"] == signature["keyId"]]
        if not named or not is_signed_by(signature["value"], message, named[0]["public_key"]): return "tombstone-not-signed?"
        ended, entered = min(key["ended"] for key in named), self.entered.get(blake2b256(logged).hex()) if has_log else None
        if entered is None and ended != FOREVER: return "tombstone-key-ended?"
        if entered is not None and entered > ended + CLOCKS_MS: return "tombstone-after-key"
        forgotten = ms_of(tombstone["forgottenAt"])
        if forgotten + CLOCKS_MS < ms_of(self.created_at): return "memory-forgotten-before"
        return "tombstone-later?" if forgotten > self.now + CLOCKS_MS else "memory-forgotten?"
    def check_log(self):
        log, policy = self.bundle.get("log", ABSENT), self.policy
        if log is ABSENT and policy is None: return NOT_MADE
        if self.form is None or log is ABSENT: return "needs-receipt?" if self.form is None else "log-absent?"
        try:
            refuse(not is_log_head(log) and not is_log_proof(log))
            own, checkpoint = read_vkey(log["vkey"]), read_checkpoint(log["checkpoint"])
        except Malformed: return "log-malformed"
        if not is_signed_by_log(checkpoint, own): return "log-checkpoint-wrong"
        if 0 in self.cosigned(checkpoint): return "log-cosignature-wrong"
        seen = [one for one in (self.seen,) if one and is_signed_by_log(one, own)]
        if any(one["size"] == checkpoint["size"] and one["root"] != checkpoint["root"] for one in seen): return "log-forked"
        code = self.judge_entries(log, checkpoint) if "entry" in log else None
        if code is None and self.form.get("log", {}).get("origin", own[0]) != own[0]: code = "log-other-origin?"
        is_ours = policy is not None and own in policy["logs"]
        if code is None: code = self.judge_times(log, checkpoint, [checkpoint, *seen] if is_ours else [])
        if code is None and "anchored" in log: code = self.judge_anchored(log, checkpoint, **log["anchored"])
        if code is not None: return code
        if policy is not None and not is_ours or not seen and self.seen and self.seen["origin"] == own[0]: return "log-untrusted?"
        return "log-not-witnessed?" if policy is not None and not is_met(policy, policy["quorum"], checkpoint) else None
    def cosigned(self, checkpoint):
        times = [cosigned_at(checkpoint, one) for one in self.policy["witnesses"]] if self.policy else []
        return [one for one in times if one is not None]
    def judge_entries(self, log, checkpoint):
        entry, opened, key, dated = log["entry"], log["opened"], log["key"], log.get("dated", [])
        try:
            issued = read_body(entry, is_issued)
            refuse(issued["receipt"] != blake2b256(b"portcullis/receipt/v2\0" + jcs(self.form)).hex())
            refuse(issued["signature"] != sha256(base64.urlsafe_b64decode(self.signature["value"] + "==")).hex())
        except Malformed: return "log-entry-differs"
        try:
            begun = read_body(opened, is_opened)
            refuse(begun["number"] >= issued["number"] or begun["at"] > issued["at"] or opened["index"] >= entry["index"])
            refuse((begun["slot"], begun["policyVersion"]) != (issued["slot"], self.form["policyVersion"]))
        except Malformed: return "log-opened-differs"
        try:
            made = read_body(key, is_begun_key)
            refuse(key_id_of(bytes.fromhex(made["publicKey"])) != self.signature["keyId"])
        except Malformed: return "log-key-differs"
        if key["index"] >= entry["index"]: return "log-key-later"
        try: self.read_dates([made, *(read_body(one, is_dated) for one in dated)])
        except Malformed: return "log-dated-differs"
        if ms_of(issued["at"]) > self.log_keys[0]["ended"] + CLOCKS_MS: return "log-key-ended"
        return None if all(is_included(one, checkpoint) for one in (entry, opened, key, *dated)) else "log-not-included"
    def read_dates(self, bodies):
        """What the log says of keys and of tombstones. The first entry that says something counts."""
        ends, begun, self.entered = {}, {}, {}
        for body in bodies:
            name = body.get("tombstone") or body["publicKey"]
            into = {"begun": begun, "ended": ends}.get(body.get("state"), self.entered)
            into.setdefault(name, ms_of(body["at"]))
        keys = [(bytes.fromhex(name), ends.get(name, FOREVER)) for name in begun]
        self.log_keys = [{"id": key_id_of(key), "public_key": key, "ended": end} for key, end in keys]
    def judge_times(self, log, checkpoint, trusted):
        latest = ms_of(self.form["log"]["by"]) + CLOCKS_MS if "log" in self.form else FOREVER
        for one in trusted:
            is_lacking = "entry" not in log or log["entry"]["index"] >= one["size"]
            times = [when for when in self.cosigned(one) if when]
            if is_lacking and times and min(times) > latest and is_met(self.policy, self.policy["quorum"], one):
                return "log-promise-broken"
        if "entry" not in log: return "log-entry-absent?"
        (begun, at), times = (ms_of(read_json(log[name]["body"])["at"]) for name in ("opened", "entry")), self.cosigned(checkpoint)
        if at > latest or begun > ms_of(self.form["createdAt"]) + CLOCKS_MS: return "log-late"
        return "log-checkpoint-early" if times and max(times) + CLOCKS_MS < at else None
    def judge_anchored(self, log, checkpoint, objectId, hashes):
        found = self.object(objectId)
        if found is ABSENT or (found and (found["bcs"] is False or "digest" not in found)): return "log-anchor-absent?"
        try:
            refuse(found is None or not is_of_type(found["type"], self.package, "Checkpoint") or found["owner"] != "immutable")
            refuse(not is_envelope_of(found, found["bcs"]) or object_digest(found["bcs"]) != found["digest"])
            tree = read_anchored_tree(found["content"])
            refuse((tree["id"], tree["origin"]) != (objectId, checkpoint["origin"]))
        except Malformed: return "log-anchor-wrong"
        is_other = tree["size"] == checkpoint["size"] and tree["root"] != checkpoint["root"]
        return "log-anchor-differs" if is_other or not is_included({**log["entry"], "hashes": hashes}, tree) else None
    def check_trust(self):
        package, gate, keys = (self.trusted.get(name) for name in ("packageId", "gateId", "keyIds"))
        if package is None and gate is None and keys is None: return NOT_MADE
        if package is not None and not is_same_address(package, self.package): return "trusted-package-differs"
        if self.chain is None and (gate is not None or "receiptId" in self.bundle): return "needs-object?"
        if gate is not None and not is_same_address(gate, self.chain["gate"]): return "trusted-gate-differs"
        is_strange = keys is not None and self.form is not None and self.signature["keyId"] not in keys
        return "trusted-key-differs?" if is_strange else None
def is_ascending(names):
    encoded = [name.encode() for name in names]
    return all(left < right for left, right in zip(encoded, encoded[1:]))

is_opening_shape = exactly({"v": one_of(2)}, {
    "seed": is_digest, "salts": by_key(is_digest), "values": by_key(lambda _: True),
    "blobs": list_of(is_string, 256), "names": list_of(exactly({"name": is_name, "salt": is_digest}), 128),
})
def is_opening(document):
    if not is_opening_shape(document) or ("seed" in document and "salts" in document): return False
    if "seed" not in document and document.get("salts", {}).keys() != document.get("values", {}).keys(): return False
    blobs, names = document.get("blobs", []), [one["name"] for one in document.get("names", [])]
    return len(set(blobs)) == len(blobs) and len(set(names)) == len(names)
def verify(bundle, now_ms=None, trusted=None, policy=None, seen=None):
    """The verdict and the checks of a bundle, which is JSON as `read_json` gives it; `malformed` for what is none."""
    now_ms = int(time.time() * 1000) if now_ms is None else now_ms
    try: return Verification(bundle, now_ms, trusted, policy, seen).result()
    except Malformed: return {"verdict": "malformed", "checks": []}
def verify_lines():
    """For test suites: a line `{"bundle", "nowMs", …}` in, a line with verdict and checks out."""
    for line in sys.stdin.buffer:
        try: case = read_json(line.decode("utf-8"))
        except Malformed: case = {"bundle": None}
        policy, seen = ("witnesses" in case and read_policy(case["witnesses"])) or None, case.get("checkpoint")
        options = case.get("trusted"), policy, seen and read_checkpoint(seen)
        print(json.dumps(verify(case["bundle"], case.get("nowMs"), *options)), flush=True)

EXIT_CODES = {"verified": 0, "unknown": 1, "malformed": 2, "failed": 6}
def main():
    parser = argparse.ArgumentParser(description="Verifies a Portcullis bundle offline.")
    parser.add_argument("bundle", nargs="?", help="the file that `portcullis proof` wrote")
    parser.add_argument("--trust-package", help="the package that you trust, 0x…")
    parser.add_argument("--trust-gate", help="the gate that you trust, 0x…")
    parser.add_argument("--trust-key", action="append", help="the id of a signing key that you trust; may be repeated")
    parser.add_argument("--witnesses", help="a file with the logs and witnesses that you trust (C2SP tlog-policy)")
    parser.add_argument("--checkpoint", help="a file with a checkpoint of the log that you got elsewhere")
    parser.add_argument("--lines", action="store_true", help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.lines: return verify_lines()
    if options.bundle is None: parser.error("name a bundle")
    def read(path, reader):
        try: return path and reader(open(path, encoding="utf-8").read())
        except (OSError, Malformed, UnicodeDecodeError): parser.error(f"{path} is not there, or not what it should be")
    policy, seen = read(options.witnesses, read_policy), read(options.checkpoint, read_checkpoint)
    try: data = open(options.bundle, "rb").read(LARGEST_BUNDLE + 1)
    except OSError as error: parser.error(f"{options.bundle}: {error.strerror}")
    try:
        bundle = read_json(data.decode("utf-8")) if len(data) <= LARGEST_BUNDLE else None
    except (Malformed, UnicodeDecodeError): bundle = None
    trusted = {"packageId": options.trust_package, "gateId": options.trust_gate, "keyIds": options.trust_key}
    result = verify(bundle, None, trusted, policy, seen)
    for check in result["checks"]:
        index = f" {check['index']}" if "index" in check else ""
        print(f"{check['status']}\t{check['name']}{index}\t{check.get('code', '')}".rstrip())
    print(result["verdict"])
    if result["verdict"] == "verified" and options.trust_key is None:
        print("The file itself names the package and the keys. Say which you trust: --trust-package, --trust-key.")
    if policy is None and {"name": "log", "status": "pass"} in result["checks"]: print("Only this service vouches for the log.")
    return EXIT_CODES[result["verdict"]]

if __name__ == "__main__": sys.exit(main())
