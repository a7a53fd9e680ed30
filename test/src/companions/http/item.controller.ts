import {
  Controller,
  Get,
  Header,
  HttpCode,
  Param,
  ParseIntPipe,
  Post,
  Redirect,
  Res,
  UseFilters,
  UseGuards,
  UseInterceptors,
  UsePipes,
  type Type,
} from '@nestjs/common';
import type { Response } from 'express';
import { Calls } from '../calls.js';
import type { Variant } from '../variants.js';
import { AccessGuard, Roles, Scope } from './access.guard.js';
import { EnvelopeInterceptor, FromHeader, GoneFilter, SoldOutError, UpperCasePipe } from './around-handlers.js';

/** Every handler with decorators of one sort. */
export function itemController({ above, below }: Pick<Variant, 'above' | 'below'>): Type<unknown> {
  @Controller('items/:id')
  class ItemController {
    constructor(private readonly calls: Calls) {}

    @above
    @Get('roles')
    @Roles('admin', 'owner')
    @UseGuards(AccessGuard)
    @below
    async roles(@Param('id') id: string): Promise<string> {
      return this.calls.run('let in', id);
    }

    @above
    @UseGuards(AccessGuard)
    @Scope('write')
    @Get('scope')
    @below
    async scope(@Param('id') id: string): Promise<string> {
      return this.calls.run('let in', id);
    }

    @above
    @UseInterceptors(EnvelopeInterceptor)
    @Get('interceptor')
    @below
    async interceptor(@Param('id') id: string): Promise<string> {
      return this.calls.run('made', id);
    }

    @above
    @UsePipes(UpperCasePipe)
    @Get('pipe')
    @below
    async pipe(@Param('id') id: string): Promise<string> {
      return this.calls.run(id, id);
    }

    @above
    @Get('filter')
    @UseFilters(GoneFilter)
    @below
    async filter(@Param('id') id: string): Promise<string> {
      throw new SoldOutError(await this.calls.run(`${id} is sold out`, id));
    }

    @above
    @Post('status')
    @HttpCode(202)
    @Header('X-Item', 'yes')
    @Header('Cache-Control', 'no-store')
    @below
    async status(@Param('id') id: string): Promise<string> {
      return this.calls.run('accepted', id);
    }

    @above
    @Redirect('/elsewhere', 301)
    @Get('redirect/:to')
    @below
    async redirect(@Param('id') id: string, @Param('to') url: string): Promise<unknown> {
      return this.calls.run(url === 'default' ? undefined : { url, statusCode: 307 }, id, url);
    }

    @above
    @Get('parameters/:count')
    @below
    async parameters(
      @Param('id') id: string,
      @Param('count', ParseIntPipe) count: number,
      @FromHeader('x-client') client: string,
      @FromHeader('x-region', UpperCasePipe) region: string,
    ): Promise<unknown[]> {
      return this.calls.run([id, count, client, region], id, count, client, region);
    }

    @above
    @Get('passthrough')
    @below
    async passthrough(@Param('id') id: string, @Res({ passthrough: true }) response: Response): Promise<string> {
      response.status(203).cookie('item', id);
      return this.calls.run('body', id);
    }

    @above
    @Get('response')
    @below
    async response(@Param('id') id: string, @Res() response: Response): Promise<string> {
      response.status(203).send(await this.calls.run('sent by the handler', id));
      return 'sent by nobody';
    }

    /** Calls a locked method of its own, as code of the class does. */
    @Get('internal')
    async internal(@Param('id') id: string): Promise<string[]> {
      return Promise.all([this.pipe(id), this.pipe(id), this.pipe(id)]);
    }
  }
  return ItemController;
}
