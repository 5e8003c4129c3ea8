/**
 * The table of settings: form, default and meaning of each, and the combinations that are refused. `config.ts` turns
 * them into a `Config`. `npm run generate` writes docs/generated/settings.md and example.env from this table.
 */
import { providerKinds } from '@waypost/contract'
import { isMailAddress } from '@waypost/formats/itip/itip'
import { hostInAddress } from '@waypost/platform/egress/addresses'
import { isAllowEntry } from '@waypost/platform/egress/allow'
import { isRange } from '@waypost/platform/networks'
import { channelProblems, channelVariables } from '@waypost/platform/settings/channel-settings'
import { oidcProblems, oidcVariables } from '@waypost/platform/settings/oidc-settings'
import { baseAddress, flag, list, oneOf, said, text, whole } from '@waypost/platform/settings/values'
import { providerSettings } from '@waypost/providers/settings'
import { addressProblem } from '@waypost/store/engine/postgresql-hosts'
import { leastConnections, poolings, usualConnections } from '@waypost/store/engine/postgresql-session'
import { roles } from '@waypost/store/tables/applications/nodes'
import { z } from 'zod'

export const logLevels = ['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'] as const

const maxWorkers = 64

/** An address that may contain a password. */
const secretAddress = (form: RegExp, wants: string, example: string) =>
  said(z.string().trim().regex(form).optional(), wants, example, 'secret')

const databaseAddress = () =>
  secretAddress(
    /^postgres(ql)?:\/\//,
    'an address that begins with postgres:// or postgresql://, with what is special in the password percent-encoded',
    'postgres://user:password@host:5432/waypost',
  )

/** Texts of one form. */
const textsThat = (fit: (text: string) => boolean) => z.array(z.string().refine(fit))

const addressSettings = {
  WAYPOST_PORT: whole(0, 65_535, 3000, ' (0: any that is free)').describe('The port of the service.'),
  WAYPOST_HOST: said(
    z
      .string()
      .trim()
      .refine((host) => URL.canParse(`http://${hostInAddress(host)}`))
      .default('127.0.0.1'),
    'an address of this machine or a host name, without http:// and without a port',
    '0.0.0.0',
  ).describe('The address that the service listens on.'),
  WAYPOST_BASE_URL: baseAddress('https://api.example.com').describe(
    'The address that clients and browsers use. It may have a path. Default: http://WAYPOST_HOST:WAYPOST_PORT.',
  ),
  WAYPOST_TRUSTED_PROXIES: said(
    list().default([]).pipe(textsThat(isRange)),
    'addresses or ranges, with commas',
    '10.0.0.0/8',
  ).describe('Proxies whose X-Forwarded-For header is trusted. Default: none.'),
  WAYPOST_SHUTDOWN_ANNOUNCE_MS: whole(0, 60_000, 500).describe(
    'How long a stopping node still answers, with /ready at 503 and Connection: close, before it closes its port. Set it to more than the load balancer needs to notice a failed health check.',
  ),
}

const storeSettings = {
  WAYPOST_DATA_DIR: said(z.string().trim().min(1).default('./data'), 'a folder', './data').describe(
    'The folder of the SQLite store and of the key file. One node per folder.',
  ),
  DATABASE_URL: databaseAddress().describe(
    'PostgreSQL instead of SQLite. Any number of nodes can share it. Its fsync and synchronous_commit must be on. Several hosts with commas (postgres://user:password@db1:5432,db2:5432/waypost) are a primary and its standbys: nodes use the one that accepts changes. target_session_attrs can be read-write (default), primary or any.',
  ),
  WAYPOST_DATABASE_CONNECTIONS: whole(leastConnections, 500, usualConnections).describe(
    'The maximum number of connections from this node to PostgreSQL. With WAYPOST_WORKERS, each process has so many.',
  ),
  WAYPOST_DATABASE_POOLING: oneOf(poolings, 'auto').describe(
    'Whether a pooler such as PgBouncer is in front of PostgreSQL, and its mode. auto detects a pooler in transaction mode.',
  ),
  WAYPOST_DATABASE_DIRECT_URL: databaseAddress().describe(
    "PostgreSQL's own address where DATABASE_URL is a pooler's. Nodes then listen there for the changes of other nodes, and poll rarely.",
  ),
  WAYPOST_NOTIFICATION_DAYS: whole(2, 90, 7).describe(
    'How many days notifications and the log of their deliveries are stored. During this time they can be read and replayed.',
  ),
  WAYPOST_REGION: oneOf(['us', 'eu'], 'us').describe('The region that applications report.'),
}

const secretSettings = {
  WAYPOST_SECRET_KEY: text('32 bytes as base64 or hex (openssl rand -base64 32)', '…', 'secret').describe(
    'The key that encrypts stored credentials. During a rotation: "new,old". Several nodes need the same key. Default: secret.key in the data folder, created at the first start.',
  ),
  WAYPOST_API_KEY: text('a random text (openssl rand -hex 32)', '…', 'secret').describe(
    'The API key of the sandbox application. The service creates it at the start unless it exists; a revoked key stays revoked. Default: a random key, printed once at the first start.',
  ),
  WAYPOST_ADMIN_PASSWORD: text('a password of 8 characters or more', '…', 'secret').describe(
    'The password of the installation (user "admin", HTTP Basic, and the dashboard). Default: a random one, printed once, which must be changed at the first sign-in.',
  ),
  WAYPOST_PASSWORD_LIST: text(
    'a file with one password, or one SHA-1 hash, to a line',
    '/etc/waypost/passwords.txt',
  ).describe(
    'Further passwords that administrators cannot choose. Hashes must be sorted, as Have I Been Pwned publishes them.',
  ),
  WAYPOST_METRICS_TOKEN: text('16 characters or more (openssl rand -hex 32)', '…', 'secret').describe(
    "The bearer token for /metrics. Without it, /metrics takes the administrator's password, and is open only while no other machine can reach the service.",
  ),
}

const nodeSettings = {
  WAYPOST_ROLES: said(
    z
      .string()
      .default('api,worker')
      .transform((list) => list.split(',').map((role) => role.trim()))
      .pipe(z.array(z.enum(roles)).min(1)),
    'api, worker, or both with a comma; instead of worker also deliverer or watcher alone',
    'api,worker',
  ).describe(
    'What this node does: api answers requests, worker works in the background. deliverer (deliveries, sending, housekeeping) and watcher (changes of accounts) are the two halves of worker. Every node answers /health, /ready and /metrics.',
  ),
  WAYPOST_WORKERS: said(
    z.union([z.literal('auto'), z.coerce.number().int().min(1).max(maxWorkers)]).default(1),
    `a whole number from 1 to ${maxWorkers}, or auto: one per processor`,
    '4',
  ).describe(
    'How many processes run behind the port, with a supervisor that replaces them in turn at SIGHUP (docs/operations.md). Needs PostgreSQL: SQLite has one process. Each process is a node, with connections of its own.',
  ),
  WAYPOST_LOG_LEVEL: oneOf(logLevels, 'info').describe(
    'The lowest level that is logged. Successful requests are logged at debug.',
  ),
  WAYPOST_POLL_SECONDS: whole(1, 3600, 60).describe(
    'How often accounts are polled for changes that their provider does not report by itself.',
  ),
  WAYPOST_RATE_LIMITS: flag(true).describe('Whether the request limits in the API reference apply.'),
  WAYPOST_SIGNATURE_HEADER: said(
    z
      .string()
      .trim()
      .toLowerCase()
      .regex(/^[a-z0-9-]+$/)
      .default('x-service-signature'),
    'the name of a header: letters, digits and dashes',
    'x-service-signature',
  ).describe('The header with the signature of a webhook delivery.'),
  WAYPOST_ON_UNKNOWN: oneOf(['hold', 'resend'], 'hold').describe(
    'What happens to a message when the connection broke during sending and the message is not in the Sent folder. hold reports a failure to the application. resend sends it again, and it may arrive twice.',
  ),
}

const egressSettings = {
  WAYPOST_EGRESS: said(z.enum(['public', 'private']).optional(), 'public or private', 'public').describe(
    'Whether outgoing connections may go to private addresses. With private, anyone with an API key or a mailbox can make the service connect to hosts in your network. Default: public; private while only this machine can reach the service.',
  ),
  WAYPOST_EGRESS_ALLOW: said(
    list().pipe(textsThat(isAllowEntry).min(1)).optional(),
    'hosts (mail.example.com), names below one (*.example.com), addresses or ranges, each with a port or without, with commas',
    '*.googleapis.com,mail.example.com:993,203.0.113.0/24',
  ).describe(
    'The only hosts that the service may connect to for providers, mailboxes, DAV, webhooks and pictures. It narrows WAYPOST_EGRESS. docs/operations.md lists the hosts of the providers. Default: all hosts.',
  ),
  WAYPOST_EGRESS_ADDRESSES: said(
    list().pipe(textsThat(isRange)).optional(),
    'addresses or ranges, with commas',
    '203.0.113.7,203.0.113.0/28',
  ).describe(
    'The addresses that deliveries come from, as receivers see them (those of a NAT, for example). GET /v3/webhooks/ip-addresses returns them. Default: the addresses of the network interfaces.',
  ),
}

const accessSettings = {
  WAYPOST_CUSTOMER_DATA: oneOf(['on', 'off'], 'on').describe(
    'Whether administrators can read and change mail, calendars, contacts and notifications of customers. on audits every access; off answers 403, and only API keys have access.',
  ),
  WAYPOST_DOCS: oneOf(['on', 'off'], 'on').describe(
    'Whether /docs, /openapi.json and /llms.txt are public. With off they answer 404, except for the dashboard of a signed-in administrator.',
  ),
  WAYPOST_OAUTH: oneOf(['compatible', 'strict'], 'compatible').describe(
    'Rules for the hosted sign-in. strict requires PKCE with S256, and refresh tokens work once and expire after 90 days unless the application sets another lifetime.',
  ),
}

const telemetrySettings = {
  WAYPOST_OTLP_URL: baseAddress('http://127.0.0.1:4318').describe(
    'A receiver of OpenTelemetry traces (OTLP over HTTP as JSON), without /v1/traces. Default: no traces.',
  ),
  WAYPOST_OTLP_HEADERS: said(
    list()
      .default([])
      .pipe(z.array(z.string().regex(/^[\w-]+=.+$/))),
    'headers as name=value, with commas between several',
    'authorization=…',
    'secret',
  ).describe('Headers for that receiver.'),
  WAYPOST_TRACE_RATIO: said(z.coerce.number().min(0).max(1).default(1), 'a number from 0 to 1', '0.1').describe(
    'The share of requests that is traced. The traceparent header of a request overrides it.',
  ),
}

const mailSettings = {
  WAYPOST_SMTP_URL: secretAddress(
    /^smtps?:\/\//,
    'an address that begins with smtp:// or smtps://',
    'smtps://user:password@mail.example.com',
  ).describe(
    'The mail server for invitations of virtual calendars and for warnings. Its certificate is verified unless it is on this machine. Default: no mail.',
  ),
  WAYPOST_MAIL_FROM: text('an address, or a name and an address', 'Calendar <calendar@example.com>').describe(
    'The sender of these mails. Set it together with WAYPOST_SMTP_URL.',
  ),
  WAYPOST_IMAP_URL: secretAddress(
    /^imaps?:\/\/[^/]+@./,
    'an address that begins with imap:// or imaps:// and names the user',
    'imaps://user:password@mail.example.com',
  ).describe(
    'The mailbox of WAYPOST_MAIL_FROM. The service reads the replies of guests there every WAYPOST_POLL_SECONDS, applies them to events, and changes nothing. imap:// requires STARTTLS unless it is on this machine. Default: replies are not read.',
  ),
  WAYPOST_OPERATOR_EMAIL: said(
    list().default([]).pipe(textsThat(isMailAddress).max(20)),
    'email addresses, with commas between several, at most 20',
    'ops@example.com',
  ).describe(
    'Who gets mails about the service, such as those about failed jobs. They need WAYPOST_SMTP_URL. Default: the owners who have their own account.',
  ),
  WAYPOST_MAIL_PER_DAY: whole(0, 1_000_000, 250).describe(
    'How many of these mails an application can send per day, unless an administrator sets mail_per_day for it.',
  ),
}

/** The settings of the service itself. */
export const ownSettings = z.object({
  ...addressSettings,
  ...storeSettings,
  ...secretSettings,
  ...nodeSettings,
  ...egressSettings,
  ...accessSettings,
  ...oidcVariables,
  ...channelVariables,
  ...telemetrySettings,
  ...mailSettings,
})

/** Every setting by area, in the order of docs/generated/settings.md and example.env. */
export const settingAreas: readonly { title: string; variables: z.ZodRawShape }[] = [
  { title: 'Address', variables: addressSettings },
  { title: 'Store', variables: storeSettings },
  { title: 'Keys and passwords', variables: secretSettings },
  { title: 'What a node does', variables: nodeSettings },
  { title: 'Outgoing connections', variables: egressSettings },
  { title: 'Access', variables: accessSettings },
  { title: 'Single sign-on of administrators (OpenID Connect)', variables: oidcVariables },
  { title: 'Notification channels', variables: channelVariables },
  { title: 'Traces', variables: telemetrySettings },
  { title: "The service's own mail", variables: mailSettings },
  ...providerSettings.map(({ kind, variables }) => ({ title: providerKinds[kind].title, variables })),
]

const settingsOfProviders: z.ZodRawShape = Object.fromEntries(
  providerSettings.flatMap(({ variables }) => Object.entries(variables)),
)

/** Every setting. */
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
  for (const name of ['DATABASE_URL', 'WAYPOST_DATABASE_DIRECT_URL'] as const) {
    const wrong = values[name] === undefined ? undefined : addressProblem(values[name])
    if (wrong !== undefined) problems.push(`${name} has a wrong value (not shown): ${wrong}`)
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
  const { WAYPOST_WORKERS: workers } = values
  if (workers !== 'auto' && workers > 1 && values.DATABASE_URL === undefined) {
    problems.push(
      `WAYPOST_WORKERS=${workers} needs PostgreSQL, because one process uses a SQLite store: set DATABASE_URL, or unset WAYPOST_WORKERS`,
    )
  }
  if ((values.WAYPOST_SMTP_URL === undefined) !== (values.WAYPOST_MAIL_FROM === undefined)) {
    problems.push('WAYPOST_SMTP_URL and WAYPOST_MAIL_FROM go together: set both or neither')
  }
  if (values.WAYPOST_IMAP_URL !== undefined && values.WAYPOST_MAIL_FROM === undefined) {
    problems.push('WAYPOST_IMAP_URL is the mailbox of WAYPOST_MAIL_FROM: set that too')
  }
  return [...problems, ...oidcProblems(values), ...channelProblems(values)]
}
