/**
 * The settings of the service: which there are, of what form, with which defaults, and what must not be set together or
 * at all. What becomes of them is in `config.ts`.
 */
import { isIP } from 'node:net'
import { z } from 'zod'
import { hostInAddress } from './lib/egress/addresses.ts'
import { isAllowEntry } from './lib/egress/allow.ts'
import { oidcProblems, oidcVariables } from './lib/settings/oidc-settings.ts'
import { baseAddress, flag, list, oneOf, said, text, whole } from './lib/settings/values.ts'
import { providerSettings } from './providers/settings.ts'
import { leastConnections, poolings, usualConnections } from './store/engine/postgresql-session.ts'
import { roles } from './store/tables/applications/nodes.ts'

export const logLevels = ['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'] as const

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
export const ownSettings = z.object({
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
  WAYPOST_PASSWORD_LIST: text('a file with one password, or one SHA-1 hash, to a line', '/etc/waypost/passwords.txt'),
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
  WAYPOST_EGRESS_ALLOW: said(
    list()
      .pipe(z.array(z.string().refine(isAllowEntry)).min(1))
      .optional(),
    'hosts (mail.example.com), names below one (*.example.com), addresses or ranges, each with a port or without, with commas',
    '*.googleapis.com,mail.example.com:993,203.0.113.0/24',
  ),
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
  WAYPOST_DOCS: oneOf(['on', 'off'], 'on'),
  WAYPOST_OAUTH: oneOf(['compatible', 'strict'], 'compatible'),
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

/** Passwords and keys that are written in examples everywhere. */
const wellKnown = /^(change-?me|password|secret|admin|waypost|default|test|example|12345678)\d*$/i

const secretNames = [
  'WAYPOST_SECRET_KEY',
  'WAYPOST_API_KEY',
  'WAYPOST_ADMIN_PASSWORD',
  'WAYPOST_METRICS_TOKEN',
] as const

/** What the values must not be, by themselves or together, in words; `exposed`: others than this machine reach the service. */
export function refusals(env: NodeJS.ProcessEnv, values: z.output<typeof ownSettings>, exposed: boolean): string[] {
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
