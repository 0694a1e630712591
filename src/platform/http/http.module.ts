import { Module } from '@nestjs/common';

/** Guard, interceptors, pipe and filter of every request. */
@Module({})
export class HttpModule {}
