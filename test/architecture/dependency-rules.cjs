/**
 * Dependency rules: outer modules may import inner ones, never the other way. Each rule has a fixture that breaks it. A
 * module may have a folder per subject, such as `billing/voids` or `subscription/switch`, with its own `domain` and `http`.
 */
const DOMAIN = '[^/]+/domain|[^/]+/[^/]+/domain|billing/rating';
const PURE = `^src/(kernel|pricing|${DOMAIN})/`;
const MODULES =
  'catalog|customer|subscription|metering|billing|access|transparency|audit|organization|webhooks|alerts|console|analytics';

/**
 * All modules, innermost first. A module imports only modules that precede it, so the graph of modules has no cycle.
 * `src/*.ts` are the composition root: the Nest application module and the start of a process.
 */
const ORDER = [
  'src/kernel/',
  'src/pricing/',
  'src/platform/',
  'src/customer/',
  'src/organization/',
  'src/console/',
  'src/catalog/',
  'src/subscription/',
  'src/metering/',
  'src/billing/',
  'src/access/',
  'src/alerts/',
  'src/transparency/',
  'src/webhooks/',
  'src/audit/',
  'src/analytics/',
  'projections/',
  'src/api-document/',
  'src/operation/',
  'src/[^/]+\\.ts$',
  'src/cli/',
];
const modulesHaveNoCircle = ORDER.slice(0, -1).map((from, index) => ({
  name: 'modules-have-no-circle',
  severity: 'error',
  from: { path: `^${from}` },
  to: { path: `^(${ORDER.slice(index + 1).join('|')})` },
}));

/** Subject folders ("rooms") of billing, innermost first. The `domain` and `http` of a room have entries of their own. */
const ROOMS = [
  ...['accounts/domain', 'parking', 'pdf/domain'],
  ...['credits/domain', 'invoices/domain', 'numbering/domain', 'voids/domain', 'rating', 'read-models'],
  ...['decider/domain', 'accounts', 'late-usage', 'numbering', 'invoices', 'runs', 'pdf'],
  ...['credits', 'e-invoice', 'scheduler', 'drafts', 'usage', 'verification', 'voids'],
  ...['parking/http', 'accounts/http', 'credits/http', 'e-invoice/http', 'scheduler/http', 'usage/http'],
  ...['invoices/http', 'drafts/http', 'pdf/http'],
].map((room) => `src/billing/${room}/${room.includes('/') ? '' : '(?!domain/|http/)'}`);
const roomsHaveNoCircle = ROOMS.slice(0, -1).map((from, index) => ({
  name: 'rooms-of-billing-have-no-circle',
  severity: 'error',
  from: { path: `^${from}` },
  to: { path: `^(${ROOMS.slice(index + 1).join('|')})` },
}));

module.exports = {
  forbidden: [
    ...modulesHaveNoCircle,
    ...roomsHaveNoCircle,
    {
      name: 'every-room-of-billing-has-a-place-in-the-order',
      severity: 'error',
      from: { path: '^src/billing/[^/]+/', pathNot: `^(${ROOMS.join('|')})` },
      to: {},
    },
    {
      name: 'every-module-has-a-place-in-the-order',
      severity: 'error',
      from: { path: '^(src|projections)/', pathNot: `^(${ORDER.join('|')})` },
      to: {},
    },
    {
      name: 'kernel-imports-only-kernel',
      severity: 'error',
      from: { path: '^src/kernel/' },
      to: { path: '^(src|projections|test|demo)/', pathNot: '^src/kernel/' },
    },
    {
      name: 'domain-imports-only-domain-and-kernel',
      severity: 'error',
      from: { path: `^src/(pricing|${DOMAIN})/` },
      to: { path: '^(src|projections|test|demo)/', pathNot: PURE },
    },
    {
      name: 'pure-core-knows-no-framework',
      severity: 'error',
      from: { path: PURE },
      to: {
        path: 'node_modules/(@nestjs|pg|kysely|@eventstore|@grpc|express|pino|rxjs|reflect-metadata|class-validator|class-transformer)(/|$)',
      },
    },
    {
      name: 'pure-core-does-no-io',
      severity: 'error',
      from: { path: PURE },
      to: { dependencyTypes: ['core'], pathNot: '^(node:)?crypto$' },
    },
    {
      name: 'only-money-knows-dinero',
      severity: 'error',
      from: { path: '^(src|projections)/', pathNot: '^src/kernel/money\\.ts$' },
      to: { path: 'node_modules/dinero\\.js/' },
    },
    {
      name: 'only-quantity-knows-fraction',
      severity: 'error',
      from: { path: '^(src|projections)/', pathNot: '^src/kernel/quantity\\.ts$' },
      to: { path: 'node_modules/fraction\\.js/' },
    },
    {
      name: 'only-zone-knows-temporal',
      severity: 'error',
      from: { path: '^(src|projections)/', pathNot: '^src/kernel/zone\\.ts$' },
      to: { path: 'node_modules/temporal-polyfill/' },
    },
    {
      name: 'inner-does-not-import-http',
      severity: 'error',
      from: {
        path: `^src/((${MODULES})/(domain|commands|queries|switch)|billing/[^/]+)/`,
        pathNot: '/http/',
      },
      to: { path: `^src/((${MODULES})/(http|[^/]+/http)|platform/http)/` },
    },
    {
      name: 'platform-imports-no-module',
      severity: 'error',
      from: { path: '^src/platform/' },
      to: { path: `^src/(${MODULES})/` },
    },
    {
      name: 'read-models-never-decide',
      severity: 'error',
      from: { path: '^projections/[^/]+/' },
      to: {
        path: '^src/((platform/(http|eventsourcing/(command-runner|policies))|[^/]+/(http|commands|queries))/|(billing/(?!read-models/)[^/]+|subscription/switch)/(?!domain/))',
      },
    },
    {
      name: 'only-the-composition-imports-projections',
      severity: 'error',
      from: { path: '^src/', pathNot: '^src/(service|app\\.module|read-models\\.module|migrations)\\.ts$' },
      to: { path: '^projections/' },
    },
    {
      name: 'modules-meet-at-ports-not-at-handlers',
      severity: 'error',
      from: { path: `^src/(${MODULES})/` },
      to: { path: `^src/(${MODULES})/(http|[^/]+/http)/`, pathNot: '^src/$1/' },
    },
    {
      name: 'verifier-imports-only-the-pure-core',
      severity: 'error',
      from: { path: '^verifier/' },
      to: { path: '^(src|projections|test|demo)/', pathNot: `${PURE}|^src/upcasters\\.ts$` },
    },
    {
      name: 'console-imports-only-the-client',
      severity: 'error',
      from: { path: '^console/' },
      // The price curve calls the function that computes billed prices.
      to: {
        path: '^(src|projections|test|demo|verifier)/',
        pathNot: '^src/(pricing/tiers|kernel/(quantity|errors))\\.ts$',
      },
    },
    {
      name: 'nothing-imports-the-console',
      severity: 'error',
      from: { pathNot: '^console/' },
      to: { path: '^console/' },
    },
    {
      name: 'no-circles',
      severity: 'error',
      from: {},
      to: { circular: true },
    },
    {
      name: 'nothing-imports-tests',
      severity: 'error',
      from: { path: '^(src|projections|demo|verifier|console)/' },
      to: { path: '^test/' },
    },
  ],
  options: {
    doNotFollow: { path: 'node_modules' },
    tsPreCompilationDeps: true,
    tsConfig: { fileName: 'tsconfig.json' },
    enhancedResolveOptions: {
      exportsFields: ['exports'],
      conditionNames: ['import', 'require', 'node', 'default'],
    },
  },
};
