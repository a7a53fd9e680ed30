import { Logger } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { DocumentBuilder, SwaggerModule } from '@nestjs/swagger';
import { AppModule } from './app.module.js';
import { settings } from './settings.js';

const app = await NestFactory.create(AppModule, {
  logger: ['log', 'warn', 'error'],
});
app.enableShutdownHooks();

const description = new DocumentBuilder().setTitle('nestjs-redis-lock sample').build();
SwaggerModule.setup('docs', app, () => SwaggerModule.createDocument(app, description));

await app.listen(settings.port, '127.0.0.1');
Logger.log(`listening on ${await app.getUrl()}, locks ${settings.unlocked ? 'off' : 'on'}`, 'SampleApp');
