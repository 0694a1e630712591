import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { expect, it } from '@jest/globals';

it('recount-verify ends without a stack when the reader of its output has left, as with `| head`', async () => {
  for (const option of ['--help', '--json']) {
    const command = ['--import', './test/support/ts-loader.mjs', 'verifier/cli.ts', option];
    const child = spawn(process.execPath, command, { stdio: ['ignore', 'pipe', 'pipe'] });
    let errors = '';
    child.stderr.on('data', (text) => (errors += String(text)));
    child.stdout.destroy();
    const [code] = (await once(child, 'close')) as [number | null];
    expect({ option, code, errors: errors.replaceAll(/^.*Warning.*$\n?/gm, '') }).toEqual({
      option,
      code: 141,
      errors: '',
    });
  }
});
