import { createReadStream } from 'node:fs';
import { Controller, Get, Header, Param, Req, Res, StreamableFile } from '@nestjs/common';
import type { Request, Response } from 'express';
import { DomainError } from '../../kernel/errors.js';
import { Public } from '../../platform/http/auth/caller.js';
import { NotAnOperation } from '../../platform/http/openapi/operation.js';
import { ConsoleFiles, encodedPath, type ConsoleFile } from '../console-files.js';

/** Allows content of this service only, and no inline script or style. */
const POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data:",
  "font-src 'self'",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');

const FOREVER = 'public, max-age=31536000, immutable';
const REVALIDATED = 'no-cache';
const NEVER = 'no-store';
const INDEX = 'index.html';

/** Serves the page. A path that names no file is a route of the page: the browser gets the page. */
@Controller('console')
@Public()
export class ConsolePageController {
  constructor(private readonly files: ConsoleFiles) {}

  @Get()
  @NotAnOperation()
  @Header('Content-Security-Policy', POLICY)
  index(@Req() request: Request, @Res({ passthrough: true }) response: Response): StreamableFile {
    const index = this.files.find(INDEX);
    if (index) return answer(index, NEVER, request, response);
    throw new DomainError(
      'not_found',
      'The console is not built. Run npm run build, then start the service.',
    );
  }

  @Get('*path')
  @NotAnOperation()
  @Header('Content-Security-Policy', POLICY)
  file(
    @Param('path') segments: readonly string[],
    @Req() request: Request,
    @Res({ passthrough: true }) response: Response,
  ): StreamableFile {
    const name = segments.join('/');
    const file = name === INDEX ? undefined : this.files.find(name);
    if (file) return answer(file, file.isHashed ? FOREVER : REVALIDATED, request, response);
    // A page of a former build requests files that no longer exist. It must not get HTML for a script.
    if (name.startsWith('assets/'))
      throw new DomainError('not_found', 'There is no file at this path. Reload the page.');
    return this.index(request, response);
  }
}

function answer(file: ConsoleFile, cache: string, request: Request, response: Response): StreamableFile {
  const encoding = file.encodings.find((one) => request.acceptsEncodings(one) !== false);
  response.setHeader('Cache-Control', cache);
  response.setHeader('Vary', 'Accept-Encoding');
  if (encoding) response.setHeader('Content-Encoding', encoding);
  const source = encoding ? encodedPath(file, encoding) : file.path;
  return new StreamableFile(createReadStream(source), { type: file.mediaType });
}
