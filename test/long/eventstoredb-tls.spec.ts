import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll } from '@jest/globals';
import { eventStoreContract } from '../contract/event-store/contract.js';
import { doubleUnderTest } from '../contract/event-store/double-under-test.js';
import { selfSigned } from '../support/esdb-double/certificate.js';

const folder = mkdtempSync(path.join(tmpdir(), 'recount-ca-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
const certificate = selfSigned();
const caFile = path.join(folder, 'ca.pem');
writeFileSync(caFile, certificate.cert);

eventStoreContract('EventStoreDB, on the wire with TLS', () =>
  doubleUnderTest(certificate, (node) => `${node.connectionString}&tlsCAFile=${encodeURIComponent(caFile)}`),
);
