import type { ServerResponse } from 'node:http';

/** Aborts when the client closes the connection before it has its answer. */
export function clientGone(response: ServerResponse): AbortSignal {
  const controller = new AbortController();
  response.once('close', () => {
    if (!response.writableFinished) controller.abort(new Error('The client has gone.'));
  });
  return controller.signal;
}
