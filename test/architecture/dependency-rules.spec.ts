import { execFileSync } from 'node:child_process';
import { createRequire } from 'node:module';
import path from 'node:path';
import { beforeAll, describe, expect, it } from '@jest/globals';

interface Violation {
  readonly from: string;
  readonly rule: { readonly name: string };
}

const root = path.resolve(import.meta.dirname, '../..');
const fixtures = path.join(import.meta.dirname, 'fixtures');
const config = createRequire(import.meta.url)('./dependency-rules.cjs') as {
  forbidden: { name: string }[];
};

/** Runs dependency-cruiser on the fixtures as if they were the project. Each fixture is named after the rule it breaks. */
function violations(): Violation[] {
  const cruise = path.join(root, 'node_modules/dependency-cruiser/bin/dependency-cruise.mjs');
  const options = [
    '--config',
    path.join(import.meta.dirname, 'dependency-rules.cjs'),
    '--output-type',
    'json',
    '--ts-config',
  ];
  const output = execFileSync(
    process.execPath,
    [cruise, 'src', 'projections', 'verifier', 'console', ...options, path.join(root, 'tsconfig.json')],
    { cwd: fixtures, encoding: 'utf8', env: { ...process.env, NODE_OPTIONS: '' } },
  );
  return (JSON.parse(output) as { summary: { violations: Violation[] } }).summary.violations;
}

describe('the dependency rule', () => {
  let found: Violation[];
  beforeAll(() => {
    found = violations();
  });

  it.each([...new Set(config.forbidden.map((rule) => rule.name))])('%s is broken by its fixture', (name) => {
    const breakers = found.filter((v) => v.rule.name === name).map((v) => path.basename(v.from, '.ts'));
    expect(breakers).toContain(name);
  });
});
