import { Inject, Injectable } from '@nestjs/common';
import { ModulesContainer } from '@nestjs/core';
import { EtagLocators } from '../etag/etags.js';
import { API_INFO, type ApiInfo } from './api-info.js';
import { describeOperation } from './describe-operation.js';
import { findRoutes } from './find-routes.js';
import { HEADERS, PARAMETERS } from './headers.js';
import { addAnswerExamples, SampleMaker } from './samples.js';
import type { Components, JsonSchema } from './schema.js';
import { Describer } from './vocabulary.js';

export interface OpenApiDocument extends JsonSchema {
  readonly openapi: string;
  /** Path → method → Operation Object. */
  readonly paths: Readonly<Record<string, Readonly<Record<string, JsonSchema>>>>;
  readonly components: JsonSchema;
}

/** Placeholder of the time in examples. */
const NOW = '{{now}}';

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

  /** The document with the address that the caller reaches the API at, and examples of today: "try it out" sends them there. */
  servedAt(url: string): OpenApiDocument {
    const document = JSON.stringify(this.get()).replaceAll(NOW, new Date().toISOString());
    return {
      ...(JSON.parse(document) as OpenApiDocument),
      servers: [{ url, description: 'The service that this document came from.' }],
    };
  }

  /** Returns the routes without `@Operation`, as `GET /api/things/`. A test holds that there are none. */
  undescribed(): string[] {
    return findRoutes(this.modules, this.streams)
      .filter(({ spec }) => !spec)
      .map(({ method, path }) => `${method.toUpperCase()} ${path}`);
  }

  /** The name of the tag that lists the path, else the path's own first segment. */
  #tagOf(path: string): string {
    const segment = path.split('/')[2]!;
    return this.info.tags.find(({ paths }) => paths.includes(segment))?.name ?? segment;
  }

  #write(): OpenApiDocument {
    const schemas: Components = new Map();
    const paths: Record<string, Record<string, JsonSchema>> = {};
    const describer = new Describer(this.info.vocabulary);
    for (const route of findRoutes(this.modules, this.streams)) {
      if (!route.spec) continue;
      (paths[route.path] ??= {})[route.method] = describeOperation(
        { ...route, tag: this.#tagOf(route.path) },
        route.spec,
        { components: schemas, describer },
      );
    }
    const { tags, vocabulary, ...info } = this.info;
    const described = Object.fromEntries(
      [...schemas]
        .map(([name, { schema }]) => [name, describer.schema(schema, name)] as const)
        .sort(([a], [b]) => (a < b ? -1 : 1)),
    );
    addAnswerExamples(paths, new SampleMaker(vocabulary.samples, described));
    return {
      openapi: '3.1.0',
      info,
      tags: tags.map(({ name, description }) => ({ name, description })),
      security: [{ token: [] }, { apiKey: [] }],
      paths,
      components: {
        schemas: described,
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
