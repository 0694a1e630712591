import { RequestMethod } from '@nestjs/common';
import { HTTP_CODE_METADATA, METHOD_METADATA, PATH_METADATA } from '@nestjs/common/constants.js';
import type { ModulesContainer } from '@nestjs/core';
import { PUBLIC, REQUIRED_SCOPES, defaultScopes, type RequiredScope } from '../auth/caller.js';
import { returnsResource, type EtagLocators } from '../etag/etags.js';
import { operationOf, type OperationSpec } from './operation.js';

/** Route that a controller declares. */
export interface Route {
  /** `get`, `post`, … */
  readonly method: string;
  /** `/api/things/{thing_id}/` */
  readonly path: string;
  /** Name of the controller's method, and of the method of generated clients. */
  readonly operationId: string;
  readonly isPublic: boolean;
  /** True if a public route takes an API key as well. */
  readonly takesKey: boolean;
  /** Scopes of which an API key needs one. */
  readonly scopes: readonly RequiredScope[];
  readonly status: number;
  /** True if the answer has an ETag. */
  readonly hasEtag: boolean;
  readonly takesIfMatch: boolean;
  /** Undefined for a route without `@Operation`. */
  readonly spec: OperationSpec | undefined;
}

type Handler = (...args: unknown[]) => unknown;
type Controller = abstract new (...args: never[]) => object;

/** Returns every route that is an operation, in the order of paths. */
export function findRoutes(modules: ModulesContainer, streams: EtagLocators): Route[] {
  const controllers = [...modules.values()].flatMap((module) =>
    [...module.controllers.values()].map((wrapper) => wrapper.metatype as unknown as Controller),
  );
  return [...new Set(controllers)]
    .flatMap((controller) => routesOf(controller, streams))
    .sort((a, b) => (`${a.path} ${a.method}` < `${b.path} ${b.method}` ? -1 : 1));
}

function routesOf(controller: Controller, streams: EtagLocators): Route[] {
  const prototype = controller.prototype as Record<string, unknown>;
  return Object.getOwnPropertyNames(prototype).flatMap((name) => {
    const handler = Object.getOwnPropertyDescriptor(prototype, name)?.value as unknown;
    if (typeof handler !== 'function' || !Reflect.hasMetadata(METHOD_METADATA, handler)) return [];
    const spec = operationOf(handler);
    if (spec === 'none') return [];
    const read = <Value>(key: string): Value | undefined =>
      (Reflect.getMetadata(key, handler) ?? Reflect.getMetadata(key, controller)) as Value | undefined;
    const method = RequestMethod[Reflect.getMetadata(METHOD_METADATA, handler) as RequestMethod];
    return pathsOf(controller, handler as Handler).map((path) => ({
      method: method.toLowerCase(),
      path,
      operationId: name,
      isPublic: read<boolean>(PUBLIC) ?? false,
      takesKey: Reflect.hasMetadata(REQUIRED_SCOPES, handler),
      scopes: read<readonly RequiredScope[]>(REQUIRED_SCOPES) ?? defaultScopes(method),
      status: read<number>(HTTP_CODE_METADATA) ?? (method === 'POST' ? 201 : 200),
      hasEtag: streams.hasEtag(path) && returnsResource(path),
      takesIfMatch: streams.hasEtag(path) && method !== 'GET',
      spec,
    }));
  });
}

/** Returns the paths of a route; an operation has one. */
function pathsOf(controller: Controller, handler: Handler): string[] {
  const list = (of: object) => [Reflect.getMetadata(PATH_METADATA, of) as string | string[]].flat();
  return list(controller).flatMap((base) => list(handler).map((path) => documentPath(`${base}/${path}`)));
}

/** Adds a slash at the end, except for a file (docs/contract.md#paths-and-bodies). */
function documentPath(path: string): string {
  const parts = path.split('/').filter((part) => part !== '');
  const joined = `/${parts.map((part) => part.replace(/^:(\w+)$/, '{$1}')).join('/')}`;
  return /\.\w+$/.test(joined) ? joined : `${joined}/`;
}
