"""Known answers for the provenance protocol, version 1, made without any of the project's own code.

Run `python3 make.py` to write v1.json beside this file, or `python3 make.py --stdout` to print it.
Needs Python 3.8 and its standard library only. The same input gives the same bytes on every machine.
"""
import hashlib
import json
import math
import pathlib
import random
import struct
import sys
import time
from decimal import Decimal

CHAIN_ID = 31337
CONTRACT = "0x" + "c0ffee" * 6 + "c0de"
FIRST_BLOCK_TIME = 1795222800  # 2026-11-21T01:00:00Z


# ---- RFC 8785 -------------------------------------------------------------------------------------------------

def number_text(value):
    """A number as ECMAScript writes it (Number::toString), which RFC 8785 section 3.2.2.3 asks for."""
    value = float(value)
    if not math.isfinite(value):
        raise ValueError("not a JSON number")
    if value == 0:
        return "0"
    sign, digits, exponent = Decimal(repr(abs(value))).normalize().as_tuple()
    text, point = "".join(map(str, digits)), len(digits) + exponent
    if len(text) <= point <= 21:
        out = text + "0" * (point - len(text))
    elif 0 < point <= 21:
        out = text[:point] + "." + text[point:]
    elif -6 < point <= 0:
        out = "0." + "0" * -point + text
    else:
        rest = "." + text[1:] if len(text) > 1 else ""
        out = "%s%se%s%d" % (text[0], rest, "+" if point > 0 else "-", abs(point - 1))
    return ("-" if value < 0 else "") + out


SHORT_ESCAPES = {8: "\\b", 9: "\\t", 10: "\\n", 12: "\\f", 13: "\\r", 34: '\\"', 92: "\\\\"}


def string_text(value):
    value.encode("utf-8")  # refuses lone surrogates
    return '"%s"' % "".join(SHORT_ESCAPES.get(ord(c), "\\u%04x" % ord(c) if ord(c) < 32 else c) for c in value)


def canonical(value):
    if value is None or value is True or value is False:
        return {None: "null", True: "true", False: "false"}[value]
    if isinstance(value, str):
        return string_text(value)
    if isinstance(value, (int, float)):
        return number_text(value)
    if isinstance(value, list):
        return "[" + ",".join(map(canonical, value)) + "]"
    names = sorted(value, key=lambda name: name.encode("utf-16-be"))
    return "{" + ",".join(string_text(name) + ":" + canonical(value[name]) for name in names) + "}"


def canonical_bytes(value):
    return canonical(value).encode("utf-8")


def sha256(data):
    return hashlib.sha256(data).digest()


# ---- Records and heads (protocol sections 1 to 3) -------------------------------------------------------------

def heads_of(box, hashes):
    heads = [sha256(("befaqt/1/box/" + box).encode("utf-8"))]
    for item in hashes:
        heads.append(sha256(heads[-1] + item))
    return heads


# ---- RFC 9162 section 2.1: recursive, as the standard words it ------------------------------------------------

def split(n):  # the largest power of two smaller than n
    k = 1
    while k * 2 < n:
        k *= 2
    return k


def tree_hash(leaves):
    if len(leaves) < 2:
        return sha256(b"\x00" + leaves[0] if leaves else b"")
    k = split(len(leaves))
    return sha256(b"\x01" + tree_hash(leaves[:k]) + tree_hash(leaves[k:]))


def tree_path(index, leaves):
    if len(leaves) == 1:
        return []
    k = split(len(leaves))
    if index < k:
        return tree_path(index, leaves[:k]) + [tree_hash(leaves[k:])]
    return tree_path(index - k, leaves[k:]) + [tree_hash(leaves[:k])]


# ---- A little world of boxes and anchors (protocol sections 4 and 5) ------------------------------------------

def salt_for(box, seq):
    return sha256(("salt %s %d" % (box, seq)).encode("utf-8")).hex()[:32]


def make_record(box, seq, kind, data, restricted=None):
    record = {
        "v": 1,
        "box": box,
        "seq": seq,
        "kind": kind,
        "at": "2026-11-21 0%d:%02d:00" % (seq % 10, seq) if seq % 2 else "2026-11-21T0%d:%02d:00+10:30" % (seq % 10, seq),
        "by": "device-%d" % (seq % 3),
        "data": data,
        "salt": salt_for(box, seq),
    }
    if restricted is not None:
        record["restricted"] = restricted
    return record


def make_history(box, length, sealed):
    kinds = ["registration", "catch", "tracking", "sensor-result", "image-result", "enose-result", "freshness", "correction"]
    records = []
    for seq in range(1, length + 1):
        last = sealed and seq == length
        data = {} if last else {"temperature": 1.5 + seq / 8, "note": "caf\u00e9 \U0001f41f \u2028", "list": [seq, None, True, {"z": 1e21, "a": 1e-7}]}
        records.append(make_record(box, seq, "seal" if last else kinds[(seq - 1) % 8], data))
    return records


class World:
    """Boxes, and anchors over them, as an honest server and an honest chain would hold them."""

    def __init__(self):
        self.records, self.anchors, self.done = {}, [], {}

    def anchor(self, counts):
        """Anchors the first counts[box] records of each box; boxes whose seal is anchored are left out after."""
        states = []
        for box in sorted(counts, key=lambda name: name.encode("utf-8")):
            if self.done.get(box):
                continue
            shown = self.records[box][: counts[box]]
            sealed = shown[-1]["kind"] == "seal"
            head = heads_of(box, (sha256(canonical_bytes(record)) for record in shown))[-1].hex()
            states.append({"box": box, "count": len(shown), "head": head, "sealed": sealed})
            self.done[box] = sealed
        leaves = [canonical_bytes(state) for state in states]
        index = len(self.anchors)
        before = {state["box"]: state["count"] for anchor in self.anchors for state in anchor["states"]}
        self.anchors.append({
            "states": states,
            "leaves": leaves,
            "index": index,
            "root": tree_hash(leaves).hex(),
            "time": time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime(FIRST_BLOCK_TIME + 61 * index)),
            "records": sum(state["count"] - before.get(state["box"], 0) for state in states),
            "txHash": "0x" + sha256(b"transaction %d" % index).hex(),
            "blockNumber": 10 + 3 * index,
        })

    def ledger_file(self, count=None):
        count = len(self.anchors) if count is None else count
        kept = [
            {"index": a["index"], "root": a["root"], "time": a["time"], "boxes": len(a["states"]),
             "records": a["records"], "txHash": a["txHash"], "blockNumber": a["blockNumber"]}
            for a in self.anchors[:count]
        ]
        return {"format": "befaqt-anchors/1", "chainId": CHAIN_ID, "contract": CONTRACT, "count": count, "anchors": kept}

    def bundle(self, box, upto=None):
        """The proof of a box as it was after `upto` anchors."""
        holding = []
        for anchor in self.anchors[:upto]:
            for place, state in enumerate(anchor["states"]):
                if state["box"] == box:
                    holding.append((anchor, place, state))
        grown = [h for i, h in enumerate(holding) if i == 0 or h[2]["count"] > holding[i - 1][2]["count"]]
        if holding and holding[-1] is not grown[-1]:
            grown.append(holding[-1])
        anchors = [
            {"index": a["index"], "root": a["root"], "txHash": a["txHash"], "blockNumber": a["blockNumber"],
             "time": a["time"], "leaf": state, "leafIndex": place, "treeSize": len(a["leaves"]),
             "path": [node.hex() for node in tree_path(place, a["leaves"])]}
            for a, place, state in grown
        ]
        ledger = {"chainId": CHAIN_ID, "contract": CONTRACT, "rpc": "http://localhost:3000/api/chain/rpc"}
        return {"v": 1, "box": box, "records": self.records[box], "ledger": ledger, "anchors": anchors}


def make_world():
    world = World()
    sizes = {"0345579444": (9, False), "A-1": (4, True), "\ufffd box": (5, False), "\U0001f41f box": (3, False), "B": (1, False)}
    for box, (length, sealed) in sizes.items():
        world.records[box] = make_history(box, length, sealed)
    for counts in [
        {"0345579444": 2, "A-1": 1},
        {"0345579444": 2, "A-1": 4, "\ufffd box": 2},
        {"0345579444": 5, "\ufffd box": 5, "\U0001f41f box": 1},
        {"0345579444": 9, "\ufffd box": 5, "\U0001f41f box": 2, "B": 1},
        {"0345579444": 9, "\ufffd box": 5, "\U0001f41f box": 2, "B": 1},
    ]:
        world.anchor(counts)
    return world


# ---- What goes into the file ----------------------------------------------------------------------------------

def canonical_answers():
    values = [
        None, True, False, 0, -1, 1.0, "", "\u0000\u001f\"\\/\b\t\n\f\r\u007f\u2028\U0001f41f", [], {}, [[], {}],
        {"b": 1, "a": 2, "\u20ac": 3, "\r": 4, "\ufb33": 5, "1": 6, "\U0001f600": 7, "\u0080": 8, "\u00f6": 9},
        {"numbers": [333333333.33333329, 1e30, 4.50, 2e-3, 0.000000000000000000000000001], "literals": [None, True, False]},
    ]
    return [{"value": value, "canonical": canonical(value)} for value in values]


def number_answers():
    chance = random.Random(8785)
    bits = ["0000000000000001", "7fefffffffffffff", "0010000000000000", "444b1ae4d6e2ef50", "3eb0c6f7a0b5ed8d", "44b52d02c7e14af6"]
    bits += ["%016x" % chance.getrandbits(64) for _ in range(400)]
    bits += [struct.pack(">d", round(chance.uniform(-1e6, 1e6), chance.randrange(7))).hex() for _ in range(200)]
    finite = [b for b in bits if math.isfinite(struct.unpack(">d", bytes.fromhex(b))[0])]
    return [{"bits": b, "text": number_text(struct.unpack(">d", bytes.fromhex(b))[0])} for b in finite]


def record_answers():
    part = {"data": {"fisherAddress": "1 Sample Street", "latitude": -33.5}, "salt": salt_for("part", 1)}
    part_hash = sha256(canonical_bytes(part)).hex()
    records = make_history("0345579444", 3, True) + [make_record("A-1", 1, "catch", {"species": "sample"}, part_hash)]
    answers = [{"record": r, "canonical": canonical(r), "hash": sha256(canonical_bytes(r)).hex()} for r in records]
    return {"records": answers, "restricted": [{"part": part, "hash": part_hash}]}


def head_answers():
    answers = []
    for box in ["0345579444", "\U0001f41f"]:
        hashes = [sha256(b"record %d" % n) for n in range(1, 6)]
        answers.append({"box": box, "recordHashes": [h.hex() for h in hashes], "heads": [h.hex() for h in heads_of(box, hashes)]})
    return answers


def tree_answers():
    answers = []
    for size in list(range(0, 18)) + [31, 33]:
        texts = ["leaf %d" % n for n in range(size)]
        leaves = [text.encode("utf-8") for text in texts]
        paths = [[node.hex() for node in tree_path(n, leaves)] for n in range(size)]
        answers.append({"leaves": texts, "root": tree_hash(leaves).hex(), "paths": paths})
    return answers


def case(name, bundle, ledger, verdict, records, up_to):
    return {"name": name, "bundle": bundle, "ledger": ledger, "verdict": verdict, "upTo": up_to, "records": records}


def bundle_cases():
    world = make_world()
    ledger = world.ledger_file()
    whole = world.bundle("0345579444")
    records = whole["records"]
    withheld = {"seq": 4, "recordHash": sha256(canonical_bytes(records[3])).hex(), "withheld": True}
    warmer = dict(records[2], data=dict(records[2]["data"], temperature=0))
    return [
        case("every record anchored, nothing newer", whole, ledger, "verified", ["anchored"] * 9, 9),
        case("sealed box, not in later anchors", world.bundle("A-1"), ledger, "verified", ["anchored"] * 4, 4),
        case("boxID beyond ASCII, before one that UTF-16 would put first", world.bundle("\ufffd box"), ledger, "verified", ["anchored"] * 5, 5),
        case("newest record still pending", world.bundle("\U0001f41f box"), ledger, "verified-up-to", ["anchored"] * 2 + ["pending"], 2),
        case("no anchor yet", dict(world.bundle("B"), anchors=[]), ledger, "verified-up-to", ["pending"], 0),
        case("a withheld record", dict(whole, records=records[:3] + [withheld] + records[4:]), ledger, "verified", ["anchored"] * 3 + ["withheld"] + ["anchored"] * 5, 9),
        case("one value changed", dict(whole, records=records[:2] + [warmer] + records[3:]), ledger, "broken", ["anchored"] * 2 + ["broken"] * 3 + ["anchored"] * 4, 2),
        case("two records swapped", dict(whole, records=records[:6] + [records[7], records[6], records[8]]), ledger, "broken", ["anchored"] * 7 + ["broken", "anchored"], 6),
        case("a record left out", dict(whole, records=records[:3] + records[4:]), ledger, "broken", ["anchored"] * 2 + ["unchecked"] * 2 + ["anchored"] * 4, 2),
        case("the newest record left out", dict(whole, records=records[:8]), ledger, "incomplete", ["anchored"] * 5 + ["unchecked"] * 3, 5),
        case("an older proof", dict(world.bundle("0345579444", 3), records=records[:5]), ledger, "incomplete", ["anchored"] * 5, 5),
        case("a root that the ledger does not hold", dict(whole, anchors=whole["anchors"][:-1] + [dict(whole["anchors"][-1], root="00" * 32)]), ledger, "broken", ["anchored"] * 9, 9),
        case("a ledger exported too early to tell", whole, world.ledger_file(3), "unreachable", ["unchecked"] * 9, 0),
    ]


def make_all():
    answers = {"version": 1, "canonical": canonical_answers(), "numbers": number_answers()}
    answers.update(record_answers())
    answers.update({"heads": head_answers(), "trees": tree_answers(), "bundles": bundle_cases()})
    return json.dumps(answers, indent=1, ensure_ascii=True, sort_keys=True) + "\n"


if __name__ == "__main__":
    if "--stdout" in sys.argv[1:]:
        sys.stdout.write(make_all())
    else:
        (pathlib.Path(__file__).parent / "v1.json").write_text(make_all(), encoding="ascii")
