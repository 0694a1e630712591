/** Builds the verifier into `dist/verifier`, a package: the command as one file of Node, the page as one for a browser. */
import { createHash } from 'node:crypto';
import { chmodSync, copyFileSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { build } from 'esbuild';
import { root, useBuild } from './builds.mjs';

const PAGE = path.join(root, 'verifier/browser');

const BANNER = `#!/usr/bin/env node
import { createRequire } from "node:module"; const require = createRequire(import.meta.url);`;

export async function buildVerifier() {
  await useBuild({
    name: 'verifier',
    sources: ['package-lock.json', 'scripts/build-verifier.mjs', 'verifier', 'src'],
    pattern: /\.(ts|css|html|json)$/,
    compile: async (folder) => {
      await Promise.all([buildCommand(folder), buildPage(folder)]);
      copyFileSync(path.join(root, 'verifier/package.json'), path.join(folder, 'package.json'));
      copyFileSync(path.join(root, 'LICENSE'), path.join(folder, 'LICENSE'));
    },
    links: { verifier: '' },
  });
}

async function buildCommand(folder) {
  const outfile = path.join(folder, 'recount-verify.mjs');
  await build({
    ...{ entryPoints: [path.join(root, 'verifier/cli.ts')], outfile, absWorkingDir: root },
    ...{ bundle: true, platform: 'node', target: 'node20.19', format: 'esm', logLevel: 'warning' },
    banner: { js: BANNER },
  });
  chmodSync(outfile, 0o755);
}

/** Script and style stand in the page, and its policy lets in nothing but them. */
async function buildPage(folder) {
  const options = { bundle: true, minify: true, write: false, logLevel: 'warning', absWorkingDir: root };
  const [script, style] = await Promise.all([
    build({
      ...options,
      entryPoints: [path.join(PAGE, 'page.ts')],
      ...{ platform: 'browser', target: 'es2023', format: 'esm', charset: 'ascii' },
      alias: { 'node:crypto': path.join(PAGE, 'node-crypto.ts') },
      inject: [path.join(PAGE, 'buffer-global.ts')],
    }),
    build({ ...options, entryPoints: [path.join(PAGE, 'page.css')] }),
  ]);
  const [code, css] = [script, style].map(({ outputFiles }) => outputFiles[0].text);
  if (/<\/(script|style)|<!--/i.test(code + css))
    throw new Error('script or style would end the element that it is in');
  const hashOf = (text) => `'sha256-${createHash('sha256').update(text).digest('base64')}'`;
  const policy = [
    "default-src 'none'",
    `script-src ${hashOf(code)}`,
    `style-src ${hashOf(css)}`,
    "base-uri 'none'",
    "form-action 'none'",
  ].join('; ');
  const parts = {
    '{{policy}}': policy,
    '<!-- style -->': `<style>${css}</style>`,
    '<!-- script -->': `<script type="module">${code}</script>`,
  };
  let html = readFileSync(path.join(PAGE, 'page.html'), 'utf8');
  for (const [place, content] of Object.entries(parts)) {
    if (!html.includes(place)) throw new Error(`page.html has no ${place}`);
    html = html.replace(place, () => content);
  }
  writeFileSync(path.join(folder, 'recount-verify.html'), html);
}

if (process.argv[1] === import.meta.filename) await buildVerifier();
