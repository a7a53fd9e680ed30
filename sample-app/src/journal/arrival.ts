import { AsyncLocalStorage } from 'node:async_hooks';
import type { NextFunction, Request, Response } from 'express';

const arrivals = new AsyncLocalStorage<number>();

/** Number of the request that is being served, from its header `x-arrival`. */
export const currentArrival = (): number | null => arrivals.getStore() ?? null;

export function rememberArrival(request: Request, _response: Response, next: NextFunction): void {
  const arrival = request.header('x-arrival');
  if (arrival === undefined) next();
  else arrivals.run(Number(arrival), next);
}
