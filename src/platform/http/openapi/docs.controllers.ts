import path from 'node:path';
import { createReadStream } from 'node:fs';
import { createRequire } from 'node:module';
import { Controller, Get, Header, Inject, Param, StreamableFile } from '@nestjs/common';
import { DomainError } from '../../../kernel/errors.js';
import { BaseUrl } from '../server/base-url.js';
import { DOCS_CACHE } from '../server/configure-http.js';
import { Public } from '../auth/caller.js';
import { NotAnOperation, Operation } from './operation.js';
import { ApiDocument, type OpenApiDocument } from './api-document.js';
import { API_INFO, type ApiInfo } from './api-info.js';
import { freeForm } from './schema.js';
import { UNKNOWN_PATH } from '../problems/problem.js';

/** Everything comes from here and nothing is inline, so that the page works offline and over plain HTTP. */
const POLICY =
  "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

const PAGE = `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<title>Recount API</title>
<link rel="stylesheet" href="/api/docs/swagger-ui.css">
<div id="page"></div>
<script src="/api/docs/swagger-ui-bundle.js"></script>
<script src="/api/docs/start.js"></script>
</html>
`;
const START = `SwaggerUIBundle({ url: '/api/openapi.json', dom_id: '#page', validatorUrl: null, deepLinking: true });\n`;

const FILES: Readonly<Record<string, string>> = {
  'swagger-ui.css': 'text/css; charset=utf-8',
  'swagger-ui-bundle.js': 'text/javascript; charset=utf-8',
};

/** Absolute links to the pages of the service. */
interface EntryPoints {
  readonly name: string;
  /** Version of the interface. */
  readonly version: string;
  readonly documentation: string;
  readonly openapi: string;
  readonly health: string;
  readonly console: string;
}

/** Answers the address itself: names the service and links to its pages. */
@Controller()
@Public()
export class EntryController {
  constructor(@Inject(API_INFO) private readonly info: ApiInfo) {}

  @Get(['', 'api'])
  @NotAnOperation()
  @Header('Cache-Control', DOCS_CACHE)
  entryPoints(@BaseUrl() url: string): EntryPoints {
    const { title: name, version } = this.info;
    return {
      name,
      version,
      documentation: `${url}/api/docs`,
      openapi: `${url}/api/openapi.json`,
      health: `${url}/api/healthcheck/`,
      console: `${url}/console/`,
    };
  }
}

/** The page for people, made by Swagger UI. */
@Controller('api/docs')
@Public()
export class DocsPageController {
  @Get()
  @NotAnOperation()
  @Header('Cache-Control', DOCS_CACHE)
  @Header('Content-Type', 'text/html; charset=utf-8')
  @Header('Content-Security-Policy', POLICY)
  page(): string {
    return PAGE;
  }

  @Get('start.js')
  @NotAnOperation()
  @Header('Cache-Control', DOCS_CACHE)
  @Header('Content-Type', 'text/javascript; charset=utf-8')
  start(): string {
    return START;
  }

  @Get(':file')
  @NotAnOperation()
  @Header('Cache-Control', DOCS_CACHE)
  file(@Param('file') name: string): StreamableFile {
    if (!Object.hasOwn(FILES, name)) throw new DomainError('not_found', UNKNOWN_PATH);
    return new StreamableFile(createReadStream(path.join(swaggerUi(), name)), { type: FILES[name]! });
  }
}

/** Returns the folder of Swagger UI's files. */
function swaggerUi(): string {
  return path.dirname(createRequire(import.meta.url).resolve('swagger-ui-dist/package.json'));
}

@Controller('api')
export class ApiDocumentController {
  constructor(private readonly document: ApiDocument) {}

  @Public()
  @Get('openapi.json')
  @Header('Cache-Control', DOCS_CACHE)
  @Operation({
    summary: 'Returns this document.',
    answer: freeForm(),
    noPast: 'The document describes the running release.',
  })
  getApiDocument(@BaseUrl() url: string): OpenApiDocument {
    return this.document.servedAt(url);
  }
}
