import { flushCompileCache } from 'node:module'
import path from 'node:path'
import { hasSignedIn, linkAddress, makeLink } from '../applications/admin-sessions.ts'
import { type Config, type ConfigSecrets, readConfig } from '../config.ts'
import { hostInAddress } from '../lib/egress/addresses.ts'
import { endMs, startNode } from '../node.ts'
import { createServices } from '../services/index.ts'
import type { BuiltServices } from '../services/services.ts'
import type { PlainRun } from './program/command.ts'

export const serveCommand: PlainRun = async ({ terminal }) => {
  const { config, secrets } = readConfig(terminal.env)
  await serve(config, secrets)
  return 0
}

/** Runs the service until it is asked to stop; asked twice, it ends at once. */
export async function serve(config: Config, secrets: ConfigSecrets): Promise<void> {
  const services = await starting(() => createServices(config, secrets, { serving: true }))
  const { log } = services
  const fatal = (error: unknown): void => {
    log.fatal({ error }, 'unexpected failure; the process ends')
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
  // Everything that is under way survives a cut: what does not end in time, such as a silent store, is not waited for.
  const late = setTimeout(() => {
    log.warn({}, 'not everything ended in time; the process ends')
    end(0)
  }, config.announceMs + endMs)
  try {
    await server[Symbol.asyncDispose]()
  } catch (error) {
    log.error({ error }, 'the node did not end well')
  }
  clearTimeout(late)
  // Whatever is still open, such as a socket that waits for the other side, has no more to say.
  end(0)
}

/** What asks a process to end, by the numbers that an exit status tells. */
const signals = { SIGINT: 2, SIGTERM: 15 }

/** Until there is something to end in order, a signal ends the process: the first of a container would not hear it else. */
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

/** A link that signs in, as long as nobody has signed in yet; in development always. */
async function firstLink({ database, clock, config }: BuiltServices, baseUrl: string): Promise<string | undefined> {
  if (!config.roles.includes('api')) return undefined
  if (!config.development && (await hasSignedIn(database))) return undefined
  return linkAddress(baseUrl, await makeLink(database, clock.now()))
}

const under = (text: string): string => `                 ${text}`

/** The key, where it can be shown, and else how to get one: the store has only hashes of keys. */
function keyLines({ installation, config }: BuiltServices, command: string): string[] {
  const { apiKey } = installation
  if (apiKey) return [`  API key        ${apiKey}`, under('of the sandbox application; shown only now')]
  if (config.keyIsSet) return ['  API key        the one of WAYPOST_API_KEY', under(`another: ${command} keys create`)]
  return [
    `  API key        ${command} keys create`,
    under('makes one: keys are stored hashed, and cannot be shown again'),
  ]
}

/** Tells the person at the terminal where things are. The key and the password are shown at the first start only. */
function greet(services: BuiltServices, baseUrl: string, link: string | undefined): void {
  const { installation, database, config } = services
  // In development the data is apart from where commands look for it.
  const folder = path.relative('', config.dataDir) || '.'
  const command = config.development ? `WAYPOST_DATA_DIR=${folder} npx waypost` : 'npx waypost'
  const lines = [
    '',
    `  Waypost is running on ${database.engine === 'sqlite' ? 'SQLite' : 'PostgreSQL'}.`,
    '',
    `  API            ${baseUrl}`,
    `  Dashboard      ${link ?? `${baseUrl}/dashboard`}`,
    under(`${link ? 'signs in once, within 15 minutes; later' : 'a link that signs in'}: ${command} dashboard link`),
    ...(config.docs ? [`  Reference      ${baseUrl}/docs`, `  OpenAPI        ${baseUrl}/openapi.json`] : []),
    '',
    ...keyLines(services, command),
  ]
  if (installation.adminPassword) {
    lines.push(
      '',
      `  Administrator  admin : ${installation.adminPassword}`,
      under('shown only now; to be changed at the first sign-in, within a day'),
    )
  }
  process.stdout.write(`${lines.join('\n')}\n\n`)
}
