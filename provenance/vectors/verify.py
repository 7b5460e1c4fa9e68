"""A second verifier of proof bundles, without any of the project's own code, after docs/provenance-format.md.

Reads lines of JSON, {"bundle", "ledger": a file of anchors, "policy": text or null, "now": seconds}, and answers each with
a line: {"verdict", "upTo", "log": null or {"state", "k", "n", "upTo", "time"}, "weights": null or [balance, problems], "signed":
null or [counts, notes, weights]}, weights as weights.py says and signed as verify_chains.py. `ledger` may be null: nobody answers.
Needs Python 3.9 and its standard library only.
"""
import json
import pathlib
import sys

sys.dont_write_bytecode = True
sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))
from proofs import EMPTY, bit, key_of, leaf_hash  # noqa: E402
from records import canonical, canonical_bytes, heads_of, sha256  # noqa: E402
from verify_chains import anchored_in, check_signed, registers_of, says_signed  # noqa: E402
from verify_form import check_form, seconds_of  # noqa: E402
from weights import KINDS, weigh  # noqa: E402
from verify_log import Refused, open_note, parse_policy, root_through, strict_base64, witnessed  # noqa: E402


# ---- History against a ledger: {"chainId", "contract", "count", "held": {index: …}, "events": {hash: […]}} -----------------

def leads_to(root, box, leaf, path):
    if len(path) > 256 or (path and path[0] == EMPTY.hex()):
        return False
    key, value = key_of(box), EMPTY if leaf is None else leaf_hash(leaf)
    for above, item in enumerate(path):
        sibling, place = bytes.fromhex(item), len(path) - 1 - above
        value = sha256(b"\x01" + (sibling + value if bit(key, place) else value + sibling))
    return value.hex() == root


def proves(box, leaf, other, path, root):
    if leaf is not None:
        return leaf["box"] == box and leads_to(root, box, leaf, path)
    if other is not None:
        keys = key_of(box), key_of(other["box"])
        if other["box"] == box or any(bit(keys[0], i) != bit(keys[1], i) for i in range(len(path))):
            return False
    return leads_to(root, box, other, path)


def state_of(leaf):
    return (leaf["count"], leaf["head"], leaf["sealed"])


def anchor_holds(bundle, i, ledger):
    anchor, former = bundle["anchors"][i], bundle["anchors"][i - 1] if i else None
    leaf = anchor["leaf"]
    if leaf["box"] != bundle["box"] or not leads_to(anchor["root"], bundle["box"], leaf, anchor["path"]):
        return False
    if former is not None:
        grown = leaf["count"] > former["leaf"]["count"]
        repeats = i == len(bundle["anchors"]) - 1 and state_of(leaf) == state_of(former["leaf"])
        if anchor["index"] <= former["index"] or not (repeats or (grown and not former["leaf"]["sealed"])):
            return False
    if ledger is None:
        return True
    held = ledger["held"].get(anchor["index"])
    fact = (anchor["index"], anchor["root"], anchor["blockNumber"], seconds_of(anchor["time"]))
    return held is not None and held[:2] == (anchor["root"], fact[3]) and fact in ledger["events"].get(anchor["txHash"], [])


def continues(bundle, i, ledger):
    anchor, former = bundle["anchors"][i], bundle["anchors"][i - 1] if i else None
    before, index = anchor["before"], anchor["index"]
    repeats = former is not None and former["leaf"]["count"] == anchor["leaf"]["count"]
    if repeats or index == 0 or (former is not None and former["index"] + 1 == index):
        return before is None
    if before is None or not proves(bundle["box"], before["leaf"], before["other"], before["path"], before["root"]):
        return False
    if ledger is not None and ledger["held"].get(index - 1, (None,))[0] != before["root"]:
        return False
    if former is None or before["leaf"] is None:
        return former is None and before["leaf"] is None
    return state_of(before["leaf"]) == state_of(former["leaf"])


def judge(bundle, ledger):
    """Verdict, and the last record up to which all are proven. Without a ledger a bundle can but contradict itself."""
    if ledger is not None and (ledger["chainId"], ledger["contract"]) != (bundle["ledger"]["chainId"], bundle["ledger"]["contract"]):
        return "broken", 0
    records, anchors, count = bundle["records"], bundle["anchors"], len(bundle["records"])
    in_order = [record["seq"] for record in records] == list(range(1, count + 1))
    seals = [i + 1 for i, record in enumerate(records) if record.get("kind") == "seal"]
    own = all("withheld" in record or record["box"] == bundle["box"] for record in records)
    if not in_order or not own or any(seq < count for seq in seals):
        return "broken", 0
    if not all(anchor_holds(bundle, i, ledger) and continues(bundle, i, ledger) for i in range(len(anchors))):
        return "broken", 0
    heads = heads_of(bundle["box"], [bytes.fromhex(r["recordHash"]) if "withheld" in r else sha256(canonical_bytes(r)) for r in records])
    up_to, lacking = 0, False
    for anchor in anchors:
        leaf = anchor["leaf"]
        if leaf["count"] > count:
            lacking = True
            continue
        last = records[leaf["count"] - 1]
        if heads[leaf["count"]].hex() != leaf["head"] or ("withheld" not in last and (last["kind"] == "seal") != leaf["sealed"]):
            return "broken", 0
        if leaf["sealed"] and leaf["count"] < count:
            return "broken", 0
        up_to = leaf["count"]
    if ledger is None:
        return "unreachable", 0
    if lacking or (anchors and not anchors[-1]["leaf"]["sealed"] and anchors[-1]["index"] + 1 < ledger["count"]):
        return "incomplete", up_to
    return ("verified" if up_to == count else "verified-up-to"), up_to


# ---- The log ----------------------------------------------------------------------------------------------------------

def told_in(bundle):
    return [anchor for each in [bundle] + bundle.get("devices", []) for anchor in each["anchors"]]


def mentions(bundle, size):
    for anchor in told_in(bundle):
        if anchor["before"] is not None and 0 <= anchor["index"] - 1 < size:
            yield anchor["index"] - 1, anchor["before"]
        if anchor["index"] < size:
            yield anchor["index"], anchor
    if "state" in bundle["log"]:
        yield bundle["log"]["state"]["index"], bundle["log"]["state"]


def entry_of(index, shown):
    entry = {"boxes": shown["boxes"], "index": index, "records": shown["records"], "root": shown["root"], "time": shown["time"]}
    return canonical_bytes(entry)


def log_of(bundle, checkpoint, ledger, policy, now):
    """State, members that have signed, of how many; and the bundle as of the checkpoint with the log as its ledger."""
    size, log = checkpoint["size"], bundle["log"]
    held = {}
    for index, shown in mentions(bundle, size):
        path = [strict_base64(item, 32) for item in log["inclusion"][str(index)]]
        if root_through(sha256(b"\x00" + entry_of(index, shown)), index, size, path) != checkpoint["root"]:
            return ("broken", 0, 0), None
        facts = (shown["root"], seconds_of(shown["time"]), shown["boxes"], shown["records"])
        asked = ledger is not None and (ledger["chainId"], ledger["contract"]) == (bundle["ledger"]["chainId"], bundle["ledger"]["contract"])
        if asked and ledger["held"].get(index) != facts:
            return ("broken", 0, 0), None
        held[index] = facts
    times = None
    if policy is not None and any(log_key["name"] == checkpoint["origin"] for log_key in policy["logs"]):
        try:
            times = open_note(log["checkpoint"], policy)
        except Refused:
            return ("broken", 0, 0), None
    anchors = [anchor for anchor in bundle["anchors"] if anchor["index"] < size]
    if "state" in log:
        anchors = anchors + [dict(log["state"], txHash="0x" + "0" * 64, blockNumber=0, before=None)]
    then = dict(bundle, anchors=anchors)
    if "devices" in bundle:
        then["devices"] = [dict(device, anchors=[a for a in device["anchors"] if a["index"] < size]) for device in bundle["devices"]]
    events = {}
    for anchor in told_in(then):
        events.setdefault(anchor["txHash"], []).append((anchor["index"], anchor["root"], anchor["blockNumber"], seconds_of(anchor["time"])))
    as_of = (then, {"chainId": bundle["ledger"]["chainId"], "contract": bundle["ledger"]["contract"], "count": size, "held": held, "events": events})
    if times is None:
        return ("no_policy" if policy is None else "other_log", 0, 0), as_of
    times = {key: at for key, at in times.items() if at <= now + 300}
    reached, k, n = witnessed(policy, checkpoint["origin"], times)
    if not reached:
        return ("missed", k, n), as_of
    lately = witnessed(policy, checkpoint["origin"], {key: at for key, at in times.items() if at >= now - 86400})[0]
    lacks_old = any(a["index"] >= size and seconds_of(a["time"]) < now - 86400 for a in bundle["anchors"])
    is_sealed = any(a["index"] < size and a["leaf"]["sealed"] for a in bundle["anchors"])
    return ("witnessed" if is_sealed or (lately and not lacks_old) else "stale", k, n), as_of


def answer(question):
    found, is_read = history_of(question)
    found["weights"] = None
    if not is_read or found["verdict"] == "broken" or not any(r.get("kind") in KINDS for r in question["bundle"]["records"]):
        return found
    balance, problems, by = weigh(question["bundle"]["records"])
    balance["signedBy"] = found["signed"][2].get(by) if found["signed"] else None
    if problems:
        return dict(found, verdict="broken", weights=[balance, problems])
    return found if found["verdict"] == "unreachable" else dict(found, weights=[balance, []])


def judge_signed(bundle, ledger):
    """As `judge`, with what was found of signatures; None without any, and where the box is broken."""
    verdict, up_to = judge(bundle, ledger)
    if verdict == "broken" or not any(says_signed(record) for record in bundle["records"]):
        return verdict, up_to, None
    registers = registers_of(bundle.get("devices", []), judge, ledger)
    signed = check_signed(bundle, anchored_in(bundle), registers)
    return (verdict, up_to, signed) if signed else ("broken", 0, None)


def history_of(question):
    """What the history is worth, and whether it has the form of one."""
    bundle, policy, now = question["bundle"], question["policy"], question["now"]
    policy = None if policy is None else parse_policy(policy.encode())
    ledger = None if question["ledger"] is None else read_ledger(question["ledger"])
    try:
        checkpoint = check_form(bundle)
    except (Refused, UnicodeEncodeError, ValueError):
        return {"verdict": other_format(bundle), "upTo": 0, "log": None, "signed": None}, False
    verdict, up_to, signed = judge_signed(bundle, ledger)
    if checkpoint is None:
        none = {"state": "no_log", "k": 0, "n": 0, "upTo": 0, "time": None}
        return {"verdict": verdict, "upTo": up_to, "log": None if policy is None else none, "signed": signed}, True
    (state, k, n), as_of = log_of(bundle, checkpoint, ledger, policy, now)
    log = {"state": state, "k": k, "n": n, "upTo": 0, "time": None}
    if as_of is None:
        return {"verdict": "broken", "upTo": 0, "log": log, "signed": None}, True
    by_log, covered = judge(*as_of)
    if by_log == "broken":
        return {"verdict": "broken", "upTo": 0, "log": dict(log, state="broken"), "signed": None}, True
    if state == "witnessed":
        if by_log == "incomplete" or covered == 0:
            log["state"] = "behind"
        else:
            log.update(upTo=covered, time=as_of[0]["anchors"][-1]["time"])
            if verdict == "unreachable":
                verdict, up_to, signed = judge_signed(*as_of)
    return {"verdict": verdict, "upTo": up_to, "log": log, "signed": signed}, True


def other_format(bundle):
    is_other = isinstance(bundle, dict) and "records" in bundle and type(bundle.get("v")) is int and bundle["v"] > 0 and bundle["v"] != 2
    named = isinstance(bundle, dict) and isinstance(bundle.get("box"), str) and 1 <= len(bundle["box"]) <= 200
    return "unreachable" if is_other and named else "broken"


def read_ledger(file):
    held, events = {}, {}
    for anchor in file["anchors"]:
        seconds = seconds_of(anchor["time"])
        held[anchor["index"]] = (anchor["root"], seconds, anchor["boxes"], anchor["records"])
        events.setdefault(anchor["txHash"], []).append((anchor["index"], anchor["root"], anchor["blockNumber"], seconds))
    return {"chainId": file["chainId"], "contract": file["contract"], "count": file["count"], "held": held, "events": events}


if __name__ == "__main__":
    for line in sys.stdin:
        print(json.dumps(answer(json.loads(line))), flush=True)
