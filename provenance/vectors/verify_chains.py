"""Signatures of a box's records and how its devices' statements follow each other, after section 13 of
docs/provenance-format.md. `verify.py` uses it. Times without an offset are those of Sydney.
"""
import math
import pathlib
import re
import sys
import zoneinfo
from datetime import datetime

sys.dont_write_bytecode = True
sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))
from verify_form import days_in, seconds_of  # noqa: E402
from verify_log import Refused  # noqa: E402
from verify_signed import is_signed, read_marked, register_of  # noqa: E402
from verify_weighed import read_weighed, says_weighed  # noqa: E402

FIRST = "0" * 64
DAY_S = 86400
MARKET = zoneinfo.ZoneInfo("Australia/Sydney")


def instant(at):
    """Seconds since 1970, to the millisecond, of a record's time."""
    year, month, day, hour, minute, second = map(int, re.findall(r"\d+", at)[:6])
    fraction = re.search(r"\.\d+", at)
    before = year - 1
    days = before * 365 + before // 4 - before // 100 + before // 400 - 719162
    days += sum(days_in(year, each) for each in range(1, month)) + day - 1
    clock = ((days * 24 + hour) * 60 + minute) * 60 + second
    clock += math.floor(float("0" + fraction[0]) * 1000) / 1000 if fraction else 0
    if at[-1] in "zZ":
        return clock
    offset = re.search(r"([+-])(\d\d):(\d\d)$", at)
    if offset:
        seconds = (int(offset[2]) * 60 + int(offset[3])) * 60
        return clock + (seconds if offset[1] == "-" else -seconds)
    local = datetime(1900, 1, 1) if year < 1900 else datetime(year, month, day, hour, minute, second)
    return clock - (0 if year < 1900 else local.replace(tzinfo=MARKET).utcoffset().total_seconds())


def seconds_from(at, block):
    return math.floor(block - instant(at))


def check_signed(bundle, anchored, registers):
    """Is every record what was signed? With how many readings are signed, what the statements say of each other, and by record
    which key signed a weight.

    `anchored` answers the index of the anchor that holds a record, or None.
    """
    counts, weights, seen, links = {"sensor": 0, "gateway": 0, "unconfirmed": 0}, {}, {}, []
    for record in bundle["records"]:
        if not says_signed(record):
            continue
        try:
            level, statement, place = claim_in(record, bundle["box"])
        except Refused:
            return None
        register = registers.get(statement["key"])
        signed = is_signed(register, statement)
        if signed is False or is_replay(seen, level, statement, place) or register == "broken":
            return None
        if signed:
            links.append((level, statement))
        state = "unconfirmed" if register in (None, "unread") else state_of(record, level, register, anchored(record["seq"]))
        if state is None:
            return None
        if level != "scale":
            counts[state] += 1
        elif state == "scale":
            weights[record["seq"]] = statement["key"]
    return None if any(is_forked(chain) for chain in chains_of(links)) else (counts, notes_of(bundle, links), weights)


def says_signed(record):
    return "withheld" not in record and ("signed" in record["data"] or says_weighed(record))


def claim_in(record, box):
    """Who says that it was signed, the statement, and the record's place in it."""
    if "signed" not in record["data"]:
        return "scale", read_weighed(record, box), 0
    mark, statement, place = read_marked(record, box)
    return mark["level"], statement, place


def series_of(level, statement):
    """What a key weighs is counted apart from its readings."""
    return level == "scale", statement["key"]


def chains_of(links):
    """The links of each series."""
    chains = {}
    for level, statement in links:
        chains.setdefault(series_of(level, statement), []).append((level, statement))
    return list(chains.values())


def is_forked(links):
    """Do two statements go on from one? One that names a statement of a higher counter goes on from none."""
    by_counter = {statement["counter"]: statement for _, statement in links}
    counter_of = {statement["hash"]: counter for counter, statement in by_counter.items()}
    onward = [s["prev"] for s in by_counter.values() if s["prev"] not in (None, FIRST) and counter_of.get(s["prev"], -1) < s["counter"]]
    return len(set(onward)) < len(onward)


def is_replay(seen, level, statement, place):
    key, counter, signature = series_of(level, statement), statement["counter"], statement["signature"]
    if (key, counter, place) in seen or seen.get((key, counter), signature) != signature:
        return True
    seen[(key, counter)] = seen[(key, counter, place)] = signature
    return False


def state_of(record, level, register, anchor):
    """The level that counts, or "unconfirmed"; None: the key was not valid for it."""
    if register["entry"]["level"] != ("sensor" if level == "scale" else level) or seconds_from(record["at"], seconds_of(register["entry"]["validFrom"])) > 0:
        return None
    if anchor is None or register["entered"] is None:
        return "unconfirmed"
    if anchor < register["entered"] or (register["revoked"] is not None and anchor > register["revoked"]):
        return None
    return level if anchor <= register["last"] else "unconfirmed"


def notes_of(bundle, links):
    newest = bundle["anchors"][-1] if bundle["anchors"] else None
    sealed = newest is not None and newest["leaf"]["sealed"]
    anchored = 0 if newest is None else seconds_of(newest["time"])
    missing, anew, older, readings = [], [], 0, 0
    for one in chains_of(links):
        chain = follow(one)
        missing += [gap for gap in chain[0] if sealed or seconds_from(gap["before"], anchored) > DAY_S]
        anew += chain[1]
        older += chain[2]
        readings += chain[3]
    unshown = readings - len(links)
    if not missing and not anew and not older and not unshown:
        return None
    return {"missing": missing, "anew": anew, "older": older, "unshown": unshown, "lacking": bool(missing or unshown)}


def follow(links):
    by_counter = {statement["counter"]: (level, statement) for level, statement in links}
    missing, anew, older, readings = [], [], 0, 0
    lower, steps, former = set(), set(), None
    for counter in sorted(by_counter):
        level, statement = by_counter[counter]
        about, prev = {"key": statement["key"], "level": level}, statement["prev"]
        before = min(reading["time"] for reading in statement["readings"])
        if prev is None:
            older += 1
        elif prev == FIRST:
            anew += [dict(about, at=before)] if len(lower) > older else []
        elif prev not in lower:
            after = None if former is None else max(reading["time"] for reading in former["readings"])
            missing.append(dict(about, count=0 if former is None else counter - former["counter"] - 1, after=after, before=before))
        elif former["hash"] == prev:
            steps.add(counter - former["counter"])
        readings += len(statement["readings"])
        lower.add(statement["hash"])
        former = statement
    for gap in missing:
        gap["count"] = gap["count"] if steps == {1} and gap["count"] else None
    return missing, anew, older, readings


def registers_of(devices, judge, ledger):
    """By the id of the key. `judge` answers verdict and last proven record of a bundle against a ledger."""
    found = {}
    for device in devices:
        verdict, _ = judge(device, ledger)
        found[device["box"].encode("utf-16-le")[14:].decode("utf-16-le", "replace")] = register_of(device, (verdict, anchored_in(device)))
    return found


def anchored_in(bundle):
    """Answers the first anchor that holds a record, where all that it counts are shown."""
    counts = [(anchor["index"], anchor["leaf"]["count"]) for anchor in bundle["anchors"] if anchor["leaf"]["count"] <= len(bundle["records"])]
    return lambda seq: next((index for index, count in counts if count >= seq), None)
