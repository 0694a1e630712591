/** The part of Express's router that says which routes there are. */
interface RouterOfExpress {
  readonly router: {
    readonly stack: readonly {
      readonly route?: { readonly methods: Readonly<Record<string, boolean>> };
      match(path: string): boolean;
    }[];
  };
}

/** The methods a path can be called with; empty for a path that nothing answers. */
export function methodsAt(express: RouterOfExpress, path: string): string[] {
  const methods = new Set<string>();
  for (const layer of express.router.stack) {
    if (!layer.route || !matches(layer, path)) continue;
    for (const method of Object.keys(layer.route.methods)) methods.add(method.toUpperCase());
  }
  return [...methods].sort();
}

/** A path that cannot be decoded matches nothing. */
function matches(layer: { match(path: string): boolean }, path: string): boolean {
  try {
    return layer.match(path);
  } catch {
    return false;
  }
}
