import { Module } from '@nestjs/common';
import { PingController } from './http/ping.controller.js';

@Module({ controllers: [PingController] })
export class OrganizationModule {}
