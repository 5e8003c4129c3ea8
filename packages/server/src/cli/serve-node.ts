/** One process of the service: a node, from its start to its end. */
import { flushCompileCache } from 'node:module'
import path from 'node:path'
import { hostInAddress } from '@waypost/platform/egress/addresses'
import type { Log } from '@waypost/platform/log'
import { describeProgress, type Report } from '@waypost/store/migrations/steps/progress'
import { createStartingServer } from '../api/http/starting-server.ts'
import { hasSignedIn, linkAddress, makeLink } from '../applications/admin-sessions.ts'
import type { Config, ConfigSecrets } from '../config.ts'
import { endMs, startNode } from '../node.ts'
import type { BuildOptions } from '../services/build-options.ts'
import { createServices } from '../services/index.ts'
import type { BuiltServices } from '../services/services.ts'

/** Runs the service until a signal; a second signal ends it immediately. */
export async function serve(config: Config, secrets: ConfigSecrets): Promise<void> {
  const services = await starting(() => createNode(config, secrets))
  const { log } = services.storage
  exitOnFailure(log)
  if (config.workers === 'auto' && secrets.databaseUrl === undefined) {
    log.info({}, 'WAYPOST_WORKERS=auto runs one process, because one process uses a SQLite store')
  }
  // `auto` may find one processor. A reload of the service must not end it then.
  if (config.workers === 'auto')
    process.on('SIGHUP', () => log.info({}, 'a single process cannot be replaced: restart'))
  const stopped = untilSignal()
  const server = await startNode(services).catch(async (error) => {
    await services[Symbol.asyncDispose]()
    throw error
  })
  await greet(services, { port: server.port, processes: 1 })
  log.info(
    { port: server.port, host: config.host, store: services.storage.database.engine, roles: config.roles },
    'listening',
  )
  flushCompileCache()
  await stopped
  for (const [signal, number] of Object.entries(signals)) process.on(signal, () => exit(log, 128 + number))
  await endWithin(log, config.announceMs + endMs, async () => await server[Symbol.asyncDispose]())
}

/** Builds the services. While they wait for a change of the schema, the port says so. */
export async function createNode(
  config: Config,
  secrets: ConfigSecrets,
  overrides: BuildOptions = {},
): Promise<BuiltServices> {
  await using starter = createStartingServer(config)
  const report: Report = (progress) => starter.waitsFor(describeProgress(progress))
  return await createServices(config, secrets, { ...overrides, serving: true, schema: { report } })
}

/** An unexpected failure ends the process. */
export function exitOnFailure(log: Log): void {
  const fatal = (error: unknown): void => {
    log.fatal({ error }, 'unexpected failure; the process exits')
    exit(log, 1)
  }
  process.on('uncaughtException', fatal)
  process.on('unhandledRejection', fatal)
}

function exit(log: Log, code: number): void {
  log.flush()
  process.exit(code)
}

/**
 * Ends the node, and the process. All running work survives a hard stop, so work that does not end in time, such as a
 * silent store, is not awaited.
 */
export async function endWithin(log: Log, milliseconds: number, end: () => Promise<void>): Promise<void> {
  const late = setTimeout(() => {
    log.warn({}, 'shutdown took too long; the process exits')
    exit(log, 0)
  }, milliseconds)
  try {
    await end()
  } catch (error) {
    log.error({ error }, 'the node did not shut down cleanly')
  }
  clearTimeout(late)
  // Open handles, such as a socket that waits for its peer, no longer matter.
  exit(log, 0)
}

/** Signals that end the process, with their numbers for the exit status. */
const signals = { SIGINT: 2, SIGTERM: 15 }

/**
 * During the start, a signal ends the process immediately. Without a handler, process 1 of a container would ignore
 * it.
 */
export async function starting<T>(start: () => Promise<T>): Promise<T> {
  const endings = Object.entries(signals).map(([signal, number]) => ({ signal, end: () => process.exit(128 + number) }))
  for (const { signal, end } of endings) process.on(signal, end)
  try {
    return await start()
  } finally {
    for (const { signal, end } of endings) process.off(signal, end)
  }
}

function untilSignal(): Promise<void> {
  return new Promise((resolve) => {
    for (const signal of Object.keys(signals)) process.once(signal, () => resolve())
  })
}

/** A sign-in link while nobody has signed in yet; in development always. */
async function firstLink(
  { storage: { database, clock }, config }: BuiltServices,
  baseUrl: string,
): Promise<string | undefined> {
  if (!config.roles.includes('api')) return undefined
  if (!config.development && (await hasSignedIn(database))) return undefined
  return linkAddress(baseUrl, await makeLink(database, clock.now()))
}

const under = (text: string): string => `                 ${text}`

/** The key if it can be shown, otherwise how to create one: the store has only hashes of keys. */
function keyLines({ administration: { installation }, config }: BuiltServices, command: string): string[] {
  const { apiKey } = installation
  if (apiKey) return [`  API key        ${apiKey}`, under('of the sandbox application; shown only once')]
  if (config.keyIsSet) return ['  API key        from WAYPOST_API_KEY', under(`another one: ${command} keys create`)]
  return [
    `  API key        ${command} keys create`,
    under('creates one: keys are stored as hashes and cannot be shown again'),
  ]
}

/** Prints the URLs for the person at the terminal. Key and password are shown only at the first start. */
export async function greet(
  services: BuiltServices,
  { port, processes }: { port: number; processes: number },
): Promise<void> {
  const { config } = services
  const { installation } = services.administration
  const { database } = services.storage
  const baseUrl = config.port === 0 ? `http://${hostInAddress(config.host)}:${port}` : config.baseUrl
  const link = await firstLink(services, baseUrl)
  // In development, the data folder differs from the default of commands.
  const folder = path.relative('', config.dataDir) || '.'
  const command = config.development ? `WAYPOST_DATA_DIR=${folder} npx waypost` : 'npx waypost'
  const lines = [
    '',
    `  Waypost is running on ${database.engine === 'sqlite' ? 'SQLite' : 'PostgreSQL'}${processes > 1 ? `, in ${processes} processes` : ''}.`,
    '',
    `  API            ${baseUrl}`,
    `  Dashboard      ${link ?? `${baseUrl}/dashboard`}`,
    under(`${link ? 'signs in once, within 15 minutes; later' : 'for a sign-in link'}: ${command} dashboard link`),
    ...(config.docs ? [`  Reference      ${baseUrl}/docs`, `  OpenAPI        ${baseUrl}/openapi.json`] : []),
    '',
    ...keyLines(services, command),
  ]
  if (installation.adminPassword) {
    lines.push(
      '',
      `  Administrator  admin : ${installation.adminPassword}`,
      under('shown only once; change it at the first sign-in, within a day'),
    )
  }
  process.stdout.write(`${lines.join('\n')}\n\n`)
}
