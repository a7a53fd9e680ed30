import { Module } from '@nestjs/common';
import { NightlyService } from './nightly.service.js';

@Module({ providers: [NightlyService] })
export class NightlyModule {}
