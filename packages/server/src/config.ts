/**
 * Environment to settings. `Config` may be logged; `ConfigSecrets` may not, and is another type so that the compiler
 * keeps them apart. An unknown `WAYPOST_*` variable is an error: it is a typing mistake that would otherwise be silent.
 */
import path from 'node:path'
import type { z } from 'zod'
import { hostInAddress, isLoopbackHost } from './lib/egress/addresses.ts'
import { withSettingFiles } from './lib/settings/files.ts'
import { type OidcSettings, oidcOf } from './lib/settings/oidc-settings.ts'
import { settingProblem, unknownSettings } from './lib/settings/problems.ts'
import type { SandboxClient } from './providers/provider-settings.ts'
import type { ServerUrls } from './providers/server-urls.ts'
import { providerSettings } from './providers/settings.ts'
import { type logLevels, ownSettings, refusals, settings } from './settings.ts'
import type { PostgresqlOptions } from './store/engine/postgresql-session.ts'
import type { Role } from './store/tables/applications/nodes.ts'

export interface Config {
  /** The operator's own list of passwords that nobody may choose. */
  passwordList: string | undefined
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
  /** The only hosts that connections may go to; undefined: all. */
  egressAllow: readonly string[] | undefined
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
  /** Whether the reference, the guides and the OpenAPI document are served to everybody. */
  docs: boolean
  /** Whether PKCE is required, and refresh tokens rotate and expire, whatever applications say. */
  strictOAuth: boolean
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
    ...{ roles: values.WAYPOST_ROLES, passwordList: values.WAYPOST_PASSWORD_LIST },
    logLevel: values.WAYPOST_LOG_LEVEL,
    egress: values.WAYPOST_EGRESS,
    egressAllow: values.WAYPOST_EGRESS_ALLOW,
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
    docs: values.WAYPOST_DOCS === 'on',
    strictOAuth: values.WAYPOST_OAUTH === 'strict',
    rateLimits: values.WAYPOST_RATE_LIMITS,
    announceMs: values.WAYPOST_SHUTDOWN_ANNOUNCE_MS,
    trustedProxies: values.WAYPOST_TRUSTED_PROXIES,
    otlpUrl: values.WAYPOST_OTLP_URL,
    traceRatio: values.WAYPOST_TRACE_RATIO,
    keyIsSet: values.WAYPOST_API_KEY !== undefined,
    development: env.NODE_ENV === 'development',
    checkAnswers: env.NODE_ENV === 'test' || env.NODE_ENV === 'development',
  }
  return { config, secrets: secretsOf(values, setups) }
}

interface ProviderSetup {
  kind: string
  sandboxClient?: SandboxClient | undefined
}

/** What must not be logged. */
function secretsOf(values: z.output<typeof ownSettings>, setups: readonly ProviderSetup[]): ConfigSecrets {
  return {
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
}

const pairOf = (pair: string): [string, string] => {
  const at = pair.indexOf('=')
  return [pair.slice(0, at).toLowerCase(), pair.slice(at + 1).trim()]
}
