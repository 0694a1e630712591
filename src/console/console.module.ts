import { Global, Module } from '@nestjs/common';
import { SessionDirectory } from '../platform/http/auth/authentication.js';
import { ConsoleFiles } from './console-files.js';
import { ConsolePageController } from './http/console-page.controller.js';
import { SessionController } from './http/session.controller.js';
import { Sessions } from './sessions.js';

/** Page in the browser, and the sessions of browsers. The module is global: the guard checks sessions. */
@Global()
@Module({
  controllers: [SessionController, ConsolePageController],
  providers: [ConsoleFiles, Sessions, { provide: SessionDirectory, useExisting: Sessions }],
  exports: [SessionDirectory, Sessions],
})
export class ConsoleModule {}
