import { ErrorReply, Verbatim } from '../resp/reply.js';
import type { Commands } from '../server/command.js';
import { SERVER_VERSION } from '../server/version.js';
import { toInteger } from './arguments.js';

/** The server itself. */
export const SERVER_COMMANDS: Commands = {
  TIME: {
    arity: 1,
    run({ server }) {
      const { micros } = server.time;
      return [String(Math.floor(micros / 1e6)), String(micros % 1e6)];
    },
  },
  // There are no replicas.
  WAIT: {
    arity: 3,
    script: false,
    run(_, [replicas, timeout]) {
      toInteger(replicas);
      const bound = toInteger(timeout, 'ERR timeout is not an integer or out of range');
      if (bound < 0) throw new ErrorReply('ERR timeout is negative');
      return 0;
    },
  },
  INFO: {
    arity: -1,
    run: ({ server }) =>
      new Verbatim(
        [
          '# Server',
          `redis_version:${SERVER_VERSION}`,
          'redis_mode:standalone',
          'server_name:embedded',
          '# Clients',
          `connected_clients:${server.connections}`,
          '# Memory',
          'maxmemory_policy:noeviction',
          '# Persistence',
          'loading:0',
          '# Replication',
          'role:master',
          'connected_slaves:0',
          '',
        ].join('\r\n'),
      ),
  },
};
