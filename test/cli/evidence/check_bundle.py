"""Checks an evidence bundle by docs/evidence-bundle.md alone, with Python's standard library.

Usage: check_bundle.py BUNDLE.zip INVOICE_NUMBER. Prints one JSON object; raises AssertionError at the first difference.
"""

import hashlib
import json
import math
import sys
import uuid
import zipfile
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


def minor(money):
    return int(money["amount"])


def half_away(value):
    return int(math.copysign(math.floor(abs(value) + Fraction(1, 2)), value))


def price_of(tiers, units):
    """The price of a metric whose tiers are not by volume."""
    total = Fraction(0)
    for tier in tiers:
        start, end = Fraction(tier["rangeStart"]), tier["rangeEnd"]
        inside = max(Fraction(0), min(units, Fraction(end)) - start if end is not None else units - start)
        if tier["type"] == "free" or inside == 0:
            continue
        batches = inside / Fraction(tier["unitsPerBatch"])
        if tier["rounding"] == "round_up":
            batches = Fraction(math.ceil(batches))
        total += batches * Fraction(tier["costPerBatch"])
    return total


archive = zipfile.ZipFile(sys.argv[1])
manifest = json.loads(archive.read("manifest.json"))
assert (manifest["format"], manifest["version"]) == ("recount-evidence", 2)
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
seen = {}
for event in events:
    command = (event["stream"], event["metadata"]["commandId"])
    seen[command] = seen.get(command, -1) + 1
    assert event["id"] == str(uuid.uuid5(uuid.UUID(command[1]), f"{command[0]}#{seen[command]}")), event["id"]

invoice = next(line for line in parts_of(archive, "invoices") if line["number"] == sys.argv[2])
computed = next(
    event["data"] for event in events if event["type"] == "InvoiceComputed" and "invoice_" + event["data"]["invoiceId"] == invoice["id"]
)
assert hash_of(computed["inputs"]) == computed["fingerprint"] == invoice["fingerprint"]
hashed = {name: computed[name] for name in ("costDue", "drawdowns", "grants", "lines", "reductions", "total")}
assert hash_of(hashed) == computed["resultHash"] == invoice["result_hash"]

versions = {e["data"]["version"]["versionId"]: e["data"]["version"] for e in events if e["type"] == "PlanVersionPublished"}
for term in computed["inputs"]["terms"]:
    assert hash_of(versions[term["versionId"]]["content"]) == term["contentHash"]

closes = {event["data"]["closeId"]: event["data"] for event in events if event["type"] == "UsagePeriodClosed"}
total = 0
for line in computed["lines"]:
    explanation = line["explanation"]
    if explanation["rule"] == "usage" and "previousCloseId" not in explanation:
        close = closes[explanation["closeId"]]
        component = next(
            one
            for one in versions[line["plan"]["versionId"]]["content"]["components"]
            if one["metricId"] == close["metricId"]
        )
        metric = component["metric"]
        counted = [
            row
            for row in usage
            if row["customer_key"] == computed["customerKey"]
            and row["event_name"] == metric["eventName"]
            and close["window"]["start"] <= row["event_time"] < close["window"]["end"]
            and row["batch"] <= int(close["sealedUpTo"])
        ]
        counted.sort(key=lambda row: row["idempotency_id"].encode())
        assert sha256(b"".join(bytes.fromhex(row["body_hash"]) for row in counted)) == close["digest"]
        quantity = sum(Fraction(str(row["properties"][metric["propertyName"]])) for row in counted)
        assert quantity == Fraction(close["quantity"]) == Fraction(line["quantity"])
        assert half_away(price_of(component["tiers"], quantity) * 100) == minor(line["base"])
    taxes = [minor(one["amount"]) for one in line["adjustments"] if one["type"] == "sales_tax"]
    if "taxRate" in explanation:
        assert half_away(Fraction(minor(line["subtotal"])) * Fraction(explanation["taxRate"]) / 100) == sum(taxes)
    assert minor(line["base"]) + sum(minor(one["amount"]) for one in line["adjustments"]) == minor(line["amount"])
    total += minor(line["amount"])
assert total == minor(computed["total"])
print(json.dumps({"events": len(events), "usage": len(usage), "cost_due": minor(computed["costDue"])}))
