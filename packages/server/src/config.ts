/**
 * Environment to settings. `Config` may be logged; `ConfigSecrets` may not, and is another type so that the compiler
 * keeps them apart. An unknown `WAYPOST_*` variable is an error: it is a typing mistake that would otherwise be silent.
 */
import { isIP } from 'node:net'
import path from 'node:path'
import { z } from 'zod'
import { hostInAddress, isLoopbackHost } from './lib/addresses.ts'
import { type OidcSettings, oidcOf, oidcProblems, oidcVariables } from './lib/oidc-settings.ts'
import { withSettingFiles } from './lib/setting-files.ts'
import { settingProblem, unknownSettings } from './lib/setting-problems.ts'
import { baseAddress, flag, list, oneOf, said, text, whole } from './lib/setting-values.ts'
import type { SandboxClient } from './providers/provider-settings.ts'
import type { ServerUrls } from './providers/server-urls.ts'
import { providerSettings } from './providers/settings.ts'
import { type Role, roles } from './store/nodes.ts'
import { leastConnections, type PostgresqlOptions, poolings, usualConnections } from './store/postgresql-session.ts'

const logLevels = ['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'] as const

/** An address, or addresses with the length of their common prefix. */
function isRange(item: string): boolean {
  const [, address = '', prefix = '0'] = /^([^/]+)(?:\/(\d{1,3}))?$/.exec(item) ?? []
  return isIP(address) !== 0 && Number(prefix) <= (isIP(address) === 6 ? 128 : 32)
}

const databaseAddress = () =>
  said(
    z
      .string()
      .trim()
      .regex(/^postgres(ql)?:\/\//)
      .refine((url) => URL.canParse(url))
      .optional(),
    'an address that begins with postgres:// or postgresql://, with what is special in the password percent-encoded',
    'postgres://user:password@host:5432/waypost',
    'secret',
  )

/** The settings of the service itself, with their defaults. */
const ownSettings = z.object({
  WAYPOST_PORT: whole(0, 65_535, 3000, ' (0: any that is free)'),
  WAYPOST_HOST: said(
    z
      .string()
      .trim()
      .refine((host) => URL.canParse(`http://${hostInAddress(host)}`))
      .default('127.0.0.1'),
    'an address of this machine or a host name, without http:// and without a port',
    '0.0.0.0',
  ),
  WAYPOST_BASE_URL: baseAddress('https://api.example.com'),
  WAYPOST_DATA_DIR: said(z.string().trim().min(1).default('./data'), 'a folder', './data'),
  DATABASE_URL: databaseAddress(),
  WAYPOST_DATABASE_DIRECT_URL: databaseAddress(),
  WAYPOST_DATABASE_POOLING: oneOf(poolings, 'auto'),
  WAYPOST_DATABASE_CONNECTIONS: whole(leastConnections, 500, usualConnections),
  WAYPOST_SECRET_KEY: text('32 bytes as base64 or hex (openssl rand -base64 32)', '…', 'secret'),
  WAYPOST_API_KEY: text('a random text (openssl rand -hex 32)', '…', 'secret'),
  WAYPOST_ADMIN_PASSWORD: text('a password of 8 characters or more', '…', 'secret'),
  WAYPOST_ROLES: said(
    z
      .string()
      .default('api,worker')
      .transform((list) => list.split(',').map((role) => role.trim()))
      .pipe(z.array(z.enum(roles)).min(1)),
    'api, worker, or both with a comma; instead of worker also deliverer or watcher alone',
    'api,worker',
  ),
  WAYPOST_LOG_LEVEL: oneOf(logLevels, 'info'),
  WAYPOST_EGRESS: said(z.enum(['public', 'private']).optional(), 'public or private', 'public'),
  WAYPOST_EGRESS_ADDRESSES: said(
    list()
      .pipe(z.array(z.string().refine(isRange)))
      .optional(),
    'addresses or ranges, with commas',
    '203.0.113.7,203.0.113.0/28',
  ),
  WAYPOST_SIGNATURE_HEADER: said(
    z
      .string()
      .trim()
      .toLowerCase()
      .regex(/^[a-z0-9-]+$/)
      .default('x-service-signature'),
    'the name of a header: letters, digits and dashes',
    'x-service-signature',
  ),
  WAYPOST_POLL_SECONDS: whole(1, 3600, 60),
  WAYPOST_ON_UNKNOWN: oneOf(['hold', 'resend'], 'hold'),
  WAYPOST_NOTIFICATION_DAYS: whole(2, 90, 7),
  WAYPOST_CUSTOMER_DATA: oneOf(['on', 'off'], 'on'),
  ...oidcVariables,
  WAYPOST_REGION: oneOf(['us', 'eu'], 'us'),
  WAYPOST_RATE_LIMITS: flag(true),
  WAYPOST_SHUTDOWN_ANNOUNCE_MS: whole(0, 60_000, 500),
  WAYPOST_TRUSTED_PROXIES: said(
    list()
      .default([])
      .pipe(z.array(z.string().refine(isRange))),
    'addresses or ranges, with commas',
    '10.0.0.0/8',
  ),
  WAYPOST_METRICS_TOKEN: text('16 characters or more (openssl rand -hex 32)', '…', 'secret'),
  WAYPOST_OTLP_URL: baseAddress('http://127.0.0.1:4318'),
  WAYPOST_OTLP_HEADERS: said(
    list()
      .default([])
      .pipe(z.array(z.string().regex(/^[\w-]+=.+$/))),
    'headers as name=value, with commas between several',
    'authorization=…',
    'secret',
  ),
  WAYPOST_TRACE_RATIO: said(z.coerce.number().min(0).max(1).default(1), 'a number from 0 to 1', '0.1'),
  WAYPOST_SMTP_URL: said(
    z
      .string()
      .trim()
      .regex(/^smtps?:\/\//)
      .optional(),
    'an address that begins with smtp:// or smtps://',
    'smtps://user:password@mail.example.com',
    'secret',
  ),
  WAYPOST_MAIL_FROM: text('an address, or a name and an address', 'Calendar <calendar@example.com>'),
  WAYPOST_IMAP_URL: said(
    z
      .string()
      .trim()
      .regex(/^imaps?:\/\/[^/]+@./)
      .optional(),
    'an address that begins with imap:// or imaps:// and names the user',
    'imaps://user:password@mail.example.com',
    'secret',
  ),
  WAYPOST_MAIL_PER_DAY: whole(0, 1_000_000, 250),
})

const settingsOfProviders: z.ZodRawShape = Object.fromEntries(
  providerSettings.flatMap(({ variables }) => Object.entries(variables)),
)

/** Every setting; `example.env` is checked against this table. */
export const settings = z.object({ ...ownSettings.shape, ...settingsOfProviders })

export interface Config {
  port: number
  host: string
  baseUrl: string
  dataDir: string
  /** How PostgreSQL is connected to. */
  postgresql: PostgresqlOptions
  roles: readonly Role[]
  logLevel: (typeof logLevels)[number]
  /** Where connections may go, where the operator says so; else it hangs on who reaches the service. */
  egress: 'public' | 'private' | undefined
  /** Whether, as far as the settings tell, nobody but this machine reaches the service. */
  loopbackOnly: boolean
  /** Where one address stands for all hosts of a provider, such as a simulator's. */
  providerUrls: Readonly<Record<string, string>>
  /** The same for servers of mail, calendars and contacts. */
  providerServers: Readonly<Record<string, ServerUrls>>
  /** Where deliveries come from, as listeners see it; undefined: what this machine knows of itself. */
  egressAddresses: readonly string[] | undefined
  signatureHeader: string
  /** How often providers are asked for what they do not tell by themselves. */
  pollSeconds: number
  /** What becomes of a message of which nobody knows whether its server took it, and that is not in Sent. */
  onUnknown: 'hold' | 'resend'
  /** How long notifications, and the log of their deliveries, are kept. */
  notificationDays: number
  /** Mails that an application sends in a day by the service's own identity, unless it is given another number. */
  mailPerDay: number
  /** Whether administrators may see and change what is in the accounts of customers. */
  customerData: boolean
  /** The OpenID provider that administrators may sign in with. */
  oidc: OidcSettings | undefined
  region: 'us' | 'eu'
  rateLimits: boolean
  /** How long a node that is asked to stop tells so before it closes its port. */
  announceMs: number
  trustedProxies: readonly string[]
  /** Where traces go, without `/v1/traces`; none where they are off. */
  otlpUrl: string | undefined
  /** The part of requests that is traced. */
  traceRatio: number
  /** Whether the settings name an API key. */
  keyIsSet: boolean
  /** The service runs for somebody who develops against it (`npm run dev`). */
  development: boolean
  /** Answers are checked against the contract before they are sent: for tests and development. */
  checkAnswers: boolean
}

export interface ConfigSecrets {
  databaseUrl?: string
  /** PostgreSQL's own address, where the other one is a pooler's. */
  directDatabaseUrl?: string
  secretKey?: string
  apiKey?: string
  adminPassword?: string
  /** Opens `/metrics`. */
  metricsToken?: string
  /** Of the client at the OpenID provider. */
  oidcSecret?: string
  /** What the receiver of traces wants to see. */
  otlpHeaders: Readonly<Record<string, string>>
  sandboxClients: Record<string, SandboxClient>
  /** The service's own mail identity; the addresses of the servers may hold a password. */
  mail?: { url: string; from: string; inbox?: string }
}

/** A setting that stops the start, with what to do about it. */
export class ConfigError extends Error {
  readonly problems: readonly string[]

  constructor(problems: readonly string[]) {
    super(`the settings need mending:\n${problems.map((problem) => `  - ${problem}`).join('\n')}`)
    this.name = 'ConfigError'
    this.problems = problems
  }
}

/** Passwords and keys that are written in examples everywhere. */
const wellKnown = /^(change-?me|password|secret|admin|waypost|default|test|example|12345678)\d*$/i

const secretNames = [
  'WAYPOST_SECRET_KEY',
  'WAYPOST_API_KEY',
  'WAYPOST_ADMIN_PASSWORD',
  'WAYPOST_METRICS_TOKEN',
] as const

function refusals(env: NodeJS.ProcessEnv, values: z.output<typeof ownSettings>, exposed: boolean): string[] {
  const problems: string[] = []
  if (env.NODE_TLS_REJECT_UNAUTHORIZED === '0') {
    problems.push('NODE_TLS_REJECT_UNAUTHORIZED=0 would accept any certificate: unset it')
  }
  for (const name of secretNames) {
    if (wellKnown.test(values[name] ?? '')) problems.push(`${name} is a well-known value: choose a random one`)
  }
  const { WAYPOST_API_KEY: key, WAYPOST_ADMIN_PASSWORD: password, WAYPOST_METRICS_TOKEN: token } = values
  if (token !== undefined && (/\s/.test(token) || token.length < 16)) {
    problems.push('WAYPOST_METRICS_TOKEN must have at least 16 characters and no spaces: openssl rand -hex 32')
  }
  if (key !== undefined && (/\s/.test(key) || key.length < 8)) {
    problems.push('WAYPOST_API_KEY must have at least 8 characters and no spaces')
  } else if (key !== undefined && exposed && key.length < 24) {
    problems.push('WAYPOST_API_KEY must have at least 24 characters when the service is not on loopback')
  }
  if (password !== undefined && (password.length < 8 || password.length > 1024)) {
    problems.push('WAYPOST_ADMIN_PASSWORD must have 8 to 1024 characters')
  }
  if ((values.WAYPOST_SMTP_URL === undefined) !== (values.WAYPOST_MAIL_FROM === undefined)) {
    problems.push('WAYPOST_SMTP_URL and WAYPOST_MAIL_FROM go together: set both or neither')
  }
  if (values.WAYPOST_IMAP_URL !== undefined && values.WAYPOST_MAIL_FROM === undefined) {
    problems.push('WAYPOST_IMAP_URL is the mailbox of WAYPOST_MAIL_FROM: set that too')
  }
  return [...problems, ...oidcProblems(values)]
}

/** Reads and checks the environment; throws a ConfigError that lists everything wrong at once. */
export function readConfig(environment: NodeJS.ProcessEnv): { config: Config; secrets: ConfigSecrets } {
  const { env, problems } = withSettingFiles(environment, (name) => name in settings.shape)
  problems.push(...unknownSettings(Object.keys(env), Object.keys(settings.shape)))
  const given = Object.fromEntries(
    Object.entries(env).filter(([name, value]) => name in settings.shape && value !== ''),
  )
  const wrong = Object.entries(settings.shape).flatMap(([name, form]) => {
    // What stands in a file is most often a secret.
    const isSecret = environment[`${name}_FILE`] !== undefined
    const said = settingProblem(name, form as z.ZodType, { value: given[name], isSecret })
    return said === undefined ? [] : [{ name, said }]
  })
  problems.push(...wrong.map(({ said }) => said))
  // What else is wrong is told too, as if what has no meaning were not there.
  for (const { name } of wrong) delete given[name]
  const values = ownSettings.parse(given)
  const setups = providerSettings.map(({ kind, setupOf }) => ({ kind, ...setupOf(given) }))
  const baseUrl = values.WAYPOST_BASE_URL ?? `http://${hostInAddress(values.WAYPOST_HOST)}:${values.WAYPOST_PORT}`
  const exposed = !isLoopbackHost(new URL(baseUrl).hostname) || !isLoopbackHost(values.WAYPOST_HOST)
  problems.push(...refusals(env, values, exposed))
  if (problems.length > 0) throw new ConfigError(problems)

  const config: Config = {
    port: values.WAYPOST_PORT,
    host: values.WAYPOST_HOST,
    baseUrl,
    dataDir: path.resolve(values.WAYPOST_DATA_DIR),
    postgresql: { pooling: values.WAYPOST_DATABASE_POOLING, connections: values.WAYPOST_DATABASE_CONNECTIONS },
    roles: values.WAYPOST_ROLES,
    logLevel: values.WAYPOST_LOG_LEVEL,
    egress: values.WAYPOST_EGRESS,
    // A node that takes no requests cannot know who reaches the others.
    loopbackOnly: !exposed && values.WAYPOST_TRUSTED_PROXIES.length === 0 && values.WAYPOST_ROLES.includes('api'),
    providerUrls: Object.fromEntries(setups.flatMap(({ kind, url }) => (url === undefined ? [] : [[kind, url]]))),
    providerServers: Object.fromEntries(setups.flatMap(({ kind, servers }) => (servers ? [[kind, servers]] : []))),
    egressAddresses: values.WAYPOST_EGRESS_ADDRESSES,
    signatureHeader: values.WAYPOST_SIGNATURE_HEADER,
    pollSeconds: values.WAYPOST_POLL_SECONDS,
    onUnknown: values.WAYPOST_ON_UNKNOWN,
    notificationDays: values.WAYPOST_NOTIFICATION_DAYS,
    mailPerDay: values.WAYPOST_MAIL_PER_DAY,
    customerData: values.WAYPOST_CUSTOMER_DATA === 'on',
    oidc: oidcOf(values),
    region: values.WAYPOST_REGION,
    rateLimits: values.WAYPOST_RATE_LIMITS,
    announceMs: values.WAYPOST_SHUTDOWN_ANNOUNCE_MS,
    trustedProxies: values.WAYPOST_TRUSTED_PROXIES,
    otlpUrl: values.WAYPOST_OTLP_URL,
    traceRatio: values.WAYPOST_TRACE_RATIO,
    keyIsSet: values.WAYPOST_API_KEY !== undefined,
    development: env.NODE_ENV === 'development',
    checkAnswers: env.NODE_ENV === 'test' || env.NODE_ENV === 'development',
  }
  const secrets: ConfigSecrets = {
    databaseUrl: values.DATABASE_URL,
    directDatabaseUrl: values.WAYPOST_DATABASE_DIRECT_URL,
    secretKey: values.WAYPOST_SECRET_KEY,
    apiKey: values.WAYPOST_API_KEY,
    adminPassword: values.WAYPOST_ADMIN_PASSWORD,
    metricsToken: values.WAYPOST_METRICS_TOKEN,
    oidcSecret: values.WAYPOST_OIDC_CLIENT_SECRET,
    otlpHeaders: Object.fromEntries(values.WAYPOST_OTLP_HEADERS.map((pair) => pairOf(pair))),
    ...(values.WAYPOST_SMTP_URL && values.WAYPOST_MAIL_FROM
      ? {
          mail: {
            url: values.WAYPOST_SMTP_URL,
            from: values.WAYPOST_MAIL_FROM,
            ...(values.WAYPOST_IMAP_URL ? { inbox: values.WAYPOST_IMAP_URL } : {}),
          },
        }
      : {}),
    sandboxClients: Object.fromEntries(
      setups.flatMap(({ kind, sandboxClient }) => (sandboxClient ? [[kind, sandboxClient]] : [])),
    ),
  }
  return { config, secrets }
}

const pairOf = (pair: string): [string, string] => {
  const at = pair.indexOf('=')
  return [pair.slice(0, at).toLowerCase(), pair.slice(at + 1).trim()]
}
