/** The running node: HTTP, heartbeat, housekeeping, and an end within ten seconds. */
import { createServer, type Server, STATUS_CODES } from 'node:http'
import type { Socket } from 'node:net'
import { getRequestListener } from '@hono/node-server'
import { type ErrorCode, limits } from '@waypost/contract'
import { answerError } from './api/answer.ts'
import { purgeEndedSessions } from './applications/admin-sessions.ts'
import { eraseGrant } from './grants/grants.ts'
import { revokeAtProvider } from './grants/revocation.ts'
import { createHouse } from './house.ts'
import { ApiError } from './lib/api-error.ts'
import { sleep } from './lib/clock.ts'
import { newId } from './lib/ids.ts'
import { type JobHandlers, runDueJobs } from './outbox/runner.ts'
import type { BuiltServices } from './services.ts'
import { purgeAccessTokens } from './store/access-tokens.ts'
import { lockApplication } from './store/applications.ts'
import { purgeAudit } from './store/audit.ts'
import { purgeAuthorizationCodes } from './store/authorization-codes.ts'
import { getGrant, grantsToPurge } from './store/grants.ts'
import { purgeFigures } from './store/health-figures.ts'
import { abandonIdempotencyKeys, purgeIdempotencyKeys } from './store/idempotency-keys.ts'
import { abandonLanes } from './store/lanes.ts'
import { purgeLoginSessions } from './store/login-sessions.ts'
import { abandonNodes, beatNode, forgetDeadNodes, leaveNode, liveDeliverers, liveNodes } from './store/nodes.ts'
import { purgeNotifications } from './store/notification-stream.ts'
import { purgeSendReports } from './store/send-reports.ts'
import { purgeSends } from './store/sends.ts'
import { purgeTracked } from './store/tracked-messages.ts'
import { abandonShards } from './store/watch-shards.ts'

const beatMs = 5_000
const housekeepingMs = 60_000
const outboxMs = 500
/** How long a message that was sent is remembered. */
const sendDays = 30
/** How long it is remembered that a message came back. */
const reportDays = 90
/** How long the links of a tracked message lead on. A message whose time is still to come may be a month old. */
const trackedDays = 730
/** How long codes and tokens that are over are remembered. */
const codeHours = 24
/** How long, and how many, entries of who did what are kept; and how many of refused sign-ins. */
const auditDays = 365
const auditEntries = 100_000
const refusedEntries = 10_000
/** How long the figures of the charts are kept. */
const figureHours = 49
/** What in-flight requests are given when the node stops. */
const patienceMs = 8_000

export interface RunningServer extends AsyncDisposable {
  port: number
}

/** Starts the node; the services are disposed with it. */
export async function startServer(services: BuiltServices): Promise<RunningServer> {
  const { config, database, clock, log } = services
  // Nobody else can be at work on this file: what a dead process left in flight is over.
  if (database.engine === 'sqlite') {
    await abandonIdempotencyKeys(database)
    await abandonLanes(database)
    await abandonShards(database)
    await abandonNodes(database)
  }
  await beat(services)
  const server = config.roles.includes('api') ? await listen(services) : undefined
  const loops = [
    every(services, beatMs, () => beat(services)),
    ...(config.roles.includes('worker')
      ? [
          every(services, housekeepingMs, () => keepHouse(services)),
          every(services, outboxMs, () => doJobs(services)),
          services.deliverer.run(services.stopping),
          services.watcher.run(services.stopping),
          services.sender.run(services.stopping),
        ]
      : []),
  ]
  const address = server?.address()
  return {
    port: typeof address === 'object' && address ? address.port : 0,
    async [Symbol.asyncDispose]() {
      services.stop()
      if (server) await drain(server)
      await Promise.all(loops)
      await leaveNode(database, services.node.id).catch((error) => log.warn({ error }, 'could not sign off'))
      await services[Symbol.asyncDispose]()
      log.info({ at: clock.now() }, 'stopped')
      log.flush()
    },
  }
}

/** Shows that the node is alive, and writes what it noted since the last time. */
export async function beat(services: BuiltServices): Promise<void> {
  const { database, node, clock, limiter, deliverer, keyUse, activity, figures, watcher } = services
  await services.followClock()
  const now = clock.now()
  await beatNode(database, node, now, watcher.size)
  const { length } = await liveNodes(database, now)
  limiter.setNodes(length)
  deliverer.setNodes(await liveDeliverers(database, now))
  await keyUse.flush()
  await activity.flush()
  await figures.flush()
}

/** Removes what has had its time. */
export async function keepHouse(services: BuiltServices): Promise<void> {
  const { config, database, clock, secrets, log, notify, stopping } = services
  const now = clock.now()
  await purgeIdempotencyKeys(database, now - limits.idempotencyHours * 3_600_000)
  await forgetDeadNodes(database, now)
  await purgeEndedSessions(database, now)
  await purgeAudit(database, { before: now - auditDays * 86_400_000, entries: auditEntries, refused: refusedEntries })
  await purgeFigures(database, now - figureHours * 3_600_000)
  await purgeLoginSessions(database, now)
  // A while after their end: a code that is shown again still ends what it gave.
  await purgeAuthorizationCodes(database, now - codeHours * 3_600_000)
  await purgeAccessTokens(database, now - codeHours * 3_600_000)
  // Reports about a message that came back are matched with it for so long.
  while (!stopping.aborted && (await purgeSends(database, now - sendDays * 86_400_000)));
  while (!stopping.aborted && (await purgeSendReports(database, now - reportDays * 86_400_000)));
  while (!stopping.aborted && (await purgeTracked(database, now - trackedDays * 86_400_000)));
  const tooOld = now - config.notificationDays * 86_400_000
  // A piece at a time, so that nobody waits for long.
  while (!stopping.aborted && (await database.transaction((tx) => purgeNotifications(tx, tooOld))));
  for (const { applicationId, grant } of await grantsToPurge(database, now)) {
    await database.transaction(async (tx) => {
      await lockApplication(tx, applicationId)
      const record = await getGrant(tx, applicationId, grant.id)
      if (record?.purgeAt != null && record.purgeAt <= now) await eraseGrant(tx, record, { secrets, log, notify, now })
    })
  }
}

/** Does what is due in the outbox, batch by batch. */
export async function doJobs(services: BuiltServices): Promise<void> {
  const { database, clock, log, node, mail, providers, secrets, stopping } = services
  const handlers: JobHandlers = {
    'mail.send': async (payload, signal) => {
      if (!mail) throw new Error('the service has no mail identity: set WAYPOST_SMTP_URL and WAYPOST_MAIL_FROM')
      await mail.send(JSON.parse(payload), signal)
    },
    'provider.revoke': (payload, signal) =>
      revokeAtProvider(payload, { providers, secrets, ioFor: (kind) => services.ioFor(kind, signal) }),
  }
  const runner = { database, clock, log, nodeId: node.id, handlers, signal: stopping }
  while ((await runDueJobs(runner)) > 0) if (stopping.aborted) return
}

/** Repeats `work` until the node stops; a failure is logged and tried again next time. */
async function every(services: BuiltServices, milliseconds: number, work: () => Promise<void>): Promise<void> {
  const { stopping, log } = services
  for (;;) {
    await sleep(milliseconds, stopping)
    if (stopping.aborted) return
    await work().catch((error) => log.error({ error }, 'a repeated task failed; it is tried again'))
  }
}

async function listen(services: BuiltServices): Promise<Server> {
  const { config, log } = services
  const house = createHouse(services)
  const listener = getRequestListener(house.fetch, { errorHandler: answerUnreadable })
  const server = createServer(
    {
      maxHeaderSize: 32_768,
      headersTimeout: 20_000,
      requestTimeout: 60_000,
      keepAliveTimeout: 65_000,
      // Its own answer to a missing Host has no body; ours, a line later, has.
      requireHostHeader: false,
    },
    listener,
  )
  // Without a listener the answer to an unknown Expect has no body.
  server.on('checkExpectation', listener)
  server.on('clientError', answerBrokenRequest)
  await new Promise<void>((resolve, reject) => {
    server.once('error', (error) => reject(listenError(error, config)))
    server.listen(config.port, config.host, resolve)
  })
  server.on('error', (error) => log.error({ error }, 'the HTTP server failed'))
  return server
}

function listenError(error: Error, config: { port: number; host: string }): Error {
  const code = 'code' in error ? error.code : ''
  if (code === 'EADDRINUSE')
    return new Error(`port ${config.port} is in use: set WAYPOST_PORT to another one`, { cause: error })
  if (code === 'EACCES')
    return new Error(`port ${config.port} may not be opened: choose one above 1023`, { cause: error })
  if (code === 'EADDRNOTAVAIL') {
    return new Error(`${config.host} is no address of this machine: check WAYPOST_HOST`, { cause: error })
  }
  return error
}

/** Requests that never become one: not HTTP, too large a header, too slow. Answered in the shape of all errors. */
function answerBrokenRequest(error: Error & { code?: string }, socket: Socket): void {
  if (!socket.writable || error.code === 'ECONNRESET') return void socket.destroy()
  const slow = error.code === 'ERR_HTTP_REQUEST_TIMEOUT'
  const large = error.code === 'HPE_HEADER_OVERFLOW'
  const status = slow ? 408 : large ? 431 : 400
  const code: ErrorCode = 'invalid_request'
  const message = slow
    ? 'the request took too long to arrive'
    : large
      ? 'the headers are too large'
      : 'not a valid HTTP request'
  const requestId = newId()
  const { body } = answerError(new ApiError(code, message), requestId)
  const head = [
    `HTTP/1.1 ${status} ${STATUS_CODES[status]}`,
    'content-type: application/json',
    `content-length: ${Buffer.byteLength(body)}`,
    `x-request-id: ${requestId}`,
    'connection: close',
  ]
  socket.end(`${head.join('\r\n')}\r\n\r\n${body}`)
}

/** Requests whose address cannot be read: no Host, a Host that is none, `*`, a backslash. */
function answerUnreadable(): Response {
  const requestId = newId()
  const { body, status } = answerError(
    new ApiError('invalid_request', 'the Host header or the path is not valid'),
    requestId,
  )
  return new Response(body, { status, headers: { 'content-type': 'application/json', 'x-request-id': requestId } })
}

/** Lets requests in flight end, then closes what is left. */
async function drain(server: Server): Promise<void> {
  const closed = new Promise<void>((resolve) => server.close(() => resolve()))
  const idle = setInterval(() => server.closeIdleConnections(), 100)
  server.closeIdleConnections()
  const impatient = setTimeout(() => server.closeAllConnections(), patienceMs)
  await closed
  clearInterval(idle)
  clearTimeout(impatient)
}
