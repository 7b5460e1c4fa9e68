"""What devices signed, checked without any of the project's own code: CBOR (RFC 8949), COSE_Sign1 (RFC 9052), SenML (RFC 8428)
and canonical JSON (RFC 8785), after section 13 of docs/provenance-format.md; how statements follow each other, in
verify_chains.py. `verify.py` uses it.
"""
import datetime
import fractions
import hashlib
import json
import math
import pathlib
import re
import struct
import sys

sys.dont_write_bytecode = True
sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))
from records import canonical  # noqa: E402
from verify_form import SAFE, check_at, hexed, members, seconds_of, text, whole  # noqa: E402
from verify_log import Refused, ed25519_signed, need  # noqa: E402

MOST_BYTES, MOST_READINGS = 4096, 16


# ---- CBOR: integers and lengths in their shortest form, floats of any width, definite lengths, no tags -----------------

class Reader:
    def __init__(self, data):
        self.data, self.at = data, 0

    def take(self, count):
        need(self.at + count <= len(self.data), "ends early")
        self.at += count
        return self.data[self.at - count:self.at]

    def argument(self, info):
        if info < 24:
            return info
        need(info < 28, "length")
        value = int.from_bytes(self.take(1 << info - 24), "big")
        need(value >= (24, 2 ** 8, 2 ** 16, 2 ** 32)[info - 24] and value <= SAFE, "not the shortest form")
        return value

    def item(self, depth=0):
        need(depth < 8, "nested")
        first = self.take(1)[0]
        major, info = first >> 5, first & 31
        if major == 7:
            if info in (25, 26, 27):
                value = struct.unpack({25: ">e", 26: ">f", 27: ">d"}[info], self.take(1 << info - 24))[0]
                need(math.isfinite(value), "number")
                return value
            need(info in (20, 21, 22), "simple value")
            return (False, True, None)[info - 20]
        value = self.argument(info)
        if major < 2:
            need(value < SAFE or major == 0, "number")
            return value if major == 0 else -1 - value
        if major < 4:
            data = self.take(value)
            return data if major == 2 else data.decode("utf-8", "replace")
        need(major < 6 and value <= MOST_BYTES, "tag")
        if major == 4:
            return [self.item(depth + 1) for _ in range(value)]
        pairs = [(self.item(depth + 1), self.item(depth + 1)) for _ in range(value)]
        need(all(type(name) in (int, float, str, bytes) for name, _ in pairs), "name")
        need(len({name for name, _ in pairs}) == len(pairs), "name twice")
        return dict(pairs)


def decoded(data):
    reader = Reader(data)
    value = reader.item()
    need(reader.at == len(data), "more bytes")
    return value


def byte_text(data):
    """The CBOR of a byte string."""
    length = len(data)
    return (bytes([0x40 | length]) if length < 24 else b"\x58" + bytes([length]) if length < 256 else b"\x59" + struct.pack(">H", length)) + data


# ---- Statements: {"key", "counter", "box", "readings", "prev", "hash", "message", "signature"} -------------------------

def header_of(data):
    """The payload of a COSE_Sign1, and what its headers say."""
    need(0 < len(data) <= MOST_BYTES and data[0] == 0xD2, "COSE_Sign1")
    parts = decoded(data[1:])
    need(isinstance(parts, list) and len(parts) == 4, "COSE_Sign1")
    protected, unprotected, payload, signature = parts
    need(all(isinstance(part, bytes) for part in (protected, payload, signature)) and unprotected == {} and len(signature) == 64, "parts")
    header = decoded(protected)
    need(isinstance(header, dict) and set(header) in ({1, 3, 4}, {1, 3, 4, -70001}) and (header[1], header[3]) == (-8, 112), "header")
    for label, length in ((4, 16), (-70001, 32)):
        need(label not in header or (isinstance(header[label], bytes) and len(header[label]) == length), "header")
    message = b"\x84\x6aSignature1" + byte_text(protected) + b"\x40" + byte_text(payload)
    prev = header[-70001].hex() if -70001 in header else None
    return decoded(payload), {"key": header[4].hex(), "prev": prev, "signature": signature, "hash": hashlib.sha256(data).hexdigest(), "message": message}


def read_cose(data):
    payload, statement = header_of(data)
    return dict(statement, **read_senml(payload))


NAME = re.compile(r"(urn:dev:[a-z0-9]{1,20}:[A-Za-z0-9.:-]{1,100})_([a-z]{1,10})", re.A)
UNITS = {"temp": ("Cel", -60, 60), "lat": ("lat", -90, 90), "lon": ("lon", -180, 180), "bat": ("%EL", 0, 100), "count": ("count", 0, SAFE), "mass": ("kg", 0, 1000)}


def entries_of(pack, known):
    """Of one sensor: its name, and by what is measured a list of time and value."""
    need(all(isinstance(one, dict) for one in pack), "pack")
    base, entries = pack[0], {name: [] for name in known}
    sensors = set()
    for i, one in enumerate(pack):
        need(set(one) <= {0, 1, 2, 3, 6} | ({-2, -3, -4} if i == 0 else set()) and None not in one.values(), "label")
        names = base.get(-2, ""), one.get(0, "")
        need(all(isinstance(name, str) for name in names), "name")
        found = NAME.fullmatch("".join(names))
        need(found and found[2] in entries, "name")
        sensors.add(found[1])
        times = base.get(-3, 0), one.get(6, 0)
        need(all(type(time) in (int, float) for time in times), "time")
        entries[found[2]].append((float(times[0]) + float(times[1]), value_of(found[2], one, base)))
    need(len(sensors) == 1 and len(entries["box"]) == 1 and len(entries["count"]) == 1, "once")
    return min(sensors), entries


def whole_count(counter):
    need(counter == math.floor(counter), "counter")
    return int(counter)


def read_senml(pack):
    need(isinstance(pack, list) and 3 <= len(pack) <= 3 * MOST_READINGS + 3, "pack")
    sensor, entries = entries_of(pack, ("box", "temp", "lat", "lon", "bat", "count"))
    need(len(entries["bat"]) <= 1, "once")
    counter = whole_count(entries["count"][0][1])
    at = dict(entries["temp"])
    need(1 <= len(at) <= MOST_READINGS and len(at) == len(entries["temp"]), "temperatures")
    places = dict(entries["lat"]), dict(entries["lon"])
    need(all(len(place) == len(entries[name]) and set(place) <= set(at) for place, name in zip(places, ("lat", "lon"))), "place")
    need(set(places[0]) == set(places[1]), "half a place")
    readings = [
        {"time": time_text(time), "latitude": places[0].get(time, 0), "longitude": places[1].get(time, 0), "iotID": sensor, "temperature": value}
        for time, value in entries["temp"]
    ]
    return {"counter": counter, "box": entries["box"][0][1], "readings": readings}


def value_of(what, one, base):
    if what in ("box", "of"):
        need(1 not in one and 2 not in one, what)
        text(one.get(3), 1, 64)
        return one[3]
    unit, low, high = UNITS[what]
    need(one.get(1, base.get(-4)) == unit and 3 not in one and type(one.get(2)) in (int, float) and low <= one[2] <= high, "value")
    return one[2]


def time_text(seconds):
    """The milliseconds floor(seconds * 1000 + 0.5), of the exact value of the double."""
    need(2 ** 28 <= seconds <= 253402300799, "time")
    milliseconds = math.floor(fractions.Fraction(seconds) * 1000 + fractions.Fraction(1, 2))
    moment = datetime.datetime(1970, 1, 1) + datetime.timedelta(milliseconds=milliseconds)
    return moment.isoformat(timespec="milliseconds") + "Z"


def read_jcs(signed, signature):
    try:
        value = json.loads(signed)
        need(canonical(value) == signed, "canonical")
    except (ValueError, OverflowError, RecursionError):
        raise Refused("JSON")
    members(value, ["v", "key", "counter", "box", "time", "latitude", "longitude", "iotID", "temperature"], ["battery", "prev"])
    need(type(value["v"]) is int and value["v"] == 1, "v")
    hexed(value["key"], 32)
    whole(value["counter"], 0, SAFE)
    text(value["box"], 1, 64)
    check_at(value["time"])
    text(value["iotID"], 1, 200)
    for name, low, high in (("latitude", -90, 90), ("longitude", -180, 180), ("temperature", -60, 60), ("battery", 0, 100)):
        need(name == "battery" and name not in value or type(value[name]) in (int, float) and low <= value[name] <= high, name)
    if "prev" in value:
        hexed(value["prev"])
    message = signed.encode("utf-8")
    reading = {name: value[name] for name in ("time", "latitude", "longitude", "iotID", "temperature")}
    about = {"key": value["key"], "counter": value["counter"], "box": value["box"], "prev": value.get("prev")}
    return dict(about, readings=[reading], hash=hashlib.sha256(message).hexdigest(), message=message, signature=signature)


def read_marked(record, box):
    """The statement of a record with `signed`, and its place there."""
    data = record["data"]
    mark = data["signed"]
    is_cose = isinstance(mark, dict) and mark.get("form") == "cose"
    members(mark, ["form", "level", "key"] + (["bytes", "place"] if is_cose else ["text", "signature"]))
    need(mark["form"] in ("cose", "jcs") and mark["level"] in ("sensor", "gateway"), "form")
    hexed(mark["key"], 32)
    place = 0
    if is_cose:
        need(isinstance(mark["bytes"], str) and re.fullmatch("(?:[0-9a-f]{2}){1,%d}" % MOST_BYTES, mark["bytes"]), "bytes")
        whole(mark["place"], 0, MOST_READINGS - 1)
        place, statement = mark["place"], read_cose(bytes.fromhex(mark["bytes"]))
    else:
        text(mark["text"], 2, MOST_BYTES)
        hexed(mark["signature"], 128)
        statement = read_jcs(mark["text"], bytes.fromhex(mark["signature"]))
    need(place < len(statement["readings"]), "place")
    need(canonical(data) == canonical(dict(statement["readings"][place], signed=mark)), "differs")
    need((statement["box"], statement["key"], record["kind"]) == (box, mark["key"], "tracking"), "about")
    need(record["at"] == data["time"], "at")
    return mark, statement, place


# ---- The register -----------------------------------------------------------------------------------------------------

def register_of(device, judged):
    """What the ledger says of a key: an entry with the anchors that hold it; "unread", or "broken"."""
    verdict, anchored = judged
    if verdict in ("unreachable", "broken"):
        return "unread" if verdict == "unreachable" else "broken"
    try:
        entries = [register_entry(record) for record in device["records"]]
        first, key = entries[0], bytes.fromhex(entries[0]["key"])
        need(len(entries) <= 2 and first["revokedAt"] is None and device["box"] == "device:" + first["id"], "register")
        need(hashlib.sha256(key).hexdigest()[:32] == first["id"], "id")
        if len(entries) == 2:
            need(entries[1]["revokedAt"] is not None and dict(entries[1], revokedAt=None) == dict(first, name=entries[1]["name"]), "revocation")
    except Refused:
        return "broken"
    last = device["anchors"][-1]["index"] if device["anchors"] else -1
    return {"entry": first, "key": key, "entered": anchored(1), "revoked": anchored(2) if len(entries) == 2 else None, "last": last}


def register_entry(record):
    need("withheld" not in record and record["kind"] == "device", "kind")
    entry = members(record["data"], ["id", "key", "level", "name", "validFrom", "revokedAt"])
    need(entry["level"] in ("sensor", "gateway"), "level")
    hexed(entry["id"], 32)
    hexed(entry["key"])
    text(entry["name"], 1, 80)
    seconds_of(entry["validFrom"])
    if entry["revokedAt"] is not None:
        seconds_of(entry["revokedAt"])
    return entry


def is_signed(register, statement):
    """None: not known here."""
    return ed25519_signed(register["key"], statement["message"], statement["signature"]) if isinstance(register, dict) else None
