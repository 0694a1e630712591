import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { peers, reference } from './cases.js';

const tests = path.resolve(import.meta.dirname, '..');
/** Areas of which one table takes all that there is: rating.spec.ts, periods.spec.ts, proration.spec.ts. */
const WHOLE_AREAS = ['tiers', 'periods', 'proration'];

describe('the golden cases', () => {
  it('are all proven: by a model, in the table of their area, or by name in a spec', () => {
    const specs = ['golden', 'api', 'domain', 'rating', 'metering', 'kernel', 'demo'].flatMap((folder) =>
      (readdirSync(path.join(tests, folder), { recursive: true }) as string[])
        .filter((file) => file.endsWith('.spec.ts'))
        .map((file) => readFileSync(path.join(tests, folder, file), 'utf8')),
    );
    const unproven = [...peers, ...reference].filter(
      ({ id, area, model }) =>
        !model &&
        !WHOLE_AREAS.includes(area) &&
        !specs.some((text) => new RegExp(`${id}(?![\\w-])`).test(text)),
    );
    expect(unproven.map(({ id }) => id)).toEqual([]);
  });
});
