// Written from the API document by `npm run generate:clients`. Changes here are lost.
import type { Pages } from '../pages.js';
import { type RequestOptions, Transport } from '../transport.js';
import type { operations, AddFeatureBody, Addon, AdvanceBody, ApiKey, AttachAddonBody, AuditLogEntry, BulkPreview, CancelByFilterBody, CancelSubscriptionBody, ChangeCustomerBody, ChangePaymentBody, ChangePlanBody, ChangePrepaidUnitsBody, ChangeSettingsBody, ChangeSubscriptionBody, ChangeVersionBody, ChangedAddon, Checkpoint, ClockAdvanced, ConsistencyProof, CountedEvent, CreateAddonBody, CreateApiKeyBody, CreateCustomerBody, CreateFeatureBody, CreateMetricBody, CreateOrganizationBody, CreatePlanBody, CreateSubscriptionBody, CreateUsageAlertBody, CreateWebhookBody, Credit, CreditBalances, Customer, CustomerProfileResource, DeletedCustomer, DraftInvoices, Feature, FeatureAccess, GrantCreditBody, GrantedFeatures, IdsReceived, Invoice, InvoiceExplanation, InvoicePreview, InvoicedAmounts, LinkedInvoice, ListedOrganization, Metric, MetricAccess, NewApiKey, NewOrganization, NewWebhook, Organization, ParkedWork, Plan, PlanVersion, PublishVersionBody, ReadModels, Receivables, RecurringRevenue, ReplacementBody, ReplayBody, SigningKey, StoredEvent, Subscription, SwitchPlanBody, TagsBody, TargetsBody, TermHistory, TestClock, TrackAnswer, TrackBody, UpcomingWork, UpdateByFilterBody, UpdateCreditBody, UpdateUsageAlertBody, Usage, UsageAlert, UsageByDay, UsageByMetric, Verification, VerifyIdemsReceived, VoidInvoiceBody, Webhook, WebhookDelivery } from './schema.js';

type Query<Id extends keyof operations> = NonNullable<operations[Id]['parameters']['query']>;

/** The API of Recount: a method for each of its operations. */
export class Recount extends Transport {
  /**
   * Lists the add-ons.
   *
   * The newest add-on is first; add-ons of one instant are in the order of their names.
   *
   * This operation requires an API key with the `read` scope.
   */
  listAddons(query?: Query<'listAddons'>, options?: RequestOptions): Pages<Addon> {
    return this.pages('/api/addons/', query, options);
  }

  /**
   * Defines an add-on.
   *
   * Its first version is active at once.
   *
   * This operation requires an API key with the `write` scope.
   */
  createAddon(body: CreateAddonBody, options?: RequestOptions): Promise<Addon> {
    return this.request({ method: 'POST', path: '/api/addons/', body }, options);
  }

  /**
   * Returns an add-on.
   *
   * Answers the add-on with its versions.
   *
   * This operation requires an API key with the `read` scope.
   */
  getAddon(addonId: string, options?: RequestOptions): Promise<Addon> {
    return this.request({ method: 'GET', path: `/api/addons/${encodeURIComponent(addonId)}/` }, options);
  }

  /**
   * Returns the credits that customers hold by month, and what changed them.
   *
   * Adds up over months: the balance of the month before and granted, drawn, voided and expired are the balance. At most 120 months.
   *
   * This operation requires an API key with the `read` scope.
   */
  getCreditBalances(query?: Query<'getCreditBalances'>, options?: RequestOptions): Promise<CreditBalances> {
    return this.request({ method: 'GET', path: '/api/analytics/credits/', query }, options);
  }

  /**
   * Returns what was invoiced by month of issue, and what of it is paid and open.
   *
   * A voided invoice counts nowhere. What a later invoice settles counts as paid. At most 120 months, by default the last 12.
   *
   * This operation requires an API key with the `read` scope.
   */
  getInvoicedAmounts(query?: Query<'getInvoicedAmounts'>, options?: RequestOptions): Promise<InvoicedAmounts> {
    return this.request({ method: 'GET', path: '/api/analytics/invoiced/', query }, options);
  }

  /**
   * Returns open amounts by how long they are overdue.
   *
   * An invoice without a due date ages from its issue. What is open in a month of issue, `getInvoicedAmounts` shows.
   *
   * This operation requires an API key with the `read` scope.
   */
  getReceivables(query?: Query<'getReceivables'>, options?: RequestOptions): Promise<Receivables> {
    return this.request({ method: 'GET', path: '/api/analytics/receivables/', query }, options);
  }

  /**
   * Returns monthly recurring revenue and its movements: new, expansion, contraction, churn.
   *
   * The recurring charges of running plans and add-ons, brought to a month; usage is not in it. That of the month before and the four movements are `mrr`. At most 120 months, by default the last 12.
   *
   * This operation requires an API key with the `read` scope.
   */
  getRecurringRevenue(query?: Query<'getRecurringRevenue'>, options?: RequestOptions): Promise<RecurringRevenue> {
    return this.request({ method: 'GET', path: '/api/analytics/recurring-revenue/', query }, options);
  }

  /**
   * Counts the usage of all customers by day and metric.
   *
   * Counts by the definitions of metrics, without the windows and filters of subscriptions: `getUsage` has those of a customer. Days or months that the range touches are answered whole. At most 92 days, by default the last 31, or 120 months, by default the last 12. Unique values and highest values are those of each customer in each day or month, so days do not add up to months.
   *
   * This operation requires an API key with the `read` scope.
   */
  getUsageByMetric(query?: Query<'getUsageByMetric'>, options?: RequestOptions): Promise<UsageByMetric> {
    return this.request({ method: 'GET', path: '/api/analytics/usage-by-metric/', query }, options);
  }

  /**
   * Counts stored usage events of all customers by day and event name.
   *
   * Counts events as they were sent, whatever metrics make of them. Days or months that the range touches are answered whole. At most 92 days, by default the last 31, or 120 months, by default the last 12.
   *
   * This operation requires an API key with the `read` scope.
   */
  getUsageByDay(query?: Query<'getUsageByDay'>, options?: RequestOptions): Promise<UsageByDay> {
    return this.request({ method: 'GET', path: '/api/analytics/usage/', query }, options);
  }

  /**
   * Lists the API keys, without their secrets.
   *
   * Revoked keys are listed too.
   *
   * This operation requires an API key with the `admin` scope.
   */
  listApiKeys(query?: Query<'listApiKeys'>, options?: RequestOptions): Pages<ApiKey> {
    return this.pages('/api/api_keys/', query, options);
  }

  /**
   * Creates an API key and shows it this once.
   *
   * The key is in this answer only; the service keeps its hash.
   *
   * This operation requires an API key with the `admin` scope.
   */
  createApiKey(body: CreateApiKeyBody, options?: RequestOptions): Promise<NewApiKey> {
    return this.request({ method: 'POST', path: '/api/api_keys/', body }, options);
  }

  /**
   * Revokes an API key: it is refused at once.
   *
   * A key can revoke itself.
   *
   * This operation requires an API key with the `admin` scope.
   */
  revokeApiKey(prefix: string, options?: RequestOptions): Promise<ApiKey> {
    return this.request({ method: 'POST', path: `/api/api_keys/${encodeURIComponent(prefix)}/revoke/` }, options);
  }

  /**
   * Replaces an API key, which is refused at once, and shows the new one this once.
   *
   * The new key has the name, scope and expiry of the old one.
   *
   * This operation requires an API key with the `admin` scope.
   */
  rotateApiKey(prefix: string, options?: RequestOptions): Promise<NewApiKey> {
    return this.request({ method: 'POST', path: `/api/api_keys/${encodeURIComponent(prefix)}/rotate/` }, options);
  }

  /**
   * Lists the checkpoints of the organization, the newest first.
   *
   * Each is kept for ever and consistent with every earlier one.
   *
   * This operation requires an API key with the `read` scope.
   */
  listCheckpoints(query?: Query<'listCheckpoints'>, options?: RequestOptions): Pages<Checkpoint> {
    return this.pages('/api/audit/checkpoints/', query, options);
  }

  /**
   * Signs a checkpoint over everything stored so far.
   *
   * Takes in everything stored so far. Answers the newest checkpoint again when nothing was added since. 409 when the log no longer continues what was signed.
   *
   * This operation requires an API key with the `write` scope.
   */
  createCheckpoint(options?: RequestOptions): Promise<Checkpoint> {
    return this.request({ method: 'POST', path: '/api/audit/checkpoints/' }, options);
  }

  /**
   * Returns the newest checkpoint as a signed note.
   *
   * 404 before the first checkpoint.
   *
   * This operation requires an API key with the `read` scope.
   */
  getLatestCheckpoint(options?: RequestOptions): Promise<string> {
    return this.request({ method: 'GET', path: '/api/audit/checkpoints/latest/' }, options);
  }

  /**
   * Proves that the tree of one size begins with the tree of an earlier size.
   *
   * Answers the hashes of RFC 9162 that lead from the root of one size to the root of a later one. Both sizes are at most that of the newest checkpoint.
   *
   * This operation requires an API key with the `read` scope.
   */
  getConsistencyProof(query: Query<'getConsistencyProof'>, options?: RequestOptions): Promise<ConsistencyProof> {
    return this.request({ method: 'GET', path: '/api/audit/consistency/', query }, options);
  }

  /**
   * Lists the public keys that checkpoints of the organization are signed with, the oldest first.
   *
   * Keys that sign no more are listed too: earlier checkpoints need them.
   *
   * This operation requires an API key with the `read` scope.
   */
  listSigningKeys(query?: Query<'listSigningKeys'>, options?: RequestOptions): Pages<SigningKey> {
    return this.pages('/api/audit/keys/', query, options);
  }

  /**
   * Lists every event of the organization: who did what, when, by which key and request, the newest first or as you order them.
   *
   * Changes of the catalog, customers, subscriptions, settings, invoices, payments and credits, each with the way to its proof. Personal data is left out.
   *
   * This operation requires an API key with the `read` scope.
   */
  listAuditLog(query?: Query<'listAuditLog'>, options?: RequestOptions): Pages<AuditLogEntry> {
    return this.pages('/api/audit/log/', query, options);
  }

  /**
   * Proves that an event, invoice or usage event is in the newest checkpoint, as C2SP tlog-proof text.
   *
   * Give one of `position`, `invoice_id`, `usage_event_id`, and `stream` with `revision`. The text has the leaf, the hashes and the newest checkpoint. 400 `invalid_state` for what no checkpoint covers yet.
   *
   * This operation requires an API key with the `read` scope.
   */
  getInclusionProof(query?: Query<'getInclusionProof'>, options?: RequestOptions): Promise<string> {
    return this.request({ method: 'GET', path: '/api/audit/proofs/', query }, options);
  }

  /**
   * Lists a customer's credits.
   *
   * Lists the credits of one customer. The bounds of a span are included.
   *
   * This operation requires an API key with the `read` scope.
   */
  listCredits(query: Query<'listCredits'>, options?: RequestOptions): Pages<Credit> {
    return this.pages('/api/credits/', query, options);
  }

  /**
   * Grants a customer a credit; one that is paid for brings its invoice.
   *
   * Invoices draw the credit down before anything is to pay. With `amount_paid` the credit is sold: an unpaid invoice over that amount is issued, and the credit can be used from `effective_at`, paid or not.
   *
   * This operation requires an API key with the `write` scope.
   */
  createCredit(body: GrantCreditBody, options?: RequestOptions): Promise<Credit> {
    return this.request({ method: 'POST', path: '/api/credits/', body }, options);
  }

  /**
   * Returns a credit.
   *
   * Answers the credit with every drawdown.
   *
   * This operation requires an API key with the `read` scope.
   */
  getCredit(creditId: string, options?: RequestOptions): Promise<Credit> {
    return this.request({ method: 'GET', path: `/api/credits/${encodeURIComponent(creditId)}/` }, options);
  }

  /**
   * Changes the description or the expiry of an active credit.
   *
   * Only active credits can be updated.
   *
   * This operation requires an API key with the `write` scope.
   */
  updateCredit(creditId: string, body: UpdateCreditBody = {}, options?: RequestOptions): Promise<Credit> {
    return this.request({ method: 'POST', path: `/api/credits/${encodeURIComponent(creditId)}/update/`, body }, options);
  }

  /**
   * Voids the rest of a credit.
   *
   * Nothing more can be drawn from the credit. Amounts that invoices have drawn from it stay drawn.
   *
   * This operation requires an API key with the `write` scope.
   */
  voidCredit(creditId: string, options?: RequestOptions): Promise<Credit> {
    return this.request({ method: 'POST', path: `/api/credits/${encodeURIComponent(creditId)}/void/` }, options);
  }

  /**
   * Lists the customers.
   *
   * Deleted customers are not listed.
   *
   * This operation requires an API key with the `read` scope.
   */
  listCustomers(query?: Query<'listCustomers'>, options?: RequestOptions): Pages<Customer> {
    return this.pages('/api/customers/', query, options);
  }

  /**
   * Creates a customer.
   *
   * `customer_id` and `email` are unique and stay reserved after a deletion.
   *
   * This operation requires an API key with the `write` scope.
   */
  createCustomer(body: CreateCustomerBody, options?: RequestOptions): Promise<Customer> {
    return this.request({ method: 'POST', path: '/api/customers/', body }, options);
  }

  /**
   * Returns a customer.
   *
   * A deleted customer is 404.
   *
   * This operation requires an API key with the `read` scope.
   */
  getCustomer(customerId: string, options?: RequestOptions): Promise<Customer> {
    return this.request({ method: 'GET', path: `/api/customers/${encodeURIComponent(customerId)}/` }, options);
  }

  /**
   * Changes the fields of a customer.
   *
   * Fields that are left out stay; null clears a nullable one.
   *
   * This operation requires an API key with the `write` scope.
   */
  updateCustomer(customerId: string, body: ChangeCustomerBody = {}, options?: RequestOptions): Promise<Customer> {
    return this.request({ method: 'PATCH', path: `/api/customers/${encodeURIComponent(customerId)}/`, body }, options);
  }

  /**
   * Lists the last ten updates and cancellations by filter of a customer, and how far each is.
   *
   * Shows how far updates and cancellations by filter are.
   *
   * This operation requires an API key with the `read` scope.
   */
  listBulkChanges(customerId: string, options?: RequestOptions): Promise<operations['listBulkChanges']['responses']['200']['content']['application/json']> {
    return this.request({ method: 'GET', path: `/api/customers/${encodeURIComponent(customerId)}/bulk_changes/` }, options);
  }

  /**
   * Ends every subscription of a customer and bills what was used.
   *
   * Its subscriptions are cancelled and what was used is billed. Its invoices, credits and subscriptions can still be listed.
   *
   * This operation requires an API key with the `write` scope.
   */
  deleteCustomer(customerId: string, options?: RequestOptions): Promise<DeletedCustomer> {
    return this.request({ method: 'POST', path: `/api/customers/${encodeURIComponent(customerId)}/delete/` }, options);
  }

  /**
   * Computes the invoices that would be issued now and at the next boundary, one per currency; stores nothing.
   *
   * Computes the next invoice of each currency as it would be issued now, and stores nothing. Amounts can still change with usage.
   *
   * This operation requires an API key with the `read` scope.
   */
  getDraftInvoices(customerId: string, query?: Query<'getDraftInvoices'>, options?: RequestOptions): Promise<DraftInvoices> {
    return this.request({ method: 'GET', path: `/api/customers/${encodeURIComponent(customerId)}/draft_invoice/`, query }, options);
  }

  /**
   * Destroys the personal data of a customer; the books name nobody.
   *
   * Deletes the customer first, then destroys the key of its personal data everywhere. Amounts stay and still verify. May be repeated.
   *
   * This operation requires an API key with the `admin` scope.
   */
  eraseCustomer(customerId: string, options?: RequestOptions): Promise<CustomerProfileResource> {
    return this.request({ method: 'POST', path: `/api/customers/${encodeURIComponent(customerId)}/erase/` }, options);
  }

  /**
   * Lists the features that the running subscriptions of a customer grant.
   *
   * Answers each feature as `getFeatureAccess` does. A feature that no running subscription grants is not listed.
   *
   * This operation requires an API key with the `read` scope.
   */
  listGrantedFeatures(customerId: string, options?: RequestOptions): Promise<GrantedFeatures> {
    return this.request({ method: 'GET', path: `/api/customers/${encodeURIComponent(customerId)}/features/` }, options);
  }

  /**
   * Lists stored usage events, with the window and invoice that count each, or why nothing does.
   *
   * Each event with the windows and invoices that count it, or with the reason why nothing does. A page may be short or empty and still have a next one. With `ordering` events of one time are in the order of their ids.
   *
   * This operation requires an API key with the `read` scope.
   */
  listEvents(query?: Query<'listEvents'>, options?: RequestOptions): Pages<StoredEvent> {
    return this.pages('/api/events/', query, options);
  }

  /**
   * Tells whether a customer may use a feature, by its running subscriptions.
   *
   * A running subscription grants the features of its version and of its running add-ons. With filters only subscriptions that have all of them count.
   *
   * This operation requires an API key with the `read` scope.
   */
  getFeatureAccess(query: Query<'getFeatureAccess'>, options?: RequestOptions): Promise<FeatureAccess> {
    return this.request({ method: 'GET', path: '/api/feature_access/', query }, options);
  }

  /**
   * Lists the features.
   *
   * The newest feature is first; features of one instant are in the order of their names.
   *
   * This operation requires an API key with the `read` scope.
   */
  listFeatures(query?: Query<'listFeatures'>, options?: RequestOptions): Pages<Feature> {
    return this.pages('/api/features/', query, options);
  }

  /**
   * Defines a feature.
   *
   * Add it to versions of plans, and ask `getFeatureAccess` who has it.
   *
   * This operation requires an API key with the `write` scope.
   */
  createFeature(body: CreateFeatureBody, options?: RequestOptions): Promise<Feature> {
    return this.request({ method: 'POST', path: '/api/features/', body }, options);
  }

  /**
   * Returns a feature.
   *
   * Answers the name and description of the feature.
   *
   * This operation requires an API key with the `read` scope.
   */
  getFeature(featureId: string, options?: RequestOptions): Promise<Feature> {
    return this.request({ method: 'GET', path: `/api/features/${encodeURIComponent(featureId)}/` }, options);
  }

  /**
   * Answers while the process runs, without a look at its stores.
   *
   * Does not look at stores; for load balancers ask `checkReadiness`.
   *
   * Takes no `as_of`. It is the state of the running process.
   */
  checkHealth(options?: RequestOptions): Promise<operations['checkHealth']['responses']['200']['content']['application/json']> {
    return this.request({ method: 'GET', path: '/api/healthcheck/' }, options);
  }

  /**
   * Lists the issued invoices, the newest first or as you order them; the voided ones apart.
   *
   * Lists paid and unpaid invoices; `voided=true` lists the voided ones instead, `include_voided=true` all three. Drafts are never listed.
   *
   * This operation requires an API key with the `read` scope.
   */
  listInvoices(query?: Query<'listInvoices'>, options?: RequestOptions): Pages<Invoice> {
    return this.pages('/api/invoices/', query, options);
  }

  /**
   * Returns an invoice, by id or number.
   *
   * Drafts are never stored; voided invoices can still be read.
   *
   * This operation requires an API key with the `read` scope.
   */
  getInvoice(invoiceId: string, options?: RequestOptions): Promise<Invoice> {
    return this.request({ method: 'GET', path: `/api/invoices/${encodeURIComponent(invoiceId)}/` }, options);
  }

  /**
   * Records a payment, or the object that stands for it at the payment provider.
   *
   * A paid invoice does not become unpaid again.
   *
   * This operation requires an API key with the `write` scope.
   */
  updateInvoice(invoiceId: string, body: ChangePaymentBody = {}, options?: RequestOptions): Promise<Invoice> {
    return this.request({ method: 'PATCH', path: `/api/invoices/${encodeURIComponent(invoiceId)}/`, body }, options);
  }

  /**
   * Returns the EN 16931 e-invoice as XML, by id or number.
   *
   * Answers a UN/CEFACT Cross Industry Invoice of the profile EN 16931, with seller and customer as the invoice was issued with them; what credits settled is the paid amount. 400 `invalid_state` names each setting that the standard wants and the invoice lacks. A voided invoice has none.
   *
   * This operation requires an API key with the `read` scope.
   */
  getEInvoice(invoiceId: string, options?: RequestOptions): Promise<Uint8Array> {
    return this.request({ method: 'GET', path: `/api/invoices/${encodeURIComponent(invoiceId)}/e-invoice/` }, options);
  }

  /**
   * Returns the PDF of an invoice with its e-invoice inside (Factur-X, ZUGFeRD), by id or number.
   *
   * Answers the document that `getInvoicePdf` shows with the XML of `getEInvoice` inside as `factur-x.xml`, which makes it a Factur-X and ZUGFeRD document of the profile EN 16931. It is refused where `getEInvoice` is.
   *
   * This operation requires an API key with the `read` scope.
   */
  getEInvoicePdf(invoiceId: string, options?: RequestOptions): Promise<Uint8Array> {
    return this.request({ method: 'GET', path: `/api/invoices/${encodeURIComponent(invoiceId)}/e-invoice/pdf/` }, options);
  }

  /**
   * Exports the evidence of an invoice, to be verified elsewhere.
   *
   * Answers a zip archive with the inputs of the invoice and their proofs (docs/evidence-bundle.md): events, counted usage, batches, invoices, the newest checkpoint and inclusion proofs. Personal data stays sealed unless `include` asks for it. A download that was cut continues with `Range` and the `ETag` of the first answer in `If-Range`.
   *
   * This operation requires an API key with the `read` scope.
   */
  getInvoiceEvidence(invoiceId: string, query?: Query<'getInvoiceEvidence'>, options?: RequestOptions): Promise<Uint8Array> {
    return this.request({ method: 'GET', path: `/api/invoices/${encodeURIComponent(invoiceId)}/evidence/`, query }, options);
  }

  /**
   * Explains how each line of an invoice was calculated, by id or number.
   *
   * Names for each line the rule, the inputs with the price, the exact fraction, the counted usage, the events that it follows from and the settings that it was computed with.
   *
   * This operation requires an API key with the `read` scope.
   */
  explainInvoice(invoiceId: string, options?: RequestOptions): Promise<InvoiceExplanation> {
    return this.request({ method: 'GET', path: `/api/invoices/${encodeURIComponent(invoiceId)}/explain/` }, options);
  }

  /**
   * Lists the usage events that a line of an invoice counts, by time.
   *
   * The same events as billing counted, at the watermark of the count, as many as its event_count; a line that counts nothing has none. Those with a time_created before the window are events that a gauge carries its level in from, or that a rate looks back to.
   *
   * This operation requires an API key with the `read` scope.
   */
  listLineEvents(invoiceId: string, line: string, query?: Query<'listLineEvents'>, options?: RequestOptions): Pages<CountedEvent> {
    return this.pages(`/api/invoices/${encodeURIComponent(invoiceId)}/explain/lines/${encodeURIComponent(line)}/events/`, query, options);
  }

  /**
   * Returns the PDF of an invoice, by a signed link or to an API key.
   *
   * The link that `getInvoicePdfUrl` gave opens it without a key; without a signature it takes an API key with the scope `read`. The bytes are the same each time.
   *
   * This operation works with an API key with the `read` scope, or without a key.
   */
  getInvoicePdf(invoiceId: string, query?: Query<'getInvoicePdf'>, options?: RequestOptions): Promise<Uint8Array> {
    return this.request({ method: 'GET', path: `/api/invoices/${encodeURIComponent(invoiceId)}/pdf/`, query }, options);
  }

  /**
   * Returns the invoice with a link to its PDF, by id or number.
   *
   * The link opens without a key for 24 hours from the next full hour.
   *
   * This operation requires an API key with the `read` scope.
   */
  getInvoicePdfUrl(invoiceId: string, options?: RequestOptions): Promise<LinkedInvoice> {
    return this.request({ method: 'GET', path: `/api/invoices/${encodeURIComponent(invoiceId)}/pdf_url/` }, options);
  }

  /**
   * Computes an invoice again from the log and names the differences.
   *
   * Reads only. Computes from the recorded inputs and compares fingerprint, lines and amounts.
   *
   * This operation requires an API key with the `read` scope.
   */
  verifyInvoice(invoiceId: string, options?: RequestOptions): Promise<Verification> {
    return this.request({ method: 'POST', path: `/api/invoices/${encodeURIComponent(invoiceId)}/verify/` }, options);
  }

  /**
   * Voids an issued invoice, or shows the invoice that bills its amounts again.
   *
   * Gives drawdowns back and keeps the number. What it charged is billed again with the next invoice, or at once with `rebill`. A paid invoice cannot be voided. With `preview=true` nothing happens and the answer is the invoice that bills the amounts again: at once with `rebill`, else the next one.
   *
   * This operation requires an API key with the `write` scope.
   */
  voidInvoice(invoiceId: string, body: VoidInvoiceBody, query: { readonly preview: true }, options?: RequestOptions): Promise<InvoicePreview>;
  voidInvoice(invoiceId: string, body?: VoidInvoiceBody, query?: { readonly preview?: false }, options?: RequestOptions): Promise<Invoice>;
  voidInvoice(invoiceId: string, body: VoidInvoiceBody = {}, query?: Query<'voidInvoice'>, options?: RequestOptions): Promise<Invoice | InvoicePreview> {
    return this.request({ method: 'POST', path: `/api/invoices/${encodeURIComponent(invoiceId)}/void/`, query, body }, options);
  }

  /**
   * Tells whether a customer may use a metric, by its running subscriptions.
   *
   * Access is granted while the usage of the running window is below the total limit: the end of the last tier.
   *
   * This operation requires an API key with the `read` scope.
   */
  getMetricAccess(query: Query<'getMetricAccess'>, options?: RequestOptions): Promise<MetricAccess> {
    return this.request({ method: 'GET', path: '/api/metric_access/', query }, options);
  }

  /**
   * Lists the metrics.
   *
   * The newest metric is first; metrics of one instant are in the order of their names.
   *
   * This operation requires an API key with the `read` scope.
   */
  listMetrics(query?: Query<'listMetrics'>, options?: RequestOptions): Pages<Metric> {
    return this.pages('/api/metrics/', query, options);
  }

  /**
   * Defines a metric.
   *
   * A counter aggregates events, a gauge follows a level, a rate has the highest usage of a part of the window. All but `count` need a `property_name`.
   *
   * This operation requires an API key with the `write` scope.
   */
  createMetric(body: CreateMetricBody, options?: RequestOptions): Promise<Metric> {
    return this.request({ method: 'POST', path: '/api/metrics/', body }, options);
  }

  /**
   * Returns a metric.
   *
   * Answers the metric as it was defined; a metric never changes.
   *
   * This operation requires an API key with the `read` scope.
   */
  getMetric(metricId: string, options?: RequestOptions): Promise<Metric> {
    return this.request({ method: 'GET', path: `/api/metrics/${encodeURIComponent(metricId)}/` }, options);
  }

  /**
   * Archives a metric that nothing needs any more.
   *
   * Refused while a version in use needs the metric.
   *
   * This operation requires an API key with the `write` scope.
   */
  archiveMetric(metricId: string, options?: RequestOptions): Promise<Metric> {
    return this.request({ method: 'POST', path: `/api/metrics/${encodeURIComponent(metricId)}/archive/` }, options);
  }

  /**
   * Returns this document.
   *
   * OpenAPI 3.1, generated from the running code; `/api/docs` shows it to people.
   *
   * Takes no `as_of`. The document describes the running release.
   */
  getApiDocument(options?: RequestOptions): Promise<operations['getApiDocument']['responses']['200']['content']['application/json']> {
    return this.request({ method: 'GET', path: '/api/openapi.json' }, options);
  }

  /**
   * Returns the settings of the organization.
   *
   * Answers the settings of the organization that the key belongs to.
   *
   * This operation requires an API key with the `read` scope.
   */
  getOrganization(options?: RequestOptions): Promise<Organization> {
    return this.request({ method: 'GET', path: '/api/organization/' }, options);
  }

  /**
   * Changes the settings of the organization.
   *
   * Amounts that are issued already do not change.
   *
   * This operation requires an API key with the `admin` scope.
   */
  updateOrganization(body: ChangeSettingsBody = {}, options?: RequestOptions): Promise<Organization> {
    return this.request({ method: 'PATCH', path: '/api/organization/', body }, options);
  }

  /**
   * Lists the organizations in the order of creation.
   *
   * Requires the bootstrap key of the service.
   *
   * This operation requires an API key with the `bootstrap` scope.
   */
  listOrganizations(query?: Query<'listOrganizations'>, options?: RequestOptions): Pages<ListedOrganization> {
    return this.pages('/api/organizations/', query, options);
  }

  /**
   * Creates an organization and its first admin key, and shows the key this once.
   *
   * Requires the bootstrap key of the service. The admin key is in this answer only.
   *
   * This operation requires an API key with the `bootstrap` scope.
   */
  createOrganization(body: CreateOrganizationBody, options?: RequestOptions): Promise<NewOrganization> {
    return this.request({ method: 'POST', path: '/api/organizations/', body }, options);
  }

  /**
   * Lists due work that could not be done, with its cause and next try, the oldest first.
   *
   * The rest of an account stays usable while its billing run is parked. Work that was done leaves the list.
   *
   * This operation requires an API key with the `read` scope.
   */
  listParkedWork(query?: Query<'listParkedWork'>, options?: RequestOptions): Pages<ParkedWork> {
    return this.pages('/api/parked_work/', query, options);
  }

  /**
   * Makes parked work due again, before its pause is over.
   *
   * The next sweep of the scheduler tries it, with a manual clock the next advance. Without success it stays parked, with its next pause.
   *
   * This operation requires an API key with the `admin` scope.
   */
  retryParkedWork(parkedId: string, options?: RequestOptions): Promise<ParkedWork> {
    return this.request({ method: 'POST', path: `/api/parked_work/${encodeURIComponent(parkedId)}/retry/` }, options);
  }

  /**
   * Names the organization of the API key.
   *
   * Tells whether a key works, and whose it is.
   *
   * This operation requires an API key with the `read` or `ingest` scope.
   */
  ping(options?: RequestOptions): Promise<operations['ping']['responses']['200']['content']['application/json']> {
    return this.request({ method: 'GET', path: '/api/ping/' }, options);
  }

  /**
   * Publishes a version of a plan.
   *
   * Prices of a version never change; a new version replaces them. It is not sold until it is made active.
   *
   * This operation requires an API key with the `write` scope.
   */
  createPlanVersion(body: PublishVersionBody, options?: RequestOptions): Promise<PlanVersion> {
    return this.request({ method: 'POST', path: '/api/plan_versions/', body }, options);
  }

  /**
   * Changes when a version is sold and what it is called; its prices never change.
   *
   * Setting `active_to` to null sells a version again that another one had ended.
   *
   * This operation requires an API key with the `write` scope.
   */
  updatePlanVersion(versionId: string, body: ChangeVersionBody = {}, options?: RequestOptions): Promise<PlanVersion> {
    return this.request({ method: 'PATCH', path: `/api/plan_versions/${encodeURIComponent(versionId)}/`, body }, options);
  }

  /**
   * Deletes a version that nobody is subscribed to.
   *
   * Refused with running subscriptions.
   *
   * This operation requires an API key with the `write` scope.
   */
  deletePlanVersion(versionId: string, options?: RequestOptions): Promise<PlanVersion> {
    return this.request({ method: 'POST', path: `/api/plan_versions/${encodeURIComponent(versionId)}/delete/` }, options);
  }

  /**
   * Offers a custom version to everybody.
   *
   * Removes the last target customers: everybody can subscribe.
   *
   * This operation requires an API key with the `write` scope.
   */
  makePlanVersionPublic(versionId: string, options?: RequestOptions): Promise<PlanVersion> {
    return this.request({ method: 'POST', path: `/api/plan_versions/${encodeURIComponent(versionId)}/make_public/` }, options);
  }

  /**
   * Sets the version that its subscriptions renew to.
   *
   * The version has to be in the same currency.
   *
   * This operation requires an API key with the `write` scope.
   */
  setReplacementVersion(versionId: string, body: ReplacementBody, options?: RequestOptions): Promise<PlanVersion> {
    return this.request({ method: 'POST', path: `/api/plan_versions/${encodeURIComponent(versionId)}/replacement/set/`, body }, options);
  }

  /**
   * Offers a version to these customers only.
   *
   * Makes the version a custom one of these customers. Refused while another customer is subscribed to it.
   *
   * This operation requires an API key with the `write` scope.
   */
  addTargetCustomers(versionId: string, body: TargetsBody, options?: RequestOptions): Promise<PlanVersion> {
    return this.request({ method: 'POST', path: `/api/plan_versions/${encodeURIComponent(versionId)}/target_customers/add/`, body }, options);
  }

  /**
   * Withdraws a custom version from customers.
   *
   * Refused for a customer who is subscribed, and for the last one: `makePlanVersionPublic` says that openly.
   *
   * This operation requires an API key with the `write` scope.
   */
  removeTargetCustomers(versionId: string, body: TargetsBody, options?: RequestOptions): Promise<PlanVersion> {
    return this.request({ method: 'POST', path: `/api/plan_versions/${encodeURIComponent(versionId)}/target_customers/remove/`, body }, options);
  }

  /**
   * Lists plans, filtered by their own fields and by their versions.
   *
   * Tags and `duration` filter plans, `version_…` filters versions within plans. A plan without a matching version is left out.
   *
   * This operation requires an API key with the `read` scope.
   */
  listPlans(query?: Query<'listPlans'>, options?: RequestOptions): Pages<Plan> {
    return this.pages('/api/plans/', query, options);
  }

  /**
   * Creates a plan with its first version, active at once.
   *
   * A version has one component per metric and unique charge names. Tiers begin at 0 and follow one another without a gap; only the last is open.
   *
   * This operation requires an API key with the `write` scope.
   */
  createPlan(body: CreatePlanBody, options?: RequestOptions): Promise<Plan> {
    return this.request({ method: 'POST', path: '/api/plans/', body }, options);
  }

  /**
   * Returns a plan.
   *
   * Answers the plan with every version.
   *
   * This operation requires an API key with the `read` scope.
   */
  getPlan(planId: string, options?: RequestOptions): Promise<Plan> {
    return this.request({ method: 'GET', path: `/api/plans/${encodeURIComponent(planId)}/` }, options);
  }

  /**
   * Changes the name or the description of a plan.
   *
   * Prices belong to versions and never change.
   *
   * This operation requires an API key with the `write` scope.
   */
  updatePlan(planId: string, body: ChangePlanBody = {}, options?: RequestOptions): Promise<Plan> {
    return this.request({ method: 'PATCH', path: `/api/plans/${encodeURIComponent(planId)}/`, body }, options);
  }

  /**
   * Deletes a plan that nobody is subscribed to.
   *
   * Refused with running subscriptions.
   *
   * This operation requires an API key with the `write` scope.
   */
  deletePlan(planId: string, options?: RequestOptions): Promise<Plan> {
    return this.request({ method: 'POST', path: `/api/plans/${encodeURIComponent(planId)}/delete/` }, options);
  }

  /**
   * Adds a feature to versions of a plan.
   *
   * Grants the feature to subscribers of these versions, or of all, at once.
   *
   * This operation requires an API key with the `write` scope.
   */
  addPlanFeature(planId: string, body: AddFeatureBody, options?: RequestOptions): Promise<Plan> {
    return this.request({ method: 'POST', path: `/api/plans/${encodeURIComponent(planId)}/features/add/`, body }, options);
  }

  /**
   * Adds tags to a plan.
   *
   * Tags that the plan has already stay as they are.
   *
   * This operation requires an API key with the `write` scope.
   */
  addPlanTags(planId: string, body: TagsBody, options?: RequestOptions): Promise<Plan> {
    return this.request({ method: 'POST', path: `/api/plans/${encodeURIComponent(planId)}/tags/add/`, body }, options);
  }

  /**
   * Removes tags from a plan.
   *
   * Tags that the plan does not have are ignored.
   *
   * This operation requires an API key with the `write` scope.
   */
  removePlanTags(planId: string, body: TagsBody, options?: RequestOptions): Promise<Plan> {
    return this.request({ method: 'POST', path: `/api/plans/${encodeURIComponent(planId)}/tags/remove/`, body }, options);
  }

  /**
   * Replaces the tags of a plan.
   *
   * An empty list removes all.
   *
   * This operation requires an API key with the `write` scope.
   */
  setPlanTags(planId: string, body: TagsBody, options?: RequestOptions): Promise<Plan> {
    return this.request({ method: 'POST', path: `/api/plans/${encodeURIComponent(planId)}/tags/set/`, body }, options);
  }

  /**
   * Returns the read models with their distance from the log, in events of the organization.
   *
   * Answers come from read models. Events of other organizations do not count, so a distance tells nothing of them.
   *
   * Takes no `as_of`. How far the read models have come is the state of the running service.
   *
   * This operation requires an API key with the `read` scope.
   */
  getReadModels(options?: RequestOptions): Promise<ReadModels> {
    return this.request({ method: 'GET', path: '/api/read_models/' }, options);
  }

  /**
   * Tells whether the process and its stores can answer.
   *
   * 503 while a store does not answer or a read model is behind.
   *
   * Takes no `as_of`. Readiness is the state of the running process.
   */
  checkReadiness(options?: RequestOptions): Promise<operations['checkReadiness']['responses']['200']['content']['application/json']> {
    return this.request({ method: 'GET', path: '/api/readiness/' }, options);
  }

  /**
   * Lists the subscriptions.
   *
   * Every term is a subscription of its own.
   *
   * This operation requires an API key with the `read` scope.
   */
  listSubscriptions(query?: Query<'listSubscriptions'>, options?: RequestOptions): Pages<Subscription> {
    return this.pages('/api/subscriptions/', query, options);
  }

  /**
   * Subscribes a customer to a plan, or shows the invoice that this would bring.
   *
   * Subscribes to the active version of a plan, or to a version. What is due is invoiced at once. A start in the past is billed too, with the renewals since. With `preview=true` nothing happens and the answer is the invoice that the subscription would begin with.
   *
   * This operation requires an API key with the `write` scope.
   */
  createSubscription(body: CreateSubscriptionBody, query: { readonly preview: true }, options?: RequestOptions): Promise<InvoicePreview>;
  createSubscription(body: CreateSubscriptionBody, query?: { readonly preview?: false }, options?: RequestOptions): Promise<Subscription>;
  createSubscription(body: CreateSubscriptionBody, query?: Query<'createSubscription'>, options?: RequestOptions): Promise<Subscription | InvoicePreview> {
    return this.request({ method: 'POST', path: '/api/subscriptions/', query, body }, options);
  }

  /**
   * Creates a subscription, as `createSubscription` does, under the path of Lotus.
   *
   * The same operation as `createSubscription`, under the path that clients of Lotus use.
   *
   * This operation requires an API key with the `write` scope.
   */
  addSubscription(body: CreateSubscriptionBody, query: { readonly preview: true }, options?: RequestOptions): Promise<InvoicePreview>;
  addSubscription(body: CreateSubscriptionBody, query?: { readonly preview?: false }, options?: RequestOptions): Promise<Subscription>;
  addSubscription(body: CreateSubscriptionBody, query?: Query<'addSubscription'>, options?: RequestOptions): Promise<Subscription | InvoicePreview> {
    return this.request({ method: 'POST', path: '/api/subscriptions/add/', query, body }, options);
  }

  /**
   * Ends every matching subscription of a customer now, or shows what this would bring.
   *
   * Cancels every matching subscription of the customer, all or none, as `cancelSubscription` does. Answers the cancelled ones, an empty list when none matches. With `preview=true` nothing happens and the answer is what the cancellation would bring. Deprecated: cancel each by its id.
   *
   * This operation requires an API key with the `write` scope.
   *
   * @deprecated
   */
  cancelSubscriptions(body: CancelByFilterBody, query: Query<'cancelSubscriptions'> & { readonly preview: true }, options?: RequestOptions): Promise<BulkPreview>;
  cancelSubscriptions(body: CancelByFilterBody, query: Query<'cancelSubscriptions'> & { readonly preview?: false }, options?: RequestOptions): Promise<Subscription[]>;
  cancelSubscriptions(body: CancelByFilterBody, query: Query<'cancelSubscriptions'>, options?: RequestOptions): Promise<Subscription[] | BulkPreview> {
    return this.request({ method: 'POST', path: '/api/subscriptions/cancel/', query, body }, options);
  }

  /**
   * Changes every matching subscription of a customer, all or none, or shows what this would bring.
   *
   * Changes every running subscription of the customer to the plan that matches, all or none. With `replace_plan_id` each is switched, and the answer has the new ones. With `preview=true` nothing happens and the answer is what the change would bring. Deprecated: change each by its id.
   *
   * This operation requires an API key with the `write` scope.
   *
   * @deprecated
   */
  updateSubscriptions(body: UpdateByFilterBody, query: Query<'updateSubscriptions'> & { readonly preview: true }, options?: RequestOptions): Promise<BulkPreview>;
  updateSubscriptions(body: UpdateByFilterBody, query: Query<'updateSubscriptions'> & { readonly preview?: false }, options?: RequestOptions): Promise<Subscription[]>;
  updateSubscriptions(body: UpdateByFilterBody, query: Query<'updateSubscriptions'>, options?: RequestOptions): Promise<Subscription[] | BulkPreview> {
    return this.request({ method: 'POST', path: '/api/subscriptions/update/', query, body }, options);
  }

  /**
   * Returns a subscription.
   *
   * A subscription is one term. A renewal or a switch begins a new subscription with an id of its own.
   *
   * This operation requires an API key with the `read` scope.
   */
  getSubscription(subscriptionId: string, options?: RequestOptions): Promise<Subscription> {
    return this.request({ method: 'GET', path: `/api/subscriptions/${encodeURIComponent(subscriptionId)}/` }, options);
  }

  /**
   * Adds an add-on to a running subscription, or shows the invoice that this would bring.
   *
   * The add-on runs until the subscription ends. One that runs already is `overlapping_plans`; a metric that the plan has too is refused. With `preview=true` nothing happens and the answer is the invoice that has the add-on.
   *
   * This operation requires an API key with the `write` scope.
   */
  attachAddon(subscriptionId: string, body: AttachAddonBody, query: { readonly preview: true }, options?: RequestOptions): Promise<InvoicePreview>;
  attachAddon(subscriptionId: string, body?: AttachAddonBody, query?: { readonly preview?: false }, options?: RequestOptions): Promise<ChangedAddon>;
  attachAddon(subscriptionId: string, body: AttachAddonBody = {}, query?: Query<'attachAddon'>, options?: RequestOptions): Promise<ChangedAddon | InvoicePreview> {
    return this.request({ method: 'POST', path: `/api/subscriptions/${encodeURIComponent(subscriptionId)}/addons/attach/`, query, body }, options);
  }

  /**
   * Ends an add-on of a subscription now.
   *
   * Ends the add-on now; its charges are billed as those of a cancelled subscription. Takes the body of a cancellation.
   *
   * This operation requires an API key with the `write` scope.
   */
  cancelAddon(subscriptionId: string, addonId: string, body: CancelSubscriptionBody = {}, options?: RequestOptions): Promise<ChangedAddon> {
    return this.request({ method: 'POST', path: `/api/subscriptions/${encodeURIComponent(subscriptionId)}/addons/${encodeURIComponent(addonId)}/cancel/`, body }, options);
  }

  /**
   * Cancels a subscription now, or shows the invoice that this would bring.
   *
   * `end_date` becomes now, `auto_renew` false, and its add-ons end. What is owed is invoiced as the body says: see `flat_fee_behavior`, `usage_behavior` and `invoicing_behavior`. With `preview=true` nothing happens and the answer is the invoice that the cancellation would lead to.
   *
   * This operation requires an API key with the `write` scope.
   */
  cancelSubscription(subscriptionId: string, body: CancelSubscriptionBody, query: { readonly preview: true }, options?: RequestOptions): Promise<InvoicePreview>;
  cancelSubscription(subscriptionId: string, body?: CancelSubscriptionBody, query?: { readonly preview?: false }, options?: RequestOptions): Promise<Subscription>;
  cancelSubscription(subscriptionId: string, body: CancelSubscriptionBody = {}, query?: Query<'cancelSubscription'>, options?: RequestOptions): Promise<Subscription | InvoicePreview> {
    return this.request({ method: 'POST', path: `/api/subscriptions/${encodeURIComponent(subscriptionId)}/cancel/`, query, body }, options);
  }

  /**
   * Changes the prepaid units of a component, or shows the invoice that this would bring.
   *
   * The new number holds from now on and in later windows. The difference is what the window should cost − what was charged, so fewer units are credited. Units that are bought and not used are not. With `preview=true` nothing happens and the answer is the invoice that the change would lead to.
   *
   * This operation requires an API key with the `write` scope.
   */
  changePrepaidUnits(subscriptionId: string, metricId: string, body: ChangePrepaidUnitsBody, query: { readonly preview: true }, options?: RequestOptions): Promise<InvoicePreview>;
  changePrepaidUnits(subscriptionId: string, metricId: string, body: ChangePrepaidUnitsBody, query?: { readonly preview?: false }, options?: RequestOptions): Promise<Subscription>;
  changePrepaidUnits(subscriptionId: string, metricId: string, body: ChangePrepaidUnitsBody, query?: Query<'changePrepaidUnits'>, options?: RequestOptions): Promise<Subscription | InvoicePreview> {
    return this.request({ method: 'POST', path: `/api/subscriptions/${encodeURIComponent(subscriptionId)}/components/${encodeURIComponent(metricId)}/change_prepaid_units/`, query, body }, options);
  }

  /**
   * Lists the recorded events of a subscription and its billing, in order.
   *
   * Answers the events of the term and of its billing in order, with links to the term before and the term after.
   *
   * This operation requires an API key with the `read` scope.
   */
  getSubscriptionHistory(subscriptionId: string, query?: Query<'getSubscriptionHistory'>, options?: RequestOptions): Promise<TermHistory> {
    return this.request({ method: 'GET', path: `/api/subscriptions/${encodeURIComponent(subscriptionId)}/history/`, query }, options);
  }

  /**
   * Switches a subscription to another plan, or shows the invoice that this would bring.
   *
   * Begins a new subscription on the new plan at this instant, with the end, renewal, filters, metadata and add-ons of the old one. The unused part of charges in advance is reversed and the new plan is charged for the rest of the period; `usage_behavior` says which plan prices the usage so far. Succeeds or fails as a whole. With `preview=true` nothing happens and the answer is the invoice that the switch would lead to.
   *
   * This operation requires an API key with the `write` scope.
   */
  switchPlan(subscriptionId: string, body: SwitchPlanBody, query: { readonly preview: true }, options?: RequestOptions): Promise<InvoicePreview>;
  switchPlan(subscriptionId: string, body?: SwitchPlanBody, query?: { readonly preview?: false }, options?: RequestOptions): Promise<Subscription>;
  switchPlan(subscriptionId: string, body: SwitchPlanBody = {}, query?: Query<'switchPlan'>, options?: RequestOptions): Promise<Subscription | InvoicePreview> {
    return this.request({ method: 'POST', path: `/api/subscriptions/${encodeURIComponent(subscriptionId)}/switch_plan/`, query, body }, options);
  }

  /**
   * Changes the end, the renewal or the metadata of a subscription.
   *
   * Moving the end moves what will be billed.
   *
   * This operation requires an API key with the `write` scope.
   */
  updateSubscription(subscriptionId: string, body: ChangeSubscriptionBody = {}, options?: RequestOptions): Promise<Subscription> {
    return this.request({ method: 'POST', path: `/api/subscriptions/${encodeURIComponent(subscriptionId)}/update/`, body }, options);
  }

  /**
   * Returns the manual clock, where the service was started with one.
   *
   * Without `CLOCK=manual` it is 404.
   *
   * This operation requires an API key with the `read` scope.
   */
  getTestClock(options?: RequestOptions): Promise<TestClock> {
    return this.request({ method: 'GET', path: '/api/test_clock/' }, options);
  }

  /**
   * Moves the manual clock forward, doing everything that falls due on the way.
   *
   * Does everything that falls due on the way, each at its due instant (renewals, invoices, expiries), and answers when lists show it. The clock never goes back. Without `CLOCK=manual` it is 404.
   *
   * This operation requires an API key with the `admin` scope.
   */
  advanceTestClock(body: AdvanceBody, options?: RequestOptions): Promise<ClockAdvanced> {
    return this.request({ method: 'POST', path: '/api/test_clock/advance/', body }, options);
  }

  /**
   * Stores usage events; success means durable.
   *
   * Takes one event or a batch. An event with the same id and body counts once; the same id with another body is refused. Success means durable. Unknown customers and event names wait for their definition.
   *
   * This operation requires an API key with the `write` or `ingest` scope.
   */
  trackEvents(body: TrackBody, options?: RequestOptions): Promise<TrackAnswer> {
    return this.request({ method: 'POST', path: '/api/track/', body, isRepeatable: true }, options);
  }

  /**
   * Counts renewals, billing runs and payments of the next days, and what is late or parked.
   *
   * A billing run counts on the day on which it can be done: after the grace for late usage.
   *
   * This operation requires an API key with the `read` scope.
   */
  getUpcomingWork(query?: Query<'getUpcomingWork'>, options?: RequestOptions): Promise<UpcomingWork> {
    return this.request({ method: 'GET', path: '/api/upcoming_work/', query }, options);
  }

  /**
   * Lists the usage alerts, the oldest first.
   *
   * Lists the alerts of customers and of plans.
   *
   * This operation requires an API key with the `read` scope.
   */
  listUsageAlerts(query?: Query<'listUsageAlerts'>, options?: RequestOptions): Pages<UsageAlert> {
    return this.pages('/api/usage-alerts/', query, options);
  }

  /**
   * Creates a usage alert for a customer or for the subscribers of a plan.
   *
   * Watches one customer, or each subscription of a plan by itself. The webhook `usage_alert.triggered` tells once per billing window.
   *
   * This operation requires an API key with the `write` scope.
   */
  createUsageAlert(body: CreateUsageAlertBody, options?: RequestOptions): Promise<UsageAlert> {
    return this.request({ method: 'POST', path: '/api/usage-alerts/', body }, options);
  }

  /**
   * Removes a usage alert.
   *
   * Nothing more is told of it.
   *
   * This operation requires an API key with the `write` scope.
   */
  deleteUsageAlert(usageAlertId: string, options?: RequestOptions): Promise<UsageAlert> {
    return this.request({ method: 'DELETE', path: `/api/usage-alerts/${encodeURIComponent(usageAlertId)}/` }, options);
  }

  /**
   * Returns a usage alert.
   *
   * Answers the alert with its threshold.
   *
   * This operation requires an API key with the `read` scope.
   */
  getUsageAlert(usageAlertId: string, options?: RequestOptions): Promise<UsageAlert> {
    return this.request({ method: 'GET', path: `/api/usage-alerts/${encodeURIComponent(usageAlertId)}/` }, options);
  }

  /**
   * Changes the name or threshold of a usage alert; a new threshold is told anew.
   *
   * A window that reaches the new threshold is told anew.
   *
   * This operation requires an API key with the `write` scope.
   */
  updateUsageAlert(usageAlertId: string, body: UpdateUsageAlertBody = {}, options?: RequestOptions): Promise<UsageAlert> {
    return this.request({ method: 'PATCH', path: `/api/usage-alerts/${encodeURIComponent(usageAlertId)}/`, body }, options);
  }

  /**
   * Counts a customer's usage by metric and billing window, hour, day or month.
   *
   * Counts as billing does: the usage of a closed window is that of its invoice line. The running window counts all events received so far; the level of a gauge with proration carries on to the end of the window.
   *
   * This operation requires an API key with the `read` scope.
   */
  getUsage(query?: Query<'getUsage'>, options?: RequestOptions): Pages<Usage> {
    return this.pages('/api/usage/', query, options);
  }

  /**
   * Names the events that never arrived.
   *
   * Ask after a network failure which events to send again.
   *
   * This operation requires an API key with the `read` or `ingest` scope.
   */
  verifyEventsReceived(body: VerifyIdemsReceived, options?: RequestOptions): Promise<IdsReceived> {
    return this.request({ method: 'POST', path: '/api/verify_idems_received/', body, isRepeatable: true }, options);
  }

  /**
   * Lists the webhook endpoints, without their secrets.
   *
   * The list is in the order of creation.
   *
   * This operation requires an API key with the `admin` scope.
   */
  listWebhooks(query?: Query<'listWebhooks'>, options?: RequestOptions): Pages<Webhook> {
    return this.pages('/api/webhooks/', query, options);
  }

  /**
   * Creates a webhook endpoint and shows its secret this once.
   *
   * Deliveries are signed as Standard Webhooks, sent in order and at least once, and retried for a day. An organization has at most 20 endpoints.
   *
   * This operation requires an API key with the `admin` scope.
   */
  createWebhook(body: CreateWebhookBody, options?: RequestOptions): Promise<NewWebhook> {
    return this.request({ method: 'POST', path: '/api/webhooks/', body }, options);
  }

  /**
   * Removes a webhook endpoint; nothing more is sent to it.
   *
   * Deliveries that wait are dropped.
   *
   * This operation requires an API key with the `admin` scope.
   */
  deleteWebhook(webhookEndpointId: string, options?: RequestOptions): Promise<Webhook> {
    return this.request({ method: 'DELETE', path: `/api/webhooks/${encodeURIComponent(webhookEndpointId)}/` }, options);
  }

  /**
   * Returns a webhook endpoint.
   *
   * Answers the endpoint without its secret.
   *
   * This operation requires an API key with the `admin` scope.
   */
  getWebhook(webhookEndpointId: string, options?: RequestOptions): Promise<Webhook> {
    return this.request({ method: 'GET', path: `/api/webhooks/${encodeURIComponent(webhookEndpointId)}/` }, options);
  }

  /**
   * Lists the deliveries to an endpoint, sent and waiting.
   *
   * The list is in the order of sending, in which those that wait are the last. Deliveries name customers, so this requires an admin key.
   *
   * This operation requires an API key with the `admin` scope.
   */
  listWebhookDeliveries(webhookEndpointId: string, query?: Query<'listWebhookDeliveries'>, options?: RequestOptions): Pages<WebhookDelivery> {
    return this.pages(`/api/webhooks/${encodeURIComponent(webhookEndpointId)}/deliveries/`, query, options);
  }

  /**
   * Sends deliveries again: the dead ones, one event, or everything after a position.
   *
   * Without a body the dead deliveries are sent again. Receivers drop repeats by the event id.
   *
   * This operation requires an API key with the `admin` scope.
   */
  replayWebhookDeliveries(webhookEndpointId: string, body: ReplayBody = {}, options?: RequestOptions): Promise<operations['replayWebhookDeliveries']['responses']['200']['content']['application/json']> {
    return this.request({ method: 'POST', path: `/api/webhooks/${encodeURIComponent(webhookEndpointId)}/replay/`, body }, options);
  }
}
