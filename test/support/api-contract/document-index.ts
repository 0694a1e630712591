import type { OpenApiDocument } from '../../../src/platform/http/openapi/api-document.js';

export interface DocumentedOperation {
  readonly method: string;
  readonly path: string;
  /** Matches a path with or without a trailing slash. */
  readonly pattern: RegExp;
  readonly parameterCount: number;
}

/**
 * Returns the operations of a document, those with fewer path parameters first: `/plans/add/` before `/plans/{id}/`.
 */
export function operationsOf({ paths }: OpenApiDocument): DocumentedOperation[] {
  return Object.entries(paths)
    .flatMap(([path, methods]) =>
      Object.keys(methods).map((method) => ({
        method,
        path,
        pattern: new RegExp(
          `^${path
            .replace(/[.]/g, '\\.')
            .replace(/\{\w+\}/g, '[^/]+')
            .replace(/\/$/, '')}/?$`,
          'i',
        ),
        parameterCount: path.split('{').length,
      })),
    )
    .sort((a, b) => a.parameterCount - b.parameterCount);
}

export const findOperation = (
  operations: readonly DocumentedOperation[],
  method: string,
  url: string,
): DocumentedOperation | undefined => {
  const path = url.split('?', 1)[0]!;
  return operations.find(
    (operation) => operation.method === method.toLowerCase() && operation.pattern.test(path),
  );
};
