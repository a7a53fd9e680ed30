import { Module } from '@nestjs/common';
import { LocksController } from './locks.controller.js';

@Module({ controllers: [LocksController] })
export class LocksModule {}
