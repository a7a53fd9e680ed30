import { NO_REPLY } from '../resp/reply.js';
import type { Commands } from '../server/command.js';
import { globToRegExp } from './glob.js';
import { subcommand } from './subcommand.js';

/** Channels. */
export const PUB_SUB_COMMANDS: Commands = {
  SUBSCRIBE: {
    arity: -2,
    script: false,
    whileListening: true,
    run({ session }, channels) {
      for (const channel of channels) session.subscribe(channel);
      return NO_REPLY;
    },
  },
  UNSUBSCRIBE: {
    arity: -1,
    script: false,
    whileListening: true,
    run({ session }, channels) {
      const leaving = channels.length > 0 ? channels : session.channels();
      for (const channel of leaving) session.unsubscribe(channel);
      if (leaving.length === 0) session.push(['unsubscribe', null, 0]);
      return NO_REPLY;
    },
  },
  PUBLISH: { arity: 3, run: ({ server }, [channel = '', message = '']) => server.pubSub.publish(channel, message) },
  PUBSUB: subcommand(
    'pubsub',
    {},
    {
      NUMSUB: { arity: -1, run: ({ server }, names) => names.flatMap((name) => [name, server.pubSub.count(name)]) },
      CHANNELS: {
        arity: -1,
        run: ({ server }, [pattern = '*']) => server.pubSub.names().filter((name) => globToRegExp(pattern).test(name)),
      },
    },
  ),
};
