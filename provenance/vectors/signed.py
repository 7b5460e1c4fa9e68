"""Known answers of signed readings and weights, without any code of the project: CBOR, COSE and Ed25519 from their RFCs.

Run: python3 provenance/vectors/signed.py > provenance/vectors/signed.json
"""
import hashlib
import json
import struct

# Ed25519, RFC 8032 section 5.1, slow and plain
P = 2**255 - 19
L = 2**252 + 27742317777372353535851937790883648493
D = -121665 * pow(121666, P - 2, P) % P
ROOT = pow(2, (P - 1) // 4, P)


def recover_x(y, sign):
    square = (y * y - 1) * pow(D * y * y + 1, P - 2, P) % P
    x = pow(square, (P + 3) // 8, P)
    if (x * x - square) % P != 0:
        x = x * ROOT % P
    return P - x if x & 1 != sign else x


BASE = (recover_x(4 * pow(5, P - 2, P) % P, 0), 4 * pow(5, P - 2, P) % P)


def add(a, b):
    (x1, y1), (x2, y2) = a, b
    k = D * x1 * x2 * y1 * y2 % P
    return (
        (x1 * y2 + x2 * y1) * pow(1 + k, P - 2, P) % P,
        (y1 * y2 + x1 * x2) * pow(1 - k, P - 2, P) % P,
    )


def times(scalar, point):
    result = (0, 1)
    while scalar:
        if scalar & 1:
            result = add(result, point)
        point = add(point, point)
        scalar >>= 1
    return result


def packed(point):
    return (point[1] | (point[0] & 1) << 255).to_bytes(32, "little")


def number(data):
    return int.from_bytes(hashlib.sha512(data).digest(), "little")


def scalar_of(secret):
    scalar = int.from_bytes(hashlib.sha512(secret).digest()[:32], "little")
    return scalar & (1 << 254) - 8 | 1 << 254


def public_key(secret):
    return packed(times(scalar_of(secret), BASE))


def sign(secret, message):
    r = number(hashlib.sha512(secret).digest()[32:] + message) % L
    point = packed(times(r, BASE))
    s = (r + number(point + public_key(secret) + message) * scalar_of(secret)) % L
    return point + s.to_bytes(32, "little")


# CBOR, RFC 8949, shortest forms; numbers with a fraction as doubles


def head(major, value):
    for size, info, form in ((24, None, ">B"), (2**8, 24, ">B"), (2**16, 25, ">H"), (2**32, 26, ">I")):
        if value < size:
            return bytes([major << 5 | value]) if info is None else bytes([major << 5 | info]) + struct.pack(form, value)
    return bytes([major << 5 | 27]) + struct.pack(">Q", value)


def cbor(value):
    if isinstance(value, float):
        return b"\xfb" + struct.pack(">d", value)
    if isinstance(value, int):
        return head(0, value) if value >= 0 else head(1, -1 - value)
    if isinstance(value, bytes):
        return head(2, len(value)) + value
    if isinstance(value, str):
        return head(3, len(value.encode())) + value.encode()
    if isinstance(value, list):
        return head(4, len(value)) + b"".join(map(cbor, value))
    return head(5, len(value)) + b"".join(cbor(name) + cbor(item) for name, item in value.items())


secret = bytes(range(32))
key = public_key(secret)
key_id = hashlib.sha256(key).hexdigest()[:32]

# COSE_Sign1 (RFC 9052) over SenML (RFC 8428)
pack = [
    {-2: "urn:dev:mac:0024befffe804ff1_", -3: 1795222800, -4: "Cel", 0: "box", 3: "0345579444"},
    {0: "count", 1: "count", 2: 41},
    {0: "bat", 1: "%EL", 2: 87},
    {0: "temp", 2: 1.5},
    {0: "temp", 2: -0.25, 6: 60.25},
    {0: "lat", 1: "lat", 2: -33.5, 6: 60.25},
    {0: "lon", 1: "lon", 2: 151.25, 6: 60.25},
]
protected, payload = cbor({1: -8, 3: 112, 4: bytes.fromhex(key_id)}), cbor(pack)
signature = sign(secret, cbor(["Signature1", protected, b"", payload]))
cose = b"\xd2" + cbor([protected, {}, payload, signature])

# Canonical JSON (RFC 8785): names sorted, no white space, numbers as ECMAScript writes them
reading = {
    "battery": 60,
    "box": "0345579444",
    "counter": 3,
    "iotID": "P-1",
    "key": key_id,
    "latitude": -33.5,
    "longitude": 151.25,
    "temperature": 1.5,
    "time": "2026-11-21 12:00:00",
    "v": 1,
}
text = json.dumps(reading, sort_keys=True, separators=(",", ":"))



def chained_cose(counter, prev):
    """The same pack with another counter, after the statement with this hash."""
    said = [one if one.get(0) != "count" else {0: "count", 1: "count", 2: counter} for one in pack]
    head_bytes = cbor({1: -8, 3: 112, 4: bytes.fromhex(key_id), -70001: prev})
    return b"\xd2" + cbor([head_bytes, {}, cbor(said), sign(secret, cbor(["Signature1", head_bytes, b"", cbor(said)]))])


def chained_text(counter, prev):
    return json.dumps(dict(reading, counter=counter, prev=prev.hex()), sort_keys=True, separators=(",", ":")).encode()


def chain(make):
    """Two statements, the first of a device that has signed nothing about this box, with the hash of each."""
    links, prev = [], bytes(32)
    for counter in (42, 43):
        statement = make(counter, prev)
        prev = hashlib.sha256(statement).digest()
        links.append((statement, prev.hex()))
    return links


def records():
    """What a shop makes of them, `at` being the time that was signed; and of another time, however little other."""
    level = {"key": key_id, "level": "gateway"}
    logger = {"iotID": "urn:dev:mac:0024befffe804ff1", "latitude": -33.5, "longitude": 151.25, "temperature": -0.25, "time": "2026-11-21T01:01:00.250Z"}
    phone = {name: reading[name] for name in ("iotID", "latitude", "longitude", "temperature", "time")}
    cose_data = dict(logger, signed=dict(level, form="cose", bytes=cose.hex(), place=1))
    text_data = dict(phone, signed=dict(level, form="jcs", text=text, signature=sign(secret, text.encode()).hex()))
    for data, others in (
        (cose_data, ["2026-11-21T01:00:00.000Z", "2026-11-21T01:01:00.25Z", "2026-11-21T12:01:00.250+11:00"]),
        (text_data, ["2026-11-21 12:00:01", "2026-11-21T12:00:00+11:00"]),
    ):
        yield {"at": data["time"], "data": data, "finding": None}
        for at in others:
            yield {"at": at, "data": data, "finding": "signature_mismatch"}


def weighing(counter, prev, grams, of="box"):
    """What a scale sends: box, counter, what it weighed and of what, in kilograms."""
    said = [
        {-2: "urn:dev:mac:0024befffe80aaaa_", -3: 1795222800, 0: "box", 3: "0345579444"},
        {0: "count", 1: "count", 2: counter},
        {0: "of", 3: of},
        {0: "mass", 1: "kg", 2: grams / 1000},
    ]
    head_bytes = cbor({1: -8, 3: 112, 4: bytes.fromhex(key_id), -70001: prev})
    return b"\xd2" + cbor([head_bytes, {}, cbor(said), sign(secret, cbor(["Signature1", head_bytes, b"", cbor(said)]))])


def weights():
    """What a shop makes of a scale's statements; and records that say something else, or more, or of half a gram."""
    def record(data, at="2026-11-21T01:00:00.000Z", finding="signature_mismatch"):
        return {"at": at, "data": data, "finding": finding}

    def data_of(statement, grams):
        mark = {"form": "cose", "key": key_id, "bytes": statement.hex()}
        return {"of": "box", "grams": grams, "scale": "urn:dev:mac:0024befffe80aaaa", "weighed": mark}

    first = weighing(1, bytes(32), 38205)
    true = data_of(first, 38205)
    yield record(true, finding=None)
    yield record(data_of(weighing(2, hashlib.sha256(first).digest(), 41000), 41000), finding=None)
    for other in ({"grams": 38206}, {"of": "catch"}, {"scale": "Scale 2"}, {"note": ""}, {"weighed": dict(true["weighed"], place=0)}):
        yield record(dict(true, **other))
    yield record(true, "2026-11-21T01:00:00Z")
    yield record(data_of(weighing(3, bytes(32), 0.5), 1))


nonce = hashlib.sha256(b"nonce").digest()
print(
    json.dumps(
        {
            "key": key.hex(),
            "keyId": key_id,
            "cose": cose.hex(),
            "jcs": {"text": text, "signature": sign(secret, text.encode()).hex()},
            "chains": {
                "cose": [{"bytes": statement.hex(), "hash": own} for statement, own in chain(chained_cose)],
                "jcs": [
                    {"text": statement.decode(), "signature": sign(secret, statement).hex(), "hash": own}
                    for statement, own in chain(chained_text)
                ],
            },
            "records": list(records()),
            "weights": list(weights()),
            "enrolment": {
                "nonce": nonce.hex(),
                "signature": sign(secret, b"befaqt/1/enrol\n" + nonce + key_id.encode()).hex(),
            },
        },
        indent=2,
    )
)
