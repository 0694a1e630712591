import { RequestMethod } from '@nestjs/common';
import { HTTP_CODE_METADATA, METHOD_METADATA, PATH_METADATA } from '@nestjs/common/constants.js';
import type { ModulesContainer } from '@nestjs/core';
import { PUBLIC, REQUIRED_SCOPES, defaultScopes, type RequiredScope } from '../auth/caller.js';
import { returnsResource, type EtagLocators } from '../etag/etags.js';
import { operationOf, type OperationSpec } from './operation.js';

/** A route as its controller declares it. */
export interface Route {
  /** `get`, `post`, … */
  readonly method: string;
  /** `/api/things/{thing_id}/` */
  readonly path: string;
  /** The name of the controller's method, which clients have as the name of theirs. */
  readonly operationId: string;
  readonly isPublic: boolean;
  /** An API key needs one of these. */
  readonly scopes: readonly RequiredScope[];
  readonly status: number;
  /** The answer has an ETag. */
  readonly hasEtag: boolean;
  readonly takesIfMatch: boolean;
  /** Undefined where nobody described the route. */
  readonly spec: OperationSpec | undefined;
}

type Handler = (...args: unknown[]) => unknown;
type Controller = abstract new (...args: never[]) => object;

/** Every route of every controller, but those that are no operation; in the order of their paths. */
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
      scopes: read<readonly RequiredScope[]>(REQUIRED_SCOPES) ?? defaultScopes(method),
      status: read<number>(HTTP_CODE_METADATA) ?? (method === 'POST' ? 201 : 200),
      hasEtag: streams.hasEtag(path) && returnsResource(path),
      takesIfMatch: streams.hasEtag(path) && method !== 'GET',
      spec,
    }));
  });
}

/** The paths of a route; an operation has one. */
function pathsOf(controller: Controller, handler: Handler): string[] {
  const list = (of: object) => [Reflect.getMetadata(PATH_METADATA, of) as string | string[]].flat();
  return list(controller).flatMap((base) => list(handler).map((path) => documentPath(`${base}/${path}`)));
}

/** Adds the slash at the end (docs/contract.md#paths-and-bodies); a file has none. */
function documentPath(path: string): string {
  const parts = path.split('/').filter((part) => part !== '');
  const joined = `/${parts.map((part) => part.replace(/^:(\w+)$/, '{$1}')).join('/')}`;
  return /\.\w+$/.test(joined) ? joined : `${joined}/`;
}
