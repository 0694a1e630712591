/** Builds the service into `dist/src`, `dist/projections` and `dist/demo`, and its command line as a bundle. */
import { spawnSync } from 'node:child_process';
import { rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import { root, useBuild } from './builds.mjs';
import { bundleCommandLine } from './bundle-cli.mjs';

const FOLDERS = ['src', 'projections', 'demo'];

export async function buildService() {
  await useBuild({
    name: 'service',
    sources: [
      'package-lock.json',
      'tsconfig.json',
      'scripts/build-service.mjs',
      'nest-cli.json',
      'scripts/tsconfig.build.json',
      'scripts/bundle-cli.mjs',
      ...FOLDERS,
      'clients/typescript/src',
    ],
    pattern: /\.ts$/,
    compile: compileService,
    links: Object.fromEntries(FOLDERS.map((folder) => [folder, folder])),
  });
}

async function compileService(folder) {
  // Beside it: nest empties the folder that it builds into.
  const config = `${folder}.json`;
  writeFileSync(
    config,
    JSON.stringify({
      extends: path.join(root, 'scripts/tsconfig.build.json'),
      compilerOptions: { outDir: folder },
    }),
  );
  const nest = createRequire(import.meta.url).resolve('@nestjs/cli/bin/nest.js');
  const run = [nest, 'build', '--config', 'nest-cli.json', '--path', path.relative(root, config)];
  const { status, error } = spawnSync(process.execPath, run, { cwd: root, stdio: 'inherit' });
  rmSync(config, { force: true });
  if (error) throw error;
  // The compiler has said what is wrong.
  if (status !== 0) {
    rmSync(folder, { recursive: true, force: true });
    process.exit(status ?? 1);
  }
  await bundleCommandLine(folder);
}

if (process.argv[1] === import.meta.filename) await buildService();
