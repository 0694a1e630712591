import { defineConfig } from 'vite';

/** `npx vite console` serves the sources while you change them; the API comes from a service on port 3000. */
const SERVICE = 'http://127.0.0.1:3000';

const SHARED =
  /console\/src\/(api|shared|pages\/invoices\/(invoice-columns|payment-status))|node_modules\/lucide-react\//;

export default defineConfig({
  root: import.meta.dirname,
  base: '/console/',
  build: {
    target: 'es2023',
    emptyOutDir: true,
    // Nothing is inline: the page's policy allows no `data:` script, style or font.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    chunkSizeWarningLimit: 700,
    rolldownOptions: {
      // Libraries mark modules for server components; the console has none.
      output: {
        // One file for what the pages share: a browser asks for six at a time.
        codeSplitting: { groups: [{ name: 'shared', test: SHARED }] },
      },
      onLog: (level, log, report) => {
        if (log.code !== 'MODULE_LEVEL_DIRECTIVE') report(level, log);
      },
    },
  },
  server: { proxy: { '/api': SERVICE, '/console/session': SERVICE } },
});
