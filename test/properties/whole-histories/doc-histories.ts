import { readFileSync } from 'node:fs';
import path from 'node:path';
import { historyOf } from '../../calculator/golden-history.js';
import type { History } from '../../calculator/history.js';
import { examplesOf } from '../../golden/doc-examples.js';

const DOC = path.resolve(import.meta.dirname, '../../../docs/billing.md');

/** Returns the examples of docs/billing.md that have steps, by heading and number. */
export const docHistories = (): ReadonlyMap<string, History> =>
  new Map(
    examplesOf(readFileSync(DOC, 'utf8')).flatMap(({ name, content }) =>
      'steps' in content ? [[name, historyOf(content)]] : [],
    ),
  );
