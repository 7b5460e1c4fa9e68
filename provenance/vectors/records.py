"""Known answers for canonical JSON, records and heads, made without any of the project's own code.

Run `python3 records.py` to write records.json beside this file, or `python3 records.py --stdout` to print it.
Needs Python 3.8 and its standard library only. The same input gives the same bytes on every machine.
"""
import hashlib
import json
import math
import pathlib
import random
import struct
import sys
from decimal import Decimal


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


def make_all():
    answers = {"canonical": canonical_answers(), "numbers": number_answers()}
    answers.update(record_answers())
    answers["heads"] = head_answers()
    return json.dumps(answers, indent=1, ensure_ascii=True, sort_keys=True) + "\n"


if __name__ == "__main__":
    if "--stdout" in sys.argv[1:]:
        sys.stdout.write(make_all())
    else:
        (pathlib.Path(__file__).parent / "records.json").write_text(make_all(), encoding="ascii")
