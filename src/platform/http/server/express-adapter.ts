import { createServer, IncomingMessage, ServerResponse } from 'node:http';
import { ExpressAdapter } from '@nestjs/platform-express';
import type { Express } from 'express';

/**
 * Express gives every request and response its own prototype when it comes to it, and V8 makes each such object a hidden
 * class that no other has: nothing that looks at it afterwards is compiled for it. Here they are made with that
 * prototype, and what Express sets is what there is.
 */
export class SharedPrototypeExpressAdapter extends ExpressAdapter {
  override initHttpServer(): void {
    class Incoming extends IncomingMessage {}
    class Outgoing<R extends IncomingMessage> extends ServerResponse<R> {}
    const app = this.getInstance<Express>();
    app.request = inheriting(Incoming.prototype, app.request);
    app.response = inheriting(Outgoing.prototype, app.response);
    this.httpServer = createServer({ IncomingMessage: Incoming, ServerResponse: Outgoing }, app);
  }
}

const inheriting = <Prototype extends object>(prototype: object, parent: Prototype): Prototype =>
  Object.setPrototypeOf(prototype, parent) as Prototype;
