import { Inject, Injectable } from '@nestjs/common';
import { ModulesContainer } from '@nestjs/core';
import { EtagLocators } from '../etag/etag-locators.js';
import { describeOperation } from './describe-operation.js';
import { findRoutes } from './find-routes.js';
import { HEADERS, PARAMETERS } from './headers.js';
import type { Components, JsonSchema } from './schema.js';

export interface OpenApiDocument extends JsonSchema {
  readonly openapi: string;
  /** Path → method → Operation Object. */
  readonly paths: Readonly<Record<string, Readonly<Record<string, JsonSchema>>>>;
  readonly components: JsonSchema;
}

/** Title and summary of the API. */
export interface ApiInfo {
  readonly title: string;
  readonly version: string;
  readonly description: string;
}

/** Injection token of the ApiInfo. */
export const API_INFO = Symbol('ApiInfo');

/** The description of the API, generated from its controllers (OpenAPI 3.1). */
@Injectable()
export class ApiDocument {
  #written: OpenApiDocument | undefined;

  constructor(
    private readonly modules: ModulesContainer,
    private readonly streams: EtagLocators,
    @Inject(API_INFO) private readonly info: ApiInfo,
  ) {}

  get(): OpenApiDocument {
    this.#written ??= this.#write();
    return this.#written;
  }

  /** Returns the routes without `@Operation`, as `GET /api/things/`. A test holds that there are none. */
  undescribed(): string[] {
    return findRoutes(this.modules, this.streams)
      .filter(({ spec }) => !spec)
      .map(({ method, path }) => `${method.toUpperCase()} ${path}`);
  }

  #write(): OpenApiDocument {
    const schemas: Components = new Map();
    const paths: Record<string, Record<string, JsonSchema>> = {};
    for (const route of findRoutes(this.modules, this.streams)) {
      if (!route.spec) continue;
      (paths[route.path] ??= {})[route.method] = describeOperation(route, route.spec, schemas);
    }
    return {
      openapi: '3.1.0',
      info: this.info,
      security: [{ token: [] }, { apiKey: [] }],
      paths,
      components: {
        schemas: Object.fromEntries(
          [...schemas]
            .map(([name, { schema }]) => [name, schema] as const)
            .sort(([a], [b]) => (a < b ? -1 : 1)),
        ),
        parameters: PARAMETERS,
        headers: HEADERS,
        securitySchemes: {
          token: {
            type: 'apiKey',
            in: 'header',
            name: 'Authorization',
            description: 'The word Token, a space, then the API key.',
          },
          apiKey: { type: 'apiKey', in: 'header', name: 'X-API-KEY', description: 'The API key.' },
        },
      },
    };
  }
}
