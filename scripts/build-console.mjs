/** Builds the page in the browser into `dist/console`, each text beside its compressed forms. */
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { brotliCompressSync, gzipSync } from 'node:zlib';
import { root, useBuild } from './builds.mjs';

const TEXT = /\.(html|js|css|svg)$/;

export async function buildConsole() {
  await useBuild({
    name: 'console',
    sources: [
      'package-lock.json',
      'scripts/build-console.mjs',
      'console',
      'clients/typescript/src',
      'src/pricing',
      'src/kernel',
    ],
    pattern: /\.(tsx?|css|html|js|svg|json)$/,
    compile: compileConsole,
    links: { console: '' },
  });
}

async function compileConsole(folder) {
  // A spec builds with NODE_ENV=test, which would bundle React's slow and large development build.
  process.env.NODE_ENV = 'production';
  const { build } = await import('vite');
  await build({
    configFile: path.join(root, 'console/vite.config.ts'),
    logLevel: 'warn',
    build: { outDir: folder },
  });
  for (const entry of readdirSync(folder, { recursive: true })) {
    if (!TEXT.test(entry)) continue;
    const file = path.join(folder, entry);
    const content = readFileSync(file);
    writeFileSync(`${file}.br`, brotliCompressSync(content));
    writeFileSync(`${file}.gz`, gzipSync(content, { level: 9 }));
  }
}

if (process.argv[1] === import.meta.filename) await buildConsole();
