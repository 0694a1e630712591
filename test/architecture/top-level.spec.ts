import { execFileSync } from 'node:child_process';
import path from 'node:path';
import { describe, expect, it } from '@jest/globals';

const root = path.resolve(import.meta.dirname, '../..');

describe('the top level of the repository', () => {
  it('holds twelve configuration files at most', () => {
    const files = execFileSync('git', ['ls-files'], { cwd: root, encoding: 'utf8' }).trim().split('\n');
    const settings = files.filter((file) => !file.includes('/') && !/\.md$|^LICENSE$/.test(file));
    expect(settings.length).toBeGreaterThan(0);
    expect(settings.slice(12)).toEqual([]);
  });
});
