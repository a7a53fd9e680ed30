import { Injectable } from '@nestjs/common';
import { Test } from '@nestjs/testing';
import { LockService, RedisLockModule, WithLock } from 'nestjs-redis-lock';

@Injectable()
class Orders {
  @WithLock('jest-order:<0>')
  async pay(id: string): Promise<string> {
    return `paid ${id}`;
  }
}

describe('the package inside this Jest', () => {
  it('locks', async () => {
    const connection = process.env.REDIS_URL ?? '';
    const module = await Test.createTestingModule({
      imports: [RedisLockModule.forRoot({ connection })],
      providers: [Orders],
    }).compile();
    await module.init();
    expect(await module.get(Orders).pay('7')).toBe('paid 7');
    const held = module.get(LockService).withLock('k', async (l) => l.held);
    expect(await held).toBe(true);
    await module.close();
  });
});
