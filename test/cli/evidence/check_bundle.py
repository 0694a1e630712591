"""Checks an evidence bundle by docs/evidence-bundle.md and the pages that it links to alone, with Python's standard library.

Usage: check_bundle.py BUNDLE.zip INVOICE_NUMBER [VERIFIER_KEY]. Prints one JSON object; raises AssertionError at the first
difference, or at what it does not compute: time zones, cut windows of gauges, prepaid units of cut windows or after a
switch. Reversals and late usage are summed, not computed.
"""

import base64
import hashlib
import json
import math
import operator
import re
import sys
import uuid
import zipfile
from datetime import datetime, timedelta
from decimal import Decimal
from fractions import Fraction


def sha256(data):
    return hashlib.sha256(data).hexdigest()


class Number(float):
    """A number that is written as it was read."""

    def __new__(cls, text):
        number = super().__new__(cls, text)
        number.text = text
        return number

    def __repr__(self):
        return self.text


def canonical(value):
    """Canonical JSON. Lines of a bundle are canonical, so numbers are written as they stand there."""
    if isinstance(value, dict):
        members = sorted(value.items(), key=lambda member: member[0].encode("utf-16-be"))
        return "{" + ",".join(canonical(name) + ":" + canonical(member) for name, member in members) + "}"
    if isinstance(value, list):
        return "[" + ",".join(map(canonical, value)) + "]"
    if isinstance(value, Number):
        return value.text
    return json.dumps(value, ensure_ascii=False)


def hash_of(value):
    return sha256(canonical(value).encode())


def lines_of(archive, name):
    return [json.loads(line, parse_float=Number) for line in archive.read(name).decode().splitlines()]


def parts_of(archive, kind):
    """The lines of all files of a kind."""
    names = sorted(name for name in archive.namelist() if name.startswith(kind + "/"))
    return [line for name in names for line in lines_of(archive, name)]


# --- Ed25519 (RFC 8032) ---

P = 2**255 - 19
ORDER = 2**252 + 27742317777372353535851937790883648493
D = -121665 * pow(121666, -1, P) % P


def point_of(data):
    y = int.from_bytes(data, "little")
    sign, y = y >> 255, y & (2**255 - 1)
    square = (y * y - 1) * pow(D * y * y + 1, -1, P) % P
    x = pow(square, (P + 3) // 8, P)
    if (x * x - square) % P:
        x = x * pow(2, (P - 1) // 4, P) % P
    assert y < P and (x * x - square) % P == 0 and not (x == 0 and sign), "no point of the curve"
    return (P - x if x & 1 != sign else x), y


def added(one, other):
    (a, b), (c, d) = one, other
    product = D * a * b * c * d % P
    return (a * d + b * c) * pow(1 + product, -1, P) % P, (b * d + a * c) * pow(1 - product, -1, P) % P


def times(factor, point):
    result = (0, 1)
    while factor:
        if factor & 1:
            result = added(result, point)
        point, factor = added(point, point), factor >> 1
    return result


BASE = point_of((4 * pow(5, -1, P) % P).to_bytes(32, "little"))


def is_signed(public_key, message, signature):
    factor = int.from_bytes(signature[32:], "little")
    digest = int.from_bytes(hashlib.sha512(signature[:32] + public_key + message).digest(), "little") % ORDER
    expected = added(point_of(signature[:32]), times(digest, point_of(public_key)))
    return len(signature) == 64 and factor < ORDER and times(factor, BASE) == expected


# --- the tree (docs/transparency-log.md) ---


def leaf_hash(data):
    return hashlib.sha256(b"\0" + data).digest()


def node_hash(left, right):
    return hashlib.sha256(b"\1" + left + right).digest()


def largest_power_below(count):
    return 1 << ((count - 1).bit_length() - 1)


def root_of(leaves):
    if len(leaves) == 1:
        return leaves[0]
    left = largest_power_below(len(leaves))
    return node_hash(root_of(leaves[:left]), root_of(leaves[left:]))


def path_of(index, size):
    """The nodes from a leaf to the root as (begin, end), each with its sibling; the root has none."""
    begin, end, path = 0, size, [((0, size), None)]
    while end - begin > 1:
        middle = begin + largest_power_below(end - begin)
        if index < middle:
            path.append(((begin, middle), (middle, end)))
            end = middle
        else:
            path.append(((middle, end), (begin, middle)))
            begin = middle
    return path[::-1]


def checkpoint_of(note, key):
    """Reads a checkpoint. With a key its signature is checked."""
    text, signatures = note[: note.rindex("\n\n") + 1], note[note.rindex("\n\n") + 2 :].splitlines()
    origin, size, root = text.splitlines()
    if key is not None:
        name, key_id, encoded = key.split("+", 2)
        public = base64.b64decode(encoded)
        assert name == origin and public[0] == 1
        assert sha256(name.encode() + b"\n" + public)[:8] == key_id, "the id of the key"
        signed = [base64.b64decode(line.split(" ")[2]) for line in signatures if line.split(" ")[1] == name]
        own = [one[4:] for one in signed if one[:4].hex() == key_id]
        assert own and is_signed(public[1:], text.encode(), own[0]), "the signature of the checkpoint"
    return int(size), base64.b64decode(root)


def check_proofs(archive, key):
    """Every event and batch that has a proof is a leaf of the tree of the checkpoint. Returns how many have one."""
    if "checkpoint.jsonl" not in archive.namelist():
        return 0
    size, root = checkpoint_of(lines_of(archive, "checkpoint.jsonl")[0]["note"], key)
    proven = 0
    for name in archive.namelist():
        if not name.startswith("proofs/"):
            continue
        items = {}
        for event in lines_of(archive, name.replace("proofs", "events")):
            items[event["stream"], event["revision"]] = {**event, "kind": "event", "v": 1}
        for batch in batches.values() if name == "proofs/0000.jsonl" else ():
            rows = [leaf_hash(bytes.fromhex(one)) for one in batch["body_hashes"]]
            leaf = {member: batch[member] for member in ("earliest", "events", "number", "straggler")}
            leaf |= {"kind": "usage_batch", "receivedAt": batch["received_at"], "root": root_of(rows).hex(), "v": 1}
            items["batch", batch["number"]] = leaf
        known = {(0, size): root}
        for proof in lines_of(archive, name):
            item = items["batch", proof["batch"]] if "batch" in proof else items[proof["stream"], proof["revision"]]
            given = [base64.b64decode(one) for one in proof["hashes"]]
            node = leaf_hash(canonical({**item, "position": proof["index"]}).encode())
            found = {}
            for place, sibling in path_of(proof["index"], size):
                if place in known:
                    break
                beside = given.pop(0)
                found |= {place: node, sibling: beside}
                node = node_hash(node, beside) if place < sibling else node_hash(beside, node)
            assert known[place] == node and not given, proof
            known |= found
            proven += 1
    return proven


# --- usage (docs/billing.md#usage) ---

NUMBER = re.compile(r"-?(0|[1-9]\d*)(\.\d+)?([eE][+-]?\d+)?")


def value_of(row, metric):
    """The number that an event has; None where it counts as absent."""
    value = row["properties"].get(metric["propertyName"])
    text = value if isinstance(value, str) else canonical(value)
    if isinstance(value, bool) or not NUMBER.fullmatch(text):
        return None
    digits = re.sub(r"[eE].*|[-.]", "", text).strip("0")
    return Fraction(text) if len(digits) <= 15 else None


def time_of(text):
    return datetime.fromisoformat(text.replace("Z", "+00:00"))


def text_of(row, name):
    """The text of a property; None where it counts as missing."""
    value = row["properties"].get(name)
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, (int, float)):
        return f"{Decimal(canonical(value)):f}"
    return value if isinstance(value, str) else None


COMPARED = {"gte": operator.ge, "gt": operator.gt, "eq": operator.eq, "lt": operator.lt, "lte": operator.le}


def passes(row, metric, filters):
    """Whether an event passes the filters of the metric and of the subscription."""
    for one in metric["numericFilters"]:
        value = value_of(row, one)
        if value is None or not COMPARED[one["operator"]](value, Fraction(one["comparisonValue"])):
            return False
    for one in metric["categoricalFilters"]:
        if (text_of(row, one["propertyName"]) in one["comparisonValue"]) != (one["operator"] == "isin"):
            return False
    return all(text_of(row, one["propertyName"]) == one["value"] for one in filters)


def rows_of(close, metric, filters):
    """The usage that a count has read, by time and id."""
    window = close["window"]
    rows = [
        row
        for row in usage
        if row["customer_key"] == computed["customerKey"]
        and row["event_name"] == metric["eventName"]
        and close["reading"]["start"] <= row["event_time"] < window["end"]
        and row["batch"] <= int(close["sealedUpTo"])
        and passes(row, metric, filters)
    ]
    rows.sort(key=lambda row: (row["event_time"], row["idempotency_id"].encode()))
    if metric["metricType"] == "gauge" and metric["eventType"] == "total":
        # The newest row with a value before the window carries in; older rows are not read.
        valued = [row["event_time"] for row in rows if row["event_time"] < window["start"] and value_of(row, metric) is not None]
        rows = [row for row in rows if row["event_time"] >= max(valued, default=window["start"])]
    return rows


def digest_of(rows):
    ordered = sorted(rows, key=lambda row: row["idempotency_id"].encode())
    return sha256(b"".join(bytes.fromhex(row["body_hash"]) for row in ordered))


def check_digest(close, rows):
    after = close.get("level", {}).get("after")
    if after is None:
        assert digest_of(rows) == close["digest"], close["closeId"]
        return
    before = closes[after]
    since = [
        row for row in rows if row["event_time"] >= before["window"]["end"] or row["batch"] > int(before["sealedUpTo"])
    ]
    both = bytes.fromhex(before["digest"]) + bytes.fromhex(digest_of(since))
    assert (sha256(both) if since else before["digest"]) == close["digest"], close["closeId"]


def aggregated(kind, rows, metric):
    values = [value for value in (value_of(row, metric) for row in rows) if value is not None]
    if kind == "count":
        return Fraction(len(rows))
    if kind == "unique":
        return Fraction(len({text_of(row, metric["propertyName"]) for row in rows} - {None}))
    if kind == "average":
        return sum(values, Fraction(0)) / len(values) if values else Fraction(0)
    return max(values, default=Fraction(0)) if kind == "max" else sum(values, Fraction(0))


def gauge_level(close, rows, metric):
    """Σ (peak of each day × its length) ÷ the length of the window, which is a whole period in UTC."""
    assert close["window"] == close["period"] and metric["granularity"] in ("total", "months"), "a cut window"
    assert metric["proration"] in (None, "days"), metric["proration"]
    begin, end = time_of(close["window"]["start"]), time_of(close["window"]["end"])
    length = timedelta(days=1) if metric["proration"] else end - begin
    steps = [(time_of(row["event_time"]), value_of(row, metric)) for row in rows]
    steps = [(at, value) for at, value in steps if value is not None]
    level, total = Fraction(0), Fraction(0)
    while begin < end:
        peak = None
        while steps and steps[0][0] < begin + length:
            at, value = steps.pop(0)
            if at > begin and peak is None:
                peak = level
            level = value if metric["eventType"] == "total" else level + value
            peak = None if peak is None else max(peak, level)
        total += (level if peak is None else peak) * int(length.total_seconds())
        begin += length
    return total / int((end - time_of(close["window"]["start"])).total_seconds())


LOOKS_BACK = {"seconds": 1, "minutes": 60, "hours": 3600, "days": 86400}


def highest_rate(close, rows, metric):
    back = timedelta(seconds=LOOKS_BACK[metric["granularity"]])
    ends = [time_of(row["event_time"]) for row in rows if row["event_time"] >= close["window"]["start"]]
    stretches = ([row for row in rows if end - back <= time_of(row["event_time"]) <= end] for end in ends)
    return max((aggregated(metric["aggregation"], stretch, metric) for stretch in stretches), default=Fraction(0))


def quantity_of(close, rows, metric):
    if metric["metricType"] == "counter":
        return aggregated(metric["aggregation"], rows, metric)
    return (gauge_level if metric["metricType"] == "gauge" else highest_rate)(close, rows, metric)


# --- amounts (docs/billing.md#rounding, #tiers, #tax) ---


def minor(money):
    return int(money["amount"])


def half_away(value):
    return int(math.copysign(math.floor(abs(value) + Fraction(1, 2)), value))


def starts_of(tiers):
    """Where tiers start: one that starts exactly 1 above the end before it starts at that end."""
    starts, end = [], None
    for tier in tiers:
        start = Fraction(tier["rangeStart"])
        starts.append(end if end is not None and start == end + 1 else start)
        end = None if tier["rangeEnd"] is None else Fraction(tier["rangeEnd"])
    return starts


ROUNDED = {"round_up": math.ceil, "round_down": math.floor, "round_nearest": half_away}


def batches_of(tier, units):
    batches = units / Fraction(tier["unitsPerBatch"])
    return Fraction(ROUNDED[tier["rounding"]](batches)) if tier["rounding"] in ROUNDED else batches


def bulk_price_of(tiers, units):
    """Bulk pricing: the tier that contains the quantity prices all of it; above a closed last tier, that tier."""
    within = [tier for tier in tiers if tier["rangeEnd"] is None or units <= Fraction(tier["rangeEnd"])]
    tier = (within or tiers[-1:])[0]
    if tier["type"] == "free":
        return Fraction(0)
    return Fraction(tier["costPerBatch"]) * (1 if tier["type"] == "flat" else batches_of(tier, units))


def price_of(component, units):
    tiers, units = component["tiers"], max(units, Fraction(0))
    if component["volume"]:
        return bulk_price_of(tiers, units)
    total = Fraction(0)
    for start, tier in zip(starts_of(tiers), tiers):
        end = tier["rangeEnd"]
        if tier["type"] == "flat":
            if units > start or start == 0:
                total += Fraction(tier["costPerBatch"])
            continue
        inside = max(Fraction(0), min(units, Fraction(end)) - start if end is not None else units - start)
        if tier["type"] == "free" or inside == 0:
            continue
        total += batches_of(tier, inside) * Fraction(tier["costPerBatch"])
    return total


def prepaid_units(line, component, before):
    """The prepaid units that a term has before an instant, by its events up to the revision that the invoice names."""
    stream = next(one for one in terms_of if one.endswith("." + line["subscriptionId"]))
    own = [e for e in events if e["stream"] == stream and e["revision"] <= terms_of[stream]]
    units = component["prepaid"]["units"]
    for event in own:
        data = event["data"]
        if event["type"] == "SubscriptionStarted":
            named = data["term"].get("prepaidUnits", [])
            units = next((one["units"] for one in named if one["metricId"] == component["metricId"]), units)
        if event["type"] == "PrepaidUnitsChanged" and data["metricId"] == component["metricId"]:
            units = data["units"] if data["effectiveAt"] < before else units
    return Fraction(units or 0)


def check_usage_line(line, content):
    close = closes[line["explanation"]["closeId"]]
    component = next(one for one in content["components"] if one["metricId"] == close["metricId"])
    assert "covered" not in line["explanation"], "units bought before a switch"
    metric = component["metric"]
    rows = rows_of(close, metric, line["filters"] or [])
    check_digest(close, rows)
    quantity = quantity_of(close, rows, metric)
    assert quantity == Fraction(close["quantity"]), (line["name"], quantity, close["quantity"])
    assert Fraction(half_away(quantity * 10**10), 10**10) == Fraction(line["quantity"]), line["name"]
    price = price_of(component, quantity)
    if component["prepaid"]:
        price = max(Fraction(0), price - price_of(component, prepaid_units(line, component, close["window"]["end"])))
    assert half_away(price * scale) == minor(line["base"]), (line["name"], price, line["base"])


def check_units_line(line, content):
    """The first charge of a window's prepaid units; a later change is a difference, which is summed."""
    component = next(one for one in content["components"] if line["chargeKey"].find(one["metricId"]) >= 0)
    units = prepaid_units(line, component, line["period"]["end"])
    assert units == Fraction(line["quantity"]), line["name"]
    fraction = Fraction(line["explanation"].get("fraction", 1))
    assert component["prepaid"]["behavior"] == "prorate" or fraction == 1, line["name"]
    assert half_away(price_of(component, units) * fraction * scale) == minor(line["base"]), line["name"]


def check_charge(line, content):
    charge = next(one for one in content["recurringCharges"] if one["name"] == line["name"])
    units = Fraction(line["quantity"]) if "addon" in line else 1
    amount = Fraction(charge["amount"]) * Fraction(line["explanation"]["fraction"]) * units
    assert half_away(amount * scale) == minor(line["base"]), line["name"]


def tax_of(line):
    return sum(minor(one["amount"]) for one in line["adjustments"] if one["type"] == "sales_tax")


def check_taxes(lines):
    """Per rate one tax, shared to the lines by largest remainder; reversals have no part in it."""
    for rate in {line["explanation"]["taxRate"] for line in lines}:
        taxed = [line for line in lines if line["explanation"]["taxRate"] == rate]
        bases = [minor(line["subtotal"]) for line in taxed]
        due = half_away(sum(bases) * Fraction(rate) / 100)
        exact = [Fraction(due * base, sum(bases) or 1) for base in bases]
        shares = [math.floor(one) for one in exact]
        order = sorted(range(len(taxed)), key=lambda at: (shares[at] - exact[at], at))
        for at in order[: due - sum(shares)]:
            shares[at] += 1
        assert shares == [tax_of(line) for line in taxed], (rate, shares)


archive = zipfile.ZipFile(sys.argv[1])
manifest = json.loads(archive.read("manifest.json"))
assert manifest["format"] == "recount-evidence" and manifest["version"] in (3, 4)
for name, stated in manifest["files"].items():
    data = archive.read(name)
    assert (len(data), sha256(data)) == (stated["bytes"], stated["sha256"]), name

batches = {batch["number"]: batch for batch in lines_of(archive, "batches.jsonl")}
for batch in batches.values():
    assert sha256(b"".join(map(bytes.fromhex, batch["body_hashes"]))) == batch["digest"], batch["number"]

usage = parts_of(archive, "usage")
for row in usage:
    fields = ("idempotency_id", "customer_key", "event_name", "event_time", "properties")
    row["body_hash"] = hash_of([row[field] for field in fields])
    assert row["body_hash"] in batches[row["batch"]]["body_hashes"], row["idempotency_id"]

events = parts_of(archive, "events")
seen, revisions = {}, {}
for event in events:
    assert event["revision"] == revisions.get(event["stream"], 0), f"a gap of {event['stream']}"
    revisions[event["stream"]] = event["revision"] + 1
    command = (event["stream"], event["metadata"]["commandId"])
    seen[command] = seen.get(command, -1) + 1
    assert event["id"] == str(uuid.uuid5(uuid.UUID(command[1]), f"{command[0]}#{seen[command]}")), event["id"]
proven = check_proofs(archive, sys.argv[3] if len(sys.argv) > 3 else None)

# An event of the invoice records the hash of each document.
recorded = {}
for event in events:
    if event["type"] == "InvoiceDocumentKept":
        recorded.setdefault("invoice_" + event["data"]["invoiceId"], set()).add(event["data"]["sha256"])
ids = {line["number"]: line["id"] for line in parts_of(archive, "invoices")}
documents = [name for name in manifest["files"] if name.startswith("pdfs/")]
for name in documents:
    assert sha256(archive.read(name)) in recorded.get(ids[name[5:-4]], ()), name

# Each disclosed key opens the sealed record of an event.
disclosed = parts_of(archive, "personal-data")
sealed = {(event["stream"], event["revision"]): event["data"].get("sealed") for event in events}
for line in disclosed:
    form, record = sealed[line["stream"], line["revision"]].split(".")
    assert (line["key"] is None) == (form == "v1"), f"the key of {line['stream']}"
    if form == "v1":
        continue
    key = base64.b64decode(line["key"])
    commitment = base64.urlsafe_b64decode(record + "=" * (-len(record) % 4))[28:60]
    assert form == "v2" and hashlib.sha256(b"recount record key commitment" + key).digest() == commitment, line["stream"]

invoice = next(line for line in parts_of(archive, "invoices") if line["number"] == sys.argv[2])
computed = next(
    event["data"] for event in events if event["type"] == "InvoiceComputed" and "invoice_" + event["data"]["invoiceId"] == invoice["id"]
)
assert hash_of(computed["inputs"]) == computed["fingerprint"] == invoice["fingerprint"]
hashed = {name: computed[name] for name in ("costDue", "drawdowns", "grants", "lines", "reductions", "total")}
assert hash_of(hashed) == computed["resultHash"] == invoice["result_hash"]

# The day assigned its number to this result, chained to the number before.
day, chained, assigned = sys.argv[2].split("-")[0], "", {}
for event in events:
    if event["type"] != "NumbersAssigned" or not event["stream"].endswith("." + day):
        continue
    for one in event["data"]["assignments"]:
        chained = sha256((chained + one["resultHash"]).encode())
        assert one["chainHash"] == chained, one["number"]
        assigned[one["number"]] = ("invoice_" + one["invoiceId"], one["resultHash"])
assert assigned[sys.argv[2]] == (invoice["id"], computed["resultHash"]), "the number"

PRICED = ("PlanVersionPublished", "AddonDefined")
versions = {e["data"]["version"]["versionId"]: e["data"]["version"] for e in events if e["type"] in PRICED}
for term in computed["inputs"]["terms"]:
    assert hash_of(versions[term["versionId"]]["content"]) == term["contentHash"]
    for addon in term.get("addons", []):
        assert hash_of(versions[addon["addonVersionId"]]["content"]) == addon["contentHash"]

prefix = "subscription-" + invoice["stream"].split("-", 1)[1].split(".")[0] + "."
terms_of = {prefix + term["subscriptionId"]: int(term["revision"]) for term in computed["inputs"]["terms"]}
closes = {event["data"]["closeId"]: event["data"] for event in events if event["type"] == "UsagePeriodClosed"}
settings = next(event["data"]["settings"] for event in events if event["type"] == "OrganizationCreated")
assert settings["timezone"] == "UTC", "another time zone"
scale = 10 ** computed["total"]["scale"]
total, checked, taxed = 0, [], []
for line in computed["lines"]:
    explanation = line["explanation"]
    if "addon" in line:
        content = versions[line["addon"]["addonVersionId"]]["content"]
    else:
        content = line["plan"] and versions[line["plan"]["versionId"]]["content"]
    if explanation["rule"] == "usage" and "previousCloseId" not in explanation:
        check_usage_line(line, content)
        checked.append(line["name"])
    elif explanation["rule"] == "prepaid_units" and minor(line["base"]) >= 0 and "held" not in explanation:
        check_units_line(line, content)
        checked.append(line["name"])
    elif explanation["rule"] == "recurring_charge" and minor(line["base"]) >= 0:
        check_charge(line, content)
        checked.append(line["name"])
    if "taxRate" in explanation:
        taxed.append(line)
    assert minor(line["base"]) + sum(minor(one["amount"]) for one in line["adjustments"]) == minor(line["amount"])
    total += minor(line["amount"])
if all(minor(line["subtotal"]) >= 0 and "previousCloseId" not in line["explanation"] for line in taxed):
    check_taxes(taxed)
assert total == minor(computed["total"])
print(
    json.dumps(
        {"events": len(events), "usage": len(usage), "proven": proven, "documents": len(documents), "disclosed": len(disclosed), "lines": checked, "cost_due": minor(computed["costDue"])}
    )
)
