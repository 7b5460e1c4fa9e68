"""The form of a proof bundle: every field in its range, and nothing else. `verify.py` uses it."""
import pathlib
import re
import sys

sys.dont_write_bytecode = True
sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))
from records import canonical  # noqa: E402
from verify_log import Refused, need, parse_checkpoint, parse_note, strict_base64, utf16_length  # noqa: E402

SAFE = 2 ** 53 - 1
# That of ECMAScript; of Python's own, U+FEFF is none, and four control characters are some
WHITE_SPACE = "\t-\r \xa0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000\ufeff"


def members(value, names, optional=()):
    need(isinstance(value, dict) and set(names) <= set(value) <= set(names) | set(optional), "members")
    return value


def whole(value, low, high):
    need(type(value) is int and low <= value <= high, "number")


def text(value, low, high):
    need(isinstance(value, str) and low <= utf16_length(value) <= high, "text")


def hexed(value, digits=64, before=""):
    need(isinstance(value, str) and re.fullmatch(before + "[0-9a-f]{%d}" % digits, value), "hex")


def days_in(year, month):
    leap = year % 4 == 0 and (year % 100 != 0 or year % 400 == 0)
    return [31, 29 if leap else 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31][month - 1]


def seconds_of(value):
    """Seconds since 1970, of any year of the calendar that there is now."""
    found = re.fullmatch(r"(\d{4})-(\d\d)-(\d\d)T(\d\d):(\d\d):(\d\d)Z", value, re.A) if isinstance(value, str) else None
    need(found, "time")
    year, month, day, hour, minute, second = map(int, found.groups())
    need(1 <= month <= 12 and 1 <= day <= days_in(year, month) and hour <= 23 and minute <= 59 and second <= 59, "time")
    before = year - 1
    days = before * 365 + before // 4 - before // 100 + before // 400 - 719162
    days += sum(days_in(year, each) for each in range(1, month)) + day - 1
    return ((days * 24 + hour) * 60 + minute) * 60 + second


RFC_3339 = re.compile(r"(\d{4})-(\d\d)-(\d\d)[Tt](\d\d):(\d\d):(\d\d)(?:\.\d{1,9})?(?:[Zz]|[+-](\d\d):(\d\d))", re.A)
LOCAL = re.compile(r"(\d{4})-(\d\d)-(\d\d) (\d\d):(\d\d):(\d\d)", re.A)


def check_at(value):
    text(value, 1, 64)
    found = LOCAL.fullmatch(value)
    last = 59 if found else 60
    found = found or RFC_3339.fullmatch(value)
    need(found, "at")
    year, month, day, hour, minute, second, *offset = [int(part or 0) for part in found.groups()]
    need(1 <= month <= 12 and 1 <= day <= days_in(year, month) and hour <= 23 and minute <= 59 and second <= last, "at")
    need(not offset or (offset[0] <= 23 and offset[1] <= 59), "at")


def check_record(record):
    if isinstance(record, dict) and "withheld" in record:
        members(record, ["seq", "recordHash", "withheld"])
        whole(record["seq"], 1, 10 ** 6)
        hexed(record["recordHash"])
        need(record["withheld"] is True, "withheld")
        return
    members(record, ["v", "box", "seq", "kind", "at", "by", "data", "salt"], ["restricted"])
    need(type(record["v"]) is int and record["v"] == 1 and isinstance(record["data"], dict), "record")
    whole(record["seq"], 1, 10 ** 6)
    text(record["box"], 1, 200)
    text(record["kind"], 1, 64)
    text(record["by"], 0, 200)
    check_at(record["at"])
    hexed(record["salt"], 32)
    if "restricted" in record:
        hexed(record["restricted"])


def check_leaf(leaf):
    members(leaf, ["box", "count", "head", "sealed"])
    text(leaf["box"], 1, 200)
    whole(leaf["count"], 1, 10 ** 6)
    hexed(leaf["head"])
    need(type(leaf["sealed"]) is bool, "sealed")


def check_path(path):
    need(isinstance(path, list) and len(path) <= 256, "path")
    for item in path:
        hexed(item)


def check_counts(value):
    for name in ("boxes", "records"):
        whole(value[name], 0, 2 ** 32 - 1)


def check_anchor(anchor, size):
    need(isinstance(anchor, dict), "anchor")
    index = anchor.get("index")
    counted = ["boxes", "records"] if type(index) is int and 0 <= index < size else []
    members(anchor, ["index", "root", "txHash", "blockNumber", "time", "leaf", "path", "before"] + counted)
    whole(index, 0, SAFE)
    whole(anchor["blockNumber"], 0, SAFE)
    hexed(anchor["root"])
    hexed(anchor["txHash"], 64, "0x")
    seconds_of(anchor["time"])
    check_leaf(anchor["leaf"])
    check_path(anchor["path"])
    if counted:
        check_counts(anchor)
    before = anchor["before"]
    if before is None:
        return
    logged = 0 <= index - 1 < size
    members(before, ["root", "leaf", "other", "path"] + (["time", "boxes", "records"] if logged else []))
    for leaf in (before["leaf"], before["other"]):
        if leaf is not None:
            check_leaf(leaf)
    need(before["leaf"] is None or before["other"] is None, "other")
    hexed(before["root"])
    check_path(before["path"])
    if logged:
        seconds_of(before["time"])
        check_counts(before)


def check_form(bundle):
    """The checkpoint of the bundle's log, or None."""
    canonical(bundle).encode("utf-8")
    members(bundle, ["v", "box", "records", "ledger", "anchors"], ["log", "devices"])
    checkpoint = None
    if "log" in bundle:
        members(bundle["log"], ["checkpoint", "inclusion"], ["state"])
        checkpoint = parse_checkpoint(parse_note(bundle["log"]["checkpoint"])[0])
    size = checkpoint["size"] if checkpoint else 0
    check_parts(bundle, size)
    if "devices" in bundle:
        devices = bundle["devices"]
        need(isinstance(devices, list) and 1 <= len(devices) <= 100, "devices")
        for device in devices:
            check_parts(members(device, ["v", "box", "records", "ledger", "anchors"]), size)
        need(len({device["box"] for device in devices}) == len(devices), "a key twice")
        need(any("withheld" in record or "signed" in record["data"] or (record["kind"] == "weight" and "weighed" in record["data"]) for record in bundle["records"]), "nothing is signed")
    if checkpoint:
        check_log_form(bundle, size)
    return checkpoint


def check_parts(bundle, size):
    need(type(bundle["v"]) is int and bundle["v"] == 2, "version")
    text(bundle["box"], 1, 200)
    need(isinstance(bundle["records"], list) and 1 <= len(bundle["records"]) <= 10 ** 6, "records")
    need(isinstance(bundle["anchors"], list) and len(bundle["anchors"]) <= 10 ** 6, "anchors")
    for record in bundle["records"]:
        check_record(record)
    ledger = members(bundle["ledger"], ["chainId", "contract", "rpc"])
    whole(ledger["chainId"], 1, SAFE)
    hexed(ledger["contract"], 40, "0x")
    text(ledger["rpc"], 8, 2008)
    found = re.fullmatch("https?://([^%s]+)" % WHITE_SPACE, ledger["rpc"])
    need(found and utf16_length(found[1]) <= 2000, "rpc")
    for anchor in bundle["anchors"]:
        check_anchor(anchor, size)


def check_log_form(bundle, size):
    indexes = [anchor["index"] for anchor in bundle["anchors"]]
    used = [anchor for each in [bundle] + bundle.get("devices", []) for anchor in each["anchors"]]
    named = {a["index"] for a in used} | {a["index"] - 1 for a in used if a["before"] is not None}
    named = {i for i in named if 0 <= i < size}
    if "state" in bundle["log"]:
        state = members(bundle["log"]["state"], ["index", "root", "time", "boxes", "records", "leaf", "path"])
        need(size > 0 and any(i < size for i in indexes) and size - 1 not in indexes, "state")
        whole(state["index"], size - 1, size - 1)
        hexed(state["root"])
        seconds_of(state["time"])
        check_counts(state)
        check_leaf(state["leaf"])
        check_path(state["path"])
        named.add(size - 1)
    inclusion = members(bundle["log"]["inclusion"], [str(i) for i in named])
    for path in inclusion.values():
        need(isinstance(path, list) and len(path) <= 63, "inclusion")
        for item in path:
            need(isinstance(item, str), "inclusion")
            strict_base64(item, 32)
