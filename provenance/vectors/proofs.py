"""Known answers for the box map, proof bundles and proofs of absence, made without any of the project's own code.

Run `python3 proofs.py` to write proofs.json beside this file, or `python3 proofs.py --stdout` to print it.
Needs Python 3.8 and its standard library only. Canonical JSON, records and heads come from records.py.
`box-map.json` and `bundles.json` are older: another program made them, and this one does not touch them.
"""
import json
import pathlib
import sys

sys.dont_write_bytecode = True
sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))
from records import canonical, canonical_bytes, heads_of, make_record, sha256  # noqa: E402

CHAIN_ID = 31337
CONTRACT = "0x" + "c0ffee" * 6 + "c0de"
EMPTY = bytes(32)


# ---- Box map (protocol section 4): recursive, as the protocol words it ------------------------------------------

def key_of(box):
    return sha256(("befaqt/2/box/" + box).encode("utf-8"))


def bit(key, place):
    return key[place // 8] >> (7 - place % 8) & 1


def leaf_hash(leaf):
    return sha256(b"\x00" + canonical_bytes(leaf))


def value_of(leaves, depth=0):
    if not leaves:
        return EMPTY
    if len(leaves) == 1:
        return leaf_hash(leaves[0])
    halves = [[leaf for leaf in leaves if bit(key_of(leaf["box"]), depth) == side] for side in (0, 1)]
    return sha256(b"\x01" + value_of(halves[0], depth + 1) + value_of(halves[1], depth + 1))


def proof_of(box, leaves, depth=0):
    """What stands where the box's key leads, and the path up from there."""
    if len(leaves) < 2:
        found = leaves[0] if leaves else None
        there = found is not None and found["box"] == box
        return {"leaf": found if there else None, "other": None if there else found, "path": []}
    side = bit(key_of(box), depth)
    mine, beside = ([leaf for leaf in leaves if bit(key_of(leaf["box"]), depth) == s] for s in (side, 1 - side))
    proof = proof_of(box, mine, depth + 1)
    proof["path"].append(value_of(beside, depth + 1).hex())
    return proof


def leaf_of(box, records):
    head = heads_of(box, (sha256(canonical_bytes(record)) for record in records))[-1].hex()
    return {"box": box, "count": len(records), "head": head, "sealed": records[-1]["kind"] == "seal"}


# ---- A shop: boxes and anchors -------------------------------------------------------------------------------------

class Shop:
    def __init__(self):
        self.records, self.maps = {}, []

    def append(self, box, kind, at, count=1):
        history = self.records.setdefault(box, [])
        for _ in range(count):
            history.append(dict(make_record(box, len(history) + 1, kind, {"temperature": 1.5}), at=at))

    def anchor(self):
        self.maps.append([leaf_of(box, records) for box, records in self.records.items()])

    def facts(self, index):
        return {"index": index, "root": value_of(self.maps[index]).hex(), "txHash": "0x" + sha256(b"anchor %d" % index).hex(),
                "blockNumber": 100 + index, "time": "2026-11-21T0%d:00:00Z" % index}

    def ledger(self):
        anchors = [dict(self.facts(i), boxes=len(leaves), records=0) for i, leaves in enumerate(self.maps)]
        return {"format": "befaqt-anchors/1", "chainId": CHAIN_ID, "contract": CONTRACT, "count": len(anchors), "anchors": anchors}

    def address(self):
        return {"chainId": CHAIN_ID, "contract": CONTRACT, "rpc": "http://localhost:3000/api/chain/rpc"}

    def bundle(self, box):
        anchors, count = [], 0
        for index, leaves in enumerate(self.maps):
            proof = proof_of(box, leaves)
            newest = index == len(self.maps) - 1
            if proof["leaf"] is None or (proof["leaf"]["count"] == count and not newest):
                continue
            grown, beside = proof["leaf"]["count"] > count, anchors and anchors[-1]["index"] == index - 1
            before = None
            if grown and index > 0 and not beside:
                before = dict(proof_of(box, self.maps[index - 1]), root=value_of(self.maps[index - 1]).hex())
            anchors.append(dict(self.facts(index), leaf=proof["leaf"], path=proof["path"], before=before))
            count = proof["leaf"]["count"]
        return {"v": 2, "box": box, "records": self.records[box], "ledger": self.address(), "anchors": anchors}

    def absence(self, box, index):
        proof = proof_of(box, self.maps[index])
        return {"v": 2, "box": box, "ledger": self.address(), "anchor": self.facts(index), "other": proof["other"], "path": proof["path"]}


def make_shop():
    """Anchors at 00:00, 01:00 … of 21 November 2026, UTC; the market is 11 hours ahead."""
    shop = Shop()
    for box in ["0345579444", "A-1", "\ufffd box", "\U0001f41f box"]:
        shop.append(box, "registration", "2026-11-20T23:59:20Z")
    shop.anchor()
    shop.append("late", "registration", "2026-11-21 11:59:20", 2)  # market time: 00:59:20 UTC
    shop.append("A-1", "seal", "2026-11-21T00:30:00Z")
    shop.anchor()
    shop.append("0345579444", "tracking", "2026-11-19T02:00:00Z")
    shop.append("0345579444", "weighing", "2026-11-21T13:05:01+11:00")
    shop.anchor()
    shop.append("late", "tracking", "2026-11-21T13:00:00+10:30")
    shop.anchor()
    return shop


def withheld(record):
    return {"seq": record["seq"], "recordHash": sha256(canonical_bytes(record)).hex(), "withheld": True}


def case(name, document, verdict, lateness=None, hidden=0):
    return {"name": name, "document": document, "verdict": verdict, "lateness": lateness, "withheld": hidden}


def bundle_cases(shop):
    whole = shop.bundle("0345579444")
    late = shop.bundle("late")
    erased = dict(late, records=[withheld(late["records"][0])] + late["records"][1:])
    unproven = dict(late, anchors=[dict(late["anchors"][0], before=None)] + late["anchors"][1:])
    return [
        case("a kind that nobody knows, two days late, and one dated ahead of its block", whole, "verified", [40, 172800, -301]),
        case("market times, and one record withheld", erased, "verified", [None, 40, 1800], 1),
        case("sealed, and in every map since", shop.bundle("A-1"), "verified", [40, 1800]),
        case("boxID beyond ASCII", shop.bundle("\U0001f41f box"), "verified", [40]),
        case("without the absence before its first anchor", unproven, "broken"),
        case("never recorded", shop.absence("not there", 3), "absent"),
        case("never recorded, as an older anchor says", shop.absence("not there", 2), "incomplete"),
        case("an absence under the root of another anchor", dict(shop.absence("late", 0), anchor=shop.facts(3)), "broken"),
    ]


def make_all():
    shop = make_shop()
    boxes = ["0345579444", "A-1", "\ufffd box", "\U0001f41f box"]
    leaves = shop.maps[0]
    sizes = [{"leaves": leaves[:n], "root": value_of(leaves[:n]).hex(),
              "proofs": [dict(proof_of(box, leaves[:n]), box=box) for box in boxes + ["not there"]]} for n in range(5)]
    answers = {
        "keys": [{"box": box, "key": key_of(box).hex()} for box in boxes],
        "leaves": [{"leaf": leaf, "canonical": canonical(leaf), "hash": leaf_hash(leaf).hex()} for leaf in leaves],
        "maps": sizes,
        "ledger": shop.ledger(),
        "cases": bundle_cases(shop),
    }
    return json.dumps(answers, indent=1, ensure_ascii=True, sort_keys=True) + "\n"


if __name__ == "__main__":
    if "--stdout" in sys.argv[1:]:
        sys.stdout.write(make_all())
    else:
        (pathlib.Path(__file__).parent / "proofs.json").write_text(make_all(), encoding="ascii")
