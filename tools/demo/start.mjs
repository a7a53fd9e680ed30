// Keeps the sample app up, in three processes, for trying it by hand.
import { ensureBuilt } from './build.mjs';
import { end, endOnSignals, isEnding, onEnd, SHORT_PATIENCE } from './clean-up.mjs';
import { bold, cyan, dim, red, yellow } from './colours.mjs';
import { curlLines } from './curl-lines.mjs';
import { startDemoRedis } from './demo-redis.mjs';
import { print } from './report.mjs';
import { SampleProcess } from './sample-process.mjs';

const FIRST_PORT = Number(process.env['PORT'] ?? 3000);
const PORTS = [FIRST_PORT, FIRST_PORT + 1, FIRST_PORT + 2];

async function start() {
  ensureBuilt(print);
  const redis = await startDemoRedis((line) => print(yellow(line)));
  onEnd(() => redis.stop());
  const processes = PORTS.map(
    (port) =>
      new SampleProcess(
        {
          REDIS_URL: redis.url,
          PORT: `${port}`,
          NIGHTLY_CRON: process.env['NIGHTLY_CRON'] ?? '*/15 * * * * *',
        },
        (line) => show(port, line),
      ),
  );
  onEnd(() => Promise.all(processes.map((one) => one.stop(SHORT_PATIENCE))));
  await Promise.all(processes.map((one) => one.ready()));
  for (const [index, one] of processes.entries()) {
    void one.ended().then(() => isEnding() || print(red(`${PORTS[index]} has ended`)));
  }

  print(`\n${bold(`The sample app is up, in three processes on the ports ${PORTS.join(', ')}.`)}`);
  print(
    `Swagger: http://localhost:${FIRST_PORT}/docs   Redis ${redis.version}: port ${redis.port}   Ctrl-C stops it all.`,
  );
  for (const { about, lines } of curlLines(PORTS, redis.port)) {
    print(`\n${dim(`# ${about}`)}`);
    for (const line of lines) print(cyan(line));
  }
  print();
}

/**
 * @param {number} port
 * @param {string} line of Nest's logger
 */
function show(port, line) {
  const message = /(?:LOG|WARN|ERROR) (\[.*)$/.exec(line)?.[1];
  const boring = /InstanceLoader|RouterExplorer|RoutesResolver|NestFactory|NestApplication|SampleApp/;
  if (message && !isEnding() && !boring.test(message)) print(dim(`${port} ${message}`));
}

/** @param {unknown} error */
function giveUp(error) {
  if (isEnding()) return;
  const text = error instanceof Error ? error.message : String(error);
  console.error(red(`The sample app could not be started: ${text}`));
  if (text.includes('EADDRINUSE')) {
    console.error(`Another port may be free: PORT=4000 npm start`);
  }
  void end(1);
}

endOnSignals();
start().catch(giveUp);
