/**
 * The dependency rule: outer may import inner, never the other way. Each rule has a fixture that breaks it. `billing` has
 * a folder per subject, each with its own `domain` and `http`.
 */
const PURE = '^src/(kernel|pricing|[^/]+/domain|billing/[^/]+/domain|billing/rating)/';
const MODULES = 'catalog|customer|subscription|metering|billing|access|audit|organization|webhooks';

module.exports = {
  forbidden: [
    {
      name: 'kernel-imports-only-kernel',
      severity: 'error',
      from: { path: '^src/kernel/' },
      to: { path: '^(src|projections|test|demo)/', pathNot: '^src/kernel/' },
    },
    {
      name: 'domain-imports-only-domain-and-kernel',
      severity: 'error',
      from: { path: '^src/(pricing|[^/]+/domain|billing/[^/]+/domain|billing/rating)/' },
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
      from: { path: `^src/((${MODULES})/(domain|commands|queries)|billing/[^/]+)/`, pathNot: '/http/' },
      to: { path: `^src/((${MODULES})/http|billing/[^/]+/http|platform/http)/` },
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
        path: '^src/((platform/(http|eventsourcing/(command-runner|policies))|[^/]+/(http|commands|queries))/|billing/(?!read-models/)[^/]+/(?!domain/))',
      },
    },
    {
      name: 'only-the-composition-imports-projections',
      severity: 'error',
      from: { path: '^src/', pathNot: '^src/(service|app\\.module|migrations)\\.ts$' },
      to: { path: '^projections/' },
    },
    {
      name: 'modules-meet-at-ports-not-at-handlers',
      severity: 'error',
      from: { path: `^src/(${MODULES})/` },
      to: { path: `^src/((${MODULES})|billing/[^/]+)/http/`, pathNot: '^src/$1/' },
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
      from: { path: '^(src|projections|demo)/' },
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
