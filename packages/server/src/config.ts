/**
 * Parses the environment into settings. `Config` may be logged; `ConfigSecrets` may not, and is a separate type so
 * that the compiler keeps them apart. An unknown `WAYPOST_*` variable is an error, because it is a typing mistake.
 */
import path from 'node:path'
import { hostInAddress, isLoopbackHost } from '@waypost/platform/egress/addresses'
import { channelEndpointsOf, channelSecretsOf } from '@waypost/platform/settings/channel-settings'
import { oidcOf } from '@waypost/platform/settings/oidc-settings'
import { settingProblem, unknownSettings, withSettingFiles } from '@waypost/platform/settings/values'
import type { ProviderSetup } from '@waypost/providers/provider-settings'
import { providerSettings } from '@waypost/providers/settings'
import type { z } from 'zod'
import { ownSettings, refusals, settings } from './settings.ts'

/** Invalid settings, which prevent the start, with remedies. */
export class ConfigError extends Error {
  readonly problems: readonly string[]

  constructor(problems: readonly string[]) {
    super(`the settings need mending:\n${problems.map((problem) => `  - ${problem}`).join('\n')}`)
    this.name = 'ConfigError'
    this.problems = problems
  }
}

interface Given {
  env: NodeJS.ProcessEnv
  values: z.output<typeof ownSettings>
  setups: readonly (ProviderSetup & { kind: string })[]
  baseUrl: string
  /** Whether others than this machine reach the service. */
  exposed: boolean
}

/** The values that may be logged. */
const configOf = ({ env, values, setups, baseUrl, exposed }: Given) => ({
  port: values.WAYPOST_PORT,
  host: values.WAYPOST_HOST,
  baseUrl,
  dataDir: path.resolve(values.WAYPOST_DATA_DIR),
  /** Connection options of PostgreSQL. */
  postgresql: { pooling: values.WAYPOST_DATABASE_POOLING, connections: values.WAYPOST_DATABASE_CONNECTIONS },
  roles: values.WAYPOST_ROLES,
  /** The operator's own list of forbidden passwords. */
  passwordList: values.WAYPOST_PASSWORD_LIST,
  /** Processes behind the port. */
  workers: values.WAYPOST_WORKERS,
  logLevel: values.WAYPOST_LOG_LEVEL,
  /** Which addresses connections may go to; undefined: it depends on the exposure of the service. */
  egress: values.WAYPOST_EGRESS,
  /** The only hosts that connections may go to; undefined: all. */
  egressAllow: values.WAYPOST_EGRESS_ALLOW,
  /**
   * Whether, by the settings, only this machine reaches the service. A node without the role api cannot know the exposure
   * of the others.
   */
  loopbackOnly: !exposed && values.WAYPOST_TRUSTED_PROXIES.length === 0 && values.WAYPOST_ROLES.includes('api'),
  /** Addresses that replace all hosts of a provider, such as those of a simulator. */
  providerUrls: Object.fromEntries(setups.flatMap(({ kind, url }) => (url === undefined ? [] : [[kind, url]]))),
  /** The same for servers of mail, calendars and contacts. */
  providerServers: Object.fromEntries(setups.flatMap(({ kind, servers }) => (servers ? [[kind, servers]] : []))),
  /** The source addresses of deliveries, as receivers see them; undefined: those of this machine. */
  egressAddresses: values.WAYPOST_EGRESS_ADDRESSES,
  signatureHeader: values.WAYPOST_SIGNATURE_HEADER,
  /** Addresses that replace those of the clouds that channels publish to. */
  channelEndpoints: channelEndpointsOf(values),
  /** How often providers without push are polled. */
  pollSeconds: values.WAYPOST_POLL_SECONDS,
  /** What to do with a message whose acceptance by the server is unknown and that is not in Sent. */
  onUnknown: values.WAYPOST_ON_UNKNOWN,
  /** How long notifications and the log of their deliveries are stored. */
  notificationDays: values.WAYPOST_NOTIFICATION_DAYS,
  /** Who gets mails about the service; empty for the owners. */
  operatorEmails: values.WAYPOST_OPERATOR_EMAIL,
  /** Mails per day that an application sends through the service's own identity, unless it has its own limit. */
  mailPerDay: values.WAYPOST_MAIL_PER_DAY,
  /** Whether administrators may see and change the content of customers' accounts. */
  customerData: values.WAYPOST_CUSTOMER_DATA === 'on',
  /** The OpenID provider that administrators may sign in with. */
  oidc: oidcOf(values),
  region: values.WAYPOST_REGION,
  /** Whether the reference, the guides and the OpenAPI document are served to everybody. */
  docs: values.WAYPOST_DOCS === 'on',
  /** Whether PKCE is required, and refresh tokens rotate and expire, regardless of application settings. */
  strictOAuth: values.WAYPOST_OAUTH === 'strict',
  rateLimits: values.WAYPOST_RATE_LIMITS,
  /** How long a stopping node announces it before it closes its port. */
  announceMs: values.WAYPOST_SHUTDOWN_ANNOUNCE_MS,
  trustedProxies: values.WAYPOST_TRUSTED_PROXIES,
  /** The receiver of traces, without `/v1/traces`; undefined: off. */
  otlpUrl: values.WAYPOST_OTLP_URL,
  /** The share of requests that is traced. */
  traceRatio: values.WAYPOST_TRACE_RATIO,
  /** Whether the settings name an API key. */
  keyIsSet: values.WAYPOST_API_KEY !== undefined,
  /** The service runs in development mode (`npm run dev`). */
  development: env.NODE_ENV === 'development',
  /** Whether answers are checked against the contract before they are sent: in tests and development. */
  checkAnswers: env.NODE_ENV === 'test' || env.NODE_ENV === 'development',
})

export type Config = Readonly<ReturnType<typeof configOf>>

/** Reads and checks the environment; throws a ConfigError that lists all problems. */
export function readConfig(environment: NodeJS.ProcessEnv): { config: Config; secrets: ConfigSecrets } {
  const { env, problems } = withSettingFiles(environment, (name) => name in settings.shape)
  problems.push(...unknownSettings(Object.keys(env), Object.keys(settings.shape)))
  const given = Object.fromEntries(
    Object.entries(env).filter(([name, value]) => name in settings.shape && value !== ''),
  )
  const wrong = Object.entries(settings.shape).flatMap(([name, form]) => {
    // Values from files are usually secrets.
    const isSecret = environment[`${name}_FILE`] !== undefined
    const said = settingProblem(name, form as z.ZodType, { value: given[name], isSecret })
    return said === undefined ? [] : [{ name, said }]
  })
  problems.push(...wrong.map(({ said }) => said))
  // The other checks run as if the invalid settings were absent.
  for (const { name } of wrong) delete given[name]
  const values = ownSettings.parse(given)
  const setups = providerSettings.map(({ kind, setupOf }) => ({ kind, ...setupOf(given) }))
  const baseUrl = values.WAYPOST_BASE_URL ?? `http://${hostInAddress(values.WAYPOST_HOST)}:${values.WAYPOST_PORT}`
  const exposed = !isLoopbackHost(new URL(baseUrl).hostname) || !isLoopbackHost(values.WAYPOST_HOST)
  problems.push(...refusals(env, values, exposed))
  if (problems.length > 0) throw new ConfigError(problems)

  const config = configOf({ env, values, setups, baseUrl, exposed })
  return { config, secrets: secretsOf({ values, setups }) }
}

/** The service's own mail identity; the server URLs may contain a password. */
const mailOf = ({ WAYPOST_SMTP_URL: url, WAYPOST_MAIL_FROM: from, WAYPOST_IMAP_URL: inbox }: Given['values']) =>
  url && from ? { url, from, inbox } : undefined

/** The values that must not be logged. */
const secretsOf = ({ values, setups }: Pick<Given, 'values' | 'setups'>) => ({
  databaseUrl: values.DATABASE_URL,
  /** The address of PostgreSQL itself, if `databaseUrl` is that of a pooler. */
  directDatabaseUrl: values.WAYPOST_DATABASE_DIRECT_URL,
  secretKey: values.WAYPOST_SECRET_KEY,
  apiKey: values.WAYPOST_API_KEY,
  adminPassword: values.WAYPOST_ADMIN_PASSWORD,
  /** The token for `/metrics`. */
  metricsToken: values.WAYPOST_METRICS_TOKEN,
  /** The secret of the client at the OpenID provider. */
  oidcSecret: values.WAYPOST_OIDC_CLIENT_SECRET,
  /** For notification channels without their own credentials. */
  channels: channelSecretsOf(values),
  /** Headers for the receiver of traces. */
  otlpHeaders: Object.fromEntries(values.WAYPOST_OTLP_HEADERS.map((pair) => pairOf(pair))),
  sandboxClients: Object.fromEntries(
    setups.flatMap(({ kind, sandboxClient }) => (sandboxClient ? [[kind, sandboxClient]] : [])),
  ),
  mail: mailOf(values),
})

export type ConfigSecrets = Readonly<ReturnType<typeof secretsOf>>

const pairOf = (pair: string): [string, string] => {
  const at = pair.indexOf('=')
  return [pair.slice(0, at).toLowerCase(), pair.slice(at + 1).trim()]
}
