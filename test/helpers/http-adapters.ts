import type { AbstractHttpAdapter } from '@nestjs/core';
import { ExpressAdapter } from '@nestjs/platform-express';
import { FastifyAdapter } from '@nestjs/platform-fastify';

/** The two platforms of Nest, for `describe.each`. */
export const HTTP_ADAPTERS: [name: string, create: () => AbstractHttpAdapter][] = [
  ['Express', () => new ExpressAdapter()],
  ['Fastify', () => new FastifyAdapter()],
];
