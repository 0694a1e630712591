import { defineConfig } from 'vite';

/** `npx vite console` serves the sources while you change them; the API comes from a service on port 3000. */
const SERVICE = 'http://127.0.0.1:3000';

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
      onLog: (level, log, report) => {
        if (log.code !== 'MODULE_LEVEL_DIRECTIVE') report(level, log);
      },
    },
  },
  server: { proxy: { '/api': SERVICE, '/console/session': SERVICE } },
});
