# Written from the API document by `npm run generate:clients`. Changes here are lost.
"""What the API takes and answers."""

from __future__ import annotations

from typing import Any, Literal, NotRequired, TypeAlias, TypedDict

class AccessSubscription(TypedDict):
    start_date: str
    """When the term begins."""
    end_date: str
    """When the term ends. A boundary is shown as the last microsecond before it, an end that was set as that
    instant.
    """
    subscription_filters: list[SubscriptionFilter]
    """Property filters: a subscription with filters counts usage with these values only."""
    plan: PlanRef
    """Plan and version of the subscription."""


class AddFeatureBody(TypedDict):
    feature_id: str
    """Id of the feature."""
    version_ids: NotRequired[list[str] | None]
    """The versions that get the feature."""
    all_versions: NotRequired[bool | None]
    """true: every version of the plan gets the feature."""


class Addon(TypedDict):
    addon_id: str
    """Id of the add-on."""
    addon_name: str
    """Name of the add-on, unique."""
    addon_description: str | None
    """Description of the add-on for people."""
    addon_type: Literal['flat', 'usage_based']
    """Whether usage is charged.

    - `flat`: Fixed charges only.
    - `usage_based`: Usage is charged too.
    """
    billing_frequency: Literal['one_time', 'recurring']
    """Whether the add-on is charged once or in every interval.

    - `one_time`: Charged once, when attached.
    - `recurring`: Charged in every interval.
    """
    versions: list[AddonVersion]
    """The versions, in the order they were made."""


class AddonRef(TypedDict):
    addon_name: str
    """Name of the add-on, unique."""
    addon_id: str
    """Id of the add-on."""
    addon_type: Literal['flat', 'usage_based']
    """Whether usage is charged.

    - `flat`: Fixed charges only.
    - `usage_based`: Usage is charged too.
    """
    billing_frequency: Literal['one_time', 'recurring']
    """Whether the add-on is charged once or in every interval.

    - `one_time`: Charged once, when attached.
    - `recurring`: Charged in every interval.
    """


class AddonSubscription(TypedDict):
    addon_subscription_id: str
    """Id of the add-on as it is attached to this subscription."""
    start_date: str
    """When the term begins."""
    end_date: str
    """When the term ends. A boundary is shown as the last microsecond before it, an end that was set as that
    instant.
    """
    addon: AddonRef
    """The add-on."""
    fully_billed: bool
    """The term is over and everything in it is on an issued invoice."""


class AddonVersion(TypedDict):
    addon_version_id: str
    """Id of the version of the add-on. Attaching takes it in place of `addon_id`."""
    addon_type: Literal['flat', 'usage_based']
    """Whether usage is charged.

    - `flat`: Fixed charges only.
    - `usage_based`: Usage is charged too.
    """
    billing_frequency: Literal['one_time', 'recurring']
    """Whether the add-on is charged once or in every interval.

    - `one_time`: Charged once, when attached.
    - `recurring`: Charged in every interval.
    """
    invoice_when: Literal['invoice_on_attach', 'invoice_on_subscription_end']
    """When the charges of the add-on are invoiced.

    - `invoice_on_attach`: At once, when the add-on is attached.
    - `invoice_on_subscription_end`: When the term of the subscription ends.
    """
    currency: PricingUnit
    """The currency."""
    recurring_charges: list[RecurringCharge]
    """Fixed charges of each invoicing interval."""
    components: list[PlanComponent]
    """Usage prices, one per metric."""
    features: list[Feature]
    """Features that subscribers are granted."""
    created_on: str
    """When the version was made."""


class AddonVersionBody(TypedDict):
    invoice_when: NotRequired[Literal['invoice_on_attach', 'invoice_on_subscription_end', None]]
    """When the charges of the add-on are invoiced.

    - `invoice_on_attach`: At once, when the add-on is attached.
    - `invoice_on_subscription_end`: When the term of the subscription ends.
    """
    billing_frequency: Literal['one_time', 'recurring']
    """Whether the add-on is charged once or in every interval.

    - `one_time`: Charged once, when attached.
    - `recurring`: Charged in every interval.
    """
    currency_code: NotRequired[str | None]
    """ISO 4217 code of the currency, in any case."""
    features: NotRequired[list[str] | None]
    """Features that subscribers are granted."""
    recurring_charges: NotRequired[list[RecurringChargeBody] | None]
    """Fixed charges of each invoicing interval."""
    components: NotRequired[list[ComponentBody] | None]
    """Usage prices, one per metric."""


class Address(TypedDict):
    city: str | None
    """City."""
    country: str | None
    """Country code of two letters (ISO 3166-1)."""
    line1: str | None
    """First line of the address."""
    line2: str | None
    """Second line of the address."""
    postal_code: str | None
    """Postal code."""
    state: str | None
    """State or province."""


class AddressBody(TypedDict):
    city: NotRequired[str | None]
    """City."""
    country: NotRequired[str | None]
    """Country code of two letters (ISO 3166-1)."""
    line1: NotRequired[str | None]
    """First line of the address."""
    line2: NotRequired[str | None]
    """Second line of the address."""
    postal_code: NotRequired[str | None]
    """Postal code."""
    state: NotRequired[str | None]
    """State or province."""


class AddressedCustomer(TypedDict):
    customer_id: str | None
    """Your own id of the customer."""
    customer_name: str | None
    """Name as invoices show it; null after an erasure."""
    email: str | None
    """E-mail address."""
    address: Address | None
    """Billing address. Invoices show the one of the day they were issued."""


class Adjustment(TypedDict):
    amount: str
    """Amount of the adjustment as decimal text; negative reduces the line."""
    account: str
    """Account of the books that the adjustment is posted to."""
    adjustment_type: Literal['sales_tax', 'plan_adjustment', 'credit']
    """The kind of adjustment.

    - `sales_tax`: Tax on the line.
    - `plan_adjustment`: Discount or surcharge of the plan version.
    - `credit`: A credit that pays for a part of the invoice.
    """


class AdjustmentAllocation(TypedDict):
    total: float
    """Amount that the lines share in proportion to their bases, rounded once. Each share is rounded toward zero;
    the minor units that are left go to the largest remainders, of equal ones to the first lines.
    """
    base: float
    """Sum of the bases of these lines; a tax is taken of their subtotals."""
    own_base: float
    """Base of the line itself."""
    carried_back: float
    """Price adjustment that the line carries back of a charge that it reduces, beside its share; it is no part
    of the total.
    """
    lines: list[int]
    """Lines that share the total."""
    of_period: PeriodAdjustment | None
    """Adjustment of the billing period that the total is left of; null for a tax."""


class AdvanceBody(TypedDict):
    to: str
    """The time to move the clock to, not before its own."""


class AmountDue(TypedDict):
    currency: PricingUnit
    """Currency of the invoices."""
    amount: float
    """Sum of `cost_due` of the unpaid invoices in this currency."""


class ApiKey(TypedDict):
    name: str
    """Name as people see it."""
    prefix: str
    """Tells keys apart; the first characters of the key."""
    scope: Literal['ingest', 'read', 'write', 'admin']
    """Operations that the key may call.

    - `ingest`: Sends usage, and nothing else.
    - `read`: Reads everything but keys, webhooks and evidence with personal data.
    - `write`: Reads, changes; no settings, keys, webhooks, erasure, test clock or retries of parked work.
    - `admin`: Everything within the organization.
    """
    created_at: str
    """When it was made."""
    expires_at: str | None
    """From when the key is refused; null: never."""
    revoked_at: str | None
    """When the key was revoked; null: it was not."""


class AttachAddonBody(TypedDict):
    addon_id: NotRequired[str | None]
    """Id of the add-on."""
    addon_version_id: NotRequired[str | None]
    """Id of the version of the add-on. Attaching takes it in place of `addon_id`."""
    quantity: NotRequired[int | None]
    """How many times the add-on is charged, at least 1."""
    metadata: NotRequired[dict[str, Any] | None]
    """Free-form key/value object of yours, kept as it is sent: no place for personal data. At most 65,536
    characters of JSON.
    """


class AuditLogEntry(TypedDict):
    position: str
    """Position in the log, as in `X-Recount-Position`; opaque."""
    event_id: str
    """Id of the event."""
    recorded_at: str
    """When it was recorded."""
    event_type: str
    """Type of the event, such as `SettingsChanged`."""
    summary: str
    """The event type in a sentence."""
    subject: AuditLogEntrySubject
    """Record that it happened to."""
    customer_key: str | None
    """Id of the customer that it concerns; null: none."""
    stream: str
    """Stream that the event is in."""
    revision: int
    """Revision in its stream."""
    actor: str
    """Id of the API key, `system` for the service, or `cli` for the command line."""
    actor_name: str | None
    """Name of the API key; null for a key that is not known."""
    names: AuditLogEntryNames
    """Names, as of now, of the records that the event is about; null: it is about none of them, or the record is
    deleted.
    """
    request_id: str
    """The `X-Request-Id` of the request that caused it."""
    command_id: str
    """Id of the command that caused it; events with one id were stored together."""
    changes: dict[str, Any]
    """Data of the event with internal ids and names, without personal data and without parts of more than 1,000
    characters.
    """
    left_out: list[str]
    """Names of the parts of the data that `changes` leaves out; the proof has them."""
    proof: str
    """Path of the proof that a checkpoint covers the event."""


class AuditLogEntrySubject(TypedDict):
    """Record that it happened to."""

    kind: Literal['organization', 'api_key', 'usage_alert', 'webhook', 'plan', 'addon', 'metric', 'feature', 'customer', 'subscription', 'account', 'invoice', 'credit', 'number_series']
    """Kind of the subject.

    - `organization`: Settings of the organization, and the keys that sign its checkpoints.
    - `api_key`: An API key.
    - `usage_alert`: A usage alert.
    - `webhook`: A webhook endpoint.
    - `plan`: A plan with its versions.
    - `addon`: An add-on.
    - `metric`: A metric.
    - `feature`: A feature.
    - `customer`: A customer; the id is `customer_key`.
    - `subscription`: A subscription.
    - `account`: Billing runs and usage counts of a customer in a currency; the id is `customer_key.currency`.
    - `invoice`: An invoice and its payment.
    - `credit`: A credit.
    - `number_series`: Invoice numbers of a day.
    """
    id: str
    """Id of the subject."""


class AuditLogEntryNames(TypedDict):
    """Names, as of now, of the records that the event is about; null: it is about none of them, or the record is
    deleted.
    """

    customer_id: str | None
    """Your own id of the customer."""
    plan_name: str | None
    """Name of the plan, also that of the subscription."""
    subscription_filters: list[SubscriptionFilter]
    """Filters of the subscription."""
    addon_name: str | None
    """Name of the add-on."""
    metric_name: str | None
    """Name of the metric."""


class BulkChange(TypedDict):
    request_id: str
    """The `X-Request-Id` of the request that asked for the change."""
    type: Literal['change', 'cancel', 'switch']
    """Kind of the change.

    - `change`: An update of end or renewal.
    - `cancel`: A cancellation.
    - `switch`: A switch to another plan.
    """
    accepted_at: str
    """When the request was accepted."""
    status: Literal['running', 'done']
    """Whether every subscription is changed.

    - `running`: Some subscriptions are not changed yet.
    - `done`: Every one is changed.
    """
    subscriptions: float
    """How many subscriptions the request changes."""
    subscriptions_done: float
    """How many of them are changed."""


class BulkPreview(TypedDict):
    subscriptions: int
    """How many subscriptions would change."""
    sample: list[PreviewedSubscription]
    """The first 20 of them."""
    invoices: list[PreviewedInvoice]
    """The invoices that the change would lead to, one per currency."""


CalculatedTier = TypedDict(
    'CalculatedTier',
    {
        # Place of the tier in the plan version, from 1.
        'tier': "int",
        # How the tier prices usage.
        #
        # - `flat`: One price for any usage in the range.
        # - `per_unit`: A price for each batch of units in the range.
        # - `free`: Costs nothing.
        'type': "Literal['flat', 'per_unit', 'free']",
        # Where the tier starts, exclusive; 0 for the first. Exact: decimal text, or n/d.
        'from': "str",
        # Where it ends, inclusive; null: it is open. Exact: decimal text, or n/d.
        'to': "str | None",
        # Units that this tier prices. Exact: decimal text, or n/d.
        'units': "str",
        # Batches charged, rounded as the tier says; null where no batch has a price. Exact: decimal text, or
        # n/d.
        'batches': "str | None",
        # Price of a batch of a per_unit tier. Exact: decimal text, or n/d.
        'unit_price': "str | None",
        # Units of a batch. Exact: decimal text, or n/d.
        'units_per_batch': "str | None",
        # Rounding of batches: round_up, round_down, round_nearest, no_rounding.
        'rounding': "str | None",
        # Price of a flat tier. Exact: decimal text, or n/d.
        'flat_fee': "str | None",
        # Amount that the tier adds to the price. Exact: decimal text, or n/d.
        'amount': "str",
    },
)


class CalculationStep(TypedDict):
    what: Literal['recurring_charge', 'prepaid_units', 'usage', 'usage_paid_by_prepaid_units']
    """Kind of charge of the step.

    - `recurring_charge`: A recurring charge.
    - `prepaid_units`: Prepaid units.
    - `usage`: Usage.
    - `usage_paid_by_prepaid_units`: Usage that prepaid units have paid.
    """
    units: str
    """Units that are priced, before covered ones are taken off. Of usage_paid_by_prepaid_units: all that were
    used where the prepaid units cost at least what was used costs, else the prepaid units. Exact: decimal
    text, or n/d.
    """
    covered: str
    """Units that prepaid units of an earlier plan cover, taken off before the tiers. Exact: decimal text, or
    n/d.
    """
    prepaid_units: str | None
    """Prepaid units that cover usage, of the plan or of an earlier one. What is left of them is not credited.
    null: none do. Exact: decimal text, or n/d.
    """
    unit_price: str | None
    """Price of one unit of a recurring charge; null where tiers price it. Exact: decimal text, or n/d."""
    tiers: list[CalculatedTier]
    """Prices by range of usage, without a gap."""
    bulk_pricing_enabled: bool
    """true: one tier prices all units, also those below its start; false: each tier its own."""
    price: str
    """The sum of the tiers, or units × unit_price. Exact: decimal text, or n/d."""
    start: str
    """Start of the span."""
    end: str
    """End of the span."""
    prorated: bool
    """true: the price is for the full interval, and the part of it from start to end is charged; false: it is
    charged as it is, such as that of usage, or not at all.
    """
    fraction: str
    """Factor of the price: where it is prorated the part of the full interval from start to end, else 1, or 0
    where nothing is charged. Exact: decimal text, or n/d.
    """
    rounded_before: str | None
    """Fraction up to start of a price that is rounded cumulatively; null: it is not. Exact: decimal text, or
    n/d.
    """
    rounded_up_to: str | None
    """Fraction up to end: amount = round(price × it) − round(price × rounded_before). Exact: decimal text, or
    n/d.
    """
    amount: str
    """price × fraction unless rounded cumulatively; negative where it is taken off. Exact: decimal text, or n/d."""


class CancelByFilterBody(TypedDict):
    customer_id: NotRequired[str | None]
    """Your own id of the customer."""
    plan_id: NotRequired[str | None]
    """Id of the plan."""
    subscription_filters: NotRequired[list[SubscriptionFilterBody] | None]
    """Property filters: a subscription with filters counts usage with these values only."""
    flat_fee_behavior: NotRequired[Literal['refund', 'charge_prorated', 'charge_full', None]]
    """How the recurring charges of the windows that the cancellation cuts are charged. Null or left out: each
    charge follows its own `charge_behavior`.

    - `refund`: Charges nothing of the recurring charges of the cut windows: what was charged in advance is
      reversed whole.
    - `charge_prorated`: Charges the used part of the cut windows, also of `full` charges: the rest of what
      was charged in advance is reversed.
    - `charge_full`: Charges the whole recurring charges of the cut windows, whatever part was used: nothing
      is reversed.
    """
    usage_behavior: NotRequired[Literal['bill_full', 'bill_none', None]]
    """How usage that is not billed yet is charged.

    - `bill_full`: The usage so far is billed.
    - `bill_none`: Usage that no invoice has billed is dropped.
    """
    invoicing_behavior: NotRequired[Literal['invoice_now', 'add_to_next_invoice', None]]
    """When the amounts of the change are invoiced.

    - `invoice_now`: The difference is invoiced at once, with everything of the account whose term is over.
    - `add_to_next_invoice`: The same amounts are billed at the end of the running billing period.
    """


class CancelSubscriptionBody(TypedDict):
    flat_fee_behavior: NotRequired[Literal['refund', 'charge_prorated', 'charge_full', None]]
    """How the recurring charges of the windows that the cancellation cuts are charged. Null or left out: each
    charge follows its own `charge_behavior`.

    - `refund`: Charges nothing of the recurring charges of the cut windows: what was charged in advance is
      reversed whole.
    - `charge_prorated`: Charges the used part of the cut windows, also of `full` charges: the rest of what
      was charged in advance is reversed.
    - `charge_full`: Charges the whole recurring charges of the cut windows, whatever part was used: nothing
      is reversed.
    """
    usage_behavior: NotRequired[Literal['bill_full', 'bill_none', None]]
    """How usage that is not billed yet is charged.

    - `bill_full`: The usage so far is billed.
    - `bill_none`: Usage that no invoice has billed is dropped.
    """
    invoicing_behavior: NotRequired[Literal['invoice_now', 'add_to_next_invoice', None]]
    """When the amounts of the change are invoiced.

    - `invoice_now`: The difference is invoiced at once, with everything of the account whose term is over.
    - `add_to_next_invoice`: The same amounts are billed at the end of the running billing period.
    """


class CategoricalFilter(TypedDict):
    property_name: str
    """Name of the property of the event."""
    operator: Literal['isin', 'isnotin']
    """How the property is compared.

    - `isin`: One of the values.
    - `isnotin`: None of the values.
    """
    comparison_value: list[str]
    """Value that the property is compared with."""


class CategoricalFilterBody(TypedDict):
    property_name: str
    """Name of the property of the event."""
    operator: Literal['isin', 'isnotin']
    """How the property is compared.

    - `isin`: One of the values.
    - `isnotin`: None of the values.
    """
    comparison_value: list[str]
    """Value that the property is compared with."""


class ChangeCustomerBody(TypedDict):
    customer_name: NotRequired[str | None]
    """Name as invoices show it; null after an erasure."""
    email: NotRequired[str | None]
    """E-mail address, unique among customers; equal to the one at the payment provider."""
    address: NotRequired[AddressBody | None]
    """Billing address. Invoices show the one of the day they were issued."""
    billing_address: NotRequired[AddressBody | None]
    """Billing address, as `address`."""
    shipping_address: NotRequired[AddressBody | None]
    """Shipping address."""
    default_currency_code: NotRequired[str | None]
    """ISO 4217 code of the currency that is taken where none is named; null: the one of the organization."""
    tax_rate: NotRequired[float | None]
    """Percent of tax on what is due, 0 to 999.9999; 0: exempt; null: the rate of the organization."""
    timezone: NotRequired[str | None]
    """IANA time zone in which days and months begin, such as `Europe/Warsaw`. An answer about a customer without
    a zone of its own shows the organization's.
    """
    invoice_locale: NotRequired[str | None]
    """Language and region of invoices as a BCP 47 tag, such as `de-AT`; null: the organization's."""
    tax_ids: NotRequired[list[TaxIdBody] | None]
    """Tax and company numbers, as invoices name them."""
    reverse_charge: NotRequired[bool | None]
    """true: invoices say that the customer owes the tax (reverse charge). Requires `tax_rate` 0 and a VAT number
    in `tax_ids`.
    """
    payment_provider: NotRequired[Literal['provider_a', 'provider_b', None]]
    """The payment provider that charges the customer.

    - `provider_a`: The first payment provider.
    - `provider_b`: The second payment provider.
    """
    payment_provider_id: NotRequired[str | None]
    """Id of the customer at the payment provider."""
    properties: NotRequired[dict[str, Any] | None]
    """Free-form key/value object, kept as it is sent; at most 65,536 characters of JSON."""


class ChangePaymentBody(TypedDict):
    payment_status: NotRequired[Literal['unpaid', 'paid', None]]
    """Whether the invoice is paid.

    - `unpaid`: Something is due.
    - `paid`: Nothing is due.
    """
    external_payment_obj_id: NotRequired[str | None]
    """Id of the object that stands for the invoice at the payment provider."""
    external_payment_obj_type: NotRequired[Literal['provider_a', 'provider_b', None]]
    """The payment provider.

    - `provider_a`: The first payment provider.
    - `provider_b`: The second payment provider.
    """
    external_payment_obj_status: NotRequired[str | None]
    """Its status at the payment provider."""


class ChangePlanBody(TypedDict):
    plan_name: NotRequired[str | None]
    """Name of the plan, unique."""
    plan_description: NotRequired[str | None]
    """Description of the plan for people."""


class ChangePrepaidUnitsBody(TypedDict):
    units: float
    """The new number of prepaid units, from now on and in later windows."""
    invoice_now: NotRequired[bool | None]
    """true (default): the difference is invoiced at once; false: it stands on the next invoice of the account."""


class ChangeSettingsBody(TypedDict):
    organization_name: NotRequired[str | None]
    """Name of the organization, as invoices show it."""
    default_currency_code: NotRequired[str | None]
    """ISO 4217 code of the currency that is taken where none is named."""
    timezone: NotRequired[str | None]
    """IANA time zone in which days and months of customers without a zone of their own begin, such as
    `Europe/Warsaw`.
    """
    tax_rate: NotRequired[float | None]
    """Percent of tax on what is due by customers without a rate of their own, 0 to 999.9999; 0: exempt; null: no
    tax.
    """
    address: NotRequired[SellerAddressBody | None]
    """Your address, as invoices show it."""
    email: NotRequired[str | None]
    """Your e-mail address, as invoices show it."""
    phone: NotRequired[str | None]
    """Your telephone number, as invoices show it."""
    payment_grace_period: NotRequired[int | None]
    """Days from issue to due date; null: invoices have no due date."""
    late_event_grace_minutes: NotRequired[int | None]
    """Minutes after the end of a window that its invoice waits for late usage; 30 by default."""
    subscription_filter_keys: NotRequired[list[str] | None]
    """Names that subscription filters may use; empty: any."""
    feature_access_policy: NotRequired[Literal['any', 'all', None]]
    """Which of its subscriptions have to grant a customer a feature.

    - `any`: One subscription that grants the feature is enough.
    - `all`: Every running subscription has to grant it.
    """
    proration_basis: NotRequired[Literal['second', 'day', None]]
    """The unit in which the used part of an interval is measured.

    - `second`: By exact time.
    - `day`: By days of the time zone: a started day counts whole.
    """
    legal_name: NotRequired[str | None]
    """Name of the seller on invoices, as registered; null: the name of the organization."""
    tax_ids: NotRequired[list[TaxIdBody] | None]
    """Tax and company numbers, as invoices name them."""
    payment_terms: NotRequired[str | None]
    """Terms of payment on invoices, in words; null: none."""
    payment_details: NotRequired[PaymentDetailsBody | None]
    """How to pay, as the PDF of invoices says it."""
    invoice_footer: NotRequired[str | None]
    """Text at the foot of every page of an invoice; null: none."""
    invoice_locale: NotRequired[str | None]
    """Language and region of invoices as a BCP 47 tag, such as `de-AT`; null: English."""
    logo: NotRequired[LogoBody | None]
    """Logo on the PDF of invoices; null: none."""


class ChangeSubscriptionBody(TypedDict):
    turn_off_auto_renew: NotRequired[bool | None]
    """true: the term is the last one; false changes nothing."""
    end_date: NotRequired[str]
    """The new end, not in the past; what will be billed moves with it."""
    metadata: NotRequired[dict[str, Any]]
    """Free-form key/value object of yours, kept as it is sent: no place for personal data. At most 65,536
    characters of JSON.
    """


class ChangeVersionBody(TypedDict):
    active_from: NotRequired[str | None]
    """When the version starts to be sold; null: not offered yet."""
    active_to: NotRequired[str | None]
    """When the version stops to be sold; null: open-ended."""
    localized_name: NotRequired[str | None]
    """Name of the version in the language of its customers."""


class ChangedAddon(TypedDict):
    addon_subscription_id: str
    """Id of the add-on as it is attached to this subscription."""
    start_date: str
    """When the term begins."""
    end_date: str
    """When the term ends. A boundary is shown as the last microsecond before it, an end that was set as that
    instant.
    """
    addon: AddonRef
    """The add-on."""
    fully_billed: bool
    """The term is over and everything in it is on an issued invoice."""
    customer: CustomerSummary
    """The customer."""
    auto_renew: bool
    """Whether the add-on goes on in the next term of its subscription."""
    quantity: int
    """How many times the add-on is charged."""
    metadata: dict[str, Any]
    """Free-form key/value object of yours, kept as it is sent: no place for personal data. At most 65,536
    characters of JSON.
    """
    parent: ChangedAddonParent
    """The subscription that the add-on is attached to."""


class ChangedAddonParent(TypedDict):
    """The subscription that the add-on is attached to."""

    subscription_id: str
    """Id of the subscription. A switch and a renewal begin a new one."""
    start_date: str
    """When the term begins."""
    end_date: str
    """When the term ends. A boundary is shown as the last microsecond before it, an end that was set as that
    instant.
    """
    auto_renew: bool
    """Whether a new term begins when this one ends; true by default."""
    is_new: bool
    """true: the first subscription of its line; false: a renewal."""
    subscription_filters: list[SubscriptionFilter]
    """Property filters: a subscription with filters counts usage with these values only."""
    customer: CustomerSummary
    """The customer."""
    billing_plan: PlanRef
    """Plan and version that the subscription is on."""
    fully_billed: bool
    """The term is over and everything in it is on an issued invoice."""
    addons: list[AddonSubscription]
    """Add-ons that were attached."""
    metadata: dict[str, Any]
    """Free-form key/value object of yours, kept as it is sent: no place for personal data. At most 65,536
    characters of JSON.
    """
    plan: PlanRef
    """Plan and version of the subscription."""


class Checkpoint(TypedDict):
    checkpoint_id: str
    """Id of the checkpoint."""
    number: int
    """1, 2, 3 … in the organization."""
    origin: str
    """Name of the log: the first line of the note."""
    size: int
    """Number of leaves of the tree."""
    root: str
    """Root hash of the tree in base64."""
    cause: Literal['schedule', 'billing', 'request']
    """Why it was made: the schedule, the end of billing runs, or a request.

    - `schedule`: The newest checkpoint was too old.
    - `billing`: Billing runs had ended.
    - `request`: `createCheckpoint`.
    """
    created_at: str
    """When it was made."""
    note: str
    """The signed note with its cosignatures, in the formats C2SP tlog-checkpoint and tlog-cosignature."""
    cosignatures: list[CheckpointCosignaturesItem]
    """Witnesses that have cosigned it, in the order in which their cosignatures were added."""


class CheckpointCosignaturesItem(TypedDict):
    witness: str
    """Name of the witness: that of its key."""
    key_id: str
    """Id of its key in the note, in hexadecimal digits."""
    cosigned_at: str
    """Time of the witness, at which it knew no larger tree."""


class ClockAdvanced(TypedDict):
    now: str
    """The time of the clock."""
    invoices_issued: int
    """How many invoices were issued on the way."""
    subscriptions_renewed: int
    """How many subscriptions renewed on the way."""
    subscriptions_ended: int
    """How many terms ended on the way."""


class ComponentBody(TypedDict):
    metric_id: str
    """Id of the metric."""
    tiers: list[TierBody]
    """Prices by range of usage, without a gap."""
    bulk_pricing_enabled: NotRequired[bool | None]
    """true: the tier that the whole usage falls into prices all of it; false: each tier prices its own part."""
    prepaid_charge: NotRequired[PrepaidChargeBody | None]
    """Units that are paid at the start of each window; null: usage is charged when the window ends."""
    invoicing_interval_unit: NotRequired[Literal['day', 'week', 'month', 'year', None]]
    """Unit of the interval after which the charge is invoiced; null: the term of the plan.

    - `day`: Days.
    - `week`: Weeks.
    - `month`: Months.
    - `year`: Years.
    """
    invoicing_interval_count: NotRequired[int | None]
    """How many units make one invoicing interval; null: one."""
    reset_interval_unit: NotRequired[Literal['day', 'week', 'month', 'year', None]]
    """Unit of the window after which usage is counted from 0; null: the invoicing interval.

    - `day`: Days.
    - `week`: Weeks.
    - `month`: Months.
    - `year`: Years.
    """
    reset_interval_count: NotRequired[int | None]
    """How many units make one reset window; null: one."""
    pricing_unit: NotRequired[str | dict[str, Any] | None]
    """The currency of the charge, that of its version."""


class ComponentCharge(TypedDict):
    units: float | None
    """Units of each window; null: given when the subscription is created."""
    charge_behavior: Literal['prorate', 'full']
    """How a part of an interval is charged.

    - `prorate`: A part of the interval costs that part of the amount.
    - `full`: Any part of the interval costs the whole amount.
    """


ConsistencyProof = TypedDict(
    'ConsistencyProof',
    {
        # Size of the earlier tree.
        'from': "int",
        # Size of the later tree.
        'to': "int",
        # Root hash of the earlier tree in base64.
        'from_root': "str",
        # Root hash of the later tree in base64.
        'to_root': "str",
        # The proof of RFC 9162: hashes in base64. Empty for equal sizes and for size 0.
        'hashes': "list[str]",
    },
)


class CountedEvent(TypedDict):
    idempotency_id: str
    """Your own id of the event."""
    event_name: str
    """Name of the usage events that the metric counts."""
    time_created: str
    """When it happened."""
    properties: dict[str, Any]
    """Free-form key/value object, kept as it is sent; at most 65,536 characters of JSON."""


class CountingMetric(TypedDict):
    metric_id: str
    """The metric."""
    metric_name: str
    """Its name."""
    event_name: str
    """Name of the events that it reads."""


class CountingWindow(TypedDict):
    subscription_id: str
    """Subscription that it counts for."""
    addon_subscription_id: str | None
    """Add-on that prices it; null for the plan itself."""
    metric_id: str
    """Metric that counts it."""
    start_date: str
    """First instant of the window."""
    end_date: str
    """End of the window; the end itself is not part of it."""
    state: Literal['counted', 'pending', 'late', 'not_charged']
    """How the event stands in this window.

    - `counted`: Billing counted it.
    - `pending`: The window waits for its billing run.
    - `late`: It came after the window was counted and waits for the next run.
    - `not_charged`: A cancellation left the window without a charge.
    """
    invoice_ids: list[str]
    """Invoices with lines for the count that first has the event."""


class CreateAddonBody(TypedDict):
    addon_name: str
    """Name of the add-on, unique."""
    addon_description: NotRequired[str | None]
    """Description of the add-on for people."""
    initial_version: AddonVersionBody
    """The first version, active at once."""


class CreateApiKeyBody(TypedDict):
    name: str
    """Name as people see it."""
    scope: NotRequired[Literal['ingest', 'read', 'write', 'admin', None]]
    """Operations that the key may call.

    - `ingest`: Sends usage, and nothing else.
    - `read`: Reads everything but keys, webhooks and evidence with personal data.
    - `write`: Reads, changes; no settings, keys, webhooks, erasure, test clock or retries of parked work.
    - `admin`: Everything within the organization.
    """
    expires_at: NotRequired[str | None]
    """From when the key is refused; null: never."""


class CreateCustomerBody(TypedDict):
    customer_id: str
    """Your own id of the customer, 1 to 200 characters, unique. It stays reserved after a deletion."""
    customer_name: NotRequired[str | None]
    """Name as invoices show it; null after an erasure."""
    email: NotRequired[str | None]
    """E-mail address, unique among customers; equal to the one at the payment provider."""
    address: NotRequired[AddressBody | None]
    """Billing address. Invoices show the one of the day they were issued."""
    billing_address: NotRequired[AddressBody | None]
    """Billing address, as `address`."""
    shipping_address: NotRequired[AddressBody | None]
    """Shipping address."""
    default_currency_code: NotRequired[str | None]
    """ISO 4217 code of the currency that is taken where none is named; null: the one of the organization."""
    tax_rate: NotRequired[float | None]
    """Percent of tax on what is due, 0 to 999.9999; 0: exempt; null: the rate of the organization."""
    timezone: NotRequired[str | None]
    """IANA time zone in which days and months begin, such as `Europe/Warsaw`. An answer about a customer without
    a zone of its own shows the organization's.
    """
    invoice_locale: NotRequired[str | None]
    """Language and region of invoices as a BCP 47 tag, such as `de-AT`; null: the organization's."""
    tax_ids: NotRequired[list[TaxIdBody] | None]
    """Tax and company numbers, as invoices name them."""
    reverse_charge: NotRequired[bool | None]
    """true: invoices say that the customer owes the tax (reverse charge). Requires `tax_rate` 0 and a VAT number
    in `tax_ids`.
    """
    payment_provider: NotRequired[Literal['provider_a', 'provider_b', None]]
    """The payment provider that charges the customer.

    - `provider_a`: The first payment provider.
    - `provider_b`: The second payment provider.
    """
    payment_provider_id: NotRequired[str | None]
    """Id of the customer at the payment provider."""
    properties: NotRequired[dict[str, Any] | None]
    """Free-form key/value object, kept as it is sent; at most 65,536 characters of JSON."""


class CreateFeatureBody(TypedDict):
    feature_name: str
    """Name of the feature, unique."""
    feature_description: NotRequired[str | None]
    """Description of the feature for people."""


class CreateMetricBody(TypedDict):
    metric_name: str
    """Name of the metric, unique."""
    event_name: NotRequired[str | None]
    """Name of the usage events that the metric counts."""
    metric_type: Literal['counter', 'gauge', 'rate', 'custom']
    """The kind of the metric.

    - `counter`: Aggregates the events of a window.
    - `gauge`: Follows a level, such as seats, weighted by time.
    - `rate`: The highest usage of any part of the window, such as requests an hour.
    - `custom`: Not available: refused with `invalid_operation`.
    """
    property_name: NotRequired[str | None]
    """Name of the property of the event that is aggregated; null for `count`."""
    aggregation_type: NotRequired[Literal['count', 'sum', 'max', 'unique', 'average', None]]
    """How the events of a window become one quantity.

    - `count`: Number of events.
    - `sum`: Sum of the property.
    - `max`: Highest value of the property.
    - `unique`: Number of different values of the property.
    - `average`: Mean of the property.
    """
    usage_aggregation_type: NotRequired[Literal['count', 'sum', 'max', 'unique', 'average', None]]
    """Another name of `aggregation_type`.

    - `count`: Number of events.
    - `sum`: Sum of the property.
    - `max`: Highest value of the property.
    - `unique`: Number of different values of the property.
    - `average`: Mean of the property.
    """
    granularity: NotRequired[Literal['seconds', 'minutes', 'hours', 'days', 'months', 'quarters', 'years', 'total', None]]
    """Length of the parts of a window: a gauge is weighted by them, a rate has its value in each.

    - `seconds`: Seconds.
    - `minutes`: Minutes.
    - `hours`: Hours.
    - `days`: Days of the time zone.
    - `months`: Months of the time zone.
    - `quarters`: Quarters of the time zone.
    - `years`: Years of the time zone.
    - `total`: The whole window.
    """
    event_type: NotRequired[Literal['delta', 'total', None]]
    """How a value changes the level of a gauge; null for other metrics.

    - `delta`: Each value changes the level by so much.
    - `total`: Each value is the new level.
    """
    proration: NotRequired[Literal['seconds', 'minutes', 'hours', 'days', 'months', 'quarters', 'years', 'total', None]]
    """How finely the level of a gauge is weighted by time, finer than its granularity; null: not at all.

    - `seconds`: Seconds.
    - `minutes`: Minutes.
    - `hours`: Hours.
    - `days`: Days of the time zone.
    - `months`: Months of the time zone.
    - `quarters`: Quarters of the time zone.
    - `years`: Years of the time zone.
    - `total`: The whole window.
    """
    numeric_filters: NotRequired[list[NumericFilterBody] | None]
    """Events count when they match all of these."""
    categorical_filters: NotRequired[list[CategoricalFilterBody] | None]
    """Events count when they match all of these."""
    is_cost_metric: NotRequired[bool | None]
    """true: it measures the business's own costs."""


class CreateOrganizationBody(TypedDict):
    organization_name: str
    """Name of the organization, as invoices show it."""
    default_currency_code: NotRequired[str | None]
    """ISO 4217 code of the currency that is taken where none is named."""
    timezone: NotRequired[str | None]
    """IANA time zone in which days and months begin, such as `Europe/Warsaw`."""


class CreatePlanBody(TypedDict):
    plan_name: str
    """Name of the plan, unique."""
    plan_description: NotRequired[str | None]
    """Description of the plan for people."""
    plan_duration: NotRequired[Literal['monthly', 'quarterly', 'yearly', None]]
    """How long a term runs until it renews; null: a month.

    - `monthly`: Terms of a month.
    - `quarterly`: Terms of three months.
    - `yearly`: Terms of a year.
    """
    tags: NotRequired[list[str | TagBody] | None]
    """Tags to find plans by: letters, digits, hyphens and underscores."""
    initial_external_links: NotRequired[list[ExternalLinkBody] | None]
    """Ids of the plan at payment providers."""
    initial_version: VersionBody
    """The first version, active at once."""


class CreateSubscriptionBody(TypedDict):
    customer_id: str
    """Your own id of the customer."""
    plan_id: NotRequired[str | None]
    """Id of the plan."""
    version_id: NotRequired[str | None]
    """Id of the plan version, in place of `plan_id`."""
    start_date: str
    """When the subscription begins; the past is billed too."""
    end_date: NotRequired[str | None]
    """End of the first term, not in the past; by default one plan duration after the start."""
    auto_renew: NotRequired[bool | None]
    """Whether a new term begins when this one ends; true by default."""
    is_new: NotRequired[bool | None]
    """true: the first subscription of its line; false: a renewal."""
    subscription_filters: NotRequired[list[SubscriptionFilterBody] | None]
    """Property filters: a subscription with filters counts usage with these values only."""
    component_fixed_charges_initial_units: NotRequired[list[InitialUnitsBody] | None]
    """Prepaid units by metric; required for a prepaid component without default units."""
    metadata: NotRequired[dict[str, Any] | None]
    """Free-form key/value object of yours, kept as it is sent: no place for personal data. At most 65,536
    characters of JSON.
    """


class CreateUsageAlertBody(TypedDict):
    name: str
    """Name as people see it."""
    metric_id: str
    """Id of the metric."""
    customer_id: NotRequired[str | None]
    """Your own id of the customer."""
    plan_id: NotRequired[str | None]
    """Id of the plan."""
    threshold_type: NotRequired[Literal['units', 'amount', None]]
    """Whether the threshold is in units or in cost.

    - `units`: Units of the metric.
    - `amount`: Cost of the usage, before adjustments and tax.
    """
    threshold: float
    """Usage of one billing window that triggers the alert, or more."""


class CreateWebhookBody(TypedDict):
    name: str
    """Name as people see it."""
    webhook_url: str
    """Public https address that deliveries are posted to."""
    triggers: list[Literal['customer.created', 'subscription.created', 'subscription.renewed', 'subscription.cancelled', 'invoice.created', 'invoice.paid', 'invoice.past_due', 'invoice.voided', 'billing.parked', 'usage_alert.triggered', 'audit.checkpoint']]
    """Triggers that the endpoint is told of.

    - `customer.created`: A customer was created.
    - `subscription.created`: A subscription began, by creation or switch.
    - `subscription.renewed`: A term ended and the next one began.
    - `subscription.cancelled`: A subscription was cancelled.
    - `invoice.created`: An invoice was issued.
    - `invoice.paid`: An invoice was paid.
    - `invoice.past_due`: The due date of an unpaid invoice has passed.
    - `invoice.voided`: An invoice was voided.
    - `billing.parked`: Billing of an account failed and is tried again later.
    - `usage_alert.triggered`: Usage of a billing window reached the threshold of an alert.
    - `audit.checkpoint`: A checkpoint of the transparency log was signed.
    """


class Credit(TypedDict):
    credit_id: str
    """Id of the credit."""
    customer: CustomerSummary
    """The customer."""
    amount: float
    """Amount that was granted."""
    amount_remaining: float
    """Amount that is left of the credit."""
    currency: PricingUnit
    """The currency."""
    description: str | None
    """Text for people."""
    effective_at: str
    """From when the credit can be used; now by default."""
    expires_at: str | None
    """When what is left expires, in the future; null: never."""
    status: Literal['active', 'inactive']
    """Whether something of the credit can still be used.

    - `active`: Something is left and it has not expired.
    - `inactive`: Used up, voided or expired.
    """
    amount_paid: float
    """Price that the customer pays for the credit; above 0, an unpaid invoice over it is issued."""
    amount_paid_currency: PricingUnit | None
    """The currency of `amount_paid`; null when nothing is paid."""
    drawdowns: list[Drawdown]
    """Amounts that invoices took from the credit, in order."""


class CreditBalances(TypedDict):
    as_of: str
    """The organization's present time that the rows are of: the current month is as of then."""
    position: str | None
    """The organization's last event that the rows contain, as in `X-Recount-Position`; null before the first."""
    rows: list[CreditBalancesRow]
    """The rows, in the order of currency and month, or of day and event name."""


class CreditBalancesRow(TypedDict):
    month: str
    """First day of the month, in UTC."""
    currency_code: str
    """Currency of every amount of the row (ISO 4217)."""
    granted: float
    """Given, sold or left over from an invoice."""
    sold: float
    """Part of it that was sold, at the amount that can be drawn."""
    drawn: float
    """Taken by invoices; 0 or negative."""
    voided: float
    """Taken back; 0 or negative."""
    expired: float
    """No longer to be drawn; 0 or negative."""
    balance: float
    """Credits that customers hold at the end of the month: a liability."""


class Customer(TypedDict):
    customer_id: str | None
    """Your own id of the customer."""
    customer_name: str | None
    """Name as invoices show it; null after an erasure."""
    email: str | None
    """E-mail address, unique among customers; equal to the one at the payment provider."""
    customer_key: str
    """Id of the customer in read models and analytics views, a uuid; it stays after an erasure."""
    address: Address | None
    """Billing address. Invoices show the one of the day they were issued."""
    billing_address: Address | None
    """Billing address, as `address`."""
    shipping_address: Address | None
    """Shipping address."""
    default_currency_code: str | None
    """ISO 4217 code of the currency that is taken where none is named; null: the one of the organization."""
    default_currency: PricingUnit
    """Currency of the customer, or else the organization's, with its name and symbol."""
    tax_rate: float | None
    """Percent of tax on what is due, 0 to 999.9999; 0: exempt; null: the rate of the organization."""
    timezone: str
    """IANA time zone in which days and months begin, such as `Europe/Warsaw`. An answer about a customer without
    a zone of its own shows the organization's.
    """
    invoice_locale: str | None
    """Language and region of invoices as a BCP 47 tag, such as `de-AT`; null: the organization's."""
    tax_ids: list[CustomerTaxIdsItem]
    """Tax and company numbers, as invoices name them."""
    reverse_charge: bool
    """true: invoices say that the customer owes the tax (reverse charge). Requires `tax_rate` 0 and a VAT number
    in `tax_ids`.
    """
    payment_provider: Literal['provider_a', 'provider_b', None]
    """The payment provider that charges the customer.

    - `provider_a`: The first payment provider.
    - `provider_b`: The second payment provider.
    """
    payment_provider_id: str | None
    """Id of the customer at the payment provider."""
    properties: dict[str, Any]
    """Free-form key/value object, kept as it is sent; at most 65,536 characters of JSON."""
    subscriptions: list[Subscription]
    """Running subscriptions, the latest start first, at most 20."""
    invoices: list[InvoiceSummary]
    """Paid and unpaid invoices, the newest first, at most 20: without lines, seller and PDF, which `getInvoice`
    has.
    """
    amounts_due: list[AmountDue]
    """Sum of `cost_due` of all unpaid invoices, for each of their currencies."""
    total_amount_due: float
    """Sum of `cost_due` of all unpaid invoices in `default_currency`."""


class CustomerTaxIdsItem(TypedDict):
    type: Literal['vat', 'tax_number', 'company_number']
    """`vat`: VAT number, with its country; `tax_number`: other tax number; `company_number`: number in the
    register of companies.
    """
    value: str
    """The number as it is printed."""


class CustomerProfileResource(TypedDict):
    customer_id: str | None
    """Your own id of the customer."""
    customer_name: str | None
    """Name as invoices show it; null after an erasure."""
    email: str | None
    """E-mail address, unique among customers; equal to the one at the payment provider."""
    customer_key: str
    """Id of the customer in read models and analytics views, a uuid; it stays after an erasure."""
    address: Address | None
    """Billing address. Invoices show the one of the day they were issued."""
    billing_address: Address | None
    """Billing address, as `address`."""
    shipping_address: Address | None
    """Shipping address."""
    default_currency_code: str | None
    """ISO 4217 code of the currency that is taken where none is named; null: the one of the organization."""
    default_currency: PricingUnit
    """Currency of the customer, or else the organization's, with its name and symbol."""
    tax_rate: float | None
    """Percent of tax on what is due, 0 to 999.9999; 0: exempt; null: the rate of the organization."""
    timezone: str
    """IANA time zone in which days and months begin, such as `Europe/Warsaw`. An answer about a customer without
    a zone of its own shows the organization's.
    """
    invoice_locale: str | None
    """Language and region of invoices as a BCP 47 tag, such as `de-AT`; null: the organization's."""
    tax_ids: list[CustomerProfileResourceTaxIdsItem]
    """Tax and company numbers, as invoices name them."""
    reverse_charge: bool
    """true: invoices say that the customer owes the tax (reverse charge). Requires `tax_rate` 0 and a VAT number
    in `tax_ids`.
    """
    payment_provider: Literal['provider_a', 'provider_b', None]
    """The payment provider that charges the customer.

    - `provider_a`: The first payment provider.
    - `provider_b`: The second payment provider.
    """
    payment_provider_id: str | None
    """Id of the customer at the payment provider."""
    properties: dict[str, Any]
    """Free-form key/value object, kept as it is sent; at most 65,536 characters of JSON."""


class CustomerProfileResourceTaxIdsItem(TypedDict):
    type: Literal['vat', 'tax_number', 'company_number']
    """`vat`: VAT number, with its country; `tax_number`: other tax number; `company_number`: number in the
    register of companies.
    """
    value: str
    """The number as it is printed."""


class CustomerSummary(TypedDict):
    customer_id: str | None
    """Your own id of the customer."""
    customer_name: str | None
    """Name as invoices show it; null after an erasure."""
    email: str | None
    """E-mail address."""


class DeletedCustomer(TypedDict):
    customer_id: str | None
    """Your own id of the customer."""
    customer_name: str | None
    """Name as invoices show it; null after an erasure."""
    email: str | None
    """E-mail address, unique among customers; equal to the one at the payment provider."""
    customer_key: str
    """Id of the customer in read models and analytics views, a uuid; it stays after an erasure."""
    address: Address | None
    """Billing address. Invoices show the one of the day they were issued."""
    billing_address: Address | None
    """Billing address, as `address`."""
    shipping_address: Address | None
    """Shipping address."""
    default_currency_code: str | None
    """ISO 4217 code of the currency that is taken where none is named; null: the one of the organization."""
    default_currency: PricingUnit
    """Currency of the customer, or else the organization's, with its name and symbol."""
    tax_rate: float | None
    """Percent of tax on what is due, 0 to 999.9999; 0: exempt; null: the rate of the organization."""
    timezone: str
    """IANA time zone in which days and months begin, such as `Europe/Warsaw`. An answer about a customer without
    a zone of its own shows the organization's.
    """
    invoice_locale: str | None
    """Language and region of invoices as a BCP 47 tag, such as `de-AT`; null: the organization's."""
    tax_ids: list[DeletedCustomerTaxIdsItem]
    """Tax and company numbers, as invoices name them."""
    reverse_charge: bool
    """true: invoices say that the customer owes the tax (reverse charge). Requires `tax_rate` 0 and a VAT number
    in `tax_ids`.
    """
    payment_provider: Literal['provider_a', 'provider_b', None]
    """The payment provider that charges the customer.

    - `provider_a`: The first payment provider.
    - `provider_b`: The second payment provider.
    """
    payment_provider_id: str | None
    """Id of the customer at the payment provider."""
    properties: dict[str, Any]
    """Free-form key/value object, kept as it is sent; at most 65,536 characters of JSON."""
    num_subscriptions_canceled: int
    """How many subscriptions ended with the customer."""


class DeletedCustomerTaxIdsItem(TypedDict):
    type: Literal['vat', 'tax_number', 'company_number']
    """`vat`: VAT number, with its country; `tax_number`: other tax number; `company_number`: number in the
    register of companies.
    """
    value: str
    """The number as it is printed."""


class DraftInvoices(TypedDict):
    invoices: list[Invoice]
    """Invoices, one per currency; each is a draft that is computed and not stored."""


class Drawdown(TypedDict):
    credit_id: str
    """Id of the credit."""
    amount: float
    """Negative: what the invoice took from the credit."""
    applied_at: str
    """When the invoice took it."""
    description: str
    """Text for people."""


class DuePayments(TypedDict):
    currency_code: str
    """Currency of the amount (ISO 4217)."""
    invoices: int
    """Unpaid invoices that fall due in these days."""
    cost_due: float
    """Sum of what is still to be paid of them."""


class EarlierLine(TypedDict):
    invoice_id: str
    """Id of the invoice (`invoice_` and a uuid). A path also takes its number."""
    invoice_number: str | None
    """Its number."""
    line: int
    """Place of the line on that invoice, from 1."""
    base: float
    """Base of that line; they sum to charged_before."""


class ExplainedLine(TypedDict):
    line: int
    """Position on the invoice, from 1."""
    name: str
    """Name as people see it."""
    subscription_id: str | None
    """Id of the subscription. A switch and a renewal begin a new one."""
    rule: str
    """The rule that made the line."""
    fraction: str
    """The exact part of the full interval that is charged, n/d; 1/1 where nothing is prorated, such as for
    usage.
    """
    inputs: ExplainedLineInputs
    """Inputs that the amount was computed from."""
    base: float
    """Amount of the line before adjustments."""
    adjustments: list[ExplainedLineAdjustmentsItem]
    """Taxes, price adjustments and credits of the line."""
    subtotal: float
    """Base and adjustments of the line, before tax and credits."""
    amount: float
    """Amount in the major unit of the currency."""
    usage: UsageCount | None
    """The count that the line charges, with its evidence; null where nothing is counted."""
    previous_usage: UsageCount | None
    """The count that `usage` supersedes; null: none."""
    reverses: list[ReversedLine]
    """Earlier lines that the line reverses."""
    credits: list[ExplainedLineCreditsItem]
    """Credits that paid for the line."""
    settings: list[SettingRead]
    """Settings that the line was computed with. The tax_rate of a line that corrects an earlier charge is the
    one that the charge was computed with.
    """
    calculation: LineCalculation | None
    """How the base of the line was calculated; null where the rule alone says it."""
    follows_from: list[RecordedEventRef]
    """Events that the line follows from."""


class ExplainedLineInputs(TypedDict):
    """Inputs that the amount was computed from."""

    billing_type: str
    """When and why the charge is invoiced."""
    start: str
    """Start of the span."""
    end: str
    """End of the span."""
    quantity: float | None
    """Quantity that is charged."""
    price: Any
    """The price, as the plan version defines it."""
    prepaid_units: list[ExplainedLineInputsPrepaidUnitsItem] | None
    """Units held, since when, and their share of the window; null where nothing is prepaid."""
    plan_version_id: str | None
    """Id of the plan version whose price is charged."""
    tax_rate: Any
    """Percent of tax; null: no tax."""


ExplainedLineInputsPrepaidUnitsItem = TypedDict(
    'ExplainedLineInputsPrepaidUnitsItem',
    {
        # Prepaid units of the metric.
        'units': "float",
        # Since when.
        'from': "str",
        # The exact part of the full interval, n/d.
        'fraction': "Any",
    },
)


class ExplainedLineAdjustmentsItem(TypedDict):
    adjustment_type: str
    """The kind of adjustment."""
    account: str
    """Account of the books that the adjustment is posted to."""
    amount: float
    """Amount in the major unit of the currency."""
    rule: str
    """percentage, fixed or price_override of the plan version; tax_rate; or the rule of a credit line."""
    figure: str | None
    """The percent or amount of the rule, as decimal text."""
    allocation: AdjustmentAllocation | None
    """Total of several lines that the amount is a share of; null where it is calculated from the line alone."""


class ExplainedLineCreditsItem(TypedDict):
    credit_id: str
    """Id of the credit."""
    amount: float
    """Amount in the major unit of the currency."""


class ExternalLinkBody(TypedDict):
    source: Literal['provider_a', 'provider_b']
    """The payment provider.

    - `provider_a`: The first payment provider.
    - `provider_b`: The second payment provider.
    """
    external_plan_id: str
    """Id of the plan at the payment provider."""


class ExternalPlanLink(TypedDict):
    source: Literal['provider_a', 'provider_b']
    """The payment provider.

    - `provider_a`: The first payment provider.
    - `provider_b`: The second payment provider.
    """
    external_plan_id: str
    """Id of the plan at the payment provider."""


class Feature(TypedDict):
    feature_id: str
    """Id of the feature."""
    feature_name: str
    """Name of the feature, unique."""
    feature_description: str | None
    """Description of the feature for people."""


class FeatureAccess(TypedDict):
    customer: CustomerSummary
    """The customer."""
    feature: Feature
    """The feature."""
    access: bool
    """Whether it is granted."""
    access_per_subscription: list[FeatureAccessAccessPerSubscriptionItem]
    """Each running subscription, and whether it grants access."""


class FeatureAccessAccessPerSubscriptionItem(TypedDict):
    subscription: AccessSubscription
    """The subscription."""
    access: bool
    """Whether it is granted."""


class FieldError(TypedDict):
    code: Literal['required', 'null', 'blank', 'invalid', 'invalid_choice', 'min_value', 'max_value', 'max_length', 'does_not_exist']
    """Machine code of the error.

    - `required`: A field is missing.
    - `null`: A field is null that may not be.
    - `blank`: A text is empty.
    - `invalid`: A value has the wrong type or form, or a parameter is unknown.
    - `invalid_choice`: A value is none of the choices.
    - `min_value`: A number is too small.
    - `max_value`: A number is too large.
    - `max_length`: A text or list is too long.
    - `does_not_exist`: A body or query names an unknown id.
    """
    detail: str
    """A sentence for people: what is wrong and what is allowed."""
    attr: str
    """Dotted path of the field; non_field_errors for a rule across fields."""


class GaugeRun(TypedDict):
    start: str
    """Start of the span."""
    end: str
    """End of the span."""
    peak: str
    """Highest level of each bucket, exact."""
    seconds: str
    """Length of the run in seconds, exact."""
    granularity_seconds: str
    """Length of the granularity in seconds, exact; without proration that of the window."""
    quantity: str
    """peak × seconds ÷ granularity_seconds, exact."""


class GaugeSteps(TypedDict):
    peak_at: str | None
    """When the level first reached the peak; null with proration, and where the quantity is 0."""
    runs: list[GaugeRun]
    """Spans of adjacent buckets with the same peak, by time. Their quantities and that of `further_runs` sum to
    the quantity. A level of 0 has no run.
    """
    further_runs: GaugeStepsFurtherRuns | None
    """Number and sum of the runs after the first 50; null: there are none."""


class GaugeStepsFurtherRuns(TypedDict):
    """Number and sum of the runs after the first 50; null: there are none."""

    runs: int
    quantity: str
    """Quantity that is charged."""


class GrantCreditBody(TypedDict):
    customer_id: str
    """Your own id of the customer."""
    amount: float
    """Worth of the credit, above 0."""
    currency_code: str
    """A currency code of ISO 4217."""
    description: NotRequired[str | None]
    """Text for people."""
    effective_at: NotRequired[str | None]
    """From when the credit can be used; now by default."""
    expires_at: NotRequired[str | None]
    """When what is left expires, in the future; null: never."""
    amount_paid: NotRequired[float | None]
    """Price that the customer pays for the credit; above 0, an unpaid invoice over it is issued."""
    amount_paid_currency_code: NotRequired[str | None]
    """A currency code of ISO 4217."""


class GrantedFeature(TypedDict):
    feature: Feature
    """The feature."""
    access: bool
    """Whether it is granted."""
    access_per_subscription: list[GrantedFeatureAccessPerSubscriptionItem]
    """Each running subscription, and whether it grants access."""


class GrantedFeatureAccessPerSubscriptionItem(TypedDict):
    subscription: AccessSubscription
    """The subscription."""
    access: bool
    """Whether it is granted."""


class GrantedFeatures(TypedDict):
    features: list[GrantedFeature]
    """Features that subscribers are granted."""


class IdsReceived(TypedDict):
    status: Literal['success']
    """Always `success`.

    - `success`: The ids were looked for.
    """
    ids_not_found: list[str]
    """The requested ids that never arrived."""


class InitialUnitsBody(TypedDict):
    metric_id: str
    """Id of the metric."""
    units: float
    """Prepaid units of the metric."""


class Invoice(TypedDict):
    invoice_id: str
    """Id of the invoice (`invoice_` and a uuid). A path also takes its number."""
    invoice_number: str | None
    """Number of the invoice, `YYMMDD-000001`, without gaps; null on a draft."""
    cost_due: float
    """Amount that is still to pay; 0 when paid or voided."""
    amount: float
    """Sum of the lines, tax included. Negative when more is reversed than charged."""
    currency: PricingUnit
    """The currency."""
    issue_date: str
    """When the invoice was issued."""
    due_date: str | None
    """When the invoice is to be paid: the issue date and the payment grace period of the organization; null
    without one.
    """
    start_date: str
    """First day that the lines cover."""
    end_date: str
    """Last day that the lines cover."""
    payment_status: Literal['draft', 'voided', 'paid', 'unpaid']
    """Whether the invoice is paid.

    - `draft`: Computed and not issued.
    - `voided`: Taken back; nothing is due and nothing of it counts.
    - `paid`: Nothing is due.
    - `unpaid`: Something is due.
    """
    external_payment_obj_id: str | None
    """Id of the object that stands for the invoice at the payment provider."""
    external_payment_obj_type: Literal['provider_a', 'provider_b', None]
    """The payment provider.

    - `provider_a`: The first payment provider.
    - `provider_b`: The second payment provider.
    """
    external_payment_obj_status: str | None
    """Its status at the payment provider."""
    line_items: list[InvoiceLineItem]
    """Lines of the invoice."""
    customer: AddressedCustomer
    """The customer."""
    seller: Seller
    """Your organization as the invoice names it."""
    invoice_pdf: str | None
    """Link to the PDF, which opens without a key for 24 hours; null on a draft."""


class InvoiceExplanation(TypedDict):
    invoice_id: str
    """Id of the invoice (`invoice_` and a uuid). A path also takes its number."""
    invoice_number: str
    """Number of the invoice, `YYMMDD-000001`, without gaps; null on a draft."""
    as_of: str
    """The time that the invoice was computed at."""
    policy: Any
    """Rules of rounding, proration and tax by which the invoice was computed."""
    fingerprint: str
    """Hash over the inputs of the invoice."""
    result_hash: str
    """Hash over the lines and amounts."""
    computed_by: RecordedEventRef
    """The event that holds the invoice."""
    inputs: Any
    """Inputs that the amount was computed from."""
    totals: InvoiceExplanationTotals
    """Sums of the invoice."""
    lines: list[ExplainedLine]
    """Lines of the invoice with their reasons."""


class InvoiceExplanationTotals(TypedDict):
    """Sums of the invoice."""

    base: float
    """Sum of the bases of the lines."""
    adjustments: float
    """Sum of all adjustments of the lines, tax and credits included."""
    amount: float
    """Sum of the amounts of the lines."""
    cost_due: float
    """Amount that was to be paid when the invoice was issued."""


class InvoiceLineItem(TypedDict):
    name: str
    """Name as people see it."""
    start_date: str
    """From when the line charges."""
    end_date: str
    """Until when the line charges."""
    quantity: float | None
    """Usage or units that the line charges; null where nothing is counted."""
    billing_type: Literal['in_advance', 'in_arrears', 'intermediate', 'one_time']
    """When and why the charge is invoiced.

    - `in_advance`: Charged at the start of its interval.
    - `in_arrears`: Charged after its interval.
    - `intermediate`: Usage of an interval that is invoiced within a longer term.
    - `one_time`: Charged once.
    """
    metadata: dict[str, float | str]
    """Details of the line, such as the rate of a tax."""
    plan: PlanRef | None
    """Plan and version of the subscription."""
    subscription_filters: list[SubscriptionFilter] | None
    """Property filters: a subscription with filters counts usage with these values only."""
    base: float
    """Amount of the line before adjustments."""
    adjustments: list[Adjustment]
    """Taxes, price adjustments and credits of the line."""
    amount: float
    """Amount that the line adds to the invoice: base, adjustments and tax."""
    subtotal: float
    """Base and adjustments of the line, before tax and credits."""


class InvoicePreview(TypedDict):
    invoices: list[Invoice]
    """Invoices, one per currency; each is a draft that is computed and not stored."""


class InvoiceSummary(TypedDict):
    invoice_id: str
    """Id of the invoice (`invoice_` and a uuid). A path also takes its number."""
    invoice_number: str | None
    """Number of the invoice, `YYMMDD-000001`, without gaps; null on a draft."""
    cost_due: float
    """Amount that is still to pay; 0 when paid or voided."""
    amount: float
    """Sum of the lines, tax included. Negative when more is reversed than charged."""
    currency: PricingUnit
    """The currency."""
    issue_date: str
    """When the invoice was issued."""
    due_date: str | None
    """When the invoice is to be paid: the issue date and the payment grace period of the organization; null
    without one.
    """
    start_date: str
    """First day that the lines cover."""
    end_date: str
    """Last day that the lines cover."""
    payment_status: Literal['draft', 'voided', 'paid', 'unpaid']
    """Whether the invoice is paid.

    - `draft`: Computed and not issued.
    - `voided`: Taken back; nothing is due and nothing of it counts.
    - `paid`: Nothing is due.
    - `unpaid`: Something is due.
    """
    external_payment_obj_id: str | None
    """Id of the object that stands for the invoice at the payment provider."""
    external_payment_obj_type: Literal['provider_a', 'provider_b', None]
    """The payment provider.

    - `provider_a`: The first payment provider.
    - `provider_b`: The second payment provider.
    """
    external_payment_obj_status: str | None
    """Its status at the payment provider."""


class InvoicedAmounts(TypedDict):
    as_of: str
    """The organization's present time that the rows are of: the current month is as of then."""
    position: str | None
    """The organization's last event that the rows contain, as in `X-Recount-Position`; null before the first."""
    rows: list[InvoicedAmountsRow]
    """The rows, in the order of currency and month, or of day and event name."""


class InvoicedAmountsRow(TypedDict):
    month: str
    """First day of the month, in UTC."""
    currency_code: str
    """Currency of every amount of the row (ISO 4217)."""
    invoices: int
    """Invoices issued in the month that are not voided."""
    invoiced: float
    """Sum of their amounts, tax and credits included."""
    paid: float
    """Part of it that is paid, or settled by a later invoice."""
    open: float
    """Part of it that is still to be paid."""


class LeftOutStream(TypedDict):
    stream: str
    """Stream of the organization."""
    revision: int
    """Its first event that is not applied."""
    since: str
    """When applying it failed."""


class LineCalculation(TypedDict):
    charge_key: str
    """Names the charge: lines with the same key share this calculation."""
    steps: list[CalculationStep]
    """Amounts that are added up."""
    exact: str
    """Sum of the amounts of the steps. Exact: decimal text, or n/d."""
    due: float
    """exact, rounded once to the minor unit of the currency."""
    charged_before: float
    """Charged by earlier invoices. The bases of the lines with this key sum to due − charged_before."""
    earlier_lines: list[EarlierLine]
    """Lines of earlier invoices that charged for the same."""
    window: LineCalculationWindow
    """The window that was counted."""
    full_interval: LineCalculationFullInterval
    """The whole interval that the fraction is of."""
    proration_basis: str
    """second or day."""
    timezone: str
    """IANA zone in which days are counted."""


class LineCalculationWindow(TypedDict):
    """The window that was counted."""

    start: str
    """Start of the span."""
    end: str
    """End of the span."""


class LineCalculationFullInterval(TypedDict):
    """The whole interval that the fraction is of."""

    start: str
    """Start of the span."""
    end: str
    """End of the span."""


class LinkedInvoice(TypedDict):
    invoice_id: str
    """Id of the invoice (`invoice_` and a uuid). A path also takes its number."""
    invoice_number: str | None
    """Number of the invoice, `YYMMDD-000001`, without gaps; null on a draft."""
    cost_due: float
    """Amount that is still to pay; 0 when paid or voided."""
    amount: float
    """Sum of the lines, tax included. Negative when more is reversed than charged."""
    currency: PricingUnit
    """The currency."""
    issue_date: str
    """When the invoice was issued."""
    due_date: str | None
    """When the invoice is to be paid: the issue date and the payment grace period of the organization; null
    without one.
    """
    start_date: str
    """First day that the lines cover."""
    end_date: str
    """Last day that the lines cover."""
    payment_status: Literal['draft', 'voided', 'paid', 'unpaid']
    """Whether the invoice is paid.

    - `draft`: Computed and not issued.
    - `voided`: Taken back; nothing is due and nothing of it counts.
    - `paid`: Nothing is due.
    - `unpaid`: Something is due.
    """
    external_payment_obj_id: str | None
    """Id of the object that stands for the invoice at the payment provider."""
    external_payment_obj_type: Literal['provider_a', 'provider_b', None]
    """The payment provider.

    - `provider_a`: The first payment provider.
    - `provider_b`: The second payment provider.
    """
    external_payment_obj_status: str | None
    """Its status at the payment provider."""
    line_items: list[InvoiceLineItem]
    """Lines of the invoice."""
    customer: AddressedCustomer
    """The customer."""
    seller: Seller
    """Your organization as the invoice names it."""
    invoice_pdf: str | None
    """Link to the PDF, which opens without a key for 24 hours; null on a draft."""
    url: str | None
    """The same link as `invoice_pdf`."""


class ListedOrganization(TypedDict):
    organization_id: str
    """Id of the organization."""
    organization_name: str | None
    """Name of the organization, as invoices show it."""
    default_currency_code: str | None
    """ISO 4217 code of the currency that is taken where none is named."""
    timezone: str | None
    """IANA time zone in which days and months begin, such as `Europe/Warsaw`."""
    created_at: str
    """When it was made."""
    unreadable: str | None
    """Why the settings of the organization cannot be read, which are null then; null: they can."""


class LogoBody(TypedDict):
    data: str
    """A PNG or JPEG of at most 131072 bytes in base64; a data URL is taken too."""


class Metric(TypedDict):
    metric_id: str
    """Id of the metric."""
    metric_name: str
    """Name of the metric, unique."""
    event_name: str
    """Name of the usage events that the metric counts."""
    property_name: str | None
    """Name of the property of the event that is aggregated; null for `count`."""
    aggregation_type: Literal['count', 'sum', 'max', 'unique', 'average']
    """How the events of a window become one quantity.

    - `count`: Number of events.
    - `sum`: Sum of the property.
    - `max`: Highest value of the property.
    - `unique`: Number of different values of the property.
    - `average`: Mean of the property.
    """
    metric_type: Literal['counter', 'gauge', 'rate', 'custom']
    """The kind of the metric.

    - `counter`: Aggregates the events of a window.
    - `gauge`: Follows a level, such as seats, weighted by time.
    - `rate`: The highest usage of any part of the window, such as requests an hour.
    - `custom`: Not available: refused with `invalid_operation`.
    """
    granularity: Literal['seconds', 'minutes', 'hours', 'days', 'months', 'quarters', 'years', 'total', None]
    """Length of the parts of a window: a gauge is weighted by them, a rate has its value in each.

    - `seconds`: Seconds.
    - `minutes`: Minutes.
    - `hours`: Hours.
    - `days`: Days of the time zone.
    - `months`: Months of the time zone.
    - `quarters`: Quarters of the time zone.
    - `years`: Years of the time zone.
    - `total`: The whole window.
    """
    event_type: Literal['delta', 'total', None]
    """How a value changes the level of a gauge; null for other metrics.

    - `delta`: Each value changes the level by so much.
    - `total`: Each value is the new level.
    """
    proration: Literal['seconds', 'minutes', 'hours', 'days', 'months', 'quarters', 'years', 'total', None]
    """How finely the level of a gauge is weighted by time, finer than its granularity; null: not at all.

    - `seconds`: Seconds.
    - `minutes`: Minutes.
    - `hours`: Hours.
    - `days`: Days of the time zone.
    - `months`: Months of the time zone.
    - `quarters`: Quarters of the time zone.
    - `years`: Years of the time zone.
    - `total`: The whole window.
    """
    numeric_filters: list[NumericFilter]
    """Events count when they match all of these."""
    categorical_filters: list[CategoricalFilter]
    """Events count when they match all of these."""
    is_cost_metric: bool
    """true: it measures the business's own costs."""
    custom_sql: str | None
    """Always null."""


class MetricAccess(TypedDict):
    customer: CustomerSummary
    """The customer."""
    metric: Metric
    """The metric."""
    access: bool
    """Whether it is granted."""
    access_per_subscription: list[MetricAccessAccessPerSubscriptionItem]
    """Each running subscription, and whether it grants access."""


class MetricAccessAccessPerSubscriptionItem(TypedDict):
    subscription: AccessSubscription
    """The subscription."""
    metric_usage: float
    """Usage of the running window; of a gauge its current level."""
    metric_free_limit: float | None
    """Usage that is free: the end of the free tiers, at least the prepaid units; null: no limit."""
    metric_total_limit: float | None
    """Usage up to which access is granted: the end of the last tier; null: no limit."""


class MetricOfUsage(TypedDict):
    metric_id: str
    """The metric."""
    metric_name: str
    """Its name."""
    event_name: str
    """Name of the events that it reads."""
    metric_type: Literal['counter', 'gauge', 'rate', 'custom']
    """The kind of the metric.

    - `counter`: Aggregates the events of a window.
    - `gauge`: Follows a level, such as seats, weighted by time.
    - `rate`: The highest usage of any part of the window, such as requests an hour.
    - `custom`: Not available: refused with `invalid_operation`.
    """
    aggregation_type: Literal['count', 'sum', 'max', 'unique', 'average']
    """How the events of a window become one quantity.

    - `count`: Number of events.
    - `sum`: Sum of the property.
    - `max`: Highest value of the property.
    - `unique`: Number of different values of the property.
    - `average`: Mean of the property.
    """


class NewApiKey(TypedDict):
    name: str
    """Name as people see it."""
    prefix: str
    """Tells keys apart; the first characters of the key."""
    scope: Literal['ingest', 'read', 'write', 'admin']
    """Operations that the key may call.

    - `ingest`: Sends usage, and nothing else.
    - `read`: Reads everything but keys, webhooks and evidence with personal data.
    - `write`: Reads, changes; no settings, keys, webhooks, erasure, test clock or retries of parked work.
    - `admin`: Everything within the organization.
    """
    created_at: str
    """When it was made."""
    expires_at: str | None
    """From when the key is refused; null: never."""
    revoked_at: str | None
    """When the key was revoked; null: it was not."""
    key: str | None
    """The API key, shown in this answer only."""


class NewOrganization(TypedDict):
    organization_id: str
    """Id of the organization."""
    organization_name: str
    """Name of the organization, as invoices show it."""
    default_currency_code: str
    """ISO 4217 code of the currency that is taken where none is named."""
    timezone: str
    """IANA time zone in which days and months begin, such as `Europe/Warsaw`."""
    created_at: str
    """When it was made."""
    admin_key: NewApiKey
    """The first API key of the organization, shown in this answer only."""


class NewWebhook(TypedDict):
    webhook_endpoint_id: str
    """Id of the webhook endpoint."""
    name: str
    """Name as people see it."""
    webhook_url: str
    """Public https address that deliveries are posted to."""
    triggers: list[Literal['customer.created', 'subscription.created', 'subscription.renewed', 'subscription.cancelled', 'invoice.created', 'invoice.paid', 'invoice.past_due', 'invoice.voided', 'billing.parked', 'usage_alert.triggered', 'audit.checkpoint']]
    """Triggers that the endpoint is told of.

    - `customer.created`: A customer was created.
    - `subscription.created`: A subscription began, by creation or switch.
    - `subscription.renewed`: A term ended and the next one began.
    - `subscription.cancelled`: A subscription was cancelled.
    - `invoice.created`: An invoice was issued.
    - `invoice.paid`: An invoice was paid.
    - `invoice.past_due`: The due date of an unpaid invoice has passed.
    - `invoice.voided`: An invoice was voided.
    - `billing.parked`: Billing of an account failed and is tried again later.
    - `usage_alert.triggered`: Usage of a billing window reached the threshold of an alert.
    - `audit.checkpoint`: A checkpoint of the transparency log was signed.
    """
    created_at: str
    """When it was made."""
    webhook_secret: str | None
    """Secret that signs deliveries (Standard Webhooks), shown in this answer only; null in a repeat."""


class NothingTracked(TypedDict):
    success: Literal['none']
    """Which of the events were taken.

    - `none`: No event is stored.
    """
    failed_events: dict[str, str]
    """Reason by idempotency id of each event that was not taken; null: all were."""


class NumericFilter(TypedDict):
    property_name: str
    """Name of the property of the event."""
    operator: Literal['gte', 'gt', 'eq', 'lt', 'lte']
    """How the property is compared.

    - `gte`: At least.
    - `gt`: More than.
    - `eq`: Exactly.
    - `lt`: Less than.
    - `lte`: At most.
    """
    comparison_value: float
    """Value that the property is compared with."""


class NumericFilterBody(TypedDict):
    property_name: str
    """Name of the property of the event."""
    operator: Literal['gte', 'gt', 'eq', 'lt', 'lte']
    """How the property is compared.

    - `gte`: At least.
    - `gt`: More than.
    - `eq`: Exactly.
    - `lt`: Less than.
    - `lte`: At most.
    """
    comparison_value: float
    """Value that the property is compared with."""


class Organization(TypedDict):
    organization_id: str
    """Id of the organization."""
    organization_name: str
    """Name of the organization, as invoices show it."""
    default_currency_code: str
    """ISO 4217 code of the currency that is taken where none is named."""
    timezone: str
    """IANA time zone in which days and months of customers without a zone of their own begin, such as
    `Europe/Warsaw`.
    """
    tax_rate: float | None
    """Percent of tax on what is due by customers without a rate of their own, 0 to 999.9999; 0: exempt; null: no
    tax.
    """
    address: Address | None
    """Your address, as invoices show it."""
    email: str | None
    """Your e-mail address, as invoices show it."""
    phone: str | None
    """Your telephone number, as invoices show it."""
    payment_grace_period: int | None
    """Days from issue to due date; null: invoices have no due date."""
    late_event_grace_minutes: int
    """Minutes after the end of a window that its invoice waits for late usage; 30 by default."""
    subscription_filter_keys: list[str]
    """Names that subscription filters may use; empty: any."""
    feature_access_policy: Literal['any', 'all']
    """Which of its subscriptions have to grant a customer a feature.

    - `any`: One subscription that grants the feature is enough.
    - `all`: Every running subscription has to grant it.
    """
    proration_basis: Literal['second', 'day']
    """The unit in which the used part of an interval is measured.

    - `second`: By exact time.
    - `day`: By days of the time zone: a started day counts whole.
    """
    legal_name: str | None
    """Name of the seller on invoices, as registered; null: the name of the organization."""
    tax_ids: list[OrganizationTaxIdsItem]
    """Numbers under which the seller is registered, as printed on invoices."""
    payment_terms: str | None
    """Terms of payment on invoices, in words."""
    payment_details: OrganizationPaymentDetails | None
    """Where customers pay to; null: the invoice has no payment block."""
    invoice_footer: str | None
    """Text at the foot of every page of an invoice."""
    invoice_locale: str | None
    """Language and region of invoices as a BCP 47 tag, such as `de-AT`; null: English."""
    logo: OrganizationLogo | None
    """Picture at the head of invoices."""


class OrganizationTaxIdsItem(TypedDict):
    type: Literal['vat', 'tax_number', 'company_number']
    """`vat`: VAT number, with its country; `tax_number`: other tax number; `company_number`: number in the
    register of companies.
    """
    value: str
    """The number as it is printed."""


class OrganizationPaymentDetails(TypedDict):
    """Where customers pay to; null: the invoice has no payment block."""

    account_holder: str | None
    """Holder of the account."""
    iban: str | None
    """IBAN of the account, without spaces."""
    bic: str | None
    """BIC of the bank."""
    text: str | None
    """Further words, such as the reference to give."""


class OrganizationLogo(TypedDict):
    """Picture at the head of invoices."""

    media_type: Literal['image/png', 'image/jpeg']
    """Kind of the picture.

    - `image/png`: PNG.
    - `image/jpeg`: JPEG.
    """
    width: int
    """Width in pixels."""
    height: int
    """Height in pixels."""
    sha256: str
    """sha256 of its bytes in hex."""


class ParkedWork(TypedDict):
    parked_id: str
    """Id of the parking, from the first failure until it is done."""
    kind: Literal['run', 'boundary', 'past_due']
    """`run`: a billing run of an account. `boundary`: the renewal or end of a subscription. `past_due`: the note
    that an invoice is past due.
    """
    customer_id: str | None
    """Customer whose it is; null where nobody knows, or after an erasure."""
    currency_code: str | None
    """Currency of the account; null where it is not known."""
    subscription_id: str | None
    """Subscription at its boundary; else null."""
    invoice_id: str | None
    """Invoice that is past due; else null."""
    cause: str
    """Code of the refusal; internal: it failed inside the service."""
    detail: str
    """Text of the refusal at the newest try."""
    tries: int
    """How often it was tried in vain."""
    parked_at: str
    """First failure."""
    next_try_at: str
    """The first sweep from then on tries it again, after 1, 2, 4 … minutes, at last every 6 hours."""


class PaymentDetailsBody(TypedDict):
    account_holder: NotRequired[str | None]
    """Holder of the account."""
    iban: NotRequired[str | None]
    """IBAN of the account; blanks are left out."""
    bic: NotRequired[str | None]
    """BIC of the bank."""
    text: NotRequired[str | None]
    """Further words, such as the reference to give."""


class PeriodAdjustment(TypedDict):
    start: str
    """Start of the span."""
    end: str
    """End of the span."""
    full_interval: PeriodAdjustmentFullInterval
    """The whole interval that the fraction is of."""
    rounded_before: str
    """Fraction up to start; 0 unless the period continues that of an earlier term. Exact: decimal text, or n/d."""
    rounded_up_to: str
    """Fraction up to end. Exact: decimal text, or n/d."""
    amount: float
    """The figure, prorated: round(figure × rounded_up_to) − round(figure × rounded_before)."""
    base: float
    """Sum of the bases of all charges of the period, on this invoice and on earlier ones."""
    adjusted: float
    """Adjustments that these charges have already, without those that this invoice reverses. The total, with
    what lines carry back, is amount − adjusted, for price_override amount − base − adjusted; a fixed amount
    takes off no more than base.
    """


class PeriodAdjustmentFullInterval(TypedDict):
    """The whole interval that the fraction is of."""

    start: str
    """Start of the span."""
    end: str
    """End of the span."""


class Plan(TypedDict):
    plan_id: str
    """Id of the plan."""
    plan_name: str
    """Name of the plan, unique."""
    plan_duration: Literal['monthly', 'quarterly', 'yearly', None]
    """How long a term runs until it renews; null: a month.

    - `monthly`: Terms of a month.
    - `quarterly`: Terms of three months.
    - `yearly`: Terms of a year.
    """
    plan_description: str | None
    """Description of the plan for people."""
    external_links: list[ExternalPlanLink]
    """Ids of the plan at payment providers."""
    num_versions: int
    """Number of public versions."""
    active_version: int
    """The highest active public one; 0: none is active."""
    active_subscriptions: int
    """Running subscriptions, all versions together."""
    tags: list[str]
    """Tags to find plans by: letters, digits, hyphens and underscores."""
    versions: list[PlanVersion]
    """The versions, in the order they were made."""
    parent_plan: None
    """Always null. Deprecated."""
    target_customer: CustomerSummary | None
    """Always null. Deprecated: use the targets of versions."""
    display_version: PlanVersion
    """The active public version, else the latest. Deprecated: use `versions`."""
    status: Literal['active', 'archived']
    """Whether the plan is still there. Deprecated: use the status of its versions.

    - `active`: Not deleted.
    - `archived`: Deleted.
    """


class PlanComponent(TypedDict):
    billable_metric: Metric
    """The metric whose usage is charged."""
    tiers: list[PriceTier]
    """Prices by range of usage, without a gap."""
    bulk_pricing_enabled: bool
    """true: the tier that the whole usage falls into prices all of it; false: each tier prices its own part."""
    pricing_unit: PricingUnit
    """The currency of the charge, that of its version."""
    invoicing_interval_unit: Literal['day', 'week', 'month', 'year', None]
    """Unit of the interval after which the charge is invoiced; null: the term of the plan.

    - `day`: Days.
    - `week`: Weeks.
    - `month`: Months.
    - `year`: Years.
    """
    invoicing_interval_count: int | None
    """How many units make one invoicing interval; null: one."""
    reset_interval_unit: Literal['day', 'week', 'month', 'year', None]
    """Unit of the window after which usage is counted from 0; null: the invoicing interval.

    - `day`: Days.
    - `week`: Weeks.
    - `month`: Months.
    - `year`: Years.
    """
    reset_interval_count: int | None
    """How many units make one reset window; null: one."""
    prepaid_charge: ComponentCharge | None
    """Units that are paid at the start of each window; null: usage is charged when the window ends."""


class PlanRef(TypedDict):
    plan_name: str
    """Name of the plan, unique."""
    plan_id: str
    """Id of the plan."""
    version_id: str
    """Id of the plan version."""
    version: int
    """Number of the version; 0 when it is made for named customers."""


class PlanVersion(TypedDict):
    version_id: str
    """Id of the plan version."""
    recurring_charges: list[RecurringCharge]
    """Fixed charges of each invoicing interval."""
    components: list[PlanComponent]
    """Usage prices, one per metric."""
    features: list[Feature]
    """Features that subscribers are granted."""
    price_adjustment: PriceAdjustment | None
    """A discount or surcharge on what the version charges; null: none."""
    version: int | Literal['custom_version']
    """Number of the version; `custom_version` when it is made for named customers.

    - `custom_version`: The version is made for named customers.
    """
    status: Literal['active', 'retiring', 'grandfathered', 'deleted', 'inactive', 'not_started']
    """Whether the version is sold, and what becomes of its subscriptions.

    - `active`: Sold now.
    - `retiring`: No longer sold; its subscriptions renew to another version.
    - `grandfathered`: No longer sold; its subscriptions renew to it.
    - `deleted`: Deleted.
    - `inactive`: No longer sold, and nobody is subscribed.
    - `not_started`: Not sold yet.
    """
    plan_name: str
    """Name of the plan, unique."""
    currency: PricingUnit
    """The currency."""
    active_from: str | None
    """When the version starts to be sold; null: not offered yet."""
    active_to: str | None
    """When the version stops to be sold; null: open-ended."""
    localized_name: str | None
    """Name of the version in the language of its customers."""
    day_anchor: int | None
    """Day of the month, 1 to 31, on which periods begin; by default the day of the start."""
    month_anchor: int | None
    """Month of the year, 1 to 12, in which quarters and years begin; by default the month of the start."""
    target_customers: list[CustomerSummary]
    """Customers that the version is made for; empty: everybody."""
    created_on: str
    """When the version was made."""
    usage_billing_frequency: str | None
    """Always null. Deprecated."""
    flat_fee_billing_type: Literal['in_advance', 'in_arrears']
    """When the first recurring charge is invoiced. Deprecated.

    - `in_advance`: At the start of the interval.
    - `in_arrears`: After the interval.
    """
    flat_rate: float
    """Sum of the recurring charges. Deprecated."""
    description: str | None
    """Description of the plan. Deprecated."""


class PrepaidChargeBody(TypedDict):
    units: NotRequired[float | None]
    """Units of each window; null: given when the subscription is created."""
    charge_behavior: NotRequired[Literal['prorate', 'full', None]]
    """How a part of an interval is charged.

    - `prorate`: A part of the interval costs that part of the amount.
    - `full`: Any part of the interval costs the whole amount.
    """


class PreviewedInvoice(TypedDict):
    lines: int
    """How many lines it has."""
    invoice: Invoice
    """The invoice of all of them as a draft: its amount is the whole, its lines are the first 200."""


class PreviewedSubscription(TypedDict):
    now: Subscription
    """As it is."""
    then: Subscription
    """As the change would leave it; of a switch the new subscription, whose id is not its own yet."""


class PriceAdjustment(TypedDict):
    price_adjustment_name: str
    """Name of the adjustment as invoices show it."""
    price_adjustment_description: str | None
    """Why the price is adjusted, for people."""
    price_adjustment_type: Literal['percentage', 'fixed', 'price_override']
    """How `price_adjustment_amount` changes the price.

    - `percentage`: Changes the price by so many percent.
    - `fixed`: Changes the price by this amount.
    - `price_override`: The amount replaces the price.
    """
    price_adjustment_amount: float
    """Percent, at least -100, or amount; negative is a discount. For `price_override` the new total."""


class PriceAdjustmentBody(TypedDict):
    price_adjustment_name: str
    """Name of the adjustment as invoices show it."""
    price_adjustment_description: NotRequired[str | None]
    """Why the price is adjusted, for people."""
    price_adjustment_type: Literal['percentage', 'fixed', 'price_override']
    """How `price_adjustment_amount` changes the price.

    - `percentage`: Changes the price by so many percent.
    - `fixed`: Changes the price by this amount.
    - `price_override`: The amount replaces the price.
    """
    price_adjustment_amount: float
    """Percent, at least -100, or amount; negative is a discount. For `price_override` the new total."""


class PriceTier(TypedDict):
    type: Literal['flat', 'per_unit', 'free']
    """How the tier prices usage.

    - `flat`: One price for any usage in the range.
    - `per_unit`: A price for each batch of units in the range.
    - `free`: Costs nothing.
    """
    range_start: float
    """Usage from which the tier prices; the first begins at 0, each other one where the last ended."""
    range_end: float | None
    """Usage up to which the tier prices; null: without end, in the last tier only."""
    cost_per_batch: float | None
    """Price of one batch; of a flat tier its whole price. Null in a free tier."""
    metric_units_per_batch: float | None
    """Units of usage in one batch; null: 1."""
    batch_rounding_type: Literal['round_up', 'round_down', 'round_nearest', 'no_rounding', None]
    """How a started batch counts; null is `no_rounding`.

    - `round_up`: A started batch is charged whole.
    - `round_down`: Only full batches are charged.
    - `round_nearest`: From half a batch on, a whole one is charged.
    - `no_rounding`: A part of a batch is charged as that part of its price.
    """


class PricingUnit(TypedDict):
    code: str
    """ISO 4217 code of the currency."""
    name: str
    """Name of the currency."""
    symbol: str
    """Symbol of the currency."""


class Problem(TypedDict):
    type: str
    """URI of the class of the problem; ends in `#validation-error`, `#client-error` or `#server-error`."""
    title: Literal['required', 'null', 'blank', 'invalid', 'invalid_choice', 'min_value', 'max_value', 'max_length', 'does_not_exist', 'parse_error', 'duplicate_resource', 'invalid_state', 'invalid_operation', 'overlapping_plans', 'prepayment_cant_determine_units', 'ambiguous_plan_version', 'amount_out_of_range', 'not_authenticated', 'authentication_failed', 'permission_denied', 'not_found', 'resource_not_found', 'method_not_allowed', 'conflict', 'precondition_failed', 'payload_too_large', 'unsupported_media_type', 'idempotency_key_reused', 'throttled', 'unavailable', 'error']
    """Machine code of the problem.

    - `required`: A field is missing.
    - `null`: A field is null that may not be.
    - `blank`: A text is empty.
    - `invalid`: A value has the wrong type or form, or a parameter is unknown.
    - `invalid_choice`: A value is none of the choices.
    - `min_value`: A number is too small.
    - `max_value`: A number is too large.
    - `max_length`: A text or list is too long.
    - `does_not_exist`: A body or query names an unknown id.
    - `parse_error`: The body is not valid JSON.
    - `duplicate_resource`: An id, e-mail address or name is taken.
    - `invalid_state`: The resource's state does not allow the operation.
    - `invalid_operation`: The operation is not possible.
    - `overlapping_plans`: The customer has a subscription to this version with overlapping time and
      comparable filters.
    - `prepayment_cant_determine_units`: A prepaid component has no units.
    - `ambiguous_plan_version`: Several plan versions match.
    - `amount_out_of_range`: An amount would leave the limits of the interface.
    - `not_authenticated`: There is no API key.
    - `authentication_failed`: The API key is unknown, expired or revoked.
    - `permission_denied`: The API key does not have the required scope.
    - `not_found`: The path names an unknown id.
    - `resource_not_found`: The path names an unknown subscription or add-on, or nothing matches.
    - `method_not_allowed`: The path has no such method.
    - `conflict`: Somebody else changed the same thing at the same time.
    - `precondition_failed`: The resource has another ETag than If-Match says.
    - `payload_too_large`: The body is too large.
    - `unsupported_media_type`: The body is of a type that is not read.
    - `idempotency_key_reused`: The Idempotency-Key was sent with another request.
    - `throttled`: Too many requests.
    - `unavailable`: A store does not answer.
    - `error`: The service failed; the log has the reason under the correlation id.
    """
    detail: str
    """A sentence for people: what is wrong and what is allowed."""
    status: int
    """The HTTP status."""
    instance: str
    """The correlation id, also in X-Request-Id."""
    validation_errors: NotRequired[list[FieldError]]
    """Every wrong field."""


class PublishVersionBody(TypedDict):
    plan_id: str
    """Id of the plan."""
    make_active: NotRequired[bool | None]
    """true: the version is sold from now on and ends every other public version in its currency."""
    make_active_type: NotRequired[Literal['replace_on_renewal', 'grandfather', None]]
    """How subscriptions of the versions that end renew.

    - `replace_on_renewal`: They renew to the new version.
    - `grandfather`: They keep and renew their own version.
    """
    currency_code: NotRequired[str | None]
    """ISO 4217 code of the currency, in any case."""
    features: NotRequired[list[str] | None]
    """Features that subscribers are granted."""
    recurring_charges: NotRequired[list[RecurringChargeBody] | None]
    """Fixed charges of each invoicing interval."""
    components: NotRequired[list[ComponentBody] | None]
    """Usage prices, one per metric."""
    version: NotRequired[int | None]
    """Number of the version; `custom_version` when it is made for named customers."""
    localized_name: NotRequired[str | None]
    """Name of the version in the language of its customers."""
    day_anchor: NotRequired[int | None]
    """Day of the month, 1 to 31, on which periods begin; by default the day of the start."""
    month_anchor: NotRequired[int | None]
    """Month of the year, 1 to 12, in which quarters and years begin; by default the month of the start."""
    target_customer_ids: NotRequired[list[str] | None]
    """Customers that the version is made for; nobody else can subscribe to it."""
    price_adjustment: NotRequired[PriceAdjustmentBody | None]
    """A discount or surcharge on what the version charges; null: none."""


class RateWindow(TypedDict):
    idempotency_id: str
    """Your own id of the event that the window ends with."""
    start: str
    """Start of the window, included: it looks back by the granularity, but not before the subscription."""
    end: str
    """Time of the last event, included."""
    event_count: int
    """How many events are in the window."""
    values: int
    """How many of the events have a value."""
    total: str
    """Number, sum or highest value of the events, exact; of an average the sum."""


class ReadModel(TypedDict):
    name: str
    """Name of the projection that fills the read model."""
    state: Literal['level', 'behind', 'stopped']
    """`level`: it has every event of the organization. `behind`: it lacks some and goes on. `stopped`: it
    applies nothing until an operator has looked at it.
    """
    events_behind: int
    """Events of the organization that it lacks; at most 1,000 are counted."""
    behind_since: str | None
    """When the first of them was recorded; null: it lacks none."""
    left_out: list[LeftOutStream]
    """Streams that the read model leaves out, because an event could not be applied."""


class ReadModels(TypedDict):
    read_models: list[ReadModel]
    """Every read model."""


class Receivables(TypedDict):
    as_of: str
    """The organization's present time that the rows are of: the current month is as of then."""
    position: str | None
    """The organization's last event that the rows contain, as in `X-Recount-Position`; null before the first."""
    rows: list[ReceivablesRow]
    """The rows, in the order of currency and month, or of day and event name."""


class ReceivablesRow(TypedDict):
    currency_code: str
    """Currency of every amount of the row (ISO 4217)."""
    customers: int
    """Customers who owe something."""
    not_due: float
    """Not due yet."""
    days_0_30: float
    """Overdue for up to 30 days."""
    days_31_60: float
    """Overdue for 31 to 60 days."""
    days_61_90: float
    """Overdue for 61 to 90 days."""
    days_over_90: float
    """Overdue for more than 90 days."""
    total: float
    """Sum of the five."""


class RecordedEvent(TypedDict):
    position: str
    """Its revision in the stream of the term, of the account or of the settings."""
    type: str
    """Type of the event."""
    effective_at: str
    """From when the event counts."""
    recorded_at: str
    """When it was recorded."""
    actor: str
    """The API key or service that caused it."""
    data: Any
    """Content of the event, as the log holds it."""


class RecordedEventRef(TypedDict):
    position: str
    """Its revision in the stream of the term, of the account or of the settings."""
    type: str
    """Type of the event."""
    effective_at: str
    """From when the event counts."""
    recorded_at: str
    """When it was recorded."""
    actor: str
    """The API key or service that caused it."""
    actor_name: str | None
    """Name of the API key behind the actor; null for a key that is not known."""
    request_id: str
    """X-Request-Id of the request that caused it."""


class RecurringCharge(TypedDict):
    name: str
    """Name as people see it."""
    charge_timing: Literal['in_advance', 'in_arrears']
    """Whether the interval is invoiced when it begins or when it ends.

    - `in_advance`: Invoiced when the interval begins.
    - `in_arrears`: Invoiced when the interval has ended.
    """
    charge_behavior: Literal['prorate', 'full']
    """How a part of an interval is charged.

    - `prorate`: A part of the interval costs that part of the amount.
    - `full`: Any part of the interval costs the whole amount.
    """
    amount: float
    """Amount in the major unit of the currency."""
    pricing_unit: PricingUnit
    """The currency of the charge, that of its version."""
    invoicing_interval_unit: Literal['day', 'week', 'month', 'year', None]
    """Unit of the interval after which the charge is invoiced; null: the term of the plan.

    - `day`: Days.
    - `week`: Weeks.
    - `month`: Months.
    - `year`: Years.
    """
    invoicing_interval_count: int | None
    """How many units make one invoicing interval; null: one."""
    reset_interval_unit: Literal['day', 'week', 'month', 'year', None]
    """Unit of the window after which usage is counted from 0; null: the invoicing interval.

    - `day`: Days.
    - `week`: Weeks.
    - `month`: Months.
    - `year`: Years.
    """
    reset_interval_count: int | None
    """How many units make one reset window; null: one."""


class RecurringChargeBody(TypedDict):
    name: str
    """Name as people see it."""
    charge_timing: Literal['in_advance', 'in_arrears']
    """Whether the interval is invoiced when it begins or when it ends.

    - `in_advance`: Invoiced when the interval begins.
    - `in_arrears`: Invoiced when the interval has ended.
    """
    charge_behavior: NotRequired[Literal['prorate', 'full', None]]
    """How a part of an interval is charged.

    - `prorate`: A part of the interval costs that part of the amount.
    - `full`: Any part of the interval costs the whole amount.
    """
    amount: float
    """Amount in the major unit of the currency."""
    invoicing_interval_unit: NotRequired[Literal['day', 'week', 'month', 'year', None]]
    """Unit of the interval after which the charge is invoiced; null: the term of the plan.

    - `day`: Days.
    - `week`: Weeks.
    - `month`: Months.
    - `year`: Years.
    """
    invoicing_interval_count: NotRequired[int | None]
    """How many units make one invoicing interval; null: one."""
    reset_interval_unit: NotRequired[Literal['day', 'week', 'month', 'year', None]]
    """Unit of the window after which usage is counted from 0; null: the invoicing interval.

    - `day`: Days.
    - `week`: Weeks.
    - `month`: Months.
    - `year`: Years.
    """
    reset_interval_count: NotRequired[int | None]
    """How many units make one reset window; null: one."""
    pricing_unit: NotRequired[str | dict[str, Any] | None]
    """The currency of the charge, that of its version."""


class RecurringRevenue(TypedDict):
    as_of: str
    """The organization's present time that the rows are of: the current month is as of then."""
    position: str | None
    """The organization's last event that the rows contain, as in `X-Recount-Position`; null before the first."""
    rows: list[RecurringRevenueRow]
    """The rows, in the order of currency and month, or of day and event name."""


class RecurringRevenueRow(TypedDict):
    month: str
    """First day of the month, in UTC."""
    currency_code: str
    """Currency of every amount of the row (ISO 4217)."""
    customers: int
    """Customers with an amount above 0."""
    mrr: float
    """Monthly recurring revenue at the end of the month; 4 decimals."""
    new: float
    """From customers who paid nothing recurring the month before."""
    expansion: float
    """From customers who pay more."""
    contraction: float
    """From customers who pay less; 0 or negative."""
    churn: float
    """From customers who pay nothing recurring any more; 0 or negative."""


class ReplacementBody(TypedDict):
    replace_with: str
    """Id of the version that subscriptions of this one renew to, in the same currency."""


class ReplayBody(TypedDict):
    after_position: NotRequired[str | None]
    """Sends again everything after this position of a delivery; `0/0`: everything."""
    event_id: NotRequired[str | None]
    """Sends this one event again."""


class ReversedLine(TypedDict):
    invoice_id: str
    """Id of the invoice (`invoice_` and a uuid). A path also takes its number."""
    invoice_number: str | None
    """Number of the invoice, `YYMMDD-000001`, without gaps; null on a draft."""
    line: int | None
    """Position on the invoice, from 1."""
    amount: float
    """Amount in the major unit of the currency."""


class Seller(TypedDict):
    name: str
    """Name as people see it."""
    address: Address | None
    """Your address, as invoices show it."""
    phone: str | None
    """Your telephone number, as invoices show it."""
    email: str | None
    """Your e-mail address, as invoices show it."""


class SellerAddressBody(TypedDict):
    city: NotRequired[str | None]
    """City."""
    country: NotRequired[str | None]
    """Country code of two letters (ISO 3166-1)."""
    line1: NotRequired[str | None]
    """First line of the address."""
    line2: NotRequired[str | None]
    """Second line of the address."""
    postal_code: NotRequired[str | None]
    """Postal code."""
    state: NotRequired[str | None]
    """State or province."""


class SettingRead(TypedDict):
    source: str
    """Whose setting it is."""
    setting: str
    """Name of the setting."""
    value: Any
    """The value that the run read."""
    event: RecordedEventRef
    """The event that set it."""


class SigningKey(TypedDict):
    name: str
    """Name of the key: the origin of the log of the organization."""
    key_id: str
    """Id of the key in signatures, in hexadecimal digits."""
    algorithm: Literal['ed25519']
    """Algorithm of its signatures.

    - `ed25519`: Ed25519 (RFC 8032).
    """
    public_key: str
    """The 32 bytes of the public key in base64."""
    verifier_key: str
    """The key as verifiers of C2SP signed notes take it."""
    status: Literal['current', 'overlapping', 'retired']
    """Whether it signs now as the newest key, signs beside it, or has signed earlier checkpoints only.

    - `current`: The newest key: it signs.
    - `overlapping`: An earlier key that still signs beside the newest.
    - `retired`: It has signed earlier checkpoints only.
    """
    first_used_at: str
    """Wall time of the first start of the service with it; it can be older than the organization."""
    last_used_at: str | None
    """Wall time of the newest start of the service with it. As of a moment it is the newest by the wall time
    until then, which a manual clock differs from.
    """


class StoredEvent(TypedDict):
    idempotency_id: str
    """Id that the sender gave the event."""
    customer_id: str | None
    """Customer, as it was sent where there is none with this id; null for an erased one."""
    customer_key: str
    """Stands for the customer_id in stored usage."""
    event_name: str
    """Name by which metrics count it."""
    time_created: str
    """When it happened, as the sender says."""
    received_at: str
    """When it was received, by the clock that rules billing."""
    properties: dict[str, Any]
    """Properties as they were sent."""
    state: Literal['counted', 'pending', 'late', 'not_charged', 'uncounted']
    """counted: billing counted it. pending: its window waits for its billing run. late: it came after its window
    was counted and waits for the next run. not_charged: a cancellation left its window without a charge.
    uncounted: nothing counts it.

    - `counted`: Billing counted it.
    - `pending`: Its window waits for its billing run.
    - `late`: It came after its window was counted and waits for the next run.
    - `not_charged`: A cancellation left its window without a charge.
    - `uncounted`: Nothing counts it.
    """
    reason: Literal['unknown_customer', 'unknown_event_name', 'no_subscription', 'filtered_out', None]
    """Why nothing counts it. unknown_customer, unknown_event_name: no customer or metric has this name.
    no_subscription: no subscription has such a metric at its time; its level can still carry into a later
    window of a gauge. filtered_out: filters exclude it. null when something counts it.

    - `unknown_customer`: No customer has this id.
    - `unknown_event_name`: No metric counts this name.
    - `no_subscription`: No subscription has such a metric at its time.
    - `filtered_out`: Filters of the metric or subscription exclude it.
    """
    windows: list[CountingWindow]
    """Billing windows that count the event and that its time is in, one per metric and subscription. A later
    window that a gauge carries the level into, or whose rate looks back to the event, is not named.
    """


class Subscription(TypedDict):
    subscription_id: str
    """Id of the subscription. A switch and a renewal begin a new one."""
    start_date: str
    """When the term begins."""
    end_date: str
    """When the term ends. A boundary is shown as the last microsecond before it, an end that was set as that
    instant.
    """
    auto_renew: bool
    """Whether a new term begins when this one ends; true by default."""
    is_new: bool
    """true: the first subscription of its line; false: a renewal."""
    subscription_filters: list[SubscriptionFilter]
    """Property filters: a subscription with filters counts usage with these values only."""
    customer: CustomerSummary
    """The customer."""
    billing_plan: PlanRef
    """Plan and version that the subscription is on."""
    fully_billed: bool
    """The term is over and everything in it is on an issued invoice."""
    addons: list[AddonSubscription]
    """Add-ons that were attached."""
    metadata: dict[str, Any]
    """Free-form key/value object of yours, kept as it is sent: no place for personal data. At most 65,536
    characters of JSON.
    """


class SubscriptionFilter(TypedDict):
    property_name: str
    """Name of the property."""
    value: str
    """Value that the property has to have."""


class SubscriptionFilterBody(TypedDict):
    property_name: str
    """Name of the property."""
    value: str
    """Value that the property has to have."""


class SwitchPlanBody(TypedDict):
    switch_plan_id: NotRequired[str]
    """The plan to switch to. Required unless `switch_plan_version_id` is given."""
    switch_plan_version_id: NotRequired[str | None]
    """The plan version to switch to. It wins over `switch_plan_id`."""
    invoicing_behavior: NotRequired[Literal['add_to_next_invoice', 'invoice_now', None]]
    """When the amounts of the change are invoiced.

    - `add_to_next_invoice`: The same amounts are billed at the end of the running billing period.
    - `invoice_now`: The difference is invoiced at once, with everything of the account whose term is over.
    """
    usage_behavior: NotRequired[Literal['transfer_to_new_subscription', 'keep_separate', None]]
    """How usage that is not billed yet is charged.

    - `transfer_to_new_subscription`: The running usage moves to the new subscription, which prices all of it
      by its own tiers at the end of the period.
    - `keep_separate`: The old subscription bills its usage by its own tiers when its period ends; the new one
      starts at 0.
    """
    component_fixed_charges_initial_units: NotRequired[list[InitialUnitsBody] | None]
    """Prepaid units by metric; required for a prepaid component without default units."""


class TagBody(TypedDict):
    tag_name: str
    """The tag: letters, digits, hyphens and underscores."""


class TagsBody(TypedDict):
    tags: list[str | TagBody]
    """Tags to find plans by: letters, digits, hyphens and underscores."""


class TargetsBody(TypedDict):
    customer_ids: list[str]
    """Your own ids of the customers."""


class TaxIdBody(TypedDict):
    type: Literal['vat', 'tax_number', 'company_number']
    """`vat`: VAT number, with its country; `tax_number`: other tax number; `company_number`: number in the
    register of companies.
    """
    value: str
    """The number as it is printed."""


class TermHistory(TypedDict):
    subscription_id: str
    """Id of the subscription. A switch and a renewal begin a new one."""
    predecessor: TermLink | None
    """The subscription that this one continues; null: none."""
    successor: TermLink | None
    """The subscription that continues this one; null: none."""
    events: list[RecordedEvent]
    """Events in order."""


class TermLink(TypedDict):
    subscription_id: str
    """Id of the subscription. A switch and a renewal begin a new one."""
    history: str
    """Path of its history."""


class TestClock(TypedDict):
    now: str
    """The time of the clock."""


class TierBody(TypedDict):
    type: Literal['flat', 'per_unit', 'free']
    """How the tier prices usage.

    - `flat`: One price for any usage in the range.
    - `per_unit`: A price for each batch of units in the range.
    - `free`: Costs nothing.
    """
    range_start: float
    """Usage from which the tier prices; the first begins at 0, each other one where the last ended."""
    range_end: NotRequired[float | None]
    """Usage up to which the tier prices; null: without end, in the last tier only."""
    cost_per_batch: NotRequired[float | None]
    """Price of one batch; of a flat tier its whole price. Null in a free tier."""
    metric_units_per_batch: NotRequired[float | None]
    """Units of usage in one batch; null: 1."""
    batch_rounding_type: NotRequired[Literal['round_up', 'round_down', 'round_nearest', 'no_rounding', None]]
    """How a started batch counts; null is `no_rounding`.

    - `round_up`: A started batch is charged whole.
    - `round_down`: Only full batches are charged.
    - `round_nearest`: From half a batch on, a whole one is charged.
    - `no_rounding`: A part of a batch is charged as that part of its price.
    """


class TrackAnswerValue(TypedDict):
    success: Literal['all']
    """Which of the events were taken.

    - `all`: Every event is stored.
    """
    failed_events: None
    """Reason by idempotency id of each event that was not taken; null: all were."""


class TrackAnswerValue2(TypedDict):
    success: Literal['some']
    """Which of the events were taken.

    - `some`: Some events are stored; `failed_events` says which are not, and why.
    """
    failed_events: dict[str, str]
    """Reason by idempotency id of each event that was not taken; null: all were."""


TrackAnswer: TypeAlias = "TrackAnswerValue | TrackAnswerValue2"


TrackBody: TypeAlias = "UsageBatch | UsageEvent"


class UpcomingWork(TypedDict):
    as_of: str
    """The organization's present time."""
    until: str
    """End of the last day, exclusive."""
    days: list[UpcomingWorkOfDay]
    """Each day from today on."""
    payments: list[DuePayments]
    """Payments that fall due in these days, by currency."""
    waiting: int
    """Work that is due by now and not done, parked work included."""
    parked: int
    """Work that could not be done; `listParkedWork` says why."""
    late_usage: UpcomingWorkLateUsage
    """Usage that arrived after its window was billed."""


class UpcomingWorkLateUsage(TypedDict):
    """Usage that arrived after its window was billed."""

    windows: int
    """Closed windows with usage that came after their count; the next run counts it."""
    examined: int
    """Windows that were examined: the 500 that ended last, of the last 30 days."""


class UpcomingWorkOfDay(TypedDict):
    day: str
    """Day in UTC; of today what is still to come."""
    boundaries: int
    """Subscriptions that renew or end."""
    accounts: int
    """Accounts whose next billing run is on this day."""
    payments: int
    """Unpaid invoices whose due date it is."""


class UpdateByFilterBody(TypedDict):
    customer_id: NotRequired[str | None]
    """Your own id of the customer."""
    plan_id: NotRequired[str | None]
    """Id of the plan."""
    subscription_filters: NotRequired[list[SubscriptionFilterBody] | None]
    """Property filters: a subscription with filters counts usage with these values only."""
    turn_off_auto_renew: NotRequired[bool | None]
    """true: the term is the last one; false changes nothing."""
    end_date: NotRequired[str | None]
    """The new end, not in the past; what will be billed moves with it."""
    replace_plan_id: NotRequired[str | None]
    """The plan that the subscriptions are switched to. Several matching versions are 400
    `ambiguous_plan_version`. Deprecated: use `switchPlan`.
    """
    invoicing_behavior: NotRequired[Literal['add_to_next_invoice', 'invoice_now', None]]
    """When the amounts of the change are invoiced.

    - `add_to_next_invoice`: The same amounts are billed at the end of the running billing period.
    - `invoice_now`: The difference is invoiced at once, with everything of the account whose term is over.
    """
    usage_behavior: NotRequired[Literal['transfer_to_new_subscription', 'keep_separate', None]]
    """How usage that is not billed yet is charged.

    - `transfer_to_new_subscription`: The running usage moves to the new subscription, which prices all of it
      by its own tiers at the end of the period.
    - `keep_separate`: The old subscription bills its usage by its own tiers when its period ends; the new one
      starts at 0.
    """


class UpdateCreditBody(TypedDict):
    description: NotRequired[str | None]
    """Text for people."""
    expires_at: NotRequired[str | None]
    """When what is left expires, in the future; null: never."""


class UpdateUsageAlertBody(TypedDict):
    name: NotRequired[str | None]
    """Name as people see it."""
    threshold: NotRequired[float | None]
    """Usage of one billing window that triggers the alert, or more."""


class Usage(TypedDict):
    customer_id: str
    """Customer whose usage it is."""
    subscription_id: str
    """Subscription that the usage counts for."""
    addon_subscription_id: str | None
    """Add-on that prices the metric; null for the plan itself."""
    metric_id: str
    """Metric that counts the events."""
    metric_name: str
    """Name of the metric when the prices were published."""
    start_date: str
    """First instant of the period."""
    end_date: str
    """End of the period; the end itself is not part of it."""
    quantity: float
    """Usage by the definition of the metric, of all events received so far."""
    event_count: int
    """Events that the quantity is counted from. A gauge counts from the event before the period that its level
    comes from, or from the first one where deltas move it; a rate also counts the events that the first
    instant looks back to.
    """
    values: list[UsageOfValue] | None
    """Usage by value of the property, the first 50 values; null without group_by_property."""
    other_values: UsageOfOtherValues | None
    """Usage of events without the property or with a further value; null without `group_by_property`."""
    window: UsageWindow
    """Billing window that the period begins in: what one invoice line charges."""


class UsageAlert(TypedDict):
    usage_alert_id: str
    """Id of the alert."""
    name: str
    """Purpose of the alert, in your words."""
    metric_id: str
    """Metric whose usage it watches."""
    customer_id: str | None
    """Customer that it watches; null for one that watches a plan."""
    plan_id: str | None
    """Plan whose subscribers it watches, each for itself."""
    threshold_type: Literal['units', 'amount']
    """units: of the metric. amount: cost of the usage in the currency of the subscription, before adjustments
    and tax.

    - `units`: Units of the metric.
    - `amount`: Cost of the usage, before adjustments and tax.
    """
    threshold: float
    """Usage of one billing window that triggers it, or more."""
    created_at: str
    """When it was made."""


class UsageBatch(TypedDict):
    batch: list[UsageEvent]
    """Up to 1,000 usage events, each judged by itself."""


class UsageByDay(TypedDict):
    as_of: str
    """The organization's present time that the rows are of: the current month is as of then."""
    position: str | None
    """The organization's last event that the rows contain, as in `X-Recount-Position`; null before the first."""
    rows: list[UsageByDayRow]
    """The rows, in the order of currency and month, or of day and event name."""
    metrics: list[CountingMetric]
    """Metrics that read events of these names; what they count, `getUsage` shows."""


class UsageByDayRow(TypedDict):
    day: str
    """Day of the events, or first day of their month, in UTC."""
    event_name: str | None
    """Name of the events; null: all names but the 20 with most events in the range."""
    events: int
    """Events received so far."""


class UsageByMetric(TypedDict):
    as_of: str
    """The organization's present time that the rows are of: the current month is as of then."""
    position: str | None
    """The organization's last event that the rows contain, as in `X-Recount-Position`; null before the first."""
    rows: list[UsageByMetricRow]
    """The rows, metric by metric as in `metrics`, each in the order of days."""
    metrics: list[MetricOfUsage]
    """Metrics with rows: the 20 whose event names have most events in the range."""
    metrics_left_out: int
    """Further metrics with events of their name in the range; `metric_id` asks for one of them."""


class UsageByMetricRow(TypedDict):
    day: str
    """Day of the events, or first day of their month, in UTC."""
    metric_id: str
    """The metric."""
    quantity: float | None
    """Usage of each customer by the definition of the metric, added up over customers; null for averages, gauges
    and rates, which do not add up.
    """
    events: int
    """Events received so far that the metric counts."""


class UsageCount(TypedDict):
    close_id: str
    """Id of the count."""
    metric_id: str
    """Id of the metric."""
    window: UsageCountWindow
    """The window that was counted."""
    quantity: str
    """The quantity of the window, as decimal text."""
    event_count: int
    """How many events were counted, with those before the window that a gauge or a rate counts."""
    absent_values: int
    """How many events had no value of the property, and counted as 0."""
    sealed_up_to: str
    """Last number of the usage log that was counted."""
    digest: str
    """Hash over the ids and bodies of the counted events."""
    level: str | None
    """Level of the gauge at the end of the window; null for other metrics."""
    after_close_id: str | None
    """Count whose level this one continues; null: none."""
    average: UsageCountAverage | None
    """How an average was counted: quantity = sum ÷ values, 0 without values; null for other metrics."""
    rate: RateWindow | None
    """The highest window of a rate: the quantity is `total`, of an average `total` ÷ `values`. null for other
    metrics, and where no event of the window counts, so that the quantity is 0.
    """
    gauge: GaugeSteps | None
    """How the quantity of a gauge was computed; null for other metrics."""


class UsageCountWindow(TypedDict):
    """The window that was counted."""

    start: str
    """Start of the span."""
    end: str
    """End of the span."""


class UsageCountAverage(TypedDict):
    """How an average was counted: quantity = sum ÷ values, 0 without values; null for other metrics."""

    sum: str
    """Sum of the values, exact: decimal text, or n/d."""
    values: int
    """How many events have a value."""


class UsageEvent(TypedDict):
    """Refused one by one: a request succeeds as long as one of its events does."""

    event_name: NotRequired[str]
    """Name by which metrics find the event."""
    customer_id: NotRequired[str]
    """Your own id of the customer."""
    idempotency_id: NotRequired[str]
    """The same id counts once. It is kept as it is sent: no place for personal data."""
    time_created: NotRequired[str]
    """When it happened: from 30 days ago to 1 day ahead."""
    properties: NotRequired[dict[str, Any] | None]
    """Values that metrics aggregate and filter by, kept as they are sent."""


class UsageOfOtherValues(TypedDict):
    quantity: float
    """Usage by the definition of the metric, of all events received so far."""
    event_count: int
    """Events that the quantity is counted from. A gauge counts from the event before the period that its level
    comes from, or from the first one where deltas move it; a rate also counts the events that the first
    instant looks back to.
    """


class UsageOfValue(TypedDict):
    value: str
    """Value of the property, as filters compare it."""
    quantity: float
    """Usage by the definition of the metric, of all events received so far."""
    event_count: int
    """Events that the quantity is counted from. A gauge counts from the event before the period that its level
    comes from, or from the first one where deltas move it; a rate also counts the events that the first
    instant looks back to.
    """


class UsageWindow(TypedDict):
    start_date: str
    """First instant of the billing window."""
    end_date: str
    """End of the billing window; the end itself is not part of it."""
    state: Literal['running', 'ended', 'closed', 'not_charged']
    """running: it ends in the future. ended: it waits for its billing run. closed: billing counted it.
    not_charged: a cancellation left it without a charge.

    - `running`: It ends in the future.
    - `ended`: It waits for its billing run.
    - `closed`: Billing counted it.
    - `not_charged`: A cancellation left it without a charge.
    """
    billed_quantity: float | None
    """Quantity that billing counted last; null before the first count."""
    invoice_ids: list[str]
    """Invoices with lines for the window; voided ones are left out."""


class Verification(TypedDict):
    ok: bool
    """Whether the invoice computed again is the issued one."""
    fingerprint: str | None
    """Hash over the inputs of the invoice."""
    result_hash: str | None
    """Hash over the lines and amounts."""
    differences: list[str]
    """Differences in sentences; empty: there are none."""


class VerifyIdemsReceived(TypedDict):
    idempotency_ids: list[str]
    """Ids of events to look for."""
    number_days_lookback: NotRequired[int | None]
    """How many days back to look, 30 by default."""


class VersionBody(TypedDict):
    version: NotRequired[int | None]
    """Number of the version; `custom_version` when it is made for named customers."""
    localized_name: NotRequired[str | None]
    """Name of the version in the language of its customers."""
    day_anchor: NotRequired[int | None]
    """Day of the month, 1 to 31, on which periods begin; by default the day of the start."""
    month_anchor: NotRequired[int | None]
    """Month of the year, 1 to 12, in which quarters and years begin; by default the month of the start."""
    target_customer_ids: NotRequired[list[str] | None]
    """Customers that the version is made for; nobody else can subscribe to it."""
    price_adjustment: NotRequired[PriceAdjustmentBody | None]
    """A discount or surcharge on what the version charges; null: none."""
    currency_code: NotRequired[str | None]
    """ISO 4217 code of the currency, in any case."""
    features: NotRequired[list[str] | None]
    """Features that subscribers are granted."""
    recurring_charges: NotRequired[list[RecurringChargeBody] | None]
    """Fixed charges of each invoicing interval."""
    components: NotRequired[list[ComponentBody] | None]
    """Usage prices, one per metric."""


class VoidInvoiceBody(TypedDict):
    rebill: NotRequired[bool | None]
    """true: the amounts are billed again at once; false (default): with the next invoice of the account."""


class Webhook(TypedDict):
    webhook_endpoint_id: str
    """Id of the webhook endpoint."""
    name: str
    """Name as people see it."""
    webhook_url: str
    """Public https address that deliveries are posted to."""
    triggers: list[Literal['customer.created', 'subscription.created', 'subscription.renewed', 'subscription.cancelled', 'invoice.created', 'invoice.paid', 'invoice.past_due', 'invoice.voided', 'billing.parked', 'usage_alert.triggered', 'audit.checkpoint']]
    """Triggers that the endpoint is told of.

    - `customer.created`: A customer was created.
    - `subscription.created`: A subscription began, by creation or switch.
    - `subscription.renewed`: A term ended and the next one began.
    - `subscription.cancelled`: A subscription was cancelled.
    - `invoice.created`: An invoice was issued.
    - `invoice.paid`: An invoice was paid.
    - `invoice.past_due`: The due date of an unpaid invoice has passed.
    - `invoice.voided`: An invoice was voided.
    - `billing.parked`: Billing of an account failed and is tried again later.
    - `usage_alert.triggered`: Usage of a billing window reached the threshold of an alert.
    - `audit.checkpoint`: A checkpoint of the transparency log was signed.
    """
    created_at: str
    """When it was made."""


class WebhookDelivery(TypedDict):
    event_id: str
    """Id of the event that is delivered; the same in every attempt, so that receivers can drop repeats."""
    trigger: Literal['customer.created', 'subscription.created', 'subscription.renewed', 'subscription.cancelled', 'invoice.created', 'invoice.paid', 'invoice.past_due', 'invoice.voided', 'billing.parked', 'usage_alert.triggered', 'audit.checkpoint']
    """The trigger of the event.

    - `customer.created`: A customer was created.
    - `subscription.created`: A subscription began, by creation or switch.
    - `subscription.renewed`: A term ended and the next one began.
    - `subscription.cancelled`: A subscription was cancelled.
    - `invoice.created`: An invoice was issued.
    - `invoice.paid`: An invoice was paid.
    - `invoice.past_due`: The due date of an unpaid invoice has passed.
    - `invoice.voided`: An invoice was voided.
    - `billing.parked`: Billing of an account failed and is tried again later.
    - `usage_alert.triggered`: Usage of a billing window reached the threshold of an alert.
    - `audit.checkpoint`: A checkpoint of the transparency log was signed.
    """
    position: str
    """Where the event stands in the log, opaque; `after_position` of a replay."""
    status: Literal['pending', 'delivered', 'dead']
    """Whether the delivery arrived.

    - `pending`: Waits for its next attempt.
    - `delivered`: The endpoint took it.
    - `dead`: Given up after a day of attempts.
    """
    attempts: int
    """How many times it was sent."""
    first_attempt_at: str | None
    """When it was first sent; null: not yet."""
    next_attempt_at: str | None
    """When it is sent again; null: it is not."""
    delivered_at: str | None
    """When the endpoint took it; null: not yet."""
    last_status: int | None
    """HTTP status of the last attempt; null: there was no answer."""
    last_error: str | None
    """Why the last attempt failed; null: it did not."""


class ListBulkChangesAnswer(TypedDict):
    bulk_changes: list[BulkChange]
    """The latest first, at most ten."""


class CheckHealthAnswer(TypedDict):
    pass


class PingAnswer(TypedDict):
    organization_id: str
    """Id of the organization."""


class CheckReadinessAnswer(TypedDict):
    pass


class CheckReadinessAnswer2(TypedDict):
    warnings: list[str]
    """Faults with which the service goes on answering, in sentences."""


class ReplayWebhookDeliveriesAnswer(TypedDict):
    replayed: int
    """How many deliveries are sent again."""
