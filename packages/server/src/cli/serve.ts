import { flushCompileCache } from 'node:module'
import path from 'node:path'
import { createStartingServer } from '../api/http/starting-server.ts'
import { hasSignedIn, linkAddress, makeLink } from '../applications/admin-sessions.ts'
import { type Config, type ConfigSecrets, readConfig } from '../config.ts'
import { hostInAddress } from '../lib/egress/addresses.ts'
import { endMs, startNode } from '../node.ts'
import { createServices } from '../services/index.ts'
import type { BuiltServices } from '../services/services.ts'
import { describeProgress, type Report } from '../store/migrations/steps/progress.ts'
import type { PlainRun } from './program/command.ts'

export const serveCommand: PlainRun = async ({ terminal }) => {
  const { config, secrets } = readConfig(terminal.env)
  await serve(config, secrets)
  return 0
}

/** Runs the service until a signal; a second signal ends it immediately. */
export async function serve(config: Config, secrets: ConfigSecrets): Promise<void> {
  const starter = createStartingServer(config)
  const report: Report = (progress) => starter.waitsFor(describeProgress(progress))
  const services = await starting(() =>
    createServices(config, secrets, { serving: true, schema: { report } }).finally(() =>
      starter[Symbol.asyncDispose](),
    ),
  )
  const { log } = services
  const fatal = (error: unknown): void => {
    log.fatal({ error }, 'unexpected failure; the process exits')
    log.flush()
    process.exit(1)
  }
  process.on('uncaughtException', fatal)
  process.on('unhandledRejection', fatal)
  const stopped = untilSignal()
  const server = await startNode(services).catch(async (error) => {
    await services[Symbol.asyncDispose]()
    throw error
  })
  const baseUrl = config.port === 0 ? `http://${hostInAddress(config.host)}:${server.port}` : config.baseUrl
  greet(services, baseUrl, await firstLink(services, baseUrl))
  log.info({ port: server.port, host: config.host, store: services.database.engine, roles: config.roles }, 'listening')
  flushCompileCache()
  await stopped
  const end = (code: number): void => {
    log.flush()
    process.exit(code)
  }
  for (const [signal, number] of Object.entries(signals)) process.on(signal, () => end(128 + number))
  // All running work survives a hard stop, so work that does not end in time, such as a silent store, is not awaited.
  const late = setTimeout(() => {
    log.warn({}, 'shutdown took too long; the process exits')
    end(0)
  }, config.announceMs + endMs)
  try {
    await server[Symbol.asyncDispose]()
  } catch (error) {
    log.error({ error }, 'the node did not shut down cleanly')
  }
  clearTimeout(late)
  // Open handles, such as a socket that waits for its peer, no longer matter.
  end(0)
}

/** Signals that end the process, with their numbers for the exit status. */
const signals = { SIGINT: 2, SIGTERM: 15 }

/**
 * During the start, a signal ends the process immediately. Without a handler, process 1 of a container would ignore
 * it.
 */
async function starting<T>(start: () => Promise<T>): Promise<T> {
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
async function firstLink({ database, clock, config }: BuiltServices, baseUrl: string): Promise<string | undefined> {
  if (!config.roles.includes('api')) return undefined
  if (!config.development && (await hasSignedIn(database))) return undefined
  return linkAddress(baseUrl, await makeLink(database, clock.now()))
}

const under = (text: string): string => `                 ${text}`

/** The key if it can be shown, otherwise how to create one: the store has only hashes of keys. */
function keyLines({ installation, config }: BuiltServices, command: string): string[] {
  const { apiKey } = installation
  if (apiKey) return [`  API key        ${apiKey}`, under('of the sandbox application; shown only once')]
  if (config.keyIsSet) return ['  API key        from WAYPOST_API_KEY', under(`another one: ${command} keys create`)]
  return [
    `  API key        ${command} keys create`,
    under('creates one: keys are stored as hashes and cannot be shown again'),
  ]
}

/** Prints the URLs for the person at the terminal. Key and password are shown only at the first start. */
function greet(services: BuiltServices, baseUrl: string, link: string | undefined): void {
  const { installation, database, config } = services
  // In development, the data folder differs from the default of commands.
  const folder = path.relative('', config.dataDir) || '.'
  const command = config.development ? `WAYPOST_DATA_DIR=${folder} npx waypost` : 'npx waypost'
  const lines = [
    '',
    `  Waypost is running on ${database.engine === 'sqlite' ? 'SQLite' : 'PostgreSQL'}.`,
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
