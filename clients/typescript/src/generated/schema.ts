// Written from the API document by `npm run generate:clients`. Changes here are lost.
export interface components {
    schemas: {
        AccessSubscription: {
            /**
             * Format: date-time
             * @description When the term begins.
             */
            start_date: string;
            /**
             * Format: date-time
             * @description When the term ends. A boundary is shown as the last microsecond before it, an end that was set as that instant.
             */
            end_date: string;
            /** @description Property filters: a subscription with filters counts usage with these values only. */
            subscription_filters: components["schemas"]["SubscriptionFilter"][];
            /** @description Plan and version of the subscription. */
            plan: components["schemas"]["PlanRef"];
        };
        AddFeatureBody: {
            /** @description Id of the feature. */
            feature_id: string;
            /** @description The versions that get the feature. */
            version_ids?: string[] | null;
            /** @description true: every version of the plan gets the feature. */
            all_versions?: boolean | null;
        };
        Addon: {
            /** @description Id of the add-on. */
            addon_id: string;
            /** @description Name of the add-on, unique. */
            addon_name: string;
            /** @description Description of the add-on for people. */
            addon_description: string | null;
            /**
             * @description Whether usage is charged.
             *
             *     - `flat`: Fixed charges only.
             *     - `usage_based`: Usage is charged too.
             * @enum {string}
             */
            addon_type: "flat" | "usage_based";
            /**
             * @description Whether the add-on is charged once or in every interval.
             *
             *     - `one_time`: Charged once, when attached.
             *     - `recurring`: Charged in every interval.
             * @enum {string}
             */
            billing_frequency: "one_time" | "recurring";
            /** @description The versions, in the order they were made. */
            versions: components["schemas"]["AddonVersion"][];
        };
        AddonRef: {
            /** @description Name of the add-on, unique. */
            addon_name: string;
            /** @description Id of the add-on. */
            addon_id: string;
            /**
             * @description Whether usage is charged.
             *
             *     - `flat`: Fixed charges only.
             *     - `usage_based`: Usage is charged too.
             * @enum {string}
             */
            addon_type: "flat" | "usage_based";
            /**
             * @description Whether the add-on is charged once or in every interval.
             *
             *     - `one_time`: Charged once, when attached.
             *     - `recurring`: Charged in every interval.
             * @enum {string}
             */
            billing_frequency: "one_time" | "recurring";
        };
        AddonSubscription: {
            /** @description Id of the add-on as it is attached to this subscription. */
            addon_subscription_id: string;
            /**
             * Format: date-time
             * @description When the term begins.
             */
            start_date: string;
            /**
             * Format: date-time
             * @description When the term ends. A boundary is shown as the last microsecond before it, an end that was set as that instant.
             */
            end_date: string;
            /** @description The add-on. */
            addon: components["schemas"]["AddonRef"];
            /** @description The term is over and everything in it is on an issued invoice. */
            fully_billed: boolean;
        };
        AddonVersion: {
            /** @description Id of the version of the add-on. Attaching takes it in place of `addon_id`. */
            addon_version_id: string;
            /**
             * @description Whether usage is charged.
             *
             *     - `flat`: Fixed charges only.
             *     - `usage_based`: Usage is charged too.
             * @enum {string}
             */
            addon_type: "flat" | "usage_based";
            /**
             * @description Whether the add-on is charged once or in every interval.
             *
             *     - `one_time`: Charged once, when attached.
             *     - `recurring`: Charged in every interval.
             * @enum {string}
             */
            billing_frequency: "one_time" | "recurring";
            /**
             * @description When the charges of the add-on are invoiced.
             *
             *     - `invoice_on_attach`: At once, when the add-on is attached.
             *     - `invoice_on_subscription_end`: When the term of the subscription ends.
             * @enum {string}
             */
            invoice_when: "invoice_on_attach" | "invoice_on_subscription_end";
            /** @description The currency. */
            currency: components["schemas"]["PricingUnit"];
            /** @description Fixed charges of each invoicing interval. */
            recurring_charges: components["schemas"]["RecurringCharge"][];
            /** @description Usage prices, one per metric. */
            components: components["schemas"]["PlanComponent"][];
            /** @description Features that subscribers are granted. */
            features: components["schemas"]["Feature"][];
            /**
             * Format: date-time
             * @description When the version was made.
             */
            created_on: string;
        };
        AddonVersionBody: {
            /**
             * @description When the charges of the add-on are invoiced.
             *
             *     - `invoice_on_attach`: At once, when the add-on is attached.
             *     - `invoice_on_subscription_end`: When the term of the subscription ends.
             * @enum {string|null}
             */
            invoice_when?: "invoice_on_attach" | "invoice_on_subscription_end" | null;
            /**
             * @description Whether the add-on is charged once or in every interval.
             *
             *     - `one_time`: Charged once, when attached.
             *     - `recurring`: Charged in every interval.
             * @enum {string}
             */
            billing_frequency: "one_time" | "recurring";
            /** @description ISO 4217 code of the currency, in any case. */
            currency_code?: string | null;
            /** @description Features that subscribers are granted. */
            features?: string[] | null;
            /** @description Fixed charges of each invoicing interval. */
            recurring_charges?: components["schemas"]["RecurringChargeBody"][] | null;
            /** @description Usage prices, one per metric. */
            components?: components["schemas"]["ComponentBody"][] | null;
        };
        Address: {
            /** @description City. */
            city: string | null;
            /** @description Country code of two letters (ISO 3166-1). */
            country: string | null;
            /** @description First line of the address. */
            line1: string | null;
            /** @description Second line of the address. */
            line2: string | null;
            /** @description Postal code. */
            postal_code: string | null;
            /** @description State or province. */
            state: string | null;
        };
        AddressBody: {
            /** @description City. */
            city?: string | null;
            /** @description Country code of two letters (ISO 3166-1). */
            country?: string | null;
            /** @description First line of the address. */
            line1?: string | null;
            /** @description Second line of the address. */
            line2?: string | null;
            /** @description Postal code. */
            postal_code?: string | null;
            /** @description State or province. */
            state?: string | null;
        };
        AddressedCustomer: {
            /** @description Your own id of the customer. */
            customer_id: string | null;
            /** @description Name as invoices show it; null after an erasure. */
            customer_name: string | null;
            /**
             * Format: email
             * @description E-mail address.
             */
            email: string | null;
            /** @description Billing address. Invoices show the one of the day they were issued. */
            address: components["schemas"]["Address"] | null;
        };
        Adjustment: {
            /** @description Amount of the adjustment as decimal text; negative reduces the line. */
            amount: string;
            /** @description Account of the books that the adjustment is posted to. */
            account: string;
            /**
             * @description The kind of adjustment.
             *
             *     - `sales_tax`: Tax on the line.
             *     - `plan_adjustment`: Discount or surcharge of the plan version.
             *     - `credit`: A credit that pays for a part of the invoice.
             * @enum {string}
             */
            adjustment_type: "sales_tax" | "plan_adjustment" | "credit";
        };
        AdjustmentAllocation: {
            /** @description Amount that the lines share in proportion to their bases, rounded once. Each share is rounded toward zero; the minor units that are left go to the largest remainders, of equal ones to the first lines. */
            total: number;
            /** @description Sum of the bases of these lines; a tax is taken of their subtotals. */
            base: number;
            /** @description Base of the line itself. */
            own_base: number;
            /** @description Price adjustment that the line carries back of a charge that it reduces, beside its share; it is no part of the total. */
            carried_back: number;
            /** @description Lines that share the total. */
            lines: number[];
            /** @description Adjustment of the billing period that the total is left of; null for a tax. */
            of_period: components["schemas"]["PeriodAdjustment"] | null;
        };
        AdvanceBody: {
            /**
             * Format: date-time
             * @description The time to move the clock to, not before its own.
             */
            to: string;
        };
        AmountDue: {
            /** @description Currency of the invoices. */
            currency: components["schemas"]["PricingUnit"];
            /** @description Sum of `cost_due` of the unpaid invoices in this currency. */
            amount: number;
        };
        ApiKey: {
            /** @description Name as people see it. */
            name: string;
            /** @description Tells keys apart; the first characters of the key. */
            prefix: string;
            /**
             * @description Operations that the key may call.
             *
             *     - `ingest`: Sends usage, and nothing else.
             *     - `read`: Reads everything but keys, webhooks and evidence with personal data.
             *     - `write`: Reads, changes; no settings, keys, webhooks, erasure, test clock or retries of parked work.
             *     - `admin`: Everything within the organization.
             * @enum {string}
             */
            scope: "ingest" | "read" | "write" | "admin";
            /**
             * Format: date-time
             * @description When it was made.
             */
            created_at: string;
            /**
             * Format: date-time
             * @description From when the key is refused; null: never.
             */
            expires_at: string | null;
            /**
             * Format: date-time
             * @description When the key was revoked; null: it was not.
             */
            revoked_at: string | null;
        };
        AttachAddonBody: {
            /** @description Id of the add-on. */
            addon_id?: string | null;
            /** @description Id of the version of the add-on. Attaching takes it in place of `addon_id`. */
            addon_version_id?: string | null;
            /** @description How many times the add-on is charged, at least 1. */
            quantity?: number | null;
            /** @description Free-form key/value object of yours, kept as it is sent: no place for personal data. At most 65,536 characters of JSON. */
            metadata?: {
                [key: string]: unknown;
            } | null;
        };
        AuditLogEntry: {
            /** @description Position in the log, as in `X-Recount-Position`; opaque. */
            position: string;
            /**
             * Format: uuid
             * @description Id of the event.
             */
            event_id: string;
            /**
             * Format: date-time
             * @description When it was recorded.
             */
            recorded_at: string;
            /** @description Type of the event, such as `SettingsChanged`. */
            event_type: string;
            /** @description The event type in a sentence. */
            summary: string;
            /** @description Record that it happened to. */
            subject: {
                /**
                 * @description Kind of the subject.
                 *
                 *     - `organization`: Settings of the organization, and the keys that sign its checkpoints.
                 *     - `api_key`: An API key.
                 *     - `usage_alert`: A usage alert.
                 *     - `webhook`: A webhook endpoint.
                 *     - `plan`: A plan with its versions.
                 *     - `addon`: An add-on.
                 *     - `metric`: A metric.
                 *     - `feature`: A feature.
                 *     - `customer`: A customer; the id is `customer_key`.
                 *     - `subscription`: A subscription.
                 *     - `account`: Billing runs and usage counts of a customer in a currency; the id is `customer_key.currency`.
                 *     - `invoice`: An invoice and its payment.
                 *     - `credit`: A credit.
                 *     - `number_series`: Invoice numbers of a day.
                 * @enum {string}
                 */
                kind: "organization" | "api_key" | "usage_alert" | "webhook" | "plan" | "addon" | "metric" | "feature" | "customer" | "subscription" | "account" | "invoice" | "credit" | "number_series";
                /** @description Id of the subject. */
                id: string;
            };
            /**
             * Format: uuid
             * @description Id of the customer that it concerns; null: none.
             */
            customer_key: string | null;
            /** @description Stream that the event is in. */
            stream: string;
            /** @description Revision in its stream. */
            revision: number;
            /** @description Id of the API key, `system` for the service, or `cli` for the command line. */
            actor: string;
            /** @description Name of the API key; null for a key that is not known. */
            actor_name: string | null;
            /** @description Names, as of now, of the records that the event is about; null: it is about none of them, or the record is deleted. */
            names: {
                /** @description Your own id of the customer. */
                customer_id: string | null;
                /** @description Name of the plan, also that of the subscription. */
                plan_name: string | null;
                /** @description Filters of the subscription. */
                subscription_filters: components["schemas"]["SubscriptionFilter"][];
                /** @description Name of the add-on. */
                addon_name: string | null;
                /** @description Name of the metric. */
                metric_name: string | null;
            };
            /** @description The `X-Request-Id` of the request that caused it. */
            request_id: string;
            /**
             * Format: uuid
             * @description Id of the command that caused it; events with one id were stored together.
             */
            command_id: string;
            /** @description Data of the event with internal ids and names, without personal data and without parts of more than 1,000 characters. */
            changes: {
                [key: string]: unknown;
            };
            /** @description Names of the parts of the data that `changes` leaves out; the proof has them. */
            left_out: string[];
            /** @description Path of the proof that a checkpoint covers the event. */
            proof: string;
        };
        BulkChange: {
            /** @description The `X-Request-Id` of the request that asked for the change. */
            request_id: string;
            /**
             * @description Kind of the change.
             *
             *     - `change`: An update of end or renewal.
             *     - `cancel`: A cancellation.
             *     - `switch`: A switch to another plan.
             * @enum {string}
             */
            type: "change" | "cancel" | "switch";
            /**
             * Format: date-time
             * @description When the request was accepted.
             */
            accepted_at: string;
            /**
             * @description Whether every subscription is changed.
             *
             *     - `running`: Some subscriptions are not changed yet.
             *     - `done`: Every one is changed.
             * @enum {string}
             */
            status: "running" | "done";
            /** @description How many subscriptions the request changes. */
            subscriptions: number;
            /** @description How many of them are changed. */
            subscriptions_done: number;
        };
        BulkPreview: {
            /** @description How many subscriptions would change. */
            subscriptions: number;
            /** @description The first 20 of them. */
            sample: components["schemas"]["PreviewedSubscription"][];
            /** @description The invoices that the change would lead to, one per currency. */
            invoices: components["schemas"]["PreviewedInvoice"][];
        };
        CalculatedTier: {
            /** @description Place of the tier in the plan version, from 1. */
            tier: number;
            /**
             * @description How the tier prices usage.
             *
             *     - `flat`: One price for any usage in the range.
             *     - `per_unit`: A price for each batch of units in the range.
             *     - `free`: Costs nothing.
             * @enum {string}
             */
            type: "flat" | "per_unit" | "free";
            /** @description Where the tier starts, exclusive; 0 for the first. Exact: decimal text, or n/d. */
            from: string;
            /** @description Where it ends, inclusive; null: it is open. Exact: decimal text, or n/d. */
            to: string | null;
            /** @description Units that this tier prices. Exact: decimal text, or n/d. */
            units: string;
            /** @description Batches charged, rounded as the tier says; null where no batch has a price. Exact: decimal text, or n/d. */
            batches: string | null;
            /** @description Price of a batch of a per_unit tier. Exact: decimal text, or n/d. */
            unit_price: string | null;
            /** @description Units of a batch. Exact: decimal text, or n/d. */
            units_per_batch: string | null;
            /** @description Rounding of batches: round_up, round_down, round_nearest, no_rounding. */
            rounding: string | null;
            /** @description Price of a flat tier. Exact: decimal text, or n/d. */
            flat_fee: string | null;
            /** @description Amount that the tier adds to the price. Exact: decimal text, or n/d. */
            amount: string;
        };
        CalculationStep: {
            /**
             * @description Kind of charge of the step.
             *
             *     - `recurring_charge`: A recurring charge.
             *     - `prepaid_units`: Prepaid units.
             *     - `usage`: Usage.
             *     - `usage_paid_by_prepaid_units`: Usage that prepaid units have paid.
             * @enum {string}
             */
            what: "recurring_charge" | "prepaid_units" | "usage" | "usage_paid_by_prepaid_units";
            /** @description Units that are priced, before covered ones are taken off. Of usage_paid_by_prepaid_units: all that were used where the prepaid units cost at least what was used costs, else the prepaid units. Exact: decimal text, or n/d. */
            units: string;
            /** @description Units that prepaid units of an earlier plan cover, taken off before the tiers. Exact: decimal text, or n/d. */
            covered: string;
            /** @description Prepaid units that cover usage, of the plan or of an earlier one. What is left of them is not credited. null: none do. Exact: decimal text, or n/d. */
            prepaid_units: string | null;
            /** @description Price of one unit of a recurring charge; null where tiers price it. Exact: decimal text, or n/d. */
            unit_price: string | null;
            /** @description Prices by range of usage, without a gap. */
            tiers: components["schemas"]["CalculatedTier"][];
            /** @description true: one tier prices all units, also those below its start; false: each tier its own. */
            bulk_pricing_enabled: boolean;
            /** @description The sum of the tiers, or units × unit_price. Exact: decimal text, or n/d. */
            price: string;
            /**
             * Format: date-time
             * @description Start of the span.
             */
            start: string;
            /**
             * Format: date-time
             * @description End of the span.
             */
            end: string;
            /** @description true: the price is for the full interval, and the part of it from start to end is charged; false: it is charged as it is, such as that of usage, or not at all. */
            prorated: boolean;
            /** @description Factor of the price: where it is prorated the part of the full interval from start to end, else 1, or 0 where nothing is charged. Exact: decimal text, or n/d. */
            fraction: string;
            /** @description Fraction up to start of a price that is rounded cumulatively; null: it is not. Exact: decimal text, or n/d. */
            rounded_before: string | null;
            /** @description Fraction up to end: amount = round(price × it) − round(price × rounded_before). Exact: decimal text, or n/d. */
            rounded_up_to: string | null;
            /** @description price × fraction unless rounded cumulatively; negative where it is taken off. Exact: decimal text, or n/d. */
            amount: string;
        };
        CancelByFilterBody: {
            /** @description Your own id of the customer. */
            customer_id?: string | null;
            /** @description Id of the plan. */
            plan_id?: string | null;
            /** @description Property filters: a subscription with filters counts usage with these values only. */
            subscription_filters?: components["schemas"]["SubscriptionFilterBody"][] | null;
            /**
             * @description How the recurring charges of the windows that the cancellation cuts are charged. Null or left out: each charge follows its own `charge_behavior`.
             *
             *     - `refund`: Charges nothing of the recurring charges of the cut windows: what was charged in advance is reversed whole.
             *     - `charge_prorated`: Charges the used part of the cut windows, also of `full` charges: the rest of what was charged in advance is reversed.
             *     - `charge_full`: Charges the whole recurring charges of the cut windows, whatever part was used: nothing is reversed.
             * @enum {string|null}
             */
            flat_fee_behavior?: "refund" | "charge_prorated" | "charge_full" | null;
            /**
             * @description How usage that is not billed yet is charged.
             *
             *     - `bill_full`: The usage so far is billed.
             *     - `bill_none`: Usage that no invoice has billed is dropped.
             * @enum {string|null}
             */
            usage_behavior?: "bill_full" | "bill_none" | null;
            /**
             * @description When the amounts of the change are invoiced.
             *
             *     - `invoice_now`: The difference is invoiced at once, with everything of the account whose term is over.
             *     - `add_to_next_invoice`: The same amounts are billed at the end of the running billing period.
             * @enum {string|null}
             */
            invoicing_behavior?: "invoice_now" | "add_to_next_invoice" | null;
        };
        CancelSubscriptionBody: {
            /**
             * @description How the recurring charges of the windows that the cancellation cuts are charged. Null or left out: each charge follows its own `charge_behavior`.
             *
             *     - `refund`: Charges nothing of the recurring charges of the cut windows: what was charged in advance is reversed whole.
             *     - `charge_prorated`: Charges the used part of the cut windows, also of `full` charges: the rest of what was charged in advance is reversed.
             *     - `charge_full`: Charges the whole recurring charges of the cut windows, whatever part was used: nothing is reversed.
             * @enum {string|null}
             */
            flat_fee_behavior?: "refund" | "charge_prorated" | "charge_full" | null;
            /**
             * @description How usage that is not billed yet is charged.
             *
             *     - `bill_full`: The usage so far is billed.
             *     - `bill_none`: Usage that no invoice has billed is dropped.
             * @enum {string|null}
             */
            usage_behavior?: "bill_full" | "bill_none" | null;
            /**
             * @description When the amounts of the change are invoiced.
             *
             *     - `invoice_now`: The difference is invoiced at once, with everything of the account whose term is over.
             *     - `add_to_next_invoice`: The same amounts are billed at the end of the running billing period.
             * @enum {string|null}
             */
            invoicing_behavior?: "invoice_now" | "add_to_next_invoice" | null;
        };
        CategoricalFilter: {
            /** @description Name of the property of the event. */
            property_name: string;
            /**
             * @description How the property is compared.
             *
             *     - `isin`: One of the values.
             *     - `isnotin`: None of the values.
             * @enum {string}
             */
            operator: "isin" | "isnotin";
            /** @description Value that the property is compared with. */
            comparison_value: string[];
        };
        CategoricalFilterBody: {
            /** @description Name of the property of the event. */
            property_name: string;
            /**
             * @description How the property is compared.
             *
             *     - `isin`: One of the values.
             *     - `isnotin`: None of the values.
             * @enum {string}
             */
            operator: "isin" | "isnotin";
            /** @description Value that the property is compared with. */
            comparison_value: string[];
        };
        ChangeCustomerBody: {
            /** @description Name as invoices show it; null after an erasure. */
            customer_name?: string | null;
            /**
             * Format: email
             * @description E-mail address, unique among customers; equal to the one at the payment provider.
             */
            email?: string | null;
            /** @description Billing address. Invoices show the one of the day they were issued. */
            address?: components["schemas"]["AddressBody"] | null;
            /** @description Billing address, as `address`. */
            billing_address?: components["schemas"]["AddressBody"] | null;
            /** @description Shipping address. */
            shipping_address?: components["schemas"]["AddressBody"] | null;
            /** @description ISO 4217 code of the currency that is taken where none is named; null: the one of the organization. */
            default_currency_code?: string | null;
            /** @description Percent of tax on what is due, 0 to 999.9999; 0: exempt; null: the rate of the organization. */
            tax_rate?: number | null;
            /** @description IANA time zone in which days and months begin, such as `Europe/Warsaw`. An answer about a customer without a zone of its own shows the organization's. */
            timezone?: string | null;
            /** @description Language and region of invoices as a BCP 47 tag, such as `de-AT`; null: the organization's. */
            invoice_locale?: string | null;
            /** @description Tax and company numbers, as invoices name them. */
            tax_ids?: components["schemas"]["TaxIdBody"][] | null;
            /** @description true: invoices say that the customer owes the tax (reverse charge). Requires `tax_rate` 0 and a VAT number in `tax_ids`. */
            reverse_charge?: boolean | null;
            /**
             * @description The payment provider that charges the customer.
             *
             *     - `provider_a`: The first payment provider.
             *     - `provider_b`: The second payment provider.
             * @enum {string|null}
             */
            payment_provider?: "provider_a" | "provider_b" | null;
            /** @description Id of the customer at the payment provider. */
            payment_provider_id?: string | null;
            /** @description Free-form key/value object, kept as it is sent; at most 65,536 characters of JSON. */
            properties?: {
                [key: string]: unknown;
            } | null;
        };
        ChangePaymentBody: {
            /**
             * @description Whether the invoice is paid.
             *
             *     - `unpaid`: Something is due.
             *     - `paid`: Nothing is due.
             * @enum {string|null}
             */
            payment_status?: "unpaid" | "paid" | null;
            /** @description Id of the object that stands for the invoice at the payment provider. */
            external_payment_obj_id?: string | null;
            /**
             * @description The payment provider.
             *
             *     - `provider_a`: The first payment provider.
             *     - `provider_b`: The second payment provider.
             * @enum {string|null}
             */
            external_payment_obj_type?: "provider_a" | "provider_b" | null;
            /** @description Its status at the payment provider. */
            external_payment_obj_status?: string | null;
        };
        ChangePlanBody: {
            /** @description Name of the plan, unique. */
            plan_name?: string | null;
            /** @description Description of the plan for people. */
            plan_description?: string | null;
        };
        ChangePrepaidUnitsBody: {
            /** @description The new number of prepaid units, from now on and in later windows. */
            units: number;
            /** @description true (default): the difference is invoiced at once; false: it stands on the next invoice of the account. */
            invoice_now?: boolean | null;
        };
        ChangeSettingsBody: {
            /** @description Name of the organization, as invoices show it. */
            organization_name?: string | null;
            /** @description ISO 4217 code of the currency that is taken where none is named. */
            default_currency_code?: string | null;
            /** @description IANA time zone in which days and months of customers without a zone of their own begin, such as `Europe/Warsaw`. */
            timezone?: string | null;
            /** @description Percent of tax on what is due by customers without a rate of their own, 0 to 999.9999; 0: exempt; null: no tax. */
            tax_rate?: number | null;
            /** @description Your address, as invoices show it. */
            address?: components["schemas"]["SellerAddressBody"] | null;
            /**
             * Format: email
             * @description Your e-mail address, as invoices show it.
             */
            email?: string | null;
            /** @description Your telephone number, as invoices show it. */
            phone?: string | null;
            /** @description Days from issue to due date; null: invoices have no due date. */
            payment_grace_period?: number | null;
            /** @description Minutes after the end of a window that its invoice waits for late usage; 30 by default. */
            late_event_grace_minutes?: number | null;
            /** @description Names that subscription filters may use; empty: any. */
            subscription_filter_keys?: string[] | null;
            /**
             * @description Which of its subscriptions have to grant a customer a feature.
             *
             *     - `any`: One subscription that grants the feature is enough.
             *     - `all`: Every running subscription has to grant it.
             * @enum {string|null}
             */
            feature_access_policy?: "any" | "all" | null;
            /**
             * @description The unit in which the used part of an interval is measured.
             *
             *     - `second`: By exact time.
             *     - `day`: By days of the time zone: a started day counts whole.
             * @enum {string|null}
             */
            proration_basis?: "second" | "day" | null;
            /** @description Name of the seller on invoices, as registered; null: the name of the organization. */
            legal_name?: string | null;
            /** @description Tax and company numbers, as invoices name them. */
            tax_ids?: components["schemas"]["TaxIdBody"][] | null;
            /** @description Terms of payment on invoices, in words; null: none. */
            payment_terms?: string | null;
            /** @description How to pay, as the PDF of invoices says it. */
            payment_details?: components["schemas"]["PaymentDetailsBody"] | null;
            /** @description Text at the foot of every page of an invoice; null: none. */
            invoice_footer?: string | null;
            /** @description Language and region of invoices as a BCP 47 tag, such as `de-AT`; null: English. */
            invoice_locale?: string | null;
            /** @description Logo on the PDF of invoices; null: none. */
            logo?: components["schemas"]["LogoBody"] | null;
        };
        ChangeSubscriptionBody: {
            /** @description true: the term is the last one; false changes nothing. */
            turn_off_auto_renew?: boolean | null;
            /**
             * Format: date-time
             * @description The new end, not in the past; what will be billed moves with it.
             */
            end_date?: string;
            /** @description Free-form key/value object of yours, kept as it is sent: no place for personal data. At most 65,536 characters of JSON. */
            metadata?: {
                [key: string]: unknown;
            };
        };
        ChangeVersionBody: {
            /**
             * Format: date-time
             * @description When the version starts to be sold; null: not offered yet.
             */
            active_from?: string | null;
            /**
             * Format: date-time
             * @description When the version stops to be sold; null: open-ended.
             */
            active_to?: string | null;
            /** @description Name of the version in the language of its customers. */
            localized_name?: string | null;
        };
        ChangedAddon: {
            /** @description Id of the add-on as it is attached to this subscription. */
            addon_subscription_id: string;
            /**
             * Format: date-time
             * @description When the term begins.
             */
            start_date: string;
            /**
             * Format: date-time
             * @description When the term ends. A boundary is shown as the last microsecond before it, an end that was set as that instant.
             */
            end_date: string;
            /** @description The add-on. */
            addon: components["schemas"]["AddonRef"];
            /** @description The term is over and everything in it is on an issued invoice. */
            fully_billed: boolean;
            /** @description The customer. */
            customer: components["schemas"]["CustomerSummary"];
            /** @description Whether the add-on goes on in the next term of its subscription. */
            auto_renew: boolean;
            /** @description How many times the add-on is charged. */
            quantity: number;
            /** @description Free-form key/value object of yours, kept as it is sent: no place for personal data. At most 65,536 characters of JSON. */
            metadata: {
                [key: string]: unknown;
            };
            /** @description The subscription that the add-on is attached to. */
            parent: {
                /** @description Id of the subscription. A switch and a renewal begin a new one. */
                subscription_id: string;
                /**
                 * Format: date-time
                 * @description When the term begins.
                 */
                start_date: string;
                /**
                 * Format: date-time
                 * @description When the term ends. A boundary is shown as the last microsecond before it, an end that was set as that instant.
                 */
                end_date: string;
                /** @description Whether a new term begins when this one ends; true by default. */
                auto_renew: boolean;
                /** @description true: the first subscription of its line; false: a renewal. */
                is_new: boolean;
                /** @description Property filters: a subscription with filters counts usage with these values only. */
                subscription_filters: components["schemas"]["SubscriptionFilter"][];
                /** @description The customer. */
                customer: components["schemas"]["CustomerSummary"];
                /** @description Plan and version that the subscription is on. */
                billing_plan: components["schemas"]["PlanRef"];
                /** @description The term is over and everything in it is on an issued invoice. */
                fully_billed: boolean;
                /** @description Add-ons that were attached. */
                addons: components["schemas"]["AddonSubscription"][];
                /** @description Free-form key/value object of yours, kept as it is sent: no place for personal data. At most 65,536 characters of JSON. */
                metadata: {
                    [key: string]: unknown;
                };
                /** @description Plan and version of the subscription. */
                plan: components["schemas"]["PlanRef"];
            };
        };
        Checkpoint: {
            /**
             * Format: uuid
             * @description Id of the checkpoint.
             */
            checkpoint_id: string;
            /** @description 1, 2, 3 … in the organization. */
            number: number;
            /** @description Name of the log: the first line of the note. */
            origin: string;
            /** @description Number of leaves of the tree. */
            size: number;
            /** @description Root hash of the tree in base64. */
            root: string;
            /**
             * @description Why it was made: the schedule, the end of billing runs, or a request.
             *
             *     - `schedule`: The newest checkpoint was too old.
             *     - `billing`: Billing runs had ended.
             *     - `request`: `createCheckpoint`.
             * @enum {string}
             */
            cause: "schedule" | "billing" | "request";
            /**
             * Format: date-time
             * @description When it was made.
             */
            created_at: string;
            /** @description The signed note with its cosignatures, in the formats C2SP tlog-checkpoint and tlog-cosignature. */
            note: string;
            /** @description Witnesses that have cosigned it, in the order in which their cosignatures were added. */
            cosignatures: {
                /** @description Name of the witness: that of its key. */
                witness: string;
                /** @description Id of its key in the note, in hexadecimal digits. */
                key_id: string;
                /**
                 * Format: date-time
                 * @description Time of the witness, at which it knew no larger tree.
                 */
                cosigned_at: string;
            }[];
        };
        ClockAdvanced: {
            /**
             * Format: date-time
             * @description The time of the clock.
             */
            now: string;
            /** @description How many invoices were issued on the way. */
            invoices_issued: number;
            /** @description How many subscriptions renewed on the way. */
            subscriptions_renewed: number;
            /** @description How many terms ended on the way. */
            subscriptions_ended: number;
        };
        ComponentBody: {
            /** @description Id of the metric. */
            metric_id: string;
            /** @description Prices by range of usage, without a gap. */
            tiers: components["schemas"]["TierBody"][];
            /** @description true: the tier that the whole usage falls into prices all of it; false: each tier prices its own part. */
            bulk_pricing_enabled?: boolean | null;
            /** @description Units that are paid at the start of each window; null: usage is charged when the window ends. */
            prepaid_charge?: components["schemas"]["PrepaidChargeBody"] | null;
            /**
             * @description Unit of the interval after which the charge is invoiced; null: the term of the plan.
             *
             *     - `day`: Days.
             *     - `week`: Weeks.
             *     - `month`: Months.
             *     - `year`: Years.
             * @enum {string|null}
             */
            invoicing_interval_unit?: "day" | "week" | "month" | "year" | null;
            /** @description How many units make one invoicing interval; null: one. */
            invoicing_interval_count?: number | null;
            /**
             * @description Unit of the window after which usage is counted from 0; null: the invoicing interval.
             *
             *     - `day`: Days.
             *     - `week`: Weeks.
             *     - `month`: Months.
             *     - `year`: Years.
             * @enum {string|null}
             */
            reset_interval_unit?: "day" | "week" | "month" | "year" | null;
            /** @description How many units make one reset window; null: one. */
            reset_interval_count?: number | null;
            /** @description The currency of the charge, that of its version. */
            pricing_unit?: (string | Record<string, never>) | null;
        };
        ComponentCharge: {
            /** @description Units of each window; null: given when the subscription is created. */
            units: number | null;
            /**
             * @description How a part of an interval is charged.
             *
             *     - `prorate`: A part of the interval costs that part of the amount.
             *     - `full`: Any part of the interval costs the whole amount.
             * @enum {string}
             */
            charge_behavior: "prorate" | "full";
        };
        ConsistencyProof: {
            /** @description Size of the earlier tree. */
            from: number;
            /** @description Size of the later tree. */
            to: number;
            /** @description Root hash of the earlier tree in base64. */
            from_root: string;
            /** @description Root hash of the later tree in base64. */
            to_root: string;
            /** @description The proof of RFC 9162: hashes in base64. Empty for equal sizes and for size 0. */
            hashes: string[];
        };
        CountedEvent: {
            /** @description Your own id of the event. */
            idempotency_id: string;
            /** @description Name of the usage events that the metric counts. */
            event_name: string;
            /**
             * Format: date-time
             * @description When it happened.
             */
            time_created: string;
            /** @description Free-form key/value object, kept as it is sent; at most 65,536 characters of JSON. */
            properties: {
                [key: string]: unknown;
            };
        };
        CountingMetric: {
            /** @description The metric. */
            metric_id: string;
            /** @description Its name. */
            metric_name: string;
            /** @description Name of the events that it reads. */
            event_name: string;
        };
        CountingWindow: {
            /** @description Subscription that it counts for. */
            subscription_id: string;
            /** @description Add-on that prices it; null for the plan itself. */
            addon_subscription_id: string | null;
            /** @description Metric that counts it. */
            metric_id: string;
            /**
             * Format: date-time
             * @description First instant of the window.
             */
            start_date: string;
            /**
             * Format: date-time
             * @description End of the window; the end itself is not part of it.
             */
            end_date: string;
            /**
             * @description How the event stands in this window.
             *
             *     - `counted`: Billing counted it.
             *     - `pending`: The window waits for its billing run.
             *     - `late`: It came after the window was counted and waits for the next run.
             *     - `not_charged`: A cancellation left the window without a charge.
             * @enum {string}
             */
            state: "counted" | "pending" | "late" | "not_charged";
            /** @description Invoices with lines for the count that first has the event. */
            invoice_ids: string[];
        };
        CreateAddonBody: {
            /** @description Name of the add-on, unique. */
            addon_name: string;
            /** @description Description of the add-on for people. */
            addon_description?: string | null;
            /** @description The first version, active at once. */
            initial_version: components["schemas"]["AddonVersionBody"];
        };
        CreateApiKeyBody: {
            /** @description Name as people see it. */
            name: string;
            /**
             * @description Operations that the key may call.
             *
             *     - `ingest`: Sends usage, and nothing else.
             *     - `read`: Reads everything but keys, webhooks and evidence with personal data.
             *     - `write`: Reads, changes; no settings, keys, webhooks, erasure, test clock or retries of parked work.
             *     - `admin`: Everything within the organization.
             * @enum {string|null}
             */
            scope?: "ingest" | "read" | "write" | "admin" | null;
            /**
             * Format: date-time
             * @description From when the key is refused; null: never.
             */
            expires_at?: string | null;
        };
        CreateCustomerBody: {
            /** @description Your own id of the customer, 1 to 200 characters, unique. It stays reserved after a deletion. */
            customer_id: string;
            /** @description Name as invoices show it; null after an erasure. */
            customer_name?: string | null;
            /**
             * Format: email
             * @description E-mail address, unique among customers; equal to the one at the payment provider.
             */
            email?: string | null;
            /** @description Billing address. Invoices show the one of the day they were issued. */
            address?: components["schemas"]["AddressBody"] | null;
            /** @description Billing address, as `address`. */
            billing_address?: components["schemas"]["AddressBody"] | null;
            /** @description Shipping address. */
            shipping_address?: components["schemas"]["AddressBody"] | null;
            /** @description ISO 4217 code of the currency that is taken where none is named; null: the one of the organization. */
            default_currency_code?: string | null;
            /** @description Percent of tax on what is due, 0 to 999.9999; 0: exempt; null: the rate of the organization. */
            tax_rate?: number | null;
            /** @description IANA time zone in which days and months begin, such as `Europe/Warsaw`. An answer about a customer without a zone of its own shows the organization's. */
            timezone?: string | null;
            /** @description Language and region of invoices as a BCP 47 tag, such as `de-AT`; null: the organization's. */
            invoice_locale?: string | null;
            /** @description Tax and company numbers, as invoices name them. */
            tax_ids?: components["schemas"]["TaxIdBody"][] | null;
            /** @description true: invoices say that the customer owes the tax (reverse charge). Requires `tax_rate` 0 and a VAT number in `tax_ids`. */
            reverse_charge?: boolean | null;
            /**
             * @description The payment provider that charges the customer.
             *
             *     - `provider_a`: The first payment provider.
             *     - `provider_b`: The second payment provider.
             * @enum {string|null}
             */
            payment_provider?: "provider_a" | "provider_b" | null;
            /** @description Id of the customer at the payment provider. */
            payment_provider_id?: string | null;
            /** @description Free-form key/value object, kept as it is sent; at most 65,536 characters of JSON. */
            properties?: {
                [key: string]: unknown;
            } | null;
        };
        CreateFeatureBody: {
            /** @description Name of the feature, unique. */
            feature_name: string;
            /** @description Description of the feature for people. */
            feature_description?: string | null;
        };
        CreateMetricBody: {
            /** @description Name of the metric, unique. */
            metric_name: string;
            /** @description Name of the usage events that the metric counts. */
            event_name?: string | null;
            /**
             * @description The kind of the metric.
             *
             *     - `counter`: Aggregates the events of a window.
             *     - `gauge`: Follows a level, such as seats, weighted by time.
             *     - `rate`: The highest usage of any part of the window, such as requests an hour.
             *     - `custom`: Not available: refused with `invalid_operation`.
             * @enum {string}
             */
            metric_type: "counter" | "gauge" | "rate" | "custom";
            /** @description Name of the property of the event that is aggregated; null for `count`. */
            property_name?: string | null;
            /**
             * @description How the events of a window become one quantity.
             *
             *     - `count`: Number of events.
             *     - `sum`: Sum of the property.
             *     - `max`: Highest value of the property.
             *     - `unique`: Number of different values of the property.
             *     - `average`: Mean of the property.
             * @enum {string|null}
             */
            aggregation_type?: "count" | "sum" | "max" | "unique" | "average" | null;
            /**
             * @description Another name of `aggregation_type`.
             *
             *     - `count`: Number of events.
             *     - `sum`: Sum of the property.
             *     - `max`: Highest value of the property.
             *     - `unique`: Number of different values of the property.
             *     - `average`: Mean of the property.
             * @enum {string|null}
             */
            usage_aggregation_type?: "count" | "sum" | "max" | "unique" | "average" | null;
            /**
             * @description Length of the parts of a window: a gauge is weighted by them, a rate has its value in each.
             *
             *     - `seconds`: Seconds.
             *     - `minutes`: Minutes.
             *     - `hours`: Hours.
             *     - `days`: Days of the time zone.
             *     - `months`: Months of the time zone.
             *     - `quarters`: Quarters of the time zone.
             *     - `years`: Years of the time zone.
             *     - `total`: The whole window.
             * @enum {string|null}
             */
            granularity?: "seconds" | "minutes" | "hours" | "days" | "months" | "quarters" | "years" | "total" | null;
            /**
             * @description How a value changes the level of a gauge; null for other metrics.
             *
             *     - `delta`: Each value changes the level by so much.
             *     - `total`: Each value is the new level.
             * @enum {string|null}
             */
            event_type?: "delta" | "total" | null;
            /**
             * @description How finely the level of a gauge is weighted by time, finer than its granularity; null: not at all.
             *
             *     - `seconds`: Seconds.
             *     - `minutes`: Minutes.
             *     - `hours`: Hours.
             *     - `days`: Days of the time zone.
             *     - `months`: Months of the time zone.
             *     - `quarters`: Quarters of the time zone.
             *     - `years`: Years of the time zone.
             *     - `total`: The whole window.
             * @enum {string|null}
             */
            proration?: "seconds" | "minutes" | "hours" | "days" | "months" | "quarters" | "years" | "total" | null;
            /** @description Events count when they match all of these. */
            numeric_filters?: components["schemas"]["NumericFilterBody"][] | null;
            /** @description Events count when they match all of these. */
            categorical_filters?: components["schemas"]["CategoricalFilterBody"][] | null;
            /** @description true: it measures the business's own costs. */
            is_cost_metric?: boolean | null;
        };
        CreateOrganizationBody: {
            /** @description Name of the organization, as invoices show it. */
            organization_name: string;
            /** @description ISO 4217 code of the currency that is taken where none is named. */
            default_currency_code?: string | null;
            /** @description IANA time zone in which days and months begin, such as `Europe/Warsaw`. */
            timezone?: string | null;
        };
        CreatePlanBody: {
            /** @description Name of the plan, unique. */
            plan_name: string;
            /** @description Description of the plan for people. */
            plan_description?: string | null;
            /**
             * @description How long a term runs until it renews; null: a month.
             *
             *     - `monthly`: Terms of a month.
             *     - `quarterly`: Terms of three months.
             *     - `yearly`: Terms of a year.
             * @enum {string|null}
             */
            plan_duration?: "monthly" | "quarterly" | "yearly" | null;
            /** @description Tags to find plans by: letters, digits, hyphens and underscores. */
            tags?: (string | components["schemas"]["TagBody"])[] | null;
            /** @description Ids of the plan at payment providers. */
            initial_external_links?: components["schemas"]["ExternalLinkBody"][] | null;
            /** @description The first version, active at once. */
            initial_version: components["schemas"]["VersionBody"];
        };
        CreateSubscriptionBody: {
            /** @description Your own id of the customer. */
            customer_id: string;
            /** @description Id of the plan. */
            plan_id?: string | null;
            /** @description Id of the plan version, in place of `plan_id`. */
            version_id?: string | null;
            /**
             * Format: date-time
             * @description When the subscription begins; the past is billed too.
             */
            start_date: string;
            /**
             * Format: date-time
             * @description End of the first term, not in the past; by default one plan duration after the start.
             */
            end_date?: string | null;
            /** @description Whether a new term begins when this one ends; true by default. */
            auto_renew?: boolean | null;
            /** @description true: the first subscription of its line; false: a renewal. */
            is_new?: boolean | null;
            /** @description Property filters: a subscription with filters counts usage with these values only. */
            subscription_filters?: components["schemas"]["SubscriptionFilterBody"][] | null;
            /** @description Prepaid units by metric; required for a prepaid component without default units. */
            component_fixed_charges_initial_units?: components["schemas"]["InitialUnitsBody"][] | null;
            /** @description Free-form key/value object of yours, kept as it is sent: no place for personal data. At most 65,536 characters of JSON. */
            metadata?: {
                [key: string]: unknown;
            } | null;
        };
        CreateUsageAlertBody: {
            /** @description Name as people see it. */
            name: string;
            /** @description Id of the metric. */
            metric_id: string;
            /** @description Your own id of the customer. */
            customer_id?: string | null;
            /** @description Id of the plan. */
            plan_id?: string | null;
            /**
             * @description Whether the threshold is in units or in cost.
             *
             *     - `units`: Units of the metric.
             *     - `amount`: Cost of the usage, before adjustments and tax.
             * @enum {string|null}
             */
            threshold_type?: "units" | "amount" | null;
            /** @description Usage of one billing window that triggers the alert, or more. */
            threshold: number;
        };
        CreateWebhookBody: {
            /** @description Name as people see it. */
            name: string;
            /** @description Public https address that deliveries are posted to. */
            webhook_url: string;
            /**
             * @description Triggers that the endpoint is told of.
             *
             *     - `customer.created`: A customer was created.
             *     - `subscription.created`: A subscription began, by creation or switch.
             *     - `subscription.renewed`: A term ended and the next one began.
             *     - `subscription.cancelled`: A subscription was cancelled.
             *     - `invoice.created`: An invoice was issued.
             *     - `invoice.paid`: An invoice was paid.
             *     - `invoice.past_due`: The due date of an unpaid invoice has passed.
             *     - `invoice.voided`: An invoice was voided.
             *     - `billing.parked`: Billing of an account failed and is tried again later.
             *     - `usage_alert.triggered`: Usage of a billing window reached the threshold of an alert.
             *     - `audit.checkpoint`: A checkpoint of the transparency log was signed.
             */
            triggers: ("customer.created" | "subscription.created" | "subscription.renewed" | "subscription.cancelled" | "invoice.created" | "invoice.paid" | "invoice.past_due" | "invoice.voided" | "billing.parked" | "usage_alert.triggered" | "audit.checkpoint")[];
        };
        Credit: {
            /** @description Id of the credit. */
            credit_id: string;
            /** @description The customer. */
            customer: components["schemas"]["CustomerSummary"];
            /** @description Amount that was granted. */
            amount: number;
            /** @description Amount that is left of the credit. */
            amount_remaining: number;
            /** @description The currency. */
            currency: components["schemas"]["PricingUnit"];
            /** @description Text for people. */
            description: string | null;
            /**
             * Format: date-time
             * @description From when the credit can be used; now by default.
             */
            effective_at: string;
            /**
             * Format: date-time
             * @description When what is left expires, in the future; null: never.
             */
            expires_at: string | null;
            /**
             * @description Whether something of the credit can still be used.
             *
             *     - `active`: Something is left and it has not expired.
             *     - `inactive`: Used up, voided or expired.
             * @enum {string}
             */
            status: "active" | "inactive";
            /** @description Price that the customer pays for the credit; above 0, an unpaid invoice over it is issued. */
            amount_paid: number;
            /** @description The currency of `amount_paid`; null when nothing is paid. */
            amount_paid_currency: components["schemas"]["PricingUnit"] | null;
            /** @description Amounts that invoices took from the credit, in order. */
            drawdowns: components["schemas"]["Drawdown"][];
        };
        CreditBalances: {
            /**
             * Format: date-time
             * @description The organization's present time that the rows are of: the current month is as of then.
             */
            as_of: string;
            /** @description The organization's last event that the rows contain, as in `X-Recount-Position`; null before the first. */
            position: string | null;
            /** @description The rows, in the order of currency and month, or of day and event name. */
            rows: components["schemas"]["CreditBalancesRow"][];
        };
        CreditBalancesRow: {
            /**
             * Format: date
             * @description First day of the month, in UTC.
             */
            month: string;
            /** @description Currency of every amount of the row (ISO 4217). */
            currency_code: string;
            /** @description Given, sold or left over from an invoice. */
            granted: number;
            /** @description Part of it that was sold, at the amount that can be drawn. */
            sold: number;
            /** @description Taken by invoices; 0 or negative. */
            drawn: number;
            /** @description Taken back; 0 or negative. */
            voided: number;
            /** @description No longer to be drawn; 0 or negative. */
            expired: number;
            /** @description Credits that customers hold at the end of the month: a liability. */
            balance: number;
        };
        Customer: {
            /** @description Your own id of the customer. */
            customer_id: string | null;
            /** @description Name as invoices show it; null after an erasure. */
            customer_name: string | null;
            /**
             * Format: email
             * @description E-mail address, unique among customers; equal to the one at the payment provider.
             */
            email: string | null;
            /**
             * Format: uuid
             * @description Id of the customer in read models and analytics views, a uuid; it stays after an erasure.
             */
            customer_key: string;
            /** @description Billing address. Invoices show the one of the day they were issued. */
            address: components["schemas"]["Address"] | null;
            /** @description Billing address, as `address`. */
            billing_address: components["schemas"]["Address"] | null;
            /** @description Shipping address. */
            shipping_address: components["schemas"]["Address"] | null;
            /** @description ISO 4217 code of the currency that is taken where none is named; null: the one of the organization. */
            default_currency_code: string | null;
            /** @description Currency of the customer, or else the organization's, with its name and symbol. */
            default_currency: components["schemas"]["PricingUnit"];
            /** @description Percent of tax on what is due, 0 to 999.9999; 0: exempt; null: the rate of the organization. */
            tax_rate: number | null;
            /** @description IANA time zone in which days and months begin, such as `Europe/Warsaw`. An answer about a customer without a zone of its own shows the organization's. */
            timezone: string;
            /** @description Language and region of invoices as a BCP 47 tag, such as `de-AT`; null: the organization's. */
            invoice_locale: string | null;
            /** @description Tax and company numbers, as invoices name them. */
            tax_ids: {
                /**
                 * @description `vat`: VAT number, with its country; `tax_number`: other tax number; `company_number`: number in the register of companies.
                 * @enum {string}
                 */
                type: "vat" | "tax_number" | "company_number";
                /** @description The number as it is printed. */
                value: string;
            }[];
            /** @description true: invoices say that the customer owes the tax (reverse charge). Requires `tax_rate` 0 and a VAT number in `tax_ids`. */
            reverse_charge: boolean;
            /**
             * @description The payment provider that charges the customer.
             *
             *     - `provider_a`: The first payment provider.
             *     - `provider_b`: The second payment provider.
             * @enum {string|null}
             */
            payment_provider: "provider_a" | "provider_b" | null;
            /** @description Id of the customer at the payment provider. */
            payment_provider_id: string | null;
            /** @description Free-form key/value object, kept as it is sent; at most 65,536 characters of JSON. */
            properties: {
                [key: string]: unknown;
            };
            /** @description Running subscriptions, the latest start first, at most 20. */
            subscriptions: components["schemas"]["Subscription"][];
            /** @description Paid and unpaid invoices, the newest first, at most 20: without lines, seller and PDF, which `getInvoice` has. */
            invoices: components["schemas"]["InvoiceSummary"][];
            /** @description Sum of `cost_due` of all unpaid invoices, for each of their currencies. */
            amounts_due: components["schemas"]["AmountDue"][];
            /** @description Sum of `cost_due` of all unpaid invoices in `default_currency`. */
            total_amount_due: number;
        };
        CustomerProfileResource: {
            /** @description Your own id of the customer. */
            customer_id: string | null;
            /** @description Name as invoices show it; null after an erasure. */
            customer_name: string | null;
            /**
             * Format: email
             * @description E-mail address, unique among customers; equal to the one at the payment provider.
             */
            email: string | null;
            /**
             * Format: uuid
             * @description Id of the customer in read models and analytics views, a uuid; it stays after an erasure.
             */
            customer_key: string;
            /** @description Billing address. Invoices show the one of the day they were issued. */
            address: components["schemas"]["Address"] | null;
            /** @description Billing address, as `address`. */
            billing_address: components["schemas"]["Address"] | null;
            /** @description Shipping address. */
            shipping_address: components["schemas"]["Address"] | null;
            /** @description ISO 4217 code of the currency that is taken where none is named; null: the one of the organization. */
            default_currency_code: string | null;
            /** @description Currency of the customer, or else the organization's, with its name and symbol. */
            default_currency: components["schemas"]["PricingUnit"];
            /** @description Percent of tax on what is due, 0 to 999.9999; 0: exempt; null: the rate of the organization. */
            tax_rate: number | null;
            /** @description IANA time zone in which days and months begin, such as `Europe/Warsaw`. An answer about a customer without a zone of its own shows the organization's. */
            timezone: string;
            /** @description Language and region of invoices as a BCP 47 tag, such as `de-AT`; null: the organization's. */
            invoice_locale: string | null;
            /** @description Tax and company numbers, as invoices name them. */
            tax_ids: {
                /**
                 * @description `vat`: VAT number, with its country; `tax_number`: other tax number; `company_number`: number in the register of companies.
                 * @enum {string}
                 */
                type: "vat" | "tax_number" | "company_number";
                /** @description The number as it is printed. */
                value: string;
            }[];
            /** @description true: invoices say that the customer owes the tax (reverse charge). Requires `tax_rate` 0 and a VAT number in `tax_ids`. */
            reverse_charge: boolean;
            /**
             * @description The payment provider that charges the customer.
             *
             *     - `provider_a`: The first payment provider.
             *     - `provider_b`: The second payment provider.
             * @enum {string|null}
             */
            payment_provider: "provider_a" | "provider_b" | null;
            /** @description Id of the customer at the payment provider. */
            payment_provider_id: string | null;
            /** @description Free-form key/value object, kept as it is sent; at most 65,536 characters of JSON. */
            properties: {
                [key: string]: unknown;
            };
        };
        CustomerSummary: {
            /** @description Your own id of the customer. */
            customer_id: string | null;
            /** @description Name as invoices show it; null after an erasure. */
            customer_name: string | null;
            /**
             * Format: email
             * @description E-mail address.
             */
            email: string | null;
        };
        DeletedCustomer: {
            /** @description Your own id of the customer. */
            customer_id: string | null;
            /** @description Name as invoices show it; null after an erasure. */
            customer_name: string | null;
            /**
             * Format: email
             * @description E-mail address, unique among customers; equal to the one at the payment provider.
             */
            email: string | null;
            /**
             * Format: uuid
             * @description Id of the customer in read models and analytics views, a uuid; it stays after an erasure.
             */
            customer_key: string;
            /** @description Billing address. Invoices show the one of the day they were issued. */
            address: components["schemas"]["Address"] | null;
            /** @description Billing address, as `address`. */
            billing_address: components["schemas"]["Address"] | null;
            /** @description Shipping address. */
            shipping_address: components["schemas"]["Address"] | null;
            /** @description ISO 4217 code of the currency that is taken where none is named; null: the one of the organization. */
            default_currency_code: string | null;
            /** @description Currency of the customer, or else the organization's, with its name and symbol. */
            default_currency: components["schemas"]["PricingUnit"];
            /** @description Percent of tax on what is due, 0 to 999.9999; 0: exempt; null: the rate of the organization. */
            tax_rate: number | null;
            /** @description IANA time zone in which days and months begin, such as `Europe/Warsaw`. An answer about a customer without a zone of its own shows the organization's. */
            timezone: string;
            /** @description Language and region of invoices as a BCP 47 tag, such as `de-AT`; null: the organization's. */
            invoice_locale: string | null;
            /** @description Tax and company numbers, as invoices name them. */
            tax_ids: {
                /**
                 * @description `vat`: VAT number, with its country; `tax_number`: other tax number; `company_number`: number in the register of companies.
                 * @enum {string}
                 */
                type: "vat" | "tax_number" | "company_number";
                /** @description The number as it is printed. */
                value: string;
            }[];
            /** @description true: invoices say that the customer owes the tax (reverse charge). Requires `tax_rate` 0 and a VAT number in `tax_ids`. */
            reverse_charge: boolean;
            /**
             * @description The payment provider that charges the customer.
             *
             *     - `provider_a`: The first payment provider.
             *     - `provider_b`: The second payment provider.
             * @enum {string|null}
             */
            payment_provider: "provider_a" | "provider_b" | null;
            /** @description Id of the customer at the payment provider. */
            payment_provider_id: string | null;
            /** @description Free-form key/value object, kept as it is sent; at most 65,536 characters of JSON. */
            properties: {
                [key: string]: unknown;
            };
            /** @description How many subscriptions ended with the customer. */
            num_subscriptions_canceled: number;
        };
        DraftInvoices: {
            /** @description Invoices, one per currency; each is a draft that is computed and not stored. */
            invoices: components["schemas"]["Invoice"][];
        };
        Drawdown: {
            /** @description Id of the credit. */
            credit_id: string;
            /** @description Negative: what the invoice took from the credit. */
            amount: number;
            /**
             * Format: date-time
             * @description When the invoice took it.
             */
            applied_at: string;
            /** @description Text for people. */
            description: string;
        };
        DuePayments: {
            /** @description Currency of the amount (ISO 4217). */
            currency_code: string;
            /** @description Unpaid invoices that fall due in these days. */
            invoices: number;
            /** @description Sum of what is still to be paid of them. */
            cost_due: number;
        };
        EarlierLine: {
            /** @description Id of the invoice (`invoice_` and a uuid). A path also takes its number. */
            invoice_id: string;
            /** @description Its number. */
            invoice_number: string | null;
            /** @description Place of the line on that invoice, from 1. */
            line: number;
            /** @description Base of that line; they sum to charged_before. */
            base: number;
        };
        ExplainedLine: {
            /** @description Position on the invoice, from 1. */
            line: number;
            /** @description Name as people see it. */
            name: string;
            /** @description Id of the subscription. A switch and a renewal begin a new one. */
            subscription_id: string | null;
            /** @description The rule that made the line. */
            rule: string;
            /** @description The exact part of the full interval that is charged, n/d; 1/1 where nothing is prorated, such as for usage. */
            fraction: string;
            /** @description Inputs that the amount was computed from. */
            inputs: {
                /** @description When and why the charge is invoiced. */
                billing_type: string;
                /**
                 * Format: date-time
                 * @description Start of the span.
                 */
                start: string;
                /**
                 * Format: date-time
                 * @description End of the span.
                 */
                end: string;
                /** @description Quantity that is charged. */
                quantity: number | null;
                /** @description The price, as the plan version defines it. */
                price: unknown;
                /** @description Units held, since when, and their share of the window; null where nothing is prepaid. */
                prepaid_units: {
                    /** @description Prepaid units of the metric. */
                    units: number;
                    /**
                     * Format: date-time
                     * @description Since when.
                     */
                    from: string;
                    /** @description The exact part of the full interval, n/d. */
                    fraction: unknown;
                }[] | null;
                /** @description Id of the plan version whose price is charged. */
                plan_version_id: string | null;
                /** @description Percent of tax; null: no tax. */
                tax_rate: unknown;
            };
            /** @description Amount of the line before adjustments. */
            base: number;
            /** @description Taxes, price adjustments and credits of the line. */
            adjustments: {
                /** @description The kind of adjustment. */
                adjustment_type: string;
                /** @description Account of the books that the adjustment is posted to. */
                account: string;
                /** @description Amount in the major unit of the currency. */
                amount: number;
                /** @description percentage, fixed or price_override of the plan version; tax_rate; or the rule of a credit line. */
                rule: string;
                /** @description The percent or amount of the rule, as decimal text. */
                figure: string | null;
                /** @description Total of several lines that the amount is a share of; null where it is calculated from the line alone. */
                allocation: components["schemas"]["AdjustmentAllocation"] | null;
            }[];
            /** @description Base and adjustments of the line, before tax and credits. */
            subtotal: number;
            /** @description Amount in the major unit of the currency. */
            amount: number;
            /** @description The count that the line charges, with its evidence; null where nothing is counted. */
            usage: components["schemas"]["UsageCount"] | null;
            /** @description The count that `usage` supersedes; null: none. */
            previous_usage: components["schemas"]["UsageCount"] | null;
            /** @description Earlier lines that the line reverses. */
            reverses: components["schemas"]["ReversedLine"][];
            /** @description Credits that paid for the line. */
            credits: {
                /** @description Id of the credit. */
                credit_id: string;
                /** @description Amount in the major unit of the currency. */
                amount: number;
            }[];
            /** @description Settings that the line was computed with. The tax_rate of a line that corrects an earlier charge is the one that the charge was computed with. */
            settings: components["schemas"]["SettingRead"][];
            /** @description How the base of the line was calculated; null where the rule alone says it. */
            calculation: components["schemas"]["LineCalculation"] | null;
            /** @description Events that the line follows from. */
            follows_from: components["schemas"]["RecordedEventRef"][];
        };
        ExternalLinkBody: {
            /**
             * @description The payment provider.
             *
             *     - `provider_a`: The first payment provider.
             *     - `provider_b`: The second payment provider.
             * @enum {string}
             */
            source: "provider_a" | "provider_b";
            /** @description Id of the plan at the payment provider. */
            external_plan_id: string;
        };
        ExternalPlanLink: {
            /**
             * @description The payment provider.
             *
             *     - `provider_a`: The first payment provider.
             *     - `provider_b`: The second payment provider.
             * @enum {string}
             */
            source: "provider_a" | "provider_b";
            /** @description Id of the plan at the payment provider. */
            external_plan_id: string;
        };
        Feature: {
            /** @description Id of the feature. */
            feature_id: string;
            /** @description Name of the feature, unique. */
            feature_name: string;
            /** @description Description of the feature for people. */
            feature_description: string | null;
        };
        FeatureAccess: {
            /** @description The customer. */
            customer: components["schemas"]["CustomerSummary"];
            /** @description The feature. */
            feature: components["schemas"]["Feature"];
            /** @description Whether it is granted. */
            access: boolean;
            /** @description Each running subscription, and whether it grants access. */
            access_per_subscription: {
                /** @description The subscription. */
                subscription: components["schemas"]["AccessSubscription"];
                /** @description Whether it is granted. */
                access: boolean;
            }[];
        };
        FieldError: {
            /**
             * @description Machine code of the error.
             *
             *     - `required`: A field is missing.
             *     - `null`: A field is null that may not be.
             *     - `blank`: A text is empty.
             *     - `invalid`: A value has the wrong type or form, or a parameter is unknown.
             *     - `invalid_choice`: A value is none of the choices.
             *     - `min_value`: A number is too small.
             *     - `max_value`: A number is too large.
             *     - `max_length`: A text or list is too long.
             *     - `does_not_exist`: A body or query names an unknown id.
             * @enum {string}
             */
            code: "required" | "null" | "blank" | "invalid" | "invalid_choice" | "min_value" | "max_value" | "max_length" | "does_not_exist";
            /** @description A sentence for people: what is wrong and what is allowed. */
            detail: string;
            /** @description Dotted path of the field; non_field_errors for a rule across fields. */
            attr: string;
        };
        GaugeRun: {
            /**
             * Format: date-time
             * @description Start of the span.
             */
            start: string;
            /**
             * Format: date-time
             * @description End of the span.
             */
            end: string;
            /** @description Highest level of each bucket, exact. */
            peak: string;
            /** @description Length of the run in seconds, exact. */
            seconds: string;
            /** @description Length of the granularity in seconds, exact; without proration that of the window. */
            granularity_seconds: string;
            /** @description peak × seconds ÷ granularity_seconds, exact. */
            quantity: string;
        };
        GaugeSteps: {
            /**
             * Format: date-time
             * @description When the level first reached the peak; null with proration, and where the quantity is 0.
             */
            peak_at: string | null;
            /** @description Spans of adjacent buckets with the same peak, by time. Their quantities and that of `further_runs` sum to the quantity. A level of 0 has no run. */
            runs: components["schemas"]["GaugeRun"][];
            /** @description Number and sum of the runs after the first 50; null: there are none. */
            further_runs: {
                runs: number;
                /** @description Quantity that is charged. */
                quantity: string;
            } | null;
        };
        GrantCreditBody: {
            /** @description Your own id of the customer. */
            customer_id: string;
            /** @description Worth of the credit, above 0. */
            amount: number;
            /** @description A currency code of ISO 4217. */
            currency_code: string;
            /** @description Text for people. */
            description?: string | null;
            /**
             * Format: date-time
             * @description From when the credit can be used; now by default.
             */
            effective_at?: string | null;
            /**
             * Format: date-time
             * @description When what is left expires, in the future; null: never.
             */
            expires_at?: string | null;
            /** @description Price that the customer pays for the credit; above 0, an unpaid invoice over it is issued. */
            amount_paid?: number | null;
            /** @description A currency code of ISO 4217. */
            amount_paid_currency_code?: string | null;
        };
        GrantedFeature: {
            /** @description The feature. */
            feature: components["schemas"]["Feature"];
            /** @description Whether it is granted. */
            access: boolean;
            /** @description Each running subscription, and whether it grants access. */
            access_per_subscription: {
                /** @description The subscription. */
                subscription: components["schemas"]["AccessSubscription"];
                /** @description Whether it is granted. */
                access: boolean;
            }[];
        };
        GrantedFeatures: {
            /** @description Features that subscribers are granted. */
            features: components["schemas"]["GrantedFeature"][];
        };
        IdsReceived: {
            /**
             * @description Always `success`.
             *
             *     - `success`: The ids were looked for.
             * @enum {string}
             */
            status: "success";
            /** @description The requested ids that never arrived. */
            ids_not_found: string[];
        };
        InitialUnitsBody: {
            /** @description Id of the metric. */
            metric_id: string;
            /** @description Prepaid units of the metric. */
            units: number;
        };
        Invoice: {
            /** @description Id of the invoice (`invoice_` and a uuid). A path also takes its number. */
            invoice_id: string;
            /** @description Number of the invoice, `YYMMDD-000001`, without gaps; null on a draft. */
            invoice_number: string | null;
            /** @description Amount that is still to pay; 0 when paid or voided. */
            cost_due: number;
            /** @description Sum of the lines, tax included. Negative when more is reversed than charged. */
            amount: number;
            /** @description The currency. */
            currency: components["schemas"]["PricingUnit"];
            /**
             * Format: date-time
             * @description When the invoice was issued.
             */
            issue_date: string;
            /**
             * Format: date-time
             * @description When the invoice is to be paid: the issue date and the payment grace period of the organization; null without one.
             */
            due_date: string | null;
            /**
             * Format: date
             * @description First day that the lines cover.
             */
            start_date: string;
            /**
             * Format: date
             * @description Last day that the lines cover.
             */
            end_date: string;
            /**
             * @description Whether the invoice is paid.
             *
             *     - `draft`: Computed and not issued.
             *     - `voided`: Taken back; nothing is due and nothing of it counts.
             *     - `paid`: Nothing is due.
             *     - `unpaid`: Something is due.
             * @enum {string}
             */
            payment_status: "draft" | "voided" | "paid" | "unpaid";
            /** @description Id of the object that stands for the invoice at the payment provider. */
            external_payment_obj_id: string | null;
            /**
             * @description The payment provider.
             *
             *     - `provider_a`: The first payment provider.
             *     - `provider_b`: The second payment provider.
             * @enum {string|null}
             */
            external_payment_obj_type: "provider_a" | "provider_b" | null;
            /** @description Its status at the payment provider. */
            external_payment_obj_status: string | null;
            /** @description Lines of the invoice. */
            line_items: components["schemas"]["InvoiceLineItem"][];
            /** @description The customer. */
            customer: components["schemas"]["AddressedCustomer"];
            /** @description Your organization as the invoice names it. */
            seller: components["schemas"]["Seller"];
            /**
             * Format: uri
             * @description Link to the PDF, which opens without a key for 24 hours; null on a draft.
             */
            invoice_pdf: string | null;
        };
        InvoiceExplanation: {
            /** @description Id of the invoice (`invoice_` and a uuid). A path also takes its number. */
            invoice_id: string;
            /** @description Number of the invoice, `YYMMDD-000001`, without gaps; null on a draft. */
            invoice_number: string;
            /**
             * Format: date-time
             * @description The time that the invoice was computed at.
             */
            as_of: string;
            /** @description Rules of rounding, proration and tax by which the invoice was computed. */
            policy: unknown;
            /** @description Hash over the inputs of the invoice. */
            fingerprint: string;
            /** @description Hash over the lines and amounts. */
            result_hash: string;
            /** @description The event that holds the invoice. */
            computed_by: components["schemas"]["RecordedEventRef"];
            /** @description Inputs that the amount was computed from. */
            inputs: unknown;
            /** @description Sums of the invoice. */
            totals: {
                /** @description Sum of the bases of the lines. */
                base: number;
                /** @description Sum of all adjustments of the lines, tax and credits included. */
                adjustments: number;
                /** @description Sum of the amounts of the lines. */
                amount: number;
                /** @description Amount that was to be paid when the invoice was issued. */
                cost_due: number;
            };
            /** @description Lines of the invoice with their reasons. */
            lines: components["schemas"]["ExplainedLine"][];
        };
        InvoiceLineItem: {
            /** @description Name as people see it. */
            name: string;
            /**
             * Format: date-time
             * @description From when the line charges.
             */
            start_date: string;
            /**
             * Format: date-time
             * @description Until when the line charges.
             */
            end_date: string;
            /** @description Usage or units that the line charges; null where nothing is counted. */
            quantity: number | null;
            /**
             * @description When and why the charge is invoiced.
             *
             *     - `in_advance`: Charged at the start of its interval.
             *     - `in_arrears`: Charged after its interval.
             *     - `intermediate`: Usage of an interval that is invoiced within a longer term.
             *     - `one_time`: Charged once.
             * @enum {string}
             */
            billing_type: "in_advance" | "in_arrears" | "intermediate" | "one_time";
            /** @description Details of the line, such as the rate of a tax. */
            metadata: {
                [key: string]: number | string;
            };
            /** @description Plan and version of the subscription. */
            plan: components["schemas"]["PlanRef"] | null;
            /** @description Property filters: a subscription with filters counts usage with these values only. */
            subscription_filters: components["schemas"]["SubscriptionFilter"][] | null;
            /** @description Amount of the line before adjustments. */
            base: number;
            /** @description Taxes, price adjustments and credits of the line. */
            adjustments: components["schemas"]["Adjustment"][];
            /** @description Amount that the line adds to the invoice: base, adjustments and tax. */
            amount: number;
            /** @description Base and adjustments of the line, before tax and credits. */
            subtotal: number;
        };
        InvoicePreview: {
            /** @description Invoices, one per currency; each is a draft that is computed and not stored. */
            invoices: components["schemas"]["Invoice"][];
        };
        InvoiceSummary: {
            /** @description Id of the invoice (`invoice_` and a uuid). A path also takes its number. */
            invoice_id: string;
            /** @description Number of the invoice, `YYMMDD-000001`, without gaps; null on a draft. */
            invoice_number: string | null;
            /** @description Amount that is still to pay; 0 when paid or voided. */
            cost_due: number;
            /** @description Sum of the lines, tax included. Negative when more is reversed than charged. */
            amount: number;
            /** @description The currency. */
            currency: components["schemas"]["PricingUnit"];
            /**
             * Format: date-time
             * @description When the invoice was issued.
             */
            issue_date: string;
            /**
             * Format: date-time
             * @description When the invoice is to be paid: the issue date and the payment grace period of the organization; null without one.
             */
            due_date: string | null;
            /**
             * Format: date
             * @description First day that the lines cover.
             */
            start_date: string;
            /**
             * Format: date
             * @description Last day that the lines cover.
             */
            end_date: string;
            /**
             * @description Whether the invoice is paid.
             *
             *     - `draft`: Computed and not issued.
             *     - `voided`: Taken back; nothing is due and nothing of it counts.
             *     - `paid`: Nothing is due.
             *     - `unpaid`: Something is due.
             * @enum {string}
             */
            payment_status: "draft" | "voided" | "paid" | "unpaid";
            /** @description Id of the object that stands for the invoice at the payment provider. */
            external_payment_obj_id: string | null;
            /**
             * @description The payment provider.
             *
             *     - `provider_a`: The first payment provider.
             *     - `provider_b`: The second payment provider.
             * @enum {string|null}
             */
            external_payment_obj_type: "provider_a" | "provider_b" | null;
            /** @description Its status at the payment provider. */
            external_payment_obj_status: string | null;
        };
        InvoicedAmounts: {
            /**
             * Format: date-time
             * @description The organization's present time that the rows are of: the current month is as of then.
             */
            as_of: string;
            /** @description The organization's last event that the rows contain, as in `X-Recount-Position`; null before the first. */
            position: string | null;
            /** @description The rows, in the order of currency and month, or of day and event name. */
            rows: components["schemas"]["InvoicedAmountsRow"][];
        };
        InvoicedAmountsRow: {
            /**
             * Format: date
             * @description First day of the month, in UTC.
             */
            month: string;
            /** @description Currency of every amount of the row (ISO 4217). */
            currency_code: string;
            /** @description Invoices issued in the month that are not voided. */
            invoices: number;
            /** @description Sum of their amounts, tax and credits included. */
            invoiced: number;
            /** @description Part of it that is paid, or settled by a later invoice. */
            paid: number;
            /** @description Part of it that is still to be paid. */
            open: number;
        };
        LeftOutStream: {
            /** @description Stream of the organization. */
            stream: string;
            /** @description Its first event that is not applied. */
            revision: number;
            /**
             * Format: date-time
             * @description When applying it failed.
             */
            since: string;
        };
        LineCalculation: {
            /** @description Names the charge: lines with the same key share this calculation. */
            charge_key: string;
            /** @description Amounts that are added up. */
            steps: components["schemas"]["CalculationStep"][];
            /** @description Sum of the amounts of the steps. Exact: decimal text, or n/d. */
            exact: string;
            /** @description exact, rounded once to the minor unit of the currency. */
            due: number;
            /** @description Charged by earlier invoices. The bases of the lines with this key sum to due − charged_before. */
            charged_before: number;
            /** @description Lines of earlier invoices that charged for the same. */
            earlier_lines: components["schemas"]["EarlierLine"][];
            /** @description The window that was counted. */
            window: {
                /**
                 * Format: date-time
                 * @description Start of the span.
                 */
                start: string;
                /**
                 * Format: date-time
                 * @description End of the span.
                 */
                end: string;
            };
            /** @description The whole interval that the fraction is of. */
            full_interval: {
                /**
                 * Format: date-time
                 * @description Start of the span.
                 */
                start: string;
                /**
                 * Format: date-time
                 * @description End of the span.
                 */
                end: string;
            };
            /** @description second or day. */
            proration_basis: string;
            /** @description IANA zone in which days are counted. */
            timezone: string;
        };
        LinkedInvoice: {
            /** @description Id of the invoice (`invoice_` and a uuid). A path also takes its number. */
            invoice_id: string;
            /** @description Number of the invoice, `YYMMDD-000001`, without gaps; null on a draft. */
            invoice_number: string | null;
            /** @description Amount that is still to pay; 0 when paid or voided. */
            cost_due: number;
            /** @description Sum of the lines, tax included. Negative when more is reversed than charged. */
            amount: number;
            /** @description The currency. */
            currency: components["schemas"]["PricingUnit"];
            /**
             * Format: date-time
             * @description When the invoice was issued.
             */
            issue_date: string;
            /**
             * Format: date-time
             * @description When the invoice is to be paid: the issue date and the payment grace period of the organization; null without one.
             */
            due_date: string | null;
            /**
             * Format: date
             * @description First day that the lines cover.
             */
            start_date: string;
            /**
             * Format: date
             * @description Last day that the lines cover.
             */
            end_date: string;
            /**
             * @description Whether the invoice is paid.
             *
             *     - `draft`: Computed and not issued.
             *     - `voided`: Taken back; nothing is due and nothing of it counts.
             *     - `paid`: Nothing is due.
             *     - `unpaid`: Something is due.
             * @enum {string}
             */
            payment_status: "draft" | "voided" | "paid" | "unpaid";
            /** @description Id of the object that stands for the invoice at the payment provider. */
            external_payment_obj_id: string | null;
            /**
             * @description The payment provider.
             *
             *     - `provider_a`: The first payment provider.
             *     - `provider_b`: The second payment provider.
             * @enum {string|null}
             */
            external_payment_obj_type: "provider_a" | "provider_b" | null;
            /** @description Its status at the payment provider. */
            external_payment_obj_status: string | null;
            /** @description Lines of the invoice. */
            line_items: components["schemas"]["InvoiceLineItem"][];
            /** @description The customer. */
            customer: components["schemas"]["AddressedCustomer"];
            /** @description Your organization as the invoice names it. */
            seller: components["schemas"]["Seller"];
            /**
             * Format: uri
             * @description Link to the PDF, which opens without a key for 24 hours; null on a draft.
             */
            invoice_pdf: string | null;
            /**
             * Format: uri
             * @description The same link as `invoice_pdf`.
             */
            url: string | null;
        };
        ListedOrganization: {
            /** @description Id of the organization. */
            organization_id: string;
            /** @description Name of the organization, as invoices show it. */
            organization_name: string | null;
            /** @description ISO 4217 code of the currency that is taken where none is named. */
            default_currency_code: string | null;
            /** @description IANA time zone in which days and months begin, such as `Europe/Warsaw`. */
            timezone: string | null;
            /**
             * Format: date-time
             * @description When it was made.
             */
            created_at: string;
            /** @description Why the settings of the organization cannot be read, which are null then; null: they can. */
            unreadable: string | null;
        };
        LogoBody: {
            /** @description A PNG or JPEG of at most 131072 bytes in base64; a data URL is taken too. */
            data: string;
        };
        Metric: {
            /** @description Id of the metric. */
            metric_id: string;
            /** @description Name of the metric, unique. */
            metric_name: string;
            /** @description Name of the usage events that the metric counts. */
            event_name: string;
            /** @description Name of the property of the event that is aggregated; null for `count`. */
            property_name: string | null;
            /**
             * @description How the events of a window become one quantity.
             *
             *     - `count`: Number of events.
             *     - `sum`: Sum of the property.
             *     - `max`: Highest value of the property.
             *     - `unique`: Number of different values of the property.
             *     - `average`: Mean of the property.
             * @enum {string}
             */
            aggregation_type: "count" | "sum" | "max" | "unique" | "average";
            /**
             * @description The kind of the metric.
             *
             *     - `counter`: Aggregates the events of a window.
             *     - `gauge`: Follows a level, such as seats, weighted by time.
             *     - `rate`: The highest usage of any part of the window, such as requests an hour.
             *     - `custom`: Not available: refused with `invalid_operation`.
             * @enum {string}
             */
            metric_type: "counter" | "gauge" | "rate" | "custom";
            /**
             * @description Length of the parts of a window: a gauge is weighted by them, a rate has its value in each.
             *
             *     - `seconds`: Seconds.
             *     - `minutes`: Minutes.
             *     - `hours`: Hours.
             *     - `days`: Days of the time zone.
             *     - `months`: Months of the time zone.
             *     - `quarters`: Quarters of the time zone.
             *     - `years`: Years of the time zone.
             *     - `total`: The whole window.
             * @enum {string|null}
             */
            granularity: "seconds" | "minutes" | "hours" | "days" | "months" | "quarters" | "years" | "total" | null;
            /**
             * @description How a value changes the level of a gauge; null for other metrics.
             *
             *     - `delta`: Each value changes the level by so much.
             *     - `total`: Each value is the new level.
             * @enum {string|null}
             */
            event_type: "delta" | "total" | null;
            /**
             * @description How finely the level of a gauge is weighted by time, finer than its granularity; null: not at all.
             *
             *     - `seconds`: Seconds.
             *     - `minutes`: Minutes.
             *     - `hours`: Hours.
             *     - `days`: Days of the time zone.
             *     - `months`: Months of the time zone.
             *     - `quarters`: Quarters of the time zone.
             *     - `years`: Years of the time zone.
             *     - `total`: The whole window.
             * @enum {string|null}
             */
            proration: "seconds" | "minutes" | "hours" | "days" | "months" | "quarters" | "years" | "total" | null;
            /** @description Events count when they match all of these. */
            numeric_filters: components["schemas"]["NumericFilter"][];
            /** @description Events count when they match all of these. */
            categorical_filters: components["schemas"]["CategoricalFilter"][];
            /** @description true: it measures the business's own costs. */
            is_cost_metric: boolean;
            /** @description Always null. */
            custom_sql: string | null;
        };
        MetricAccess: {
            /** @description The customer. */
            customer: components["schemas"]["CustomerSummary"];
            /** @description The metric. */
            metric: components["schemas"]["Metric"];
            /** @description Whether it is granted. */
            access: boolean;
            /** @description Each running subscription, and whether it grants access. */
            access_per_subscription: {
                /** @description The subscription. */
                subscription: components["schemas"]["AccessSubscription"];
                /** @description Usage of the running window; of a gauge its current level. */
                metric_usage: number;
                /** @description Usage that is free: the end of the free tiers, at least the prepaid units; null: no limit. */
                metric_free_limit: number | null;
                /** @description Usage up to which access is granted: the end of the last tier; null: no limit. */
                metric_total_limit: number | null;
            }[];
        };
        MetricOfUsage: {
            /** @description The metric. */
            metric_id: string;
            /** @description Its name. */
            metric_name: string;
            /** @description Name of the events that it reads. */
            event_name: string;
            /**
             * @description The kind of the metric.
             *
             *     - `counter`: Aggregates the events of a window.
             *     - `gauge`: Follows a level, such as seats, weighted by time.
             *     - `rate`: The highest usage of any part of the window, such as requests an hour.
             *     - `custom`: Not available: refused with `invalid_operation`.
             * @enum {string}
             */
            metric_type: "counter" | "gauge" | "rate" | "custom";
            /**
             * @description How the events of a window become one quantity.
             *
             *     - `count`: Number of events.
             *     - `sum`: Sum of the property.
             *     - `max`: Highest value of the property.
             *     - `unique`: Number of different values of the property.
             *     - `average`: Mean of the property.
             * @enum {string}
             */
            aggregation_type: "count" | "sum" | "max" | "unique" | "average";
        };
        NewApiKey: {
            /** @description Name as people see it. */
            name: string;
            /** @description Tells keys apart; the first characters of the key. */
            prefix: string;
            /**
             * @description Operations that the key may call.
             *
             *     - `ingest`: Sends usage, and nothing else.
             *     - `read`: Reads everything but keys, webhooks and evidence with personal data.
             *     - `write`: Reads, changes; no settings, keys, webhooks, erasure, test clock or retries of parked work.
             *     - `admin`: Everything within the organization.
             * @enum {string}
             */
            scope: "ingest" | "read" | "write" | "admin";
            /**
             * Format: date-time
             * @description When it was made.
             */
            created_at: string;
            /**
             * Format: date-time
             * @description From when the key is refused; null: never.
             */
            expires_at: string | null;
            /**
             * Format: date-time
             * @description When the key was revoked; null: it was not.
             */
            revoked_at: string | null;
            /** @description The API key, shown in this answer only. */
            key: string | null;
        };
        NewOrganization: {
            /** @description Id of the organization. */
            organization_id: string;
            /** @description Name of the organization, as invoices show it. */
            organization_name: string;
            /** @description ISO 4217 code of the currency that is taken where none is named. */
            default_currency_code: string;
            /** @description IANA time zone in which days and months begin, such as `Europe/Warsaw`. */
            timezone: string;
            /**
             * Format: date-time
             * @description When it was made.
             */
            created_at: string;
            /** @description The first API key of the organization, shown in this answer only. */
            admin_key: components["schemas"]["NewApiKey"];
        };
        NewWebhook: {
            /** @description Id of the webhook endpoint. */
            webhook_endpoint_id: string;
            /** @description Name as people see it. */
            name: string;
            /** @description Public https address that deliveries are posted to. */
            webhook_url: string;
            /**
             * @description Triggers that the endpoint is told of.
             *
             *     - `customer.created`: A customer was created.
             *     - `subscription.created`: A subscription began, by creation or switch.
             *     - `subscription.renewed`: A term ended and the next one began.
             *     - `subscription.cancelled`: A subscription was cancelled.
             *     - `invoice.created`: An invoice was issued.
             *     - `invoice.paid`: An invoice was paid.
             *     - `invoice.past_due`: The due date of an unpaid invoice has passed.
             *     - `invoice.voided`: An invoice was voided.
             *     - `billing.parked`: Billing of an account failed and is tried again later.
             *     - `usage_alert.triggered`: Usage of a billing window reached the threshold of an alert.
             *     - `audit.checkpoint`: A checkpoint of the transparency log was signed.
             */
            triggers: ("customer.created" | "subscription.created" | "subscription.renewed" | "subscription.cancelled" | "invoice.created" | "invoice.paid" | "invoice.past_due" | "invoice.voided" | "billing.parked" | "usage_alert.triggered" | "audit.checkpoint")[];
            /**
             * Format: date-time
             * @description When it was made.
             */
            created_at: string;
            /** @description Secret that signs deliveries (Standard Webhooks), shown in this answer only; null in a repeat. */
            webhook_secret: string | null;
        };
        NothingTracked: {
            /**
             * @description Which of the events were taken.
             *
             *     - `none`: No event is stored.
             * @enum {string}
             */
            success: "none";
            /** @description Reason by idempotency id of each event that was not taken; null: all were. */
            failed_events: {
                [key: string]: string;
            };
        };
        NumericFilter: {
            /** @description Name of the property of the event. */
            property_name: string;
            /**
             * @description How the property is compared.
             *
             *     - `gte`: At least.
             *     - `gt`: More than.
             *     - `eq`: Exactly.
             *     - `lt`: Less than.
             *     - `lte`: At most.
             * @enum {string}
             */
            operator: "gte" | "gt" | "eq" | "lt" | "lte";
            /** @description Value that the property is compared with. */
            comparison_value: number;
        };
        NumericFilterBody: {
            /** @description Name of the property of the event. */
            property_name: string;
            /**
             * @description How the property is compared.
             *
             *     - `gte`: At least.
             *     - `gt`: More than.
             *     - `eq`: Exactly.
             *     - `lt`: Less than.
             *     - `lte`: At most.
             * @enum {string}
             */
            operator: "gte" | "gt" | "eq" | "lt" | "lte";
            /** @description Value that the property is compared with. */
            comparison_value: number;
        };
        Organization: {
            /** @description Id of the organization. */
            organization_id: string;
            /** @description Name of the organization, as invoices show it. */
            organization_name: string;
            /** @description ISO 4217 code of the currency that is taken where none is named. */
            default_currency_code: string;
            /** @description IANA time zone in which days and months of customers without a zone of their own begin, such as `Europe/Warsaw`. */
            timezone: string;
            /** @description Percent of tax on what is due by customers without a rate of their own, 0 to 999.9999; 0: exempt; null: no tax. */
            tax_rate: number | null;
            /** @description Your address, as invoices show it. */
            address: components["schemas"]["Address"] | null;
            /** @description Your e-mail address, as invoices show it. */
            email: string | null;
            /** @description Your telephone number, as invoices show it. */
            phone: string | null;
            /** @description Days from issue to due date; null: invoices have no due date. */
            payment_grace_period: number | null;
            /** @description Minutes after the end of a window that its invoice waits for late usage; 30 by default. */
            late_event_grace_minutes: number;
            /** @description Names that subscription filters may use; empty: any. */
            subscription_filter_keys: string[];
            /**
             * @description Which of its subscriptions have to grant a customer a feature.
             *
             *     - `any`: One subscription that grants the feature is enough.
             *     - `all`: Every running subscription has to grant it.
             * @enum {string}
             */
            feature_access_policy: "any" | "all";
            /**
             * @description The unit in which the used part of an interval is measured.
             *
             *     - `second`: By exact time.
             *     - `day`: By days of the time zone: a started day counts whole.
             * @enum {string}
             */
            proration_basis: "second" | "day";
            /** @description Name of the seller on invoices, as registered; null: the name of the organization. */
            legal_name: string | null;
            /** @description Numbers under which the seller is registered, as printed on invoices. */
            tax_ids: {
                /**
                 * @description `vat`: VAT number, with its country; `tax_number`: other tax number; `company_number`: number in the register of companies.
                 * @enum {string}
                 */
                type: "vat" | "tax_number" | "company_number";
                /** @description The number as it is printed. */
                value: string;
            }[];
            /** @description Terms of payment on invoices, in words. */
            payment_terms: string | null;
            /** @description Where customers pay to; null: the invoice has no payment block. */
            payment_details: {
                /** @description Holder of the account. */
                account_holder: string | null;
                /** @description IBAN of the account, without spaces. */
                iban: string | null;
                /** @description BIC of the bank. */
                bic: string | null;
                /** @description Further words, such as the reference to give. */
                text: string | null;
            } | null;
            /** @description Text at the foot of every page of an invoice. */
            invoice_footer: string | null;
            /** @description Language and region of invoices as a BCP 47 tag, such as `de-AT`; null: English. */
            invoice_locale: string | null;
            /** @description Picture at the head of invoices. */
            logo: {
                /**
                 * @description Kind of the picture.
                 *
                 *     - `image/png`: PNG.
                 *     - `image/jpeg`: JPEG.
                 * @enum {string}
                 */
                media_type: "image/png" | "image/jpeg";
                /** @description Width in pixels. */
                width: number;
                /** @description Height in pixels. */
                height: number;
                /** @description sha256 of its bytes in hex. */
                sha256: string;
            } | null;
        };
        ParkedWork: {
            /**
             * Format: uuid
             * @description Id of the parking, from the first failure until it is done.
             */
            parked_id: string;
            /**
             * @description `run`: a billing run of an account. `boundary`: the renewal or end of a subscription. `past_due`: the note that an invoice is past due.
             * @enum {string}
             */
            kind: "run" | "boundary" | "past_due";
            /** @description Customer whose it is; null where nobody knows, or after an erasure. */
            customer_id: string | null;
            /** @description Currency of the account; null where it is not known. */
            currency_code: string | null;
            /** @description Subscription at its boundary; else null. */
            subscription_id: string | null;
            /** @description Invoice that is past due; else null. */
            invoice_id: string | null;
            /** @description Code of the refusal; internal: it failed inside the service. */
            cause: string;
            /** @description Text of the refusal at the newest try. */
            detail: string;
            /** @description How often it was tried in vain. */
            tries: number;
            /**
             * Format: date-time
             * @description First failure.
             */
            parked_at: string;
            /**
             * Format: date-time
             * @description The first sweep from then on tries it again, after 1, 2, 4 … minutes, at last every 6 hours.
             */
            next_try_at: string;
        };
        PaymentDetailsBody: {
            /** @description Holder of the account. */
            account_holder?: string | null;
            /** @description IBAN of the account; blanks are left out. */
            iban?: string | null;
            /** @description BIC of the bank. */
            bic?: string | null;
            /** @description Further words, such as the reference to give. */
            text?: string | null;
        };
        PeriodAdjustment: {
            /**
             * Format: date-time
             * @description Start of the span.
             */
            start: string;
            /**
             * Format: date-time
             * @description End of the span.
             */
            end: string;
            /** @description The whole interval that the fraction is of. */
            full_interval: {
                /**
                 * Format: date-time
                 * @description Start of the span.
                 */
                start: string;
                /**
                 * Format: date-time
                 * @description End of the span.
                 */
                end: string;
            };
            /** @description Fraction up to start; 0 unless the period continues that of an earlier term. Exact: decimal text, or n/d. */
            rounded_before: string;
            /** @description Fraction up to end. Exact: decimal text, or n/d. */
            rounded_up_to: string;
            /** @description The figure, prorated: round(figure × rounded_up_to) − round(figure × rounded_before). */
            amount: number;
            /** @description Sum of the bases of all charges of the period, on this invoice and on earlier ones. */
            base: number;
            /** @description Adjustments that these charges have already, without those that this invoice reverses. The total, with what lines carry back, is amount − adjusted, for price_override amount − base − adjusted; a fixed amount takes off no more than base. */
            adjusted: number;
        };
        Plan: {
            /** @description Id of the plan. */
            plan_id: string;
            /** @description Name of the plan, unique. */
            plan_name: string;
            /**
             * @description How long a term runs until it renews; null: a month.
             *
             *     - `monthly`: Terms of a month.
             *     - `quarterly`: Terms of three months.
             *     - `yearly`: Terms of a year.
             * @enum {string|null}
             */
            plan_duration: "monthly" | "quarterly" | "yearly" | null;
            /** @description Description of the plan for people. */
            plan_description: string | null;
            /** @description Ids of the plan at payment providers. */
            external_links: components["schemas"]["ExternalPlanLink"][];
            /** @description Number of public versions. */
            num_versions: number;
            /** @description The highest active public one; 0: none is active. */
            active_version: number;
            /** @description Running subscriptions, all versions together. */
            active_subscriptions: number;
            /** @description Tags to find plans by: letters, digits, hyphens and underscores. */
            tags: string[];
            /** @description The versions, in the order they were made. */
            versions: components["schemas"]["PlanVersion"][];
            /**
             * @deprecated
             * @description Always null. Deprecated.
             */
            parent_plan: null;
            /**
             * @deprecated
             * @description Always null. Deprecated: use the targets of versions.
             */
            target_customer: components["schemas"]["CustomerSummary"] | null;
            /**
             * @deprecated
             * @description The active public version, else the latest. Deprecated: use `versions`.
             */
            display_version: components["schemas"]["PlanVersion"];
            /**
             * @deprecated
             * @description Whether the plan is still there. Deprecated: use the status of its versions.
             *
             *     - `active`: Not deleted.
             *     - `archived`: Deleted.
             * @enum {string}
             */
            status: "active" | "archived";
        };
        PlanComponent: {
            /** @description The metric whose usage is charged. */
            billable_metric: components["schemas"]["Metric"];
            /** @description Prices by range of usage, without a gap. */
            tiers: components["schemas"]["PriceTier"][];
            /** @description true: the tier that the whole usage falls into prices all of it; false: each tier prices its own part. */
            bulk_pricing_enabled: boolean;
            /** @description The currency of the charge, that of its version. */
            pricing_unit: components["schemas"]["PricingUnit"];
            /**
             * @description Unit of the interval after which the charge is invoiced; null: the term of the plan.
             *
             *     - `day`: Days.
             *     - `week`: Weeks.
             *     - `month`: Months.
             *     - `year`: Years.
             * @enum {string|null}
             */
            invoicing_interval_unit: "day" | "week" | "month" | "year" | null;
            /** @description How many units make one invoicing interval; null: one. */
            invoicing_interval_count: number | null;
            /**
             * @description Unit of the window after which usage is counted from 0; null: the invoicing interval.
             *
             *     - `day`: Days.
             *     - `week`: Weeks.
             *     - `month`: Months.
             *     - `year`: Years.
             * @enum {string|null}
             */
            reset_interval_unit: "day" | "week" | "month" | "year" | null;
            /** @description How many units make one reset window; null: one. */
            reset_interval_count: number | null;
            /** @description Units that are paid at the start of each window; null: usage is charged when the window ends. */
            prepaid_charge: components["schemas"]["ComponentCharge"] | null;
        };
        PlanRef: {
            /** @description Name of the plan, unique. */
            plan_name: string;
            /** @description Id of the plan. */
            plan_id: string;
            /** @description Id of the plan version. */
            version_id: string;
            /** @description Number of the version; 0 when it is made for named customers. */
            version: number;
        };
        PlanVersion: {
            /** @description Id of the plan version. */
            version_id: string;
            /** @description Fixed charges of each invoicing interval. */
            recurring_charges: components["schemas"]["RecurringCharge"][];
            /** @description Usage prices, one per metric. */
            components: components["schemas"]["PlanComponent"][];
            /** @description Features that subscribers are granted. */
            features: components["schemas"]["Feature"][];
            /** @description A discount or surcharge on what the version charges; null: none. */
            price_adjustment: components["schemas"]["PriceAdjustment"] | null;
            /**
             * @description Number of the version; `custom_version` when it is made for named customers.
             *
             *     - `custom_version`: The version is made for named customers.
             */
            version: number | "custom_version";
            /**
             * @description Whether the version is sold, and what becomes of its subscriptions.
             *
             *     - `active`: Sold now.
             *     - `retiring`: No longer sold; its subscriptions renew to another version.
             *     - `grandfathered`: No longer sold; its subscriptions renew to it.
             *     - `deleted`: Deleted.
             *     - `inactive`: No longer sold, and nobody is subscribed.
             *     - `not_started`: Not sold yet.
             * @enum {string}
             */
            status: "active" | "retiring" | "grandfathered" | "deleted" | "inactive" | "not_started";
            /** @description Name of the plan, unique. */
            plan_name: string;
            /** @description The currency. */
            currency: components["schemas"]["PricingUnit"];
            /**
             * Format: date-time
             * @description When the version starts to be sold; null: not offered yet.
             */
            active_from: string | null;
            /**
             * Format: date-time
             * @description When the version stops to be sold; null: open-ended.
             */
            active_to: string | null;
            /** @description Name of the version in the language of its customers. */
            localized_name: string | null;
            /** @description Day of the month, 1 to 31, on which periods begin; by default the day of the start. */
            day_anchor: number | null;
            /** @description Month of the year, 1 to 12, in which quarters and years begin; by default the month of the start. */
            month_anchor: number | null;
            /** @description Customers that the version is made for; empty: everybody. */
            target_customers: components["schemas"]["CustomerSummary"][];
            /**
             * Format: date-time
             * @description When the version was made.
             */
            created_on: string;
            /**
             * @deprecated
             * @description Always null. Deprecated.
             */
            usage_billing_frequency: string | null;
            /**
             * @deprecated
             * @description When the first recurring charge is invoiced. Deprecated.
             *
             *     - `in_advance`: At the start of the interval.
             *     - `in_arrears`: After the interval.
             * @enum {string}
             */
            flat_fee_billing_type: "in_advance" | "in_arrears";
            /**
             * @deprecated
             * @description Sum of the recurring charges. Deprecated.
             */
            flat_rate: number;
            /**
             * @deprecated
             * @description Description of the plan. Deprecated.
             */
            description: string | null;
        };
        PrepaidChargeBody: {
            /** @description Units of each window; null: given when the subscription is created. */
            units?: number | null;
            /**
             * @description How a part of an interval is charged.
             *
             *     - `prorate`: A part of the interval costs that part of the amount.
             *     - `full`: Any part of the interval costs the whole amount.
             * @enum {string|null}
             */
            charge_behavior?: "prorate" | "full" | null;
        };
        PreviewedInvoice: {
            /** @description How many lines it has. */
            lines: number;
            /** @description The invoice of all of them as a draft: its amount is the whole, its lines are the first 200. */
            invoice: components["schemas"]["Invoice"];
        };
        PreviewedSubscription: {
            /** @description As it is. */
            now: components["schemas"]["Subscription"];
            /** @description As the change would leave it; of a switch the new subscription, whose id is not its own yet. */
            then: components["schemas"]["Subscription"];
        };
        PriceAdjustment: {
            /** @description Name of the adjustment as invoices show it. */
            price_adjustment_name: string;
            /** @description Why the price is adjusted, for people. */
            price_adjustment_description: string | null;
            /**
             * @description How `price_adjustment_amount` changes the price.
             *
             *     - `percentage`: Changes the price by so many percent.
             *     - `fixed`: Changes the price by this amount.
             *     - `price_override`: The amount replaces the price.
             * @enum {string}
             */
            price_adjustment_type: "percentage" | "fixed" | "price_override";
            /** @description Percent, at least -100, or amount; negative is a discount. For `price_override` the new total. */
            price_adjustment_amount: number;
        };
        PriceAdjustmentBody: {
            /** @description Name of the adjustment as invoices show it. */
            price_adjustment_name: string;
            /** @description Why the price is adjusted, for people. */
            price_adjustment_description?: string | null;
            /**
             * @description How `price_adjustment_amount` changes the price.
             *
             *     - `percentage`: Changes the price by so many percent.
             *     - `fixed`: Changes the price by this amount.
             *     - `price_override`: The amount replaces the price.
             * @enum {string}
             */
            price_adjustment_type: "percentage" | "fixed" | "price_override";
            /** @description Percent, at least -100, or amount; negative is a discount. For `price_override` the new total. */
            price_adjustment_amount: number;
        };
        PriceTier: {
            /**
             * @description How the tier prices usage.
             *
             *     - `flat`: One price for any usage in the range.
             *     - `per_unit`: A price for each batch of units in the range.
             *     - `free`: Costs nothing.
             * @enum {string}
             */
            type: "flat" | "per_unit" | "free";
            /** @description Usage from which the tier prices; the first begins at 0, each other one where the last ended. */
            range_start: number;
            /** @description Usage up to which the tier prices; null: without end, in the last tier only. */
            range_end: number | null;
            /** @description Price of one batch; of a flat tier its whole price. Null in a free tier. */
            cost_per_batch: number | null;
            /** @description Units of usage in one batch; null: 1. */
            metric_units_per_batch: number | null;
            /**
             * @description How a started batch counts; null is `no_rounding`.
             *
             *     - `round_up`: A started batch is charged whole.
             *     - `round_down`: Only full batches are charged.
             *     - `round_nearest`: From half a batch on, a whole one is charged.
             *     - `no_rounding`: A part of a batch is charged as that part of its price.
             * @enum {string|null}
             */
            batch_rounding_type: "round_up" | "round_down" | "round_nearest" | "no_rounding" | null;
        };
        PricingUnit: {
            /** @description ISO 4217 code of the currency. */
            code: string;
            /** @description Name of the currency. */
            name: string;
            /** @description Symbol of the currency. */
            symbol: string;
        };
        Problem: {
            /**
             * Format: uri
             * @description URI of the class of the problem; ends in `#validation-error`, `#client-error` or `#server-error`.
             */
            type: string;
            /**
             * @description Machine code of the problem.
             *
             *     - `required`: A field is missing.
             *     - `null`: A field is null that may not be.
             *     - `blank`: A text is empty.
             *     - `invalid`: A value has the wrong type or form, or a parameter is unknown.
             *     - `invalid_choice`: A value is none of the choices.
             *     - `min_value`: A number is too small.
             *     - `max_value`: A number is too large.
             *     - `max_length`: A text or list is too long.
             *     - `does_not_exist`: A body or query names an unknown id.
             *     - `parse_error`: The body is not valid JSON.
             *     - `duplicate_resource`: An id, e-mail address or name is taken.
             *     - `invalid_state`: The resource's state does not allow the operation.
             *     - `invalid_operation`: The operation is not possible.
             *     - `overlapping_plans`: The customer has a subscription to this version with overlapping time and comparable filters.
             *     - `prepayment_cant_determine_units`: A prepaid component has no units.
             *     - `ambiguous_plan_version`: Several plan versions match.
             *     - `amount_out_of_range`: An amount would leave the limits of the interface.
             *     - `not_authenticated`: There is no API key.
             *     - `authentication_failed`: The API key is unknown, expired or revoked.
             *     - `permission_denied`: The API key does not have the required scope.
             *     - `not_found`: The path names an unknown id.
             *     - `resource_not_found`: The path names an unknown subscription or add-on, or nothing matches.
             *     - `method_not_allowed`: The path has no such method.
             *     - `conflict`: Somebody else changed the same thing at the same time.
             *     - `precondition_failed`: The resource has another ETag than If-Match says.
             *     - `payload_too_large`: The body is too large.
             *     - `unsupported_media_type`: The body is of a type that is not read.
             *     - `idempotency_key_reused`: The Idempotency-Key was sent with another request.
             *     - `throttled`: Too many requests.
             *     - `unavailable`: A store does not answer.
             *     - `error`: The service failed; the log has the reason under the correlation id.
             * @enum {string}
             */
            title: "required" | "null" | "blank" | "invalid" | "invalid_choice" | "min_value" | "max_value" | "max_length" | "does_not_exist" | "parse_error" | "duplicate_resource" | "invalid_state" | "invalid_operation" | "overlapping_plans" | "prepayment_cant_determine_units" | "ambiguous_plan_version" | "amount_out_of_range" | "not_authenticated" | "authentication_failed" | "permission_denied" | "not_found" | "resource_not_found" | "method_not_allowed" | "conflict" | "precondition_failed" | "payload_too_large" | "unsupported_media_type" | "idempotency_key_reused" | "throttled" | "unavailable" | "error";
            /** @description A sentence for people: what is wrong and what is allowed. */
            detail: string;
            /** @description The HTTP status. */
            status: number;
            /** @description The correlation id, also in X-Request-Id. */
            instance: string;
            /** @description Every wrong field. */
            validation_errors?: components["schemas"]["FieldError"][];
        };
        PublishVersionBody: {
            /** @description Id of the plan. */
            plan_id: string;
            /** @description true: the version is sold from now on and ends every other public version in its currency. */
            make_active?: boolean | null;
            /**
             * @description How subscriptions of the versions that end renew.
             *
             *     - `replace_on_renewal`: They renew to the new version.
             *     - `grandfather`: They keep and renew their own version.
             * @enum {string|null}
             */
            make_active_type?: "replace_on_renewal" | "grandfather" | null;
            /** @description ISO 4217 code of the currency, in any case. */
            currency_code?: string | null;
            /** @description Features that subscribers are granted. */
            features?: string[] | null;
            /** @description Fixed charges of each invoicing interval. */
            recurring_charges?: components["schemas"]["RecurringChargeBody"][] | null;
            /** @description Usage prices, one per metric. */
            components?: components["schemas"]["ComponentBody"][] | null;
            /** @description Number of the version; `custom_version` when it is made for named customers. */
            version?: number | null;
            /** @description Name of the version in the language of its customers. */
            localized_name?: string | null;
            /** @description Day of the month, 1 to 31, on which periods begin; by default the day of the start. */
            day_anchor?: number | null;
            /** @description Month of the year, 1 to 12, in which quarters and years begin; by default the month of the start. */
            month_anchor?: number | null;
            /** @description Customers that the version is made for; nobody else can subscribe to it. */
            target_customer_ids?: string[] | null;
            /** @description A discount or surcharge on what the version charges; null: none. */
            price_adjustment?: components["schemas"]["PriceAdjustmentBody"] | null;
        };
        RateWindow: {
            /** @description Your own id of the event that the window ends with. */
            idempotency_id: string;
            /**
             * Format: date-time
             * @description Start of the window, included: it looks back by the granularity, but not before the subscription.
             */
            start: string;
            /**
             * Format: date-time
             * @description Time of the last event, included.
             */
            end: string;
            /** @description How many events are in the window. */
            event_count: number;
            /** @description How many of the events have a value. */
            values: number;
            /** @description Number, sum or highest value of the events, exact; of an average the sum. */
            total: string;
        };
        ReadModel: {
            /** @description Name of the projection that fills the read model. */
            name: string;
            /**
             * @description `level`: it has every event of the organization. `behind`: it lacks some and goes on. `stopped`: it applies nothing until an operator has looked at it.
             * @enum {string}
             */
            state: "level" | "behind" | "stopped";
            /** @description Events of the organization that it lacks; at most 1,000 are counted. */
            events_behind: number;
            /**
             * Format: date-time
             * @description When the first of them was recorded; null: it lacks none.
             */
            behind_since: string | null;
            /** @description Streams that the read model leaves out, because an event could not be applied. */
            left_out: components["schemas"]["LeftOutStream"][];
        };
        ReadModels: {
            /** @description Every read model. */
            read_models: components["schemas"]["ReadModel"][];
        };
        Receivables: {
            /**
             * Format: date-time
             * @description The organization's present time that the rows are of: the current month is as of then.
             */
            as_of: string;
            /** @description The organization's last event that the rows contain, as in `X-Recount-Position`; null before the first. */
            position: string | null;
            /** @description The rows, in the order of currency and month, or of day and event name. */
            rows: components["schemas"]["ReceivablesRow"][];
        };
        ReceivablesRow: {
            /** @description Currency of every amount of the row (ISO 4217). */
            currency_code: string;
            /** @description Customers who owe something. */
            customers: number;
            /** @description Not due yet. */
            not_due: number;
            /** @description Overdue for up to 30 days. */
            days_0_30: number;
            /** @description Overdue for 31 to 60 days. */
            days_31_60: number;
            /** @description Overdue for 61 to 90 days. */
            days_61_90: number;
            /** @description Overdue for more than 90 days. */
            days_over_90: number;
            /** @description Sum of the five. */
            total: number;
        };
        RecordedEvent: {
            /** @description Its revision in the stream of the term, of the account or of the settings. */
            position: string;
            /** @description Type of the event. */
            type: string;
            /**
             * Format: date-time
             * @description From when the event counts.
             */
            effective_at: string;
            /**
             * Format: date-time
             * @description When it was recorded.
             */
            recorded_at: string;
            /** @description The API key or service that caused it. */
            actor: string;
            /** @description Content of the event, as the log holds it. */
            data: unknown;
        };
        RecordedEventRef: {
            /** @description Its revision in the stream of the term, of the account or of the settings. */
            position: string;
            /** @description Type of the event. */
            type: string;
            /**
             * Format: date-time
             * @description From when the event counts.
             */
            effective_at: string;
            /**
             * Format: date-time
             * @description When it was recorded.
             */
            recorded_at: string;
            /** @description The API key or service that caused it. */
            actor: string;
            /** @description Name of the API key behind the actor; null for a key that is not known. */
            actor_name: string | null;
            /** @description X-Request-Id of the request that caused it. */
            request_id: string;
        };
        RecurringCharge: {
            /** @description Name as people see it. */
            name: string;
            /**
             * @description Whether the interval is invoiced when it begins or when it ends.
             *
             *     - `in_advance`: Invoiced when the interval begins.
             *     - `in_arrears`: Invoiced when the interval has ended.
             * @enum {string}
             */
            charge_timing: "in_advance" | "in_arrears";
            /**
             * @description How a part of an interval is charged.
             *
             *     - `prorate`: A part of the interval costs that part of the amount.
             *     - `full`: Any part of the interval costs the whole amount.
             * @enum {string}
             */
            charge_behavior: "prorate" | "full";
            /** @description Amount in the major unit of the currency. */
            amount: number;
            /** @description The currency of the charge, that of its version. */
            pricing_unit: components["schemas"]["PricingUnit"];
            /**
             * @description Unit of the interval after which the charge is invoiced; null: the term of the plan.
             *
             *     - `day`: Days.
             *     - `week`: Weeks.
             *     - `month`: Months.
             *     - `year`: Years.
             * @enum {string|null}
             */
            invoicing_interval_unit: "day" | "week" | "month" | "year" | null;
            /** @description How many units make one invoicing interval; null: one. */
            invoicing_interval_count: number | null;
            /**
             * @description Unit of the window after which usage is counted from 0; null: the invoicing interval.
             *
             *     - `day`: Days.
             *     - `week`: Weeks.
             *     - `month`: Months.
             *     - `year`: Years.
             * @enum {string|null}
             */
            reset_interval_unit: "day" | "week" | "month" | "year" | null;
            /** @description How many units make one reset window; null: one. */
            reset_interval_count: number | null;
        };
        RecurringChargeBody: {
            /** @description Name as people see it. */
            name: string;
            /**
             * @description Whether the interval is invoiced when it begins or when it ends.
             *
             *     - `in_advance`: Invoiced when the interval begins.
             *     - `in_arrears`: Invoiced when the interval has ended.
             * @enum {string}
             */
            charge_timing: "in_advance" | "in_arrears";
            /**
             * @description How a part of an interval is charged.
             *
             *     - `prorate`: A part of the interval costs that part of the amount.
             *     - `full`: Any part of the interval costs the whole amount.
             * @enum {string|null}
             */
            charge_behavior?: "prorate" | "full" | null;
            /** @description Amount in the major unit of the currency. */
            amount: number;
            /**
             * @description Unit of the interval after which the charge is invoiced; null: the term of the plan.
             *
             *     - `day`: Days.
             *     - `week`: Weeks.
             *     - `month`: Months.
             *     - `year`: Years.
             * @enum {string|null}
             */
            invoicing_interval_unit?: "day" | "week" | "month" | "year" | null;
            /** @description How many units make one invoicing interval; null: one. */
            invoicing_interval_count?: number | null;
            /**
             * @description Unit of the window after which usage is counted from 0; null: the invoicing interval.
             *
             *     - `day`: Days.
             *     - `week`: Weeks.
             *     - `month`: Months.
             *     - `year`: Years.
             * @enum {string|null}
             */
            reset_interval_unit?: "day" | "week" | "month" | "year" | null;
            /** @description How many units make one reset window; null: one. */
            reset_interval_count?: number | null;
            /** @description The currency of the charge, that of its version. */
            pricing_unit?: (string | Record<string, never>) | null;
        };
        RecurringRevenue: {
            /**
             * Format: date-time
             * @description The organization's present time that the rows are of: the current month is as of then.
             */
            as_of: string;
            /** @description The organization's last event that the rows contain, as in `X-Recount-Position`; null before the first. */
            position: string | null;
            /** @description The rows, in the order of currency and month, or of day and event name. */
            rows: components["schemas"]["RecurringRevenueRow"][];
        };
        RecurringRevenueRow: {
            /**
             * Format: date
             * @description First day of the month, in UTC.
             */
            month: string;
            /** @description Currency of every amount of the row (ISO 4217). */
            currency_code: string;
            /** @description Customers with an amount above 0. */
            customers: number;
            /** @description Monthly recurring revenue at the end of the month; 4 decimals. */
            mrr: number;
            /** @description From customers who paid nothing recurring the month before. */
            new: number;
            /** @description From customers who pay more. */
            expansion: number;
            /** @description From customers who pay less; 0 or negative. */
            contraction: number;
            /** @description From customers who pay nothing recurring any more; 0 or negative. */
            churn: number;
        };
        ReplacementBody: {
            /** @description Id of the version that subscriptions of this one renew to, in the same currency. */
            replace_with: string;
        };
        ReplayBody: {
            /** @description Sends again everything after this position of a delivery; `0/0`: everything. */
            after_position?: string | null;
            /**
             * Format: uuid
             * @description Sends this one event again.
             */
            event_id?: string | null;
        };
        ReversedLine: {
            /** @description Id of the invoice (`invoice_` and a uuid). A path also takes its number. */
            invoice_id: string;
            /** @description Number of the invoice, `YYMMDD-000001`, without gaps; null on a draft. */
            invoice_number: string | null;
            /** @description Position on the invoice, from 1. */
            line: number | null;
            /** @description Amount in the major unit of the currency. */
            amount: number;
        };
        Seller: {
            /** @description Name as people see it. */
            name: string;
            /** @description Your address, as invoices show it. */
            address: components["schemas"]["Address"] | null;
            /** @description Your telephone number, as invoices show it. */
            phone: string | null;
            /**
             * Format: email
             * @description Your e-mail address, as invoices show it.
             */
            email: string | null;
        };
        SellerAddressBody: {
            /** @description City. */
            city?: string | null;
            /** @description Country code of two letters (ISO 3166-1). */
            country?: string | null;
            /** @description First line of the address. */
            line1?: string | null;
            /** @description Second line of the address. */
            line2?: string | null;
            /** @description Postal code. */
            postal_code?: string | null;
            /** @description State or province. */
            state?: string | null;
        };
        SettingRead: {
            /** @description Whose setting it is. */
            source: string;
            /** @description Name of the setting. */
            setting: string;
            /** @description The value that the run read. */
            value: unknown;
            /** @description The event that set it. */
            event: components["schemas"]["RecordedEventRef"];
        };
        SigningKey: {
            /** @description Name of the key: the origin of the log of the organization. */
            name: string;
            /** @description Id of the key in signatures, in hexadecimal digits. */
            key_id: string;
            /**
             * @description Algorithm of its signatures.
             *
             *     - `ed25519`: Ed25519 (RFC 8032).
             * @enum {string}
             */
            algorithm: "ed25519";
            /** @description The 32 bytes of the public key in base64. */
            public_key: string;
            /** @description The key as verifiers of C2SP signed notes take it. */
            verifier_key: string;
            /**
             * @description Whether it signs now as the newest key, signs beside it, or has signed earlier checkpoints only.
             *
             *     - `current`: The newest key: it signs.
             *     - `overlapping`: An earlier key that still signs beside the newest.
             *     - `retired`: It has signed earlier checkpoints only.
             * @enum {string}
             */
            status: "current" | "overlapping" | "retired";
            /**
             * Format: date-time
             * @description Wall time of the first start of the service with it; it can be older than the organization.
             */
            first_used_at: string;
            /**
             * Format: date-time
             * @description Wall time of the newest start of the service with it. As of a moment it is the newest by the wall time until then, which a manual clock differs from.
             */
            last_used_at: string | null;
        };
        StoredEvent: {
            /** @description Id that the sender gave the event. */
            idempotency_id: string;
            /** @description Customer, as it was sent where there is none with this id; null for an erased one. */
            customer_id: string | null;
            /**
             * Format: uuid
             * @description Stands for the customer_id in stored usage.
             */
            customer_key: string;
            /** @description Name by which metrics count it. */
            event_name: string;
            /**
             * Format: date-time
             * @description When it happened, as the sender says.
             */
            time_created: string;
            /**
             * Format: date-time
             * @description When it was received, by the clock that rules billing.
             */
            received_at: string;
            /** @description Properties as they were sent. */
            properties: {
                [key: string]: unknown;
            };
            /**
             * @description counted: billing counted it. pending: its window waits for its billing run. late: it came after its window was counted and waits for the next run. not_charged: a cancellation left its window without a charge. uncounted: nothing counts it.
             *
             *     - `counted`: Billing counted it.
             *     - `pending`: Its window waits for its billing run.
             *     - `late`: It came after its window was counted and waits for the next run.
             *     - `not_charged`: A cancellation left its window without a charge.
             *     - `uncounted`: Nothing counts it.
             * @enum {string}
             */
            state: "counted" | "pending" | "late" | "not_charged" | "uncounted";
            /**
             * @description Why nothing counts it. unknown_customer, unknown_event_name: no customer or metric has this name. no_subscription: no subscription has such a metric at its time; its level can still carry into a later window of a gauge. filtered_out: filters exclude it. null when something counts it.
             *
             *     - `unknown_customer`: No customer has this id.
             *     - `unknown_event_name`: No metric counts this name.
             *     - `no_subscription`: No subscription has such a metric at its time.
             *     - `filtered_out`: Filters of the metric or subscription exclude it.
             * @enum {string|null}
             */
            reason: "unknown_customer" | "unknown_event_name" | "no_subscription" | "filtered_out" | null;
            /** @description Billing windows that count the event and that its time is in, one per metric and subscription. A later window that a gauge carries the level into, or whose rate looks back to the event, is not named. */
            windows: components["schemas"]["CountingWindow"][];
        };
        Subscription: {
            /** @description Id of the subscription. A switch and a renewal begin a new one. */
            subscription_id: string;
            /**
             * Format: date-time
             * @description When the term begins.
             */
            start_date: string;
            /**
             * Format: date-time
             * @description When the term ends. A boundary is shown as the last microsecond before it, an end that was set as that instant.
             */
            end_date: string;
            /** @description Whether a new term begins when this one ends; true by default. */
            auto_renew: boolean;
            /** @description true: the first subscription of its line; false: a renewal. */
            is_new: boolean;
            /** @description Property filters: a subscription with filters counts usage with these values only. */
            subscription_filters: components["schemas"]["SubscriptionFilter"][];
            /** @description The customer. */
            customer: components["schemas"]["CustomerSummary"];
            /** @description Plan and version that the subscription is on. */
            billing_plan: components["schemas"]["PlanRef"];
            /** @description The term is over and everything in it is on an issued invoice. */
            fully_billed: boolean;
            /** @description Add-ons that were attached. */
            addons: components["schemas"]["AddonSubscription"][];
            /** @description Free-form key/value object of yours, kept as it is sent: no place for personal data. At most 65,536 characters of JSON. */
            metadata: {
                [key: string]: unknown;
            };
        };
        SubscriptionFilter: {
            /** @description Name of the property. */
            property_name: string;
            /** @description Value that the property has to have. */
            value: string;
        };
        SubscriptionFilterBody: {
            /** @description Name of the property. */
            property_name: string;
            /** @description Value that the property has to have. */
            value: string;
        };
        SwitchPlanBody: {
            /** @description The plan to switch to. Required unless `switch_plan_version_id` is given. */
            switch_plan_id?: string;
            /** @description The plan version to switch to. It wins over `switch_plan_id`. */
            switch_plan_version_id?: string | null;
            /**
             * @description When the amounts of the change are invoiced.
             *
             *     - `add_to_next_invoice`: The same amounts are billed at the end of the running billing period.
             *     - `invoice_now`: The difference is invoiced at once, with everything of the account whose term is over.
             * @enum {string|null}
             */
            invoicing_behavior?: "add_to_next_invoice" | "invoice_now" | null;
            /**
             * @description How usage that is not billed yet is charged.
             *
             *     - `transfer_to_new_subscription`: The running usage moves to the new subscription, which prices all of it by its own tiers at the end of the period.
             *     - `keep_separate`: The old subscription bills its usage by its own tiers when its period ends; the new one starts at 0.
             * @enum {string|null}
             */
            usage_behavior?: "transfer_to_new_subscription" | "keep_separate" | null;
            /** @description Prepaid units by metric; required for a prepaid component without default units. */
            component_fixed_charges_initial_units?: components["schemas"]["InitialUnitsBody"][] | null;
        };
        TagBody: {
            /** @description The tag: letters, digits, hyphens and underscores. */
            tag_name: string;
        };
        TagsBody: {
            /** @description Tags to find plans by: letters, digits, hyphens and underscores. */
            tags: (string | components["schemas"]["TagBody"])[];
        };
        TargetsBody: {
            /** @description Your own ids of the customers. */
            customer_ids: string[];
        };
        TaxIdBody: {
            /**
             * @description `vat`: VAT number, with its country; `tax_number`: other tax number; `company_number`: number in the register of companies.
             * @enum {string}
             */
            type: "vat" | "tax_number" | "company_number";
            /** @description The number as it is printed. */
            value: string;
        };
        TermHistory: {
            /** @description Id of the subscription. A switch and a renewal begin a new one. */
            subscription_id: string;
            /** @description The subscription that this one continues; null: none. */
            predecessor: components["schemas"]["TermLink"] | null;
            /** @description The subscription that continues this one; null: none. */
            successor: components["schemas"]["TermLink"] | null;
            /** @description Events in order. */
            events: components["schemas"]["RecordedEvent"][];
        };
        TermLink: {
            /** @description Id of the subscription. A switch and a renewal begin a new one. */
            subscription_id: string;
            /** @description Path of its history. */
            history: string;
        };
        TestClock: {
            /**
             * Format: date-time
             * @description The time of the clock.
             */
            now: string;
        };
        TierBody: {
            /**
             * @description How the tier prices usage.
             *
             *     - `flat`: One price for any usage in the range.
             *     - `per_unit`: A price for each batch of units in the range.
             *     - `free`: Costs nothing.
             * @enum {string}
             */
            type: "flat" | "per_unit" | "free";
            /** @description Usage from which the tier prices; the first begins at 0, each other one where the last ended. */
            range_start: number;
            /** @description Usage up to which the tier prices; null: without end, in the last tier only. */
            range_end?: number | null;
            /** @description Price of one batch; of a flat tier its whole price. Null in a free tier. */
            cost_per_batch?: number | null;
            /** @description Units of usage in one batch; null: 1. */
            metric_units_per_batch?: number | null;
            /**
             * @description How a started batch counts; null is `no_rounding`.
             *
             *     - `round_up`: A started batch is charged whole.
             *     - `round_down`: Only full batches are charged.
             *     - `round_nearest`: From half a batch on, a whole one is charged.
             *     - `no_rounding`: A part of a batch is charged as that part of its price.
             * @enum {string|null}
             */
            batch_rounding_type?: "round_up" | "round_down" | "round_nearest" | "no_rounding" | null;
        };
        TrackAnswer: {
            /**
             * @description Which of the events were taken.
             *
             *     - `all`: Every event is stored.
             * @enum {string}
             */
            success: "all";
            /** @description Reason by idempotency id of each event that was not taken; null: all were. */
            failed_events: null;
        } | {
            /**
             * @description Which of the events were taken.
             *
             *     - `some`: Some events are stored; `failed_events` says which are not, and why.
             * @enum {string}
             */
            success: "some";
            /** @description Reason by idempotency id of each event that was not taken; null: all were. */
            failed_events: {
                [key: string]: string;
            };
        };
        TrackBody: components["schemas"]["UsageBatch"] | components["schemas"]["UsageEvent"];
        UpcomingWork: {
            /**
             * Format: date-time
             * @description The organization's present time.
             */
            as_of: string;
            /**
             * Format: date-time
             * @description End of the last day, exclusive.
             */
            until: string;
            /** @description Each day from today on. */
            days: components["schemas"]["UpcomingWorkOfDay"][];
            /** @description Payments that fall due in these days, by currency. */
            payments: components["schemas"]["DuePayments"][];
            /** @description Work that is due by now and not done, parked work included. */
            waiting: number;
            /** @description Work that could not be done; `listParkedWork` says why. */
            parked: number;
            /** @description Usage that arrived after its window was billed. */
            late_usage: {
                /** @description Closed windows with usage that came after their count; the next run counts it. */
                windows: number;
                /** @description Windows that were examined: the 500 that ended last, of the last 30 days. */
                examined: number;
            };
        };
        UpcomingWorkOfDay: {
            /**
             * Format: date
             * @description Day in UTC; of today what is still to come.
             */
            day: string;
            /** @description Subscriptions that renew or end. */
            boundaries: number;
            /** @description Accounts whose next billing run is on this day. */
            accounts: number;
            /** @description Unpaid invoices whose due date it is. */
            payments: number;
        };
        UpdateByFilterBody: {
            /** @description Your own id of the customer. */
            customer_id?: string | null;
            /** @description Id of the plan. */
            plan_id?: string | null;
            /** @description Property filters: a subscription with filters counts usage with these values only. */
            subscription_filters?: components["schemas"]["SubscriptionFilterBody"][] | null;
            /** @description true: the term is the last one; false changes nothing. */
            turn_off_auto_renew?: boolean | null;
            /**
             * Format: date-time
             * @description The new end, not in the past; what will be billed moves with it.
             */
            end_date?: string | null;
            /** @description The plan that the subscriptions are switched to. Several matching versions are 400 `ambiguous_plan_version`. Deprecated: use `switchPlan`. */
            replace_plan_id?: string | null;
            /**
             * @description When the amounts of the change are invoiced.
             *
             *     - `add_to_next_invoice`: The same amounts are billed at the end of the running billing period.
             *     - `invoice_now`: The difference is invoiced at once, with everything of the account whose term is over.
             * @enum {string|null}
             */
            invoicing_behavior?: "add_to_next_invoice" | "invoice_now" | null;
            /**
             * @description How usage that is not billed yet is charged.
             *
             *     - `transfer_to_new_subscription`: The running usage moves to the new subscription, which prices all of it by its own tiers at the end of the period.
             *     - `keep_separate`: The old subscription bills its usage by its own tiers when its period ends; the new one starts at 0.
             * @enum {string|null}
             */
            usage_behavior?: "transfer_to_new_subscription" | "keep_separate" | null;
        };
        UpdateCreditBody: {
            /** @description Text for people. */
            description?: string | null;
            /**
             * Format: date-time
             * @description When what is left expires, in the future; null: never.
             */
            expires_at?: string | null;
        };
        UpdateUsageAlertBody: {
            /** @description Name as people see it. */
            name?: string | null;
            /** @description Usage of one billing window that triggers the alert, or more. */
            threshold?: number | null;
        };
        Usage: {
            /** @description Customer whose usage it is. */
            customer_id: string;
            /** @description Subscription that the usage counts for. */
            subscription_id: string;
            /** @description Add-on that prices the metric; null for the plan itself. */
            addon_subscription_id: string | null;
            /** @description Metric that counts the events. */
            metric_id: string;
            /** @description Name of the metric when the prices were published. */
            metric_name: string;
            /**
             * Format: date-time
             * @description First instant of the period.
             */
            start_date: string;
            /**
             * Format: date-time
             * @description End of the period; the end itself is not part of it.
             */
            end_date: string;
            /** @description Usage by the definition of the metric, of all events received so far. */
            quantity: number;
            /** @description Events that the quantity is counted from. A gauge counts from the event before the period that its level comes from, or from the first one where deltas move it; a rate also counts the events that the first instant looks back to. */
            event_count: number;
            /** @description Usage by value of the property, the first 50 values; null without group_by_property. */
            values: components["schemas"]["UsageOfValue"][] | null;
            /** @description Usage of events without the property or with a further value; null without `group_by_property`. */
            other_values: components["schemas"]["UsageOfOtherValues"] | null;
            /** @description Billing window that the period begins in: what one invoice line charges. */
            window: components["schemas"]["UsageWindow"];
        };
        UsageAlert: {
            /** @description Id of the alert. */
            usage_alert_id: string;
            /** @description Purpose of the alert, in your words. */
            name: string;
            /** @description Metric whose usage it watches. */
            metric_id: string;
            /** @description Customer that it watches; null for one that watches a plan. */
            customer_id: string | null;
            /** @description Plan whose subscribers it watches, each for itself. */
            plan_id: string | null;
            /**
             * @description units: of the metric. amount: cost of the usage in the currency of the subscription, before adjustments and tax.
             *
             *     - `units`: Units of the metric.
             *     - `amount`: Cost of the usage, before adjustments and tax.
             * @enum {string}
             */
            threshold_type: "units" | "amount";
            /** @description Usage of one billing window that triggers it, or more. */
            threshold: number;
            /**
             * Format: date-time
             * @description When it was made.
             */
            created_at: string;
        };
        UsageBatch: {
            /** @description Up to 1,000 usage events, each judged by itself. */
            batch: components["schemas"]["UsageEvent"][];
        };
        UsageByDay: {
            /**
             * Format: date-time
             * @description The organization's present time that the rows are of: the current month is as of then.
             */
            as_of: string;
            /** @description The organization's last event that the rows contain, as in `X-Recount-Position`; null before the first. */
            position: string | null;
            /** @description The rows, in the order of currency and month, or of day and event name. */
            rows: components["schemas"]["UsageByDayRow"][];
            /** @description Metrics that read events of these names; what they count, `getUsage` shows. */
            metrics: components["schemas"]["CountingMetric"][];
        };
        UsageByDayRow: {
            /**
             * Format: date
             * @description Day of the events, or first day of their month, in UTC.
             */
            day: string;
            /** @description Name of the events; null: all names but the 20 with most events in the range. */
            event_name: string | null;
            /** @description Events received so far. */
            events: number;
        };
        UsageByMetric: {
            /**
             * Format: date-time
             * @description The organization's present time that the rows are of: the current month is as of then.
             */
            as_of: string;
            /** @description The organization's last event that the rows contain, as in `X-Recount-Position`; null before the first. */
            position: string | null;
            /** @description The rows, metric by metric as in `metrics`, each in the order of days. */
            rows: components["schemas"]["UsageByMetricRow"][];
            /** @description Metrics with rows: the 20 whose event names have most events in the range. */
            metrics: components["schemas"]["MetricOfUsage"][];
            /** @description Further metrics with events of their name in the range; `metric_id` asks for one of them. */
            metrics_left_out: number;
        };
        UsageByMetricRow: {
            /**
             * Format: date
             * @description Day of the events, or first day of their month, in UTC.
             */
            day: string;
            /** @description The metric. */
            metric_id: string;
            /** @description Usage of each customer by the definition of the metric, added up over customers; null for averages, gauges and rates, which do not add up. */
            quantity: number | null;
            /** @description Events received so far that the metric counts. */
            events: number;
        };
        UsageCount: {
            /** @description Id of the count. */
            close_id: string;
            /** @description Id of the metric. */
            metric_id: string;
            /** @description The window that was counted. */
            window: {
                /**
                 * Format: date-time
                 * @description Start of the span.
                 */
                start: string;
                /**
                 * Format: date-time
                 * @description End of the span.
                 */
                end: string;
            };
            /** @description The quantity of the window, as decimal text. */
            quantity: string;
            /** @description How many events were counted, with those before the window that a gauge or a rate counts. */
            event_count: number;
            /** @description How many events had no value of the property, and counted as 0. */
            absent_values: number;
            /** @description Last number of the usage log that was counted. */
            sealed_up_to: string;
            /** @description Hash over the ids and bodies of the counted events. */
            digest: string;
            /** @description Level of the gauge at the end of the window; null for other metrics. */
            level: string | null;
            /** @description Count whose level this one continues; null: none. */
            after_close_id: string | null;
            /** @description How an average was counted: quantity = sum ÷ values, 0 without values; null for other metrics. */
            average: {
                /** @description Sum of the values, exact: decimal text, or n/d. */
                sum: string;
                /** @description How many events have a value. */
                values: number;
            } | null;
            /** @description The highest window of a rate: the quantity is `total`, of an average `total` ÷ `values`. null for other metrics, and where no event of the window counts, so that the quantity is 0. */
            rate: components["schemas"]["RateWindow"] | null;
            /** @description How the quantity of a gauge was computed; null for other metrics. */
            gauge: components["schemas"]["GaugeSteps"] | null;
        };
        /** @description Refused one by one: a request succeeds as long as one of its events does. */
        UsageEvent: {
            /** @description Name by which metrics find the event. */
            event_name?: string;
            /** @description Your own id of the customer. */
            customer_id?: string;
            /** @description The same id counts once. It is kept as it is sent: no place for personal data. */
            idempotency_id?: string;
            /**
             * Format: date-time
             * @description When it happened: from 30 days ago to 1 day ahead.
             */
            time_created?: string;
            /** @description Values that metrics aggregate and filter by, kept as they are sent. */
            properties?: {
                [key: string]: unknown;
            } | null;
        };
        UsageOfOtherValues: {
            /** @description Usage by the definition of the metric, of all events received so far. */
            quantity: number;
            /** @description Events that the quantity is counted from. A gauge counts from the event before the period that its level comes from, or from the first one where deltas move it; a rate also counts the events that the first instant looks back to. */
            event_count: number;
        };
        UsageOfValue: {
            /** @description Value of the property, as filters compare it. */
            value: string;
            /** @description Usage by the definition of the metric, of all events received so far. */
            quantity: number;
            /** @description Events that the quantity is counted from. A gauge counts from the event before the period that its level comes from, or from the first one where deltas move it; a rate also counts the events that the first instant looks back to. */
            event_count: number;
        };
        UsageWindow: {
            /**
             * Format: date-time
             * @description First instant of the billing window.
             */
            start_date: string;
            /**
             * Format: date-time
             * @description End of the billing window; the end itself is not part of it.
             */
            end_date: string;
            /**
             * @description running: it ends in the future. ended: it waits for its billing run. closed: billing counted it. not_charged: a cancellation left it without a charge.
             *
             *     - `running`: It ends in the future.
             *     - `ended`: It waits for its billing run.
             *     - `closed`: Billing counted it.
             *     - `not_charged`: A cancellation left it without a charge.
             * @enum {string}
             */
            state: "running" | "ended" | "closed" | "not_charged";
            /** @description Quantity that billing counted last; null before the first count. */
            billed_quantity: number | null;
            /** @description Invoices with lines for the window; voided ones are left out. */
            invoice_ids: string[];
        };
        Verification: {
            /** @description Whether the invoice computed again is the issued one. */
            ok: boolean;
            /** @description Hash over the inputs of the invoice. */
            fingerprint: string | null;
            /** @description Hash over the lines and amounts. */
            result_hash: string | null;
            /** @description Differences in sentences; empty: there are none. */
            differences: string[];
        };
        VerifyIdemsReceived: {
            /** @description Ids of events to look for. */
            idempotency_ids: string[];
            /** @description How many days back to look, 30 by default. */
            number_days_lookback?: number | null;
        };
        VersionBody: {
            /** @description Number of the version; `custom_version` when it is made for named customers. */
            version?: number | null;
            /** @description Name of the version in the language of its customers. */
            localized_name?: string | null;
            /** @description Day of the month, 1 to 31, on which periods begin; by default the day of the start. */
            day_anchor?: number | null;
            /** @description Month of the year, 1 to 12, in which quarters and years begin; by default the month of the start. */
            month_anchor?: number | null;
            /** @description Customers that the version is made for; nobody else can subscribe to it. */
            target_customer_ids?: string[] | null;
            /** @description A discount or surcharge on what the version charges; null: none. */
            price_adjustment?: components["schemas"]["PriceAdjustmentBody"] | null;
            /** @description ISO 4217 code of the currency, in any case. */
            currency_code?: string | null;
            /** @description Features that subscribers are granted. */
            features?: string[] | null;
            /** @description Fixed charges of each invoicing interval. */
            recurring_charges?: components["schemas"]["RecurringChargeBody"][] | null;
            /** @description Usage prices, one per metric. */
            components?: components["schemas"]["ComponentBody"][] | null;
        };
        VoidInvoiceBody: {
            /** @description true: the amounts are billed again at once; false (default): with the next invoice of the account. */
            rebill?: boolean | null;
        };
        Webhook: {
            /** @description Id of the webhook endpoint. */
            webhook_endpoint_id: string;
            /** @description Name as people see it. */
            name: string;
            /** @description Public https address that deliveries are posted to. */
            webhook_url: string;
            /**
             * @description Triggers that the endpoint is told of.
             *
             *     - `customer.created`: A customer was created.
             *     - `subscription.created`: A subscription began, by creation or switch.
             *     - `subscription.renewed`: A term ended and the next one began.
             *     - `subscription.cancelled`: A subscription was cancelled.
             *     - `invoice.created`: An invoice was issued.
             *     - `invoice.paid`: An invoice was paid.
             *     - `invoice.past_due`: The due date of an unpaid invoice has passed.
             *     - `invoice.voided`: An invoice was voided.
             *     - `billing.parked`: Billing of an account failed and is tried again later.
             *     - `usage_alert.triggered`: Usage of a billing window reached the threshold of an alert.
             *     - `audit.checkpoint`: A checkpoint of the transparency log was signed.
             */
            triggers: ("customer.created" | "subscription.created" | "subscription.renewed" | "subscription.cancelled" | "invoice.created" | "invoice.paid" | "invoice.past_due" | "invoice.voided" | "billing.parked" | "usage_alert.triggered" | "audit.checkpoint")[];
            /**
             * Format: date-time
             * @description When it was made.
             */
            created_at: string;
        };
        WebhookDelivery: {
            /** @description Id of the event that is delivered; the same in every attempt, so that receivers can drop repeats. */
            event_id: string;
            /**
             * @description The trigger of the event.
             *
             *     - `customer.created`: A customer was created.
             *     - `subscription.created`: A subscription began, by creation or switch.
             *     - `subscription.renewed`: A term ended and the next one began.
             *     - `subscription.cancelled`: A subscription was cancelled.
             *     - `invoice.created`: An invoice was issued.
             *     - `invoice.paid`: An invoice was paid.
             *     - `invoice.past_due`: The due date of an unpaid invoice has passed.
             *     - `invoice.voided`: An invoice was voided.
             *     - `billing.parked`: Billing of an account failed and is tried again later.
             *     - `usage_alert.triggered`: Usage of a billing window reached the threshold of an alert.
             *     - `audit.checkpoint`: A checkpoint of the transparency log was signed.
             * @enum {string}
             */
            trigger: "customer.created" | "subscription.created" | "subscription.renewed" | "subscription.cancelled" | "invoice.created" | "invoice.paid" | "invoice.past_due" | "invoice.voided" | "billing.parked" | "usage_alert.triggered" | "audit.checkpoint";
            /** @description Where the event stands in the log, opaque; `after_position` of a replay. */
            position: string;
            /**
             * @description Whether the delivery arrived.
             *
             *     - `pending`: Waits for its next attempt.
             *     - `delivered`: The endpoint took it.
             *     - `dead`: Given up after a day of attempts.
             * @enum {string}
             */
            status: "pending" | "delivered" | "dead";
            /** @description How many times it was sent. */
            attempts: number;
            /**
             * Format: date-time
             * @description When it was first sent; null: not yet.
             */
            first_attempt_at: string | null;
            /**
             * Format: date-time
             * @description When it is sent again; null: it is not.
             */
            next_attempt_at: string | null;
            /**
             * Format: date-time
             * @description When the endpoint took it; null: not yet.
             */
            delivered_at: string | null;
            /** @description HTTP status of the last attempt; null: there was no answer. */
            last_status: number | null;
            /** @description Why the last attempt failed; null: it did not. */
            last_error: string | null;
        };
    };
    responses: never;
    parameters: never;
    requestBodies: never;
    headers: never;
    pathItems: never;
}
export type AccessSubscription = components['schemas']['AccessSubscription'];
export type AddFeatureBody = components['schemas']['AddFeatureBody'];
export type Addon = components['schemas']['Addon'];
export type AddonRef = components['schemas']['AddonRef'];
export type AddonSubscription = components['schemas']['AddonSubscription'];
export type AddonVersion = components['schemas']['AddonVersion'];
export type AddonVersionBody = components['schemas']['AddonVersionBody'];
export type Address = components['schemas']['Address'];
export type AddressBody = components['schemas']['AddressBody'];
export type AddressedCustomer = components['schemas']['AddressedCustomer'];
export type Adjustment = components['schemas']['Adjustment'];
export type AdjustmentAllocation = components['schemas']['AdjustmentAllocation'];
export type AdvanceBody = components['schemas']['AdvanceBody'];
export type AmountDue = components['schemas']['AmountDue'];
export type ApiKey = components['schemas']['ApiKey'];
export type AttachAddonBody = components['schemas']['AttachAddonBody'];
export type AuditLogEntry = components['schemas']['AuditLogEntry'];
export type BulkChange = components['schemas']['BulkChange'];
export type BulkPreview = components['schemas']['BulkPreview'];
export type CalculatedTier = components['schemas']['CalculatedTier'];
export type CalculationStep = components['schemas']['CalculationStep'];
export type CancelByFilterBody = components['schemas']['CancelByFilterBody'];
export type CancelSubscriptionBody = components['schemas']['CancelSubscriptionBody'];
export type CategoricalFilter = components['schemas']['CategoricalFilter'];
export type CategoricalFilterBody = components['schemas']['CategoricalFilterBody'];
export type ChangeCustomerBody = components['schemas']['ChangeCustomerBody'];
export type ChangePaymentBody = components['schemas']['ChangePaymentBody'];
export type ChangePlanBody = components['schemas']['ChangePlanBody'];
export type ChangePrepaidUnitsBody = components['schemas']['ChangePrepaidUnitsBody'];
export type ChangeSettingsBody = components['schemas']['ChangeSettingsBody'];
export type ChangeSubscriptionBody = components['schemas']['ChangeSubscriptionBody'];
export type ChangeVersionBody = components['schemas']['ChangeVersionBody'];
export type ChangedAddon = components['schemas']['ChangedAddon'];
export type Checkpoint = components['schemas']['Checkpoint'];
export type ClockAdvanced = components['schemas']['ClockAdvanced'];
export type ComponentBody = components['schemas']['ComponentBody'];
export type ComponentCharge = components['schemas']['ComponentCharge'];
export type ConsistencyProof = components['schemas']['ConsistencyProof'];
export type CountedEvent = components['schemas']['CountedEvent'];
export type CountingMetric = components['schemas']['CountingMetric'];
export type CountingWindow = components['schemas']['CountingWindow'];
export type CreateAddonBody = components['schemas']['CreateAddonBody'];
export type CreateApiKeyBody = components['schemas']['CreateApiKeyBody'];
export type CreateCustomerBody = components['schemas']['CreateCustomerBody'];
export type CreateFeatureBody = components['schemas']['CreateFeatureBody'];
export type CreateMetricBody = components['schemas']['CreateMetricBody'];
export type CreateOrganizationBody = components['schemas']['CreateOrganizationBody'];
export type CreatePlanBody = components['schemas']['CreatePlanBody'];
export type CreateSubscriptionBody = components['schemas']['CreateSubscriptionBody'];
export type CreateUsageAlertBody = components['schemas']['CreateUsageAlertBody'];
export type CreateWebhookBody = components['schemas']['CreateWebhookBody'];
export type Credit = components['schemas']['Credit'];
export type CreditBalances = components['schemas']['CreditBalances'];
export type CreditBalancesRow = components['schemas']['CreditBalancesRow'];
export type Customer = components['schemas']['Customer'];
export type CustomerProfileResource = components['schemas']['CustomerProfileResource'];
export type CustomerSummary = components['schemas']['CustomerSummary'];
export type DeletedCustomer = components['schemas']['DeletedCustomer'];
export type DraftInvoices = components['schemas']['DraftInvoices'];
export type Drawdown = components['schemas']['Drawdown'];
export type DuePayments = components['schemas']['DuePayments'];
export type EarlierLine = components['schemas']['EarlierLine'];
export type ExplainedLine = components['schemas']['ExplainedLine'];
export type ExternalLinkBody = components['schemas']['ExternalLinkBody'];
export type ExternalPlanLink = components['schemas']['ExternalPlanLink'];
export type Feature = components['schemas']['Feature'];
export type FeatureAccess = components['schemas']['FeatureAccess'];
export type FieldError = components['schemas']['FieldError'];
export type GaugeRun = components['schemas']['GaugeRun'];
export type GaugeSteps = components['schemas']['GaugeSteps'];
export type GrantCreditBody = components['schemas']['GrantCreditBody'];
export type GrantedFeature = components['schemas']['GrantedFeature'];
export type GrantedFeatures = components['schemas']['GrantedFeatures'];
export type IdsReceived = components['schemas']['IdsReceived'];
export type InitialUnitsBody = components['schemas']['InitialUnitsBody'];
export type Invoice = components['schemas']['Invoice'];
export type InvoiceExplanation = components['schemas']['InvoiceExplanation'];
export type InvoiceLineItem = components['schemas']['InvoiceLineItem'];
export type InvoicePreview = components['schemas']['InvoicePreview'];
export type InvoiceSummary = components['schemas']['InvoiceSummary'];
export type InvoicedAmounts = components['schemas']['InvoicedAmounts'];
export type InvoicedAmountsRow = components['schemas']['InvoicedAmountsRow'];
export type LeftOutStream = components['schemas']['LeftOutStream'];
export type LineCalculation = components['schemas']['LineCalculation'];
export type LinkedInvoice = components['schemas']['LinkedInvoice'];
export type ListedOrganization = components['schemas']['ListedOrganization'];
export type LogoBody = components['schemas']['LogoBody'];
export type Metric = components['schemas']['Metric'];
export type MetricAccess = components['schemas']['MetricAccess'];
export type MetricOfUsage = components['schemas']['MetricOfUsage'];
export type NewApiKey = components['schemas']['NewApiKey'];
export type NewOrganization = components['schemas']['NewOrganization'];
export type NewWebhook = components['schemas']['NewWebhook'];
export type NothingTracked = components['schemas']['NothingTracked'];
export type NumericFilter = components['schemas']['NumericFilter'];
export type NumericFilterBody = components['schemas']['NumericFilterBody'];
export type Organization = components['schemas']['Organization'];
export type ParkedWork = components['schemas']['ParkedWork'];
export type PaymentDetailsBody = components['schemas']['PaymentDetailsBody'];
export type PeriodAdjustment = components['schemas']['PeriodAdjustment'];
export type Plan = components['schemas']['Plan'];
export type PlanComponent = components['schemas']['PlanComponent'];
export type PlanRef = components['schemas']['PlanRef'];
export type PlanVersion = components['schemas']['PlanVersion'];
export type PrepaidChargeBody = components['schemas']['PrepaidChargeBody'];
export type PreviewedInvoice = components['schemas']['PreviewedInvoice'];
export type PreviewedSubscription = components['schemas']['PreviewedSubscription'];
export type PriceAdjustment = components['schemas']['PriceAdjustment'];
export type PriceAdjustmentBody = components['schemas']['PriceAdjustmentBody'];
export type PriceTier = components['schemas']['PriceTier'];
export type PricingUnit = components['schemas']['PricingUnit'];
export type Problem = components['schemas']['Problem'];
export type PublishVersionBody = components['schemas']['PublishVersionBody'];
export type RateWindow = components['schemas']['RateWindow'];
export type ReadModel = components['schemas']['ReadModel'];
export type ReadModels = components['schemas']['ReadModels'];
export type Receivables = components['schemas']['Receivables'];
export type ReceivablesRow = components['schemas']['ReceivablesRow'];
export type RecordedEvent = components['schemas']['RecordedEvent'];
export type RecordedEventRef = components['schemas']['RecordedEventRef'];
export type RecurringCharge = components['schemas']['RecurringCharge'];
export type RecurringChargeBody = components['schemas']['RecurringChargeBody'];
export type RecurringRevenue = components['schemas']['RecurringRevenue'];
export type RecurringRevenueRow = components['schemas']['RecurringRevenueRow'];
export type ReplacementBody = components['schemas']['ReplacementBody'];
export type ReplayBody = components['schemas']['ReplayBody'];
export type ReversedLine = components['schemas']['ReversedLine'];
export type Seller = components['schemas']['Seller'];
export type SellerAddressBody = components['schemas']['SellerAddressBody'];
export type SettingRead = components['schemas']['SettingRead'];
export type SigningKey = components['schemas']['SigningKey'];
export type StoredEvent = components['schemas']['StoredEvent'];
export type Subscription = components['schemas']['Subscription'];
export type SubscriptionFilter = components['schemas']['SubscriptionFilter'];
export type SubscriptionFilterBody = components['schemas']['SubscriptionFilterBody'];
export type SwitchPlanBody = components['schemas']['SwitchPlanBody'];
export type TagBody = components['schemas']['TagBody'];
export type TagsBody = components['schemas']['TagsBody'];
export type TargetsBody = components['schemas']['TargetsBody'];
export type TaxIdBody = components['schemas']['TaxIdBody'];
export type TermHistory = components['schemas']['TermHistory'];
export type TermLink = components['schemas']['TermLink'];
export type TestClock = components['schemas']['TestClock'];
export type TierBody = components['schemas']['TierBody'];
export type TrackAnswer = components['schemas']['TrackAnswer'];
export type TrackBody = components['schemas']['TrackBody'];
export type UpcomingWork = components['schemas']['UpcomingWork'];
export type UpcomingWorkOfDay = components['schemas']['UpcomingWorkOfDay'];
export type UpdateByFilterBody = components['schemas']['UpdateByFilterBody'];
export type UpdateCreditBody = components['schemas']['UpdateCreditBody'];
export type UpdateUsageAlertBody = components['schemas']['UpdateUsageAlertBody'];
export type Usage = components['schemas']['Usage'];
export type UsageAlert = components['schemas']['UsageAlert'];
export type UsageBatch = components['schemas']['UsageBatch'];
export type UsageByDay = components['schemas']['UsageByDay'];
export type UsageByDayRow = components['schemas']['UsageByDayRow'];
export type UsageByMetric = components['schemas']['UsageByMetric'];
export type UsageByMetricRow = components['schemas']['UsageByMetricRow'];
export type UsageCount = components['schemas']['UsageCount'];
export type UsageEvent = components['schemas']['UsageEvent'];
export type UsageOfOtherValues = components['schemas']['UsageOfOtherValues'];
export type UsageOfValue = components['schemas']['UsageOfValue'];
export type UsageWindow = components['schemas']['UsageWindow'];
export type Verification = components['schemas']['Verification'];
export type VerifyIdemsReceived = components['schemas']['VerifyIdemsReceived'];
export type VersionBody = components['schemas']['VersionBody'];
export type VoidInvoiceBody = components['schemas']['VoidInvoiceBody'];
export type Webhook = components['schemas']['Webhook'];
export type WebhookDelivery = components['schemas']['WebhookDelivery'];
export interface operations {
    listAddons: {
        parameters: {
            query?: {
                /** @description Most entries of the answer. */
                limit?: number;
                /** @description From the Link header of the page before. */
                cursor?: string;
                /** @description Answers as it was at this moment of recorded time: by what was recorded until then, and with the clock at it. */
                as_of?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example [
                     *       {
                     *         "addon_id": "addon_5f0a1c3e7b2d4c6e8a9b0c1d2e3f4a5b",
                     *         "addon_name": "Priority support",
                     *         "addon_description": "Answers within an hour.",
                     *         "addon_type": "flat",
                     *         "billing_frequency": "one_time",
                     *         "versions": [
                     *           {
                     *             "addon_version_id": "addon_version_5f0a1c3e7b2d4c6e8a9b0c1d2e3f4a5b",
                     *             "addon_type": "flat",
                     *             "billing_frequency": "one_time",
                     *             "invoice_when": "invoice_on_attach",
                     *             "currency": {
                     *               "code": "USD",
                     *               "name": "US Dollar",
                     *               "symbol": "$"
                     *             },
                     *             "recurring_charges": [
                     *               {
                     *                 "name": "Pro",
                     *                 "charge_timing": "in_advance",
                     *                 "charge_behavior": "prorate",
                     *                 "amount": 1,
                     *                 "pricing_unit": {
                     *                   "code": "USD",
                     *                   "name": "US Dollar",
                     *                   "symbol": "$"
                     *                 },
                     *                 "invoicing_interval_unit": "day",
                     *                 "invoicing_interval_count": 1,
                     *                 "reset_interval_unit": "day",
                     *                 "reset_interval_count": 1
                     *               }
                     *             ],
                     *             "components": [
                     *               {
                     *                 "billable_metric": {
                     *                   "metric_id": "metric_5f0a1c3e7b2d4c6e8a9b0c1d2e3f4a5b",
                     *                   "metric_name": "API requests",
                     *                   "event_name": "api_request",
                     *                   "property_name": "region",
                     *                   "aggregation_type": "count",
                     *                   "metric_type": "counter",
                     *                   "granularity": "seconds",
                     *                   "event_type": "delta",
                     *                   "proration": "seconds",
                     *                   "numeric_filters": [
                     *                     {
                     *                       "property_name": "region",
                     *                       "operator": "gte",
                     *                       "comparison_value": 1
                     *                     }
                     *                   ],
                     *                   "categorical_filters": [
                     *                     {
                     *                       "property_name": "region",
                     *                       "operator": "isin",
                     *                       "comparison_value": [
                     *                         "text"
                     *                       ]
                     *                     }
                     *                   ],
                     *                   "is_cost_metric": true,
                     *                   "custom_sql": null
                     *                 },
                     *                 "tiers": [
                     *                   {
                     *                     "type": "flat",
                     *                     "range_start": 1,
                     *                     "range_end": 1,
                     *                     "cost_per_batch": 1,
                     *                     "metric_units_per_batch": 1,
                     *                     "batch_rounding_type": "round_up"
                     *                   }
                     *                 ],
                     *                 "bulk_pricing_enabled": true,
                     *                 "pricing_unit": {
                     *                   "code": "USD",
                     *                   "name": "US Dollar",
                     *                   "symbol": "$"
                     *                 },
                     *                 "invoicing_interval_unit": "day",
                     *                 "invoicing_interval_count": 1,
                     *                 "reset_interval_unit": "day",
                     *                 "reset_interval_count": 1,
                     *                 "prepaid_charge": {
                     *                   "units": 1,
                     *                   "charge_behavior": "prorate"
                     *                 }
                     *               }
                     *             ],
                     *             "features": [
                     *               {
                     *                 "feature_id": "feature_5f0a1c3e7b2d4c6e8a9b0c1d2e3f4a5b",
                     *                 "feature_name": "Single sign-on",
                     *                 "feature_description": "Login with your identity provider."
                     *               }
                     *             ],
                     *             "created_on": "2026-01-01T00:00:00Z"
                     *           }
                     *         ]
                     *       }
                     *     ]
                     */
                    "application/json": components["schemas"]["Addon"][];
                };
            };
        };
    };
    createAddon: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CreateAddonBody"];
            };
        };
        responses: {
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "addon_id": "addon_5f0a1c3e7b2d4c6e8a9b0c1d2e3f4a5b",
                     *       "addon_name": "Priority support",
                     *       "addon_description": "Answers within an hour.",
                     *       "addon_type": "flat",
                     *       "billing_frequency": "one_time",
                     *       "versions": [
                     *         {
                     *           "addon_version_id": "addon_version_5f0a1c3e7b2d4c6e8a9b0c1d2e3f4a5b",
                     *           "addon_type": "flat",
                     *           "billing_frequency": "one_time",
                     *           "invoice_when": "invoice_on_attach",
                     *           "currency": {
                     *             "code": "USD",
                     *             "name": "US Dollar",
                     *             "symbol": "$"
                     *           },
                     *           "recurring_charges": [
                     *             {
                     *               "name": "Pro",
                     *               "charge_timing": "in_advance",
                     *               "charge_behavior": "prorate",
                     *               "amount": 1,
                     *               "pricing_unit": {
                     *                 "code": "USD",
                     *                 "name": "US Dollar",
                     *                 "symbol": "$"
                     *               },
                     *               "invoicing_interval_unit": "day",
                     *               "invoicing_interval_count": 1,
                     *               "reset_interval_unit": "day",
                     *               "reset_interval_count": 1
                     *             }
                     *           ],
                     *           "components": [
                     *             {
                     *               "billable_metric": {
                     *                 "metric_id": "metric_5f0a1c3e7b2d4c6e8a9b0c1d2e3f4a5b",
                     *                 "metric_name": "API requests",
                     *                 "event_name": "api_request",
                     *                 "property_name": "region",
                     *                 "aggregation_type": "count",
                     *                 "metric_type": "counter",
                     *                 "granularity": "seconds",
                     *                 "event_type": "delta",
                     *                 "proration": "seconds",
                     *                 "numeric_filters": [
                     *                   {
                     *                     "property_name": "region",
                     *                     "operator": "gte",
                     *                     "comparison_value": 1
                     *                   }
                     *                 ],
                     *                 "categorical_filters": [
                     *                   {
                     *                     "property_name": "region",
                     *                     "operator": "isin",
                     *                     "comparison_value": [
                     *                       "text"
                     *                     ]
                     *                   }
                     *                 ],
                     *                 "is_cost_metric": true,
                     *                 "custom_sql": null
                     *               },
                     *               "tiers": [
                     *                 {
                     *                   "type": "flat",
                     *                   "range_start": 1,
                     *                   "range_end": 1,
                     *                   "cost_per_batch": 1,
                     *                   "metric_units_per_batch": 1,
                     *                   "batch_rounding_type": "round_up"
                     *                 }
                     *               ],
                     *               "bulk_pricing_enabled": true,
                     *               "pricing_unit": {
                     *                 "code": "USD",
                     *                 "name": "US Dollar",
                     *                 "symbol": "$"
                     *               },
                     *               "invoicing_interval_unit": "day",
                     *               "invoicing_interval_count": 1,
                     *               "reset_interval_unit": "day",
                     *               "reset_interval_count": 1,
                     *               "prepaid_charge": {
                     *                 "units": 1,
                     *                 "charge_behavior": "prorate"
                     *               }
                     *             }
                     *           ],
                     *           "features": [
                     *             {
                     *               "feature_id": "feature_5f0a1c3e7b2d4c6e8a9b0c1d2e3f4a5b",
                     *               "feature_name": "Single sign-on",
                     *               "feature_description": "Login with your identity provider."
                     *             }
                     *           ],
                     *           "created_on": "2026-01-01T00:00:00Z"
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": components["schemas"]["Addon"];
                };
            };
        };
    };
    getAddon: {
        parameters: {
            query?: {
                /** @description Answers as it was at this moment of recorded time: by what was recorded until then, and with the clock at it. */
                as_of?: string;
            };
            header?: never;
            path: {
                /**
                 * @description Id of the add-on.
                 * @example addon_5f0a1c3e7b2d4c6e8a9b0c1d2e3f4a5b
                 */
                addon_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "addon_id": "addon_5f0a1c3e7b2d4c6e8a9b0c1d2e3f4a5b",
                     *       "addon_name": "Priority support",
                     *       "addon_description": "Answers within an hour.",
                     *       "addon_type": "flat",
                     *       "billing_frequency": "one_time",
                     *       "versions": [
                     *         {
                     *           "addon_version_id": "addon_version_5f0a1c3e7b2d4c6e8a9b0c1d2e3f4a5b",
                     *           "addon_type": "flat",
                     *           "billing_frequency": "one_time",
                     *           "invoice_when": "invoice_on_attach",
                     *           "currency": {
                     *             "code": "USD",
                     *             "name": "US Dollar",
                     *             "symbol": "$"
                     *           },
                     *           "recurring_charges": [
                     *             {
                     *               "name": "Pro",
                     *               "charge_timing": "in_advance",
                     *               "charge_behavior": "prorate",
                     *               "amount": 1,
                     *               "pricing_unit": {
                     *                 "code": "USD",
                     *                 "name": "US Dollar",
                     *                 "symbol": "$"
                     *               },
                     *               "invoicing_interval_unit": "day",
                     *               "invoicing_interval_count": 1,
                     *               "reset_interval_unit": "day",
                     *               "reset_interval_count": 1
                     *             }
                     *           ],
                     *           "components": [
                     *             {
                     *               "billable_metric": {
                     *                 "metric_id": "metric_5f0a1c3e7b2d4c6e8a9b0c1d2e3f4a5b",
                     *                 "metric_name": "API requests",
                     *                 "event_name": "api_request",
                     *                 "property_name": "region",
                     *                 "aggregation_type": "count",
                     *                 "metric_type": "counter",
                     *                 "granularity": "seconds",
                     *                 "event_type": "delta",
                     *                 "proration": "seconds",
                     *                 "numeric_filters": [
                     *                   {
                     *                     "property_name": "region",
                     *                     "operator": "gte",
                     *                     "comparison_value": 1
                     *                   }
                     *                 ],
                     *                 "categorical_filters": [
                     *                   {
                     *                     "property_name": "region",
                     *                     "operator": "isin",
                     *                     "comparison_value": [
                     *                       "text"
                     *                     ]
                     *                   }
                     *                 ],
                     *                 "is_cost_metric": true,
                     *                 "custom_sql": null
                     *               },
                     *               "tiers": [
                     *                 {
                     *                   "type": "flat",
                     *                   "range_start": 1,
                     *                   "range_end": 1,
                     *                   "cost_per_batch": 1,
                     *                   "metric_units_per_batch": 1,
                     *                   "batch_rounding_type": "round_up"
                     *                 }
                     *               ],
                     *               "bulk_pricing_enabled": true,
                     *               "pricing_unit": {
                     *                 "code": "USD",
                     *                 "name": "US Dollar",
                     *                 "symbol": "$"
                     *               },
                     *               "invoicing_interval_unit": "day",
                     *               "invoicing_interval_count": 1,
                     *               "reset_interval_unit": "day",
                     *               "reset_interval_count": 1,
                     *               "prepaid_charge": {
                     *                 "units": 1,
                     *                 "charge_behavior": "prorate"
                     *               }
                     *             }
                     *           ],
                     *           "features": [
                     *             {
                     *               "feature_id": "feature_5f0a1c3e7b2d4c6e8a9b0c1d2e3f4a5b",
                     *               "feature_name": "Single sign-on",
                     *               "feature_description": "Login with your identity provider."
                     *             }
                     *           ],
                     *           "created_on": "2026-01-01T00:00:00Z"
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": components["schemas"]["Addon"];
                };
            };
        };
    };
    getCreditBalances: {
        parameters: {
            query?: {
                /** @description Begins with the month of this instant. */
                range_start?: string;
                /** @description Ends with the month that has the last instant before this one; default: now. */
                range_end?: string;
                /** @description Keeps this currency (ISO 4217), in any case. */
                currency_code?: string;
                /** @description Answers as it was at this moment of recorded time: by what was recorded until then, and with the clock at it. */
                as_of?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "as_of": "2026-01-01T00:00:00Z",
                     *       "position": "text",
                     *       "rows": [
                     *         {
                     *           "month": "2026-01-01",
                     *           "currency_code": "USD",
                     *           "granted": 1,
                     *           "sold": 1,
                     *           "drawn": 1,
                     *           "voided": 1,
                     *           "expired": 1,
                     *           "balance": 1
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": components["schemas"]["CreditBalances"];
                };
            };
        };
    };
    getInvoicedAmounts: {
        parameters: {
            query?: {
                /** @description Begins with the month of this instant. */
                range_start?: string;
                /** @description Ends with the month that has the last instant before this one; default: now. */
                range_end?: string;
                /** @description Keeps this currency (ISO 4217), in any case. */
                currency_code?: string;
                /** @description Answers as it was at this moment of recorded time: by what was recorded until then, and with the clock at it. */
                as_of?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "as_of": "2026-01-01T00:00:00Z",
                     *       "position": "text",
                     *       "rows": [
                     *         {
                     *           "month": "2026-01-01",
                     *           "currency_code": "USD",
                     *           "invoices": 1,
                     *           "invoiced": 1,
                     *           "paid": 1,
                     *           "open": 1
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": components["schemas"]["InvoicedAmounts"];
                };
            };
        };
    };
    getReceivables: {
        parameters: {
            query?: {
                /** @description Keeps this currency (ISO 4217), in any case. */
                currency_code?: string;
                /** @description Answers as it was at this moment of recorded time: by what was recorded until then, and with the clock at it. */
                as_of?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "as_of": "2026-01-01T00:00:00Z",
                     *       "position": "text",
                     *       "rows": [
                     *         {
                     *           "currency_code": "USD",
                     *           "customers": 1,
                     *           "not_due": 1,
                     *           "days_0_30": 1,
                     *           "days_31_60": 1,
                     *           "days_61_90": 1,
                     *           "days_over_90": 1,
                     *           "total": 1
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": components["schemas"]["Receivables"];
                };
            };
        };
    };
    getRecurringRevenue: {
        parameters: {
            query?: {
                /** @description Begins with the month of this instant. */
                range_start?: string;
                /** @description Ends with the month that has the last instant before this one; default: now. */
                range_end?: string;
                /** @description Keeps this currency (ISO 4217), in any case. */
                currency_code?: string;
                /** @description Answers as it was at this moment of recorded time: by what was recorded until then, and with the clock at it. */
                as_of?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "as_of": "2026-01-01T00:00:00Z",
                     *       "position": "text",
                     *       "rows": [
                     *         {
                     *           "month": "2026-01-01",
                     *           "currency_code": "USD",
                     *           "customers": 1,
                     *           "mrr": 1,
                     *           "new": 1,
                     *           "expansion": 1,
                     *           "contraction": 1,
                     *           "churn": 1
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": components["schemas"]["RecurringRevenue"];
                };
            };
        };
    };
    getUsageByMetric: {
        parameters: {
            query?: {
                /** @description Begins with the day or month of this instant. */
                range_start?: string;
                /** @description Ends with the day or month that has the last instant before this one; default: now. */
                range_end?: string;
                /**
                 * @description Length of the parts in which usage is counted; `day` by default.
                 *
                 *     - `day`: Days of UTC.
                 *     - `month`: Months of UTC.
                 */
                granularity?: "day" | "month";
                /** @description Keeps this metric, also an archived one. */
                metric_id?: string;
                /** @description Answers as it was at this moment of recorded time: by what was recorded until then, and with the clock at it. */
                as_of?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "as_of": "2026-01-01T00:00:00Z",
                     *       "position": "text",
                     *       "rows": [
                     *         {
                     *           "day": "2026-01-01",
                     *           "metric_id": "metric_5f0a1c3e7b2d4c6e8a9b0c1d2e3f4a5b",
                     *           "quantity": 1,
                     *           "events": 1
                     *         }
                     *       ],
                     *       "metrics": [
                     *         {
                     *           "metric_id": "metric_5f0a1c3e7b2d4c6e8a9b0c1d2e3f4a5b",
                     *           "metric_name": "API requests",
                     *           "event_name": "api_request",
                     *           "metric_type": "counter",
                     *           "aggregation_type": "count"
                     *         }
                     *       ],
                     *       "metrics_left_out": 1
                     *     }
                     */
                    "application/json": components["schemas"]["UsageByMetric"];
                };
            };
        };
    };
    getUsageByDay: {
        parameters: {
            query?: {
                /** @description Begins with the day or month of this instant. */
                range_start?: string;
                /** @description Ends with the day or month that has the last instant before this one; default: now. */
                range_end?: string;
                /**
                 * @description Length of the parts in which events are counted; `day` by default.
                 *
                 *     - `day`: Days of UTC.
                 *     - `month`: Months of UTC.
                 */
                granularity?: "day" | "month";
                /** @description Keeps events of this name. */
                event_name?: string;
                /** @description Answers as it was at this moment of recorded time: by what was recorded until then, and with the clock at it. */
                as_of?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "as_of": "2026-01-01T00:00:00Z",
                     *       "position": "text",
                     *       "rows": [
                     *         {
                     *           "day": "2026-01-01",
                     *           "event_name": "api_request",
                     *           "events": 1
                     *         }
                     *       ],
                     *       "metrics": [
                     *         {
                     *           "metric_id": "metric_5f0a1c3e7b2d4c6e8a9b0c1d2e3f4a5b",
                     *           "metric_name": "API requests",
                     *           "event_name": "api_request"
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": components["schemas"]["UsageByDay"];
                };
            };
        };
    };
    listApiKeys: {
        parameters: {
            query?: {
                /** @description Most entries of the answer. */
                limit?: number;
                /** @description From the Link header of the page before. */
                cursor?: string;
                /** @description Answers as it was at this moment of recorded time: by what was recorded until then, and with the clock at it. */
                as_of?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example [
                     *       {
                     *         "name": "Pro",
                     *         "prefix": "2f5f24522e68",
                     *         "scope": "ingest",
                     *         "created_at": "2026-01-01T00:00:00Z",
                     *         "expires_at": "2026-01-01T00:00:00Z",
                     *         "revoked_at": "2026-01-01T00:00:00Z"
                     *       }
                     *     ]
                     */
                    "application/json": components["schemas"]["ApiKey"][];
                };
            };
        };
    };
    createApiKey: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CreateApiKeyBody"];
            };
        };
        responses: {
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "name": "Pro",
                     *       "prefix": "2f5f24522e68",
                     *       "scope": "ingest",
                     *       "created_at": "2026-01-01T00:00:00Z",
                     *       "expires_at": "2026-01-01T00:00:00Z",
                     *       "revoked_at": "2026-01-01T00:00:00Z",
                     *       "key": "text"
                     *     }
                     */
                    "application/json": components["schemas"]["NewApiKey"];
                };
            };
        };
    };
    revokeApiKey: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description Twelve digits by which the key is known: the part between its underscores, or of the hash of a key that the operator chose. No secret.
                 * @example 2f5f24522e68
                 */
                prefix: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "name": "Pro",
                     *       "prefix": "2f5f24522e68",
                     *       "scope": "ingest",
                     *       "created_at": "2026-01-01T00:00:00Z",
                     *       "expires_at": "2026-01-01T00:00:00Z",
                     *       "revoked_at": "2026-01-01T00:00:00Z"
                     *     }
                     */
                    "application/json": components["schemas"]["ApiKey"];
                };
            };
        };
    };
    rotateApiKey: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description Twelve digits by which the key is known: the part between its underscores, or of the hash of a key that the operator chose. No secret.
                 * @example 2f5f24522e68
                 */
                prefix: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "name": "Pro",
                     *       "prefix": "2f5f24522e68",
                     *       "scope": "ingest",
                     *       "created_at": "2026-01-01T00:00:00Z",
                     *       "expires_at": "2026-01-01T00:00:00Z",
                     *       "revoked_at": "2026-01-01T00:00:00Z",
                     *       "key": "text"
                     *     }
                     */
                    "application/json": components["schemas"]["NewApiKey"];
                };
            };
        };
    };
    listCheckpoints: {
        parameters: {
            query?: {
                /** @description Most entries of the answer. */
                limit?: number;
                /** @description From the Link header of the page before. */
                cursor?: string;
                /** @description Answers as it was at this moment of recorded time: by what was recorded until then, and with the clock at it. */
                as_of?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example [
                     *       {
                     *         "checkpoint_id": "5f0a1c3e-7b2d-4c6e-8a9b-0c1d2e3f4a5b",
                     *         "number": 1,
                     *         "origin": "text",
                     *         "size": 1,
                     *         "root": "n4bQgYhMfWWaL+qgxVrQFaO/TxsrC4Is0V1sFbDwCgg=",
                     *         "cause": "schedule",
                     *         "created_at": "2026-01-01T00:00:00Z",
                     *         "note": "recount.example/5f0a1c3e\n1\n",
                     *         "cosignatures": [
                     *           {
                     *             "witness": "text",
                     *             "key_id": "5f0a1c3e",
                     *             "cosigned_at": "2026-01-01T00:00:00Z"
                     *           }
                     *         ]
                     *       }
                     *     ]
                     */
                    "application/json": components["schemas"]["Checkpoint"][];
                };
            };
        };
    };
    createCheckpoint: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "checkpoint_id": "5f0a1c3e-7b2d-4c6e-8a9b-0c1d2e3f4a5b",
                     *       "number": 1,
                     *       "origin": "text",
                     *       "size": 1,
                     *       "root": "n4bQgYhMfWWaL+qgxVrQFaO/TxsrC4Is0V1sFbDwCgg=",
                     *       "cause": "schedule",
                     *       "created_at": "2026-01-01T00:00:00Z",
                     *       "note": "recount.example/5f0a1c3e\n1\n",
                     *       "cosignatures": [
                     *         {
                     *           "witness": "text",
                     *           "key_id": "5f0a1c3e",
                     *           "cosigned_at": "2026-01-01T00:00:00Z"
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": components["schemas"]["Checkpoint"];
                };
            };
        };
    };
    getLatestCheckpoint: {
        parameters: {
            query?: {
                /** @description Answers as it was at this moment of recorded time: by what was recorded until then, and with the clock at it. */
                as_of?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "text/plain": string;
                };
            };
        };
    };
    getConsistencyProof: {
        parameters: {
            query: {
                /**
                 * @description Size of the earlier tree.
                 * @example 0
                 */
                from: number;
                /** @description Size of the later tree; by default that of the newest checkpoint. */
                to?: number;
                /** @description Answers as it was at this moment of recorded time: by what was recorded until then, and with the clock at it. */
                as_of?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "from": 1,
                     *       "to": 1,
                     *       "from_root": "n4bQgYhMfWWaL+qgxVrQFaO/TxsrC4Is0V1sFbDwCgg=",
                     *       "to_root": "n4bQgYhMfWWaL+qgxVrQFaO/TxsrC4Is0V1sFbDwCgg=",
                     *       "hashes": [
                     *         "n4bQgYhMfWWaL+qgxVrQFaO/TxsrC4Is0V1sFbDwCgg="
                     *       ]
                     *     }
                     */
                    "application/json": components["schemas"]["ConsistencyProof"];
                };
            };
        };
    };
    listSigningKeys: {
        parameters: {
            query?: {
                /** @description Most entries of the answer. */
                limit?: number;
                /** @description From the Link header of the page before. */
                cursor?: string;
                /** @description Answers as it was at this moment of recorded time: by what was recorded until then, and with the clock at it. */
                as_of?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example [
                     *       {
                     *         "name": "Pro",
                     *         "key_id": "5f0a1c3e",
                     *         "algorithm": "ed25519",
                     *         "public_key": "n4bQgYhMfWWaL+qgxVrQFaO/TxsrC4Is0V1sFbDwCgg=",
                     *         "verifier_key": "text",
                     *         "status": "current",
                     *         "first_used_at": "2026-01-01T00:00:00Z",
                     *         "last_used_at": "2026-01-01T00:00:00Z"
                     *       }
                     *     ]
                     */
                    "application/json": components["schemas"]["SigningKey"][];
                };
            };
        };
    };
    listAuditLog: {
        parameters: {
            query?: {
                /**
                 * @description Kind of the subject.
                 *
                 *     - `organization`: Settings of the organization, and the keys that sign its checkpoints.
                 *     - `api_key`: An API key.
                 *     - `usage_alert`: A usage alert.
                 *     - `webhook`: A webhook endpoint.
                 *     - `plan`: A plan with its versions.
                 *     - `addon`: An add-on.
                 *     - `metric`: A metric.
                 *     - `feature`: A feature.
                 *     - `customer`: A customer; the id is `customer_key`.
                 *     - `subscription`: A subscription.
                 *     - `account`: Billing runs and usage counts of a customer in a currency; the id is `customer_key.currency`.
                 *     - `invoice`: An invoice and its payment.
                 *     - `credit`: A credit.
                 *     - `number_series`: Invoice numbers of a day.
                 */
                subject_kind?: "organization" | "api_key" | "usage_alert" | "webhook" | "plan" | "addon" | "metric" | "feature" | "customer" | "subscription" | "account" | "invoice" | "credit" | "number_series";
                /** @description Id of the subject. Requires `subject_kind`. */
                subject_id?: string;
                /** @description Your own id of the customer. */
                customer_id?: string;
                /** @description Id or prefix of the API key that caused it; `system` or `cli`. */
                actor?: string;
                /** @description Keeps events of this type, such as `SettingsChanged`. */
                event_type?: string;
                /** @description Recorded at this time or later. */
                from?: string;
                /** @description Recorded before this time. */
                to?: string;
                /**
                 * @description Field that orders the list; a minus before it puts the last first. Amounts are ordered by currency first, and a missing time stands after every other. An entry whose amount or count changes between two pages may come twice or be left out; with as_of all pages are of one moment.
                 *
                 *     - `recorded_at`: Oldest first, in the order of the log.
                 *     - `-recorded_at`: Newest first, in the order of the log.
                 */
                ordering?: "recorded_at" | "-recorded_at";
                /** @description Most entries of the answer. */
                limit?: number;
                /** @description From the Link header of the page before. */
                cursor?: string;
                /** @description Answers as it was at this moment of recorded time: by what was recorded until then, and with the clock at it. */
                as_of?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example [
                     *       {
                     *         "position": "text",
                     *         "event_id": "5f0a1c3e-7b2d-4c6e-8a9b-0c1d2e3f4a5b",
                     *         "recorded_at": "2026-01-01T00:00:00Z",
                     *         "event_type": "text",
                     *         "summary": "text",
                     *         "subject": {
                     *           "kind": "organization",
                     *           "id": "text"
                     *         },
                     *         "customer_key": "5f0a1c3e-7b2d-4c6e-8a9b-0c1d2e3f4a5b",
                     *         "stream": "text",
                     *         "revision": 1,
                     *         "actor": "text",
                     *         "actor_name": "text",
                     *         "names": {
                     *           "customer_id": "acme",
                     *           "plan_name": "Pro",
                     *           "subscription_filters": [
                     *             {
                     *               "property_name": "region",
                     *               "value": "eu"
                     *             }
                     *           ],
                     *           "addon_name": "Priority support",
                     *           "metric_name": "API requests"
                     *         },
                     *         "request_id": "text",
                     *         "command_id": "5f0a1c3e-7b2d-4c6e-8a9b-0c1d2e3f4a5b",
                     *         "changes": {},
                     *         "left_out": [
                     *           "text"
                     *         ],
                     *         "proof": "text"
                     *       }
                     *     ]
                     */
                    "application/json": components["schemas"]["AuditLogEntry"][];
                };
            };
        };
    };
    getInclusionProof: {
        parameters: {
            query?: {
                /** @description Proves the event at this leaf of the tree, counted from 0. */
                position?: number;
                /** @description Id of the invoice (`invoice_` and a uuid). A path also takes its number. */
                invoice_id?: string;
                /** @description Proves the usage event with this idempotency id. */
                usage_event_id?: string;
                /** @description Proves the event at `revision` of this stream, as the audit log names it. */
                stream?: string;
                /** @description Revision of the event in `stream`. */
                revision?: number;
                /** @description Answers as it was at this moment of recorded time: by what was recorded until then, and with the clock at it. */
                as_of?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "text/plain": string;
                };
            };
        };
    };
    listCredits: {
        parameters: {
            query: {
                /**
                 * @description Your own id of the customer.
                 * @example acme
                 */
                customer_id: string;
                /**
                 * @description Keeps records with one of these statuses; by default all.
                 *
                 *     - `active`: Something is left and it has not expired.
                 *     - `inactive`: Used up, voided or expired.
                 */
                status?: ("active" | "inactive")[];
                /** @description ISO 4217 code of the currency, in any case. */
                currency_code?: string;
                /** @description Keeps credits that expire at this instant or later, or never. */
                expires_after?: string;
                /** @description Keeps credits that expire at this instant or earlier. */
                expires_before?: string;
                /** @description Keeps credits that can be used from this instant on or later. */
                effective_after?: string;
                /** @description Keeps credits that can be used from this instant on or earlier. */
                effective_before?: string;
                /** @description Keeps credits that were granted at this instant or later. */
                issued_after?: string;
                /** @description Keeps credits that were granted at this instant or earlier. */
                issued_before?: string;
                /**
                 * @description Field that orders the list; a minus before it puts the last first. Amounts are ordered by currency first, and a missing time stands after every other. An entry whose amount or count changes between two pages may come twice or be left out; with as_of all pages are of one moment.
                 *
                 *     - `effective_at`: Earliest start first.
                 *     - `-effective_at`: Latest start first.
                 *     - `expires_at`: Expiring soonest first.
                 *     - `-expires_at`: Never expiring first.
                 *     - `amount`: Lowest amount of each currency first.
                 *     - `-amount`: Highest amount of each currency first.
                 *     - `amount_remaining`: Least left of each currency first.
                 *     - `-amount_remaining`: Most left of each currency first.
                 */
                ordering?: "effective_at" | "-effective_at" | "expires_at" | "-expires_at" | "amount" | "-amount" | "amount_remaining" | "-amount_remaining";
                /** @description Most entries of the answer. */
                limit?: number;
                /** @description From the Link header of the page before. */
                cursor?: string;
                /** @description Answers as it was at this moment of recorded time: by what was recorded until then, and with the clock at it. */
                as_of?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example [
                     *       {
                     *         "credit_id": "credit_5f0a1c3e7b2d4c6e8a9b0c1d2e3f4a5b",
                     *         "customer": {
                     *           "customer_id": "acme",
                     *           "customer_name": "Acme Inc",
                     *           "email": "billing@acme.example"
                     *         },
                     *         "amount": 1,
                     *         "amount_remaining": 1,
                     *         "currency": {
                     *           "code": "USD",
                     *           "name": "US Dollar",
                     *           "symbol": "$"
                     *         },
                     *         "description": "Welcome credit",
                     *         "effective_at": "2026-01-01T00:00:00Z",
                     *         "expires_at": "2026-01-01T00:00:00Z",
                     *         "status": "active",
                     *         "amount_paid": 1,
                     *         "amount_paid_currency": {
                     *           "code": "USD",
                     *           "name": "US Dollar",
                     *           "symbol": "$"
                     *         },
                     *         "drawdowns": [
                     *           {
                     *             "credit_id": "credit_5f0a1c3e7b2d4c6e8a9b0c1d2e3f4a5b",
                     *             "amount": 1,
                     *             "applied_at": "2026-01-01T00:00:00Z",
                     *             "description": "Welcome credit"
                     *           }
                     *         ]
                     *       }
                     *     ]
                     */
                    "application/json": components["schemas"]["Credit"][];
                };
            };
        };
    };
    createCredit: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["GrantCreditBody"];
            };
        };
        responses: {
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "credit_id": "credit_5f0a1c3e7b2d4c6e8a9b0c1d2e3f4a5b",
                     *       "customer": {
                     *         "customer_id": "acme",
                     *         "customer_name": "Acme Inc",
                     *         "email": "billing@acme.example"
                     *       },
                     *       "amount": 1,
                     *       "amount_remaining": 1,
                     *       "currency": {
                     *         "code": "USD",
                     *         "name": "US Dollar",
                     *         "symbol": "$"
                     *       },
                     *       "description": "Welcome credit",
                     *       "effective_at": "2026-01-01T00:00:00Z",
                     *       "expires_at": "2026-01-01T00:00:00Z",
                     *       "status": "active",
                     *       "amount_paid": 1,
                     *       "amount_paid_currency": {
                     *         "code": "USD",
                     *         "name": "US Dollar",
                     *         "symbol": "$"
                     *       },
                     *       "drawdowns": [
                     *         {
                     *           "credit_id": "credit_5f0a1c3e7b2d4c6e8a9b0c1d2e3f4a5b",
                     *           "amount": 1,
                     *           "applied_at": "2026-01-01T00:00:00Z",
                     *           "description": "Welcome credit"
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": components["schemas"]["Credit"];
                };
            };
        };
    };
    getCredit: {
        parameters: {
            query?: {
                /** @description Answers as it was at this moment of recorded time: by what was recorded until then, and with the clock at it. */
                as_of?: string;
            };
            header?: never;
            path: {
                /**
                 * @description Id of the credit.
                 * @example credit_5f0a1c3e7b2d4c6e8a9b0c1d2e3f4a5b
                 */
                credit_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "credit_id": "credit_5f0a1c3e7b2d4c6e8a9b0c1d2e3f4a5b",
                     *       "customer": {
                     *         "customer_id": "acme",
                     *         "customer_name": "Acme Inc",
                     *         "email": "billing@acme.example"
                     *       },
                     *       "amount": 1,
                     *       "amount_remaining": 1,
                     *       "currency": {
                     *         "code": "USD",
                     *         "name": "US Dollar",
                     *         "symbol": "$"
                     *       },
                     *       "description": "Welcome credit",
                     *       "effective_at": "2026-01-01T00:00:00Z",
                     *       "expires_at": "2026-01-01T00:00:00Z",
                     *       "status": "active",
                     *       "amount_paid": 1,
                     *       "amount_paid_currency": {
                     *         "code": "USD",
                     *         "name": "US Dollar",
                     *         "symbol": "$"
                     *       },
                     *       "drawdowns": [
                     *         {
                     *           "credit_id": "credit_5f0a1c3e7b2d4c6e8a9b0c1d2e3f4a5b",
                     *           "amount": 1,
                     *           "applied_at": "2026-01-01T00:00:00Z",
                     *           "description": "Welcome credit"
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": components["schemas"]["Credit"];
                };
            };
        };
    };
    updateCredit: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description Id of the credit.
                 * @example credit_5f0a1c3e7b2d4c6e8a9b0c1d2e3f4a5b
                 */
                credit_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["UpdateCreditBody"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "credit_id": "credit_5f0a1c3e7b2d4c6e8a9b0c1d2e3f4a5b",
                     *       "customer": {
                     *         "customer_id": "acme",
                     *         "customer_name": "Acme Inc",
                     *         "email": "billing@acme.example"
                     *       },
                     *       "amount": 1,
                     *       "amount_remaining": 1,
                     *       "currency": {
                     *         "code": "USD",
                     *         "name": "US Dollar",
                     *         "symbol": "$"
                     *       },
                     *       "description": "Welcome credit",
                     *       "effective_at": "2026-01-01T00:00:00Z",
                     *       "expires_at": "2026-01-01T00:00:00Z",
                     *       "status": "active",
                     *       "amount_paid": 1,
                     *       "amount_paid_currency": {
                     *         "code": "USD",
                     *         "name": "US Dollar",
                     *         "symbol": "$"
                     *       },
                     *       "drawdowns": [
                     *         {
                     *           "credit_id": "credit_5f0a1c3e7b2d4c6e8a9b0c1d2e3f4a5b",
                     *           "amount": 1,
                     *           "applied_at": "2026-01-01T00:00:00Z",
                     *           "description": "Welcome credit"
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": components["schemas"]["Credit"];
                };
            };
        };
    };
    voidCredit: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description Id of the credit.
                 * @example credit_5f0a1c3e7b2d4c6e8a9b0c1d2e3f4a5b
                 */
                credit_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "credit_id": "credit_5f0a1c3e7b2d4c6e8a9b0c1d2e3f4a5b",
                     *       "customer": {
                     *         "customer_id": "acme",
                     *         "customer_name": "Acme Inc",
                     *         "email": "billing@acme.example"
                     *       },
                     *       "amount": 1,
                     *       "amount_remaining": 1,
                     *       "currency": {
                     *         "code": "USD",
                     *         "name": "US Dollar",
                     *         "symbol": "$"
                     *       },
                     *       "description": "Welcome credit",
                     *       "effective_at": "2026-01-01T00:00:00Z",
                     *       "expires_at": "2026-01-01T00:00:00Z",
                     *       "status": "active",
                     *       "amount_paid": 1,
                     *       "amount_paid_currency": {
                     *         "code": "USD",
                     *         "name": "US Dollar",
                     *         "symbol": "$"
                     *       },
                     *       "drawdowns": [
                     *         {
                     *           "credit_id": "credit_5f0a1c3e7b2d4c6e8a9b0c1d2e3f4a5b",
                     *           "amount": 1,
                     *           "applied_at": "2026-01-01T00:00:00Z",
                     *           "description": "Welcome credit"
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": components["schemas"]["Credit"];
                };
            };
        };
    };
    listCustomers: {
        parameters: {
            query?: {
                /** @description Keeps the customer with this e-mail address, in any case. */
                email?: string;
                /**
                 * @description Field that orders the list; a minus before it puts the last first. Amounts are ordered by currency first, and a missing time stands after every other. An entry whose amount or count changes between two pages may come twice or be left out; with as_of all pages are of one moment.
                 *
                 *     - `total_amount_due`: Least due of each currency first.
                 *     - `-total_amount_due`: Most due of each currency first.
                 */
                ordering?: "total_amount_due" | "-total_amount_due";
                /** @description Most entries of the answer. */
                limit?: number;
                /** @description From the Link header of the page before. */
                cursor?: string;
                /** @description Answers as it was at this moment of recorded time: by what was recorded until then, and with the clock at it. */
                as_of?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example [
                     *       {
                     *         "customer_id": "acme",
                     *         "customer_name": "Acme Inc",
                     *         "email": "billing@acme.example",
                     *         "customer_key": "5f0a1c3e-7b2d-4c6e-8a9b-0c1d2e3f4a5b",
                     *         "address": {
                     *           "city": "Warsaw",
                     *           "country": "PL",
                     *           "line1": "Prosta 1",
                     *           "line2": null,
                     *           "postal_code": "00-001",
                     *           "state": "text"
                     *         },
                     *         "billing_address": {
                     *           "city": "Warsaw",
                     *           "country": "PL",
                     *           "line1": "Prosta 1",
                     *           "line2": null,
                     *           "postal_code": "00-001",
                     *           "state": "text"
                     *         },
                     *         "shipping_address": {
                     *           "city": "Warsaw",
                     *           "country": "PL",
                     *           "line1": "Prosta 1",
                     *           "line2": null,
                     *           "postal_code": "00-001",
                     *           "state": "text"
                     *         },
                     *         "default_currency_code": "USD",
                     *         "default_currency": {
                     *           "code": "USD",
                     *           "name": "US Dollar",
                     *           "symbol": "$"
                     *         },
                     *         "tax_rate": 23,
                     *         "timezone": "Europe/Warsaw",
                     *         "invoice_locale": "en-GB",
                     *         "tax_ids": [
                     *           {
                     *             "type": "vat",
                     *             "value": "eu"
                     *           }
                     *         ],
                     *         "reverse_charge": true,
                     *         "payment_provider": "provider_a",
                     *         "payment_provider_id": "cus_42",
                     *         "properties": {},
                     *         "subscriptions": [
                     *           {
                     *             "subscription_id": "sub_5f0a1c3e7b2d4c6e8a9b0c1d2e3f4a5b",
                     *             "start_date": "2026-01-01T00:00:00Z",
                     *             "end_date": "2026-01-01T00:00:00Z",
                     *             "auto_renew": true,
                     *             "is_new": true,
                     *             "subscription_filters": [
                     *               {
                     *                 "property_name": "region",
                     *                 "value": "eu"
                     *               }
                     *             ],
                     *             "customer": {
                     *               "customer_id": "acme",
                     *               "customer_name": "Acme Inc",
                     *               "email": "billing@acme.example"
                     *             },
                     *             "billing_plan": {
                     *               "plan_name": "Pro",
                     *               "plan_id": "plan_5f0a1c3e7b2d4c6e8a9b0c1d2e3f4a5b",
                     *               "version_id": "plan_version_5f0a1c3e7b2d4c6e8a9b0c1d2e3f4a5b",
                     *               "version": 1
                     *             },
                     *             "fully_billed": true,
                     *             "addons": [
                     *               {
                     *                 "addon_subscription_id": "addon_sub_5f0a1c3e7b2d4c6e8a9b0c1d2e3f4a5b",
                     *                 "start_date": "2026-01-01T00:00:00Z",
                     *                 "end_date": "2026-01-01T00:00:00Z",
                     *                 "addon": {
                     *                   "addon_name": "Priority support",
                     *                   "addon_id": "addon_5f0a1c3e7b2d4c6e8a9b0c1d2e3f4a5b",
                     *                   "addon_type": "flat",
                     *                   "billing_frequency": "one_time"
                     *                 },
                     *                 "fully_billed": true
                     *               }
                     *             ],
                     *             "metadata": {}
                     *           }
                     *         ],
                     *         "invoices": [
                     *           {
                     *             "invoice_id": "invoice_5f0a1c3e-7b2d-4c6e-8a9b-0c1d2e3f4a5b",
                     *             "invoice_number": "260101-000001",
                     *             "cost_due": 1,
                     *             "amount": 1,
                     *             "currency": {
                     *               "code": "USD",
                     *               "name": "US Dollar",
                     *               "symbol": "$"
                     *             },
                     *             "issue_date": "2026-01-01T00:00:00Z",
                     *             "due_date": "2026-01-01T00:00:00Z",
                     *             "start_date": "2026-01-01",
                     *             "end_date": "2026-01-01",
                     *             "payment_status": "draft",
                     *             "external_payment_obj_id": "text",
                     *             "external_payment_obj_type": "provider_a",
                     *             "external_payment_obj_status": "text"
                     *           }
                     *         ],
                     *         "amounts_due": [
                     *           {
                     *             "currency": {
                     *               "code": "USD",
                     *               "name": "US Dollar",
                     *               "symbol": "$"
                     *             },
                     *             "amount": 1
                     *           }
                     *         ],
                     *         "total_amount_due": 1
                     *       }
                     *     ]
                     */
                    "application/json": components["schemas"]["Customer"][];
                };
            };
        };
    };
    createCustomer: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CreateCustomerBody"];
            };
        };
        responses: {
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "customer_id": "acme",
                     *       "customer_name": "Acme Inc",
                     *       "email": "billing@acme.example",
                     *       "customer_key": "5f0a1c3e-7b2d-4c6e-8a9b-0c1d2e3f4a5b",
                     *       "address": {
                     *         "city": "Warsaw",
                     *         "country": "PL",
                     *         "line1": "Prosta 1",
                     *         "line2": null,
                     *         "postal_code": "00-001",
                     *         "state": "text"
                     *       },
                     *       "billing_address": {
                     *         "city": "Warsaw",
                     *         "country": "PL",
                     *         "line1": "Prosta 1",
                     *         "line2": null,
                     *         "postal_code": "00-001",
                     *         "state": "text"
                     *       },
                     *       "shipping_address": {
                     *         "city": "Warsaw",
                     *         "country": "PL",
                     *         "line1": "Prosta 1",
                     *         "line2": null,
                     *         "postal_code": "00-001",
                     *         "state": "text"
                     *       },
                     *       "default_currency_code": "USD",
                     *       "default_currency": {
                     *         "code": "USD",
                     *         "name": "US Dollar",
                     *         "symbol": "$"
                     *       },
                     *       "tax_rate": 23,
                     *       "timezone": "Europe/Warsaw",
                     *       "invoice_locale": "en-GB",
                     *       "tax_ids": [
                     *         {
                     *           "type": "vat",
                     *           "value": "eu"
                     *         }
                     *       ],
                     *       "reverse_charge": true,
                     *       "payment_provider": "provider_a",
                     *       "payment_provider_id": "cus_42",
                     *       "properties": {},
                     *       "subscriptions": [
                     *         {
                     *           "subscription_id": "sub_5f0a1c3e7b2d4c6e8a9b0c1d2e3f4a5b",
                     *           "start_date": "2026-01-01T00:00:00Z",
                     *           "end_date": "2026-01-01T00:00:00Z",
                     *           "auto_renew": true,
                     *           "is_new": true,
                     *           "subscription_filters": [
                     *             {
                     *               "property_name": "region",
                     *               "value": "eu"
                     *             }
                     *           ],
                     *           "customer": {
                     *             "customer_id": "acme",
                     *             "customer_name": "Acme Inc",
                     *             "email": "billing@acme.example"
                     *           },
                     *           "billing_plan": {
                     *             "plan_name": "Pro",
                     *             "plan_id": "plan_5f0a1c3e7b2d4c6e8a9b0c1d2e3f4a5b",
                     *             "version_id": "plan_version_5f0a1c3e7b2d4c6e8a9b0c1d2e3f4a5b",
                     *             "version": 1
                     *           },
                     *           "fully_billed": true,
                     *           "addons": [
                     *             {
                     *               "addon_subscription_id": "addon_sub_5f0a1c3e7b2d4c6e8a9b0c1d2e3f4a5b",
                     *               "start_date": "2026-01-01T00:00:00Z",
                     *               "end_date": "2026-01-01T00:00:00Z",
                     *               "addon": {
                     *                 "addon_name": "Priority support",
                     *                 "addon_id": "addon_5f0a1c3e7b2d4c6e8a9b0c1d2e3f4a5b",
                     *                 "addon_type": "flat",
                     *                 "billing_frequency": "one_time"
                     *               },
                     *               "fully_billed": true
                     *             }
                     *           ],
                     *           "metadata": {}
                     *         }
                     *       ],
                     *       "invoices": [
                     *         {
                     *           "invoice_id": "invoice_5f0a1c3e-7b2d-4c6e-8a9b-0c1d2e3f4a5b",
                     *           "invoice_number": "260101-000001",
                     *           "cost_due": 1,
                     *           "amount": 1,
                     *           "currency": {
                     *             "code": "USD",
                     *             "name": "US Dollar",
                     *             "symbol": "$"
                     *           },
                     *           "issue_date": "2026-01-01T00:00:00Z",
                     *           "due_date": "2026-01-01T00:00:00Z",
                     *           "start_date": "2026-01-01",
                     *           "end_date": "2026-01-01",
                     *           "payment_status": "draft",
                     *           "external_payment_obj_id": "text",
                     *           "external_payment_obj_type": "provider_a",
                     *           "external_payment_obj_status": "text"
                     *         }
                     *       ],
                     *       "amounts_due": [
                     *         {
                     *           "currency": {
                     *             "code": "USD",
                     *             "name": "US Dollar",
                     *             "symbol": "$"
                     *           },
                     *           "amount": 1
                     *         }
                     *       ],
                     *       "total_amount_due": 1
                     *     }
                     */
                    "application/json": components["schemas"]["Customer"];
                };
            };
        };
    };
    getCustomer: {
        parameters: {
            query?: {
                /** @description Answers as it was at this moment of recorded time: by what was recorded until then, and with the clock at it. */
                as_of?: string;
            };
            header?: never;
            path: {
                /**
                 * @description Your own id of the customer.
                 * @example acme
                 */
                customer_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "customer_id": "acme",
                     *       "customer_name": "Acme Inc",
                     *       "email": "billing@acme.example",
                     *       "customer_key": "5f0a1c3e-7b2d-4c6e-8a9b-0c1d2e3f4a5b",
                     *       "address": {
                     *         "city": "Warsaw",
                     *         "country": "PL",
                     *         "line1": "Prosta 1",
                     *         "line2": null,
                     *         "postal_code": "00-001",
                     *         "state": "text"
                     *       },
                     *       "billing_address": {
                     *         "city": "Warsaw",
                     *         "country": "PL",
                     *         "line1": "Prosta 1",
                     *         "line2": null,
                     *         "postal_code": "00-001",
                     *         "state": "text"
                     *       },
                     *       "shipping_address": {
                     *         "city": "Warsaw",
                     *         "country": "PL",
                     *         "line1": "Prosta 1",
                     *         "line2": null,
                     *         "postal_code": "00-001",
                     *         "state": "text"
                     *       },
                     *       "default_currency_code": "USD",
                     *       "default_currency": {
                     *         "code": "USD",
                     *         "name": "US Dollar",
                     *         "symbol": "$"
                     *       },
                     *       "tax_rate": 23,
                     *       "timezone": "Europe/Warsaw",
                     *       "invoice_locale": "en-GB",
                     *       "tax_ids": [
                     *         {
                     *           "type": "vat",
                     *           "value": "eu"
                     *         }
                     *       ],
                     *       "reverse_charge": true,
                     *       "payment_provider": "provider_a",
                     *       "payment_provider_id": "cus_42",
                     *       "properties": {},
                     *       "subscriptions": [
                     *         {
                     *           "subscription_id": "sub_5f0a1c3e7b2d4c6e8a9b0c1d2e3f4a5b",
                     *           "start_date": "2026-01-01T00:00:00Z",
                     *           "end_date": "2026-01-01T00:00:00Z",
                     *           "auto_renew": true,
                     *           "is_new": true,
                     *           "subscription_filters": [
                     *             {
                     *               "property_name": "region",
                     *               "value": "eu"
                     *             }
                     *           ],
                     *           "customer": {
                     *             "customer_id": "acme",
                     *             "customer_name": "Acme Inc",
                     *             "email": "billing@acme.example"
                     *           },
                     *           "billing_plan": {
                     *             "plan_name": "Pro",
                     *             "plan_id": "plan_5f0a1c3e7b2d4c6e8a9b0c1d2e3f4a5b",
                     *             "version_id": "plan_version_5f0a1c3e7b2d4c6e8a9b0c1d2e3f4a5b",
                     *             "version": 1
                     *           },
                     *           "fully_billed": true,
                     *           "addons": [
                     *             {
                     *               "addon_subscription_id": "addon_sub_5f0a1c3e7b2d4c6e8a9b0c1d2e3f4a5b",
                     *               "start_date": "2026-01-01T00:00:00Z",
                     *               "end_date": "2026-01-01T00:00:00Z",
                     *               "addon": {
                     *                 "addon_name": "Priority support",
                     *                 "addon_id": "addon_5f0a1c3e7b2d4c6e8a9b0c1d2e3f4a5b",
                     *                 "addon_type": "flat",
                     *                 "billing_frequency": "one_time"
                     *               },
                     *               "fully_billed": true
                     *             }
                     *           ],
                     *           "metadata": {}
                     *         }
                     *       ],
                     *       "invoices": [
                     *         {
                     *           "invoice_id": "invoice_5f0a1c3e-7b2d-4c6e-8a9b-0c1d2e3f4a5b",
                     *           "invoice_number": "260101-000001",
                     *           "cost_due": 1,
                     *           "amount": 1,
                     *           "currency": {
                     *             "code": "USD",
                     *             "name": "US Dollar",
                     *             "symbol": "$"
                     *           },
                     *           "issue_date": "2026-01-01T00:00:00Z",
                     *           "due_date": "2026-01-01T00:00:00Z",
                     *           "start_date": "2026-01-01",
                     *           "end_date": "2026-01-01",
                     *           "payment_status": "draft",
                     *           "external_payment_obj_id": "text",
                     *           "external_payment_obj_type": "provider_a",
                     *           "external_payment_obj_status": "text"
                     *         }
                     *       ],
                     *       "amounts_due": [
                     *         {
                     *           "currency": {
                     *             "code": "USD",
                     *             "name": "US Dollar",
                     *             "symbol": "$"
                     *           },
                     *           "amount": 1
                     *         }
                     *       ],
                     *       "total_amount_due": 1
                     *     }
                     */
                    "application/json": components["schemas"]["Customer"];
                };
            };
        };
    };
    updateCustomer: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description Your own id of the customer.
                 * @example acme
                 */
                customer_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ChangeCustomerBody"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "customer_id": "acme",
                     *       "customer_name": "Acme Inc",
                     *       "email": "billing@acme.example",
                     *       "customer_key": "5f0a1c3e-7b2d-4c6e-8a9b-0c1d2e3f4a5b",
                     *       "address": {
                     *         "city": "Warsaw",
                     *         "country": "PL",
                     *         "line1": "Prosta 1",
                     *         "line2": null,
                     *         "postal_code": "00-001",
                     *         "state": "text"
                     *       },
                     *       "billing_address": {
                     *         "city": "Warsaw",
                     *         "country": "PL",
                     *         "line1": "Prosta 1",
                     *         "line2": null,
                     *         "postal_code": "00-001",
                     *         "state": "text"
                     *       },
                     *       "shipping_address": {
                     *         "city": "Warsaw",
                     *         "country": "PL",
                     *         "line1": "Prosta 1",
                     *         "line2": null,
                     *         "postal_code": "00-001",
                     *         "state": "text"
                     *       },
                     *       "default_currency_code": "USD",
                     *       "default_currency": {
                     *         "code": "USD",
                     *         "name": "US Dollar",
                     *         "symbol": "$"
                     *       },
                     *       "tax_rate": 23,
                     *       "timezone": "Europe/Warsaw",
                     *       "invoice_locale": "en-GB",
                     *       "tax_ids": [
                     *         {
                     *           "type": "vat",
                     *           "value": "eu"
                     *         }
                     *       ],
                     *       "reverse_charge": true,
                     *       "payment_provider": "provider_a",
                     *       "payment_provider_id": "cus_42",
                     *       "properties": {},
                     *       "subscriptions": [
                     *         {
                     *           "subscription_id": "sub_5f0a1c3e7b2d4c6e8a9b0c1d2e3f4a5b",
                     *           "start_date": "2026-01-01T00:00:00Z",
                     *           "end_date": "2026-01-01T00:00:00Z",
                     *           "auto_renew": true,
                     *           "is_new": true,
                     *           "subscription_filters": [
                     *             {
                     *               "property_name": "region",
                     *               "value": "eu"
                     *             }
                     *           ],
                     *           "customer": {
                     *             "customer_id": "acme",
                     *             "customer_name": "Acme Inc",
                     *             "email": "billing@acme.example"
                     *           },
                     *           "billing_plan": {
                     *             "plan_name": "Pro",
                     *             "plan_id": "plan_5f0a1c3e7b2d4c6e8a9b0c1d2e3f4a5b",
                     *             "version_id": "plan_version_5f0a1c3e7b2d4c6e8a9b0c1d2e3f4a5b",
                     *             "version": 1
                     *           },
                     *           "fully_billed": true,
                     *           "addons": [
                     *             {
                     *               "addon_subscription_id": "addon_sub_5f0a1c3e7b2d4c6e8a9b0c1d2e3f4a5b",
                     *               "start_date": "2026-01-01T00:00:00Z",
                     *               "end_date": "2026-01-01T00:00:00Z",
                     *               "addon": {
                     *                 "addon_name": "Priority support",
                     *                 "addon_id": "addon_5f0a1c3e7b2d4c6e8a9b0c1d2e3f4a5b",
                     *                 "addon_type": "flat",
                     *                 "billing_frequency": "one_time"
                     *               },
                     *               "fully_billed": true
                     *             }
                     *           ],
                     *           "metadata": {}
                     *         }
                     *       ],
                     *       "invoices": [
                     *         {
                     *           "invoice_id": "invoice_5f0a1c3e-7b2d-4c6e-8a9b-0c1d2e3f4a5b",
                     *           "invoice_number": "260101-000001",
                     *           "cost_due": 1,
                     *           "amount": 1,
                     *           "currency": {
                     *             "code": "USD",
                     *             "name": "US Dollar",
                     *             "symbol": "$"
                     *           },
                     *           "issue_date": "2026-01-01T00:00:00Z",
                     *           "due_date": "2026-01-01T00:00:00Z",
                     *           "start_date": "2026-01-01",
                     *           "end_date": "2026-01-01",
                     *           "payment_status": "draft",
                     *           "external_payment_obj_id": "text",
                     *           "external_payment_obj_type": "provider_a",
                     *           "external_payment_obj_status": "text"
                     *         }
                     *       ],
                     *       "amounts_due": [
                     *         {
                     *           "currency": {
                     *             "code": "USD",
                     *             "name": "US Dollar",
                     *             "symbol": "$"
                     *           },
                     *           "amount": 1
                     *         }
                     *       ],
                     *       "total_amount_due": 1
                     *     }
                     */
                    "application/json": components["schemas"]["Customer"];
                };
            };
        };
    };
    listBulkChanges: {
        parameters: {
            query?: {
                /** @description Answers as it was at this moment of recorded time: by what was recorded until then, and with the clock at it. */
                as_of?: string;
            };
            header?: never;
            path: {
                /**
                 * @description Your own id of the customer.
                 * @example acme
                 */
                customer_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "bulk_changes": [
                     *         {
                     *           "request_id": "text",
                     *           "type": "change",
                     *           "accepted_at": "2026-01-01T00:00:00Z",
                     *           "status": "running",
                     *           "subscriptions": 1,
                     *           "subscriptions_done": 1
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": {
                        /** @description The latest first, at most ten. */
                        bulk_changes: components["schemas"]["BulkChange"][];
                    };
                };
            };
        };
    };
    deleteCustomer: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description Your own id of the customer.
                 * @example acme
                 */
                customer_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "customer_id": "acme",
                     *       "customer_name": "Acme Inc",
                     *       "email": "billing@acme.example",
                     *       "customer_key": "5f0a1c3e-7b2d-4c6e-8a9b-0c1d2e3f4a5b",
                     *       "address": {
                     *         "city": "Warsaw",
                     *         "country": "PL",
                     *         "line1": "Prosta 1",
                     *         "line2": null,
                     *         "postal_code": "00-001",
                     *         "state": "text"
                     *       },
                     *       "billing_address": {
                     *         "city": "Warsaw",
                     *         "country": "PL",
                     *         "line1": "Prosta 1",
                     *         "line2": null,
                     *         "postal_code": "00-001",
                     *         "state": "text"
                     *       },
                     *       "shipping_address": {
                     *         "city": "Warsaw",
                     *         "country": "PL",
                     *         "line1": "Prosta 1",
                     *         "line2": null,
                     *         "postal_code": "00-001",
                     *         "state": "text"
                     *       },
                     *       "default_currency_code": "USD",
                     *       "default_currency": {
                     *         "code": "USD",
                     *         "name": "US Dollar",
                     *         "symbol": "$"
                     *       },
                     *       "tax_rate": 23,
                     *       "timezone": "Europe/Warsaw",
                     *       "invoice_locale": "en-GB",
                     *       "tax_ids": [
                     *         {
                     *           "type": "vat",
                     *           "value": "eu"
                     *         }
                     *       ],
                     *       "reverse_charge": true,
                     *       "payment_provider": "provider_a",
                     *       "payment_provider_id": "cus_42",
                     *       "properties": {},
                     *       "num_subscriptions_canceled": 1
                     *     }
                     */
                    "application/json": components["schemas"]["DeletedCustomer"];
                };
            };
        };
    };
    getDraftInvoices: {
        parameters: {
            query?: {
                /** @description true: the charges in advance of the next period are in the draft. */
                include_next_period?: boolean;
                /** @description Answers as it was at this moment of recorded time: by what was recorded until then, and with the clock at it. */
                as_of?: string;
            };
            header?: never;
            path: {
                /**
                 * @description Your own id of the customer.
                 * @example acme
                 */
                customer_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "invoices": [
                     *         {
                     *           "invoice_id": "invoice_5f0a1c3e-7b2d-4c6e-8a9b-0c1d2e3f4a5b",
                     *           "invoice_number": "260101-000001",
                     *           "cost_due": 1,
                     *           "amount": 1,
                     *           "currency": {
                     *             "code": "USD",
                     *             "name": "US Dollar",
                     *             "symbol": "$"
                     *           },
                     *           "issue_date": "2026-01-01T00:00:00Z",
                     *           "due_date": "2026-01-01T00:00:00Z",
                     *           "start_date": "2026-01-01",
                     *           "end_date": "2026-01-01",
                     *           "payment_status": "draft",
                     *           "external_payment_obj_id": "text",
                     *           "external_payment_obj_type": "provider_a",
                     *           "external_payment_obj_status": "text",
                     *           "line_items": [
                     *             {
                     *               "name": "Pro",
                     *               "start_date": "2026-01-01T00:00:00Z",
                     *               "end_date": "2026-01-01T00:00:00Z",
                     *               "quantity": 1,
                     *               "billing_type": "in_advance",
                     *               "metadata": {},
                     *               "plan": {
                     *                 "plan_name": "Pro",
                     *                 "plan_id": "plan_5f0a1c3e7b2d4c6e8a9b0c1d2e3f4a5b",
                     *                 "version_id": "plan_version_5f0a1c3e7b2d4c6e8a9b0c1d2e3f4a5b",
                     *                 "version": 1
                     *               },
                     *               "subscription_filters": [
                     *                 {
                     *                   "property_name": "region",
                     *                   "value": "eu"
                     *                 }
                     *               ],
                     *               "base": 1,
                     *               "adjustments": [
                     *                 {
                     *                   "amount": "0.00",
                     *                   "account": "tax",
                     *                   "adjustment_type": "sales_tax"
                     *                 }
                     *               ],
                     *               "amount": 1,
                     *               "subtotal": 1
                     *             }
                     *           ],
                     *           "customer": {
                     *             "customer_id": "acme",
                     *             "customer_name": "Acme Inc",
                     *             "email": "billing@acme.example",
                     *             "address": {
                     *               "city": "Warsaw",
                     *               "country": "PL",
                     *               "line1": "Prosta 1",
                     *               "line2": null,
                     *               "postal_code": "00-001",
                     *               "state": "text"
                     *             }
                     *           },
                     *           "seller": {
                     *             "name": "Pro",
                     *             "address": {
                     *               "city": "Warsaw",
                     *               "country": "PL",
                     *               "line1": "Prosta 1",
                     *               "line2": null,
                     *               "postal_code": "00-001",
                     *               "state": "text"
                     *             },
                     *             "phone": "+48 22 000 00 00",
                     *             "email": "billing@acme.example"
                     *           },
                     *           "invoice_pdf": "https://recount.example.com/file"
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": components["schemas"]["DraftInvoices"];
                };
            };
        };
    };
    eraseCustomer: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description Your own id of the customer.
                 * @example acme
                 */
                customer_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "customer_id": "acme",
                     *       "customer_name": "Acme Inc",
                     *       "email": "billing@acme.example",
                     *       "customer_key": "5f0a1c3e-7b2d-4c6e-8a9b-0c1d2e3f4a5b",
                     *       "address": {
                     *         "city": "Warsaw",
                     *         "country": "PL",
                     *         "line1": "Prosta 1",
                     *         "line2": null,
                     *         "postal_code": "00-001",
                     *         "state": "text"
                     *       },
                     *       "billing_address": {
                     *         "city": "Warsaw",
                     *         "country": "PL",
                     *         "line1": "Prosta 1",
                     *         "line2": null,
                     *         "postal_code": "00-001",
                     *         "state": "text"
                     *       },
                     *       "shipping_address": {
                     *         "city": "Warsaw",
                     *         "country": "PL",
                     *         "line1": "Prosta 1",
                     *         "line2": null,
                     *         "postal_code": "00-001",
                     *         "state": "text"
                     *       },
                     *       "default_currency_code": "USD",
                     *       "default_currency": {
                     *         "code": "USD",
                     *         "name": "US Dollar",
                     *         "symbol": "$"
                     *       },
                     *       "tax_rate": 23,
                     *       "timezone": "Europe/Warsaw",
                     *       "invoice_locale": "en-GB",
                     *       "tax_ids": [
                     *         {
                     *           "type": "vat",
                     *           "value": "eu"
                     *         }
                     *       ],
                     *       "reverse_charge": true,
                     *       "payment_provider": "provider_a",
                     *       "payment_provider_id": "cus_42",
                     *       "properties": {}
                     *     }
                     */
                    "application/json": components["schemas"]["CustomerProfileResource"];
                };
            };
        };
    };
    listGrantedFeatures: {
        parameters: {
            query?: {
                /** @description Answers as it was at this moment of recorded time: by what was recorded until then, and with the clock at it. */
                as_of?: string;
            };
            header?: never;
            path: {
                /**
                 * @description Your own id of the customer.
                 * @example acme
                 */
                customer_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "features": [
                     *         {
                     *           "feature": {
                     *             "feature_id": "feature_5f0a1c3e7b2d4c6e8a9b0c1d2e3f4a5b",
                     *             "feature_name": "Single sign-on",
                     *             "feature_description": "Login with your identity provider."
                     *           },
                     *           "access": true,
                     *           "access_per_subscription": [
                     *             {
                     *               "subscription": {
                     *                 "start_date": "2026-01-01T00:00:00Z",
                     *                 "end_date": "2026-01-01T00:00:00Z",
                     *                 "subscription_filters": [
                     *                   {
                     *                     "property_name": "region",
                     *                     "value": "eu"
                     *                   }
                     *                 ],
                     *                 "plan": {
                     *                   "plan_name": "Pro",
                     *                   "plan_id": "plan_5f0a1c3e7b2d4c6e8a9b0c1d2e3f4a5b",
                     *                   "version_id": "plan_version_5f0a1c3e7b2d4c6e8a9b0c1d2e3f4a5b",
                     *                   "version": 1
                     *                 }
                     *               },
                     *               "access": true
                     *             }
                     *           ]
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": components["schemas"]["GrantedFeatures"];
                };
            };
        };
    };
    listEvents: {
        parameters: {
            query?: {
                /** @description Your own id of the customer. */
                customer_id?: string;
                /** @description Id of the subscription. A switch and a renewal begin a new one. */
                subscription_id?: string;
                /** @description Id of the metric. */
                metric_id?: string;
                /** @description Keeps events of this name. */
                event_name?: string;
                /** @description Keeps the event with this id. */
                idempotency_id?: string;
                /**
                 * @description Keeps events in one of these states.
                 *
                 *     - `counted`: Events that billing counted.
                 *     - `pending`: Events whose window waits for its billing run.
                 *     - `late`: Events that came after their window was counted.
                 *     - `not_charged`: Events in a window without a charge.
                 *     - `uncounted`: Events that nothing counts.
                 */
                state?: ("counted" | "pending" | "late" | "not_charged" | "uncounted")[];
                /** @description Keeps events from this instant on. */
                range_start?: string;
                /** @description Keeps events before this instant. */
                range_end?: string;
                /**
                 * @description Field that orders the list; a minus before it puts the last first. Amounts are ordered by currency first, and a missing time stands after every other. An entry whose amount or count changes between two pages may come twice or be left out; with as_of all pages are of one moment.
                 *
                 *     - `time_created`: Earliest event first.
                 *     - `-time_created`: Latest event first.
                 */
                ordering?: "time_created" | "-time_created";
                /** @description Most entries of the answer. */
                limit?: number;
                /** @description From the Link header of the page before. */
                cursor?: string;
                /** @description Answers as it was at this moment of recorded time: by what was recorded until then, and with the clock at it. */
                as_of?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example [
                     *       {
                     *         "idempotency_id": "request-1",
                     *         "customer_id": "acme",
                     *         "customer_key": "5f0a1c3e-7b2d-4c6e-8a9b-0c1d2e3f4a5b",
                     *         "event_name": "api_request",
                     *         "time_created": "2026-01-01T00:00:00Z",
                     *         "received_at": "2026-01-01T00:00:00Z",
                     *         "properties": {},
                     *         "state": "counted",
                     *         "reason": "unknown_customer",
                     *         "windows": [
                     *           {
                     *             "subscription_id": "sub_5f0a1c3e7b2d4c6e8a9b0c1d2e3f4a5b",
                     *             "addon_subscription_id": "addon_sub_5f0a1c3e7b2d4c6e8a9b0c1d2e3f4a5b",
                     *             "metric_id": "metric_5f0a1c3e7b2d4c6e8a9b0c1d2e3f4a5b",
                     *             "start_date": "2026-01-01T00:00:00Z",
                     *             "end_date": "2026-01-01T00:00:00Z",
                     *             "state": "counted",
                     *             "invoice_ids": [
                     *               "invoice_5f0a1c3e-7b2d-4c6e-8a9b-0c1d2e3f4a5b"
                     *             ]
                     *           }
                     *         ]
                     *       }
                     *     ]
                     */
                    "application/json": components["schemas"]["StoredEvent"][];
                };
            };
        };
    };
    getFeatureAccess: {
        parameters: {
            query: {
                /**
                 * @description Your own id of the customer.
                 * @example acme
                 */
                customer_id: string;
                /**
                 * @description Id of the feature.
                 * @example feature_5f0a1c3e7b2d4c6e8a9b0c1d2e3f4a5b
                 */
                feature_id: string;
                /** @description A JSON list of filters, as one text: `[{"property_name":"region","value":"eu"}]`. Also `subscription_filters[]={json}` and `subscription_filters[0][property_name]=…&subscription_filters[0][value]=…`. */
                subscription_filters?: components["schemas"]["SubscriptionFilter"][];
                /** @description Answers as it was at this moment of recorded time: by what was recorded until then, and with the clock at it. */
                as_of?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "customer": {
                     *         "customer_id": "acme",
                     *         "customer_name": "Acme Inc",
                     *         "email": "billing@acme.example"
                     *       },
                     *       "feature": {
                     *         "feature_id": "feature_5f0a1c3e7b2d4c6e8a9b0c1d2e3f4a5b",
                     *         "feature_name": "Single sign-on",
                     *         "feature_description": "Login with your identity provider."
                     *       },
                     *       "access": true,
                     *       "access_per_subscription": [
                     *         {
                     *           "subscription": {
                     *             "start_date": "2026-01-01T00:00:00Z",
                     *             "end_date": "2026-01-01T00:00:00Z",
                     *             "subscription_filters": [
                     *               {
                     *                 "property_name": "region",
                     *                 "value": "eu"
                     *               }
                     *             ],
                     *             "plan": {
                     *               "plan_name": "Pro",
                     *               "plan_id": "plan_5f0a1c3e7b2d4c6e8a9b0c1d2e3f4a5b",
                     *               "version_id": "plan_version_5f0a1c3e7b2d4c6e8a9b0c1d2e3f4a5b",
                     *               "version": 1
                     *             }
                     *           },
                     *           "access": true
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": components["schemas"]["FeatureAccess"];
                };
            };
        };
    };
    listFeatures: {
        parameters: {
            query?: {
                /** @description Most entries of the answer. */
                limit?: number;
                /** @description From the Link header of the page before. */
                cursor?: string;
                /** @description Answers as it was at this moment of recorded time: by what was recorded until then, and with the clock at it. */
                as_of?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example [
                     *       {
                     *         "feature_id": "feature_5f0a1c3e7b2d4c6e8a9b0c1d2e3f4a5b",
                     *         "feature_name": "Single sign-on",
                     *         "feature_description": "Login with your identity provider."
                     *       }
                     *     ]
                     */
                    "application/json": components["schemas"]["Feature"][];
                };
            };
        };
    };
    createFeature: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CreateFeatureBody"];
            };
        };
        responses: {
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "feature_id": "feature_5f0a1c3e7b2d4c6e8a9b0c1d2e3f4a5b",
                     *       "feature_name": "Single sign-on",
                     *       "feature_description": "Login with your identity provider."
                     *     }
                     */
                    "application/json": components["schemas"]["Feature"];
                };
            };
        };
    };
    getFeature: {
        parameters: {
            query?: {
                /** @description Answers as it was at this moment of recorded time: by what was recorded until then, and with the clock at it. */
                as_of?: string;
            };
            header?: never;
            path: {
                /**
                 * @description Id of the feature.
                 * @example feature_5f0a1c3e7b2d4c6e8a9b0c1d2e3f4a5b
                 */
                feature_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "feature_id": "feature_5f0a1c3e7b2d4c6e8a9b0c1d2e3f4a5b",
                     *       "feature_name": "Single sign-on",
                     *       "feature_description": "Login with your identity provider."
                     *     }
                     */
                    "application/json": components["schemas"]["Feature"];
                };
            };
        };
    };
    checkHealth: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /** @example {} */
                    "application/json": Record<string, never>;
                };
            };
        };
    };
    listInvoices: {
        parameters: {
            query?: {
                /** @description Your own id of the customer. */
                customer_id?: string;
                /**
                 * @description Keeps invoices with these payment statuses; by default both.
                 *
                 *     - `unpaid`: Something is due.
                 *     - `paid`: Nothing is due.
                 */
                status?: ("unpaid" | "paid")[];
                /**
                 * @description Another name of `status`.
                 *
                 *     - `unpaid`: Something is due.
                 *     - `paid`: Nothing is due.
                 */
                payment_status?: ("unpaid" | "paid")[];
                /** @description Lists the voided invoices instead of those that are paid or unpaid. */
                voided?: boolean;
                /** @description Lists the voided invoices beside those that are paid or unpaid. */
                include_voided?: boolean;
                /** @description Keeps unpaid invoices whose due date is past. */
                overdue?: boolean;
                /** @description Keeps invoices in this currency (ISO 4217), in any case. */
                currency_code?: string;
                /** @description Keeps the invoice with this number. */
                invoice_number?: string;
                /** @description Keeps invoices that were issued at this instant or later. */
                issued_after?: string;
                /** @description Keeps invoices that were issued at this instant or earlier. */
                issued_before?: string;
                /**
                 * @description Field that orders the list; a minus before it puts the last first. Amounts are ordered by currency first, and a missing time stands after every other. An entry whose amount or count changes between two pages may come twice or be left out; with as_of all pages are of one moment.
                 *
                 *     - `invoice_number`: Lowest number first.
                 *     - `-invoice_number`: Highest number first.
                 *     - `issue_date`: Oldest first.
                 *     - `-issue_date`: Newest first.
                 *     - `due_date`: To be paid soonest first.
                 *     - `-due_date`: To be paid last first.
                 *     - `amount`: Lowest amount of each currency first.
                 *     - `-amount`: Highest amount of each currency first.
                 *     - `cost_due`: Least due of each currency first.
                 *     - `-cost_due`: Most due of each currency first.
                 */
                ordering?: "invoice_number" | "-invoice_number" | "issue_date" | "-issue_date" | "due_date" | "-due_date" | "amount" | "-amount" | "cost_due" | "-cost_due";
                /** @description Most entries of the answer. */
                limit?: number;
                /** @description From the Link header of the page before. */
                cursor?: string;
                /** @description Answers as it was at this moment of recorded time: by what was recorded until then, and with the clock at it. */
                as_of?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example [
                     *       {
                     *         "invoice_id": "invoice_5f0a1c3e-7b2d-4c6e-8a9b-0c1d2e3f4a5b",
                     *         "invoice_number": "260101-000001",
                     *         "cost_due": 1,
                     *         "amount": 1,
                     *         "currency": {
                     *           "code": "USD",
                     *           "name": "US Dollar",
                     *           "symbol": "$"
                     *         },
                     *         "issue_date": "2026-01-01T00:00:00Z",
                     *         "due_date": "2026-01-01T00:00:00Z",
                     *         "start_date": "2026-01-01",
                     *         "end_date": "2026-01-01",
                     *         "payment_status": "draft",
                     *         "external_payment_obj_id": "text",
                     *         "external_payment_obj_type": "provider_a",
                     *         "external_payment_obj_status": "text",
                     *         "line_items": [
                     *           {
                     *             "name": "Pro",
                     *             "start_date": "2026-01-01T00:00:00Z",
                     *             "end_date": "2026-01-01T00:00:00Z",
                     *             "quantity": 1,
                     *             "billing_type": "in_advance",
                     *             "metadata": {},
                     *             "plan": {
                     *               "plan_name": "Pro",
                     *               "plan_id": "plan_5f0a1c3e7b2d4c6e8a9b0c1d2e3f4a5b",
                     *               "version_id": "plan_version_5f0a1c3e7b2d4c6e8a9b0c1d2e3f4a5b",
                     *               "version": 1
                     *             },
                     *             "subscription_filters": [
                     *               {
                     *                 "property_name": "region",
                     *                 "value": "eu"
                     *               }
                     *             ],
                     *             "base": 1,
                     *             "adjustments": [
                     *               {
                     *                 "amount": "0.00",
                     *                 "account": "tax",
                     *                 "adjustment_type": "sales_tax"
                     *               }
                     *             ],
                     *             "amount": 1,
                     *             "subtotal": 1
                     *           }
                     *         ],
                     *         "customer": {
                     *           "customer_id": "acme",
                     *           "customer_name": "Acme Inc",
                     *           "email": "billing@acme.example",
                     *           "address": {
                     *             "city": "Warsaw",
                     *             "country": "PL",
                     *             "line1": "Prosta 1",
                     *             "line2": null,
                     *             "postal_code": "00-001",
                     *             "state": "text"
                     *           }
                     *         },
                     *         "seller": {
                     *           "name": "Pro",
                     *           "address": {
                     *             "city": "Warsaw",
                     *             "country": "PL",
                     *             "line1": "Prosta 1",
                     *             "line2": null,
                     *             "postal_code": "00-001",
                     *             "state": "text"
                     *           },
                     *           "phone": "+48 22 000 00 00",
                     *           "email": "billing@acme.example"
                     *         },
                     *         "invoice_pdf": "https://recount.example.com/file"
                     *       }
                     *     ]
                     */
                    "application/json": components["schemas"]["Invoice"][];
                };
            };
        };
    };
    getInvoice: {
        parameters: {
            query?: {
                /** @description Answers as it was at this moment of recorded time: by what was recorded until then, and with the clock at it. */
                as_of?: string;
            };
            header?: never;
            path: {
                /**
                 * @description Id of the invoice (`invoice_` and a uuid). A path also takes its number.
                 * @example invoice_5f0a1c3e-7b2d-4c6e-8a9b-0c1d2e3f4a5b
                 */
                invoice_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "invoice_id": "invoice_5f0a1c3e-7b2d-4c6e-8a9b-0c1d2e3f4a5b",
                     *       "invoice_number": "260101-000001",
                     *       "cost_due": 1,
                     *       "amount": 1,
                     *       "currency": {
                     *         "code": "USD",
                     *         "name": "US Dollar",
                     *         "symbol": "$"
                     *       },
                     *       "issue_date": "2026-01-01T00:00:00Z",
                     *       "due_date": "2026-01-01T00:00:00Z",
                     *       "start_date": "2026-01-01",
                     *       "end_date": "2026-01-01",
                     *       "payment_status": "draft",
                     *       "external_payment_obj_id": "text",
                     *       "external_payment_obj_type": "provider_a",
                     *       "external_payment_obj_status": "text",
                     *       "line_items": [
                     *         {
                     *           "name": "Pro",
                     *           "start_date": "2026-01-01T00:00:00Z",
                     *           "end_date": "2026-01-01T00:00:00Z",
                     *           "quantity": 1,
                     *           "billing_type": "in_advance",
                     *           "metadata": {},
                     *           "plan": {
                     *             "plan_name": "Pro",
                     *             "plan_id": "plan_5f0a1c3e7b2d4c6e8a9b0c1d2e3f4a5b",
                     *             "version_id": "plan_version_5f0a1c3e7b2d4c6e8a9b0c1d2e3f4a5b",
                     *             "version": 1
                     *           },
                     *           "subscription_filters": [
                     *             {
                     *               "property_name": "region",
                     *               "value": "eu"
                     *             }
                     *           ],
                     *           "base": 1,
                     *           "adjustments": [
                     *             {
                     *               "amount": "0.00",
                     *               "account": "tax",
                     *               "adjustment_type": "sales_tax"
                     *             }
                     *           ],
                     *           "amount": 1,
                     *           "subtotal": 1
                     *         }
                     *       ],
                     *       "customer": {
                     *         "customer_id": "acme",
                     *         "customer_name": "Acme Inc",
                     *         "email": "billing@acme.example",
                     *         "address": {
                     *           "city": "Warsaw",
                     *           "country": "PL",
                     *           "line1": "Prosta 1",
                     *           "line2": null,
                     *           "postal_code": "00-001",
                     *           "state": "text"
                     *         }
                     *       },
                     *       "seller": {
                     *         "name": "Pro",
                     *         "address": {
                     *           "city": "Warsaw",
                     *           "country": "PL",
                     *           "line1": "Prosta 1",
                     *           "line2": null,
                     *           "postal_code": "00-001",
                     *           "state": "text"
                     *         },
                     *         "phone": "+48 22 000 00 00",
                     *         "email": "billing@acme.example"
                     *       },
                     *       "invoice_pdf": "https://recount.example.com/file"
                     *     }
                     */
                    "application/json": components["schemas"]["Invoice"];
                };
            };
        };
    };
    updateInvoice: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description Id of the invoice (`invoice_` and a uuid). A path also takes its number.
                 * @example invoice_5f0a1c3e-7b2d-4c6e-8a9b-0c1d2e3f4a5b
                 */
                invoice_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ChangePaymentBody"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "invoice_id": "invoice_5f0a1c3e-7b2d-4c6e-8a9b-0c1d2e3f4a5b",
                     *       "invoice_number": "260101-000001",
                     *       "cost_due": 1,
                     *       "amount": 1,
                     *       "currency": {
                     *         "code": "USD",
                     *         "name": "US Dollar",
                     *         "symbol": "$"
                     *       },
                     *       "issue_date": "2026-01-01T00:00:00Z",
                     *       "due_date": "2026-01-01T00:00:00Z",
                     *       "start_date": "2026-01-01",
                     *       "end_date": "2026-01-01",
                     *       "payment_status": "draft",
                     *       "external_payment_obj_id": "text",
                     *       "external_payment_obj_type": "provider_a",
                     *       "external_payment_obj_status": "text",
                     *       "line_items": [
                     *         {
                     *           "name": "Pro",
                     *           "start_date": "2026-01-01T00:00:00Z",
                     *           "end_date": "2026-01-01T00:00:00Z",
                     *           "quantity": 1,
                     *           "billing_type": "in_advance",
                     *           "metadata": {},
                     *           "plan": {
                     *             "plan_name": "Pro",
                     *             "plan_id": "plan_5f0a1c3e7b2d4c6e8a9b0c1d2e3f4a5b",
                     *             "version_id": "plan_version_5f0a1c3e7b2d4c6e8a9b0c1d2e3f4a5b",
                     *             "version": 1
                     *           },
                     *           "subscription_filters": [
                     *             {
                     *               "property_name": "region",
                     *               "value": "eu"
                     *             }
                     *           ],
                     *           "base": 1,
                     *           "adjustments": [
                     *             {
                     *               "amount": "0.00",
                     *               "account": "tax",
                     *               "adjustment_type": "sales_tax"
                     *             }
                     *           ],
                     *           "amount": 1,
                     *           "subtotal": 1
                     *         }
                     *       ],
                     *       "customer": {
                     *         "customer_id": "acme",
                     *         "customer_name": "Acme Inc",
                     *         "email": "billing@acme.example",
                     *         "address": {
                     *           "city": "Warsaw",
                     *           "country": "PL",
                     *           "line1": "Prosta 1",
                     *           "line2": null,
                     *           "postal_code": "00-001",
                     *           "state": "text"
                     *         }
                     *       },
                     *       "seller": {
                     *         "name": "Pro",
                     *         "address": {
                     *           "city": "Warsaw",
                     *           "country": "PL",
                     *           "line1": "Prosta 1",
                     *           "line2": null,
                     *           "postal_code": "00-001",
                     *           "state": "text"
                     *         },
                     *         "phone": "+48 22 000 00 00",
                     *         "email": "billing@acme.example"
                     *       },
                     *       "invoice_pdf": "https://recount.example.com/file"
                     *     }
                     */
                    "application/json": components["schemas"]["Invoice"];
                };
            };
        };
    };
    getEInvoice: {
        parameters: {
            query?: {
                /** @description Answers as it was at this moment of recorded time: by what was recorded until then, and with the clock at it. */
                as_of?: string;
            };
            header?: never;
            path: {
                /**
                 * @description Id of the invoice (`invoice_` and a uuid). A path also takes its number.
                 * @example invoice_5f0a1c3e-7b2d-4c6e-8a9b-0c1d2e3f4a5b
                 */
                invoice_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/xml": string;
                };
            };
        };
    };
    getEInvoicePdf: {
        parameters: {
            query?: {
                /** @description Answers as it was at this moment of recorded time: by what was recorded until then, and with the clock at it. */
                as_of?: string;
            };
            header?: never;
            path: {
                /**
                 * @description Id of the invoice (`invoice_` and a uuid). A path also takes its number.
                 * @example invoice_5f0a1c3e-7b2d-4c6e-8a9b-0c1d2e3f4a5b
                 */
                invoice_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/pdf": string;
                };
            };
        };
    };
    getInvoiceEvidence: {
        parameters: {
            query?: {
                /**
                 * @description Files that the archive has besides.
                 *
                 *     - `pdf`: PDFs; they show persons.
                 *     - `personal_data`: Customer details; scope `admin`.
                 */
                include?: ("pdf" | "personal_data")[];
                /** @description Size of a checkpoint that you have kept: the archive proves that its tree continues it. The newest 200 need not be asked for. */
                since?: number;
                /** @description Answers as it was at this moment of recorded time: by what was recorded until then, and with the clock at it. */
                as_of?: string;
            };
            header?: never;
            path: {
                /**
                 * @description Id of the invoice (`invoice_` and a uuid). A path also takes its number.
                 * @example invoice_5f0a1c3e-7b2d-4c6e-8a9b-0c1d2e3f4a5b
                 */
                invoice_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/zip": string;
                };
            };
        };
    };
    explainInvoice: {
        parameters: {
            query?: {
                /** @description Answers as it was at this moment of recorded time: by what was recorded until then, and with the clock at it. */
                as_of?: string;
            };
            header?: never;
            path: {
                /**
                 * @description Id of the invoice (`invoice_` and a uuid). A path also takes its number.
                 * @example invoice_5f0a1c3e-7b2d-4c6e-8a9b-0c1d2e3f4a5b
                 */
                invoice_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "invoice_id": "invoice_5f0a1c3e-7b2d-4c6e-8a9b-0c1d2e3f4a5b",
                     *       "invoice_number": "260101-000001",
                     *       "as_of": "2026-01-01T00:00:00Z",
                     *       "policy": null,
                     *       "fingerprint": "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08",
                     *       "result_hash": "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08",
                     *       "computed_by": {
                     *         "position": "text",
                     *         "type": "text",
                     *         "effective_at": "2026-01-01T00:00:00Z",
                     *         "recorded_at": "2026-01-01T00:00:00Z",
                     *         "actor": "text",
                     *         "actor_name": "text",
                     *         "request_id": "text"
                     *       },
                     *       "inputs": null,
                     *       "totals": {
                     *         "base": 1,
                     *         "adjustments": 1,
                     *         "amount": 1,
                     *         "cost_due": 1
                     *       },
                     *       "lines": [
                     *         {
                     *           "line": 1,
                     *           "name": "Pro",
                     *           "subscription_id": "sub_5f0a1c3e7b2d4c6e8a9b0c1d2e3f4a5b",
                     *           "rule": "text",
                     *           "fraction": "text",
                     *           "inputs": {
                     *             "billing_type": "text",
                     *             "start": "2026-01-01T00:00:00Z",
                     *             "end": "2026-01-01T00:00:00Z",
                     *             "quantity": 1,
                     *             "price": null,
                     *             "prepaid_units": [
                     *               {
                     *                 "units": 1,
                     *                 "from": "2026-01-01T00:00:00Z",
                     *                 "fraction": null
                     *               }
                     *             ],
                     *             "plan_version_id": "plan_version_5f0a1c3e7b2d4c6e8a9b0c1d2e3f4a5b",
                     *             "tax_rate": null
                     *           },
                     *           "base": 1,
                     *           "adjustments": [
                     *             {
                     *               "adjustment_type": "text",
                     *               "account": "tax",
                     *               "amount": 1,
                     *               "rule": "text",
                     *               "figure": "text",
                     *               "allocation": {
                     *                 "total": 1,
                     *                 "base": 1,
                     *                 "own_base": 1,
                     *                 "carried_back": 1,
                     *                 "lines": [
                     *                   1
                     *                 ],
                     *                 "of_period": {
                     *                   "start": "2026-01-01T00:00:00Z",
                     *                   "end": "2026-01-01T00:00:00Z",
                     *                   "full_interval": {
                     *                     "start": "2026-01-01T00:00:00Z",
                     *                     "end": "2026-01-01T00:00:00Z"
                     *                   },
                     *                   "rounded_before": "text",
                     *                   "rounded_up_to": "text",
                     *                   "amount": 1,
                     *                   "base": 1,
                     *                   "adjusted": 1
                     *                 }
                     *               }
                     *             }
                     *           ],
                     *           "subtotal": 1,
                     *           "amount": 1,
                     *           "usage": {
                     *             "close_id": "text",
                     *             "metric_id": "metric_5f0a1c3e7b2d4c6e8a9b0c1d2e3f4a5b",
                     *             "window": {
                     *               "start": "2026-01-01T00:00:00Z",
                     *               "end": "2026-01-01T00:00:00Z"
                     *             },
                     *             "quantity": "text",
                     *             "event_count": 1,
                     *             "absent_values": 1,
                     *             "sealed_up_to": "text",
                     *             "digest": "text",
                     *             "level": "text",
                     *             "after_close_id": "text",
                     *             "average": {
                     *               "sum": "text",
                     *               "values": 1
                     *             },
                     *             "rate": {
                     *               "idempotency_id": "request-1",
                     *               "start": "2026-01-01T00:00:00Z",
                     *               "end": "2026-01-01T00:00:00Z",
                     *               "event_count": 1,
                     *               "values": 1,
                     *               "total": "text"
                     *             },
                     *             "gauge": {
                     *               "peak_at": "2026-01-01T00:00:00Z",
                     *               "runs": [
                     *                 {
                     *                   "start": "2026-01-01T00:00:00Z",
                     *                   "end": "2026-01-01T00:00:00Z",
                     *                   "peak": "text",
                     *                   "seconds": "text",
                     *                   "granularity_seconds": "text",
                     *                   "quantity": "text"
                     *                 }
                     *               ],
                     *               "further_runs": {
                     *                 "runs": 1,
                     *                 "quantity": "text"
                     *               }
                     *             }
                     *           },
                     *           "previous_usage": {
                     *             "close_id": "text",
                     *             "metric_id": "metric_5f0a1c3e7b2d4c6e8a9b0c1d2e3f4a5b",
                     *             "window": {
                     *               "start": "2026-01-01T00:00:00Z",
                     *               "end": "2026-01-01T00:00:00Z"
                     *             },
                     *             "quantity": "text",
                     *             "event_count": 1,
                     *             "absent_values": 1,
                     *             "sealed_up_to": "text",
                     *             "digest": "text",
                     *             "level": "text",
                     *             "after_close_id": "text",
                     *             "average": {
                     *               "sum": "text",
                     *               "values": 1
                     *             },
                     *             "rate": {
                     *               "idempotency_id": "request-1",
                     *               "start": "2026-01-01T00:00:00Z",
                     *               "end": "2026-01-01T00:00:00Z",
                     *               "event_count": 1,
                     *               "values": 1,
                     *               "total": "text"
                     *             },
                     *             "gauge": {
                     *               "peak_at": "2026-01-01T00:00:00Z",
                     *               "runs": [
                     *                 {
                     *                   "start": "2026-01-01T00:00:00Z",
                     *                   "end": "2026-01-01T00:00:00Z",
                     *                   "peak": "text",
                     *                   "seconds": "text",
                     *                   "granularity_seconds": "text",
                     *                   "quantity": "text"
                     *                 }
                     *               ],
                     *               "further_runs": {
                     *                 "runs": 1,
                     *                 "quantity": "text"
                     *               }
                     *             }
                     *           },
                     *           "reverses": [
                     *             {
                     *               "invoice_id": "invoice_5f0a1c3e-7b2d-4c6e-8a9b-0c1d2e3f4a5b",
                     *               "invoice_number": "260101-000001",
                     *               "line": 1,
                     *               "amount": 1
                     *             }
                     *           ],
                     *           "credits": [
                     *             {
                     *               "credit_id": "credit_5f0a1c3e7b2d4c6e8a9b0c1d2e3f4a5b",
                     *               "amount": 1
                     *             }
                     *           ],
                     *           "settings": [
                     *             {
                     *               "source": "text",
                     *               "setting": "text",
                     *               "value": null,
                     *               "event": {
                     *                 "position": "text",
                     *                 "type": "text",
                     *                 "effective_at": "2026-01-01T00:00:00Z",
                     *                 "recorded_at": "2026-01-01T00:00:00Z",
                     *                 "actor": "text",
                     *                 "actor_name": "text",
                     *                 "request_id": "text"
                     *               }
                     *             }
                     *           ],
                     *           "calculation": {
                     *             "charge_key": "text",
                     *             "steps": [
                     *               {
                     *                 "what": "recurring_charge",
                     *                 "units": "text",
                     *                 "covered": "text",
                     *                 "prepaid_units": "text",
                     *                 "unit_price": "text",
                     *                 "tiers": [
                     *                   {
                     *                     "tier": 1,
                     *                     "type": "flat",
                     *                     "from": "text",
                     *                     "to": "text",
                     *                     "units": "text",
                     *                     "batches": "text",
                     *                     "unit_price": "text",
                     *                     "units_per_batch": "text",
                     *                     "rounding": "text",
                     *                     "flat_fee": "text",
                     *                     "amount": "text"
                     *                   }
                     *                 ],
                     *                 "bulk_pricing_enabled": true,
                     *                 "price": "text",
                     *                 "start": "2026-01-01T00:00:00Z",
                     *                 "end": "2026-01-01T00:00:00Z",
                     *                 "prorated": true,
                     *                 "fraction": "text",
                     *                 "rounded_before": "text",
                     *                 "rounded_up_to": "text",
                     *                 "amount": "text"
                     *               }
                     *             ],
                     *             "exact": "text",
                     *             "due": 1,
                     *             "charged_before": 1,
                     *             "earlier_lines": [
                     *               {
                     *                 "invoice_id": "invoice_5f0a1c3e-7b2d-4c6e-8a9b-0c1d2e3f4a5b",
                     *                 "invoice_number": "260101-000001",
                     *                 "line": 1,
                     *                 "base": 1
                     *               }
                     *             ],
                     *             "window": {
                     *               "start": "2026-01-01T00:00:00Z",
                     *               "end": "2026-01-01T00:00:00Z"
                     *             },
                     *             "full_interval": {
                     *               "start": "2026-01-01T00:00:00Z",
                     *               "end": "2026-01-01T00:00:00Z"
                     *             },
                     *             "proration_basis": "text",
                     *             "timezone": "Europe/Warsaw"
                     *           },
                     *           "follows_from": [
                     *             {
                     *               "position": "text",
                     *               "type": "text",
                     *               "effective_at": "2026-01-01T00:00:00Z",
                     *               "recorded_at": "2026-01-01T00:00:00Z",
                     *               "actor": "text",
                     *               "actor_name": "text",
                     *               "request_id": "text"
                     *             }
                     *           ]
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": components["schemas"]["InvoiceExplanation"];
                };
            };
        };
    };
    listLineEvents: {
        parameters: {
            query?: {
                /**
                 * @description Field that orders the list; a minus before it puts the last first. Amounts are ordered by currency first, and a missing time stands after every other. An entry whose amount or count changes between two pages may come twice or be left out; with as_of all pages are of one moment.
                 *
                 *     - `time_created`: Earliest event first.
                 *     - `-time_created`: Latest event first.
                 */
                ordering?: "time_created" | "-time_created";
                /** @description Most entries of the answer. */
                limit?: number;
                /** @description From the Link header of the page before. */
                cursor?: string;
                /** @description Answers as it was at this moment of recorded time: by what was recorded until then, and with the clock at it. */
                as_of?: string;
            };
            header?: never;
            path: {
                /**
                 * @description Id of the invoice (`invoice_` and a uuid). A path also takes its number.
                 * @example invoice_5f0a1c3e-7b2d-4c6e-8a9b-0c1d2e3f4a5b
                 */
                invoice_id: string;
                /**
                 * @description Position on the invoice, from 1.
                 * @example 1
                 */
                line: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example [
                     *       {
                     *         "idempotency_id": "request-1",
                     *         "event_name": "api_request",
                     *         "time_created": "2026-01-01T00:00:00Z",
                     *         "properties": {}
                     *       }
                     *     ]
                     */
                    "application/json": components["schemas"]["CountedEvent"][];
                };
            };
        };
    };
    getInvoicePdf: {
        parameters: {
            query?: {
                /** @description Organization of the link; part of the signature. */
                org?: string;
                /** @description Until when the link opens; part of the signature. */
                expires?: string;
                /** @description Signature of the link. */
                signature?: string;
                /** @description Answers as it was at this moment of recorded time: by what was recorded until then, and with the clock at it. */
                as_of?: string;
            };
            header?: never;
            path: {
                /**
                 * @description Id of the invoice (`invoice_` and a uuid). A path also takes its number.
                 * @example invoice_5f0a1c3e-7b2d-4c6e-8a9b-0c1d2e3f4a5b
                 */
                invoice_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/pdf": string;
                };
            };
        };
    };
    getInvoicePdfUrl: {
        parameters: {
            query?: {
                /** @description Answers as it was at this moment of recorded time: by what was recorded until then, and with the clock at it. */
                as_of?: string;
            };
            header?: never;
            path: {
                /**
                 * @description Id of the invoice (`invoice_` and a uuid). A path also takes its number.
                 * @example invoice_5f0a1c3e-7b2d-4c6e-8a9b-0c1d2e3f4a5b
                 */
                invoice_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "invoice_id": "invoice_5f0a1c3e-7b2d-4c6e-8a9b-0c1d2e3f4a5b",
                     *       "invoice_number": "260101-000001",
                     *       "cost_due": 1,
                     *       "amount": 1,
                     *       "currency": {
                     *         "code": "USD",
                     *         "name": "US Dollar",
                     *         "symbol": "$"
                     *       },
                     *       "issue_date": "2026-01-01T00:00:00Z",
                     *       "due_date": "2026-01-01T00:00:00Z",
                     *       "start_date": "2026-01-01",
                     *       "end_date": "2026-01-01",
                     *       "payment_status": "draft",
                     *       "external_payment_obj_id": "text",
                     *       "external_payment_obj_type": "provider_a",
                     *       "external_payment_obj_status": "text",
                     *       "line_items": [
                     *         {
                     *           "name": "Pro",
                     *           "start_date": "2026-01-01T00:00:00Z",
                     *           "end_date": "2026-01-01T00:00:00Z",
                     *           "quantity": 1,
                     *           "billing_type": "in_advance",
                     *           "metadata": {},
                     *           "plan": {
                     *             "plan_name": "Pro",
                     *             "plan_id": "plan_5f0a1c3e7b2d4c6e8a9b0c1d2e3f4a5b",
                     *             "version_id": "plan_version_5f0a1c3e7b2d4c6e8a9b0c1d2e3f4a5b",
                     *             "version": 1
                     *           },
                     *           "subscription_filters": [
                     *             {
                     *               "property_name": "region",
                     *               "value": "eu"
                     *             }
                     *           ],
                     *           "base": 1,
                     *           "adjustments": [
                     *             {
                     *               "amount": "0.00",
                     *               "account": "tax",
                     *               "adjustment_type": "sales_tax"
                     *             }
                     *           ],
                     *           "amount": 1,
                     *           "subtotal": 1
                     *         }
                     *       ],
                     *       "customer": {
                     *         "customer_id": "acme",
                     *         "customer_name": "Acme Inc",
                     *         "email": "billing@acme.example",
                     *         "address": {
                     *           "city": "Warsaw",
                     *           "country": "PL",
                     *           "line1": "Prosta 1",
                     *           "line2": null,
                     *           "postal_code": "00-001",
                     *           "state": "text"
                     *         }
                     *       },
                     *       "seller": {
                     *         "name": "Pro",
                     *         "address": {
                     *           "city": "Warsaw",
                     *           "country": "PL",
                     *           "line1": "Prosta 1",
                     *           "line2": null,
                     *           "postal_code": "00-001",
                     *           "state": "text"
                     *         },
                     *         "phone": "+48 22 000 00 00",
                     *         "email": "billing@acme.example"
                     *       },
                     *       "invoice_pdf": "https://recount.example.com/file",
                     *       "url": "https://recount.example.com/file"
                     *     }
                     */
                    "application/json": components["schemas"]["LinkedInvoice"];
                };
            };
        };
    };
    verifyInvoice: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description Id of the invoice (`invoice_` and a uuid). A path also takes its number.
                 * @example invoice_5f0a1c3e-7b2d-4c6e-8a9b-0c1d2e3f4a5b
                 */
                invoice_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "ok": true,
                     *       "fingerprint": "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08",
                     *       "result_hash": "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08",
                     *       "differences": [
                     *         "text"
                     *       ]
                     *     }
                     */
                    "application/json": components["schemas"]["Verification"];
                };
            };
        };
    };
    voidInvoice: {
        parameters: {
            query?: {
                /** @description true: a dry run. Nothing is stored; the answer is the invoice that the change would lead to. */
                preview?: boolean;
            };
            header?: never;
            path: {
                /**
                 * @description Id of the invoice (`invoice_` and a uuid). A path also takes its number.
                 * @example invoice_5f0a1c3e-7b2d-4c6e-8a9b-0c1d2e3f4a5b
                 */
                invoice_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["VoidInvoiceBody"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "invoice_id": "invoice_5f0a1c3e-7b2d-4c6e-8a9b-0c1d2e3f4a5b",
                     *       "invoice_number": "260101-000001",
                     *       "cost_due": 1,
                     *       "amount": 1,
                     *       "currency": {
                     *         "code": "USD",
                     *         "name": "US Dollar",
                     *         "symbol": "$"
                     *       },
                     *       "issue_date": "2026-01-01T00:00:00Z",
                     *       "due_date": "2026-01-01T00:00:00Z",
                     *       "start_date": "2026-01-01",
                     *       "end_date": "2026-01-01",
                     *       "payment_status": "draft",
                     *       "external_payment_obj_id": "text",
                     *       "external_payment_obj_type": "provider_a",
                     *       "external_payment_obj_status": "text",
                     *       "line_items": [
                     *         {
                     *           "name": "Pro",
                     *           "start_date": "2026-01-01T00:00:00Z",
                     *           "end_date": "2026-01-01T00:00:00Z",
                     *           "quantity": 1,
                     *           "billing_type": "in_advance",
                     *           "metadata": {},
                     *           "plan": {
                     *             "plan_name": "Pro",
                     *             "plan_id": "plan_5f0a1c3e7b2d4c6e8a9b0c1d2e3f4a5b",
                     *             "version_id": "plan_version_5f0a1c3e7b2d4c6e8a9b0c1d2e3f4a5b",
                     *             "version": 1
                     *           },
                     *           "subscription_filters": [
                     *             {
                     *               "property_name": "region",
                     *               "value": "eu"
                     *             }
                     *           ],
                     *           "base": 1,
                     *           "adjustments": [
                     *             {
                     *               "amount": "0.00",
                     *               "account": "tax",
                     *               "adjustment_type": "sales_tax"
                     *             }
                     *           ],
                     *           "amount": 1,
                     *           "subtotal": 1
                     *         }
                     *       ],
                     *       "customer": {
                     *         "customer_id": "acme",
                     *         "customer_name": "Acme Inc",
                     *         "email": "billing@acme.example",
                     *         "address": {
                     *           "city": "Warsaw",
                     *           "country": "PL",
                     *           "line1": "Prosta 1",
                     *           "line2": null,
                     *           "postal_code": "00-001",
                     *           "state": "text"
                     *         }
                     *       },
                     *       "seller": {
                     *         "name": "Pro",
                     *         "address": {
                     *           "city": "Warsaw",
                     *           "country": "PL",
                     *           "line1": "Prosta 1",
                     *           "line2": null,
                     *           "postal_code": "00-001",
                     *           "state": "text"
                     *         },
                     *         "phone": "+48 22 000 00 00",
                     *         "email": "billing@acme.example"
                     *       },
                     *       "invoice_pdf": "https://recount.example.com/file"
                     *     }
                     */
                    "application/json": components["schemas"]["Invoice"] | components["schemas"]["InvoicePreview"];
                };
            };
        };
    };
    getMetricAccess: {
        parameters: {
            query: {
                /**
                 * @description Your own id of the customer.
                 * @example acme
                 */
                customer_id: string;
                /**
                 * @description Id of the metric.
                 * @example metric_5f0a1c3e7b2d4c6e8a9b0c1d2e3f4a5b
                 */
                metric_id: string;
                /** @description A JSON list of filters, as one text: `[{"property_name":"region","value":"eu"}]`. Also `subscription_filters[]={json}` and `subscription_filters[0][property_name]=…&subscription_filters[0][value]=…`. */
                subscription_filters?: components["schemas"]["SubscriptionFilter"][];
                /** @description Answers as it was at this moment of recorded time: by what was recorded until then, and with the clock at it. */
                as_of?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "customer": {
                     *         "customer_id": "acme",
                     *         "customer_name": "Acme Inc",
                     *         "email": "billing@acme.example"
                     *       },
                     *       "metric": {
                     *         "metric_id": "metric_5f0a1c3e7b2d4c6e8a9b0c1d2e3f4a5b",
                     *         "metric_name": "API requests",
                     *         "event_name": "api_request",
                     *         "property_name": "region",
                     *         "aggregation_type": "count",
                     *         "metric_type": "counter",
                     *         "granularity": "seconds",
                     *         "event_type": "delta",
                     *         "proration": "seconds",
                     *         "numeric_filters": [
                     *           {
                     *             "property_name": "region",
                     *             "operator": "gte",
                     *             "comparison_value": 1
                     *           }
                     *         ],
                     *         "categorical_filters": [
                     *           {
                     *             "property_name": "region",
                     *             "operator": "isin",
                     *             "comparison_value": [
                     *               "text"
                     *             ]
                     *           }
                     *         ],
                     *         "is_cost_metric": true,
                     *         "custom_sql": null
                     *       },
                     *       "access": true,
                     *       "access_per_subscription": [
                     *         {
                     *           "subscription": {
                     *             "start_date": "2026-01-01T00:00:00Z",
                     *             "end_date": "2026-01-01T00:00:00Z",
                     *             "subscription_filters": [
                     *               {
                     *                 "property_name": "region",
                     *                 "value": "eu"
                     *               }
                     *             ],
                     *             "plan": {
                     *               "plan_name": "Pro",
                     *               "plan_id": "plan_5f0a1c3e7b2d4c6e8a9b0c1d2e3f4a5b",
                     *               "version_id": "plan_version_5f0a1c3e7b2d4c6e8a9b0c1d2e3f4a5b",
                     *               "version": 1
                     *             }
                     *           },
                     *           "metric_usage": 1,
                     *           "metric_free_limit": 1,
                     *           "metric_total_limit": 1
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": components["schemas"]["MetricAccess"];
                };
            };
        };
    };
    listMetrics: {
        parameters: {
            query?: {
                /** @description Most entries of the answer. */
                limit?: number;
                /** @description From the Link header of the page before. */
                cursor?: string;
                /** @description Answers as it was at this moment of recorded time: by what was recorded until then, and with the clock at it. */
                as_of?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example [
                     *       {
                     *         "metric_id": "metric_5f0a1c3e7b2d4c6e8a9b0c1d2e3f4a5b",
                     *         "metric_name": "API requests",
                     *         "event_name": "api_request",
                     *         "property_name": "region",
                     *         "aggregation_type": "count",
                     *         "metric_type": "counter",
                     *         "granularity": "seconds",
                     *         "event_type": "delta",
                     *         "proration": "seconds",
                     *         "numeric_filters": [
                     *           {
                     *             "property_name": "region",
                     *             "operator": "gte",
                     *             "comparison_value": 1
                     *           }
                     *         ],
                     *         "categorical_filters": [
                     *           {
                     *             "property_name": "region",
                     *             "operator": "isin",
                     *             "comparison_value": [
                     *               "text"
                     *             ]
                     *           }
                     *         ],
                     *         "is_cost_metric": true,
                     *         "custom_sql": null
                     *       }
                     *     ]
                     */
                    "application/json": components["schemas"]["Metric"][];
                };
            };
        };
    };
    createMetric: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CreateMetricBody"];
            };
        };
        responses: {
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "metric_id": "metric_5f0a1c3e7b2d4c6e8a9b0c1d2e3f4a5b",
                     *       "metric_name": "API requests",
                     *       "event_name": "api_request",
                     *       "property_name": "region",
                     *       "aggregation_type": "count",
                     *       "metric_type": "counter",
                     *       "granularity": "seconds",
                     *       "event_type": "delta",
                     *       "proration": "seconds",
                     *       "numeric_filters": [
                     *         {
                     *           "property_name": "region",
                     *           "operator": "gte",
                     *           "comparison_value": 1
                     *         }
                     *       ],
                     *       "categorical_filters": [
                     *         {
                     *           "property_name": "region",
                     *           "operator": "isin",
                     *           "comparison_value": [
                     *             "text"
                     *           ]
                     *         }
                     *       ],
                     *       "is_cost_metric": true,
                     *       "custom_sql": null
                     *     }
                     */
                    "application/json": components["schemas"]["Metric"];
                };
            };
        };
    };
    getMetric: {
        parameters: {
            query?: {
                /** @description Answers as it was at this moment of recorded time: by what was recorded until then, and with the clock at it. */
                as_of?: string;
            };
            header?: never;
            path: {
                /**
                 * @description Id of the metric.
                 * @example metric_5f0a1c3e7b2d4c6e8a9b0c1d2e3f4a5b
                 */
                metric_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "metric_id": "metric_5f0a1c3e7b2d4c6e8a9b0c1d2e3f4a5b",
                     *       "metric_name": "API requests",
                     *       "event_name": "api_request",
                     *       "property_name": "region",
                     *       "aggregation_type": "count",
                     *       "metric_type": "counter",
                     *       "granularity": "seconds",
                     *       "event_type": "delta",
                     *       "proration": "seconds",
                     *       "numeric_filters": [
                     *         {
                     *           "property_name": "region",
                     *           "operator": "gte",
                     *           "comparison_value": 1
                     *         }
                     *       ],
                     *       "categorical_filters": [
                     *         {
                     *           "property_name": "region",
                     *           "operator": "isin",
                     *           "comparison_value": [
                     *             "text"
                     *           ]
                     *         }
                     *       ],
                     *       "is_cost_metric": true,
                     *       "custom_sql": null
                     *     }
                     */
                    "application/json": components["schemas"]["Metric"];
                };
            };
        };
    };
    archiveMetric: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description Id of the metric.
                 * @example metric_5f0a1c3e7b2d4c6e8a9b0c1d2e3f4a5b
                 */
                metric_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "metric_id": "metric_5f0a1c3e7b2d4c6e8a9b0c1d2e3f4a5b",
                     *       "metric_name": "API requests",
                     *       "event_name": "api_request",
                     *       "property_name": "region",
                     *       "aggregation_type": "count",
                     *       "metric_type": "counter",
                     *       "granularity": "seconds",
                     *       "event_type": "delta",
                     *       "proration": "seconds",
                     *       "numeric_filters": [
                     *         {
                     *           "property_name": "region",
                     *           "operator": "gte",
                     *           "comparison_value": 1
                     *         }
                     *       ],
                     *       "categorical_filters": [
                     *         {
                     *           "property_name": "region",
                     *           "operator": "isin",
                     *           "comparison_value": [
                     *             "text"
                     *           ]
                     *         }
                     *       ],
                     *       "is_cost_metric": true,
                     *       "custom_sql": null
                     *     }
                     */
                    "application/json": components["schemas"]["Metric"];
                };
            };
        };
    };
    getApiDocument: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /** @example {} */
                    "application/json": {
                        [key: string]: unknown;
                    };
                };
            };
        };
    };
    getOrganization: {
        parameters: {
            query?: {
                /** @description Answers as it was at this moment of recorded time: by what was recorded until then, and with the clock at it. */
                as_of?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "organization_id": "org_5f0a1c3e7b2d4c6e8a9b0c1d2e3f4a5b",
                     *       "organization_name": "Example Ltd",
                     *       "default_currency_code": "USD",
                     *       "timezone": "Europe/Warsaw",
                     *       "tax_rate": 23,
                     *       "address": {
                     *         "city": "Warsaw",
                     *         "country": "PL",
                     *         "line1": "Prosta 1",
                     *         "line2": null,
                     *         "postal_code": "00-001",
                     *         "state": "text"
                     *       },
                     *       "email": "billing@acme.example",
                     *       "phone": "+48 22 000 00 00",
                     *       "payment_grace_period": 1,
                     *       "late_event_grace_minutes": 1,
                     *       "subscription_filter_keys": [
                     *         "text"
                     *       ],
                     *       "feature_access_policy": "any",
                     *       "proration_basis": "second",
                     *       "legal_name": "Example Ltd",
                     *       "tax_ids": [
                     *         {
                     *           "type": "vat",
                     *           "value": "eu"
                     *         }
                     *       ],
                     *       "payment_terms": "Payable within 14 days.",
                     *       "payment_details": {
                     *         "account_holder": "Example Ltd",
                     *         "iban": "DE89370400440532013000",
                     *         "bic": "DEUTDEFF",
                     *         "text": "text"
                     *       },
                     *       "invoice_footer": "Thank you for your business.",
                     *       "invoice_locale": "en-GB",
                     *       "logo": {
                     *         "media_type": "image/png",
                     *         "width": 1,
                     *         "height": 1,
                     *         "sha256": "text"
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["Organization"];
                };
            };
        };
    };
    updateOrganization: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ChangeSettingsBody"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "organization_id": "org_5f0a1c3e7b2d4c6e8a9b0c1d2e3f4a5b",
                     *       "organization_name": "Example Ltd",
                     *       "default_currency_code": "USD",
                     *       "timezone": "Europe/Warsaw",
                     *       "tax_rate": 23,
                     *       "address": {
                     *         "city": "Warsaw",
                     *         "country": "PL",
                     *         "line1": "Prosta 1",
                     *         "line2": null,
                     *         "postal_code": "00-001",
                     *         "state": "text"
                     *       },
                     *       "email": "billing@acme.example",
                     *       "phone": "+48 22 000 00 00",
                     *       "payment_grace_period": 1,
                     *       "late_event_grace_minutes": 1,
                     *       "subscription_filter_keys": [
                     *         "text"
                     *       ],
                     *       "feature_access_policy": "any",
                     *       "proration_basis": "second",
                     *       "legal_name": "Example Ltd",
                     *       "tax_ids": [
                     *         {
                     *           "type": "vat",
                     *           "value": "eu"
                     *         }
                     *       ],
                     *       "payment_terms": "Payable within 14 days.",
                     *       "payment_details": {
                     *         "account_holder": "Example Ltd",
                     *         "iban": "DE89370400440532013000",
                     *         "bic": "DEUTDEFF",
                     *         "text": "text"
                     *       },
                     *       "invoice_footer": "Thank you for your business.",
                     *       "invoice_locale": "en-GB",
                     *       "logo": {
                     *         "media_type": "image/png",
                     *         "width": 1,
                     *         "height": 1,
                     *         "sha256": "text"
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["Organization"];
                };
            };
        };
    };
    listOrganizations: {
        parameters: {
            query?: {
                /** @description Most entries of the answer. */
                limit?: number;
                /** @description From the Link header of the page before. */
                cursor?: string;
                /** @description Answers as it was at this moment of recorded time: by what was recorded until then, and with the clock at it. */
                as_of?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example [
                     *       {
                     *         "organization_id": "org_5f0a1c3e7b2d4c6e8a9b0c1d2e3f4a5b",
                     *         "organization_name": "Example Ltd",
                     *         "default_currency_code": "USD",
                     *         "timezone": "Europe/Warsaw",
                     *         "created_at": "2026-01-01T00:00:00Z",
                     *         "unreadable": "text"
                     *       }
                     *     ]
                     */
                    "application/json": components["schemas"]["ListedOrganization"][];
                };
            };
        };
    };
    createOrganization: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CreateOrganizationBody"];
            };
        };
        responses: {
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "organization_id": "org_5f0a1c3e7b2d4c6e8a9b0c1d2e3f4a5b",
                     *       "organization_name": "Example Ltd",
                     *       "default_currency_code": "USD",
                     *       "timezone": "Europe/Warsaw",
                     *       "created_at": "2026-01-01T00:00:00Z",
                     *       "admin_key": {
                     *         "name": "Pro",
                     *         "prefix": "2f5f24522e68",
                     *         "scope": "ingest",
                     *         "created_at": "2026-01-01T00:00:00Z",
                     *         "expires_at": "2026-01-01T00:00:00Z",
                     *         "revoked_at": "2026-01-01T00:00:00Z",
                     *         "key": "text"
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["NewOrganization"];
                };
            };
        };
    };
    listParkedWork: {
        parameters: {
            query?: {
                /** @description Most entries of the answer. */
                limit?: number;
                /** @description From the Link header of the page before. */
                cursor?: string;
                /** @description Answers as it was at this moment of recorded time: by what was recorded until then, and with the clock at it. */
                as_of?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example [
                     *       {
                     *         "parked_id": "5f0a1c3e-7b2d-4c6e-8a9b-0c1d2e3f4a5b",
                     *         "kind": "run",
                     *         "customer_id": "acme",
                     *         "currency_code": "USD",
                     *         "subscription_id": "sub_5f0a1c3e7b2d4c6e8a9b0c1d2e3f4a5b",
                     *         "invoice_id": "invoice_5f0a1c3e-7b2d-4c6e-8a9b-0c1d2e3f4a5b",
                     *         "cause": "text",
                     *         "detail": "This field is required.",
                     *         "tries": 1,
                     *         "parked_at": "2026-01-01T00:00:00Z",
                     *         "next_try_at": "2026-01-01T00:00:00Z"
                     *       }
                     *     ]
                     */
                    "application/json": components["schemas"]["ParkedWork"][];
                };
            };
        };
    };
    retryParkedWork: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description Id of the parked work.
                 * @example 5f0a1c3e-7b2d-4c6e-8a9b-0c1d2e3f4a5b
                 */
                parked_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "parked_id": "5f0a1c3e-7b2d-4c6e-8a9b-0c1d2e3f4a5b",
                     *       "kind": "run",
                     *       "customer_id": "acme",
                     *       "currency_code": "USD",
                     *       "subscription_id": "sub_5f0a1c3e7b2d4c6e8a9b0c1d2e3f4a5b",
                     *       "invoice_id": "invoice_5f0a1c3e-7b2d-4c6e-8a9b-0c1d2e3f4a5b",
                     *       "cause": "text",
                     *       "detail": "This field is required.",
                     *       "tries": 1,
                     *       "parked_at": "2026-01-01T00:00:00Z",
                     *       "next_try_at": "2026-01-01T00:00:00Z"
                     *     }
                     */
                    "application/json": components["schemas"]["ParkedWork"];
                };
            };
        };
    };
    ping: {
        parameters: {
            query?: {
                /** @description Answers as it was at this moment of recorded time: by what was recorded until then, and with the clock at it. */
                as_of?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "organization_id": "org_5f0a1c3e7b2d4c6e8a9b0c1d2e3f4a5b"
                     *     }
                     */
                    "application/json": {
                        /** @description Id of the organization. */
                        organization_id: string;
                    };
                };
            };
        };
    };
    createPlanVersion: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["PublishVersionBody"];
            };
        };
        responses: {
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "version_id": "plan_version_5f0a1c3e7b2d4c6e8a9b0c1d2e3f4a5b",
                     *       "recurring_charges": [
                     *         {
                     *           "name": "Pro",
                     *           "charge_timing": "in_advance",
                     *           "charge_behavior": "prorate",
                     *           "amount": 1,
                     *           "pricing_unit": {
                     *             "code": "USD",
                     *             "name": "US Dollar",
                     *             "symbol": "$"
                     *           },
                     *           "invoicing_interval_unit": "day",
                     *           "invoicing_interval_count": 1,
                     *           "reset_interval_unit": "day",
                     *           "reset_interval_count": 1
                     *         }
                     *       ],
                     *       "components": [
                     *         {
                     *           "billable_metric": {
                     *             "metric_id": "metric_5f0a1c3e7b2d4c6e8a9b0c1d2e3f4a5b",
                     *             "metric_name": "API requests",
                     *             "event_name": "api_request",
                     *             "property_name": "region",
                     *             "aggregation_type": "count",
                     *             "metric_type": "counter",
                     *             "granularity": "seconds",
                     *             "event_type": "delta",
                     *             "proration": "seconds",
                     *             "numeric_filters": [
                     *               {
                     *                 "property_name": "region",
                     *                 "operator": "gte",
                     *                 "comparison_value": 1
                     *               }
                     *             ],
                     *             "categorical_filters": [
                     *               {
                     *                 "property_name": "region",
                     *                 "operator": "isin",
                     *                 "comparison_value": [
                     *                   "text"
                     *                 ]
                     *               }
                     *             ],
                     *             "is_cost_metric": true,
                     *             "custom_sql": null
                     *           },
                     *           "tiers": [
                     *             {
                     *               "type": "flat",
                     *               "range_start": 1,
                     *               "range_end": 1,
                     *               "cost_per_batch": 1,
                     *               "metric_units_per_batch": 1,
                     *               "batch_rounding_type": "round_up"
                     *             }
                     *           ],
                     *           "bulk_pricing_enabled": true,
                     *           "pricing_unit": {
                     *             "code": "USD",
                     *             "name": "US Dollar",
                     *             "symbol": "$"
                     *           },
                     *           "invoicing_interval_unit": "day",
                     *           "invoicing_interval_count": 1,
                     *           "reset_interval_unit": "day",
                     *           "reset_interval_count": 1,
                     *           "prepaid_charge": {
                     *             "units": 1,
                     *             "charge_behavior": "prorate"
                     *           }
                     *         }
                     *       ],
                     *       "features": [
                     *         {
                     *           "feature_id": "feature_5f0a1c3e7b2d4c6e8a9b0c1d2e3f4a5b",
                     *           "feature_name": "Single sign-on",
                     *           "feature_description": "Login with your identity provider."
                     *         }
                     *       ],
                     *       "price_adjustment": {
                     *         "price_adjustment_name": "Launch discount",
                     *         "price_adjustment_description": null,
                     *         "price_adjustment_type": "percentage",
                     *         "price_adjustment_amount": 1
                     *       },
                     *       "version": 1,
                     *       "status": "active",
                     *       "plan_name": "Pro",
                     *       "currency": {
                     *         "code": "USD",
                     *         "name": "US Dollar",
                     *         "symbol": "$"
                     *       },
                     *       "active_from": "2026-01-01T00:00:00Z",
                     *       "active_to": "2026-01-01T00:00:00Z",
                     *       "localized_name": null,
                     *       "day_anchor": 1,
                     *       "month_anchor": 1,
                     *       "target_customers": [
                     *         {
                     *           "customer_id": "acme",
                     *           "customer_name": "Acme Inc",
                     *           "email": "billing@acme.example"
                     *         }
                     *       ],
                     *       "created_on": "2026-01-01T00:00:00Z",
                     *       "usage_billing_frequency": null,
                     *       "flat_fee_billing_type": "in_advance",
                     *       "flat_rate": 1,
                     *       "description": "Welcome credit"
                     *     }
                     */
                    "application/json": components["schemas"]["PlanVersion"];
                };
            };
        };
    };
    updatePlanVersion: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description Id of the plan version.
                 * @example plan_version_5f0a1c3e7b2d4c6e8a9b0c1d2e3f4a5b
                 */
                version_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ChangeVersionBody"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "version_id": "plan_version_5f0a1c3e7b2d4c6e8a9b0c1d2e3f4a5b",
                     *       "recurring_charges": [
                     *         {
                     *           "name": "Pro",
                     *           "charge_timing": "in_advance",
                     *           "charge_behavior": "prorate",
                     *           "amount": 1,
                     *           "pricing_unit": {
                     *             "code": "USD",
                     *             "name": "US Dollar",
                     *             "symbol": "$"
                     *           },
                     *           "invoicing_interval_unit": "day",
                     *           "invoicing_interval_count": 1,
                     *           "reset_interval_unit": "day",
                     *           "reset_interval_count": 1
                     *         }
                     *       ],
                     *       "components": [
                     *         {
                     *           "billable_metric": {
                     *             "metric_id": "metric_5f0a1c3e7b2d4c6e8a9b0c1d2e3f4a5b",
                     *             "metric_name": "API requests",
                     *             "event_name": "api_request",
                     *             "property_name": "region",
                     *             "aggregation_type": "count",
                     *             "metric_type": "counter",
                     *             "granularity": "seconds",
                     *             "event_type": "delta",
                     *             "proration": "seconds",
                     *             "numeric_filters": [
                     *               {
                     *                 "property_name": "region",
                     *                 "operator": "gte",
                     *                 "comparison_value": 1
                     *               }
                     *             ],
                     *             "categorical_filters": [
                     *               {
                     *                 "property_name": "region",
                     *                 "operator": "isin",
                     *                 "comparison_value": [
                     *                   "text"
                     *                 ]
                     *               }
                     *             ],
                     *             "is_cost_metric": true,
                     *             "custom_sql": null
                     *           },
                     *           "tiers": [
                     *             {
                     *               "type": "flat",
                     *               "range_start": 1,
                     *               "range_end": 1,
                     *               "cost_per_batch": 1,
                     *               "metric_units_per_batch": 1,
                     *               "batch_rounding_type": "round_up"
                     *             }
                     *           ],
                     *           "bulk_pricing_enabled": true,
                     *           "pricing_unit": {
                     *             "code": "USD",
                     *             "name": "US Dollar",
                     *             "symbol": "$"
                     *           },
                     *           "invoicing_interval_unit": "day",
                     *           "invoicing_interval_count": 1,
                     *           "reset_interval_unit": "day",
                     *           "reset_interval_count": 1,
                     *           "prepaid_charge": {
                     *             "units": 1,
                     *             "charge_behavior": "prorate"
                     *           }
                     *         }
                     *       ],
                     *       "features": [
                     *         {
                     *           "feature_id": "feature_5f0a1c3e7b2d4c6e8a9b0c1d2e3f4a5b",
                     *           "feature_name": "Single sign-on",
                     *           "feature_description": "Login with your identity provider."
                     *         }
                     *       ],
                     *       "price_adjustment": {
                     *         "price_adjustment_name": "Launch discount",
                     *         "price_adjustment_description": null,
                     *         "price_adjustment_type": "percentage",
                     *         "price_adjustment_amount": 1
                     *       },
                     *       "version": 1,
                     *       "status": "active",
                     *       "plan_name": "Pro",
                     *       "currency": {
                     *         "code": "USD",
                     *         "name": "US Dollar",
                     *         "symbol": "$"
                     *       },
                     *       "active_from": "2026-01-01T00:00:00Z",
                     *       "active_to": "2026-01-01T00:00:00Z",
                     *       "localized_name": null,
                     *       "day_anchor": 1,
                     *       "month_anchor": 1,
                     *       "target_customers": [
                     *         {
                     *           "customer_id": "acme",
                     *           "customer_name": "Acme Inc",
                     *           "email": "billing@acme.example"
                     *         }
                     *       ],
                     *       "created_on": "2026-01-01T00:00:00Z",
                     *       "usage_billing_frequency": null,
                     *       "flat_fee_billing_type": "in_advance",
                     *       "flat_rate": 1,
                     *       "description": "Welcome credit"
                     *     }
                     */
                    "application/json": components["schemas"]["PlanVersion"];
                };
            };
        };
    };
    deletePlanVersion: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description Id of the plan version.
                 * @example plan_version_5f0a1c3e7b2d4c6e8a9b0c1d2e3f4a5b
                 */
                version_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "version_id": "plan_version_5f0a1c3e7b2d4c6e8a9b0c1d2e3f4a5b",
                     *       "recurring_charges": [
                     *         {
                     *           "name": "Pro",
                     *           "charge_timing": "in_advance",
                     *           "charge_behavior": "prorate",
                     *           "amount": 1,
                     *           "pricing_unit": {
                     *             "code": "USD",
                     *             "name": "US Dollar",
                     *             "symbol": "$"
                     *           },
                     *           "invoicing_interval_unit": "day",
                     *           "invoicing_interval_count": 1,
                     *           "reset_interval_unit": "day",
                     *           "reset_interval_count": 1
                     *         }
                     *       ],
                     *       "components": [
                     *         {
                     *           "billable_metric": {
                     *             "metric_id": "metric_5f0a1c3e7b2d4c6e8a9b0c1d2e3f4a5b",
                     *             "metric_name": "API requests",
                     *             "event_name": "api_request",
                     *             "property_name": "region",
                     *             "aggregation_type": "count",
                     *             "metric_type": "counter",
                     *             "granularity": "seconds",
                     *             "event_type": "delta",
                     *             "proration": "seconds",
                     *             "numeric_filters": [
                     *               {
                     *                 "property_name": "region",
                     *                 "operator": "gte",
                     *                 "comparison_value": 1
                     *               }
                     *             ],
                     *             "categorical_filters": [
                     *               {
                     *                 "property_name": "region",
                     *                 "operator": "isin",
                     *                 "comparison_value": [
                     *                   "text"
                     *                 ]
                     *               }
                     *             ],
                     *             "is_cost_metric": true,
                     *             "custom_sql": null
                     *           },
                     *           "tiers": [
                     *             {
                     *               "type": "flat",
                     *               "range_start": 1,
                     *               "range_end": 1,
                     *               "cost_per_batch": 1,
                     *               "metric_units_per_batch": 1,
                     *               "batch_rounding_type": "round_up"
                     *             }
                     *           ],
                     *           "bulk_pricing_enabled": true,
                     *           "pricing_unit": {
                     *             "code": "USD",
                     *             "name": "US Dollar",
                     *             "symbol": "$"
                     *           },
                     *           "invoicing_interval_unit": "day",
                     *           "invoicing_interval_count": 1,
                     *           "reset_interval_unit": "day",
                     *           "reset_interval_count": 1,
                     *           "prepaid_charge": {
                     *             "units": 1,
                     *             "charge_behavior": "prorate"
                     *           }
                     *         }
                     *       ],
                     *       "features": [
                     *         {
                     *           "feature_id": "feature_5f0a1c3e7b2d4c6e8a9b0c1d2e3f4a5b",
                     *           "feature_name": "Single sign-on",
                     *           "feature_description": "Login with your identity provider."
                     *         }
                     *       ],
                     *       "price_adjustment": {
                     *         "price_adjustment_name": "Launch discount",
                     *         "price_adjustment_description": null,
                     *         "price_adjustment_type": "percentage",
                     *         "price_adjustment_amount": 1
                     *       },
                     *       "version": 1,
                     *       "status": "active",
                     *       "plan_name": "Pro",
                     *       "currency": {
                     *         "code": "USD",
                     *         "name": "US Dollar",
                     *         "symbol": "$"
                     *       },
                     *       "active_from": "2026-01-01T00:00:00Z",
                     *       "active_to": "2026-01-01T00:00:00Z",
                     *       "localized_name": null,
                     *       "day_anchor": 1,
                     *       "month_anchor": 1,
                     *       "target_customers": [
                     *         {
                     *           "customer_id": "acme",
                     *           "customer_name": "Acme Inc",
                     *           "email": "billing@acme.example"
                     *         }
                     *       ],
                     *       "created_on": "2026-01-01T00:00:00Z",
                     *       "usage_billing_frequency": null,
                     *       "flat_fee_billing_type": "in_advance",
                     *       "flat_rate": 1,
                     *       "description": "Welcome credit"
                     *     }
                     */
                    "application/json": components["schemas"]["PlanVersion"];
                };
            };
        };
    };
    makePlanVersionPublic: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description Id of the plan version.
                 * @example plan_version_5f0a1c3e7b2d4c6e8a9b0c1d2e3f4a5b
                 */
                version_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "version_id": "plan_version_5f0a1c3e7b2d4c6e8a9b0c1d2e3f4a5b",
                     *       "recurring_charges": [
                     *         {
                     *           "name": "Pro",
                     *           "charge_timing": "in_advance",
                     *           "charge_behavior": "prorate",
                     *           "amount": 1,
                     *           "pricing_unit": {
                     *             "code": "USD",
                     *             "name": "US Dollar",
                     *             "symbol": "$"
                     *           },
                     *           "invoicing_interval_unit": "day",
                     *           "invoicing_interval_count": 1,
                     *           "reset_interval_unit": "day",
                     *           "reset_interval_count": 1
                     *         }
                     *       ],
                     *       "components": [
                     *         {
                     *           "billable_metric": {
                     *             "metric_id": "metric_5f0a1c3e7b2d4c6e8a9b0c1d2e3f4a5b",
                     *             "metric_name": "API requests",
                     *             "event_name": "api_request",
                     *             "property_name": "region",
                     *             "aggregation_type": "count",
                     *             "metric_type": "counter",
                     *             "granularity": "seconds",
                     *             "event_type": "delta",
                     *             "proration": "seconds",
                     *             "numeric_filters": [
                     *               {
                     *                 "property_name": "region",
                     *                 "operator": "gte",
                     *                 "comparison_value": 1
                     *               }
                     *             ],
                     *             "categorical_filters": [
                     *               {
                     *                 "property_name": "region",
                     *                 "operator": "isin",
                     *                 "comparison_value": [
                     *                   "text"
                     *                 ]
                     *               }
                     *             ],
                     *             "is_cost_metric": true,
                     *             "custom_sql": null
                     *           },
                     *           "tiers": [
                     *             {
                     *               "type": "flat",
                     *               "range_start": 1,
                     *               "range_end": 1,
                     *               "cost_per_batch": 1,
                     *               "metric_units_per_batch": 1,
                     *               "batch_rounding_type": "round_up"
                     *             }
                     *           ],
                     *           "bulk_pricing_enabled": true,
                     *           "pricing_unit": {
                     *             "code": "USD",
                     *             "name": "US Dollar",
                     *             "symbol": "$"
                     *           },
                     *           "invoicing_interval_unit": "day",
                     *           "invoicing_interval_count": 1,
                     *           "reset_interval_unit": "day",
                     *           "reset_interval_count": 1,
                     *           "prepaid_charge": {
                     *             "units": 1,
                     *             "charge_behavior": "prorate"
                     *           }
                     *         }
                     *       ],
                     *       "features": [
                     *         {
                     *           "feature_id": "feature_5f0a1c3e7b2d4c6e8a9b0c1d2e3f4a5b",
                     *           "feature_name": "Single sign-on",
                     *           "feature_description": "Login with your identity provider."
                     *         }
                     *       ],
                     *       "price_adjustment": {
                     *         "price_adjustment_name": "Launch discount",
                     *         "price_adjustment_description": null,
                     *         "price_adjustment_type": "percentage",
                     *         "price_adjustment_amount": 1
                     *       },
                     *       "version": 1,
                     *       "status": "active",
                     *       "plan_name": "Pro",
                     *       "currency": {
                     *         "code": "USD",
                     *         "name": "US Dollar",
                     *         "symbol": "$"
                     *       },
                     *       "active_from": "2026-01-01T00:00:00Z",
                     *       "active_to": "2026-01-01T00:00:00Z",
                     *       "localized_name": null,
                     *       "day_anchor": 1,
                     *       "month_anchor": 1,
                     *       "target_customers": [
                     *         {
                     *           "customer_id": "acme",
                     *           "customer_name": "Acme Inc",
                     *           "email": "billing@acme.example"
                     *         }
                     *       ],
                     *       "created_on": "2026-01-01T00:00:00Z",
                     *       "usage_billing_frequency": null,
                     *       "flat_fee_billing_type": "in_advance",
                     *       "flat_rate": 1,
                     *       "description": "Welcome credit"
                     *     }
                     */
                    "application/json": components["schemas"]["PlanVersion"];
                };
            };
        };
    };
    setReplacementVersion: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description Id of the plan version.
                 * @example plan_version_5f0a1c3e7b2d4c6e8a9b0c1d2e3f4a5b
                 */
                version_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ReplacementBody"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "version_id": "plan_version_5f0a1c3e7b2d4c6e8a9b0c1d2e3f4a5b",
                     *       "recurring_charges": [
                     *         {
                     *           "name": "Pro",
                     *           "charge_timing": "in_advance",
                     *           "charge_behavior": "prorate",
                     *           "amount": 1,
                     *           "pricing_unit": {
                     *             "code": "USD",
                     *             "name": "US Dollar",
                     *             "symbol": "$"
                     *           },
                     *           "invoicing_interval_unit": "day",
                     *           "invoicing_interval_count": 1,
                     *           "reset_interval_unit": "day",
                     *           "reset_interval_count": 1
                     *         }
                     *       ],
                     *       "components": [
                     *         {
                     *           "billable_metric": {
                     *             "metric_id": "metric_5f0a1c3e7b2d4c6e8a9b0c1d2e3f4a5b",
                     *             "metric_name": "API requests",
                     *             "event_name": "api_request",
                     *             "property_name": "region",
                     *             "aggregation_type": "count",
                     *             "metric_type": "counter",
                     *             "granularity": "seconds",
                     *             "event_type": "delta",
                     *             "proration": "seconds",
                     *             "numeric_filters": [
                     *               {
                     *                 "property_name": "region",
                     *                 "operator": "gte",
                     *                 "comparison_value": 1
                     *               }
                     *             ],
                     *             "categorical_filters": [
                     *               {
                     *                 "property_name": "region",
                     *                 "operator": "isin",
                     *                 "comparison_value": [
                     *                   "text"
                     *                 ]
                     *               }
                     *             ],
                     *             "is_cost_metric": true,
                     *             "custom_sql": null
                     *           },
                     *           "tiers": [
                     *             {
                     *               "type": "flat",
                     *               "range_start": 1,
                     *               "range_end": 1,
                     *               "cost_per_batch": 1,
                     *               "metric_units_per_batch": 1,
                     *               "batch_rounding_type": "round_up"
                     *             }
                     *           ],
                     *           "bulk_pricing_enabled": true,
                     *           "pricing_unit": {
                     *             "code": "USD",
                     *             "name": "US Dollar",
                     *             "symbol": "$"
                     *           },
                     *           "invoicing_interval_unit": "day",
                     *           "invoicing_interval_count": 1,
                     *           "reset_interval_unit": "day",
                     *           "reset_interval_count": 1,
                     *           "prepaid_charge": {
                     *             "units": 1,
                     *             "charge_behavior": "prorate"
                     *           }
                     *         }
                     *       ],
                     *       "features": [
                     *         {
                     *           "feature_id": "feature_5f0a1c3e7b2d4c6e8a9b0c1d2e3f4a5b",
                     *           "feature_name": "Single sign-on",
                     *           "feature_description": "Login with your identity provider."
                     *         }
                     *       ],
                     *       "price_adjustment": {
                     *         "price_adjustment_name": "Launch discount",
                     *         "price_adjustment_description": null,
                     *         "price_adjustment_type": "percentage",
                     *         "price_adjustment_amount": 1
                     *       },
                     *       "version": 1,
                     *       "status": "active",
                     *       "plan_name": "Pro",
                     *       "currency": {
                     *         "code": "USD",
                     *         "name": "US Dollar",
                     *         "symbol": "$"
                     *       },
                     *       "active_from": "2026-01-01T00:00:00Z",
                     *       "active_to": "2026-01-01T00:00:00Z",
                     *       "localized_name": null,
                     *       "day_anchor": 1,
                     *       "month_anchor": 1,
                     *       "target_customers": [
                     *         {
                     *           "customer_id": "acme",
                     *           "customer_name": "Acme Inc",
                     *           "email": "billing@acme.example"
                     *         }
                     *       ],
                     *       "created_on": "2026-01-01T00:00:00Z",
                     *       "usage_billing_frequency": null,
                     *       "flat_fee_billing_type": "in_advance",
                     *       "flat_rate": 1,
                     *       "description": "Welcome credit"
                     *     }
                     */
                    "application/json": components["schemas"]["PlanVersion"];
                };
            };
        };
    };
    addTargetCustomers: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description Id of the plan version.
                 * @example plan_version_5f0a1c3e7b2d4c6e8a9b0c1d2e3f4a5b
                 */
                version_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["TargetsBody"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "version_id": "plan_version_5f0a1c3e7b2d4c6e8a9b0c1d2e3f4a5b",
                     *       "recurring_charges": [
                     *         {
                     *           "name": "Pro",
                     *           "charge_timing": "in_advance",
                     *           "charge_behavior": "prorate",
                     *           "amount": 1,
                     *           "pricing_unit": {
                     *             "code": "USD",
                     *             "name": "US Dollar",
                     *             "symbol": "$"
                     *           },
                     *           "invoicing_interval_unit": "day",
                     *           "invoicing_interval_count": 1,
                     *           "reset_interval_unit": "day",
                     *           "reset_interval_count": 1
                     *         }
                     *       ],
                     *       "components": [
                     *         {
                     *           "billable_metric": {
                     *             "metric_id": "metric_5f0a1c3e7b2d4c6e8a9b0c1d2e3f4a5b",
                     *             "metric_name": "API requests",
                     *             "event_name": "api_request",
                     *             "property_name": "region",
                     *             "aggregation_type": "count",
                     *             "metric_type": "counter",
                     *             "granularity": "seconds",
                     *             "event_type": "delta",
                     *             "proration": "seconds",
                     *             "numeric_filters": [
                     *               {
                     *                 "property_name": "region",
                     *                 "operator": "gte",
                     *                 "comparison_value": 1
                     *               }
                     *             ],
                     *             "categorical_filters": [
                     *               {
                     *                 "property_name": "region",
                     *                 "operator": "isin",
                     *                 "comparison_value": [
                     *                   "text"
                     *                 ]
                     *               }
                     *             ],
                     *             "is_cost_metric": true,
                     *             "custom_sql": null
                     *           },
                     *           "tiers": [
                     *             {
                     *               "type": "flat",
                     *               "range_start": 1,
                     *               "range_end": 1,
                     *               "cost_per_batch": 1,
                     *               "metric_units_per_batch": 1,
                     *               "batch_rounding_type": "round_up"
                     *             }
                     *           ],
                     *           "bulk_pricing_enabled": true,
                     *           "pricing_unit": {
                     *             "code": "USD",
                     *             "name": "US Dollar",
                     *             "symbol": "$"
                     *           },
                     *           "invoicing_interval_unit": "day",
                     *           "invoicing_interval_count": 1,
                     *           "reset_interval_unit": "day",
                     *           "reset_interval_count": 1,
                     *           "prepaid_charge": {
                     *             "units": 1,
                     *             "charge_behavior": "prorate"
                     *           }
                     *         }
                     *       ],
                     *       "features": [
                     *         {
                     *           "feature_id": "feature_5f0a1c3e7b2d4c6e8a9b0c1d2e3f4a5b",
                     *           "feature_name": "Single sign-on",
                     *           "feature_description": "Login with your identity provider."
                     *         }
                     *       ],
                     *       "price_adjustment": {
                     *         "price_adjustment_name": "Launch discount",
                     *         "price_adjustment_description": null,
                     *         "price_adjustment_type": "percentage",
                     *         "price_adjustment_amount": 1
                     *       },
                     *       "version": 1,
                     *       "status": "active",
                     *       "plan_name": "Pro",
                     *       "currency": {
                     *         "code": "USD",
                     *         "name": "US Dollar",
                     *         "symbol": "$"
                     *       },
                     *       "active_from": "2026-01-01T00:00:00Z",
                     *       "active_to": "2026-01-01T00:00:00Z",
                     *       "localized_name": null,
                     *       "day_anchor": 1,
                     *       "month_anchor": 1,
                     *       "target_customers": [
                     *         {
                     *           "customer_id": "acme",
                     *           "customer_name": "Acme Inc",
                     *           "email": "billing@acme.example"
                     *         }
                     *       ],
                     *       "created_on": "2026-01-01T00:00:00Z",
                     *       "usage_billing_frequency": null,
                     *       "flat_fee_billing_type": "in_advance",
                     *       "flat_rate": 1,
                     *       "description": "Welcome credit"
                     *     }
                     */
                    "application/json": components["schemas"]["PlanVersion"];
                };
            };
        };
    };
    removeTargetCustomers: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description Id of the plan version.
                 * @example plan_version_5f0a1c3e7b2d4c6e8a9b0c1d2e3f4a5b
                 */
                version_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["TargetsBody"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "version_id": "plan_version_5f0a1c3e7b2d4c6e8a9b0c1d2e3f4a5b",
                     *       "recurring_charges": [
                     *         {
                     *           "name": "Pro",
                     *           "charge_timing": "in_advance",
                     *           "charge_behavior": "prorate",
                     *           "amount": 1,
                     *           "pricing_unit": {
                     *             "code": "USD",
                     *             "name": "US Dollar",
                     *             "symbol": "$"
                     *           },
                     *           "invoicing_interval_unit": "day",
                     *           "invoicing_interval_count": 1,
                     *           "reset_interval_unit": "day",
                     *           "reset_interval_count": 1
                     *         }
                     *       ],
                     *       "components": [
                     *         {
                     *           "billable_metric": {
                     *             "metric_id": "metric_5f0a1c3e7b2d4c6e8a9b0c1d2e3f4a5b",
                     *             "metric_name": "API requests",
                     *             "event_name": "api_request",
                     *             "property_name": "region",
                     *             "aggregation_type": "count",
                     *             "metric_type": "counter",
                     *             "granularity": "seconds",
                     *             "event_type": "delta",
                     *             "proration": "seconds",
                     *             "numeric_filters": [
                     *               {
                     *                 "property_name": "region",
                     *                 "operator": "gte",
                     *                 "comparison_value": 1
                     *               }
                     *             ],
                     *             "categorical_filters": [
                     *               {
                     *                 "property_name": "region",
                     *                 "operator": "isin",
                     *                 "comparison_value": [
                     *                   "text"
                     *                 ]
                     *               }
                     *             ],
                     *             "is_cost_metric": true,
                     *             "custom_sql": null
                     *           },
                     *           "tiers": [
                     *             {
                     *               "type": "flat",
                     *               "range_start": 1,
                     *               "range_end": 1,
                     *               "cost_per_batch": 1,
                     *               "metric_units_per_batch": 1,
                     *               "batch_rounding_type": "round_up"
                     *             }
                     *           ],
                     *           "bulk_pricing_enabled": true,
                     *           "pricing_unit": {
                     *             "code": "USD",
                     *             "name": "US Dollar",
                     *             "symbol": "$"
                     *           },
                     *           "invoicing_interval_unit": "day",
                     *           "invoicing_interval_count": 1,
                     *           "reset_interval_unit": "day",
                     *           "reset_interval_count": 1,
                     *           "prepaid_charge": {
                     *             "units": 1,
                     *             "charge_behavior": "prorate"
                     *           }
                     *         }
                     *       ],
                     *       "features": [
                     *         {
                     *           "feature_id": "feature_5f0a1c3e7b2d4c6e8a9b0c1d2e3f4a5b",
                     *           "feature_name": "Single sign-on",
                     *           "feature_description": "Login with your identity provider."
                     *         }
                     *       ],
                     *       "price_adjustment": {
                     *         "price_adjustment_name": "Launch discount",
                     *         "price_adjustment_description": null,
                     *         "price_adjustment_type": "percentage",
                     *         "price_adjustment_amount": 1
                     *       },
                     *       "version": 1,
                     *       "status": "active",
                     *       "plan_name": "Pro",
                     *       "currency": {
                     *         "code": "USD",
                     *         "name": "US Dollar",
                     *         "symbol": "$"
                     *       },
                     *       "active_from": "2026-01-01T00:00:00Z",
                     *       "active_to": "2026-01-01T00:00:00Z",
                     *       "localized_name": null,
                     *       "day_anchor": 1,
                     *       "month_anchor": 1,
                     *       "target_customers": [
                     *         {
                     *           "customer_id": "acme",
                     *           "customer_name": "Acme Inc",
                     *           "email": "billing@acme.example"
                     *         }
                     *       ],
                     *       "created_on": "2026-01-01T00:00:00Z",
                     *       "usage_billing_frequency": null,
                     *       "flat_fee_billing_type": "in_advance",
                     *       "flat_rate": 1,
                     *       "description": "Welcome credit"
                     *     }
                     */
                    "application/json": components["schemas"]["PlanVersion"];
                };
            };
        };
    };
    listPlans: {
        parameters: {
            query?: {
                /**
                 * @description Keeps plans with this duration.
                 *
                 *     - `monthly`: Terms of a month.
                 *     - `quarterly`: Terms of three months.
                 *     - `yearly`: Terms of a year.
                 */
                duration?: "monthly" | "quarterly" | "yearly";
                /** @description Drops plans that have any of these tags, in any case. */
                exclude_tags?: string[];
                /** @description Keeps plans that have any of these tags, in any case. */
                include_tags?: string[];
                /** @description Keeps plans that have all of these tags, in any case. */
                include_tags_all?: string[];
                /** @description Keeps versions in this currency (ISO 4217). */
                version_currency_code?: string;
                /**
                 * @description Keeps versions by whether they are made for named customers.
                 *
                 *     - `custom_only`: Versions that have target customers.
                 *     - `public_only`: Versions that have none.
                 *     - `all`: Both.
                 */
                version_custom_type?: "custom_only" | "public_only" | "all";
                /**
                 * @description Keeps versions with these statuses; by default all.
                 *
                 *     - `active`: Started and not ended.
                 *     - `ended`: `active_to` is in the past.
                 *     - `not_started`: `active_from` is in the future or null.
                 */
                version_status?: ("active" | "ended" | "not_started")[];
                /**
                 * @description Field that orders the list; a minus before it puts the last first. Amounts are ordered by currency first, and a missing time stands after every other. An entry whose amount or count changes between two pages may come twice or be left out; with as_of all pages are of one moment.
                 *
                 *     - `plan_name`: By name, without case, from A on.
                 *     - `-plan_name`: By name, without case, from Z back.
                 *     - `active_subscriptions`: Fewest running subscriptions first.
                 *     - `-active_subscriptions`: Most running subscriptions first.
                 */
                ordering?: "plan_name" | "-plan_name" | "active_subscriptions" | "-active_subscriptions";
                /** @description Most entries of the answer. */
                limit?: number;
                /** @description From the Link header of the page before. */
                cursor?: string;
                /** @description Answers as it was at this moment of recorded time: by what was recorded until then, and with the clock at it. */
                as_of?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example [
                     *       {
                     *         "plan_id": "plan_5f0a1c3e7b2d4c6e8a9b0c1d2e3f4a5b",
                     *         "plan_name": "Pro",
                     *         "plan_duration": "monthly",
                     *         "plan_description": "For teams.",
                     *         "external_links": [
                     *           {
                     *             "source": "provider_a",
                     *             "external_plan_id": "price_42"
                     *           }
                     *         ],
                     *         "num_versions": 1,
                     *         "active_version": 1,
                     *         "active_subscriptions": 1,
                     *         "tags": [
                     *           "public"
                     *         ],
                     *         "versions": [
                     *           {
                     *             "version_id": "plan_version_5f0a1c3e7b2d4c6e8a9b0c1d2e3f4a5b",
                     *             "recurring_charges": [
                     *               {
                     *                 "name": "Pro",
                     *                 "charge_timing": "in_advance",
                     *                 "charge_behavior": "prorate",
                     *                 "amount": 1,
                     *                 "pricing_unit": {
                     *                   "code": "USD",
                     *                   "name": "US Dollar",
                     *                   "symbol": "$"
                     *                 },
                     *                 "invoicing_interval_unit": "day",
                     *                 "invoicing_interval_count": 1,
                     *                 "reset_interval_unit": "day",
                     *                 "reset_interval_count": 1
                     *               }
                     *             ],
                     *             "components": [
                     *               {
                     *                 "billable_metric": {
                     *                   "metric_id": "metric_5f0a1c3e7b2d4c6e8a9b0c1d2e3f4a5b",
                     *                   "metric_name": "API requests",
                     *                   "event_name": "api_request",
                     *                   "property_name": "region",
                     *                   "aggregation_type": "count",
                     *                   "metric_type": "counter",
                     *                   "granularity": "seconds",
                     *                   "event_type": "delta",
                     *                   "proration": "seconds",
                     *                   "numeric_filters": [
                     *                     {
                     *                       "property_name": "region",
                     *                       "operator": "gte",
                     *                       "comparison_value": 1
                     *                     }
                     *                   ],
                     *                   "categorical_filters": [
                     *                     {
                     *                       "property_name": "region",
                     *                       "operator": "isin",
                     *                       "comparison_value": [
                     *                         "text"
                     *                       ]
                     *                     }
                     *                   ],
                     *                   "is_cost_metric": true,
                     *                   "custom_sql": null
                     *                 },
                     *                 "tiers": [
                     *                   {
                     *                     "type": "flat",
                     *                     "range_start": 1,
                     *                     "range_end": 1,
                     *                     "cost_per_batch": 1,
                     *                     "metric_units_per_batch": 1,
                     *                     "batch_rounding_type": "round_up"
                     *                   }
                     *                 ],
                     *                 "bulk_pricing_enabled": true,
                     *                 "pricing_unit": {
                     *                   "code": "USD",
                     *                   "name": "US Dollar",
                     *                   "symbol": "$"
                     *                 },
                     *                 "invoicing_interval_unit": "day",
                     *                 "invoicing_interval_count": 1,
                     *                 "reset_interval_unit": "day",
                     *                 "reset_interval_count": 1,
                     *                 "prepaid_charge": {
                     *                   "units": 1,
                     *                   "charge_behavior": "prorate"
                     *                 }
                     *               }
                     *             ],
                     *             "features": [
                     *               {
                     *                 "feature_id": "feature_5f0a1c3e7b2d4c6e8a9b0c1d2e3f4a5b",
                     *                 "feature_name": "Single sign-on",
                     *                 "feature_description": "Login with your identity provider."
                     *               }
                     *             ],
                     *             "price_adjustment": {
                     *               "price_adjustment_name": "Launch discount",
                     *               "price_adjustment_description": null,
                     *               "price_adjustment_type": "percentage",
                     *               "price_adjustment_amount": 1
                     *             },
                     *             "version": 1,
                     *             "status": "active",
                     *             "plan_name": "Pro",
                     *             "currency": {
                     *               "code": "USD",
                     *               "name": "US Dollar",
                     *               "symbol": "$"
                     *             },
                     *             "active_from": "2026-01-01T00:00:00Z",
                     *             "active_to": "2026-01-01T00:00:00Z",
                     *             "localized_name": null,
                     *             "day_anchor": 1,
                     *             "month_anchor": 1,
                     *             "target_customers": [
                     *               {
                     *                 "customer_id": "acme",
                     *                 "customer_name": "Acme Inc",
                     *                 "email": "billing@acme.example"
                     *               }
                     *             ],
                     *             "created_on": "2026-01-01T00:00:00Z",
                     *             "usage_billing_frequency": null,
                     *             "flat_fee_billing_type": "in_advance",
                     *             "flat_rate": 1,
                     *             "description": "Welcome credit"
                     *           }
                     *         ],
                     *         "parent_plan": null,
                     *         "target_customer": {
                     *           "customer_id": "acme",
                     *           "customer_name": "Acme Inc",
                     *           "email": "billing@acme.example"
                     *         },
                     *         "display_version": {
                     *           "version_id": "plan_version_5f0a1c3e7b2d4c6e8a9b0c1d2e3f4a5b",
                     *           "recurring_charges": [
                     *             {
                     *               "name": "Pro",
                     *               "charge_timing": "in_advance",
                     *               "charge_behavior": "prorate",
                     *               "amount": 1,
                     *               "pricing_unit": {
                     *                 "code": "USD",
                     *                 "name": "US Dollar",
                     *                 "symbol": "$"
                     *               },
                     *               "invoicing_interval_unit": "day",
                     *               "invoicing_interval_count": 1,
                     *               "reset_interval_unit": "day",
                     *               "reset_interval_count": 1
                     *             }
                     *           ],
                     *           "components": [
                     *             {
                     *               "billable_metric": {
                     *                 "metric_id": "metric_5f0a1c3e7b2d4c6e8a9b0c1d2e3f4a5b",
                     *                 "metric_name": "API requests",
                     *                 "event_name": "api_request",
                     *                 "property_name": "region",
                     *                 "aggregation_type": "count",
                     *                 "metric_type": "counter",
                     *                 "granularity": "seconds",
                     *                 "event_type": "delta",
                     *                 "proration": "seconds",
                     *                 "numeric_filters": [
                     *                   {
                     *                     "property_name": "region",
                     *                     "operator": "gte",
                     *                     "comparison_value": 1
                     *                   }
                     *                 ],
                     *                 "categorical_filters": [
                     *                   {
                     *                     "property_name": "region",
                     *                     "operator": "isin",
                     *                     "comparison_value": [
                     *                       "text"
                     *                     ]
                     *                   }
                     *                 ],
                     *                 "is_cost_metric": true,
                     *                 "custom_sql": null
                     *               },
                     *               "tiers": [
                     *                 {
                     *                   "type": "flat",
                     *                   "range_start": 1,
                     *                   "range_end": 1,
                     *                   "cost_per_batch": 1,
                     *                   "metric_units_per_batch": 1,
                     *                   "batch_rounding_type": "round_up"
                     *                 }
                     *               ],
                     *               "bulk_pricing_enabled": true,
                     *               "pricing_unit": {
                     *                 "code": "USD",
                     *                 "name": "US Dollar",
                     *                 "symbol": "$"
                     *               },
                     *               "invoicing_interval_unit": "day",
                     *               "invoicing_interval_count": 1,
                     *               "reset_interval_unit": "day",
                     *               "reset_interval_count": 1,
                     *               "prepaid_charge": {
                     *                 "units": 1,
                     *                 "charge_behavior": "prorate"
                     *               }
                     *             }
                     *           ],
                     *           "features": [
                     *             {
                     *               "feature_id": "feature_5f0a1c3e7b2d4c6e8a9b0c1d2e3f4a5b",
                     *               "feature_name": "Single sign-on",
                     *               "feature_description": "Login with your identity provider."
                     *             }
                     *           ],
                     *           "price_adjustment": {
                     *             "price_adjustment_name": "Launch discount",
                     *             "price_adjustment_description": null,
                     *             "price_adjustment_type": "percentage",
                     *             "price_adjustment_amount": 1
                     *           },
                     *           "version": 1,
                     *           "status": "active",
                     *           "plan_name": "Pro",
                     *           "currency": {
                     *             "code": "USD",
                     *             "name": "US Dollar",
                     *             "symbol": "$"
                     *           },
                     *           "active_from": "2026-01-01T00:00:00Z",
                     *           "active_to": "2026-01-01T00:00:00Z",
                     *           "localized_name": null,
                     *           "day_anchor": 1,
                     *           "month_anchor": 1,
                     *           "target_customers": [
                     *             {
                     *               "customer_id": "acme",
                     *               "customer_name": "Acme Inc",
                     *               "email": "billing@acme.example"
                     *             }
                     *           ],
                     *           "created_on": "2026-01-01T00:00:00Z",
                     *           "usage_billing_frequency": null,
                     *           "flat_fee_billing_type": "in_advance",
                     *           "flat_rate": 1,
                     *           "description": "Welcome credit"
                     *         },
                     *         "status": "active"
                     *       }
                     *     ]
                     */
                    "application/json": components["schemas"]["Plan"][];
                };
            };
        };
    };
    createPlan: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CreatePlanBody"];
            };
        };
        responses: {
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "plan_id": "plan_5f0a1c3e7b2d4c6e8a9b0c1d2e3f4a5b",
                     *       "plan_name": "Pro",
                     *       "plan_duration": "monthly",
                     *       "plan_description": "For teams.",
                     *       "external_links": [
                     *         {
                     *           "source": "provider_a",
                     *           "external_plan_id": "price_42"
                     *         }
                     *       ],
                     *       "num_versions": 1,
                     *       "active_version": 1,
                     *       "active_subscriptions": 1,
                     *       "tags": [
                     *         "public"
                     *       ],
                     *       "versions": [
                     *         {
                     *           "version_id": "plan_version_5f0a1c3e7b2d4c6e8a9b0c1d2e3f4a5b",
                     *           "recurring_charges": [
                     *             {
                     *               "name": "Pro",
                     *               "charge_timing": "in_advance",
                     *               "charge_behavior": "prorate",
                     *               "amount": 1,
                     *               "pricing_unit": {
                     *                 "code": "USD",
                     *                 "name": "US Dollar",
                     *                 "symbol": "$"
                     *               },
                     *               "invoicing_interval_unit": "day",
                     *               "invoicing_interval_count": 1,
                     *               "reset_interval_unit": "day",
                     *               "reset_interval_count": 1
                     *             }
                     *           ],
                     *           "components": [
                     *             {
                     *               "billable_metric": {
                     *                 "metric_id": "metric_5f0a1c3e7b2d4c6e8a9b0c1d2e3f4a5b",
                     *                 "metric_name": "API requests",
                     *                 "event_name": "api_request",
                     *                 "property_name": "region",
                     *                 "aggregation_type": "count",
                     *                 "metric_type": "counter",
                     *                 "granularity": "seconds",
                     *                 "event_type": "delta",
                     *                 "proration": "seconds",
                     *                 "numeric_filters": [
                     *                   {
                     *                     "property_name": "region",
                     *                     "operator": "gte",
                     *                     "comparison_value": 1
                     *                   }
                     *                 ],
                     *                 "categorical_filters": [
                     *                   {
                     *                     "property_name": "region",
                     *                     "operator": "isin",
                     *                     "comparison_value": [
                     *                       "text"
                     *                     ]
                     *                   }
                     *                 ],
                     *                 "is_cost_metric": true,
                     *                 "custom_sql": null
                     *               },
                     *               "tiers": [
                     *                 {
                     *                   "type": "flat",
                     *                   "range_start": 1,
                     *                   "range_end": 1,
                     *                   "cost_per_batch": 1,
                     *                   "metric_units_per_batch": 1,
                     *                   "batch_rounding_type": "round_up"
                     *                 }
                     *               ],
                     *               "bulk_pricing_enabled": true,
                     *               "pricing_unit": {
                     *                 "code": "USD",
                     *                 "name": "US Dollar",
                     *                 "symbol": "$"
                     *               },
                     *               "invoicing_interval_unit": "day",
                     *               "invoicing_interval_count": 1,
                     *               "reset_interval_unit": "day",
                     *               "reset_interval_count": 1,
                     *               "prepaid_charge": {
                     *                 "units": 1,
                     *                 "charge_behavior": "prorate"
                     *               }
                     *             }
                     *           ],
                     *           "features": [
                     *             {
                     *               "feature_id": "feature_5f0a1c3e7b2d4c6e8a9b0c1d2e3f4a5b",
                     *               "feature_name": "Single sign-on",
                     *               "feature_description": "Login with your identity provider."
                     *             }
                     *           ],
                     *           "price_adjustment": {
                     *             "price_adjustment_name": "Launch discount",
                     *             "price_adjustment_description": null,
                     *             "price_adjustment_type": "percentage",
                     *             "price_adjustment_amount": 1
                     *           },
                     *           "version": 1,
                     *           "status": "active",
                     *           "plan_name": "Pro",
                     *           "currency": {
                     *             "code": "USD",
                     *             "name": "US Dollar",
                     *             "symbol": "$"
                     *           },
                     *           "active_from": "2026-01-01T00:00:00Z",
                     *           "active_to": "2026-01-01T00:00:00Z",
                     *           "localized_name": null,
                     *           "day_anchor": 1,
                     *           "month_anchor": 1,
                     *           "target_customers": [
                     *             {
                     *               "customer_id": "acme",
                     *               "customer_name": "Acme Inc",
                     *               "email": "billing@acme.example"
                     *             }
                     *           ],
                     *           "created_on": "2026-01-01T00:00:00Z",
                     *           "usage_billing_frequency": null,
                     *           "flat_fee_billing_type": "in_advance",
                     *           "flat_rate": 1,
                     *           "description": "Welcome credit"
                     *         }
                     *       ],
                     *       "parent_plan": null,
                     *       "target_customer": {
                     *         "customer_id": "acme",
                     *         "customer_name": "Acme Inc",
                     *         "email": "billing@acme.example"
                     *       },
                     *       "display_version": {
                     *         "version_id": "plan_version_5f0a1c3e7b2d4c6e8a9b0c1d2e3f4a5b",
                     *         "recurring_charges": [
                     *           {
                     *             "name": "Pro",
                     *             "charge_timing": "in_advance",
                     *             "charge_behavior": "prorate",
                     *             "amount": 1,
                     *             "pricing_unit": {
                     *               "code": "USD",
                     *               "name": "US Dollar",
                     *               "symbol": "$"
                     *             },
                     *             "invoicing_interval_unit": "day",
                     *             "invoicing_interval_count": 1,
                     *             "reset_interval_unit": "day",
                     *             "reset_interval_count": 1
                     *           }
                     *         ],
                     *         "components": [
                     *           {
                     *             "billable_metric": {
                     *               "metric_id": "metric_5f0a1c3e7b2d4c6e8a9b0c1d2e3f4a5b",
                     *               "metric_name": "API requests",
                     *               "event_name": "api_request",
                     *               "property_name": "region",
                     *               "aggregation_type": "count",
                     *               "metric_type": "counter",
                     *               "granularity": "seconds",
                     *               "event_type": "delta",
                     *               "proration": "seconds",
                     *               "numeric_filters": [
                     *                 {
                     *                   "property_name": "region",
                     *                   "operator": "gte",
                     *                   "comparison_value": 1
                     *                 }
                     *               ],
                     *               "categorical_filters": [
                     *                 {
                     *                   "property_name": "region",
                     *                   "operator": "isin",
                     *                   "comparison_value": [
                     *                     "text"
                     *                   ]
                     *                 }
                     *               ],
                     *               "is_cost_metric": true,
                     *               "custom_sql": null
                     *             },
                     *             "tiers": [
                     *               {
                     *                 "type": "flat",
                     *                 "range_start": 1,
                     *                 "range_end": 1,
                     *                 "cost_per_batch": 1,
                     *                 "metric_units_per_batch": 1,
                     *                 "batch_rounding_type": "round_up"
                     *               }
                     *             ],
                     *             "bulk_pricing_enabled": true,
                     *             "pricing_unit": {
                     *               "code": "USD",
                     *               "name": "US Dollar",
                     *               "symbol": "$"
                     *             },
                     *             "invoicing_interval_unit": "day",
                     *             "invoicing_interval_count": 1,
                     *             "reset_interval_unit": "day",
                     *             "reset_interval_count": 1,
                     *             "prepaid_charge": {
                     *               "units": 1,
                     *               "charge_behavior": "prorate"
                     *             }
                     *           }
                     *         ],
                     *         "features": [
                     *           {
                     *             "feature_id": "feature_5f0a1c3e7b2d4c6e8a9b0c1d2e3f4a5b",
                     *             "feature_name": "Single sign-on",
                     *             "feature_description": "Login with your identity provider."
                     *           }
                     *         ],
                     *         "price_adjustment": {
                     *           "price_adjustment_name": "Launch discount",
                     *           "price_adjustment_description": null,
                     *           "price_adjustment_type": "percentage",
                     *           "price_adjustment_amount": 1
                     *         },
                     *         "version": 1,
                     *         "status": "active",
                     *         "plan_name": "Pro",
                     *         "currency": {
                     *           "code": "USD",
                     *           "name": "US Dollar",
                     *           "symbol": "$"
                     *         },
                     *         "active_from": "2026-01-01T00:00:00Z",
                     *         "active_to": "2026-01-01T00:00:00Z",
                     *         "localized_name": null,
                     *         "day_anchor": 1,
                     *         "month_anchor": 1,
                     *         "target_customers": [
                     *           {
                     *             "customer_id": "acme",
                     *             "customer_name": "Acme Inc",
                     *             "email": "billing@acme.example"
                     *           }
                     *         ],
                     *         "created_on": "2026-01-01T00:00:00Z",
                     *         "usage_billing_frequency": null,
                     *         "flat_fee_billing_type": "in_advance",
                     *         "flat_rate": 1,
                     *         "description": "Welcome credit"
                     *       },
                     *       "status": "active"
                     *     }
                     */
                    "application/json": components["schemas"]["Plan"];
                };
            };
        };
    };
    getPlan: {
        parameters: {
            query?: {
                /** @description Answers as it was at this moment of recorded time: by what was recorded until then, and with the clock at it. */
                as_of?: string;
            };
            header?: never;
            path: {
                /**
                 * @description Id of the plan.
                 * @example plan_5f0a1c3e7b2d4c6e8a9b0c1d2e3f4a5b
                 */
                plan_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "plan_id": "plan_5f0a1c3e7b2d4c6e8a9b0c1d2e3f4a5b",
                     *       "plan_name": "Pro",
                     *       "plan_duration": "monthly",
                     *       "plan_description": "For teams.",
                     *       "external_links": [
                     *         {
                     *           "source": "provider_a",
                     *           "external_plan_id": "price_42"
                     *         }
                     *       ],
                     *       "num_versions": 1,
                     *       "active_version": 1,
                     *       "active_subscriptions": 1,
                     *       "tags": [
                     *         "public"
                     *       ],
                     *       "versions": [
                     *         {
                     *           "version_id": "plan_version_5f0a1c3e7b2d4c6e8a9b0c1d2e3f4a5b",
                     *           "recurring_charges": [
                     *             {
                     *               "name": "Pro",
                     *               "charge_timing": "in_advance",
                     *               "charge_behavior": "prorate",
                     *               "amount": 1,
                     *               "pricing_unit": {
                     *                 "code": "USD",
                     *                 "name": "US Dollar",
                     *                 "symbol": "$"
                     *               },
                     *               "invoicing_interval_unit": "day",
                     *               "invoicing_interval_count": 1,
                     *               "reset_interval_unit": "day",
                     *               "reset_interval_count": 1
                     *             }
                     *           ],
                     *           "components": [
                     *             {
                     *               "billable_metric": {
                     *                 "metric_id": "metric_5f0a1c3e7b2d4c6e8a9b0c1d2e3f4a5b",
                     *                 "metric_name": "API requests",
                     *                 "event_name": "api_request",
                     *                 "property_name": "region",
                     *                 "aggregation_type": "count",
                     *                 "metric_type": "counter",
                     *                 "granularity": "seconds",
                     *                 "event_type": "delta",
                     *                 "proration": "seconds",
                     *                 "numeric_filters": [
                     *                   {
                     *                     "property_name": "region",
                     *                     "operator": "gte",
                     *                     "comparison_value": 1
                     *                   }
                     *                 ],
                     *                 "categorical_filters": [
                     *                   {
                     *                     "property_name": "region",
                     *                     "operator": "isin",
                     *                     "comparison_value": [
                     *                       "text"
                     *                     ]
                     *                   }
                     *                 ],
                     *                 "is_cost_metric": true,
                     *                 "custom_sql": null
                     *               },
                     *               "tiers": [
                     *                 {
                     *                   "type": "flat",
                     *                   "range_start": 1,
                     *                   "range_end": 1,
                     *                   "cost_per_batch": 1,
                     *                   "metric_units_per_batch": 1,
                     *                   "batch_rounding_type": "round_up"
                     *                 }
                     *               ],
                     *               "bulk_pricing_enabled": true,
                     *               "pricing_unit": {
                     *                 "code": "USD",
                     *                 "name": "US Dollar",
                     *                 "symbol": "$"
                     *               },
                     *               "invoicing_interval_unit": "day",
                     *               "invoicing_interval_count": 1,
                     *               "reset_interval_unit": "day",
                     *               "reset_interval_count": 1,
                     *               "prepaid_charge": {
                     *                 "units": 1,
                     *                 "charge_behavior": "prorate"
                     *               }
                     *             }
                     *           ],
                     *           "features": [
                     *             {
                     *               "feature_id": "feature_5f0a1c3e7b2d4c6e8a9b0c1d2e3f4a5b",
                     *               "feature_name": "Single sign-on",
                     *               "feature_description": "Login with your identity provider."
                     *             }
                     *           ],
                     *           "price_adjustment": {
                     *             "price_adjustment_name": "Launch discount",
                     *             "price_adjustment_description": null,
                     *             "price_adjustment_type": "percentage",
                     *             "price_adjustment_amount": 1
                     *           },
                     *           "version": 1,
                     *           "status": "active",
                     *           "plan_name": "Pro",
                     *           "currency": {
                     *             "code": "USD",
                     *             "name": "US Dollar",
                     *             "symbol": "$"
                     *           },
                     *           "active_from": "2026-01-01T00:00:00Z",
                     *           "active_to": "2026-01-01T00:00:00Z",
                     *           "localized_name": null,
                     *           "day_anchor": 1,
                     *           "month_anchor": 1,
                     *           "target_customers": [
                     *             {
                     *               "customer_id": "acme",
                     *               "customer_name": "Acme Inc",
                     *               "email": "billing@acme.example"
                     *             }
                     *           ],
                     *           "created_on": "2026-01-01T00:00:00Z",
                     *           "usage_billing_frequency": null,
                     *           "flat_fee_billing_type": "in_advance",
                     *           "flat_rate": 1,
                     *           "description": "Welcome credit"
                     *         }
                     *       ],
                     *       "parent_plan": null,
                     *       "target_customer": {
                     *         "customer_id": "acme",
                     *         "customer_name": "Acme Inc",
                     *         "email": "billing@acme.example"
                     *       },
                     *       "display_version": {
                     *         "version_id": "plan_version_5f0a1c3e7b2d4c6e8a9b0c1d2e3f4a5b",
                     *         "recurring_charges": [
                     *           {
                     *             "name": "Pro",
                     *             "charge_timing": "in_advance",
                     *             "charge_behavior": "prorate",
                     *             "amount": 1,
                     *             "pricing_unit": {
                     *               "code": "USD",
                     *               "name": "US Dollar",
                     *               "symbol": "$"
                     *             },
                     *             "invoicing_interval_unit": "day",
                     *             "invoicing_interval_count": 1,
                     *             "reset_interval_unit": "day",
                     *             "reset_interval_count": 1
                     *           }
                     *         ],
                     *         "components": [
                     *           {
                     *             "billable_metric": {
                     *               "metric_id": "metric_5f0a1c3e7b2d4c6e8a9b0c1d2e3f4a5b",
                     *               "metric_name": "API requests",
                     *               "event_name": "api_request",
                     *               "property_name": "region",
                     *               "aggregation_type": "count",
                     *               "metric_type": "counter",
                     *               "granularity": "seconds",
                     *               "event_type": "delta",
                     *               "proration": "seconds",
                     *               "numeric_filters": [
                     *                 {
                     *                   "property_name": "region",
                     *                   "operator": "gte",
                     *                   "comparison_value": 1
                     *                 }
                     *               ],
                     *               "categorical_filters": [
                     *                 {
                     *                   "property_name": "region",
                     *                   "operator": "isin",
                     *                   "comparison_value": [
                     *                     "text"
                     *                   ]
                     *                 }
                     *               ],
                     *               "is_cost_metric": true,
                     *               "custom_sql": null
                     *             },
                     *             "tiers": [
                     *               {
                     *                 "type": "flat",
                     *                 "range_start": 1,
                     *                 "range_end": 1,
                     *                 "cost_per_batch": 1,
                     *                 "metric_units_per_batch": 1,
                     *                 "batch_rounding_type": "round_up"
                     *               }
                     *             ],
                     *             "bulk_pricing_enabled": true,
                     *             "pricing_unit": {
                     *               "code": "USD",
                     *               "name": "US Dollar",
                     *               "symbol": "$"
                     *             },
                     *             "invoicing_interval_unit": "day",
                     *             "invoicing_interval_count": 1,
                     *             "reset_interval_unit": "day",
                     *             "reset_interval_count": 1,
                     *             "prepaid_charge": {
                     *               "units": 1,
                     *               "charge_behavior": "prorate"
                     *             }
                     *           }
                     *         ],
                     *         "features": [
                     *           {
                     *             "feature_id": "feature_5f0a1c3e7b2d4c6e8a9b0c1d2e3f4a5b",
                     *             "feature_name": "Single sign-on",
                     *             "feature_description": "Login with your identity provider."
                     *           }
                     *         ],
                     *         "price_adjustment": {
                     *           "price_adjustment_name": "Launch discount",
                     *           "price_adjustment_description": null,
                     *           "price_adjustment_type": "percentage",
                     *           "price_adjustment_amount": 1
                     *         },
                     *         "version": 1,
                     *         "status": "active",
                     *         "plan_name": "Pro",
                     *         "currency": {
                     *           "code": "USD",
                     *           "name": "US Dollar",
                     *           "symbol": "$"
                     *         },
                     *         "active_from": "2026-01-01T00:00:00Z",
                     *         "active_to": "2026-01-01T00:00:00Z",
                     *         "localized_name": null,
                     *         "day_anchor": 1,
                     *         "month_anchor": 1,
                     *         "target_customers": [
                     *           {
                     *             "customer_id": "acme",
                     *             "customer_name": "Acme Inc",
                     *             "email": "billing@acme.example"
                     *           }
                     *         ],
                     *         "created_on": "2026-01-01T00:00:00Z",
                     *         "usage_billing_frequency": null,
                     *         "flat_fee_billing_type": "in_advance",
                     *         "flat_rate": 1,
                     *         "description": "Welcome credit"
                     *       },
                     *       "status": "active"
                     *     }
                     */
                    "application/json": components["schemas"]["Plan"];
                };
            };
        };
    };
    updatePlan: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description Id of the plan.
                 * @example plan_5f0a1c3e7b2d4c6e8a9b0c1d2e3f4a5b
                 */
                plan_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ChangePlanBody"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "plan_id": "plan_5f0a1c3e7b2d4c6e8a9b0c1d2e3f4a5b",
                     *       "plan_name": "Pro",
                     *       "plan_duration": "monthly",
                     *       "plan_description": "For teams.",
                     *       "external_links": [
                     *         {
                     *           "source": "provider_a",
                     *           "external_plan_id": "price_42"
                     *         }
                     *       ],
                     *       "num_versions": 1,
                     *       "active_version": 1,
                     *       "active_subscriptions": 1,
                     *       "tags": [
                     *         "public"
                     *       ],
                     *       "versions": [
                     *         {
                     *           "version_id": "plan_version_5f0a1c3e7b2d4c6e8a9b0c1d2e3f4a5b",
                     *           "recurring_charges": [
                     *             {
                     *               "name": "Pro",
                     *               "charge_timing": "in_advance",
                     *               "charge_behavior": "prorate",
                     *               "amount": 1,
                     *               "pricing_unit": {
                     *                 "code": "USD",
                     *                 "name": "US Dollar",
                     *                 "symbol": "$"
                     *               },
                     *               "invoicing_interval_unit": "day",
                     *               "invoicing_interval_count": 1,
                     *               "reset_interval_unit": "day",
                     *               "reset_interval_count": 1
                     *             }
                     *           ],
                     *           "components": [
                     *             {
                     *               "billable_metric": {
                     *                 "metric_id": "metric_5f0a1c3e7b2d4c6e8a9b0c1d2e3f4a5b",
                     *                 "metric_name": "API requests",
                     *                 "event_name": "api_request",
                     *                 "property_name": "region",
                     *                 "aggregation_type": "count",
                     *                 "metric_type": "counter",
                     *                 "granularity": "seconds",
                     *                 "event_type": "delta",
                     *                 "proration": "seconds",
                     *                 "numeric_filters": [
                     *                   {
                     *                     "property_name": "region",
                     *                     "operator": "gte",
                     *                     "comparison_value": 1
                     *                   }
                     *                 ],
                     *                 "categorical_filters": [
                     *                   {
                     *                     "property_name": "region",
                     *                     "operator": "isin",
                     *                     "comparison_value": [
                     *                       "text"
                     *                     ]
                     *                   }
                     *                 ],
                     *                 "is_cost_metric": true,
                     *                 "custom_sql": null
                     *               },
                     *               "tiers": [
                     *                 {
                     *                   "type": "flat",
                     *                   "range_start": 1,
                     *                   "range_end": 1,
                     *                   "cost_per_batch": 1,
                     *                   "metric_units_per_batch": 1,
                     *                   "batch_rounding_type": "round_up"
                     *                 }
                     *               ],
                     *               "bulk_pricing_enabled": true,
                     *               "pricing_unit": {
                     *                 "code": "USD",
                     *                 "name": "US Dollar",
                     *                 "symbol": "$"
                     *               },
                     *               "invoicing_interval_unit": "day",
                     *               "invoicing_interval_count": 1,
                     *               "reset_interval_unit": "day",
                     *               "reset_interval_count": 1,
                     *               "prepaid_charge": {
                     *                 "units": 1,
                     *                 "charge_behavior": "prorate"
                     *               }
                     *             }
                     *           ],
                     *           "features": [
                     *             {
                     *               "feature_id": "feature_5f0a1c3e7b2d4c6e8a9b0c1d2e3f4a5b",
                     *               "feature_name": "Single sign-on",
                     *               "feature_description": "Login with your identity provider."
                     *             }
                     *           ],
                     *           "price_adjustment": {
                     *             "price_adjustment_name": "Launch discount",
                     *             "price_adjustment_description": null,
                     *             "price_adjustment_type": "percentage",
                     *             "price_adjustment_amount": 1
                     *           },
                     *           "version": 1,
                     *           "status": "active",
                     *           "plan_name": "Pro",
                     *           "currency": {
                     *             "code": "USD",
                     *             "name": "US Dollar",
                     *             "symbol": "$"
                     *           },
                     *           "active_from": "2026-01-01T00:00:00Z",
                     *           "active_to": "2026-01-01T00:00:00Z",
                     *           "localized_name": null,
                     *           "day_anchor": 1,
                     *           "month_anchor": 1,
                     *           "target_customers": [
                     *             {
                     *               "customer_id": "acme",
                     *               "customer_name": "Acme Inc",
                     *               "email": "billing@acme.example"
                     *             }
                     *           ],
                     *           "created_on": "2026-01-01T00:00:00Z",
                     *           "usage_billing_frequency": null,
                     *           "flat_fee_billing_type": "in_advance",
                     *           "flat_rate": 1,
                     *           "description": "Welcome credit"
                     *         }
                     *       ],
                     *       "parent_plan": null,
                     *       "target_customer": {
                     *         "customer_id": "acme",
                     *         "customer_name": "Acme Inc",
                     *         "email": "billing@acme.example"
                     *       },
                     *       "display_version": {
                     *         "version_id": "plan_version_5f0a1c3e7b2d4c6e8a9b0c1d2e3f4a5b",
                     *         "recurring_charges": [
                     *           {
                     *             "name": "Pro",
                     *             "charge_timing": "in_advance",
                     *             "charge_behavior": "prorate",
                     *             "amount": 1,
                     *             "pricing_unit": {
                     *               "code": "USD",
                     *               "name": "US Dollar",
                     *               "symbol": "$"
                     *             },
                     *             "invoicing_interval_unit": "day",
                     *             "invoicing_interval_count": 1,
                     *             "reset_interval_unit": "day",
                     *             "reset_interval_count": 1
                     *           }
                     *         ],
                     *         "components": [
                     *           {
                     *             "billable_metric": {
                     *               "metric_id": "metric_5f0a1c3e7b2d4c6e8a9b0c1d2e3f4a5b",
                     *               "metric_name": "API requests",
                     *               "event_name": "api_request",
                     *               "property_name": "region",
                     *               "aggregation_type": "count",
                     *               "metric_type": "counter",
                     *               "granularity": "seconds",
                     *               "event_type": "delta",
                     *               "proration": "seconds",
                     *               "numeric_filters": [
                     *                 {
                     *                   "property_name": "region",
                     *                   "operator": "gte",
                     *                   "comparison_value": 1
                     *                 }
                     *               ],
                     *               "categorical_filters": [
                     *                 {
                     *                   "property_name": "region",
                     *                   "operator": "isin",
                     *                   "comparison_value": [
                     *                     "text"
                     *                   ]
                     *                 }
                     *               ],
                     *               "is_cost_metric": true,
                     *               "custom_sql": null
                     *             },
                     *             "tiers": [
                     *               {
                     *                 "type": "flat",
                     *                 "range_start": 1,
                     *                 "range_end": 1,
                     *                 "cost_per_batch": 1,
                     *                 "metric_units_per_batch": 1,
                     *                 "batch_rounding_type": "round_up"
                     *               }
                     *             ],
                     *             "bulk_pricing_enabled": true,
                     *             "pricing_unit": {
                     *               "code": "USD",
                     *               "name": "US Dollar",
                     *               "symbol": "$"
                     *             },
                     *             "invoicing_interval_unit": "day",
                     *             "invoicing_interval_count": 1,
                     *             "reset_interval_unit": "day",
                     *             "reset_interval_count": 1,
                     *             "prepaid_charge": {
                     *               "units": 1,
                     *               "charge_behavior": "prorate"
                     *             }
                     *           }
                     *         ],
                     *         "features": [
                     *           {
                     *             "feature_id": "feature_5f0a1c3e7b2d4c6e8a9b0c1d2e3f4a5b",
                     *             "feature_name": "Single sign-on",
                     *             "feature_description": "Login with your identity provider."
                     *           }
                     *         ],
                     *         "price_adjustment": {
                     *           "price_adjustment_name": "Launch discount",
                     *           "price_adjustment_description": null,
                     *           "price_adjustment_type": "percentage",
                     *           "price_adjustment_amount": 1
                     *         },
                     *         "version": 1,
                     *         "status": "active",
                     *         "plan_name": "Pro",
                     *         "currency": {
                     *           "code": "USD",
                     *           "name": "US Dollar",
                     *           "symbol": "$"
                     *         },
                     *         "active_from": "2026-01-01T00:00:00Z",
                     *         "active_to": "2026-01-01T00:00:00Z",
                     *         "localized_name": null,
                     *         "day_anchor": 1,
                     *         "month_anchor": 1,
                     *         "target_customers": [
                     *           {
                     *             "customer_id": "acme",
                     *             "customer_name": "Acme Inc",
                     *             "email": "billing@acme.example"
                     *           }
                     *         ],
                     *         "created_on": "2026-01-01T00:00:00Z",
                     *         "usage_billing_frequency": null,
                     *         "flat_fee_billing_type": "in_advance",
                     *         "flat_rate": 1,
                     *         "description": "Welcome credit"
                     *       },
                     *       "status": "active"
                     *     }
                     */
                    "application/json": components["schemas"]["Plan"];
                };
            };
        };
    };
    deletePlan: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description Id of the plan.
                 * @example plan_5f0a1c3e7b2d4c6e8a9b0c1d2e3f4a5b
                 */
                plan_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "plan_id": "plan_5f0a1c3e7b2d4c6e8a9b0c1d2e3f4a5b",
                     *       "plan_name": "Pro",
                     *       "plan_duration": "monthly",
                     *       "plan_description": "For teams.",
                     *       "external_links": [
                     *         {
                     *           "source": "provider_a",
                     *           "external_plan_id": "price_42"
                     *         }
                     *       ],
                     *       "num_versions": 1,
                     *       "active_version": 1,
                     *       "active_subscriptions": 1,
                     *       "tags": [
                     *         "public"
                     *       ],
                     *       "versions": [
                     *         {
                     *           "version_id": "plan_version_5f0a1c3e7b2d4c6e8a9b0c1d2e3f4a5b",
                     *           "recurring_charges": [
                     *             {
                     *               "name": "Pro",
                     *               "charge_timing": "in_advance",
                     *               "charge_behavior": "prorate",
                     *               "amount": 1,
                     *               "pricing_unit": {
                     *                 "code": "USD",
                     *                 "name": "US Dollar",
                     *                 "symbol": "$"
                     *               },
                     *               "invoicing_interval_unit": "day",
                     *               "invoicing_interval_count": 1,
                     *               "reset_interval_unit": "day",
                     *               "reset_interval_count": 1
                     *             }
                     *           ],
                     *           "components": [
                     *             {
                     *               "billable_metric": {
                     *                 "metric_id": "metric_5f0a1c3e7b2d4c6e8a9b0c1d2e3f4a5b",
                     *                 "metric_name": "API requests",
                     *                 "event_name": "api_request",
                     *                 "property_name": "region",
                     *                 "aggregation_type": "count",
                     *                 "metric_type": "counter",
                     *                 "granularity": "seconds",
                     *                 "event_type": "delta",
                     *                 "proration": "seconds",
                     *                 "numeric_filters": [
                     *                   {
                     *                     "property_name": "region",
                     *                     "operator": "gte",
                     *                     "comparison_value": 1
                     *                   }
                     *                 ],
                     *                 "categorical_filters": [
                     *                   {
                     *                     "property_name": "region",
                     *                     "operator": "isin",
                     *                     "comparison_value": [
                     *                       "text"
                     *                     ]
                     *                   }
                     *                 ],
                     *                 "is_cost_metric": true,
                     *                 "custom_sql": null
                     *               },
                     *               "tiers": [
                     *                 {
                     *                   "type": "flat",
                     *                   "range_start": 1,
                     *                   "range_end": 1,
                     *                   "cost_per_batch": 1,
                     *                   "metric_units_per_batch": 1,
                     *                   "batch_rounding_type": "round_up"
                     *                 }
                     *               ],
                     *               "bulk_pricing_enabled": true,
                     *               "pricing_unit": {
                     *                 "code": "USD",
                     *                 "name": "US Dollar",
                     *                 "symbol": "$"
                     *               },
                     *               "invoicing_interval_unit": "day",
                     *               "invoicing_interval_count": 1,
                     *               "reset_interval_unit": "day",
                     *               "reset_interval_count": 1,
                     *               "prepaid_charge": {
                     *                 "units": 1,
                     *                 "charge_behavior": "prorate"
                     *               }
                     *             }
                     *           ],
                     *           "features": [
                     *             {
                     *               "feature_id": "feature_5f0a1c3e7b2d4c6e8a9b0c1d2e3f4a5b",
                     *               "feature_name": "Single sign-on",
                     *               "feature_description": "Login with your identity provider."
                     *             }
                     *           ],
                     *           "price_adjustment": {
                     *             "price_adjustment_name": "Launch discount",
                     *             "price_adjustment_description": null,
                     *             "price_adjustment_type": "percentage",
                     *             "price_adjustment_amount": 1
                     *           },
                     *           "version": 1,
                     *           "status": "active",
                     *           "plan_name": "Pro",
                     *           "currency": {
                     *             "code": "USD",
                     *             "name": "US Dollar",
                     *             "symbol": "$"
                     *           },
                     *           "active_from": "2026-01-01T00:00:00Z",
                     *           "active_to": "2026-01-01T00:00:00Z",
                     *           "localized_name": null,
                     *           "day_anchor": 1,
                     *           "month_anchor": 1,
                     *           "target_customers": [
                     *             {
                     *               "customer_id": "acme",
                     *               "customer_name": "Acme Inc",
                     *               "email": "billing@acme.example"
                     *             }
                     *           ],
                     *           "created_on": "2026-01-01T00:00:00Z",
                     *           "usage_billing_frequency": null,
                     *           "flat_fee_billing_type": "in_advance",
                     *           "flat_rate": 1,
                     *           "description": "Welcome credit"
                     *         }
                     *       ],
                     *       "parent_plan": null,
                     *       "target_customer": {
                     *         "customer_id": "acme",
                     *         "customer_name": "Acme Inc",
                     *         "email": "billing@acme.example"
                     *       },
                     *       "display_version": {
                     *         "version_id": "plan_version_5f0a1c3e7b2d4c6e8a9b0c1d2e3f4a5b",
                     *         "recurring_charges": [
                     *           {
                     *             "name": "Pro",
                     *             "charge_timing": "in_advance",
                     *             "charge_behavior": "prorate",
                     *             "amount": 1,
                     *             "pricing_unit": {
                     *               "code": "USD",
                     *               "name": "US Dollar",
                     *               "symbol": "$"
                     *             },
                     *             "invoicing_interval_unit": "day",
                     *             "invoicing_interval_count": 1,
                     *             "reset_interval_unit": "day",
                     *             "reset_interval_count": 1
                     *           }
                     *         ],
                     *         "components": [
                     *           {
                     *             "billable_metric": {
                     *               "metric_id": "metric_5f0a1c3e7b2d4c6e8a9b0c1d2e3f4a5b",
                     *               "metric_name": "API requests",
                     *               "event_name": "api_request",
                     *               "property_name": "region",
                     *               "aggregation_type": "count",
                     *               "metric_type": "counter",
                     *               "granularity": "seconds",
                     *               "event_type": "delta",
                     *               "proration": "seconds",
                     *               "numeric_filters": [
                     *                 {
                     *                   "property_name": "region",
                     *                   "operator": "gte",
                     *                   "comparison_value": 1
                     *                 }
                     *               ],
                     *               "categorical_filters": [
                     *                 {
                     *                   "property_name": "region",
                     *                   "operator": "isin",
                     *                   "comparison_value": [
                     *                     "text"
                     *                   ]
                     *                 }
                     *               ],
                     *               "is_cost_metric": true,
                     *               "custom_sql": null
                     *             },
                     *             "tiers": [
                     *               {
                     *                 "type": "flat",
                     *                 "range_start": 1,
                     *                 "range_end": 1,
                     *                 "cost_per_batch": 1,
                     *                 "metric_units_per_batch": 1,
                     *                 "batch_rounding_type": "round_up"
                     *               }
                     *             ],
                     *             "bulk_pricing_enabled": true,
                     *             "pricing_unit": {
                     *               "code": "USD",
                     *               "name": "US Dollar",
                     *               "symbol": "$"
                     *             },
                     *             "invoicing_interval_unit": "day",
                     *             "invoicing_interval_count": 1,
                     *             "reset_interval_unit": "day",
                     *             "reset_interval_count": 1,
                     *             "prepaid_charge": {
                     *               "units": 1,
                     *               "charge_behavior": "prorate"
                     *             }
                     *           }
                     *         ],
                     *         "features": [
                     *           {
                     *             "feature_id": "feature_5f0a1c3e7b2d4c6e8a9b0c1d2e3f4a5b",
                     *             "feature_name": "Single sign-on",
                     *             "feature_description": "Login with your identity provider."
                     *           }
                     *         ],
                     *         "price_adjustment": {
                     *           "price_adjustment_name": "Launch discount",
                     *           "price_adjustment_description": null,
                     *           "price_adjustment_type": "percentage",
                     *           "price_adjustment_amount": 1
                     *         },
                     *         "version": 1,
                     *         "status": "active",
                     *         "plan_name": "Pro",
                     *         "currency": {
                     *           "code": "USD",
                     *           "name": "US Dollar",
                     *           "symbol": "$"
                     *         },
                     *         "active_from": "2026-01-01T00:00:00Z",
                     *         "active_to": "2026-01-01T00:00:00Z",
                     *         "localized_name": null,
                     *         "day_anchor": 1,
                     *         "month_anchor": 1,
                     *         "target_customers": [
                     *           {
                     *             "customer_id": "acme",
                     *             "customer_name": "Acme Inc",
                     *             "email": "billing@acme.example"
                     *           }
                     *         ],
                     *         "created_on": "2026-01-01T00:00:00Z",
                     *         "usage_billing_frequency": null,
                     *         "flat_fee_billing_type": "in_advance",
                     *         "flat_rate": 1,
                     *         "description": "Welcome credit"
                     *       },
                     *       "status": "active"
                     *     }
                     */
                    "application/json": components["schemas"]["Plan"];
                };
            };
        };
    };
    addPlanFeature: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description Id of the plan.
                 * @example plan_5f0a1c3e7b2d4c6e8a9b0c1d2e3f4a5b
                 */
                plan_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["AddFeatureBody"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "plan_id": "plan_5f0a1c3e7b2d4c6e8a9b0c1d2e3f4a5b",
                     *       "plan_name": "Pro",
                     *       "plan_duration": "monthly",
                     *       "plan_description": "For teams.",
                     *       "external_links": [
                     *         {
                     *           "source": "provider_a",
                     *           "external_plan_id": "price_42"
                     *         }
                     *       ],
                     *       "num_versions": 1,
                     *       "active_version": 1,
                     *       "active_subscriptions": 1,
                     *       "tags": [
                     *         "public"
                     *       ],
                     *       "versions": [
                     *         {
                     *           "version_id": "plan_version_5f0a1c3e7b2d4c6e8a9b0c1d2e3f4a5b",
                     *           "recurring_charges": [
                     *             {
                     *               "name": "Pro",
                     *               "charge_timing": "in_advance",
                     *               "charge_behavior": "prorate",
                     *               "amount": 1,
                     *               "pricing_unit": {
                     *                 "code": "USD",
                     *                 "name": "US Dollar",
                     *                 "symbol": "$"
                     *               },
                     *               "invoicing_interval_unit": "day",
                     *               "invoicing_interval_count": 1,
                     *               "reset_interval_unit": "day",
                     *               "reset_interval_count": 1
                     *             }
                     *           ],
                     *           "components": [
                     *             {
                     *               "billable_metric": {
                     *                 "metric_id": "metric_5f0a1c3e7b2d4c6e8a9b0c1d2e3f4a5b",
                     *                 "metric_name": "API requests",
                     *                 "event_name": "api_request",
                     *                 "property_name": "region",
                     *                 "aggregation_type": "count",
                     *                 "metric_type": "counter",
                     *                 "granularity": "seconds",
                     *                 "event_type": "delta",
                     *                 "proration": "seconds",
                     *                 "numeric_filters": [
                     *                   {
                     *                     "property_name": "region",
                     *                     "operator": "gte",
                     *                     "comparison_value": 1
                     *                   }
                     *                 ],
                     *                 "categorical_filters": [
                     *                   {
                     *                     "property_name": "region",
                     *                     "operator": "isin",
                     *                     "comparison_value": [
                     *                       "text"
                     *                     ]
                     *                   }
                     *                 ],
                     *                 "is_cost_metric": true,
                     *                 "custom_sql": null
                     *               },
                     *               "tiers": [
                     *                 {
                     *                   "type": "flat",
                     *                   "range_start": 1,
                     *                   "range_end": 1,
                     *                   "cost_per_batch": 1,
                     *                   "metric_units_per_batch": 1,
                     *                   "batch_rounding_type": "round_up"
                     *                 }
                     *               ],
                     *               "bulk_pricing_enabled": true,
                     *               "pricing_unit": {
                     *                 "code": "USD",
                     *                 "name": "US Dollar",
                     *                 "symbol": "$"
                     *               },
                     *               "invoicing_interval_unit": "day",
                     *               "invoicing_interval_count": 1,
                     *               "reset_interval_unit": "day",
                     *               "reset_interval_count": 1,
                     *               "prepaid_charge": {
                     *                 "units": 1,
                     *                 "charge_behavior": "prorate"
                     *               }
                     *             }
                     *           ],
                     *           "features": [
                     *             {
                     *               "feature_id": "feature_5f0a1c3e7b2d4c6e8a9b0c1d2e3f4a5b",
                     *               "feature_name": "Single sign-on",
                     *               "feature_description": "Login with your identity provider."
                     *             }
                     *           ],
                     *           "price_adjustment": {
                     *             "price_adjustment_name": "Launch discount",
                     *             "price_adjustment_description": null,
                     *             "price_adjustment_type": "percentage",
                     *             "price_adjustment_amount": 1
                     *           },
                     *           "version": 1,
                     *           "status": "active",
                     *           "plan_name": "Pro",
                     *           "currency": {
                     *             "code": "USD",
                     *             "name": "US Dollar",
                     *             "symbol": "$"
                     *           },
                     *           "active_from": "2026-01-01T00:00:00Z",
                     *           "active_to": "2026-01-01T00:00:00Z",
                     *           "localized_name": null,
                     *           "day_anchor": 1,
                     *           "month_anchor": 1,
                     *           "target_customers": [
                     *             {
                     *               "customer_id": "acme",
                     *               "customer_name": "Acme Inc",
                     *               "email": "billing@acme.example"
                     *             }
                     *           ],
                     *           "created_on": "2026-01-01T00:00:00Z",
                     *           "usage_billing_frequency": null,
                     *           "flat_fee_billing_type": "in_advance",
                     *           "flat_rate": 1,
                     *           "description": "Welcome credit"
                     *         }
                     *       ],
                     *       "parent_plan": null,
                     *       "target_customer": {
                     *         "customer_id": "acme",
                     *         "customer_name": "Acme Inc",
                     *         "email": "billing@acme.example"
                     *       },
                     *       "display_version": {
                     *         "version_id": "plan_version_5f0a1c3e7b2d4c6e8a9b0c1d2e3f4a5b",
                     *         "recurring_charges": [
                     *           {
                     *             "name": "Pro",
                     *             "charge_timing": "in_advance",
                     *             "charge_behavior": "prorate",
                     *             "amount": 1,
                     *             "pricing_unit": {
                     *               "code": "USD",
                     *               "name": "US Dollar",
                     *               "symbol": "$"
                     *             },
                     *             "invoicing_interval_unit": "day",
                     *             "invoicing_interval_count": 1,
                     *             "reset_interval_unit": "day",
                     *             "reset_interval_count": 1
                     *           }
                     *         ],
                     *         "components": [
                     *           {
                     *             "billable_metric": {
                     *               "metric_id": "metric_5f0a1c3e7b2d4c6e8a9b0c1d2e3f4a5b",
                     *               "metric_name": "API requests",
                     *               "event_name": "api_request",
                     *               "property_name": "region",
                     *               "aggregation_type": "count",
                     *               "metric_type": "counter",
                     *               "granularity": "seconds",
                     *               "event_type": "delta",
                     *               "proration": "seconds",
                     *               "numeric_filters": [
                     *                 {
                     *                   "property_name": "region",
                     *                   "operator": "gte",
                     *                   "comparison_value": 1
                     *                 }
                     *               ],
                     *               "categorical_filters": [
                     *                 {
                     *                   "property_name": "region",
                     *                   "operator": "isin",
                     *                   "comparison_value": [
                     *                     "text"
                     *                   ]
                     *                 }
                     *               ],
                     *               "is_cost_metric": true,
                     *               "custom_sql": null
                     *             },
                     *             "tiers": [
                     *               {
                     *                 "type": "flat",
                     *                 "range_start": 1,
                     *                 "range_end": 1,
                     *                 "cost_per_batch": 1,
                     *                 "metric_units_per_batch": 1,
                     *                 "batch_rounding_type": "round_up"
                     *               }
                     *             ],
                     *             "bulk_pricing_enabled": true,
                     *             "pricing_unit": {
                     *               "code": "USD",
                     *               "name": "US Dollar",
                     *               "symbol": "$"
                     *             },
                     *             "invoicing_interval_unit": "day",
                     *             "invoicing_interval_count": 1,
                     *             "reset_interval_unit": "day",
                     *             "reset_interval_count": 1,
                     *             "prepaid_charge": {
                     *               "units": 1,
                     *               "charge_behavior": "prorate"
                     *             }
                     *           }
                     *         ],
                     *         "features": [
                     *           {
                     *             "feature_id": "feature_5f0a1c3e7b2d4c6e8a9b0c1d2e3f4a5b",
                     *             "feature_name": "Single sign-on",
                     *             "feature_description": "Login with your identity provider."
                     *           }
                     *         ],
                     *         "price_adjustment": {
                     *           "price_adjustment_name": "Launch discount",
                     *           "price_adjustment_description": null,
                     *           "price_adjustment_type": "percentage",
                     *           "price_adjustment_amount": 1
                     *         },
                     *         "version": 1,
                     *         "status": "active",
                     *         "plan_name": "Pro",
                     *         "currency": {
                     *           "code": "USD",
                     *           "name": "US Dollar",
                     *           "symbol": "$"
                     *         },
                     *         "active_from": "2026-01-01T00:00:00Z",
                     *         "active_to": "2026-01-01T00:00:00Z",
                     *         "localized_name": null,
                     *         "day_anchor": 1,
                     *         "month_anchor": 1,
                     *         "target_customers": [
                     *           {
                     *             "customer_id": "acme",
                     *             "customer_name": "Acme Inc",
                     *             "email": "billing@acme.example"
                     *           }
                     *         ],
                     *         "created_on": "2026-01-01T00:00:00Z",
                     *         "usage_billing_frequency": null,
                     *         "flat_fee_billing_type": "in_advance",
                     *         "flat_rate": 1,
                     *         "description": "Welcome credit"
                     *       },
                     *       "status": "active"
                     *     }
                     */
                    "application/json": components["schemas"]["Plan"];
                };
            };
        };
    };
    addPlanTags: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description Id of the plan.
                 * @example plan_5f0a1c3e7b2d4c6e8a9b0c1d2e3f4a5b
                 */
                plan_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["TagsBody"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "plan_id": "plan_5f0a1c3e7b2d4c6e8a9b0c1d2e3f4a5b",
                     *       "plan_name": "Pro",
                     *       "plan_duration": "monthly",
                     *       "plan_description": "For teams.",
                     *       "external_links": [
                     *         {
                     *           "source": "provider_a",
                     *           "external_plan_id": "price_42"
                     *         }
                     *       ],
                     *       "num_versions": 1,
                     *       "active_version": 1,
                     *       "active_subscriptions": 1,
                     *       "tags": [
                     *         "public"
                     *       ],
                     *       "versions": [
                     *         {
                     *           "version_id": "plan_version_5f0a1c3e7b2d4c6e8a9b0c1d2e3f4a5b",
                     *           "recurring_charges": [
                     *             {
                     *               "name": "Pro",
                     *               "charge_timing": "in_advance",
                     *               "charge_behavior": "prorate",
                     *               "amount": 1,
                     *               "pricing_unit": {
                     *                 "code": "USD",
                     *                 "name": "US Dollar",
                     *                 "symbol": "$"
                     *               },
                     *               "invoicing_interval_unit": "day",
                     *               "invoicing_interval_count": 1,
                     *               "reset_interval_unit": "day",
                     *               "reset_interval_count": 1
                     *             }
                     *           ],
                     *           "components": [
                     *             {
                     *               "billable_metric": {
                     *                 "metric_id": "metric_5f0a1c3e7b2d4c6e8a9b0c1d2e3f4a5b",
                     *                 "metric_name": "API requests",
                     *                 "event_name": "api_request",
                     *                 "property_name": "region",
                     *                 "aggregation_type": "count",
                     *                 "metric_type": "counter",
                     *                 "granularity": "seconds",
                     *                 "event_type": "delta",
                     *                 "proration": "seconds",
                     *                 "numeric_filters": [
                     *                   {
                     *                     "property_name": "region",
                     *                     "operator": "gte",
                     *                     "comparison_value": 1
                     *                   }
                     *                 ],
                     *                 "categorical_filters": [
                     *                   {
                     *                     "property_name": "region",
                     *                     "operator": "isin",
                     *                     "comparison_value": [
                     *                       "text"
                     *                     ]
                     *                   }
                     *                 ],
                     *                 "is_cost_metric": true,
                     *                 "custom_sql": null
                     *               },
                     *               "tiers": [
                     *                 {
                     *                   "type": "flat",
                     *                   "range_start": 1,
                     *                   "range_end": 1,
                     *                   "cost_per_batch": 1,
                     *                   "metric_units_per_batch": 1,
                     *                   "batch_rounding_type": "round_up"
                     *                 }
                     *               ],
                     *               "bulk_pricing_enabled": true,
                     *               "pricing_unit": {
                     *                 "code": "USD",
                     *                 "name": "US Dollar",
                     *                 "symbol": "$"
                     *               },
                     *               "invoicing_interval_unit": "day",
                     *               "invoicing_interval_count": 1,
                     *               "reset_interval_unit": "day",
                     *               "reset_interval_count": 1,
                     *               "prepaid_charge": {
                     *                 "units": 1,
                     *                 "charge_behavior": "prorate"
                     *               }
                     *             }
                     *           ],
                     *           "features": [
                     *             {
                     *               "feature_id": "feature_5f0a1c3e7b2d4c6e8a9b0c1d2e3f4a5b",
                     *               "feature_name": "Single sign-on",
                     *               "feature_description": "Login with your identity provider."
                     *             }
                     *           ],
                     *           "price_adjustment": {
                     *             "price_adjustment_name": "Launch discount",
                     *             "price_adjustment_description": null,
                     *             "price_adjustment_type": "percentage",
                     *             "price_adjustment_amount": 1
                     *           },
                     *           "version": 1,
                     *           "status": "active",
                     *           "plan_name": "Pro",
                     *           "currency": {
                     *             "code": "USD",
                     *             "name": "US Dollar",
                     *             "symbol": "$"
                     *           },
                     *           "active_from": "2026-01-01T00:00:00Z",
                     *           "active_to": "2026-01-01T00:00:00Z",
                     *           "localized_name": null,
                     *           "day_anchor": 1,
                     *           "month_anchor": 1,
                     *           "target_customers": [
                     *             {
                     *               "customer_id": "acme",
                     *               "customer_name": "Acme Inc",
                     *               "email": "billing@acme.example"
                     *             }
                     *           ],
                     *           "created_on": "2026-01-01T00:00:00Z",
                     *           "usage_billing_frequency": null,
                     *           "flat_fee_billing_type": "in_advance",
                     *           "flat_rate": 1,
                     *           "description": "Welcome credit"
                     *         }
                     *       ],
                     *       "parent_plan": null,
                     *       "target_customer": {
                     *         "customer_id": "acme",
                     *         "customer_name": "Acme Inc",
                     *         "email": "billing@acme.example"
                     *       },
                     *       "display_version": {
                     *         "version_id": "plan_version_5f0a1c3e7b2d4c6e8a9b0c1d2e3f4a5b",
                     *         "recurring_charges": [
                     *           {
                     *             "name": "Pro",
                     *             "charge_timing": "in_advance",
                     *             "charge_behavior": "prorate",
                     *             "amount": 1,
                     *             "pricing_unit": {
                     *               "code": "USD",
                     *               "name": "US Dollar",
                     *               "symbol": "$"
                     *             },
                     *             "invoicing_interval_unit": "day",
                     *             "invoicing_interval_count": 1,
                     *             "reset_interval_unit": "day",
                     *             "reset_interval_count": 1
                     *           }
                     *         ],
                     *         "components": [
                     *           {
                     *             "billable_metric": {
                     *               "metric_id": "metric_5f0a1c3e7b2d4c6e8a9b0c1d2e3f4a5b",
                     *               "metric_name": "API requests",
                     *               "event_name": "api_request",
                     *               "property_name": "region",
                     *               "aggregation_type": "count",
                     *               "metric_type": "counter",
                     *               "granularity": "seconds",
                     *               "event_type": "delta",
                     *               "proration": "seconds",
                     *               "numeric_filters": [
                     *                 {
                     *                   "property_name": "region",
                     *                   "operator": "gte",
                     *                   "comparison_value": 1
                     *                 }
                     *               ],
                     *               "categorical_filters": [
                     *                 {
                     *                   "property_name": "region",
                     *                   "operator": "isin",
                     *                   "comparison_value": [
                     *                     "text"
                     *                   ]
                     *                 }
                     *               ],
                     *               "is_cost_metric": true,
                     *               "custom_sql": null
                     *             },
                     *             "tiers": [
                     *               {
                     *                 "type": "flat",
                     *                 "range_start": 1,
                     *                 "range_end": 1,
                     *                 "cost_per_batch": 1,
                     *                 "metric_units_per_batch": 1,
                     *                 "batch_rounding_type": "round_up"
                     *               }
                     *             ],
                     *             "bulk_pricing_enabled": true,
                     *             "pricing_unit": {
                     *               "code": "USD",
                     *               "name": "US Dollar",
                     *               "symbol": "$"
                     *             },
                     *             "invoicing_interval_unit": "day",
                     *             "invoicing_interval_count": 1,
                     *             "reset_interval_unit": "day",
                     *             "reset_interval_count": 1,
                     *             "prepaid_charge": {
                     *               "units": 1,
                     *               "charge_behavior": "prorate"
                     *             }
                     *           }
                     *         ],
                     *         "features": [
                     *           {
                     *             "feature_id": "feature_5f0a1c3e7b2d4c6e8a9b0c1d2e3f4a5b",
                     *             "feature_name": "Single sign-on",
                     *             "feature_description": "Login with your identity provider."
                     *           }
                     *         ],
                     *         "price_adjustment": {
                     *           "price_adjustment_name": "Launch discount",
                     *           "price_adjustment_description": null,
                     *           "price_adjustment_type": "percentage",
                     *           "price_adjustment_amount": 1
                     *         },
                     *         "version": 1,
                     *         "status": "active",
                     *         "plan_name": "Pro",
                     *         "currency": {
                     *           "code": "USD",
                     *           "name": "US Dollar",
                     *           "symbol": "$"
                     *         },
                     *         "active_from": "2026-01-01T00:00:00Z",
                     *         "active_to": "2026-01-01T00:00:00Z",
                     *         "localized_name": null,
                     *         "day_anchor": 1,
                     *         "month_anchor": 1,
                     *         "target_customers": [
                     *           {
                     *             "customer_id": "acme",
                     *             "customer_name": "Acme Inc",
                     *             "email": "billing@acme.example"
                     *           }
                     *         ],
                     *         "created_on": "2026-01-01T00:00:00Z",
                     *         "usage_billing_frequency": null,
                     *         "flat_fee_billing_type": "in_advance",
                     *         "flat_rate": 1,
                     *         "description": "Welcome credit"
                     *       },
                     *       "status": "active"
                     *     }
                     */
                    "application/json": components["schemas"]["Plan"];
                };
            };
        };
    };
    removePlanTags: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description Id of the plan.
                 * @example plan_5f0a1c3e7b2d4c6e8a9b0c1d2e3f4a5b
                 */
                plan_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["TagsBody"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "plan_id": "plan_5f0a1c3e7b2d4c6e8a9b0c1d2e3f4a5b",
                     *       "plan_name": "Pro",
                     *       "plan_duration": "monthly",
                     *       "plan_description": "For teams.",
                     *       "external_links": [
                     *         {
                     *           "source": "provider_a",
                     *           "external_plan_id": "price_42"
                     *         }
                     *       ],
                     *       "num_versions": 1,
                     *       "active_version": 1,
                     *       "active_subscriptions": 1,
                     *       "tags": [
                     *         "public"
                     *       ],
                     *       "versions": [
                     *         {
                     *           "version_id": "plan_version_5f0a1c3e7b2d4c6e8a9b0c1d2e3f4a5b",
                     *           "recurring_charges": [
                     *             {
                     *               "name": "Pro",
                     *               "charge_timing": "in_advance",
                     *               "charge_behavior": "prorate",
                     *               "amount": 1,
                     *               "pricing_unit": {
                     *                 "code": "USD",
                     *                 "name": "US Dollar",
                     *                 "symbol": "$"
                     *               },
                     *               "invoicing_interval_unit": "day",
                     *               "invoicing_interval_count": 1,
                     *               "reset_interval_unit": "day",
                     *               "reset_interval_count": 1
                     *             }
                     *           ],
                     *           "components": [
                     *             {
                     *               "billable_metric": {
                     *                 "metric_id": "metric_5f0a1c3e7b2d4c6e8a9b0c1d2e3f4a5b",
                     *                 "metric_name": "API requests",
                     *                 "event_name": "api_request",
                     *                 "property_name": "region",
                     *                 "aggregation_type": "count",
                     *                 "metric_type": "counter",
                     *                 "granularity": "seconds",
                     *                 "event_type": "delta",
                     *                 "proration": "seconds",
                     *                 "numeric_filters": [
                     *                   {
                     *                     "property_name": "region",
                     *                     "operator": "gte",
                     *                     "comparison_value": 1
                     *                   }
                     *                 ],
                     *                 "categorical_filters": [
                     *                   {
                     *                     "property_name": "region",
                     *                     "operator": "isin",
                     *                     "comparison_value": [
                     *                       "text"
                     *                     ]
                     *                   }
                     *                 ],
                     *                 "is_cost_metric": true,
                     *                 "custom_sql": null
                     *               },
                     *               "tiers": [
                     *                 {
                     *                   "type": "flat",
                     *                   "range_start": 1,
                     *                   "range_end": 1,
                     *                   "cost_per_batch": 1,
                     *                   "metric_units_per_batch": 1,
                     *                   "batch_rounding_type": "round_up"
                     *                 }
                     *               ],
                     *               "bulk_pricing_enabled": true,
                     *               "pricing_unit": {
                     *                 "code": "USD",
                     *                 "name": "US Dollar",
                     *                 "symbol": "$"
                     *               },
                     *               "invoicing_interval_unit": "day",
                     *               "invoicing_interval_count": 1,
                     *               "reset_interval_unit": "day",
                     *               "reset_interval_count": 1,
                     *               "prepaid_charge": {
                     *                 "units": 1,
                     *                 "charge_behavior": "prorate"
                     *               }
                     *             }
                     *           ],
                     *           "features": [
                     *             {
                     *               "feature_id": "feature_5f0a1c3e7b2d4c6e8a9b0c1d2e3f4a5b",
                     *               "feature_name": "Single sign-on",
                     *               "feature_description": "Login with your identity provider."
                     *             }
                     *           ],
                     *           "price_adjustment": {
                     *             "price_adjustment_name": "Launch discount",
                     *             "price_adjustment_description": null,
                     *             "price_adjustment_type": "percentage",
                     *             "price_adjustment_amount": 1
                     *           },
                     *           "version": 1,
                     *           "status": "active",
                     *           "plan_name": "Pro",
                     *           "currency": {
                     *             "code": "USD",
                     *             "name": "US Dollar",
                     *             "symbol": "$"
                     *           },
                     *           "active_from": "2026-01-01T00:00:00Z",
                     *           "active_to": "2026-01-01T00:00:00Z",
                     *           "localized_name": null,
                     *           "day_anchor": 1,
                     *           "month_anchor": 1,
                     *           "target_customers": [
                     *             {
                     *               "customer_id": "acme",
                     *               "customer_name": "Acme Inc",
                     *               "email": "billing@acme.example"
                     *             }
                     *           ],
                     *           "created_on": "2026-01-01T00:00:00Z",
                     *           "usage_billing_frequency": null,
                     *           "flat_fee_billing_type": "in_advance",
                     *           "flat_rate": 1,
                     *           "description": "Welcome credit"
                     *         }
                     *       ],
                     *       "parent_plan": null,
                     *       "target_customer": {
                     *         "customer_id": "acme",
                     *         "customer_name": "Acme Inc",
                     *         "email": "billing@acme.example"
                     *       },
                     *       "display_version": {
                     *         "version_id": "plan_version_5f0a1c3e7b2d4c6e8a9b0c1d2e3f4a5b",
                     *         "recurring_charges": [
                     *           {
                     *             "name": "Pro",
                     *             "charge_timing": "in_advance",
                     *             "charge_behavior": "prorate",
                     *             "amount": 1,
                     *             "pricing_unit": {
                     *               "code": "USD",
                     *               "name": "US Dollar",
                     *               "symbol": "$"
                     *             },
                     *             "invoicing_interval_unit": "day",
                     *             "invoicing_interval_count": 1,
                     *             "reset_interval_unit": "day",
                     *             "reset_interval_count": 1
                     *           }
                     *         ],
                     *         "components": [
                     *           {
                     *             "billable_metric": {
                     *               "metric_id": "metric_5f0a1c3e7b2d4c6e8a9b0c1d2e3f4a5b",
                     *               "metric_name": "API requests",
                     *               "event_name": "api_request",
                     *               "property_name": "region",
                     *               "aggregation_type": "count",
                     *               "metric_type": "counter",
                     *               "granularity": "seconds",
                     *               "event_type": "delta",
                     *               "proration": "seconds",
                     *               "numeric_filters": [
                     *                 {
                     *                   "property_name": "region",
                     *                   "operator": "gte",
                     *                   "comparison_value": 1
                     *                 }
                     *               ],
                     *               "categorical_filters": [
                     *                 {
                     *                   "property_name": "region",
                     *                   "operator": "isin",
                     *                   "comparison_value": [
                     *                     "text"
                     *                   ]
                     *                 }
                     *               ],
                     *               "is_cost_metric": true,
                     *               "custom_sql": null
                     *             },
                     *             "tiers": [
                     *               {
                     *                 "type": "flat",
                     *                 "range_start": 1,
                     *                 "range_end": 1,
                     *                 "cost_per_batch": 1,
                     *                 "metric_units_per_batch": 1,
                     *                 "batch_rounding_type": "round_up"
                     *               }
                     *             ],
                     *             "bulk_pricing_enabled": true,
                     *             "pricing_unit": {
                     *               "code": "USD",
                     *               "name": "US Dollar",
                     *               "symbol": "$"
                     *             },
                     *             "invoicing_interval_unit": "day",
                     *             "invoicing_interval_count": 1,
                     *             "reset_interval_unit": "day",
                     *             "reset_interval_count": 1,
                     *             "prepaid_charge": {
                     *               "units": 1,
                     *               "charge_behavior": "prorate"
                     *             }
                     *           }
                     *         ],
                     *         "features": [
                     *           {
                     *             "feature_id": "feature_5f0a1c3e7b2d4c6e8a9b0c1d2e3f4a5b",
                     *             "feature_name": "Single sign-on",
                     *             "feature_description": "Login with your identity provider."
                     *           }
                     *         ],
                     *         "price_adjustment": {
                     *           "price_adjustment_name": "Launch discount",
                     *           "price_adjustment_description": null,
                     *           "price_adjustment_type": "percentage",
                     *           "price_adjustment_amount": 1
                     *         },
                     *         "version": 1,
                     *         "status": "active",
                     *         "plan_name": "Pro",
                     *         "currency": {
                     *           "code": "USD",
                     *           "name": "US Dollar",
                     *           "symbol": "$"
                     *         },
                     *         "active_from": "2026-01-01T00:00:00Z",
                     *         "active_to": "2026-01-01T00:00:00Z",
                     *         "localized_name": null,
                     *         "day_anchor": 1,
                     *         "month_anchor": 1,
                     *         "target_customers": [
                     *           {
                     *             "customer_id": "acme",
                     *             "customer_name": "Acme Inc",
                     *             "email": "billing@acme.example"
                     *           }
                     *         ],
                     *         "created_on": "2026-01-01T00:00:00Z",
                     *         "usage_billing_frequency": null,
                     *         "flat_fee_billing_type": "in_advance",
                     *         "flat_rate": 1,
                     *         "description": "Welcome credit"
                     *       },
                     *       "status": "active"
                     *     }
                     */
                    "application/json": components["schemas"]["Plan"];
                };
            };
        };
    };
    setPlanTags: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description Id of the plan.
                 * @example plan_5f0a1c3e7b2d4c6e8a9b0c1d2e3f4a5b
                 */
                plan_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["TagsBody"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "plan_id": "plan_5f0a1c3e7b2d4c6e8a9b0c1d2e3f4a5b",
                     *       "plan_name": "Pro",
                     *       "plan_duration": "monthly",
                     *       "plan_description": "For teams.",
                     *       "external_links": [
                     *         {
                     *           "source": "provider_a",
                     *           "external_plan_id": "price_42"
                     *         }
                     *       ],
                     *       "num_versions": 1,
                     *       "active_version": 1,
                     *       "active_subscriptions": 1,
                     *       "tags": [
                     *         "public"
                     *       ],
                     *       "versions": [
                     *         {
                     *           "version_id": "plan_version_5f0a1c3e7b2d4c6e8a9b0c1d2e3f4a5b",
                     *           "recurring_charges": [
                     *             {
                     *               "name": "Pro",
                     *               "charge_timing": "in_advance",
                     *               "charge_behavior": "prorate",
                     *               "amount": 1,
                     *               "pricing_unit": {
                     *                 "code": "USD",
                     *                 "name": "US Dollar",
                     *                 "symbol": "$"
                     *               },
                     *               "invoicing_interval_unit": "day",
                     *               "invoicing_interval_count": 1,
                     *               "reset_interval_unit": "day",
                     *               "reset_interval_count": 1
                     *             }
                     *           ],
                     *           "components": [
                     *             {
                     *               "billable_metric": {
                     *                 "metric_id": "metric_5f0a1c3e7b2d4c6e8a9b0c1d2e3f4a5b",
                     *                 "metric_name": "API requests",
                     *                 "event_name": "api_request",
                     *                 "property_name": "region",
                     *                 "aggregation_type": "count",
                     *                 "metric_type": "counter",
                     *                 "granularity": "seconds",
                     *                 "event_type": "delta",
                     *                 "proration": "seconds",
                     *                 "numeric_filters": [
                     *                   {
                     *                     "property_name": "region",
                     *                     "operator": "gte",
                     *                     "comparison_value": 1
                     *                   }
                     *                 ],
                     *                 "categorical_filters": [
                     *                   {
                     *                     "property_name": "region",
                     *                     "operator": "isin",
                     *                     "comparison_value": [
                     *                       "text"
                     *                     ]
                     *                   }
                     *                 ],
                     *                 "is_cost_metric": true,
                     *                 "custom_sql": null
                     *               },
                     *               "tiers": [
                     *                 {
                     *                   "type": "flat",
                     *                   "range_start": 1,
                     *                   "range_end": 1,
                     *                   "cost_per_batch": 1,
                     *                   "metric_units_per_batch": 1,
                     *                   "batch_rounding_type": "round_up"
                     *                 }
                     *               ],
                     *               "bulk_pricing_enabled": true,
                     *               "pricing_unit": {
                     *                 "code": "USD",
                     *                 "name": "US Dollar",
                     *                 "symbol": "$"
                     *               },
                     *               "invoicing_interval_unit": "day",
                     *               "invoicing_interval_count": 1,
                     *               "reset_interval_unit": "day",
                     *               "reset_interval_count": 1,
                     *               "prepaid_charge": {
                     *                 "units": 1,
                     *                 "charge_behavior": "prorate"
                     *               }
                     *             }
                     *           ],
                     *           "features": [
                     *             {
                     *               "feature_id": "feature_5f0a1c3e7b2d4c6e8a9b0c1d2e3f4a5b",
                     *               "feature_name": "Single sign-on",
                     *               "feature_description": "Login with your identity provider."
                     *             }
                     *           ],
                     *           "price_adjustment": {
                     *             "price_adjustment_name": "Launch discount",
                     *             "price_adjustment_description": null,
                     *             "price_adjustment_type": "percentage",
                     *             "price_adjustment_amount": 1
                     *           },
                     *           "version": 1,
                     *           "status": "active",
                     *           "plan_name": "Pro",
                     *           "currency": {
                     *             "code": "USD",
                     *             "name": "US Dollar",
                     *             "symbol": "$"
                     *           },
                     *           "active_from": "2026-01-01T00:00:00Z",
                     *           "active_to": "2026-01-01T00:00:00Z",
                     *           "localized_name": null,
                     *           "day_anchor": 1,
                     *           "month_anchor": 1,
                     *           "target_customers": [
                     *             {
                     *               "customer_id": "acme",
                     *               "customer_name": "Acme Inc",
                     *               "email": "billing@acme.example"
                     *             }
                     *           ],
                     *           "created_on": "2026-01-01T00:00:00Z",
                     *           "usage_billing_frequency": null,
                     *           "flat_fee_billing_type": "in_advance",
                     *           "flat_rate": 1,
                     *           "description": "Welcome credit"
                     *         }
                     *       ],
                     *       "parent_plan": null,
                     *       "target_customer": {
                     *         "customer_id": "acme",
                     *         "customer_name": "Acme Inc",
                     *         "email": "billing@acme.example"
                     *       },
                     *       "display_version": {
                     *         "version_id": "plan_version_5f0a1c3e7b2d4c6e8a9b0c1d2e3f4a5b",
                     *         "recurring_charges": [
                     *           {
                     *             "name": "Pro",
                     *             "charge_timing": "in_advance",
                     *             "charge_behavior": "prorate",
                     *             "amount": 1,
                     *             "pricing_unit": {
                     *               "code": "USD",
                     *               "name": "US Dollar",
                     *               "symbol": "$"
                     *             },
                     *             "invoicing_interval_unit": "day",
                     *             "invoicing_interval_count": 1,
                     *             "reset_interval_unit": "day",
                     *             "reset_interval_count": 1
                     *           }
                     *         ],
                     *         "components": [
                     *           {
                     *             "billable_metric": {
                     *               "metric_id": "metric_5f0a1c3e7b2d4c6e8a9b0c1d2e3f4a5b",
                     *               "metric_name": "API requests",
                     *               "event_name": "api_request",
                     *               "property_name": "region",
                     *               "aggregation_type": "count",
                     *               "metric_type": "counter",
                     *               "granularity": "seconds",
                     *               "event_type": "delta",
                     *               "proration": "seconds",
                     *               "numeric_filters": [
                     *                 {
                     *                   "property_name": "region",
                     *                   "operator": "gte",
                     *                   "comparison_value": 1
                     *                 }
                     *               ],
                     *               "categorical_filters": [
                     *                 {
                     *                   "property_name": "region",
                     *                   "operator": "isin",
                     *                   "comparison_value": [
                     *                     "text"
                     *                   ]
                     *                 }
                     *               ],
                     *               "is_cost_metric": true,
                     *               "custom_sql": null
                     *             },
                     *             "tiers": [
                     *               {
                     *                 "type": "flat",
                     *                 "range_start": 1,
                     *                 "range_end": 1,
                     *                 "cost_per_batch": 1,
                     *                 "metric_units_per_batch": 1,
                     *                 "batch_rounding_type": "round_up"
                     *               }
                     *             ],
                     *             "bulk_pricing_enabled": true,
                     *             "pricing_unit": {
                     *               "code": "USD",
                     *               "name": "US Dollar",
                     *               "symbol": "$"
                     *             },
                     *             "invoicing_interval_unit": "day",
                     *             "invoicing_interval_count": 1,
                     *             "reset_interval_unit": "day",
                     *             "reset_interval_count": 1,
                     *             "prepaid_charge": {
                     *               "units": 1,
                     *               "charge_behavior": "prorate"
                     *             }
                     *           }
                     *         ],
                     *         "features": [
                     *           {
                     *             "feature_id": "feature_5f0a1c3e7b2d4c6e8a9b0c1d2e3f4a5b",
                     *             "feature_name": "Single sign-on",
                     *             "feature_description": "Login with your identity provider."
                     *           }
                     *         ],
                     *         "price_adjustment": {
                     *           "price_adjustment_name": "Launch discount",
                     *           "price_adjustment_description": null,
                     *           "price_adjustment_type": "percentage",
                     *           "price_adjustment_amount": 1
                     *         },
                     *         "version": 1,
                     *         "status": "active",
                     *         "plan_name": "Pro",
                     *         "currency": {
                     *           "code": "USD",
                     *           "name": "US Dollar",
                     *           "symbol": "$"
                     *         },
                     *         "active_from": "2026-01-01T00:00:00Z",
                     *         "active_to": "2026-01-01T00:00:00Z",
                     *         "localized_name": null,
                     *         "day_anchor": 1,
                     *         "month_anchor": 1,
                     *         "target_customers": [
                     *           {
                     *             "customer_id": "acme",
                     *             "customer_name": "Acme Inc",
                     *             "email": "billing@acme.example"
                     *           }
                     *         ],
                     *         "created_on": "2026-01-01T00:00:00Z",
                     *         "usage_billing_frequency": null,
                     *         "flat_fee_billing_type": "in_advance",
                     *         "flat_rate": 1,
                     *         "description": "Welcome credit"
                     *       },
                     *       "status": "active"
                     *     }
                     */
                    "application/json": components["schemas"]["Plan"];
                };
            };
        };
    };
    getReadModels: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "read_models": [
                     *         {
                     *           "name": "Pro",
                     *           "state": "level",
                     *           "events_behind": 1,
                     *           "behind_since": "2026-01-01T00:00:00Z",
                     *           "left_out": [
                     *             {
                     *               "stream": "text",
                     *               "revision": 1,
                     *               "since": "2026-01-01T00:00:00Z"
                     *             }
                     *           ]
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": components["schemas"]["ReadModels"];
                };
            };
        };
    };
    checkReadiness: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /** @example {} */
                    "application/json": Record<string, never> | {
                        /** @description Faults with which the service goes on answering, in sentences. */
                        warnings: string[];
                    };
                };
            };
        };
    };
    listSubscriptions: {
        parameters: {
            query?: {
                /** @description Your own id of the customer. */
                customer_id?: string;
                /** @description Id of the plan. */
                plan_id?: string;
                /**
                 * @description Keeps records with one of these statuses; by default all.
                 *
                 *     - `active`: Started and not ended.
                 *     - `ended`: Ended.
                 *     - `not_started`: Not started yet.
                 */
                status?: ("active" | "ended" | "not_started")[];
                /** @description Keeps subscriptions that end after it. */
                range_start?: string;
                /** @description Keeps subscriptions that have begun by then. */
                range_end?: string;
                /** @description A JSON list of filters, as one text: `[{"property_name":"region","value":"eu"}]`. Also `subscription_filters[]={json}` and `subscription_filters[0][property_name]=…&subscription_filters[0][value]=…`. */
                subscription_filters?: components["schemas"]["SubscriptionFilter"][];
                /**
                 * @description Field that orders the list; a minus before it puts the last first. Amounts are ordered by currency first, and a missing time stands after every other. An entry whose amount or count changes between two pages may come twice or be left out; with as_of all pages are of one moment.
                 *
                 *     - `start_date`: Earliest start first.
                 *     - `-start_date`: Latest start first.
                 *     - `end_date`: Earliest end first.
                 *     - `-end_date`: Latest end first.
                 */
                ordering?: "start_date" | "-start_date" | "end_date" | "-end_date";
                /** @description Most entries of the answer. */
                limit?: number;
                /** @description From the Link header of the page before. */
                cursor?: string;
                /** @description Answers as it was at this moment of recorded time: by what was recorded until then, and with the clock at it. */
                as_of?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example [
                     *       {
                     *         "subscription_id": "sub_5f0a1c3e7b2d4c6e8a9b0c1d2e3f4a5b",
                     *         "start_date": "2026-01-01T00:00:00Z",
                     *         "end_date": "2026-01-01T00:00:00Z",
                     *         "auto_renew": true,
                     *         "is_new": true,
                     *         "subscription_filters": [
                     *           {
                     *             "property_name": "region",
                     *             "value": "eu"
                     *           }
                     *         ],
                     *         "customer": {
                     *           "customer_id": "acme",
                     *           "customer_name": "Acme Inc",
                     *           "email": "billing@acme.example"
                     *         },
                     *         "billing_plan": {
                     *           "plan_name": "Pro",
                     *           "plan_id": "plan_5f0a1c3e7b2d4c6e8a9b0c1d2e3f4a5b",
                     *           "version_id": "plan_version_5f0a1c3e7b2d4c6e8a9b0c1d2e3f4a5b",
                     *           "version": 1
                     *         },
                     *         "fully_billed": true,
                     *         "addons": [
                     *           {
                     *             "addon_subscription_id": "addon_sub_5f0a1c3e7b2d4c6e8a9b0c1d2e3f4a5b",
                     *             "start_date": "2026-01-01T00:00:00Z",
                     *             "end_date": "2026-01-01T00:00:00Z",
                     *             "addon": {
                     *               "addon_name": "Priority support",
                     *               "addon_id": "addon_5f0a1c3e7b2d4c6e8a9b0c1d2e3f4a5b",
                     *               "addon_type": "flat",
                     *               "billing_frequency": "one_time"
                     *             },
                     *             "fully_billed": true
                     *           }
                     *         ],
                     *         "metadata": {}
                     *       }
                     *     ]
                     */
                    "application/json": components["schemas"]["Subscription"][];
                };
            };
        };
    };
    createSubscription: {
        parameters: {
            query?: {
                /** @description true: a dry run. Nothing is stored; the answer is the invoice that the change would lead to. */
                preview?: boolean;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CreateSubscriptionBody"];
            };
        };
        responses: {
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "subscription_id": "sub_5f0a1c3e7b2d4c6e8a9b0c1d2e3f4a5b",
                     *       "start_date": "2026-01-01T00:00:00Z",
                     *       "end_date": "2026-01-01T00:00:00Z",
                     *       "auto_renew": true,
                     *       "is_new": true,
                     *       "subscription_filters": [
                     *         {
                     *           "property_name": "region",
                     *           "value": "eu"
                     *         }
                     *       ],
                     *       "customer": {
                     *         "customer_id": "acme",
                     *         "customer_name": "Acme Inc",
                     *         "email": "billing@acme.example"
                     *       },
                     *       "billing_plan": {
                     *         "plan_name": "Pro",
                     *         "plan_id": "plan_5f0a1c3e7b2d4c6e8a9b0c1d2e3f4a5b",
                     *         "version_id": "plan_version_5f0a1c3e7b2d4c6e8a9b0c1d2e3f4a5b",
                     *         "version": 1
                     *       },
                     *       "fully_billed": true,
                     *       "addons": [
                     *         {
                     *           "addon_subscription_id": "addon_sub_5f0a1c3e7b2d4c6e8a9b0c1d2e3f4a5b",
                     *           "start_date": "2026-01-01T00:00:00Z",
                     *           "end_date": "2026-01-01T00:00:00Z",
                     *           "addon": {
                     *             "addon_name": "Priority support",
                     *             "addon_id": "addon_5f0a1c3e7b2d4c6e8a9b0c1d2e3f4a5b",
                     *             "addon_type": "flat",
                     *             "billing_frequency": "one_time"
                     *           },
                     *           "fully_billed": true
                     *         }
                     *       ],
                     *       "metadata": {}
                     *     }
                     */
                    "application/json": components["schemas"]["Subscription"] | components["schemas"]["InvoicePreview"];
                };
            };
        };
    };
    addSubscription: {
        parameters: {
            query?: {
                /** @description true: a dry run. Nothing is stored; the answer is the invoice that the change would lead to. */
                preview?: boolean;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CreateSubscriptionBody"];
            };
        };
        responses: {
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "subscription_id": "sub_5f0a1c3e7b2d4c6e8a9b0c1d2e3f4a5b",
                     *       "start_date": "2026-01-01T00:00:00Z",
                     *       "end_date": "2026-01-01T00:00:00Z",
                     *       "auto_renew": true,
                     *       "is_new": true,
                     *       "subscription_filters": [
                     *         {
                     *           "property_name": "region",
                     *           "value": "eu"
                     *         }
                     *       ],
                     *       "customer": {
                     *         "customer_id": "acme",
                     *         "customer_name": "Acme Inc",
                     *         "email": "billing@acme.example"
                     *       },
                     *       "billing_plan": {
                     *         "plan_name": "Pro",
                     *         "plan_id": "plan_5f0a1c3e7b2d4c6e8a9b0c1d2e3f4a5b",
                     *         "version_id": "plan_version_5f0a1c3e7b2d4c6e8a9b0c1d2e3f4a5b",
                     *         "version": 1
                     *       },
                     *       "fully_billed": true,
                     *       "addons": [
                     *         {
                     *           "addon_subscription_id": "addon_sub_5f0a1c3e7b2d4c6e8a9b0c1d2e3f4a5b",
                     *           "start_date": "2026-01-01T00:00:00Z",
                     *           "end_date": "2026-01-01T00:00:00Z",
                     *           "addon": {
                     *             "addon_name": "Priority support",
                     *             "addon_id": "addon_5f0a1c3e7b2d4c6e8a9b0c1d2e3f4a5b",
                     *             "addon_type": "flat",
                     *             "billing_frequency": "one_time"
                     *           },
                     *           "fully_billed": true
                     *         }
                     *       ],
                     *       "metadata": {}
                     *     }
                     */
                    "application/json": components["schemas"]["Subscription"] | components["schemas"]["InvoicePreview"];
                };
            };
        };
    };
    cancelSubscriptions: {
        parameters: {
            query: {
                /**
                 * @description Your own id of the customer.
                 * @example acme
                 */
                customer_id: string;
                /** @description Id of the plan. */
                plan_id?: string;
                /** @description A JSON list of filters, as one text: `[{"property_name":"region","value":"eu"}]`. Also `subscription_filters[]={json}` and `subscription_filters[0][property_name]=…&subscription_filters[0][value]=…`. */
                subscription_filters?: components["schemas"]["SubscriptionFilter"][];
                /** @description true: a dry run. Nothing is stored; the answer is the invoice that the change would lead to. */
                preview?: boolean;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CancelByFilterBody"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example [
                     *       {
                     *         "subscription_id": "sub_5f0a1c3e7b2d4c6e8a9b0c1d2e3f4a5b",
                     *         "start_date": "2026-01-01T00:00:00Z",
                     *         "end_date": "2026-01-01T00:00:00Z",
                     *         "auto_renew": true,
                     *         "is_new": true,
                     *         "subscription_filters": [
                     *           {
                     *             "property_name": "region",
                     *             "value": "eu"
                     *           }
                     *         ],
                     *         "customer": {
                     *           "customer_id": "acme",
                     *           "customer_name": "Acme Inc",
                     *           "email": "billing@acme.example"
                     *         },
                     *         "billing_plan": {
                     *           "plan_name": "Pro",
                     *           "plan_id": "plan_5f0a1c3e7b2d4c6e8a9b0c1d2e3f4a5b",
                     *           "version_id": "plan_version_5f0a1c3e7b2d4c6e8a9b0c1d2e3f4a5b",
                     *           "version": 1
                     *         },
                     *         "fully_billed": true,
                     *         "addons": [
                     *           {
                     *             "addon_subscription_id": "addon_sub_5f0a1c3e7b2d4c6e8a9b0c1d2e3f4a5b",
                     *             "start_date": "2026-01-01T00:00:00Z",
                     *             "end_date": "2026-01-01T00:00:00Z",
                     *             "addon": {
                     *               "addon_name": "Priority support",
                     *               "addon_id": "addon_5f0a1c3e7b2d4c6e8a9b0c1d2e3f4a5b",
                     *               "addon_type": "flat",
                     *               "billing_frequency": "one_time"
                     *             },
                     *             "fully_billed": true
                     *           }
                     *         ],
                     *         "metadata": {}
                     *       }
                     *     ]
                     */
                    "application/json": components["schemas"]["Subscription"][] | components["schemas"]["BulkPreview"];
                };
            };
        };
    };
    updateSubscriptions: {
        parameters: {
            query: {
                /**
                 * @description Your own id of the customer.
                 * @example acme
                 */
                customer_id: string;
                /**
                 * @description Id of the plan.
                 * @example plan_5f0a1c3e7b2d4c6e8a9b0c1d2e3f4a5b
                 */
                plan_id: string;
                /** @description A JSON list of filters, as one text: `[{"property_name":"region","value":"eu"}]`. Also `subscription_filters[]={json}` and `subscription_filters[0][property_name]=…&subscription_filters[0][value]=…`. */
                subscription_filters?: components["schemas"]["SubscriptionFilter"][];
                /** @description true: a dry run. Nothing is stored; the answer is the invoice that the change would lead to. */
                preview?: boolean;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["UpdateByFilterBody"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example [
                     *       {
                     *         "subscription_id": "sub_5f0a1c3e7b2d4c6e8a9b0c1d2e3f4a5b",
                     *         "start_date": "2026-01-01T00:00:00Z",
                     *         "end_date": "2026-01-01T00:00:00Z",
                     *         "auto_renew": true,
                     *         "is_new": true,
                     *         "subscription_filters": [
                     *           {
                     *             "property_name": "region",
                     *             "value": "eu"
                     *           }
                     *         ],
                     *         "customer": {
                     *           "customer_id": "acme",
                     *           "customer_name": "Acme Inc",
                     *           "email": "billing@acme.example"
                     *         },
                     *         "billing_plan": {
                     *           "plan_name": "Pro",
                     *           "plan_id": "plan_5f0a1c3e7b2d4c6e8a9b0c1d2e3f4a5b",
                     *           "version_id": "plan_version_5f0a1c3e7b2d4c6e8a9b0c1d2e3f4a5b",
                     *           "version": 1
                     *         },
                     *         "fully_billed": true,
                     *         "addons": [
                     *           {
                     *             "addon_subscription_id": "addon_sub_5f0a1c3e7b2d4c6e8a9b0c1d2e3f4a5b",
                     *             "start_date": "2026-01-01T00:00:00Z",
                     *             "end_date": "2026-01-01T00:00:00Z",
                     *             "addon": {
                     *               "addon_name": "Priority support",
                     *               "addon_id": "addon_5f0a1c3e7b2d4c6e8a9b0c1d2e3f4a5b",
                     *               "addon_type": "flat",
                     *               "billing_frequency": "one_time"
                     *             },
                     *             "fully_billed": true
                     *           }
                     *         ],
                     *         "metadata": {}
                     *       }
                     *     ]
                     */
                    "application/json": components["schemas"]["Subscription"][] | components["schemas"]["BulkPreview"];
                };
            };
        };
    };
    getSubscription: {
        parameters: {
            query?: {
                /** @description Answers as it was at this moment of recorded time: by what was recorded until then, and with the clock at it. */
                as_of?: string;
            };
            header?: never;
            path: {
                /**
                 * @description Id of the subscription. A switch and a renewal begin a new one.
                 * @example sub_5f0a1c3e7b2d4c6e8a9b0c1d2e3f4a5b
                 */
                subscription_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "subscription_id": "sub_5f0a1c3e7b2d4c6e8a9b0c1d2e3f4a5b",
                     *       "start_date": "2026-01-01T00:00:00Z",
                     *       "end_date": "2026-01-01T00:00:00Z",
                     *       "auto_renew": true,
                     *       "is_new": true,
                     *       "subscription_filters": [
                     *         {
                     *           "property_name": "region",
                     *           "value": "eu"
                     *         }
                     *       ],
                     *       "customer": {
                     *         "customer_id": "acme",
                     *         "customer_name": "Acme Inc",
                     *         "email": "billing@acme.example"
                     *       },
                     *       "billing_plan": {
                     *         "plan_name": "Pro",
                     *         "plan_id": "plan_5f0a1c3e7b2d4c6e8a9b0c1d2e3f4a5b",
                     *         "version_id": "plan_version_5f0a1c3e7b2d4c6e8a9b0c1d2e3f4a5b",
                     *         "version": 1
                     *       },
                     *       "fully_billed": true,
                     *       "addons": [
                     *         {
                     *           "addon_subscription_id": "addon_sub_5f0a1c3e7b2d4c6e8a9b0c1d2e3f4a5b",
                     *           "start_date": "2026-01-01T00:00:00Z",
                     *           "end_date": "2026-01-01T00:00:00Z",
                     *           "addon": {
                     *             "addon_name": "Priority support",
                     *             "addon_id": "addon_5f0a1c3e7b2d4c6e8a9b0c1d2e3f4a5b",
                     *             "addon_type": "flat",
                     *             "billing_frequency": "one_time"
                     *           },
                     *           "fully_billed": true
                     *         }
                     *       ],
                     *       "metadata": {}
                     *     }
                     */
                    "application/json": components["schemas"]["Subscription"];
                };
            };
        };
    };
    attachAddon: {
        parameters: {
            query?: {
                /** @description true: a dry run. Nothing is stored; the answer is the invoice that the change would lead to. */
                preview?: boolean;
            };
            header?: never;
            path: {
                /**
                 * @description Id of the subscription. A switch and a renewal begin a new one.
                 * @example sub_5f0a1c3e7b2d4c6e8a9b0c1d2e3f4a5b
                 */
                subscription_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["AttachAddonBody"];
            };
        };
        responses: {
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "addon_subscription_id": "addon_sub_5f0a1c3e7b2d4c6e8a9b0c1d2e3f4a5b",
                     *       "start_date": "2026-01-01T00:00:00Z",
                     *       "end_date": "2026-01-01T00:00:00Z",
                     *       "addon": {
                     *         "addon_name": "Priority support",
                     *         "addon_id": "addon_5f0a1c3e7b2d4c6e8a9b0c1d2e3f4a5b",
                     *         "addon_type": "flat",
                     *         "billing_frequency": "one_time"
                     *       },
                     *       "fully_billed": true,
                     *       "customer": {
                     *         "customer_id": "acme",
                     *         "customer_name": "Acme Inc",
                     *         "email": "billing@acme.example"
                     *       },
                     *       "auto_renew": true,
                     *       "quantity": 1,
                     *       "metadata": {},
                     *       "parent": {
                     *         "subscription_id": "sub_5f0a1c3e7b2d4c6e8a9b0c1d2e3f4a5b",
                     *         "start_date": "2026-01-01T00:00:00Z",
                     *         "end_date": "2026-01-01T00:00:00Z",
                     *         "auto_renew": true,
                     *         "is_new": true,
                     *         "subscription_filters": [
                     *           {
                     *             "property_name": "region",
                     *             "value": "eu"
                     *           }
                     *         ],
                     *         "customer": {
                     *           "customer_id": "acme",
                     *           "customer_name": "Acme Inc",
                     *           "email": "billing@acme.example"
                     *         },
                     *         "billing_plan": {
                     *           "plan_name": "Pro",
                     *           "plan_id": "plan_5f0a1c3e7b2d4c6e8a9b0c1d2e3f4a5b",
                     *           "version_id": "plan_version_5f0a1c3e7b2d4c6e8a9b0c1d2e3f4a5b",
                     *           "version": 1
                     *         },
                     *         "fully_billed": true,
                     *         "addons": [
                     *           {
                     *             "addon_subscription_id": "addon_sub_5f0a1c3e7b2d4c6e8a9b0c1d2e3f4a5b",
                     *             "start_date": "2026-01-01T00:00:00Z",
                     *             "end_date": "2026-01-01T00:00:00Z",
                     *             "addon": {
                     *               "addon_name": "Priority support",
                     *               "addon_id": "addon_5f0a1c3e7b2d4c6e8a9b0c1d2e3f4a5b",
                     *               "addon_type": "flat",
                     *               "billing_frequency": "one_time"
                     *             },
                     *             "fully_billed": true
                     *           }
                     *         ],
                     *         "metadata": {},
                     *         "plan": {
                     *           "plan_name": "Pro",
                     *           "plan_id": "plan_5f0a1c3e7b2d4c6e8a9b0c1d2e3f4a5b",
                     *           "version_id": "plan_version_5f0a1c3e7b2d4c6e8a9b0c1d2e3f4a5b",
                     *           "version": 1
                     *         }
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["ChangedAddon"] | components["schemas"]["InvoicePreview"];
                };
            };
        };
    };
    cancelAddon: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description Id of the subscription. A switch and a renewal begin a new one.
                 * @example sub_5f0a1c3e7b2d4c6e8a9b0c1d2e3f4a5b
                 */
                subscription_id: string;
                /**
                 * @description Id of the add-on, or of its attachment (`addon_subscription_id`).
                 * @example addon_5f0a1c3e7b2d4c6e8a9b0c1d2e3f4a5b
                 */
                addon_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CancelSubscriptionBody"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "addon_subscription_id": "addon_sub_5f0a1c3e7b2d4c6e8a9b0c1d2e3f4a5b",
                     *       "start_date": "2026-01-01T00:00:00Z",
                     *       "end_date": "2026-01-01T00:00:00Z",
                     *       "addon": {
                     *         "addon_name": "Priority support",
                     *         "addon_id": "addon_5f0a1c3e7b2d4c6e8a9b0c1d2e3f4a5b",
                     *         "addon_type": "flat",
                     *         "billing_frequency": "one_time"
                     *       },
                     *       "fully_billed": true,
                     *       "customer": {
                     *         "customer_id": "acme",
                     *         "customer_name": "Acme Inc",
                     *         "email": "billing@acme.example"
                     *       },
                     *       "auto_renew": true,
                     *       "quantity": 1,
                     *       "metadata": {},
                     *       "parent": {
                     *         "subscription_id": "sub_5f0a1c3e7b2d4c6e8a9b0c1d2e3f4a5b",
                     *         "start_date": "2026-01-01T00:00:00Z",
                     *         "end_date": "2026-01-01T00:00:00Z",
                     *         "auto_renew": true,
                     *         "is_new": true,
                     *         "subscription_filters": [
                     *           {
                     *             "property_name": "region",
                     *             "value": "eu"
                     *           }
                     *         ],
                     *         "customer": {
                     *           "customer_id": "acme",
                     *           "customer_name": "Acme Inc",
                     *           "email": "billing@acme.example"
                     *         },
                     *         "billing_plan": {
                     *           "plan_name": "Pro",
                     *           "plan_id": "plan_5f0a1c3e7b2d4c6e8a9b0c1d2e3f4a5b",
                     *           "version_id": "plan_version_5f0a1c3e7b2d4c6e8a9b0c1d2e3f4a5b",
                     *           "version": 1
                     *         },
                     *         "fully_billed": true,
                     *         "addons": [
                     *           {
                     *             "addon_subscription_id": "addon_sub_5f0a1c3e7b2d4c6e8a9b0c1d2e3f4a5b",
                     *             "start_date": "2026-01-01T00:00:00Z",
                     *             "end_date": "2026-01-01T00:00:00Z",
                     *             "addon": {
                     *               "addon_name": "Priority support",
                     *               "addon_id": "addon_5f0a1c3e7b2d4c6e8a9b0c1d2e3f4a5b",
                     *               "addon_type": "flat",
                     *               "billing_frequency": "one_time"
                     *             },
                     *             "fully_billed": true
                     *           }
                     *         ],
                     *         "metadata": {},
                     *         "plan": {
                     *           "plan_name": "Pro",
                     *           "plan_id": "plan_5f0a1c3e7b2d4c6e8a9b0c1d2e3f4a5b",
                     *           "version_id": "plan_version_5f0a1c3e7b2d4c6e8a9b0c1d2e3f4a5b",
                     *           "version": 1
                     *         }
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["ChangedAddon"];
                };
            };
        };
    };
    cancelSubscription: {
        parameters: {
            query?: {
                /** @description true: a dry run. Nothing is stored; the answer is the invoice that the change would lead to. */
                preview?: boolean;
            };
            header?: never;
            path: {
                /**
                 * @description Id of the subscription. A switch and a renewal begin a new one.
                 * @example sub_5f0a1c3e7b2d4c6e8a9b0c1d2e3f4a5b
                 */
                subscription_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CancelSubscriptionBody"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "subscription_id": "sub_5f0a1c3e7b2d4c6e8a9b0c1d2e3f4a5b",
                     *       "start_date": "2026-01-01T00:00:00Z",
                     *       "end_date": "2026-01-01T00:00:00Z",
                     *       "auto_renew": true,
                     *       "is_new": true,
                     *       "subscription_filters": [
                     *         {
                     *           "property_name": "region",
                     *           "value": "eu"
                     *         }
                     *       ],
                     *       "customer": {
                     *         "customer_id": "acme",
                     *         "customer_name": "Acme Inc",
                     *         "email": "billing@acme.example"
                     *       },
                     *       "billing_plan": {
                     *         "plan_name": "Pro",
                     *         "plan_id": "plan_5f0a1c3e7b2d4c6e8a9b0c1d2e3f4a5b",
                     *         "version_id": "plan_version_5f0a1c3e7b2d4c6e8a9b0c1d2e3f4a5b",
                     *         "version": 1
                     *       },
                     *       "fully_billed": true,
                     *       "addons": [
                     *         {
                     *           "addon_subscription_id": "addon_sub_5f0a1c3e7b2d4c6e8a9b0c1d2e3f4a5b",
                     *           "start_date": "2026-01-01T00:00:00Z",
                     *           "end_date": "2026-01-01T00:00:00Z",
                     *           "addon": {
                     *             "addon_name": "Priority support",
                     *             "addon_id": "addon_5f0a1c3e7b2d4c6e8a9b0c1d2e3f4a5b",
                     *             "addon_type": "flat",
                     *             "billing_frequency": "one_time"
                     *           },
                     *           "fully_billed": true
                     *         }
                     *       ],
                     *       "metadata": {}
                     *     }
                     */
                    "application/json": components["schemas"]["Subscription"] | components["schemas"]["InvoicePreview"];
                };
            };
        };
    };
    changePrepaidUnits: {
        parameters: {
            query?: {
                /** @description true: a dry run. Nothing is stored; the answer is the invoice that the change would lead to. */
                preview?: boolean;
            };
            header?: never;
            path: {
                /**
                 * @description Id of the subscription. A switch and a renewal begin a new one.
                 * @example sub_5f0a1c3e7b2d4c6e8a9b0c1d2e3f4a5b
                 */
                subscription_id: string;
                /**
                 * @description Id of the metric.
                 * @example metric_5f0a1c3e7b2d4c6e8a9b0c1d2e3f4a5b
                 */
                metric_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ChangePrepaidUnitsBody"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "subscription_id": "sub_5f0a1c3e7b2d4c6e8a9b0c1d2e3f4a5b",
                     *       "start_date": "2026-01-01T00:00:00Z",
                     *       "end_date": "2026-01-01T00:00:00Z",
                     *       "auto_renew": true,
                     *       "is_new": true,
                     *       "subscription_filters": [
                     *         {
                     *           "property_name": "region",
                     *           "value": "eu"
                     *         }
                     *       ],
                     *       "customer": {
                     *         "customer_id": "acme",
                     *         "customer_name": "Acme Inc",
                     *         "email": "billing@acme.example"
                     *       },
                     *       "billing_plan": {
                     *         "plan_name": "Pro",
                     *         "plan_id": "plan_5f0a1c3e7b2d4c6e8a9b0c1d2e3f4a5b",
                     *         "version_id": "plan_version_5f0a1c3e7b2d4c6e8a9b0c1d2e3f4a5b",
                     *         "version": 1
                     *       },
                     *       "fully_billed": true,
                     *       "addons": [
                     *         {
                     *           "addon_subscription_id": "addon_sub_5f0a1c3e7b2d4c6e8a9b0c1d2e3f4a5b",
                     *           "start_date": "2026-01-01T00:00:00Z",
                     *           "end_date": "2026-01-01T00:00:00Z",
                     *           "addon": {
                     *             "addon_name": "Priority support",
                     *             "addon_id": "addon_5f0a1c3e7b2d4c6e8a9b0c1d2e3f4a5b",
                     *             "addon_type": "flat",
                     *             "billing_frequency": "one_time"
                     *           },
                     *           "fully_billed": true
                     *         }
                     *       ],
                     *       "metadata": {}
                     *     }
                     */
                    "application/json": components["schemas"]["Subscription"] | components["schemas"]["InvoicePreview"];
                };
            };
        };
    };
    getSubscriptionHistory: {
        parameters: {
            query?: {
                /** @description Most entries of the answer. */
                limit?: number;
                /** @description From the Link header of the page before. */
                cursor?: string;
                /** @description Answers as it was at this moment of recorded time: by what was recorded until then, and with the clock at it. */
                as_of?: string;
            };
            header?: never;
            path: {
                /**
                 * @description Id of the subscription. A switch and a renewal begin a new one.
                 * @example sub_5f0a1c3e7b2d4c6e8a9b0c1d2e3f4a5b
                 */
                subscription_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "subscription_id": "sub_5f0a1c3e7b2d4c6e8a9b0c1d2e3f4a5b",
                     *       "predecessor": {
                     *         "subscription_id": "sub_5f0a1c3e7b2d4c6e8a9b0c1d2e3f4a5b",
                     *         "history": "text"
                     *       },
                     *       "successor": {
                     *         "subscription_id": "sub_5f0a1c3e7b2d4c6e8a9b0c1d2e3f4a5b",
                     *         "history": "text"
                     *       },
                     *       "events": [
                     *         {
                     *           "position": "text",
                     *           "type": "text",
                     *           "effective_at": "2026-01-01T00:00:00Z",
                     *           "recorded_at": "2026-01-01T00:00:00Z",
                     *           "actor": "text",
                     *           "data": null
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": components["schemas"]["TermHistory"];
                };
            };
        };
    };
    switchPlan: {
        parameters: {
            query?: {
                /** @description true: a dry run. Nothing is stored; the answer is the invoice that the change would lead to. */
                preview?: boolean;
            };
            header?: never;
            path: {
                /**
                 * @description Id of the subscription. A switch and a renewal begin a new one.
                 * @example sub_5f0a1c3e7b2d4c6e8a9b0c1d2e3f4a5b
                 */
                subscription_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["SwitchPlanBody"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "subscription_id": "sub_5f0a1c3e7b2d4c6e8a9b0c1d2e3f4a5b",
                     *       "start_date": "2026-01-01T00:00:00Z",
                     *       "end_date": "2026-01-01T00:00:00Z",
                     *       "auto_renew": true,
                     *       "is_new": true,
                     *       "subscription_filters": [
                     *         {
                     *           "property_name": "region",
                     *           "value": "eu"
                     *         }
                     *       ],
                     *       "customer": {
                     *         "customer_id": "acme",
                     *         "customer_name": "Acme Inc",
                     *         "email": "billing@acme.example"
                     *       },
                     *       "billing_plan": {
                     *         "plan_name": "Pro",
                     *         "plan_id": "plan_5f0a1c3e7b2d4c6e8a9b0c1d2e3f4a5b",
                     *         "version_id": "plan_version_5f0a1c3e7b2d4c6e8a9b0c1d2e3f4a5b",
                     *         "version": 1
                     *       },
                     *       "fully_billed": true,
                     *       "addons": [
                     *         {
                     *           "addon_subscription_id": "addon_sub_5f0a1c3e7b2d4c6e8a9b0c1d2e3f4a5b",
                     *           "start_date": "2026-01-01T00:00:00Z",
                     *           "end_date": "2026-01-01T00:00:00Z",
                     *           "addon": {
                     *             "addon_name": "Priority support",
                     *             "addon_id": "addon_5f0a1c3e7b2d4c6e8a9b0c1d2e3f4a5b",
                     *             "addon_type": "flat",
                     *             "billing_frequency": "one_time"
                     *           },
                     *           "fully_billed": true
                     *         }
                     *       ],
                     *       "metadata": {}
                     *     }
                     */
                    "application/json": components["schemas"]["Subscription"] | components["schemas"]["InvoicePreview"];
                };
            };
        };
    };
    updateSubscription: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description Id of the subscription. A switch and a renewal begin a new one.
                 * @example sub_5f0a1c3e7b2d4c6e8a9b0c1d2e3f4a5b
                 */
                subscription_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ChangeSubscriptionBody"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "subscription_id": "sub_5f0a1c3e7b2d4c6e8a9b0c1d2e3f4a5b",
                     *       "start_date": "2026-01-01T00:00:00Z",
                     *       "end_date": "2026-01-01T00:00:00Z",
                     *       "auto_renew": true,
                     *       "is_new": true,
                     *       "subscription_filters": [
                     *         {
                     *           "property_name": "region",
                     *           "value": "eu"
                     *         }
                     *       ],
                     *       "customer": {
                     *         "customer_id": "acme",
                     *         "customer_name": "Acme Inc",
                     *         "email": "billing@acme.example"
                     *       },
                     *       "billing_plan": {
                     *         "plan_name": "Pro",
                     *         "plan_id": "plan_5f0a1c3e7b2d4c6e8a9b0c1d2e3f4a5b",
                     *         "version_id": "plan_version_5f0a1c3e7b2d4c6e8a9b0c1d2e3f4a5b",
                     *         "version": 1
                     *       },
                     *       "fully_billed": true,
                     *       "addons": [
                     *         {
                     *           "addon_subscription_id": "addon_sub_5f0a1c3e7b2d4c6e8a9b0c1d2e3f4a5b",
                     *           "start_date": "2026-01-01T00:00:00Z",
                     *           "end_date": "2026-01-01T00:00:00Z",
                     *           "addon": {
                     *             "addon_name": "Priority support",
                     *             "addon_id": "addon_5f0a1c3e7b2d4c6e8a9b0c1d2e3f4a5b",
                     *             "addon_type": "flat",
                     *             "billing_frequency": "one_time"
                     *           },
                     *           "fully_billed": true
                     *         }
                     *       ],
                     *       "metadata": {}
                     *     }
                     */
                    "application/json": components["schemas"]["Subscription"];
                };
            };
        };
    };
    getTestClock: {
        parameters: {
            query?: {
                /** @description Answers as it was at this moment of recorded time: by what was recorded until then, and with the clock at it. */
                as_of?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "now": "2026-01-01T00:00:00Z"
                     *     }
                     */
                    "application/json": components["schemas"]["TestClock"];
                };
            };
        };
    };
    advanceTestClock: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["AdvanceBody"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "now": "2026-01-01T00:00:00Z",
                     *       "invoices_issued": 1,
                     *       "subscriptions_renewed": 1,
                     *       "subscriptions_ended": 1
                     *     }
                     */
                    "application/json": components["schemas"]["ClockAdvanced"];
                };
            };
        };
    };
    trackEvents: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["TrackBody"];
            };
        };
        responses: {
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "success": "all",
                     *       "failed_events": null
                     *     }
                     */
                    "application/json": components["schemas"]["TrackAnswer"];
                };
            };
        };
    };
    getUpcomingWork: {
        parameters: {
            query?: {
                /** @description How many days, today included: 1 to 90, by default 7. */
                days?: number;
                /** @description Answers as it was at this moment of recorded time: by what was recorded until then, and with the clock at it. */
                as_of?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "as_of": "2026-01-01T00:00:00Z",
                     *       "until": "2026-01-01T00:00:00Z",
                     *       "days": [
                     *         {
                     *           "day": "2026-01-01",
                     *           "boundaries": 1,
                     *           "accounts": 1,
                     *           "payments": 1
                     *         }
                     *       ],
                     *       "payments": [
                     *         {
                     *           "currency_code": "USD",
                     *           "invoices": 1,
                     *           "cost_due": 1
                     *         }
                     *       ],
                     *       "waiting": 1,
                     *       "parked": 1,
                     *       "late_usage": {
                     *         "windows": 1,
                     *         "examined": 1
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["UpcomingWork"];
                };
            };
        };
    };
    listUsageAlerts: {
        parameters: {
            query?: {
                /** @description Most entries of the answer. */
                limit?: number;
                /** @description From the Link header of the page before. */
                cursor?: string;
                /** @description Answers as it was at this moment of recorded time: by what was recorded until then, and with the clock at it. */
                as_of?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example [
                     *       {
                     *         "usage_alert_id": "usage_alert_5f0a1c3e7b2d4c6e8a9b0c1d2e3f4a5b",
                     *         "name": "Pro",
                     *         "metric_id": "metric_5f0a1c3e7b2d4c6e8a9b0c1d2e3f4a5b",
                     *         "customer_id": "acme",
                     *         "plan_id": "plan_5f0a1c3e7b2d4c6e8a9b0c1d2e3f4a5b",
                     *         "threshold_type": "units",
                     *         "threshold": 1,
                     *         "created_at": "2026-01-01T00:00:00Z"
                     *       }
                     *     ]
                     */
                    "application/json": components["schemas"]["UsageAlert"][];
                };
            };
        };
    };
    createUsageAlert: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CreateUsageAlertBody"];
            };
        };
        responses: {
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "usage_alert_id": "usage_alert_5f0a1c3e7b2d4c6e8a9b0c1d2e3f4a5b",
                     *       "name": "Pro",
                     *       "metric_id": "metric_5f0a1c3e7b2d4c6e8a9b0c1d2e3f4a5b",
                     *       "customer_id": "acme",
                     *       "plan_id": "plan_5f0a1c3e7b2d4c6e8a9b0c1d2e3f4a5b",
                     *       "threshold_type": "units",
                     *       "threshold": 1,
                     *       "created_at": "2026-01-01T00:00:00Z"
                     *     }
                     */
                    "application/json": components["schemas"]["UsageAlert"];
                };
            };
        };
    };
    getUsageAlert: {
        parameters: {
            query?: {
                /** @description Answers as it was at this moment of recorded time: by what was recorded until then, and with the clock at it. */
                as_of?: string;
            };
            header?: never;
            path: {
                /**
                 * @description Id of the usage alert.
                 * @example usage_alert_5f0a1c3e7b2d4c6e8a9b0c1d2e3f4a5b
                 */
                usage_alert_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "usage_alert_id": "usage_alert_5f0a1c3e7b2d4c6e8a9b0c1d2e3f4a5b",
                     *       "name": "Pro",
                     *       "metric_id": "metric_5f0a1c3e7b2d4c6e8a9b0c1d2e3f4a5b",
                     *       "customer_id": "acme",
                     *       "plan_id": "plan_5f0a1c3e7b2d4c6e8a9b0c1d2e3f4a5b",
                     *       "threshold_type": "units",
                     *       "threshold": 1,
                     *       "created_at": "2026-01-01T00:00:00Z"
                     *     }
                     */
                    "application/json": components["schemas"]["UsageAlert"];
                };
            };
        };
    };
    deleteUsageAlert: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description Id of the usage alert.
                 * @example usage_alert_5f0a1c3e7b2d4c6e8a9b0c1d2e3f4a5b
                 */
                usage_alert_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "usage_alert_id": "usage_alert_5f0a1c3e7b2d4c6e8a9b0c1d2e3f4a5b",
                     *       "name": "Pro",
                     *       "metric_id": "metric_5f0a1c3e7b2d4c6e8a9b0c1d2e3f4a5b",
                     *       "customer_id": "acme",
                     *       "plan_id": "plan_5f0a1c3e7b2d4c6e8a9b0c1d2e3f4a5b",
                     *       "threshold_type": "units",
                     *       "threshold": 1,
                     *       "created_at": "2026-01-01T00:00:00Z"
                     *     }
                     */
                    "application/json": components["schemas"]["UsageAlert"];
                };
            };
        };
    };
    updateUsageAlert: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description Id of the usage alert.
                 * @example usage_alert_5f0a1c3e7b2d4c6e8a9b0c1d2e3f4a5b
                 */
                usage_alert_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["UpdateUsageAlertBody"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "usage_alert_id": "usage_alert_5f0a1c3e7b2d4c6e8a9b0c1d2e3f4a5b",
                     *       "name": "Pro",
                     *       "metric_id": "metric_5f0a1c3e7b2d4c6e8a9b0c1d2e3f4a5b",
                     *       "customer_id": "acme",
                     *       "plan_id": "plan_5f0a1c3e7b2d4c6e8a9b0c1d2e3f4a5b",
                     *       "threshold_type": "units",
                     *       "threshold": 1,
                     *       "created_at": "2026-01-01T00:00:00Z"
                     *     }
                     */
                    "application/json": components["schemas"]["UsageAlert"];
                };
            };
        };
    };
    getUsage: {
        parameters: {
            query?: {
                /** @description Your own id of the customer. */
                customer_id?: string;
                /** @description Id of the subscription. A switch and a renewal begin a new one. */
                subscription_id?: string;
                /** @description Id of the metric. */
                metric_id?: string;
                /**
                 * @description Length of the parts that usage is counted in.
                 *
                 *     - `hour`: Hours.
                 *     - `day`: Days of the time zone.
                 *     - `month`: Months of the time zone.
                 *     - `window`: Billing windows.
                 */
                granularity?: "hour" | "day" | "month" | "window";
                /** @description Splits the usage by the values of this property of the events. */
                group_by_property?: string;
                /** @description Keeps usage from this instant on. */
                range_start?: string;
                /** @description Keeps usage before this instant. */
                range_end?: string;
                /** @description Most entries of the answer. */
                limit?: number;
                /** @description From the Link header of the page before. */
                cursor?: string;
                /** @description Answers as it was at this moment of recorded time: by what was recorded until then, and with the clock at it. */
                as_of?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example [
                     *       {
                     *         "customer_id": "acme",
                     *         "subscription_id": "sub_5f0a1c3e7b2d4c6e8a9b0c1d2e3f4a5b",
                     *         "addon_subscription_id": "addon_sub_5f0a1c3e7b2d4c6e8a9b0c1d2e3f4a5b",
                     *         "metric_id": "metric_5f0a1c3e7b2d4c6e8a9b0c1d2e3f4a5b",
                     *         "metric_name": "API requests",
                     *         "start_date": "2026-01-01T00:00:00Z",
                     *         "end_date": "2026-01-01T00:00:00Z",
                     *         "quantity": 1,
                     *         "event_count": 1,
                     *         "values": [
                     *           {
                     *             "value": "eu",
                     *             "quantity": 1,
                     *             "event_count": 1
                     *           }
                     *         ],
                     *         "other_values": {
                     *           "quantity": 1,
                     *           "event_count": 1
                     *         },
                     *         "window": {
                     *           "start_date": "2026-01-01T00:00:00Z",
                     *           "end_date": "2026-01-01T00:00:00Z",
                     *           "state": "running",
                     *           "billed_quantity": 1,
                     *           "invoice_ids": [
                     *             "invoice_5f0a1c3e-7b2d-4c6e-8a9b-0c1d2e3f4a5b"
                     *           ]
                     *         }
                     *       }
                     *     ]
                     */
                    "application/json": components["schemas"]["Usage"][];
                };
            };
        };
    };
    verifyEventsReceived: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["VerifyIdemsReceived"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "status": "success",
                     *       "ids_not_found": [
                     *         "text"
                     *       ]
                     *     }
                     */
                    "application/json": components["schemas"]["IdsReceived"];
                };
            };
        };
    };
    listWebhooks: {
        parameters: {
            query?: {
                /** @description Most entries of the answer. */
                limit?: number;
                /** @description From the Link header of the page before. */
                cursor?: string;
                /** @description Answers as it was at this moment of recorded time: by what was recorded until then, and with the clock at it. */
                as_of?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example [
                     *       {
                     *         "webhook_endpoint_id": "webhook_5f0a1c3e7b2d4c6e8a9b0c1d2e3f4a5b",
                     *         "name": "Pro",
                     *         "webhook_url": "https://hooks.example.com/recount",
                     *         "triggers": [
                     *           "customer.created"
                     *         ],
                     *         "created_at": "2026-01-01T00:00:00Z"
                     *       }
                     *     ]
                     */
                    "application/json": components["schemas"]["Webhook"][];
                };
            };
        };
    };
    createWebhook: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CreateWebhookBody"];
            };
        };
        responses: {
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "webhook_endpoint_id": "webhook_5f0a1c3e7b2d4c6e8a9b0c1d2e3f4a5b",
                     *       "name": "Pro",
                     *       "webhook_url": "https://hooks.example.com/recount",
                     *       "triggers": [
                     *         "customer.created"
                     *       ],
                     *       "created_at": "2026-01-01T00:00:00Z",
                     *       "webhook_secret": "text"
                     *     }
                     */
                    "application/json": components["schemas"]["NewWebhook"];
                };
            };
        };
    };
    getWebhook: {
        parameters: {
            query?: {
                /** @description Answers as it was at this moment of recorded time: by what was recorded until then, and with the clock at it. */
                as_of?: string;
            };
            header?: never;
            path: {
                /**
                 * @description Id of the webhook endpoint.
                 * @example webhook_5f0a1c3e7b2d4c6e8a9b0c1d2e3f4a5b
                 */
                webhook_endpoint_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "webhook_endpoint_id": "webhook_5f0a1c3e7b2d4c6e8a9b0c1d2e3f4a5b",
                     *       "name": "Pro",
                     *       "webhook_url": "https://hooks.example.com/recount",
                     *       "triggers": [
                     *         "customer.created"
                     *       ],
                     *       "created_at": "2026-01-01T00:00:00Z"
                     *     }
                     */
                    "application/json": components["schemas"]["Webhook"];
                };
            };
        };
    };
    deleteWebhook: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description Id of the webhook endpoint.
                 * @example webhook_5f0a1c3e7b2d4c6e8a9b0c1d2e3f4a5b
                 */
                webhook_endpoint_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "webhook_endpoint_id": "webhook_5f0a1c3e7b2d4c6e8a9b0c1d2e3f4a5b",
                     *       "name": "Pro",
                     *       "webhook_url": "https://hooks.example.com/recount",
                     *       "triggers": [
                     *         "customer.created"
                     *       ],
                     *       "created_at": "2026-01-01T00:00:00Z"
                     *     }
                     */
                    "application/json": components["schemas"]["Webhook"];
                };
            };
        };
    };
    listWebhookDeliveries: {
        parameters: {
            query?: {
                /**
                 * @description Keeps records with one of these statuses; by default all.
                 *
                 *     - `pending`: Waits for its next attempt.
                 *     - `delivered`: The endpoint took it.
                 *     - `dead`: Given up after a day of attempts.
                 */
                status?: ("pending" | "delivered" | "dead")[];
                /**
                 * @description Field that orders the list; a minus before it puts the last first. Amounts are ordered by currency first, and a missing time stands after every other. An entry whose amount or count changes between two pages may come twice or be left out; with as_of all pages are of one moment.
                 *
                 *     - `sequence`: In the order of sending.
                 *     - `-sequence`: Last sent or queued first.
                 */
                ordering?: "sequence" | "-sequence";
                /** @description Most entries of the answer. */
                limit?: number;
                /** @description From the Link header of the page before. */
                cursor?: string;
                /** @description Answers as it was at this moment of recorded time: by what was recorded until then, and with the clock at it. */
                as_of?: string;
            };
            header?: never;
            path: {
                /**
                 * @description Id of the webhook endpoint.
                 * @example webhook_5f0a1c3e7b2d4c6e8a9b0c1d2e3f4a5b
                 */
                webhook_endpoint_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example [
                     *       {
                     *         "event_id": "text",
                     *         "trigger": "customer.created",
                     *         "position": "text",
                     *         "status": "pending",
                     *         "attempts": 1,
                     *         "first_attempt_at": "2026-01-01T00:00:00Z",
                     *         "next_attempt_at": "2026-01-01T00:00:00Z",
                     *         "delivered_at": "2026-01-01T00:00:00Z",
                     *         "last_status": 1,
                     *         "last_error": null
                     *       }
                     *     ]
                     */
                    "application/json": components["schemas"]["WebhookDelivery"][];
                };
            };
        };
    };
    replayWebhookDeliveries: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description Id of the webhook endpoint.
                 * @example webhook_5f0a1c3e7b2d4c6e8a9b0c1d2e3f4a5b
                 */
                webhook_endpoint_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ReplayBody"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "replayed": 1
                     *     }
                     */
                    "application/json": {
                        /** @description How many deliveries are sent again. */
                        replayed: number;
                    };
                };
            };
        };
    };
}
