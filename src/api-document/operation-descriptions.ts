/**
 * Describes each operation beyond its summary, by operationId; `@Operation` may have the description instead.
 */
export const OPERATION_DESCRIPTIONS: Readonly<Record<string, string>> = {
  addPlanFeature: 'Grants the feature to subscribers of these versions, or of all, at once.',
  addPlanTags: 'Tags that the plan has already stay as they are.',
  addSubscription: 'The same operation as `createSubscription`, under the path that clients of Lotus use.',
  addTargetCustomers:
    'Makes the version a custom one of these customers. Refused while another customer is subscribed to it.',
  advanceTestClock:
    'Does everything that falls due on the way, each at its due instant (renewals, invoices, expiries), and answers when lists show it. The clock never goes back. Without `CLOCK=manual` it is 404.',
  archiveMetric: 'Refused while a version in use needs the metric.',
  attachAddon:
    'The add-on runs until the subscription ends. One that runs already is `overlapping_plans`; a metric that the plan has too is refused. With `preview=true` nothing happens and the answer is the invoice that has the add-on.',
  cancelAddon:
    'Ends the add-on now; its charges are billed as those of a cancelled subscription. Takes the body of a cancellation.',
  cancelSubscription:
    '`end_date` becomes now, `auto_renew` false, and its add-ons end. What is owed is invoiced as the body says: see `flat_fee_behavior`, `usage_behavior` and `invoicing_behavior`. With `preview=true` nothing happens and the answer is the invoice that the cancellation would lead to.',
  cancelSubscriptions:
    'Cancels every matching subscription of the customer, all or none, as `cancelSubscription` does. Answers the cancelled ones, an empty list when none matches. With `preview=true` nothing happens and the answer is what the cancellation would bring. Deprecated: cancel each by its id.',
  changePrepaidUnits:
    'The new number holds from now on and in later windows. The difference is what the window should cost − what was charged, so fewer units are credited. Units that are bought and not used are not. With `preview=true` nothing happens and the answer is the invoice that the change would lead to.',
  checkHealth: 'Does not look at stores; for load balancers ask `checkReadiness`.',
  checkReadiness: '503 while a store does not answer or a read model is behind.',
  createAddon: 'Its first version is active at once.',
  createApiKey: 'The key is in this answer only; the service keeps its hash.',
  createCheckpoint:
    'Takes in everything stored so far. Answers the newest checkpoint again when nothing was added since. 409 when the log no longer continues what was signed.',
  createCredit:
    'Invoices draw the credit down before anything is to pay. With `amount_paid` the credit is sold: an unpaid invoice over that amount is issued, and the credit can be used from `effective_at`, paid or not.',
  createCustomer: '`customer_id` and `email` are unique and stay reserved after a deletion.',
  createFeature: 'Add it to versions of plans, and ask `getFeatureAccess` who has it.',
  createMetric:
    'A counter aggregates events, a gauge follows a level, a rate has the highest usage of a part of the window. All but `count` need a `property_name`.',
  createOrganization: 'Requires the bootstrap key of the service. The admin key is in this answer only.',
  createPlan:
    'A version has one component per metric and unique charge names. Tiers begin at 0 and follow one another without a gap; only the last is open.',
  createPlanVersion:
    'Prices of a version never change; a new version replaces them. It is not sold until it is made active.',
  createSubscription:
    'Subscribes to the active version of a plan, or to a version. What is due is invoiced at once. A start in the past is billed too, with the renewals since. With `preview=true` nothing happens and the answer is the invoice that the subscription would begin with.',
  createUsageAlert:
    'Watches one customer, or each subscription of a plan by itself. The webhook `usage_alert.triggered` tells once per billing window.',
  createWebhook:
    'Deliveries are signed as Standard Webhooks, sent in order and at least once, and retried for a day. An organization has at most 20 endpoints.',
  deleteCustomer:
    'Its subscriptions are cancelled and what was used is billed. Its invoices, credits and subscriptions can still be listed.',
  deletePlan: 'Refused with running subscriptions.',
  deletePlanVersion: 'Refused with running subscriptions.',
  deleteUsageAlert: 'Nothing more is told of it.',
  deleteWebhook: 'Deliveries that wait are dropped.',
  eraseCustomer:
    'Deletes the customer first, then destroys the key of its personal data everywhere. Amounts stay and still verify. May be repeated.',
  explainInvoice:
    'Names for each line the rule, the inputs with the price, the exact fraction, the counted usage, the events that it follows from and the settings that it was computed with.',
  getAddon: 'Answers the add-on with its versions.',
  getApiDocument: 'OpenAPI 3.1, generated from the running code; `/api/docs` shows it to people.',
  getConsistencyProof:
    'Answers the hashes of RFC 9162 that lead from the root of one size to the root of a later one. Both sizes are at most that of the newest checkpoint.',
  getCredit: 'Answers the credit with every drawdown.',
  getCustomer: 'A deleted customer is 404.',
  getCreditBalances:
    'Adds up over months: the balance of the month before and granted, drawn, voided and expired are the balance. At most 120 months.',
  getDraftInvoices:
    'Computes the next invoice of each currency as it would be issued now, and stores nothing. Amounts can still change with usage.',
  getUpcomingWork: 'A billing run counts on the day on which it can be done: after the grace for late usage.',
  getEInvoice:
    'Answers a UN/CEFACT Cross Industry Invoice of the profile EN 16931, with seller and customer as the invoice was issued with them; what credits settled is the paid amount. 400 `invalid_state` names each setting that the standard wants and the invoice lacks. A voided invoice has none.',
  getEInvoicePdf:
    'Answers the document that `getInvoicePdf` shows with the XML of `getEInvoice` inside as `factur-x.xml`, which makes it a Factur-X and ZUGFeRD document of the profile EN 16931. It is refused where `getEInvoice` is.',
  getInvoiceEvidence:
    'Answers a zip archive with the inputs of the invoice and their proofs (docs/evidence-bundle.md): events, counted usage, batches, invoices, the newest checkpoint and inclusion proofs. Personal data stays sealed unless `include` asks for it. A download that was cut continues with `Range` and the `ETag` of the first answer in `If-Range`.',
  getFeature: 'Answers the name and description of the feature.',
  getFeatureAccess:
    'A running subscription grants the features of its version and of its running add-ons. With filters only subscriptions that have all of them count.',
  getInclusionProof:
    'Give one of `position`, `invoice_id`, `usage_event_id`, and `stream` with `revision`. The text has the leaf, the hashes and the newest checkpoint. 400 `invalid_state` for what no checkpoint covers yet.',
  getInvoicedAmounts:
    'A voided invoice counts nowhere. What a later invoice settles counts as paid. At most 120 months, by default the last 12.',
  getInvoice: 'Drafts are never stored; voided invoices can still be read.',
  getInvoicePdf:
    'The link that `getInvoicePdfUrl` gave opens it without a key; without a signature it takes an API key with the scope `read`. The bytes are the same each time.',
  getInvoicePdfUrl: 'The link opens without a key for 24 hours from the next full hour.',
  getLatestCheckpoint: '404 before the first checkpoint.',
  getMetric: 'Answers the metric as it was defined; a metric never changes.',
  getMetricAccess:
    'Access is granted while the usage of the running window is below the total limit: the end of the last tier.',
  getOrganization: 'Answers the settings of the organization that the key belongs to.',
  getPlan: 'Answers the plan with every version.',
  getReceivables:
    'An invoice without a due date ages from its issue. What is open in a month of issue, `getInvoicedAmounts` shows.',
  getRecurringRevenue:
    'The recurring charges of running plans and add-ons, brought to a month; usage is not in it. That of the month before and the four movements are `mrr`. At most 120 months, by default the last 12.',
  getSubscription:
    'A subscription is one term. A renewal or a switch begins a new subscription with an id of its own.',
  getSubscriptionHistory:
    'Answers the events of the term and of its billing in order, with links to the term before and the term after.',
  getTestClock: 'Without `CLOCK=manual` it is 404.',
  getUsageByDay:
    'Counts events as they were sent, whatever metrics make of them. Days or months that the range touches are answered whole. At most 92 days, by default the last 31, or 120 months, by default the last 12.',
  getUsageByMetric:
    'Counts by the definitions of metrics, without the windows and filters of subscriptions: `getUsage` has those of a customer. Days or months that the range touches are answered whole. At most 92 days, by default the last 31, or 120 months, by default the last 12. Unique values and highest values are those of each customer in each day or month, so days do not add up to months.',
  getUsageAlert: 'Answers the alert with its threshold.',
  listEvents:
    'Each event with the windows and invoices that count it, or with the reason why nothing does. A page may be short or empty and still have a next one. With `ordering` events of one time are in the order of their ids.',
  listUsageAlerts: 'Lists the alerts of customers and of plans.',
  retryParkedWork:
    'The next sweep of the scheduler tries it, with a manual clock the next advance. Without success it stays parked, with its next pause.',
  updateUsageAlert: 'A window that reaches the new threshold is told anew.',
  getUsage:
    'Counts as billing does: the usage of a closed window is that of its invoice line. The running window counts all events received so far; the level of a gauge with proration carries on to the end of the window.',
  getWebhook: 'Answers the endpoint without its secret.',
  listAddons: 'The newest add-on is first; add-ons of one instant are in the order of their names.',
  listApiKeys: 'Revoked keys are listed too.',
  listAuditLog:
    'Changes of the catalog, customers, subscriptions, settings, invoices, payments and credits, each with the way to its proof. Personal data is left out.',
  listLineEvents:
    'The same events as billing counted, at the watermark of the count, as many as its event_count; a line that counts nothing has none. Those with a time_created before the window are events that a gauge carries its level in from, or that a rate looks back to.',
  listBulkChanges: 'Shows how far updates and cancellations by filter are.',
  listCheckpoints: 'Each is kept for ever and consistent with every earlier one.',
  listCredits: 'Lists the credits of one customer. The bounds of a span are included.',
  listCustomers: 'Deleted customers are not listed.',
  listFeatures: 'The newest feature is first; features of one instant are in the order of their names.',
  listGrantedFeatures:
    'Answers each feature as `getFeatureAccess` does. A feature that no running subscription grants is not listed.',
  listInvoices:
    'Lists paid and unpaid invoices; `voided=true` lists the voided ones instead, `include_voided=true` all three. Drafts are never listed.',
  listMetrics: 'The newest metric is first; metrics of one instant are in the order of their names.',
  listOrganizations: 'Requires the bootstrap key of the service.',
  listParkedWork:
    'The rest of an account stays usable while its billing run is parked. Work that was done leaves the list.',
  listPlans:
    'Tags and `duration` filter plans, `version_…` filters versions within plans. A plan without a matching version is left out.',
  getReadModels:
    'Answers come from read models. Events of other organizations do not count, so a distance tells nothing of them.',
  listSigningKeys: 'Keys that sign no more are listed too: earlier checkpoints need them.',
  listSubscriptions: 'Every term is a subscription of its own.',
  listWebhookDeliveries:
    'The list is in the order of sending, in which those that wait are the last. Deliveries name customers, so this requires an admin key.',
  listWebhooks: 'The list is in the order of creation.',
  makePlanVersionPublic: 'Removes the last target customers: everybody can subscribe.',
  ping: 'Tells whether a key works, and whose it is.',
  removePlanTags: 'Tags that the plan does not have are ignored.',
  removeTargetCustomers:
    'Refused for a customer who is subscribed, and for the last one: `makePlanVersionPublic` says that openly.',
  replayWebhookDeliveries:
    'Without a body the dead deliveries are sent again. Receivers drop repeats by the event id.',
  revokeApiKey: 'A key can revoke itself.',
  rotateApiKey: 'The new key has the name, scope and expiry of the old one.',
  setPlanTags: 'An empty list removes all.',
  setReplacementVersion: 'The version has to be in the same currency.',
  switchPlan:
    'Begins a new subscription on the new plan at this instant, with the end, renewal, filters, metadata and add-ons of the old one. The unused part of charges in advance is reversed and the new plan is charged for the rest of the period; `usage_behavior` says which plan prices the usage so far. Succeeds or fails as a whole. With `preview=true` nothing happens and the answer is the invoice that the switch would lead to.',
  trackEvents:
    'Takes one event or a batch. An event with the same id and body counts once; the same id with another body is refused. Success means durable. Unknown customers and event names wait for their definition.',
  updateCredit: 'Only active credits can be updated.',
  updateCustomer: 'Fields that are left out stay; null clears a nullable one.',
  updateInvoice: 'A paid invoice does not become unpaid again.',
  updateOrganization: 'Amounts that are issued already do not change.',
  updatePlan: 'Prices belong to versions and never change.',
  updatePlanVersion: 'Setting `active_to` to null sells a version again that another one had ended.',
  updateSubscription: 'Moving the end moves what will be billed.',
  updateSubscriptions:
    'Changes every running subscription of the customer to the plan that matches, all or none. With `replace_plan_id` each is switched, and the answer has the new ones. With `preview=true` nothing happens and the answer is what the change would bring. Deprecated: change each by its id.',
  verifyEventsReceived: 'Ask after a network failure which events to send again.',
  verifyInvoice: 'Reads only. Computes from the recorded inputs and compares fingerprint, lines and amounts.',
  voidCredit:
    'Nothing more can be drawn from the credit. Amounts that invoices have drawn from it stay drawn.',
  voidInvoice:
    'Gives drawdowns back and keeps the number. What it charged is billed again with the next invoice, or at once with `rebill`. A paid invoice cannot be voided. With `preview=true` nothing happens and the answer is the invoice that bills the amounts again: at once with `rebill`, else the next one.',
};
