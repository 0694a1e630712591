import { Controller, Get, Header } from '@nestjs/common';
import { DOCS_CACHE } from '../server/caching.js';
import { Public } from '../auth/caller.js';
import { ApiDocument, type OpenApiDocument } from './api-document.js';
import { Operation } from './operation.js';
import { freeForm } from './schema.js';

@Controller('api')
export class ApiDocumentController {
  constructor(private readonly document: ApiDocument) {}

  @Public()
  @Get('openapi.json')
  @Header('Cache-Control', DOCS_CACHE)
  @Operation({ summary: 'This document.', answer: freeForm() })
  get(): OpenApiDocument {
    return this.document.get();
  }
}
