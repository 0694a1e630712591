import { createRootRoute, createRoute, createRouter, lazyRouteComponent } from '@tanstack/react-router';
import { mayHaveSession } from './api/session.js';
import { prefetchOverview } from './pages/overview/prefetch-overview.js';
import { Problem } from './shared/problem.js';
import { Shell } from './shell/shell.js';
import { NotFoundPage } from './shell/not-found-page.js';
import { withForm } from './actions/form-search.js';
import { readListSearch } from './shared/list-search.js';

const rootRoute = createRootRoute({ component: Shell, notFoundComponent: NotFoundPage });

const overviewRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/',
  validateSearch: readListSearch('currency', 'range', 'from', 'to', 'metric', 'numbers', 'tables'),
  loader: ({ location }) => {
    // Another range asks for other figures.
    if (mayHaveSession() && !('range' in location.search)) prefetchOverview();
  },
  component: lazyRouteComponent(() => import('./pages/overview/overview-page.js'), 'OverviewPage'),
});

const customersRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/customers',
  validateSearch: readListSearch('act'),
  component: lazyRouteComponent(() => import('./pages/customers/customers-page.js'), 'CustomersPage'),
});

const subscriptionsRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/subscriptions',
  validateSearch: readListSearch('customer_id', 'plan_id', 'status'),
  component: lazyRouteComponent(
    () => import('./pages/subscriptions/subscriptions-page.js'),
    'SubscriptionsPage',
  ),
});

const eventsRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/events',
  validateSearch: readListSearch(
    'customer_id',
    'event_name',
    'metric_id',
    'subscription_id',
    'state',
    'range_start',
    'range_end',
  ),
  component: lazyRouteComponent(() => import('./pages/events/events-page.js'), 'EventsPage'),
});

const customerChangesRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/customers/$customerId/changes',
  validateSearch: withForm(readListSearch('act', 'preview', 'on', 'tables')),
  component: lazyRouteComponent(
    () => import('./pages/customer-changes/customer-changes-page.js'),
    'CustomerChangesPage',
  ),
});

const historyRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/customers/$customerId/history',
  validateSearch: readListSearch('at', 'open'),
  component: lazyRouteComponent(() => import('./pages/history/history-page.js'), 'HistoryPage'),
});

const invoicesRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/invoices',
  validateSearch: readListSearch(
    'customer_id',
    'invoice_number',
    'status',
    'currency_code',
    'issued_after',
    'issued_before',
  ),
  component: lazyRouteComponent(() => import('./pages/invoices/invoices-page.js'), 'InvoicesPage'),
});

const plansRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/plans',
  validateSearch: readListSearch(
    'duration',
    'version_status',
    'version_custom_type',
    'version_currency_code',
    'include_tags',
  ),
  component: lazyRouteComponent(() => import('./pages/plans/plans-page.js'), 'PlansPage'),
});

const metricsRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/metrics',
  validateSearch: withForm(readListSearch('act', 'tables')),
  component: lazyRouteComponent(() => import('./pages/metrics/metrics-page.js'), 'MetricsPage'),
});

const planFormRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/plans/new',
  validateSearch: withForm(readListSearch()),
  component: lazyRouteComponent(() => import('./pages/plan-version/plan-form-page.js'), 'PlanFormPage'),
});

const planRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/plans/$planId',
  validateSearch: readListSearch('version', 'with', 'metric', 'quantities', 'tables'),
  component: lazyRouteComponent(() => import('./pages/plans/plan-page.js'), 'PlanPage'),
});

const versionFormRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/plans/$planId/versions/new',
  validateSearch: withForm(readListSearch('from')),
  component: lazyRouteComponent(() => import('./pages/plan-version/version-form-page.js'), 'VersionFormPage'),
});

const operationRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/operation',
  validateSearch: readListSearch('act', 'endpoint', 'status', 'tables', 'clock'),
  component: lazyRouteComponent(() => import('./pages/operation/operation-page.js'), 'OperationPage'),
});

const auditRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/audit',
  validateSearch: readListSearch('customer_id', 'actor', 'event_type', 'subject_kind', 'from', 'to'),
  component: lazyRouteComponent(() => import('./pages/audit/audit-page.js'), 'AuditPage'),
});

const customerRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/customers/$customerId',
  validateSearch: withForm(readListSearch('act', 'preview', 'numbers', 'before', 'tables', 'open')),
  component: lazyRouteComponent(() => import('./pages/customers/customer-page.js'), 'CustomerPage'),
});

const invoiceRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/invoices/$invoiceId',
  validateSearch: withForm(readListSearch('line', 'events', 'act', 'preview', 'on', 'verified', 'tables')),
  component: lazyRouteComponent(() => import('./pages/invoices/invoice-page.js'), 'InvoicePage'),
});

export const router = createRouter({
  routeTree: rootRoute.addChildren([
    overviewRoute,
    customersRoute,
    customerRoute,
    subscriptionsRoute,
    eventsRoute,
    customerChangesRoute,
    historyRoute,
    invoicesRoute,
    invoiceRoute,
    plansRoute,
    planFormRoute,
    planRoute,
    metricsRoute,
    versionFormRoute,
    operationRoute,
    auditRoute,
  ]),
  basepath: '/console',
  defaultPreload: 'intent',
  scrollRestoration: true,
  defaultErrorComponent: ({ error, reset }) => <Problem error={error} retry={reset} />,
});

declare module '@tanstack/react-router' {
  interface Register {
    router: typeof router;
  }
}
