/** Tells the document of each variant. Argument: URL of the Redis. */
import 'reflect-metadata';
import { NestFactory } from '@nestjs/core';
import { DocumentBuilder, SwaggerModule } from '@nestjs/swagger';
import { RedisLockModule } from 'nestjs-redis-lock';
import { variants, type Variant } from '../variants.js';
import { shopController } from './shop.controller.js';

class AppModule {}

async function documentOf(variant: Variant): Promise<string> {
  const locks = RedisLockModule.forRoot({ connection: process.argv[2], logger: false });
  const module = { module: AppModule, imports: [locks], controllers: [await shopController(variant)] };
  const app = await NestFactory.create(module, { logger: false });
  await app.init();
  const document = SwaggerModule.createDocument(app, new DocumentBuilder().addBearerAuth().build());
  await app.close();
  return JSON.stringify(document);
}

const documents: string[] = [];
for (const variant of variants('product')) documents.push(await documentOf(variant));
process.send?.(documents);
