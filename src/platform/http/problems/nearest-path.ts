import { distance } from 'fastest-levenshtein';

/** Longest path that is compared; a longer one is no slip of a finger. */
const LONGEST = 200;

/**
 * Returns the route that a mistyped path resembles; undefined if none is near.
 * @param routes paths of routes, with `:thing_id` for a parameter
 */
export function nearestPath(sent: string, routes: readonly string[]): string | undefined {
  if (sent.length > LONGEST) return undefined;
  const parts = partsOf(sent);
  const [nearest] = routes
    .map((route) => ({ route, steps: stepsBetween(parts, partsOf(route)) }))
    .sort((a, b) => a.steps - b.steps);
  if (nearest === undefined || nearest.steps > parts.join('').length / 3) return undefined;
  return `/${partsOf(nearest.route)
    .map((part) => part.replace(/^:(\w+)$/, '{$1}'))
    .join('/')}${/\.\w+$/.test(nearest.route) ? '' : '/'}`;
}

const partsOf = (path: string): string[] => path.split('/').filter((part) => part !== '');

/** Counts the letters to change; a parameter stands for any part, at the cost of one letter. */
function stepsBetween(sent: readonly string[], route: readonly string[]): number {
  if (sent.length !== route.length) return distance(sent.join('/'), route.join('/'));
  return route.reduce(
    (steps, part, index) => steps + (part.startsWith(':') ? 1 : distance(part, sent[index]!.toLowerCase())),
    0,
  );
}
