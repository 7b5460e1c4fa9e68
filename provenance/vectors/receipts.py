"""Known answers of receipts, without any code of the project: lines and notes as people paste them, and what comes of each
against the log of today. Standard library and `verify_log.py` only; the keys are made from texts.

Run: python3 provenance/vectors/receipts.py > provenance/vectors/receipts.json
"""
import base64
import hashlib
import json
import re

from verify_log import BASE, MAX_SIZE, ORDER, P, Refused, ed25519_signed, need, strict_base64, sum_of

ORIGIN = "fish.example/befaqt/log"


def sha(*parts):
    return hashlib.sha256(b"".join(parts)).digest()


def b64(data):
    return base64.b64encode(data).decode()


# RFC 8032 section 5.1.5 and 5.1.6
def encoded(point):
    x, y, z, _ = point
    inverse = pow(z, P - 2, P)
    x, y = x * inverse % P, y * inverse % P
    return (y | (x & 1) << 255).to_bytes(32, "little")


def times_base(scalar):
    return encoded(sum_of(scalar, BASE, 0, BASE))


class Key:
    def __init__(self, seed):
        digest = hashlib.sha512(sha(seed.encode())).digest()
        number = int.from_bytes(digest[:32], "little")
        self.secret = number & (1 << 254) - 8 | 1 << 254
        self.prefix = digest[32:]
        self.public = times_base(self.secret)
        self.id = sha(ORIGIN.encode(), b"\n\x01", self.public)[:4]

    def sign(self, message):
        def number(*parts):
            return int.from_bytes(hashlib.sha512(b"".join(parts)).digest(), "little") % ORDER

        r = number(self.prefix, message)
        point = times_base(r)
        s = (r + number(point, self.public, message) * self.secret) % ORDER
        signature = point + s.to_bytes(32, "little")
        assert ed25519_signed(self.public, message, signature)
        return signature

    def text(self):
        return f"{ORIGIN}+{self.id.hex()}+{b64(bytes([1]) + self.public)}"


# The log: an anchor each hour, RFC 9162 section 2.1
def entry(i, history):
    root = sha(f"{history if i >= 200 else 'one'} {i}".encode()).hex()
    day, hour = divmod(i, 24)
    return json.dumps(
        {"boxes": i // 3 + 1, "index": i, "records": 2, "root": root, "time": f"2026-11-{day + 1:02}T{hour:02}:00:00Z"},
        separators=(",", ":"), sort_keys=True)


SIZE = 300
LOGS = {history: [entry(i, history) for i in range(SIZE)] for history in ("one", "two")}


def root_of(entries):
    if not entries:
        return sha()
    if len(entries) == 1:
        return sha(b"\x00", entries[0].encode())
    left = 1
    while left * 2 < len(entries):
        left *= 2
    return sha(b"\x01", root_of(entries[:left]), root_of(entries[left:]))


# Writing
def line(history, size, origin=ORIGIN):
    return f"befaqt1 {origin} {size} {b64(root_of(LOGS[history][:size]))}"


def note(history, size, key):
    text = f"{ORIGIN}\n{size}\n{b64(root_of(LOGS[history][:size]))}\n"
    return f"{text}\n\u2014 {ORIGIN} {b64(key.id + key.sign(text.encode()))}\n"


# Reading a line, strictly
def read_line(text):
    parts = text.split(" ")
    need(len(parts) == 4 and parts[0] == "befaqt1", "parts")
    _, origin, size, root = parts
    need(0 < len(origin.encode()) <= 255 and not re.search(r"\s", origin), "origin")
    need(re.fullmatch(r"[1-9][0-9]{0,15}", size) and int(size) <= MAX_SIZE, "size")
    need(len(root) == 44, "root")
    return origin, int(size), strict_base64(root, 32)


def state(text, today):
    """What becomes of a line without slips against the whole log."""
    origin, size, root = read_line(text)
    if origin != ORIGIN:
        return "other_log"
    if size > len(today):
        return "ahead"
    return "fits" if root_of(today[:size]) == root else "differs"


own, other = Key("log"), Key("another key")
whole = line("one", 123)
reads = [
    {"text": whole, "line": whole, "signed": False},
    {"text": f"Dear Ann,\r\n> > Receipt: {whole}\r\n> Kind regards", "line": whole, "signed": False},
    {"text": whole.replace(" ", "\u00a0"), "line": whole, "signed": False},
    {"text": whole[:60] + "\n   " + whole[60:], "line": whole, "signed": False},
    {"text": "\u200b".join(whole), "line": whole, "signed": False},
    {"text": note("one", 123, own), "line": whole, "signed": True},
    {"text": note("one", 123, own).replace("\n", "\r\n").rstrip(), "line": whole, "signed": True},
    {"text": f"{line('one', 7)}\n\n> {note('one', 123, own).replace(chr(10), chr(10) + '> ')}", "line": whole, "signed": True},
]
refused = [
    "", "befaqt1", "befaqt2" + whole[7:], whole.replace(" ", ""), whole[:-1], whole[:-5] + whole[-4:], whole + "A",
    line("one", 123).replace(" 123 ", " 0123 "), whole.replace(" 123 ", " 0 "), whole.replace(" 123 ", " -1 "),
    whole.replace(" 123 ", f" {MAX_SIZE + 1} "), whole[:-2] + chr(ord(whole[-2]) + 1) + "=",
    line("one", 123, "x" * 256), f"{ORIGIN}\n123\n{whole[-44:]}\n", "https://fish.example/SFMBox/byId/0345579444",
]
for text in refused:
    try:
        read_line(text)
    except Refused:
        continue
    raise AssertionError(text)

cases = []
for text, size in [(line("one", 1), SIZE), (line("one", 123), SIZE), (line("one", 256), SIZE), (line("one", SIZE), SIZE),
                   (line("two", 200), SIZE), (line("two", 201), SIZE), (line("two", 257), 257), (line("two", SIZE), SIZE),
                   (line("one", 258), 257), (line("one", SIZE), 1), (line("one", 123, "other.example/befaqt/log"), SIZE)]:
    cases.append({"receipt": text, "today": note("one", size, own), "proof": "line", "state": state(text, LOGS["one"][:size])})
for text, proof, expected in [
    (note("one", 123, own), "signed", "fits"), (note("two", 250, own), "signed", "differs"),
    (note("two", 250, other), "other_key", "differs"), (note("one", 123, other), "other_key", "fits"),
    (note("one", 123, own).replace("\n123\n", "\n124\n"), "unchecked", "changed"),
]:
    cases.append({"receipt": text, "today": note("one", SIZE, own), "proof": proof, "state": expected})
cases.append({"receipt": whole, "today": note("one", SIZE, other), "proof": "line", "state": "unsigned"})
for text in [whole[:-10] + ("A" if whole[-10] != "A" else "B") + whole[-9:], whole.replace(" 123 ", " 132 "),
             whole.replace(" 123 ", " 1230 "), whole.replace(" 123 ", " 23 ")]:
    assert state(text, LOGS["one"]) in ("differs", "ahead")
    cases.append({"receipt": text, "today": note("one", SIZE, own), "proof": "line", "state": "mistyped", "meant": whole})

print(json.dumps({"key": own.text(), "entries": LOGS["one"], "reads": reads, "refused": refused, "cases": cases}, indent=1))
