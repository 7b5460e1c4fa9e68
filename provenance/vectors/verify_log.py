"""The log of anchors in a bundle, checked without any of the project's own code: signed notes, cosignatures, inclusion
proofs and policies, from the texts of C2SP and RFC 9162, Ed25519 from RFC 8032. Standard library only, so of ML-DSA-44 it
says nothing. `verify.py` uses it.
"""
import base64
import hashlib
import re

MAX_SIZE = 2 ** 48


class Refused(Exception):
    """Something is not written as it has to be."""


def need(holds, what):
    if not holds:
        raise Refused(what)


def sha256(data):
    return hashlib.sha256(data).digest()


def utf16_length(text):
    return len(text.encode("utf-16-le")) // 2


def strict_base64(text, length=None):
    need(re.fullmatch(r"[A-Za-z0-9+/]*={0,2}", text) and len(text) % 4 == 0, "base64")
    try:
        data = base64.b64decode(text, validate=True)
    except ValueError:
        raise Refused("base64")
    need(base64.b64encode(data).decode() == text, "spare bits")
    need(length is None or len(data) == length, "length")
    return data


# ---- Ed25519, RFC 8032 section 5.1, in extended coordinates ----------------------------------------------------------

P = 2 ** 255 - 19
ORDER = 2 ** 252 + 27742317777372353535851937790883648493
D = -121665 * pow(121666, P - 2, P) % P
ROOT_OF_MINUS_ONE = pow(2, (P - 1) // 4, P)


def point_of(encoded):
    number = int.from_bytes(encoded, "little")
    y, sign = number & (2 ** 255 - 1), number >> 255
    if y >= P:
        return None
    square = (y * y - 1) * pow(D * y * y + 1, P - 2, P) % P
    x = pow(square, (P + 3) // 8, P)
    if (x * x - square) % P:
        x = x * ROOT_OF_MINUS_ONE % P
    if (x * x - square) % P or (x == 0 and sign):
        return None
    if x & 1 != sign:
        x = P - x
    return (x, y, 1, x * y % P)


def plus(a, b):
    s, t = (a[1] - a[0]) * (b[1] - b[0]) % P, (a[1] + a[0]) * (b[1] + b[0]) % P
    c, d = 2 * a[3] * b[3] * D % P, 2 * a[2] * b[2] % P
    e, f, g, h = t - s, d - c, d + c, t + s
    return (e * f % P, g * h % P, f * g % P, e * h % P)


BASE = point_of((4 * pow(5, P - 2, P) % P).to_bytes(32, "little"))


def sum_of(scalar, point, other_scalar, other):
    total, both = (0, 1, 1, 0), plus(point, other)
    for place in reversed(range(256)):
        total = plus(total, total)
        pair = (scalar >> place & 1, other_scalar >> place & 1)
        if pair != (0, 0):
            total = plus(total, {(1, 0): point, (0, 1): other, (1, 1): both}[pair])
    return total


KNOWN = {}


def ed25519_signed(public, message, signature):
    question = (public, message, signature)
    if question not in KNOWN:
        KNOWN[question] = is_signed(*question)
    return KNOWN[question]


def is_small(point):
    """Is it of an order of 8 at most? Of such a key anybody makes signatures; OpenSSL takes none, nor one that begins with such a point."""
    for _ in range(3):
        point = plus(point, point)
    return point[0] % P == 0 and (point[1] - point[2]) % P == 0


def is_signed(public, message, signature):
    point = point_of(public) if len(public) == 32 and len(signature) == 64 else None
    scalar = int.from_bytes(signature[32:], "little")
    if point is None or scalar >= ORDER or is_small(point):
        return False
    challenge = int.from_bytes(hashlib.sha512(signature[:32] + public + message).digest(), "little") % ORDER
    negative = (P - point[0], point[1], 1, P - point[3])
    found = sum_of(scalar, BASE, challenge, negative)
    if is_small(found):
        return False
    x, y, z, _ = found
    inverse = pow(z, P - 2, P)
    x, y = x * inverse % P, y * inverse % P
    return (y | (x & 1) << 255).to_bytes(32, "little") == signature[:32]


# ---- The tree, RFC 9162 section 2.1 -----------------------------------------------------------------------------------

def root_through(leaf, index, size, path):
    """The root that a path from this leaf makes; None: it is not as long as it has to be."""
    if size == 1:
        return leaf if not path else None
    if not path:
        return None
    left = 1
    while left * 2 < size:
        left *= 2
    inside = root_through(leaf, index, left, path[:-1]) if index < left else root_through(leaf, index - left, size - left, path[:-1])
    if inside is None:
        return None
    pair = inside + path[-1] if index < left else path[-1] + inside
    return sha256(b"\x01" + pair)


# ---- Notes and checkpoints --------------------------------------------------------------------------------------------

def check_name(name):
    need(name != "" and not re.search(r"[\s+]", name) and len(name.encode()) <= 255, "name")
    return name


def parse_note(note):
    need(isinstance(note, str) and 1 <= utf16_length(note) <= 131072, "note")
    need(not re.search("[\x00-\x09\x0b-\x1f]", note) and "\n\n" in note, "note")
    end = note.rindex("\n\n")
    lines = note[end + 2:].split("\n")
    need(lines.pop() == "" and 1 <= len(lines) <= 64, "signatures")
    signatures = []
    for line in lines:
        found = re.fullmatch("\u2014 ([^ \n]+) ([A-Za-z0-9+/=]+)", line)
        need(found, "signature")
        data = strict_base64(found[2])
        need(len(data) >= 5, "short")
        signatures.append((check_name(found[1]), data[:4], data[4:]))
    return note[:end + 1], signatures


def number_of(text):
    need(re.fullmatch(r"0|[1-9][0-9]{0,15}", text) and int(text) <= MAX_SIZE, "number")
    return int(text)


def parse_checkpoint(text):
    lines = text.split("\n")
    need(len(lines) == 4 and lines[3] == "" and 1 <= len(lines[0].encode()) <= 255, "checkpoint")
    size, root = number_of(lines[1]), strict_base64(lines[2], 32)
    need(size > 0 or root == sha256(b""), "root")
    return {"origin": lines[0], "size": size, "root": root}


def open_note(note, policy):
    """Times of good cosignatures by key. Refused where the log did not sign, or a signature of a known key is false."""
    text, signatures = parse_note(note)
    origin = parse_checkpoint(text)["origin"]
    by_log, times = False, {}
    for name, key_id, data in signatures:
        for key in policy["logs"]:
            if (key["name"], key["id"]) == (name, key_id) and name == origin:
                need(ed25519_signed(key["public"], text.encode(), data), "log")
                by_log = True
        for key in policy["witnesses"].values():
            if (key["name"], key["id"]) != (name, key_id) or key["type"] != 4:
                continue
            need(len(data) >= 8 and int.from_bytes(data[:8], "big") < 2 ** 53, "time")
            time = int.from_bytes(data[:8], "big")
            need(ed25519_signed(key["public"], b"cosignature/v1\ntime %d\n" % time + text.encode(), data[8:]), "witness")
            times[key["public"]] = max(time, times.get(key["public"], 0))
    need(by_log, "not by the log")
    return times


# ---- Policies, tlog-policy --------------------------------------------------------------------------------------------

def parse_key(text):
    found = re.fullmatch(r"([^+]+)\+([0-9a-f]{8})\+(.+)", text)
    need(found and len(text) <= 2048, "key")
    data = strict_base64(found[3])
    name, kind, public = check_name(found[1]), data[0] if data else 0, data[1:]
    need({1: 32, 4: 32, 6: 1312}.get(kind) == len(public), "kind of key")
    key_id = sha256(name.encode() + b"\n" + data)[:4]
    need(key_id.hex() == found[2], "key id")
    return {"name": name, "id": key_id, "type": kind, "public": public}


def parse_policy(data):
    need(len(data) <= 262144 and data.endswith(b"\n"), "policy")
    policy = {"logs": [], "witnesses": {}, "groups": {}, "urls": {}}
    members = set()
    lines = data[:-1].split(b"\n")
    need(len(lines) <= 1000, "lines")
    for line in lines:
        need(not re.search(rb"[^\t\x20-\x7e\x80-\xff]", line), "control")
        words = re.findall(rb"[^ \t]+", line)
        if words and not words[0].startswith(b"#"):
            read_line(policy, members, words[0], words[1:])
    need("quorum" in policy, "quorum")
    return policy


def read_line(policy, members, word, words):
    known = policy["witnesses"].keys() | policy["groups"].keys()
    if word == b"log" and len(words) in (1, 2):
        policy["logs"].append(party(words, [1], policy["logs"]))
    elif word == b"witness" and len(words) in (2, 3):
        key = party(words[1:], [4, 6], policy["witnesses"].values())
        need(words[0] != b"none" and words[0] not in known, "taken")
        policy["witnesses"][words[0]] = key
        policy["urls"][words[0]] = words[2].decode() if len(words) == 3 else None
    elif word == b"group" and len(words) >= 3:
        name, count, names = words[0], words[1], words[2:]
        wanted = {b"any": 1, b"all": len(names)}.get(count) or (int(count) if re.fullmatch(rb"[1-9]\d?", count) else 0)
        need(1 <= wanted <= len(names) and len(policy["groups"]) < 64, "group")
        for member in names:
            need(member in known and member not in members, "member")
            members.add(member)
        need(name != b"none" and name not in known, "taken")
        policy["groups"][name] = (wanted, names)
    elif word == b"quorum" and len(words) == 1 and "quorum" not in policy:
        need(words[0] == b"none" or words[0] in known, "quorum")
        policy["quorum"] = None if words[0] == b"none" else words[0]
    else:
        raise Refused("line")


def party(words, kinds, others):
    try:
        key = parse_key(words[0].decode())
        [word.decode() for word in words]
    except UnicodeDecodeError:
        raise Refused("UTF-8")
    need(key["type"] in kinds and all(other["public"] != key["public"] for other in others) and len(others) < 64, "party")
    return key


def host_of(address):
    return re.sub(r"^[a-z][a-z0-9+.-]*://", "", address, flags=re.I).split("/")[0].split(":")[0].lower().rstrip(".")


def same_host(a, b):
    def registered(host):
        labels = host.split(".")
        size = 3 if len(labels[-1]) == 2 and len(labels[-2:][0]) <= 3 else 2
        return labels[-size:] if len(labels) > 1 else None
    return a == b or (registered(a) is not None and registered(a) == registered(b))


def witnessed(policy, origin, times):
    """Is the quorum reached (None: there is none), and how many of its members have signed?"""
    own = host_of(origin)
    signed = set()
    for name, key in policy["witnesses"].items():
        hosts = [host_of(key["name"])] + ([host_of(policy["urls"][name])] if policy["urls"][name] else [])
        others = not any(same_host(host, own) for host in hosts) and all(log["public"] != key["public"] for log in policy["logs"])
        if others and key["public"] in times:
            signed.add(name)

    def holds(name):
        if name not in policy["groups"]:
            return name in signed
        wanted, names = policy["groups"][name]
        return sum(map(holds, names)) >= wanted
    quorum = policy["quorum"]
    members = [] if quorum is None else policy["groups"].get(quorum, (1, [quorum]))[1]
    return (None if quorum is None else holds(quorum)), sum(map(holds, members)), len(members)
