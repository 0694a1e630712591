import { readFileSync, rmSync } from 'node:fs';
import path from 'node:path';
import type { TestApp } from '../support/app.js';
import { openDocuments } from '../support/open-documents.js';
import { recount } from '../support/recount.js';
import type { SweptBundle } from './bundle-sweep.js';

/**
 * Exports the books of an application as a bundle with a document, its key, and a checkpoint exported before they
 * were written.
 */
export async function exportBundle(
  app: TestApp,
  write: (app: TestApp) => Promise<void>,
  folder: string,
): Promise<SweptBundle> {
  const sign = async (): Promise<string> =>
    (await app.request.post('/api/audit/checkpoints/').expect(201)).body.note as string;
  const since = await sign();
  await write(app);
  await openDocuments(app, 'acme');
  await sign();
  const key = (await app.request.get('/api/audit/keys/').expect(200)).body[0].verifier_key as string;
  const file = path.join(folder, 'swept.zip');
  const { isWell } = await recount(app, 'audit', 'export', file, '--customer', 'acme', '--pdf');
  if (!isWell) throw new Error('the bundle was not exported');
  const archive = readFileSync(file);
  rmSync(file);
  return { archive, key, since };
}
