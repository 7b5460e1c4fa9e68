"""What the records of a box state of its weight, added up after docs/provenance-format.md, section 16. `verify.py` uses it.

Run, it writes weights.json beside it: histories with what they come to. Needs Python 3.8 and its standard library only.
"""
import json
import pathlib
import re
import sys

sys.dont_write_bytecode = True
sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))
from verify_form import LOCAL, RFC_3339, need, seconds_of, text  # noqa: E402
from verify_log import Refused  # noqa: E402

KINDS = ("weight", "offer", "sale", "loss")
MOST = 1_000_000
NEVER = float("inf")


def is_amount(value):
    return not isinstance(value, bool) and isinstance(value, (int, float)) and 1 <= value <= MOST and value == int(value)


def check_stated(kind, data):
    """Refuses what does not state what such a record has to state; members beside these are not looked at."""
    need(isinstance(data, dict), "data")
    for name in ("grams", "pieces") if kind in ("sale", "loss") else ("grams",):
        need(name not in data or is_amount(data[name]), name)
    if kind == "weight":
        need(isinstance(data.get("of"), str) and data["of"] in ("catch", "box") and "grams" in data, "weight")
        if "scale" in data:
            text(data["scale"], 1, 80)
        return
    text(data.get("product"), 1, 200)
    if kind == "offer":
        need(type(data.get("linked")) is bool, "linked")
        return
    need("grams" in data or "pieces" in data, "amount")
    if kind == "loss":
        text(data.get("reason"), 0, 2000)
    need(kind == "loss" or "returned" not in data or data["returned"] is True, "returned")


def rough_seconds(at):
    """Of a record's time, as if one without an offset were UTC."""
    found = LOCAL.fullmatch(at) or RFC_3339.fullmatch(at)
    second = int(found.group(6))
    whole = seconds_of("%s-%s-%sT%s:%s:00Z" % found.groups()[:5]) + second
    offset = re.search(r"([+-])(\d\d):(\d\d)$", at) if "T" in at.upper() else None
    if offset is None:
        return whole
    ahead = (int(offset.group(2)) * 60 + int(offset.group(3))) * 60
    return whole - (ahead if offset.group(1) == "+" else -ahead)


def same_thing(one, other, kind):
    name = {"weight": "of", "offer": "product"}.get(kind)
    return name is None or one[name] == other[name]


def weigh(records):
    """(balance, problems, by): the figures, [reason, first record] of each way in which they contradict each other, and the
    record that states the total as it is, or None."""
    stated, newest, offers, problems, mended = {}, {}, {}, {}, set()
    unread = withheld = corrected = 0
    first_sale = earliest = catch = None

    def read(kind, data, seq):
        if isinstance(data, dict) and any(name in data and not is_amount(data[name]) for name in ("grams", "pieces")):
            problems.setdefault("amount_refused", seq)
        try:
            check_stated(kind, data)
            return data
        except Refused:
            return None

    def count(kind, data, seq):
        if kind == "weight":
            newest[data["of"]] = max(newest.get(data["of"], 0), seq)
        if kind == "offer":
            offers[data["product"]] = max(offers.get(data["product"], 0), seq)

    def newest_of(of):
        return stated[newest[of]][1] if of in newest else None

    def weight():
        return newest_of("box") or newest_of("catch")

    # What was sold, lost and came back, in grams and, by product, in pieces; kept while it grows.
    sums = {"sold": 0, "lost": 0, "returned": 0, "bare": 0}
    pieces = {}

    def move(kind, data, sign):
        if kind not in ("sale", "loss"):
            return
        back = kind == "sale" and "returned" in data
        sums["lost" if kind == "loss" else "returned" if back else "sold"] += sign * int(data.get("grams", 0))
        sums["bare"] += 0 if "grams" in data else sign
        if "pieces" in data:
            row = pieces.setdefault(data["product"], {"sold": 0, "lost": 0})
            row["lost" if kind == "loss" else "sold"] += (-sign if back else sign) * int(data["pieces"])

    def compare(seq):
        total, caught, boxed = weight(), newest_of("catch"), newest_of("box")
        if total is not None and sums["sold"] - sums["returned"] + sums["lost"] > total["grams"]:
            problems.setdefault("overdrawn", seq)
        if sums["returned"] > sums["sold"] and withheld + unread == 0:
            problems.setdefault("returned_unsold", seq)
        if caught is not None and boxed is not None and boxed["grams"] * 100 > caught["grams"] * 102:
            problems.setdefault("boxed_above_catch", seq)

    for record in records:
        if "withheld" in record:
            withheld += 1
            continue
        kind, seq, data = record["kind"], record["seq"], record["data"]
        if kind == "catch" and catch is None:
            catch = (seq, rough_seconds(record["at"]))
        elif kind == "correction":
            at = data.get("corrects")
            known = None if isinstance(at, (bool, str, dict, list)) or at is None else stated.get(at)
            if known is None:
                continue
            corrected += 1
            better = read(known[0], data.get("data"), seq)
            if better is None or (known[1] is not None and not same_thing(known[1], better, known[0])):
                unread += 1
                continue
            if known[1] is None:
                unread -= 1
            else:
                move(known[0], known[1], -1)
            stated[at] = (known[0], better)
            mended.add(at)
            count(known[0], better, int(at))
            move(known[0], better, 1)
            compare(seq)
        elif kind in KINDS:
            if kind == "sale" and first_sale is None:
                first_sale = (seq, weight()["grams"] if weight() else None)
            said = read(kind, data, seq)
            stated[seq] = (kind, said)
            if said is None:
                unread += 1
            else:
                count(kind, said, seq)
                move(kind, said, 1)
                when = rough_seconds(record["at"])
                if kind == "sale" and "returned" not in said and when < (earliest[1] if earliest else NEVER):
                    earliest = (seq, when)
            compare(seq)

    if catch is not None:
        if first_sale is not None and first_sale[0] < catch[0]:
            problems.setdefault("sold_before_catch", first_sale[0])
        if earliest is not None and earliest[1] < catch[1] - 86400:
            problems.setdefault("sold_before_catch", earliest[0])
    weighed, caught = weight(), newest_of("catch")
    total = None if weighed is None else int(weighed["grams"])
    sold = sums["sold"] - sums["returned"]
    raised = first_sale is not None and total is not None and total > (first_sale[1] or 0)
    on_sale = [stated[seq][1] for seq in offers.values() if stated[seq][1]["linked"]]
    balance = {
        "state": "unweighed" if total is None else "partly" if unread + withheld + sums["bare"] > 0 else "whole",
        "total": total,
        "of": None if weighed is None else weighed["of"],
        "scale": None if weighed is None else weighed.get("scale"),
        "caught": None if caught is None else int(caught["grams"]),
        "offered": sum(int(o["grams"]) for o in on_sale) if on_sale and all("grams" in o for o in on_sale) else None,
        "sold": sold,
        "lost": sums["lost"],
        "returned": sums["returned"],
        "left": None if total is None else total - sold - sums["lost"],
        "raised": {"from": first_sale[1]} if raised else None,
        "corrected": corrected,
        "pieces": [dict(row, product=name) for name, row in pieces.items() if row["sold"] != 0 or row["lost"] != 0],
    }
    found = [[code, seq] for code, seq in problems.items() if total is not None or code == "amount_refused"]
    by = newest.get("box", newest.get("catch"))
    return balance, found, None if weighed is None or by in mended else by


# ---- Known answers ----------------------------------------------------------------------------------------------------

def history(*facts):
    """Records of these kinds and data; a third item is the time."""
    return [{"seq": i + 1, "kind": fact[0], "data": fact[1], "at": fact[2] if len(fact) > 2 else "2026-11-21 06:00:0%d" % (i % 10)}
            for i, fact in enumerate(facts)]


CATCH = ("catch", {"species": "sample"})
WEIGHED = ("weight", {"of": "catch", "grams": 41000})


def sale(grams, **more):
    return ("sale", dict({"product": "Snapper", "grams": grams}, **more))


def corrects(seq, data):
    return ("correction", {"corrects": seq, "reason": "typed wrongly", "data": data})


def cases():
    loss = ("loss", {"product": "Snapper", "grams": 500, "reason": "dropped"})
    return {
        "sold, lost and left": history(CATCH, WEIGHED, sale(38200), loss),
        "to the last gram": history(CATCH, WEIGHED, sale(40500), loss),
        "a gram too much": history(CATCH, WEIGHED, sale(40501), loss),
        "a gram too much, that came back too late": history(CATCH, WEIGHED, sale(41001), sale(1, returned=True)),
        "came back, and was sold again": history(CATCH, WEIGHED, sale(41000), sale(41000, returned=True), sale(41000)),
        "more came back than was sold": history(CATCH, WEIGHED, sale(5), sale(6, returned=True)),
        "no weights stated": history(CATCH, sale(38200), sale(99, returned=True)),
        "a weight of nothing": history(CATCH, ("weight", {"of": "catch", "grams": 0})),
        "a weight below nothing": history(CATCH, ("weight", {"of": "catch", "grams": -41000})),
        "ten tonnes": history(CATCH, ("weight", {"of": "catch", "grams": 10000000})),
        "a tonne": history(CATCH, ("weight", {"of": "catch", "grams": 1000000}), sale(1000000)),
        "a tonne and a gram": history(CATCH, ("weight", {"of": "catch", "grams": 1000001})),
        "half a gram": history(CATCH, WEIGHED, sale(0.5)),
        "grams as text": history(CATCH, WEIGHED, sale("500")),
        "an amount that no box gives, without weights": history(CATCH, sale(-1)),
        "boxed, by a scale, within two in a hundred": history(CATCH, WEIGHED, ("weight", {"of": "box", "grams": 41820, "scale": "Scale 2"}), sale(41820)),
        "boxed above what was caught": history(CATCH, WEIGHED, ("weight", {"of": "box", "grams": 41821})),
        "raised after the first sale": history(CATCH, WEIGHED, sale(1000), ("weight", {"of": "catch", "grams": 45000})),
        "stated after the first sale": history(CATCH, sale(1000), WEIGHED),
        "lowered below what was sold": history(CATCH, WEIGHED, sale(30000), corrects(2, {"of": "catch", "grams": 29999})),
        "a sale corrected": history(CATCH, WEIGHED, sale(41000), corrects(3, {"product": "Snapper", "grams": 4100}), sale(36900)),
        "a correction that says nothing": history(CATCH, WEIGHED, sale(100), corrects(3, {"product": "Snapper"})),
        "a correction that makes readable": history(CATCH, WEIGHED, ("sale", {"what": "Snapper"}), corrects(3, {"product": "Snapper", "grams": 7})),
        "a correction of another catch": history(CATCH, WEIGHED, corrects(2, {"of": "box", "grams": 7})),
        "sold before the catch, by place": history(sale(5), CATCH, WEIGHED),
        "sold before the catch, by time": history(CATCH, WEIGHED, sale(5) + ("2026-11-20T05:59:59Z",)),
        "sold a day before, by another clock": history(CATCH, WEIGHED, sale(5) + ("2026-11-20T16:00:00.9+10:00",)),
        "in pieces": history(CATCH, WEIGHED, ("sale", {"product": "Oysters", "pieces": 12}), ("sale", {"product": "Oysters", "pieces": 2, "returned": True})),
        "on sale": history(CATCH, WEIGHED, ("offer", {"product": "Snapper", "linked": True, "grams": 40000}), ("offer", {"product": "Bream", "linked": True, "grams": 1000}), ("offer", {"product": "Bream", "linked": False})),
        "on sale, of one product nobody says how much": history(CATCH, WEIGHED, ("offer", {"product": "Snapper", "linked": True, "grams": 1}), ("offer", {"product": "Bream", "linked": True})),
        "a member that nobody knows beside the amount": history(CATCH, WEIGHED, sale(5, lot="7")),
        "one record withheld": history(CATCH, WEIGHED, sale(5)) + [{"seq": 4, "recordHash": "0" * 64, "withheld": True}],
    }


def make_all():
    answers = []
    for name, records in cases().items():
        balance, problems, _ = weigh(records)
        answers.append({"name": name, "records": records, "balance": balance, "problems": problems})
    return json.dumps(answers, indent=1, ensure_ascii=True, sort_keys=True) + "\n"


if __name__ == "__main__":
    if "--stdout" in sys.argv[1:]:
        sys.stdout.write(make_all())
    else:
        (pathlib.Path(__file__).parent / "weights.json").write_text(make_all(), encoding="ascii")
