/**
 * Servers that the test files of a worker share. The files of a worker run one after the other, and share their
 * modules. A server starts when the first file needs it, and ends with the worker. `shared-servers.ts` has the servers
 * of a whole run, for those that take seconds to start.
 *
 * Processor seconds of a start and an end: PostgreSQL 0.5, RabbitMQ 5, Chromium 0.4, Radicale 0.2, Cyrus 0.1, dovecot
 * 0.1, exim 0.05, NATS 0.02; a sink or a simulator 0.002. Exim, NATS, sinks and simulators are not shared: each test
 * file starts its own.
 */

/** Returns the server with the options, and starts it if it does not run yet. */
export function sharedByFiles<Options, Server>(
  start: (options: Options) => Promise<Server>,
): (options: Options) => Promise<Server> {
  const running = new Map<string, Promise<Server>>()
  return (options) => {
    const key = JSON.stringify(options)
    const known = running.get(key)
    if (known !== undefined) return known
    const starting = start(options)
    running.set(key, starting)
    starting.catch(() => running.delete(key))
    return starting
  }
}
