"""Known answers of summaries (format section 17), made and judged without any of the project's own code, and without a policy: the
signature below each checkpoint is 64 bytes that nobody looks at.

Run: python3 provenance/vectors/summaries.py > provenance/vectors/summaries.json
"""
import base64
import json
import pathlib
import sys

sys.dont_write_bytecode = True
sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))
from proofs import leaf_of, proof_of, value_of  # noqa: E402
from records import canonical_bytes, heads_of, make_record, sha256  # noqa: E402
from verify import leads_to  # noqa: E402
from verify_log import Refused, need, parse_checkpoint, parse_note, root_through, strict_base64  # noqa: E402

ORIGIN = "fish.example/befaqt/log"
FIELDS = {"v", "box", "leaf", "path", "headBefore", "records", "log"}
LOG_FIELDS = {"checkpoint", "root", "time", "boxes", "records", "inclusion"}


def b64(data):
    return base64.b64encode(data).decode()


# ---- A shop with a log of its anchors --------------------------------------------------------------------------------

class Shop:
    def __init__(self):
        self.records, self.maps, self.counts = {}, [], [0]

    def append(self, box, *kinds):
        history = self.records.setdefault(box, [])
        for kind in kinds:
            kind, data = kind if isinstance(kind, tuple) else (kind, {})
            history.append(make_record(box, len(history) + 1, kind, data))

    def anchor(self):
        self.maps.append([leaf_of(box, records) for box, records in self.records.items()])
        self.counts.append(sum(map(len, self.records.values())))

    def entry(self, i):
        return {"boxes": len(self.maps[i]), "index": i, "records": self.counts[i + 1] - self.counts[i],
                "root": value_of(self.maps[i]).hex(), "time": "2026-11-21T%02d:00:00Z" % i}

    def summary(self, box, size=None, first=None):
        size = len(self.maps) if size is None else size
        proof = proof_of(box, self.maps[size - 1])
        shown = self.records[box][:proof["leaf"]["count"]]
        first = first or max(r["seq"] for r in shown if r["kind"] == "freshness")
        hashes = [sha256(b"\x00" + canonical_bytes(self.entry(i))) for i in range(size)]
        note = "%s\n%d\n%s\n\n\u2014 %s %s\n" % (ORIGIN, size, b64(tree(hashes)), ORIGIN, b64(sha256(b"key")[:4] + sha256(b"a") + sha256(b"b")))
        entry = self.entry(size - 1)
        log = {"checkpoint": note, "inclusion": [b64(item) for item in way(size - 1, hashes)]}
        log.update({name: entry[name] for name in ("root", "time", "boxes", "records")})
        before = heads_of(box, (sha256(canonical_bytes(r)) for r in shown[:first - 1]))[-1].hex()
        return {"v": 2, "box": box, "leaf": proof["leaf"], "path": proof["path"], "headBefore": before, "records": shown[first - 1:], "log": log}


def split(count):
    left = 1
    while left * 2 < count:
        left *= 2
    return left


def tree(hashes):
    if len(hashes) == 1:
        return hashes[0]
    left = split(len(hashes))
    return sha256(b"\x01" + tree(hashes[:left]) + tree(hashes[left:]))


def way(index, hashes):
    if len(hashes) == 1:
        return []
    left = split(len(hashes))
    if index < left:
        return way(index, hashes[:left]) + [tree(hashes[left:])]
    return way(index - left, hashes[left:]) + [tree(hashes[:left])]


# ---- Checking, as section 17 says ---------------------------------------------------------------------------------------

def checkpoint_of(summary):
    """What is written as a summary has to be; the fields within records are left to records.json."""
    need(len(json.dumps(summary, ensure_ascii=False, separators=(",", ":")).encode()) <= 4096, "bytes")
    need(set(summary) == FIELDS and set(summary["log"]) == LOG_FIELDS and summary["v"] == 2, "fields")
    records = summary["records"]
    need(1 <= len(records) <= 21 and not any("withheld" in r for r in records), "records")
    index = records[0]["data"].get("freshnessIndex")
    need(records[0]["kind"] == "freshness" and type(index) in (int, float) and 0 <= index <= 1, "freshness")
    for record in records[1:]:
        need(record["kind"] != "freshness", "newer")
        need(record["kind"] != "correction" or record["data"].get("corrects") != records[0]["seq"], "corrected")
    checkpoint = parse_checkpoint(parse_note(summary["log"]["checkpoint"])[0])
    need(checkpoint["size"] > 0, "size")
    return checkpoint


def judge(asked, summary):
    try:
        checkpoint = checkpoint_of(summary)
    except (Refused, KeyError):
        return "malformed"
    box, leaf, records, log = (summary[name] for name in ("box", "leaf", "records", "log"))
    if box != asked:
        return "other_box"
    if any(r["box"] != box for r in records):
        return "record_of_other_box"
    before = leaf["count"] - len(records)
    if [r["seq"] for r in records] != list(range(before + 1, leaf["count"] + 1)):
        return "record_missing"
    if [r["kind"] == "seal" for r in records] != [False] * (len(records) - 1) + [leaf["sealed"]]:
        return "seal_mismatch"
    head = bytes.fromhex(summary["headBefore"])
    if before == 0 and head != heads_of(box, [])[0]:
        return "head_mismatch"
    for record in records:
        head = sha256(head + sha256(canonical_bytes(record)))
    if head.hex() != leaf["head"]:
        return "head_mismatch"
    if leaf["box"] != box:
        return "anchor_of_other_box"
    if not leads_to(log["root"], box, leaf, summary["path"]):
        return "proof_mismatch"
    index = checkpoint["size"] - 1
    entry = dict({name: log[name] for name in ("root", "time", "boxes", "records")}, index=index)
    path = [strict_base64(item, 32) for item in log["inclusion"]]
    root = root_through(sha256(b"\x00" + canonical_bytes(entry)), index, checkpoint["size"], path)
    return None if root == checkpoint["root"] else "log_mismatch"


def make_shop():
    shop = Shop()
    shop.append("A-1", "registration", ("freshness", {"freshnessIndex": 0.125}))
    shop.append("B-2", "tracking", ("freshness", {"freshnessIndex": 0.75}))
    shop.anchor()
    shop.append("A-1", "tracking", ("freshness", {"freshnessIndex": 0.25}))
    shop.append("C-3", ("freshness", {"freshnessIndex": 0}))
    shop.anchor()
    shop.append("A-1", ("offer", {"linked": True, "product": "caf\u00e9"}), "handover")
    shop.append("B-2", "seal")
    shop.anchor()
    return shop


def changed(summary, **parts):
    return dict(summary, **parts)


def make_cases():
    shop = make_shop()
    true, older, sealed, first = shop.summary("A-1"), shop.summary("A-1", 2), shop.summary("B-2"), shop.summary("C-3")
    a, b, c = true["records"]
    shop.append("C-3", ("recall", {"reason": "sample"}))
    shop.anchor()
    recalled = shop.summary("C-3")
    log = true["log"]
    cases = [
        ("as it is", "A-1", true), ("of an older checkpoint", "A-1", older), ("of a sealed box", "B-2", sealed),
        ("from record 1 on", "C-3", first), ("of a box that is recalled since", "C-3", recalled), ("of another box", "B-2", true),
        ("with the name of another box", "B-2", changed(true, box="B-2")), ("without its last record", "A-1", changed(true, records=[a, b])),
        ("without one between", "A-1", changed(true, records=[a, c])), ("without its freshness", "A-1", changed(true, records=[b, c])),
        ("with an older freshness too", "A-1", shop.summary("A-1", 3, 2)),
        ("fresher", "A-1", changed(true, records=[dict(a, data={"freshnessIndex": 0}), b, c])),
        ("fresher than can be", "A-1", changed(true, records=[dict(a, data={"freshnessIndex": 1.5}), b, c])),
        ("corrected", "A-1", changed(true, records=[a, dict(b, kind="correction", data={"corrects": 4}), c])),
        ("sealed", "A-1", changed(true, leaf=dict(true["leaf"], sealed=True))),
        ("with another head before", "A-1", changed(true, headBefore=older["headBefore"][::-1])),
        ("an older state under the newest root", "A-1", changed(older, log=log)), ("with another's path", "A-1", changed(true, path=sealed["path"])),
        ("with an older checkpoint", "A-1", changed(true, log=dict(log, checkpoint=older["log"]["checkpoint"]))),
        ("with another time", "A-1", changed(true, log=dict(log, time="2026-11-21T03:00:00Z"))),
        ("with more boxes", "A-1", changed(true, log=dict(log, boxes=4))), ("without its way up the log", "A-1", changed(true, log=dict(log, inclusion=[]))),
        ("too long", "A-1", changed(true, records=[a, dict(b, by="x" * 200, data={"note": "x" * 3000}), c])),
    ]
    for name, box, summary in cases:
        reason = judge(box, summary)
        index = summary["records"][0]["data"]["freshnessIndex"] if reason is None else None
        yield {"name": name, "box": box, "summary": summary, "reason": reason, "freshnessIndex": index}


print(json.dumps({"cases": list(make_cases())}, indent=1, sort_keys=True))
