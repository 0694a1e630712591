# Written from the API document by `npm run generate:clients`. Changes here are lost.
"""A method for each operation of the API."""

from __future__ import annotations

from typing import Any, Literal, overload

from ..pages import Pages
from ..transport import RequestOptions, Transport, segment
from .models import (
    AddFeatureBody,
    Addon,
    AdvanceBody,
    ApiKey,
    AttachAddonBody,
    AuditLogEntry,
    BulkPreview,
    CancelByFilterBody,
    CancelSubscriptionBody,
    ChangeCustomerBody,
    ChangePaymentBody,
    ChangePlanBody,
    ChangePrepaidUnitsBody,
    ChangeSettingsBody,
    ChangeSubscriptionBody,
    ChangeVersionBody,
    ChangedAddon,
    CheckHealthAnswer,
    CheckReadinessAnswer,
    CheckReadinessAnswer2,
    Checkpoint,
    ClockAdvanced,
    ConsistencyProof,
    CountedEvent,
    CreateAddonBody,
    CreateApiKeyBody,
    CreateCustomerBody,
    CreateFeatureBody,
    CreateMetricBody,
    CreateOrganizationBody,
    CreatePlanBody,
    CreateSubscriptionBody,
    CreateUsageAlertBody,
    CreateWebhookBody,
    Credit,
    CreditBalances,
    Customer,
    CustomerProfileResource,
    DeletedCustomer,
    DraftInvoices,
    Feature,
    FeatureAccess,
    GrantCreditBody,
    GrantedFeatures,
    IdsReceived,
    Invoice,
    InvoiceExplanation,
    InvoicePreview,
    InvoicedAmounts,
    LinkedInvoice,
    ListBulkChangesAnswer,
    ListedOrganization,
    Metric,
    MetricAccess,
    NewApiKey,
    NewOrganization,
    NewWebhook,
    Organization,
    ParkedWork,
    PingAnswer,
    Plan,
    PlanVersion,
    PublishVersionBody,
    ReadModels,
    Receivables,
    RecurringRevenue,
    ReplacementBody,
    ReplayBody,
    ReplayWebhookDeliveriesAnswer,
    SigningKey,
    StoredEvent,
    Subscription,
    SubscriptionFilter,
    SwitchPlanBody,
    TagsBody,
    TargetsBody,
    TermHistory,
    TestClock,
    TrackAnswer,
    TrackBody,
    UpcomingWork,
    UpdateByFilterBody,
    UpdateCreditBody,
    UpdateUsageAlertBody,
    Usage,
    UsageAlert,
    UsageByDay,
    UsageByMetric,
    Verification,
    VerifyIdemsReceived,
    VoidInvoiceBody,
    Webhook,
    WebhookDelivery,
)


class Recount(Transport):
    """The API of Recount: a method for each of its operations."""

    def list_addons(
        self,
        *,
        limit: int | None = None,
        cursor: str | None = None,
        options: RequestOptions | None = None,
    ) -> Pages[Addon]:
        """Lists the add-ons.

        The newest add-on is first; add-ons of one instant are in the order of their names.

        This operation requires an API key with the `read` scope.

        :param limit: Most entries of the answer.
        :param cursor: From the Link header of the page before.
        """
        return self.pages('/api/addons/', query={'limit': limit, 'cursor': cursor}, options=options)

    def create_addon(self, body: CreateAddonBody, *, options: RequestOptions | None = None) -> Addon:
        """Defines an add-on.

        Its first version is active at once.

        This operation requires an API key with the `write` scope.
        """
        result: Addon = self.request('POST', '/api/addons/', body=body, options=options)
        return result

    def get_addon(self, addon_id: str, *, options: RequestOptions | None = None) -> Addon:
        """Returns an add-on.

        Answers the add-on with its versions.

        This operation requires an API key with the `read` scope.
        """
        result: Addon = self.request('GET', f'/api/addons/{segment(addon_id)}/', options=options)
        return result

    def get_credit_balances(
        self,
        *,
        range_start: str | None = None,
        range_end: str | None = None,
        currency_code: str | None = None,
        options: RequestOptions | None = None,
    ) -> CreditBalances:
        """Returns the credits that customers hold by month, and what changed them.

        Adds up over months: the balance of the month before and granted, drawn, voided and expired are the
        balance. At most 120 months.

        This operation requires an API key with the `read` scope.

        :param range_start: Begins with the month of this instant.
        :param range_end: Ends with the month that has the last instant before this one; default: now.
        :param currency_code: Keeps this currency (ISO 4217), in any case.
        """
        result: CreditBalances = self.request(
            'GET',
            '/api/analytics/credits/',
            query={'range_start': range_start, 'range_end': range_end, 'currency_code': currency_code},
            options=options,
        )
        return result

    def get_invoiced_amounts(
        self,
        *,
        range_start: str | None = None,
        range_end: str | None = None,
        currency_code: str | None = None,
        options: RequestOptions | None = None,
    ) -> InvoicedAmounts:
        """Returns what was invoiced by month of issue, and what of it is paid and open.

        A voided invoice counts nowhere. What a later invoice settles counts as paid. At most 120 months, by
        default the last 12.

        This operation requires an API key with the `read` scope.

        :param range_start: Begins with the month of this instant.
        :param range_end: Ends with the month that has the last instant before this one; default: now.
        :param currency_code: Keeps this currency (ISO 4217), in any case.
        """
        result: InvoicedAmounts = self.request(
            'GET',
            '/api/analytics/invoiced/',
            query={'range_start': range_start, 'range_end': range_end, 'currency_code': currency_code},
            options=options,
        )
        return result

    def get_receivables(
        self,
        *,
        currency_code: str | None = None,
        options: RequestOptions | None = None,
    ) -> Receivables:
        """Returns open amounts by how long they are overdue.

        An invoice without a due date ages from its issue. What is open in a month of issue,
        `getInvoicedAmounts` shows.

        This operation requires an API key with the `read` scope.

        :param currency_code: Keeps this currency (ISO 4217), in any case.
        """
        result: Receivables = self.request(
            'GET',
            '/api/analytics/receivables/',
            query={'currency_code': currency_code},
            options=options,
        )
        return result

    def get_recurring_revenue(
        self,
        *,
        range_start: str | None = None,
        range_end: str | None = None,
        currency_code: str | None = None,
        options: RequestOptions | None = None,
    ) -> RecurringRevenue:
        """Returns monthly recurring revenue and its movements: new, expansion, contraction, churn.

        The recurring charges of running plans and add-ons, brought to a month; usage is not in it. That of
        the month before and the four movements are `mrr`. At most 120 months, by default the last 12.

        This operation requires an API key with the `read` scope.

        :param range_start: Begins with the month of this instant.
        :param range_end: Ends with the month that has the last instant before this one; default: now.
        :param currency_code: Keeps this currency (ISO 4217), in any case.
        """
        result: RecurringRevenue = self.request(
            'GET',
            '/api/analytics/recurring-revenue/',
            query={'range_start': range_start, 'range_end': range_end, 'currency_code': currency_code},
            options=options,
        )
        return result

    def get_usage_by_metric(
        self,
        *,
        range_start: str | None = None,
        range_end: str | None = None,
        granularity: Literal['day', 'month'] | None = None,
        metric_id: str | None = None,
        options: RequestOptions | None = None,
    ) -> UsageByMetric:
        """Counts the usage of all customers by day and metric.

        Counts by the definitions of metrics, without the windows and filters of subscriptions: `getUsage` has
        those of a customer. Days or months that the range touches are answered whole. At most 92 days, by
        default the last 31, or 120 months, by default the last 12. Unique values and highest values are those
        of each customer in each day or month, so days do not add up to months.

        This operation requires an API key with the `read` scope.

        :param range_start: Begins with the day or month of this instant.
        :param range_end: Ends with the day or month that has the last instant before this one; default: now.
        :param granularity: Length of the parts in which usage is counted; `day` by default.
        :param metric_id: Keeps this metric, also an archived one.
        """
        result: UsageByMetric = self.request(
            'GET',
            '/api/analytics/usage-by-metric/',
            query={'range_start': range_start, 'range_end': range_end, 'granularity': granularity, 'metric_id': metric_id},
            options=options,
        )
        return result

    def get_usage_by_day(
        self,
        *,
        range_start: str | None = None,
        range_end: str | None = None,
        granularity: Literal['day', 'month'] | None = None,
        event_name: str | None = None,
        options: RequestOptions | None = None,
    ) -> UsageByDay:
        """Counts stored usage events of all customers by day and event name.

        Counts events as they were sent, whatever metrics make of them. Days or months that the range touches
        are answered whole. At most 92 days, by default the last 31, or 120 months, by default the last 12.

        This operation requires an API key with the `read` scope.

        :param range_start: Begins with the day or month of this instant.
        :param range_end: Ends with the day or month that has the last instant before this one; default: now.
        :param granularity: Length of the parts in which events are counted; `day` by default.
        :param event_name: Keeps events of this name.
        """
        result: UsageByDay = self.request(
            'GET',
            '/api/analytics/usage/',
            query={'range_start': range_start, 'range_end': range_end, 'granularity': granularity, 'event_name': event_name},
            options=options,
        )
        return result

    def list_api_keys(
        self,
        *,
        limit: int | None = None,
        cursor: str | None = None,
        options: RequestOptions | None = None,
    ) -> Pages[ApiKey]:
        """Lists the API keys, without their secrets.

        Revoked keys are listed too.

        This operation requires an API key with the `admin` scope.

        :param limit: Most entries of the answer.
        :param cursor: From the Link header of the page before.
        """
        return self.pages('/api/api_keys/', query={'limit': limit, 'cursor': cursor}, options=options)

    def create_api_key(self, body: CreateApiKeyBody, *, options: RequestOptions | None = None) -> NewApiKey:
        """Creates an API key and shows it this once.

        The key is in this answer only; the service keeps its hash.

        This operation requires an API key with the `admin` scope.
        """
        result: NewApiKey = self.request('POST', '/api/api_keys/', body=body, options=options)
        return result

    def revoke_api_key(self, prefix: str, *, options: RequestOptions | None = None) -> ApiKey:
        """Revokes an API key: it is refused at once.

        A key can revoke itself.

        This operation requires an API key with the `admin` scope.
        """
        result: ApiKey = self.request('POST', f'/api/api_keys/{segment(prefix)}/revoke/', options=options)
        return result

    def rotate_api_key(self, prefix: str, *, options: RequestOptions | None = None) -> NewApiKey:
        """Replaces an API key, which is refused at once, and shows the new one this once.

        The new key has the name, scope and expiry of the old one.

        This operation requires an API key with the `admin` scope.
        """
        result: NewApiKey = self.request('POST', f'/api/api_keys/{segment(prefix)}/rotate/', options=options)
        return result

    def list_checkpoints(
        self,
        *,
        limit: int | None = None,
        cursor: str | None = None,
        options: RequestOptions | None = None,
    ) -> Pages[Checkpoint]:
        """Lists the checkpoints of the organization, the newest first.

        Each is kept for ever and consistent with every earlier one.

        This operation requires an API key with the `read` scope.

        :param limit: Most entries of the answer.
        :param cursor: From the Link header of the page before.
        """
        return self.pages(
            '/api/audit/checkpoints/',
            query={'limit': limit, 'cursor': cursor},
            options=options,
        )

    def create_checkpoint(self, *, options: RequestOptions | None = None) -> Checkpoint:
        """Signs a checkpoint over everything stored so far.

        Takes in everything stored so far. Answers the newest checkpoint again when nothing was added since.
        409 when the log no longer continues what was signed.

        This operation requires an API key with the `write` scope.
        """
        result: Checkpoint = self.request('POST', '/api/audit/checkpoints/', options=options)
        return result

    def get_latest_checkpoint(self, *, options: RequestOptions | None = None) -> str:
        """Returns the newest checkpoint as a signed note.

        404 before the first checkpoint.

        This operation requires an API key with the `read` scope.
        """
        result: str = self.request('GET', '/api/audit/checkpoints/latest/', options=options)
        return result

    def get_consistency_proof(
        self,
        *,
        from_: int,
        to: int | None = None,
        options: RequestOptions | None = None,
    ) -> ConsistencyProof:
        """Proves that the tree of one size begins with the tree of an earlier size.

        Answers the hashes of RFC 9162 that lead from the root of one size to the root of a later one. Both
        sizes are at most that of the newest checkpoint.

        This operation requires an API key with the `read` scope.

        :param from_: Size of the earlier tree.
        :param to: Size of the later tree; by default that of the newest checkpoint.
        """
        result: ConsistencyProof = self.request(
            'GET',
            '/api/audit/consistency/',
            query={'from': from_, 'to': to},
            options=options,
        )
        return result

    def list_signing_keys(
        self,
        *,
        limit: int | None = None,
        cursor: str | None = None,
        options: RequestOptions | None = None,
    ) -> Pages[SigningKey]:
        """Lists the public keys that checkpoints of the organization are signed with, the oldest first.

        Keys that sign no more are listed too: earlier checkpoints need them.

        This operation requires an API key with the `read` scope.

        :param limit: Most entries of the answer.
        :param cursor: From the Link header of the page before.
        """
        return self.pages('/api/audit/keys/', query={'limit': limit, 'cursor': cursor}, options=options)

    def list_audit_log(
        self,
        *,
        subject_kind: Literal['organization', 'api_key', 'usage_alert', 'webhook', 'plan', 'addon', 'metric', 'feature', 'customer', 'subscription', 'account', 'invoice', 'credit', 'number_series'] | None = None,
        subject_id: str | None = None,
        customer_id: str | None = None,
        actor: str | None = None,
        event_type: str | None = None,
        from_: str | None = None,
        to: str | None = None,
        ordering: Literal['recorded_at', '-recorded_at'] | None = None,
        limit: int | None = None,
        cursor: str | None = None,
        options: RequestOptions | None = None,
    ) -> Pages[AuditLogEntry]:
        """Lists every event of the organization: who did what, when, by which key and request, the newest first
        or as you order them.

        Changes of the catalog, customers, subscriptions, settings, invoices, payments and credits, each with
        the way to its proof. Personal data is left out.

        This operation requires an API key with the `read` scope.

        :param subject_kind: Kind of the subject.
        :param subject_id: Id of the subject. Requires `subject_kind`.
        :param customer_id: Your own id of the customer.
        :param actor: Id or prefix of the API key that caused it; `system` or `cli`.
        :param event_type: Keeps events of this type, such as `SettingsChanged`.
        :param from_: Recorded at this time or later.
        :param to: Recorded before this time.
        :param ordering: Field that orders the list; a minus before it puts the last first. Amounts are
        ordered by currency first, and a missing time stands after every other. An entry whose amount or count
        changes between two pages may come twice or be left out; with as_of all pages are of one moment.
        :param limit: Most entries of the answer.
        :param cursor: From the Link header of the page before.
        """
        return self.pages(
            '/api/audit/log/',
            query={'subject_kind': subject_kind, 'subject_id': subject_id, 'customer_id': customer_id, 'actor': actor, 'event_type': event_type, 'from': from_, 'to': to, 'ordering': ordering, 'limit': limit, 'cursor': cursor},
            options=options,
        )

    def get_inclusion_proof(
        self,
        *,
        position: int | None = None,
        invoice_id: str | None = None,
        usage_event_id: str | None = None,
        stream: str | None = None,
        revision: int | None = None,
        options: RequestOptions | None = None,
    ) -> str:
        """Proves that an event, invoice or usage event is in the newest checkpoint, as C2SP tlog-proof text.

        Give one of `position`, `invoice_id`, `usage_event_id`, and `stream` with `revision`. The text has the
        leaf, the hashes and the newest checkpoint. 400 `invalid_state` for what no checkpoint covers yet.

        This operation requires an API key with the `read` scope.

        :param position: Proves the event at this leaf of the tree, counted from 0.
        :param invoice_id: Id of the invoice (`invoice_` and a uuid). A path also takes its number.
        :param usage_event_id: Proves the usage event with this idempotency id.
        :param stream: Proves the event at `revision` of this stream, as the audit log names it.
        :param revision: Revision of the event in `stream`.
        """
        result: str = self.request(
            'GET',
            '/api/audit/proofs/',
            query={'position': position, 'invoice_id': invoice_id, 'usage_event_id': usage_event_id, 'stream': stream, 'revision': revision},
            options=options,
        )
        return result

    def list_credits(
        self,
        *,
        customer_id: str,
        status: list[Literal['active', 'inactive']] | None = None,
        currency_code: str | None = None,
        expires_after: str | None = None,
        expires_before: str | None = None,
        effective_after: str | None = None,
        effective_before: str | None = None,
        issued_after: str | None = None,
        issued_before: str | None = None,
        ordering: Literal['effective_at', '-effective_at', 'expires_at', '-expires_at', 'amount', '-amount', 'amount_remaining', '-amount_remaining'] | None = None,
        limit: int | None = None,
        cursor: str | None = None,
        options: RequestOptions | None = None,
    ) -> Pages[Credit]:
        """Lists a customer's credits.

        Lists the credits of one customer. The bounds of a span are included.

        This operation requires an API key with the `read` scope.

        :param customer_id: Your own id of the customer.
        :param status: Keeps records with one of these statuses; by default all.
        :param currency_code: ISO 4217 code of the currency, in any case.
        :param expires_after: Keeps credits that expire at this instant or later, or never.
        :param expires_before: Keeps credits that expire at this instant or earlier.
        :param effective_after: Keeps credits that can be used from this instant on or later.
        :param effective_before: Keeps credits that can be used from this instant on or earlier.
        :param issued_after: Keeps credits that were granted at this instant or later.
        :param issued_before: Keeps credits that were granted at this instant or earlier.
        :param ordering: Field that orders the list; a minus before it puts the last first. Amounts are
        ordered by currency first, and a missing time stands after every other. An entry whose amount or count
        changes between two pages may come twice or be left out; with as_of all pages are of one moment.
        :param limit: Most entries of the answer.
        :param cursor: From the Link header of the page before.
        """
        return self.pages(
            '/api/credits/',
            query={'customer_id': customer_id, 'status': status, 'currency_code': currency_code, 'expires_after': expires_after, 'expires_before': expires_before, 'effective_after': effective_after, 'effective_before': effective_before, 'issued_after': issued_after, 'issued_before': issued_before, 'ordering': ordering, 'limit': limit, 'cursor': cursor},
            options=options,
        )

    def create_credit(self, body: GrantCreditBody, *, options: RequestOptions | None = None) -> Credit:
        """Grants a customer a credit; one that is paid for brings its invoice.

        Invoices draw the credit down before anything is to pay. With `amount_paid` the credit is sold: an
        unpaid invoice over that amount is issued, and the credit can be used from `effective_at`, paid or
        not.

        This operation requires an API key with the `write` scope.
        """
        result: Credit = self.request('POST', '/api/credits/', body=body, options=options)
        return result

    def get_credit(self, credit_id: str, *, options: RequestOptions | None = None) -> Credit:
        """Returns a credit.

        Answers the credit with every drawdown.

        This operation requires an API key with the `read` scope.
        """
        result: Credit = self.request('GET', f'/api/credits/{segment(credit_id)}/', options=options)
        return result

    def update_credit(
        self,
        credit_id: str,
        body: UpdateCreditBody | None = None,
        *,
        options: RequestOptions | None = None,
    ) -> Credit:
        """Changes the description or the expiry of an active credit.

        Only active credits can be updated.

        This operation requires an API key with the `write` scope.
        """
        result: Credit = self.request(
            'POST',
            f'/api/credits/{segment(credit_id)}/update/',
            body=body or {},
            options=options,
        )
        return result

    def void_credit(self, credit_id: str, *, options: RequestOptions | None = None) -> Credit:
        """Voids the rest of a credit.

        Nothing more can be drawn from the credit. Amounts that invoices have drawn from it stay drawn.

        This operation requires an API key with the `write` scope.
        """
        result: Credit = self.request('POST', f'/api/credits/{segment(credit_id)}/void/', options=options)
        return result

    def list_customers(
        self,
        *,
        email: str | None = None,
        ordering: Literal['total_amount_due', '-total_amount_due'] | None = None,
        limit: int | None = None,
        cursor: str | None = None,
        options: RequestOptions | None = None,
    ) -> Pages[Customer]:
        """Lists the customers.

        Deleted customers are not listed.

        This operation requires an API key with the `read` scope.

        :param email: Keeps the customer with this e-mail address, in any case.
        :param ordering: Field that orders the list; a minus before it puts the last first. Amounts are
        ordered by currency first, and a missing time stands after every other. An entry whose amount or count
        changes between two pages may come twice or be left out; with as_of all pages are of one moment.
        :param limit: Most entries of the answer.
        :param cursor: From the Link header of the page before.
        """
        return self.pages(
            '/api/customers/',
            query={'email': email, 'ordering': ordering, 'limit': limit, 'cursor': cursor},
            options=options,
        )

    def create_customer(self, body: CreateCustomerBody, *, options: RequestOptions | None = None) -> Customer:
        """Creates a customer.

        `customer_id` and `email` are unique and stay reserved after a deletion.

        This operation requires an API key with the `write` scope.
        """
        result: Customer = self.request('POST', '/api/customers/', body=body, options=options)
        return result

    def get_customer(self, customer_id: str, *, options: RequestOptions | None = None) -> Customer:
        """Returns a customer.

        A deleted customer is 404.

        This operation requires an API key with the `read` scope.
        """
        result: Customer = self.request('GET', f'/api/customers/{segment(customer_id)}/', options=options)
        return result

    def update_customer(
        self,
        customer_id: str,
        body: ChangeCustomerBody | None = None,
        *,
        options: RequestOptions | None = None,
    ) -> Customer:
        """Changes the fields of a customer.

        Fields that are left out stay; null clears a nullable one.

        This operation requires an API key with the `write` scope.
        """
        result: Customer = self.request(
            'PATCH',
            f'/api/customers/{segment(customer_id)}/',
            body=body or {},
            options=options,
        )
        return result

    def list_bulk_changes(
        self,
        customer_id: str,
        *,
        options: RequestOptions | None = None,
    ) -> ListBulkChangesAnswer:
        """Lists the last ten updates and cancellations by filter of a customer, and how far each is.

        Shows how far updates and cancellations by filter are.

        This operation requires an API key with the `read` scope.
        """
        result: ListBulkChangesAnswer = self.request(
            'GET',
            f'/api/customers/{segment(customer_id)}/bulk_changes/',
            options=options,
        )
        return result

    def delete_customer(self, customer_id: str, *, options: RequestOptions | None = None) -> DeletedCustomer:
        """Ends every subscription of a customer and bills what was used.

        Its subscriptions are cancelled and what was used is billed. Its invoices, credits and subscriptions
        can still be listed.

        This operation requires an API key with the `write` scope.
        """
        result: DeletedCustomer = self.request(
            'POST',
            f'/api/customers/{segment(customer_id)}/delete/',
            options=options,
        )
        return result

    def get_draft_invoices(
        self,
        customer_id: str,
        *,
        include_next_period: bool | None = None,
        options: RequestOptions | None = None,
    ) -> DraftInvoices:
        """Computes the invoices that would be issued now and at the next boundary, one per currency; stores
        nothing.

        Computes the next invoice of each currency as it would be issued now, and stores nothing. Amounts can
        still change with usage.

        This operation requires an API key with the `read` scope.

        :param include_next_period: true: the charges in advance of the next period are in the draft.
        """
        result: DraftInvoices = self.request(
            'GET',
            f'/api/customers/{segment(customer_id)}/draft_invoice/',
            query={'include_next_period': include_next_period},
            options=options,
        )
        return result

    def erase_customer(
        self,
        customer_id: str,
        *,
        options: RequestOptions | None = None,
    ) -> CustomerProfileResource:
        """Destroys the personal data of a customer; the books name nobody.

        Deletes the customer first, then destroys the key of its personal data everywhere. Amounts stay and
        still verify. May be repeated.

        This operation requires an API key with the `admin` scope.
        """
        result: CustomerProfileResource = self.request(
            'POST',
            f'/api/customers/{segment(customer_id)}/erase/',
            options=options,
        )
        return result

    def list_granted_features(
        self,
        customer_id: str,
        *,
        options: RequestOptions | None = None,
    ) -> GrantedFeatures:
        """Lists the features that the running subscriptions of a customer grant.

        Answers each feature as `getFeatureAccess` does. A feature that no running subscription grants is not
        listed.

        This operation requires an API key with the `read` scope.
        """
        result: GrantedFeatures = self.request(
            'GET',
            f'/api/customers/{segment(customer_id)}/features/',
            options=options,
        )
        return result

    def list_events(
        self,
        *,
        customer_id: str | None = None,
        subscription_id: str | None = None,
        metric_id: str | None = None,
        event_name: str | None = None,
        idempotency_id: str | None = None,
        state: list[Literal['counted', 'pending', 'late', 'not_charged', 'uncounted']] | None = None,
        range_start: str | None = None,
        range_end: str | None = None,
        ordering: Literal['time_created', '-time_created'] | None = None,
        limit: int | None = None,
        cursor: str | None = None,
        options: RequestOptions | None = None,
    ) -> Pages[StoredEvent]:
        """Lists stored usage events, with the window and invoice that count each, or why nothing does.

        Each event with the windows and invoices that count it, or with the reason why nothing does. A page
        may be short or empty and still have a next one. With `ordering` events of one time are in the order
        of their ids.

        This operation requires an API key with the `read` scope.

        :param customer_id: Your own id of the customer.
        :param subscription_id: Id of the subscription. A switch and a renewal begin a new one.
        :param metric_id: Id of the metric.
        :param event_name: Keeps events of this name.
        :param idempotency_id: Keeps the event with this id.
        :param state: Keeps events in one of these states.
        :param range_start: Keeps events from this instant on.
        :param range_end: Keeps events before this instant.
        :param ordering: Field that orders the list; a minus before it puts the last first. Amounts are
        ordered by currency first, and a missing time stands after every other. An entry whose amount or count
        changes between two pages may come twice or be left out; with as_of all pages are of one moment.
        :param limit: Most entries of the answer.
        :param cursor: From the Link header of the page before.
        """
        return self.pages(
            '/api/events/',
            query={'customer_id': customer_id, 'subscription_id': subscription_id, 'metric_id': metric_id, 'event_name': event_name, 'idempotency_id': idempotency_id, 'state': state, 'range_start': range_start, 'range_end': range_end, 'ordering': ordering, 'limit': limit, 'cursor': cursor},
            options=options,
        )

    def get_feature_access(
        self,
        *,
        customer_id: str,
        feature_id: str,
        subscription_filters: list[SubscriptionFilter] | None = None,
        options: RequestOptions | None = None,
    ) -> FeatureAccess:
        """Tells whether a customer may use a feature, by its running subscriptions.

        A running subscription grants the features of its version and of its running add-ons. With filters
        only subscriptions that have all of them count.

        This operation requires an API key with the `read` scope.

        :param customer_id: Your own id of the customer.
        :param feature_id: Id of the feature.
        :param subscription_filters: A JSON list of filters, as one text:
        `[{"property_name":"region","value":"eu"}]`. Also `subscription_filters[]={json}` and
        `subscription_filters[0][property_name]=…&subscription_filters[0][value]=…`.
        """
        result: FeatureAccess = self.request(
            'GET',
            '/api/feature_access/',
            query={'customer_id': customer_id, 'feature_id': feature_id, 'subscription_filters': subscription_filters},
            options=options,
        )
        return result

    def list_features(
        self,
        *,
        limit: int | None = None,
        cursor: str | None = None,
        options: RequestOptions | None = None,
    ) -> Pages[Feature]:
        """Lists the features.

        The newest feature is first; features of one instant are in the order of their names.

        This operation requires an API key with the `read` scope.

        :param limit: Most entries of the answer.
        :param cursor: From the Link header of the page before.
        """
        return self.pages('/api/features/', query={'limit': limit, 'cursor': cursor}, options=options)

    def create_feature(self, body: CreateFeatureBody, *, options: RequestOptions | None = None) -> Feature:
        """Defines a feature.

        Add it to versions of plans, and ask `getFeatureAccess` who has it.

        This operation requires an API key with the `write` scope.
        """
        result: Feature = self.request('POST', '/api/features/', body=body, options=options)
        return result

    def get_feature(self, feature_id: str, *, options: RequestOptions | None = None) -> Feature:
        """Returns a feature.

        Answers the name and description of the feature.

        This operation requires an API key with the `read` scope.
        """
        result: Feature = self.request('GET', f'/api/features/{segment(feature_id)}/', options=options)
        return result

    def check_health(self, *, options: RequestOptions | None = None) -> CheckHealthAnswer:
        """Answers while the process runs, without a look at its stores.

        Does not look at stores; for load balancers ask `checkReadiness`.

        Takes no `as_of`. It is the state of the running process.
        """
        result: CheckHealthAnswer = self.request('GET', '/api/healthcheck/', options=options)
        return result

    def list_invoices(
        self,
        *,
        customer_id: str | None = None,
        status: list[Literal['unpaid', 'paid']] | None = None,
        payment_status: list[Literal['unpaid', 'paid']] | None = None,
        voided: bool | None = None,
        include_voided: bool | None = None,
        overdue: bool | None = None,
        currency_code: str | None = None,
        invoice_number: str | None = None,
        issued_after: str | None = None,
        issued_before: str | None = None,
        ordering: Literal['invoice_number', '-invoice_number', 'issue_date', '-issue_date', 'due_date', '-due_date', 'amount', '-amount', 'cost_due', '-cost_due'] | None = None,
        limit: int | None = None,
        cursor: str | None = None,
        options: RequestOptions | None = None,
    ) -> Pages[Invoice]:
        """Lists the issued invoices, the newest first or as you order them; the voided ones apart.

        Lists paid and unpaid invoices; `voided=true` lists the voided ones instead, `include_voided=true` all
        three. Drafts are never listed.

        This operation requires an API key with the `read` scope.

        :param customer_id: Your own id of the customer.
        :param status: Keeps invoices with these payment statuses; by default both.
        :param payment_status: Another name of `status`.
        :param voided: Lists the voided invoices instead of those that are paid or unpaid.
        :param include_voided: Lists the voided invoices beside those that are paid or unpaid.
        :param overdue: Keeps unpaid invoices whose due date is past.
        :param currency_code: Keeps invoices in this currency (ISO 4217), in any case.
        :param invoice_number: Keeps the invoice with this number.
        :param issued_after: Keeps invoices that were issued at this instant or later.
        :param issued_before: Keeps invoices that were issued at this instant or earlier.
        :param ordering: Field that orders the list; a minus before it puts the last first. Amounts are
        ordered by currency first, and a missing time stands after every other. An entry whose amount or count
        changes between two pages may come twice or be left out; with as_of all pages are of one moment.
        :param limit: Most entries of the answer.
        :param cursor: From the Link header of the page before.
        """
        return self.pages(
            '/api/invoices/',
            query={'customer_id': customer_id, 'status': status, 'payment_status': payment_status, 'voided': voided, 'include_voided': include_voided, 'overdue': overdue, 'currency_code': currency_code, 'invoice_number': invoice_number, 'issued_after': issued_after, 'issued_before': issued_before, 'ordering': ordering, 'limit': limit, 'cursor': cursor},
            options=options,
        )

    def get_invoice(self, invoice_id: str, *, options: RequestOptions | None = None) -> Invoice:
        """Returns an invoice, by id or number.

        Drafts are never stored; voided invoices can still be read.

        This operation requires an API key with the `read` scope.
        """
        result: Invoice = self.request('GET', f'/api/invoices/{segment(invoice_id)}/', options=options)
        return result

    def update_invoice(
        self,
        invoice_id: str,
        body: ChangePaymentBody | None = None,
        *,
        options: RequestOptions | None = None,
    ) -> Invoice:
        """Records a payment, or the object that stands for it at the payment provider.

        A paid invoice does not become unpaid again.

        This operation requires an API key with the `write` scope.
        """
        result: Invoice = self.request(
            'PATCH',
            f'/api/invoices/{segment(invoice_id)}/',
            body=body or {},
            options=options,
        )
        return result

    def get_e_invoice(self, invoice_id: str, *, options: RequestOptions | None = None) -> bytes:
        """Returns the EN 16931 e-invoice as XML, by id or number.

        Answers a UN/CEFACT Cross Industry Invoice of the profile EN 16931, with seller and customer as the
        invoice was issued with them; what credits settled is the paid amount. 400 `invalid_state` names each
        setting that the standard wants and the invoice lacks. A voided invoice has none.

        This operation requires an API key with the `read` scope.
        """
        result: bytes = self.request(
            'GET',
            f'/api/invoices/{segment(invoice_id)}/e-invoice/',
            options=options,
        )
        return result

    def get_e_invoice_pdf(self, invoice_id: str, *, options: RequestOptions | None = None) -> bytes:
        """Returns the PDF of an invoice with its e-invoice inside (Factur-X, ZUGFeRD), by id or number.

        Answers the document that `getInvoicePdf` shows with the XML of `getEInvoice` inside as
        `factur-x.xml`, which makes it a Factur-X and ZUGFeRD document of the profile EN 16931. It is refused
        where `getEInvoice` is.

        This operation requires an API key with the `read` scope.
        """
        result: bytes = self.request(
            'GET',
            f'/api/invoices/{segment(invoice_id)}/e-invoice/pdf/',
            options=options,
        )
        return result

    def get_invoice_evidence(
        self,
        invoice_id: str,
        *,
        include: list[Literal['pdf', 'personal_data']] | None = None,
        since: int | None = None,
        options: RequestOptions | None = None,
    ) -> bytes:
        """Exports the evidence of an invoice, to be verified elsewhere.

        Answers a zip archive with the inputs of the invoice and their proofs (docs/evidence-bundle.md):
        events, counted usage, batches, invoices, the newest checkpoint and inclusion proofs. Personal data
        stays sealed unless `include` asks for it. A download that was cut continues with `Range` and the
        `ETag` of the first answer in `If-Range`.

        This operation requires an API key with the `read` scope.

        :param include: Files that the archive has besides.
        :param since: Size of a checkpoint that you have kept: the archive proves that its tree continues it.
        The newest 200 need not be asked for.
        """
        result: bytes = self.request(
            'GET',
            f'/api/invoices/{segment(invoice_id)}/evidence/',
            query={'include': include, 'since': since},
            options=options,
        )
        return result

    def explain_invoice(
        self,
        invoice_id: str,
        *,
        options: RequestOptions | None = None,
    ) -> InvoiceExplanation:
        """Explains how each line of an invoice was calculated, by id or number.

        Names for each line the rule, the inputs with the price, the exact fraction, the counted usage, the
        events that it follows from and the settings that it was computed with.

        This operation requires an API key with the `read` scope.
        """
        result: InvoiceExplanation = self.request(
            'GET',
            f'/api/invoices/{segment(invoice_id)}/explain/',
            options=options,
        )
        return result

    def list_line_events(
        self,
        invoice_id: str,
        line: str,
        *,
        ordering: Literal['time_created', '-time_created'] | None = None,
        limit: int | None = None,
        cursor: str | None = None,
        options: RequestOptions | None = None,
    ) -> Pages[CountedEvent]:
        """Lists the usage events that a line of an invoice counts, by time.

        The same events as billing counted, at the watermark of the count, as many as its event_count; a line
        that counts nothing has none. Those with a time_created before the window are events that a gauge
        carries its level in from, or that a rate looks back to.

        This operation requires an API key with the `read` scope.

        :param ordering: Field that orders the list; a minus before it puts the last first. Amounts are
        ordered by currency first, and a missing time stands after every other. An entry whose amount or count
        changes between two pages may come twice or be left out; with as_of all pages are of one moment.
        :param limit: Most entries of the answer.
        :param cursor: From the Link header of the page before.
        """
        return self.pages(
            f'/api/invoices/{segment(invoice_id)}/explain/lines/{segment(line)}/events/',
            query={'ordering': ordering, 'limit': limit, 'cursor': cursor},
            options=options,
        )

    def get_invoice_pdf(
        self,
        invoice_id: str,
        *,
        org: str | None = None,
        expires: str | None = None,
        signature: str | None = None,
        options: RequestOptions | None = None,
    ) -> bytes:
        """Returns the PDF of an invoice, by a signed link or to an API key.

        The link that `getInvoicePdfUrl` gave opens it without a key; without a signature it takes an API key
        with the scope `read`. The bytes are the same each time.

        This operation works with an API key with the `read` scope, or without a key.

        :param org: Organization of the link; part of the signature.
        :param expires: Until when the link opens; part of the signature.
        :param signature: Signature of the link.
        """
        result: bytes = self.request(
            'GET',
            f'/api/invoices/{segment(invoice_id)}/pdf/',
            query={'org': org, 'expires': expires, 'signature': signature},
            options=options,
        )
        return result

    def get_invoice_pdf_url(self, invoice_id: str, *, options: RequestOptions | None = None) -> LinkedInvoice:
        """Returns the invoice with a link to its PDF, by id or number.

        The link opens without a key for 24 hours from the next full hour.

        This operation requires an API key with the `read` scope.
        """
        result: LinkedInvoice = self.request(
            'GET',
            f'/api/invoices/{segment(invoice_id)}/pdf_url/',
            options=options,
        )
        return result

    def verify_invoice(self, invoice_id: str, *, options: RequestOptions | None = None) -> Verification:
        """Computes an invoice again from the log and names the differences.

        Reads only. Computes from the recorded inputs and compares fingerprint, lines and amounts.

        This operation requires an API key with the `read` scope.
        """
        result: Verification = self.request(
            'POST',
            f'/api/invoices/{segment(invoice_id)}/verify/',
            options=options,
        )
        return result

    @overload
    def void_invoice(
        self,
        invoice_id: str,
        body: VoidInvoiceBody | None = None,
        *,
        preview: Literal[True],
        options: RequestOptions | None = None,
    ) -> InvoicePreview:
        ...

    @overload
    def void_invoice(
        self,
        invoice_id: str,
        body: VoidInvoiceBody | None = None,
        *,
        preview: Literal[False] = False,
        options: RequestOptions | None = None,
    ) -> Invoice:
        ...

    def void_invoice(
        self,
        invoice_id: str,
        body: VoidInvoiceBody | None = None,
        *,
        preview: bool = False,
        options: RequestOptions | None = None,
    ) -> Invoice | InvoicePreview:
        """Voids an issued invoice, or shows the invoice that bills its amounts again.

        Gives drawdowns back and keeps the number. What it charged is billed again with the next invoice, or
        at once with `rebill`. A paid invoice cannot be voided. With `preview=true` nothing happens and the
        answer is the invoice that bills the amounts again: at once with `rebill`, else the next one.

        This operation requires an API key with the `write` scope.

        :param preview: true: a dry run. Nothing is stored; the answer is the invoice that the change would
        lead to.
        """
        result: Invoice | InvoicePreview = self.request(
            'POST',
            f'/api/invoices/{segment(invoice_id)}/void/',
            query={'preview': preview},
            body=body or {},
            options=options,
        )
        return result

    def get_metric_access(
        self,
        *,
        customer_id: str,
        metric_id: str,
        subscription_filters: list[SubscriptionFilter] | None = None,
        options: RequestOptions | None = None,
    ) -> MetricAccess:
        """Tells whether a customer may use a metric, by its running subscriptions.

        Access is granted while the usage of the running window is below the total limit: the end of the last
        tier.

        This operation requires an API key with the `read` scope.

        :param customer_id: Your own id of the customer.
        :param metric_id: Id of the metric.
        :param subscription_filters: A JSON list of filters, as one text:
        `[{"property_name":"region","value":"eu"}]`. Also `subscription_filters[]={json}` and
        `subscription_filters[0][property_name]=…&subscription_filters[0][value]=…`.
        """
        result: MetricAccess = self.request(
            'GET',
            '/api/metric_access/',
            query={'customer_id': customer_id, 'metric_id': metric_id, 'subscription_filters': subscription_filters},
            options=options,
        )
        return result

    def list_metrics(
        self,
        *,
        limit: int | None = None,
        cursor: str | None = None,
        options: RequestOptions | None = None,
    ) -> Pages[Metric]:
        """Lists the metrics.

        The newest metric is first; metrics of one instant are in the order of their names.

        This operation requires an API key with the `read` scope.

        :param limit: Most entries of the answer.
        :param cursor: From the Link header of the page before.
        """
        return self.pages('/api/metrics/', query={'limit': limit, 'cursor': cursor}, options=options)

    def create_metric(self, body: CreateMetricBody, *, options: RequestOptions | None = None) -> Metric:
        """Defines a metric.

        A counter aggregates events, a gauge follows a level, a rate has the highest usage of a part of the
        window. All but `count` need a `property_name`.

        This operation requires an API key with the `write` scope.
        """
        result: Metric = self.request('POST', '/api/metrics/', body=body, options=options)
        return result

    def get_metric(self, metric_id: str, *, options: RequestOptions | None = None) -> Metric:
        """Returns a metric.

        Answers the metric as it was defined; a metric never changes.

        This operation requires an API key with the `read` scope.
        """
        result: Metric = self.request('GET', f'/api/metrics/{segment(metric_id)}/', options=options)
        return result

    def archive_metric(self, metric_id: str, *, options: RequestOptions | None = None) -> Metric:
        """Archives a metric that nothing needs any more.

        Refused while a version in use needs the metric.

        This operation requires an API key with the `write` scope.
        """
        result: Metric = self.request('POST', f'/api/metrics/{segment(metric_id)}/archive/', options=options)
        return result

    def get_api_document(self, *, options: RequestOptions | None = None) -> dict[str, Any]:
        """Returns this document.

        OpenAPI 3.1, generated from the running code; `/api/docs` shows it to people.

        Takes no `as_of`. The document describes the running release.
        """
        result: dict[str, Any] = self.request('GET', '/api/openapi.json', options=options)
        return result

    def get_organization(self, *, options: RequestOptions | None = None) -> Organization:
        """Returns the settings of the organization.

        Answers the settings of the organization that the key belongs to.

        This operation requires an API key with the `read` scope.
        """
        result: Organization = self.request('GET', '/api/organization/', options=options)
        return result

    def update_organization(
        self,
        body: ChangeSettingsBody | None = None,
        *,
        options: RequestOptions | None = None,
    ) -> Organization:
        """Changes the settings of the organization.

        Amounts that are issued already do not change.

        This operation requires an API key with the `admin` scope.
        """
        result: Organization = self.request('PATCH', '/api/organization/', body=body or {}, options=options)
        return result

    def list_organizations(
        self,
        *,
        limit: int | None = None,
        cursor: str | None = None,
        options: RequestOptions | None = None,
    ) -> Pages[ListedOrganization]:
        """Lists the organizations in the order of creation.

        Requires the bootstrap key of the service.

        This operation requires an API key with the `bootstrap` scope.

        :param limit: Most entries of the answer.
        :param cursor: From the Link header of the page before.
        """
        return self.pages('/api/organizations/', query={'limit': limit, 'cursor': cursor}, options=options)

    def create_organization(
        self,
        body: CreateOrganizationBody,
        *,
        options: RequestOptions | None = None,
    ) -> NewOrganization:
        """Creates an organization and its first admin key, and shows the key this once.

        Requires the bootstrap key of the service. The admin key is in this answer only.

        This operation requires an API key with the `bootstrap` scope.
        """
        result: NewOrganization = self.request('POST', '/api/organizations/', body=body, options=options)
        return result

    def list_parked_work(
        self,
        *,
        limit: int | None = None,
        cursor: str | None = None,
        options: RequestOptions | None = None,
    ) -> Pages[ParkedWork]:
        """Lists due work that could not be done, with its cause and next try, the oldest first.

        The rest of an account stays usable while its billing run is parked. Work that was done leaves the
        list.

        This operation requires an API key with the `read` scope.

        :param limit: Most entries of the answer.
        :param cursor: From the Link header of the page before.
        """
        return self.pages('/api/parked_work/', query={'limit': limit, 'cursor': cursor}, options=options)

    def retry_parked_work(self, parked_id: str, *, options: RequestOptions | None = None) -> ParkedWork:
        """Makes parked work due again, before its pause is over.

        The next sweep of the scheduler tries it, with a manual clock the next advance. Without success it
        stays parked, with its next pause.

        This operation requires an API key with the `admin` scope.
        """
        result: ParkedWork = self.request(
            'POST',
            f'/api/parked_work/{segment(parked_id)}/retry/',
            options=options,
        )
        return result

    def ping(self, *, options: RequestOptions | None = None) -> PingAnswer:
        """Names the organization of the API key.

        Tells whether a key works, and whose it is.

        This operation requires an API key with the `read` or `ingest` scope.
        """
        result: PingAnswer = self.request('GET', '/api/ping/', options=options)
        return result

    def create_plan_version(
        self,
        body: PublishVersionBody,
        *,
        options: RequestOptions | None = None,
    ) -> PlanVersion:
        """Publishes a version of a plan.

        Prices of a version never change; a new version replaces them. It is not sold until it is made active.

        This operation requires an API key with the `write` scope.
        """
        result: PlanVersion = self.request('POST', '/api/plan_versions/', body=body, options=options)
        return result

    def update_plan_version(
        self,
        version_id: str,
        body: ChangeVersionBody | None = None,
        *,
        options: RequestOptions | None = None,
    ) -> PlanVersion:
        """Changes when a version is sold and what it is called; its prices never change.

        Setting `active_to` to null sells a version again that another one had ended.

        This operation requires an API key with the `write` scope.
        """
        result: PlanVersion = self.request(
            'PATCH',
            f'/api/plan_versions/{segment(version_id)}/',
            body=body or {},
            options=options,
        )
        return result

    def delete_plan_version(self, version_id: str, *, options: RequestOptions | None = None) -> PlanVersion:
        """Deletes a version that nobody is subscribed to.

        Refused with running subscriptions.

        This operation requires an API key with the `write` scope.
        """
        result: PlanVersion = self.request(
            'POST',
            f'/api/plan_versions/{segment(version_id)}/delete/',
            options=options,
        )
        return result

    def make_plan_version_public(
        self,
        version_id: str,
        *,
        options: RequestOptions | None = None,
    ) -> PlanVersion:
        """Offers a custom version to everybody.

        Removes the last target customers: everybody can subscribe.

        This operation requires an API key with the `write` scope.
        """
        result: PlanVersion = self.request(
            'POST',
            f'/api/plan_versions/{segment(version_id)}/make_public/',
            options=options,
        )
        return result

    def set_replacement_version(
        self,
        version_id: str,
        body: ReplacementBody,
        *,
        options: RequestOptions | None = None,
    ) -> PlanVersion:
        """Sets the version that its subscriptions renew to.

        The version has to be in the same currency.

        This operation requires an API key with the `write` scope.
        """
        result: PlanVersion = self.request(
            'POST',
            f'/api/plan_versions/{segment(version_id)}/replacement/set/',
            body=body,
            options=options,
        )
        return result

    def add_target_customers(
        self,
        version_id: str,
        body: TargetsBody,
        *,
        options: RequestOptions | None = None,
    ) -> PlanVersion:
        """Offers a version to these customers only.

        Makes the version a custom one of these customers. Refused while another customer is subscribed to it.

        This operation requires an API key with the `write` scope.
        """
        result: PlanVersion = self.request(
            'POST',
            f'/api/plan_versions/{segment(version_id)}/target_customers/add/',
            body=body,
            options=options,
        )
        return result

    def remove_target_customers(
        self,
        version_id: str,
        body: TargetsBody,
        *,
        options: RequestOptions | None = None,
    ) -> PlanVersion:
        """Withdraws a custom version from customers.

        Refused for a customer who is subscribed, and for the last one: `makePlanVersionPublic` says that
        openly.

        This operation requires an API key with the `write` scope.
        """
        result: PlanVersion = self.request(
            'POST',
            f'/api/plan_versions/{segment(version_id)}/target_customers/remove/',
            body=body,
            options=options,
        )
        return result

    def list_plans(
        self,
        *,
        duration: Literal['monthly', 'quarterly', 'yearly'] | None = None,
        exclude_tags: list[str] | None = None,
        include_tags: list[str] | None = None,
        include_tags_all: list[str] | None = None,
        version_currency_code: str | None = None,
        version_custom_type: Literal['custom_only', 'public_only', 'all'] | None = None,
        version_status: list[Literal['active', 'ended', 'not_started']] | None = None,
        ordering: Literal['plan_name', '-plan_name', 'active_subscriptions', '-active_subscriptions'] | None = None,
        limit: int | None = None,
        cursor: str | None = None,
        options: RequestOptions | None = None,
    ) -> Pages[Plan]:
        """Lists plans, filtered by their own fields and by their versions.

        Tags and `duration` filter plans, `version_…` filters versions within plans. A plan without a matching
        version is left out.

        This operation requires an API key with the `read` scope.

        :param duration: Keeps plans with this duration.
        :param exclude_tags: Drops plans that have any of these tags, in any case.
        :param include_tags: Keeps plans that have any of these tags, in any case.
        :param include_tags_all: Keeps plans that have all of these tags, in any case.
        :param version_currency_code: Keeps versions in this currency (ISO 4217).
        :param version_custom_type: Keeps versions by whether they are made for named customers.
        :param version_status: Keeps versions with these statuses; by default all.
        :param ordering: Field that orders the list; a minus before it puts the last first. Amounts are
        ordered by currency first, and a missing time stands after every other. An entry whose amount or count
        changes between two pages may come twice or be left out; with as_of all pages are of one moment.
        :param limit: Most entries of the answer.
        :param cursor: From the Link header of the page before.
        """
        return self.pages(
            '/api/plans/',
            query={'duration': duration, 'exclude_tags': exclude_tags, 'include_tags': include_tags, 'include_tags_all': include_tags_all, 'version_currency_code': version_currency_code, 'version_custom_type': version_custom_type, 'version_status': version_status, 'ordering': ordering, 'limit': limit, 'cursor': cursor},
            options=options,
        )

    def create_plan(self, body: CreatePlanBody, *, options: RequestOptions | None = None) -> Plan:
        """Creates a plan with its first version, active at once.

        A version has one component per metric and unique charge names. Tiers begin at 0 and follow one
        another without a gap; only the last is open.

        This operation requires an API key with the `write` scope.
        """
        result: Plan = self.request('POST', '/api/plans/', body=body, options=options)
        return result

    def get_plan(self, plan_id: str, *, options: RequestOptions | None = None) -> Plan:
        """Returns a plan.

        Answers the plan with every version.

        This operation requires an API key with the `read` scope.
        """
        result: Plan = self.request('GET', f'/api/plans/{segment(plan_id)}/', options=options)
        return result

    def update_plan(
        self,
        plan_id: str,
        body: ChangePlanBody | None = None,
        *,
        options: RequestOptions | None = None,
    ) -> Plan:
        """Changes the name or the description of a plan.

        Prices belong to versions and never change.

        This operation requires an API key with the `write` scope.
        """
        result: Plan = self.request(
            'PATCH',
            f'/api/plans/{segment(plan_id)}/',
            body=body or {},
            options=options,
        )
        return result

    def delete_plan(self, plan_id: str, *, options: RequestOptions | None = None) -> Plan:
        """Deletes a plan that nobody is subscribed to.

        Refused with running subscriptions.

        This operation requires an API key with the `write` scope.
        """
        result: Plan = self.request('POST', f'/api/plans/{segment(plan_id)}/delete/', options=options)
        return result

    def add_plan_feature(
        self,
        plan_id: str,
        body: AddFeatureBody,
        *,
        options: RequestOptions | None = None,
    ) -> Plan:
        """Adds a feature to versions of a plan.

        Grants the feature to subscribers of these versions, or of all, at once.

        This operation requires an API key with the `write` scope.
        """
        result: Plan = self.request(
            'POST',
            f'/api/plans/{segment(plan_id)}/features/add/',
            body=body,
            options=options,
        )
        return result

    def add_plan_tags(self, plan_id: str, body: TagsBody, *, options: RequestOptions | None = None) -> Plan:
        """Adds tags to a plan.

        Tags that the plan has already stay as they are.

        This operation requires an API key with the `write` scope.
        """
        result: Plan = self.request(
            'POST',
            f'/api/plans/{segment(plan_id)}/tags/add/',
            body=body,
            options=options,
        )
        return result

    def remove_plan_tags(
        self,
        plan_id: str,
        body: TagsBody,
        *,
        options: RequestOptions | None = None,
    ) -> Plan:
        """Removes tags from a plan.

        Tags that the plan does not have are ignored.

        This operation requires an API key with the `write` scope.
        """
        result: Plan = self.request(
            'POST',
            f'/api/plans/{segment(plan_id)}/tags/remove/',
            body=body,
            options=options,
        )
        return result

    def set_plan_tags(self, plan_id: str, body: TagsBody, *, options: RequestOptions | None = None) -> Plan:
        """Replaces the tags of a plan.

        An empty list removes all.

        This operation requires an API key with the `write` scope.
        """
        result: Plan = self.request(
            'POST',
            f'/api/plans/{segment(plan_id)}/tags/set/',
            body=body,
            options=options,
        )
        return result

    def get_read_models(self, *, options: RequestOptions | None = None) -> ReadModels:
        """Returns the read models with their distance from the log, in events of the organization.

        Answers come from read models. Events of other organizations do not count, so a distance tells nothing
        of them.

        Takes no `as_of`. How far the read models have come is the state of the running service.

        This operation requires an API key with the `read` scope.
        """
        result: ReadModels = self.request('GET', '/api/read_models/', options=options)
        return result

    def check_readiness(
        self,
        *,
        options: RequestOptions | None = None,
    ) -> CheckReadinessAnswer | CheckReadinessAnswer2:
        """Tells whether the process and its stores can answer.

        503 while a store does not answer or a read model is behind.

        Takes no `as_of`. Readiness is the state of the running process.
        """
        result: CheckReadinessAnswer | CheckReadinessAnswer2 = self.request(
            'GET',
            '/api/readiness/',
            options=options,
        )
        return result

    def list_subscriptions(
        self,
        *,
        customer_id: str | None = None,
        plan_id: str | None = None,
        status: list[Literal['active', 'ended', 'not_started']] | None = None,
        range_start: str | None = None,
        range_end: str | None = None,
        subscription_filters: list[SubscriptionFilter] | None = None,
        ordering: Literal['start_date', '-start_date', 'end_date', '-end_date'] | None = None,
        limit: int | None = None,
        cursor: str | None = None,
        options: RequestOptions | None = None,
    ) -> Pages[Subscription]:
        """Lists the subscriptions.

        Every term is a subscription of its own.

        This operation requires an API key with the `read` scope.

        :param customer_id: Your own id of the customer.
        :param plan_id: Id of the plan.
        :param status: Keeps records with one of these statuses; by default all.
        :param range_start: Keeps subscriptions that end after it.
        :param range_end: Keeps subscriptions that have begun by then.
        :param subscription_filters: A JSON list of filters, as one text:
        `[{"property_name":"region","value":"eu"}]`. Also `subscription_filters[]={json}` and
        `subscription_filters[0][property_name]=…&subscription_filters[0][value]=…`.
        :param ordering: Field that orders the list; a minus before it puts the last first. Amounts are
        ordered by currency first, and a missing time stands after every other. An entry whose amount or count
        changes between two pages may come twice or be left out; with as_of all pages are of one moment.
        :param limit: Most entries of the answer.
        :param cursor: From the Link header of the page before.
        """
        return self.pages(
            '/api/subscriptions/',
            query={'customer_id': customer_id, 'plan_id': plan_id, 'status': status, 'range_start': range_start, 'range_end': range_end, 'subscription_filters': subscription_filters, 'ordering': ordering, 'limit': limit, 'cursor': cursor},
            options=options,
        )

    @overload
    def create_subscription(
        self,
        body: CreateSubscriptionBody,
        *,
        preview: Literal[True],
        options: RequestOptions | None = None,
    ) -> InvoicePreview:
        ...

    @overload
    def create_subscription(
        self,
        body: CreateSubscriptionBody,
        *,
        preview: Literal[False] = False,
        options: RequestOptions | None = None,
    ) -> Subscription:
        ...

    def create_subscription(
        self,
        body: CreateSubscriptionBody,
        *,
        preview: bool = False,
        options: RequestOptions | None = None,
    ) -> Subscription | InvoicePreview:
        """Subscribes a customer to a plan, or shows the invoice that this would bring.

        Subscribes to the active version of a plan, or to a version. What is due is invoiced at once. A start
        in the past is billed too, with the renewals since. With `preview=true` nothing happens and the answer
        is the invoice that the subscription would begin with.

        This operation requires an API key with the `write` scope.

        :param preview: true: a dry run. Nothing is stored; the answer is the invoice that the change would
        lead to.
        """
        result: Subscription | InvoicePreview = self.request(
            'POST',
            '/api/subscriptions/',
            query={'preview': preview},
            body=body,
            options=options,
        )
        return result

    @overload
    def add_subscription(
        self,
        body: CreateSubscriptionBody,
        *,
        preview: Literal[True],
        options: RequestOptions | None = None,
    ) -> InvoicePreview:
        ...

    @overload
    def add_subscription(
        self,
        body: CreateSubscriptionBody,
        *,
        preview: Literal[False] = False,
        options: RequestOptions | None = None,
    ) -> Subscription:
        ...

    def add_subscription(
        self,
        body: CreateSubscriptionBody,
        *,
        preview: bool = False,
        options: RequestOptions | None = None,
    ) -> Subscription | InvoicePreview:
        """Creates a subscription, as `createSubscription` does, under the path of Lotus.

        The same operation as `createSubscription`, under the path that clients of Lotus use.

        This operation requires an API key with the `write` scope.

        :param preview: true: a dry run. Nothing is stored; the answer is the invoice that the change would
        lead to.
        """
        result: Subscription | InvoicePreview = self.request(
            'POST',
            '/api/subscriptions/add/',
            query={'preview': preview},
            body=body,
            options=options,
        )
        return result

    @overload
    def cancel_subscriptions(
        self,
        body: CancelByFilterBody | None = None,
        *,
        customer_id: str,
        preview: Literal[True],
        plan_id: str | None = None,
        subscription_filters: list[SubscriptionFilter] | None = None,
        options: RequestOptions | None = None,
    ) -> BulkPreview:
        ...

    @overload
    def cancel_subscriptions(
        self,
        body: CancelByFilterBody | None = None,
        *,
        customer_id: str,
        plan_id: str | None = None,
        subscription_filters: list[SubscriptionFilter] | None = None,
        preview: Literal[False] = False,
        options: RequestOptions | None = None,
    ) -> list[Subscription]:
        ...

    def cancel_subscriptions(
        self,
        body: CancelByFilterBody | None = None,
        *,
        customer_id: str,
        plan_id: str | None = None,
        subscription_filters: list[SubscriptionFilter] | None = None,
        preview: bool = False,
        options: RequestOptions | None = None,
    ) -> list[Subscription] | BulkPreview:
        """Ends every matching subscription of a customer now, or shows what this would bring.

        Cancels every matching subscription of the customer, all or none, as `cancelSubscription` does.
        Answers the cancelled ones, an empty list when none matches. With `preview=true` nothing happens and
        the answer is what the cancellation would bring. Deprecated: cancel each by its id.

        This operation requires an API key with the `write` scope.

        Deprecated.

        :param customer_id: Your own id of the customer.
        :param plan_id: Id of the plan.
        :param subscription_filters: A JSON list of filters, as one text:
        `[{"property_name":"region","value":"eu"}]`. Also `subscription_filters[]={json}` and
        `subscription_filters[0][property_name]=…&subscription_filters[0][value]=…`.
        :param preview: true: a dry run. Nothing is stored; the answer is the invoice that the change would
        lead to.
        """
        result: list[Subscription] | BulkPreview = self.request(
            'POST',
            '/api/subscriptions/cancel/',
            query={'customer_id': customer_id, 'plan_id': plan_id, 'subscription_filters': subscription_filters, 'preview': preview},
            body=body or {},
            options=options,
        )
        return result

    @overload
    def update_subscriptions(
        self,
        body: UpdateByFilterBody | None = None,
        *,
        customer_id: str,
        plan_id: str,
        preview: Literal[True],
        subscription_filters: list[SubscriptionFilter] | None = None,
        options: RequestOptions | None = None,
    ) -> BulkPreview:
        ...

    @overload
    def update_subscriptions(
        self,
        body: UpdateByFilterBody | None = None,
        *,
        customer_id: str,
        plan_id: str,
        subscription_filters: list[SubscriptionFilter] | None = None,
        preview: Literal[False] = False,
        options: RequestOptions | None = None,
    ) -> list[Subscription]:
        ...

    def update_subscriptions(
        self,
        body: UpdateByFilterBody | None = None,
        *,
        customer_id: str,
        plan_id: str,
        subscription_filters: list[SubscriptionFilter] | None = None,
        preview: bool = False,
        options: RequestOptions | None = None,
    ) -> list[Subscription] | BulkPreview:
        """Changes every matching subscription of a customer, all or none, or shows what this would bring.

        Changes every running subscription of the customer to the plan that matches, all or none. With
        `replace_plan_id` each is switched, and the answer has the new ones. With `preview=true` nothing
        happens and the answer is what the change would bring. Deprecated: change each by its id.

        This operation requires an API key with the `write` scope.

        Deprecated.

        :param customer_id: Your own id of the customer.
        :param plan_id: Id of the plan.
        :param subscription_filters: A JSON list of filters, as one text:
        `[{"property_name":"region","value":"eu"}]`. Also `subscription_filters[]={json}` and
        `subscription_filters[0][property_name]=…&subscription_filters[0][value]=…`.
        :param preview: true: a dry run. Nothing is stored; the answer is the invoice that the change would
        lead to.
        """
        result: list[Subscription] | BulkPreview = self.request(
            'POST',
            '/api/subscriptions/update/',
            query={'customer_id': customer_id, 'plan_id': plan_id, 'subscription_filters': subscription_filters, 'preview': preview},
            body=body or {},
            options=options,
        )
        return result

    def get_subscription(
        self,
        subscription_id: str,
        *,
        options: RequestOptions | None = None,
    ) -> Subscription:
        """Returns a subscription.

        A subscription is one term. A renewal or a switch begins a new subscription with an id of its own.

        This operation requires an API key with the `read` scope.
        """
        result: Subscription = self.request(
            'GET',
            f'/api/subscriptions/{segment(subscription_id)}/',
            options=options,
        )
        return result

    @overload
    def attach_addon(
        self,
        subscription_id: str,
        body: AttachAddonBody | None = None,
        *,
        preview: Literal[True],
        options: RequestOptions | None = None,
    ) -> InvoicePreview:
        ...

    @overload
    def attach_addon(
        self,
        subscription_id: str,
        body: AttachAddonBody | None = None,
        *,
        preview: Literal[False] = False,
        options: RequestOptions | None = None,
    ) -> ChangedAddon:
        ...

    def attach_addon(
        self,
        subscription_id: str,
        body: AttachAddonBody | None = None,
        *,
        preview: bool = False,
        options: RequestOptions | None = None,
    ) -> ChangedAddon | InvoicePreview:
        """Adds an add-on to a running subscription, or shows the invoice that this would bring.

        The add-on runs until the subscription ends. One that runs already is `overlapping_plans`; a metric
        that the plan has too is refused. With `preview=true` nothing happens and the answer is the invoice
        that has the add-on.

        This operation requires an API key with the `write` scope.

        :param preview: true: a dry run. Nothing is stored; the answer is the invoice that the change would
        lead to.
        """
        result: ChangedAddon | InvoicePreview = self.request(
            'POST',
            f'/api/subscriptions/{segment(subscription_id)}/addons/attach/',
            query={'preview': preview},
            body=body or {},
            options=options,
        )
        return result

    def cancel_addon(
        self,
        subscription_id: str,
        addon_id: str,
        body: CancelSubscriptionBody | None = None,
        *,
        options: RequestOptions | None = None,
    ) -> ChangedAddon:
        """Ends an add-on of a subscription now.

        Ends the add-on now; its charges are billed as those of a cancelled subscription. Takes the body of a
        cancellation.

        This operation requires an API key with the `write` scope.
        """
        result: ChangedAddon = self.request(
            'POST',
            f'/api/subscriptions/{segment(subscription_id)}/addons/{segment(addon_id)}/cancel/',
            body=body or {},
            options=options,
        )
        return result

    @overload
    def cancel_subscription(
        self,
        subscription_id: str,
        body: CancelSubscriptionBody | None = None,
        *,
        preview: Literal[True],
        options: RequestOptions | None = None,
    ) -> InvoicePreview:
        ...

    @overload
    def cancel_subscription(
        self,
        subscription_id: str,
        body: CancelSubscriptionBody | None = None,
        *,
        preview: Literal[False] = False,
        options: RequestOptions | None = None,
    ) -> Subscription:
        ...

    def cancel_subscription(
        self,
        subscription_id: str,
        body: CancelSubscriptionBody | None = None,
        *,
        preview: bool = False,
        options: RequestOptions | None = None,
    ) -> Subscription | InvoicePreview:
        """Cancels a subscription now, or shows the invoice that this would bring.

        `end_date` becomes now, `auto_renew` false, and its add-ons end. What is owed is invoiced as the body
        says: see `flat_fee_behavior`, `usage_behavior` and `invoicing_behavior`. With `preview=true` nothing
        happens and the answer is the invoice that the cancellation would lead to.

        This operation requires an API key with the `write` scope.

        :param preview: true: a dry run. Nothing is stored; the answer is the invoice that the change would
        lead to.
        """
        result: Subscription | InvoicePreview = self.request(
            'POST',
            f'/api/subscriptions/{segment(subscription_id)}/cancel/',
            query={'preview': preview},
            body=body or {},
            options=options,
        )
        return result

    @overload
    def change_prepaid_units(
        self,
        subscription_id: str,
        metric_id: str,
        body: ChangePrepaidUnitsBody,
        *,
        preview: Literal[True],
        options: RequestOptions | None = None,
    ) -> InvoicePreview:
        ...

    @overload
    def change_prepaid_units(
        self,
        subscription_id: str,
        metric_id: str,
        body: ChangePrepaidUnitsBody,
        *,
        preview: Literal[False] = False,
        options: RequestOptions | None = None,
    ) -> Subscription:
        ...

    def change_prepaid_units(
        self,
        subscription_id: str,
        metric_id: str,
        body: ChangePrepaidUnitsBody,
        *,
        preview: bool = False,
        options: RequestOptions | None = None,
    ) -> Subscription | InvoicePreview:
        """Changes the prepaid units of a component, or shows the invoice that this would bring.

        The new number holds from now on and in later windows. The difference is what the window should cost −
        what was charged, so fewer units are credited. Units that are bought and not used are not. With
        `preview=true` nothing happens and the answer is the invoice that the change would lead to.

        This operation requires an API key with the `write` scope.

        :param preview: true: a dry run. Nothing is stored; the answer is the invoice that the change would
        lead to.
        """
        result: Subscription | InvoicePreview = self.request(
            'POST',
            f'/api/subscriptions/{segment(subscription_id)}/components/{segment(metric_id)}/change_prepaid_units/',
            query={'preview': preview},
            body=body,
            options=options,
        )
        return result

    def get_subscription_history(
        self,
        subscription_id: str,
        *,
        limit: int | None = None,
        cursor: str | None = None,
        options: RequestOptions | None = None,
    ) -> TermHistory:
        """Lists the recorded events of a subscription and its billing, in order.

        Answers the events of the term and of its billing in order, with links to the term before and the term
        after.

        This operation requires an API key with the `read` scope.

        :param limit: Most entries of the answer.
        :param cursor: From the Link header of the page before.
        """
        result: TermHistory = self.request(
            'GET',
            f'/api/subscriptions/{segment(subscription_id)}/history/',
            query={'limit': limit, 'cursor': cursor},
            options=options,
        )
        return result

    @overload
    def switch_plan(
        self,
        subscription_id: str,
        body: SwitchPlanBody | None = None,
        *,
        preview: Literal[True],
        options: RequestOptions | None = None,
    ) -> InvoicePreview:
        ...

    @overload
    def switch_plan(
        self,
        subscription_id: str,
        body: SwitchPlanBody | None = None,
        *,
        preview: Literal[False] = False,
        options: RequestOptions | None = None,
    ) -> Subscription:
        ...

    def switch_plan(
        self,
        subscription_id: str,
        body: SwitchPlanBody | None = None,
        *,
        preview: bool = False,
        options: RequestOptions | None = None,
    ) -> Subscription | InvoicePreview:
        """Switches a subscription to another plan, or shows the invoice that this would bring.

        Begins a new subscription on the new plan at this instant, with the end, renewal, filters, metadata
        and add-ons of the old one. The unused part of charges in advance is reversed and the new plan is
        charged for the rest of the period; `usage_behavior` says which plan prices the usage so far. Succeeds
        or fails as a whole. With `preview=true` nothing happens and the answer is the invoice that the switch
        would lead to.

        This operation requires an API key with the `write` scope.

        :param preview: true: a dry run. Nothing is stored; the answer is the invoice that the change would
        lead to.
        """
        result: Subscription | InvoicePreview = self.request(
            'POST',
            f'/api/subscriptions/{segment(subscription_id)}/switch_plan/',
            query={'preview': preview},
            body=body or {},
            options=options,
        )
        return result

    def update_subscription(
        self,
        subscription_id: str,
        body: ChangeSubscriptionBody | None = None,
        *,
        options: RequestOptions | None = None,
    ) -> Subscription:
        """Changes the end, the renewal or the metadata of a subscription.

        Moving the end moves what will be billed.

        This operation requires an API key with the `write` scope.
        """
        result: Subscription = self.request(
            'POST',
            f'/api/subscriptions/{segment(subscription_id)}/update/',
            body=body or {},
            options=options,
        )
        return result

    def get_test_clock(self, *, options: RequestOptions | None = None) -> TestClock:
        """Returns the manual clock, where the service was started with one.

        Without `CLOCK=manual` it is 404.

        This operation requires an API key with the `read` scope.
        """
        result: TestClock = self.request('GET', '/api/test_clock/', options=options)
        return result

    def advance_test_clock(
        self,
        body: AdvanceBody,
        *,
        options: RequestOptions | None = None,
    ) -> ClockAdvanced:
        """Moves the manual clock forward, doing everything that falls due on the way.

        Does everything that falls due on the way, each at its due instant (renewals, invoices, expiries), and
        answers when lists show it. The clock never goes back. Without `CLOCK=manual` it is 404.

        This operation requires an API key with the `admin` scope.
        """
        result: ClockAdvanced = self.request('POST', '/api/test_clock/advance/', body=body, options=options)
        return result

    def track_events(self, body: TrackBody, *, options: RequestOptions | None = None) -> TrackAnswer:
        """Stores usage events; success means durable.

        Takes one event or a batch. An event with the same id and body counts once; the same id with another
        body is refused. Success means durable. Unknown customers and event names wait for their definition.

        This operation requires an API key with the `write` or `ingest` scope.
        """
        result: TrackAnswer = self.request(
            'POST',
            '/api/track/',
            body=body,
            is_repeatable=True,
            options=options,
        )
        return result

    def get_upcoming_work(
        self,
        *,
        days: int | None = None,
        options: RequestOptions | None = None,
    ) -> UpcomingWork:
        """Counts renewals, billing runs and payments of the next days, and what is late or parked.

        A billing run counts on the day on which it can be done: after the grace for late usage.

        This operation requires an API key with the `read` scope.

        :param days: How many days, today included: 1 to 90, by default 7.
        """
        result: UpcomingWork = self.request(
            'GET',
            '/api/upcoming_work/',
            query={'days': days},
            options=options,
        )
        return result

    def list_usage_alerts(
        self,
        *,
        limit: int | None = None,
        cursor: str | None = None,
        options: RequestOptions | None = None,
    ) -> Pages[UsageAlert]:
        """Lists the usage alerts, the oldest first.

        Lists the alerts of customers and of plans.

        This operation requires an API key with the `read` scope.

        :param limit: Most entries of the answer.
        :param cursor: From the Link header of the page before.
        """
        return self.pages('/api/usage-alerts/', query={'limit': limit, 'cursor': cursor}, options=options)

    def create_usage_alert(
        self,
        body: CreateUsageAlertBody,
        *,
        options: RequestOptions | None = None,
    ) -> UsageAlert:
        """Creates a usage alert for a customer or for the subscribers of a plan.

        Watches one customer, or each subscription of a plan by itself. The webhook `usage_alert.triggered`
        tells once per billing window.

        This operation requires an API key with the `write` scope.
        """
        result: UsageAlert = self.request('POST', '/api/usage-alerts/', body=body, options=options)
        return result

    def delete_usage_alert(self, usage_alert_id: str, *, options: RequestOptions | None = None) -> UsageAlert:
        """Removes a usage alert.

        Nothing more is told of it.

        This operation requires an API key with the `write` scope.
        """
        result: UsageAlert = self.request(
            'DELETE',
            f'/api/usage-alerts/{segment(usage_alert_id)}/',
            options=options,
        )
        return result

    def get_usage_alert(self, usage_alert_id: str, *, options: RequestOptions | None = None) -> UsageAlert:
        """Returns a usage alert.

        Answers the alert with its threshold.

        This operation requires an API key with the `read` scope.
        """
        result: UsageAlert = self.request(
            'GET',
            f'/api/usage-alerts/{segment(usage_alert_id)}/',
            options=options,
        )
        return result

    def update_usage_alert(
        self,
        usage_alert_id: str,
        body: UpdateUsageAlertBody | None = None,
        *,
        options: RequestOptions | None = None,
    ) -> UsageAlert:
        """Changes the name or threshold of a usage alert; a new threshold is told anew.

        A window that reaches the new threshold is told anew.

        This operation requires an API key with the `write` scope.
        """
        result: UsageAlert = self.request(
            'PATCH',
            f'/api/usage-alerts/{segment(usage_alert_id)}/',
            body=body or {},
            options=options,
        )
        return result

    def get_usage(
        self,
        *,
        customer_id: str | None = None,
        subscription_id: str | None = None,
        metric_id: str | None = None,
        granularity: Literal['hour', 'day', 'month', 'window'] | None = None,
        group_by_property: str | None = None,
        range_start: str | None = None,
        range_end: str | None = None,
        limit: int | None = None,
        cursor: str | None = None,
        options: RequestOptions | None = None,
    ) -> Pages[Usage]:
        """Counts a customer's usage by metric and billing window, hour, day or month.

        Counts as billing does: the usage of a closed window is that of its invoice line. The running window
        counts all events received so far; the level of a gauge with proration carries on to the end of the
        window.

        This operation requires an API key with the `read` scope.

        :param customer_id: Your own id of the customer.
        :param subscription_id: Id of the subscription. A switch and a renewal begin a new one.
        :param metric_id: Id of the metric.
        :param granularity: Length of the parts that usage is counted in.
        :param group_by_property: Splits the usage by the values of this property of the events.
        :param range_start: Keeps usage from this instant on.
        :param range_end: Keeps usage before this instant.
        :param limit: Most entries of the answer.
        :param cursor: From the Link header of the page before.
        """
        return self.pages(
            '/api/usage/',
            query={'customer_id': customer_id, 'subscription_id': subscription_id, 'metric_id': metric_id, 'granularity': granularity, 'group_by_property': group_by_property, 'range_start': range_start, 'range_end': range_end, 'limit': limit, 'cursor': cursor},
            options=options,
        )

    def verify_events_received(
        self,
        body: VerifyIdemsReceived,
        *,
        options: RequestOptions | None = None,
    ) -> IdsReceived:
        """Names the events that never arrived.

        Ask after a network failure which events to send again.

        This operation requires an API key with the `read` or `ingest` scope.
        """
        result: IdsReceived = self.request(
            'POST',
            '/api/verify_idems_received/',
            body=body,
            is_repeatable=True,
            options=options,
        )
        return result

    def list_webhooks(
        self,
        *,
        limit: int | None = None,
        cursor: str | None = None,
        options: RequestOptions | None = None,
    ) -> Pages[Webhook]:
        """Lists the webhook endpoints, without their secrets.

        The list is in the order of creation.

        This operation requires an API key with the `admin` scope.

        :param limit: Most entries of the answer.
        :param cursor: From the Link header of the page before.
        """
        return self.pages('/api/webhooks/', query={'limit': limit, 'cursor': cursor}, options=options)

    def create_webhook(self, body: CreateWebhookBody, *, options: RequestOptions | None = None) -> NewWebhook:
        """Creates a webhook endpoint and shows its secret this once.

        Deliveries are signed as Standard Webhooks, sent in order and at least once, and retried for a day. An
        organization has at most 20 endpoints.

        This operation requires an API key with the `admin` scope.
        """
        result: NewWebhook = self.request('POST', '/api/webhooks/', body=body, options=options)
        return result

    def delete_webhook(self, webhook_endpoint_id: str, *, options: RequestOptions | None = None) -> Webhook:
        """Removes a webhook endpoint; nothing more is sent to it.

        Deliveries that wait are dropped.

        This operation requires an API key with the `admin` scope.
        """
        result: Webhook = self.request(
            'DELETE',
            f'/api/webhooks/{segment(webhook_endpoint_id)}/',
            options=options,
        )
        return result

    def get_webhook(self, webhook_endpoint_id: str, *, options: RequestOptions | None = None) -> Webhook:
        """Returns a webhook endpoint.

        Answers the endpoint without its secret.

        This operation requires an API key with the `admin` scope.
        """
        result: Webhook = self.request(
            'GET',
            f'/api/webhooks/{segment(webhook_endpoint_id)}/',
            options=options,
        )
        return result

    def list_webhook_deliveries(
        self,
        webhook_endpoint_id: str,
        *,
        status: list[Literal['pending', 'delivered', 'dead']] | None = None,
        ordering: Literal['sequence', '-sequence'] | None = None,
        limit: int | None = None,
        cursor: str | None = None,
        options: RequestOptions | None = None,
    ) -> Pages[WebhookDelivery]:
        """Lists the deliveries to an endpoint, sent and waiting.

        The list is in the order of sending, in which those that wait are the last. Deliveries name customers,
        so this requires an admin key.

        This operation requires an API key with the `admin` scope.

        :param status: Keeps records with one of these statuses; by default all.
        :param ordering: Field that orders the list; a minus before it puts the last first. Amounts are
        ordered by currency first, and a missing time stands after every other. An entry whose amount or count
        changes between two pages may come twice or be left out; with as_of all pages are of one moment.
        :param limit: Most entries of the answer.
        :param cursor: From the Link header of the page before.
        """
        return self.pages(
            f'/api/webhooks/{segment(webhook_endpoint_id)}/deliveries/',
            query={'status': status, 'ordering': ordering, 'limit': limit, 'cursor': cursor},
            options=options,
        )

    def replay_webhook_deliveries(
        self,
        webhook_endpoint_id: str,
        body: ReplayBody | None = None,
        *,
        options: RequestOptions | None = None,
    ) -> ReplayWebhookDeliveriesAnswer:
        """Sends deliveries again: the dead ones, one event, or everything after a position.

        Without a body the dead deliveries are sent again. Receivers drop repeats by the event id.

        This operation requires an API key with the `admin` scope.
        """
        result: ReplayWebhookDeliveriesAnswer = self.request(
            'POST',
            f'/api/webhooks/{segment(webhook_endpoint_id)}/replay/',
            body=body or {},
            options=options,
        )
        return result
