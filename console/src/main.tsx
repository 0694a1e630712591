import { CSPProvider } from '@base-ui/react/csp-provider';
import { QueryClientProvider } from '@tanstack/react-query';
import { RouterProvider } from '@tanstack/react-router';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { queryClient } from './api/query-client.js';
import { sessionQuery } from './api/session.js';
import { SessionGate } from './login/session-gate.js';
import { router } from './router.js';
import '@fontsource-variable/inter/index.css';
import './shared/styles/tokens.css';
import './shared/styles/base.css';

// The page waits for the session; its script and its first figures are on the way meanwhile.
void queryClient.prefetchQuery(sessionQuery);
void router.preloadRoute({ to: '.', search: true });

createRoot(document.getElementById('root')!).render(
  <StrictMode>
    <CSPProvider disableStyleElements>
      <QueryClientProvider client={queryClient}>
        <SessionGate>
          <RouterProvider router={router} />
        </SessionGate>
      </QueryClientProvider>
    </CSPProvider>
  </StrictMode>,
);
