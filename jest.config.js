import { readFileSync } from 'node:fs';

const swc = JSON.parse(readFileSync(new URL('./test/support/runner/swc.json', import.meta.url), 'utf8'));

const inWorker = (...names) =>
  ['in-worker', ...names].map((name) => `<rootDir>/test/support/runner/${name}.mjs`);

const shared = {
  testPathIgnorePatterns: ['/node_modules/', '/dist/', '/test/architecture/fixtures/'],
  // A build of the verifier has its package.json a second time.
  modulePathIgnorePatterns: ['<rootDir>/dist/builds/'],
  // For globalSetup, which Jest loads itself.
  transform: { '^.+\\.ts$': ['@swc/jest', swc] },
  // Specs run in bare Node: a worker loads the sources once, not once per spec.
  runner: 'jest-light-runner',
  setupFiles: inWorker(),
};

/** Jest's own runner, which Stryker needs. */
const virtualized = {
  testPathIgnorePatterns: shared.testPathIgnorePatterns,
  modulePathIgnorePatterns: shared.modulePathIgnorePatterns,
  testEnvironment: 'node',
  extensionsToTreatAsEsm: ['.ts'],
  moduleNameMapper: { '^(\\.{1,2}/.*)\\.js$': '$1' },
  transform: shared.transform,
};

const LAW_SETTINGS = '<rootDir>/test/support/law-settings.ts';

const withPostgres = {
  ...shared,
  globalSetup: '<rootDir>/test/support/global-setup.ts',
  globalTeardown: '<rootDir>/test/support/global-teardown.ts',
};

const specs = (...folders) => folders.map((folder) => `<rootDir>/test/${folder}/**/*.spec.ts`);
const LAWS = [
  ...specs('properties', 'simulation'),
  '<rootDir>/test/projections/histories.laws.spec.ts',
  '<rootDir>/test/metering/reading.spec.ts',
  '<rootDir>/test/rating/account-snapshot.spec.ts',
];
const NODE_SPEC = 'eventstoredb-node\\.spec\\.ts$';
/** The client on the wire under trouble; `npm test` holds the contract itself. */
const WIRE_SPECS = 'eventstoredb-(chaos|cluster|tail|timeouts|traps)\\.spec\\.ts$';
/** They look into the table of the log, or tamper with it: there is none behind EventStoreDB. */
const LOG_TABLE_SPECS =
  '/api/(request-costs|verify-invoice|verify-runs|personal-data|parking|late-usage|carried-account|gauge-checkpoints|recorded-settings)\\.spec\\.ts$';
const FAIRNESS = '/test/long/fairness/';
/** They bring an event store of their own, on which they add events or which they stop, and so are the same in every project. */
const OWN_STORE_SPECS = '/api/(foreign-events|waits-for-stores)\\.spec\\.ts$';
/** They look at the whole log or at all its organizations: a shared node has those of other specs, whose databases are gone. */
const WHOLE_LOG_SPECS =
  '/api/(transparency|witnesses|checkpoint-audit|checkpoint-cosignatures|checkpoint-faults|checkpoint-uploads|logos|restriction-audit|clock-per-organization|past-service-state|verify-usage|operations-table|hostile-values|hostile-bodies)\\.spec\\.ts$';
/**
 * Each sends thousands of requests, or gigabytes, fills large tables, starts many processes, or tampers with whole books,
 * and so is part of `npm run test:all` only.
 */
const SWEPT = [
  'api/@(as-of-many-events|operations-table|conventions|hostile-values|hostile-bodies|generated-input|catalog-list-hundreds|large-pages|tenants|tree-rebuild)',
  'cli/@(tampered-books|damaged-events|dropped-tables|closed-output|read-models-differ|killed-rebuild|evidence/evidence)',
  'platform/database/@(embedded-postgres|database-watchdog)',
  'metering/plans',
  'projections/release-schema',
];
const SWEEPS = `/test/(${SWEPT.join('|').replaceAll('@', '')})\\.spec\\.ts$`;
/** Their subject is beside the log or above it, wherever that is: `npm test` runs them on PostgreSQL. */
const BESIDE_THE_LOG =
  '/api/(golden/.+|access-.+|addons|addons-refused|analytics|api-keys|as-of-bounds|audit-explain.*|auth|body-encoding|bulk-run|' +
  'caching|catalog-.+|checkpoint-.+|console.*|credit-(descriptions|drawdowns)|credits|currency-codes|customer-records|' +
  'customers-change-and-list|decided-.+|demo|draft-invoices|etags|evidence-ranges|forms|hostile-requests|http|invoices|' +
  'invoice-pdf.*|key-scopes|line-events-carried-in|list-orderings|lists|log-lines|logos|multipart|openapi.*|operation|' +
  'organization|organizations|past-settings|payments|port-taken|prepaid-(subscriptions|units)|preview-.+|previews-left|' +
  'proxies|rate-limit|renewals-elsewhere|renewal-versions|reverse-charge|strict-queries|subscriptions-list|' +
  'subscriptions-replace-plan|subscriptions-switch|subscriptions-switch-.+|switch-settlement|tables-of-reads|' +
  'tax-rates-of-a-window|text-lengths|track|unauthenticated-bodies|unknown-.+|upcoming-late-usage|usage.*|verify-usage|' +
  'version-pick|void-(invoice|then-change)|webhooks-(fair|inside|of-rows|queue)|witnesses)\\.spec\\.ts$';
/** Beside the first quarter of the thousand, which test:all simulates. */
const FURTHER_SEEDS = '/simulation/further-seeds\\.spec\\.ts$';
const PICTURES = '/console/pictures\\.spec\\.ts$';

/** No database is needed, no service, no node. */
const unit = {
  ...shared,
  displayName: 'unit',
  testMatch: specs(
    'kernel',
    'domain',
    'rating',
    'golden',
    'calculator',
    'properties',
    'simulation',
    'architecture',
    'demo',
  ),
  testPathIgnorePatterns: [...shared.testPathIgnorePatterns, '/further-seeds\\.spec\\.ts$'],
};
const integration = {
  ...withPostgres,
  displayName: 'integration',
  testMatch: specs('contract', 'platform', 'projections', 'api', 'metering', 'cli', 'clients'),
  testPathIgnorePatterns: [...shared.testPathIgnorePatterns, NODE_SPEC, WIRE_SPECS, SWEEPS],
};

/** Projects are picked by name: `npm run jest -- --selectProjects unit`. */
export default {
  testSequencer: '<rootDir>/test/support/runner/slowest-first.mjs',
  reporters: ['default', '<rootDir>/test/support/runner/standstill.mjs'],
  // Some specs wait more than they work.
  maxWorkers: 4,
  projects: [
    unit,
    integration,
    // Both, for `npm test`: the runner has workers per project, and each loads the sources for itself.
    {
      ...integration,
      displayName: 'specs',
      setupFiles: inWorker('few-histories', 'same-histories', 'optimize-late'),
      setupFilesAfterEnv: [LAW_SETTINGS],
      testMatch: [...unit.testMatch, ...integration.testMatch],
      testPathIgnorePatterns: [
        ...new Set([...unit.testPathIgnorePatterns, ...integration.testPathIgnorePatterns]),
      ],
    },
    // The laws over many more histories than `npm test` has time for.
    {
      ...withPostgres,
      displayName: 'laws',
      testMatch: LAWS,
      testPathIgnorePatterns: [...shared.testPathIgnorePatterns, FURTHER_SEEDS],
      setupFiles: inWorker('many-histories', 'same-histories'),
      setupFilesAfterEnv: [LAW_SETTINGS],
    },
    // The same laws over histories that nobody has seen.
    {
      ...withPostgres,
      displayName: 'explore',
      testMatch: [...LAWS, '<rootDir>/test/long/as-of.spec.ts'],
      setupFiles: inWorker('many-histories'),
      setupFilesAfterEnv: [LAW_SETTINGS],
    },
    // What `npm run mutation` runs for every mutant: few histories, always the same.
    {
      ...virtualized,
      displayName: 'mutation',
      testMatch: specs('mutation'),
      setupFilesAfterEnv: [LAW_SETTINGS],
      globals: { lawTimes: 0.1, lawSeed: 20261121 },
    },
    // Everything over HTTP once more, with the log behind the real EventStoreDB client on the wire.
    {
      ...withPostgres,
      displayName: 'long',
      testMatch: [
        ...specs('api', 'long'),
        '<rootDir>/test/contract/event-store/eventstoredb-@(chaos|cluster|tail|timeouts|traps).spec.ts',
      ],
      testPathIgnorePatterns: [
        ...shared.testPathIgnorePatterns,
        ...[LOG_TABLE_SPECS, OWN_STORE_SPECS, BESIDE_THE_LOG, SWEEPS, FAIRNESS],
      ],
      setupFiles: inWorker('log-on-the-double', 'same-histories'),
      setupFilesAfterEnv: [LAW_SETTINGS],
    },
    // What callers may send, whatever the store.
    {
      ...withPostgres,
      displayName: 'sweeps',
      testMatch: SWEPT.map((path) => `<rootDir>/test/${path}.spec.ts`),
    },
    // The console in a browser.
    {
      ...withPostgres,
      displayName: 'console',
      testMatch: specs('console'),
      testPathIgnorePatterns: [...shared.testPathIgnorePatterns, PICTURES],
    },
    // Every page at two widths in both modes, to be looked at: npm run pictures
    {
      ...withPostgres,
      displayName: 'pictures',
      testMatch: ['<rootDir>/test/console/pictures.spec.ts'],
    },
    // They compare latencies, and so have the machine to themselves: run with --runInBand.
    {
      ...withPostgres,
      displayName: 'fairness',
      testMatch: specs('long/fairness'),
    },
    // Against a real node, one file after the other as it is one log: EVENTSTORE_URL=esdb://… npm run test:eventstore
    {
      ...withPostgres,
      displayName: 'eventstore',
      testMatch: ['<rootDir>/test/contract/**/eventstoredb-node.spec.ts', ...specs('api')],
      testPathIgnorePatterns: [
        ...shared.testPathIgnorePatterns,
        ...[LOG_TABLE_SPECS, OWN_STORE_SPECS, WHOLE_LOG_SPECS],
      ],
      setupFiles: inWorker('log-on-a-node'),
    },
  ],
};
