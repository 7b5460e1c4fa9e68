"""What scales signed, after section 13 of docs/provenance-format.md: the statement of a weight, and whether its record says the
same. `verify_chains.py` uses it.
"""
import math
import pathlib
import re
import sys

sys.dont_write_bytecode = True
sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))
from records import canonical  # noqa: E402
from verify_form import members, text  # noqa: E402
from verify_log import need  # noqa: E402
from verify_signed import MOST_BYTES, entries_of, header_of, time_text, whole_count  # noqa: E402


def says_weighed(record):
    return record["kind"] == "weight" and "weighed" in record["data"]


def read_weighing(data):
    """{"key", "counter", "box", "readings", "prev", "hash", "message", "signature"} and what was weighed."""
    payload, statement = header_of(data)
    need(statement["prev"] is not None, "prev")
    need(isinstance(payload, list) and len(payload) == 4, "pack")
    sensor, found = entries_of(payload, ("box", "count", "of", "mass"))
    need(all(len(entry) == 1 for entry in found.values()), "once")
    need(len({entry[0][0] for entry in found.values()}) == 1, "one time")
    values = {name: entry[0][1] for name, entry in found.items()}
    need(values["of"] in ("catch", "box"), "of")
    text(sensor, 1, 80)
    kilograms = float(values["mass"])
    grams = math.floor(kilograms * 1000 + 0.5)
    need(grams >= 1 and grams / 1000 == kilograms, "grams")
    time = time_text(found["mass"][0][0])
    return dict(statement, counter=whole_count(values["count"]), box=values["box"], readings=[{"time": time}],
                of=values["of"], grams=grams, scale=sensor, time=time)


def read_weighed(record, box):
    """The statement of the record of a weight with `weighed`."""
    data = record["data"]
    mark = members(data["weighed"], ["form", "key", "bytes"])
    need(isinstance(mark["bytes"], str) and re.fullmatch("(?:[0-9a-f]{2}){1,%d}" % MOST_BYTES, mark["bytes"]), "bytes")
    statement = read_weighing(bytes.fromhex(mark["bytes"]))
    said = {"form": "cose", "key": statement["key"], "bytes": mark["bytes"]}
    wanted = {"of": statement["of"], "grams": statement["grams"], "scale": statement["scale"], "weighed": said}
    need(canonical(data) == canonical(wanted), "differs")
    need((statement["box"], statement["time"]) == (box, record["at"]), "about")
    return statement
