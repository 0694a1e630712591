import { useQuery } from '@tanstack/react-query';
import { recount } from '../../api/client.js';
import { Badge } from '../../shared/badge.js';
import { QueryView } from '../../shared/query-view.js';

/** Shows whether the service is ready, and its warnings, such as late read models. */
export function Readiness() {
  const readiness = useQuery({
    queryKey: ['readiness'],
    queryFn: ({ signal }) => recount.checkReadiness({ signal }),
    refetchInterval: 10_000,
  });
  return (
    <QueryView query={readiness}>
      {(answer) => {
        const warnings: readonly string[] = 'warnings' in answer ? (answer.warnings as string[]) : [];
        if (warnings.length === 0)
          return (
            <p>
              <Badge tone="good">ready</Badge>
            </p>
          );
        return (
          <>
            <p>
              <Badge tone="warn">ready, with warnings</Badge>
            </p>
            <ul>
              {warnings.map((warning) => (
                <li key={warning}>{warning}</li>
              ))}
            </ul>
          </>
        );
      }}
    </QueryView>
  );
}
