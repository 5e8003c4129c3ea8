/**
 * Explains why PostgreSQL cannot be used, for the person who configured its address. The message never contains the
 * password.
 */
import { addressProblem, readHosts } from './postgresql-hosts.ts'
import { UnusableStore } from './sqlite-file.ts'

interface Place {
  at: string
  host: string
  user: string
  database: string
}

function placeOf(url: string): Place {
  const { hosts, user = 'the user of the system', database = user } = readHosts(url)
  const names = hosts.map(({ name }) => name)
  return { at: names.join(', '), host: names.map((name) => name.replace(/:\d+$/, '')).join(', '), user, database }
}

const unknownHost = ({ host }: Place): [string, string] => [
  `PostgreSQL cannot be reached: the host ${host} is not known`,
  'check its name in DATABASE_URL, and the name service of this machine',
]
const silent = ({ at }: Place): [string, string] => [
  `PostgreSQL cannot be reached: ${at} does not answer`,
  'check host and port in DATABASE_URL, and what firewalls let through',
]

/** The hosts of the address fail for different reasons, or one of them is a standby. The message names each. */
const noPrimary = ({ message }: Error): [string, string] => [
  `no PostgreSQL server accepts changes: ${message}`,
  'start the primary, promote a standby, or mend the hosts in DATABASE_URL',
]

/**
 * Keyed by the error code of the network or of PostgreSQL
 * (https://www.postgresql.org/docs/current/errcodes-appendix.html).
 */
const problems: Record<string, (place: Place) => [problem: string, remedy: string]> = {
  ECONNREFUSED: ({ at }) => [
    `PostgreSQL cannot be reached: nothing listens at ${at}`,
    'start it, or mend host and port in DATABASE_URL',
  ],
  ENOTFOUND: unknownHost,
  EAI_AGAIN: unknownHost,
  ETIMEDOUT: silent,
  EHOSTUNREACH: silent,
  '28P01': ({ at, user }) => [
    `PostgreSQL at ${at} does not take the password of the user ${user}`,
    'mend it in DATABASE_URL; what is special in a password is percent-encoded there',
  ],
  '28000': ({ at, user }) => [
    `PostgreSQL at ${at} does not let the user ${user} in`,
    'make the role (createuser), or let it in from this machine in pg_hba.conf',
  ],
  '3D000': ({ at, user, database }) => [
    `PostgreSQL at ${at} has no database ${database}`,
    `make it (createdb -O ${user} ${database}), or mend the name in DATABASE_URL`,
  ],
  '42501': ({ user, database }) => [
    `the user ${user} may not make tables in the database ${database}`,
    `make it the owner: alter database "${database}" owner to "${user}"`,
  ],
  '53300': ({ at }) => [
    `PostgreSQL at ${at} takes no more connections`,
    'raise max_connections, set WAYPOST_DATABASE_CONNECTIONS lower, or run fewer nodes',
  ],
  '40P01': ({ at }) => [
    `PostgreSQL at ${at} ended the transaction, because it and another one waited for each other (deadlock)`,
    'start again; nothing was changed',
  ],
  '55P03': ({ at }) => [
    `PostgreSQL at ${at} did not get a lock in time`,
    'end long transactions on the database, and start again; nothing was changed',
  ],
  '57014': ({ at }) => [
    `PostgreSQL at ${at} ended the statement: statement_timeout, or a person`,
    'behind a pooler, set WAYPOST_DATABASE_DIRECT_URL to PostgreSQL itself; then start again',
  ],
  '25006': ({ at }) => [
    `PostgreSQL at ${at} is read-only: it accepts no changes`,
    'name the primary in DATABASE_URL, promote this server if it is a standby, or turn default_transaction_read_only off',
  ],
  '57P03': ({ at }) => [`PostgreSQL at ${at} is starting or stopping`, 'start again in a moment'],
}

/** Messages of poolers in front of PostgreSQL. They use one code for every error, so the text decides. */
const refusals: readonly [said: RegExp, words: (place: Place, name: string) => [problem: string, remedy: string]][] = [
  [
    /unsupported startup parameter(?: in options)?: (\S+)/,
    ({ at }, name) => [
      `the pooler at ${at} refuses the parameter ${name}`,
      `remove it from DATABASE_URL, or name it in ignore_startup_parameters of the pooler`,
    ],
  ],
  [
    /no such database: (\S+)/,
    ({ at }, name) => [
      `the pooler at ${at} has no database ${name}`,
      'name it under [databases] of the pooler, or mend the name in DATABASE_URL',
    ],
  ],
  [
    /SASL authentication failed|password authentication failed|no such user/,
    ({ at, user }) => [
      `the pooler at ${at} does not take the password of the user ${user}`,
      'mend it in DATABASE_URL, or in auth_file of the pooler',
    ],
  ],
  [
    /no more connections allowed|query_wait_timeout/,
    ({ at }) => [
      `the pooler at ${at} has no connection to lend`,
      'raise max_client_conn or default_pool_size of the pooler, or set WAYPOST_DATABASE_CONNECTIONS lower',
    ],
  ],
]

/** Translates an error of PostgreSQL into an explanation. Returns the error itself if no explanation is available. */
export function connectionProblem(error: unknown, url: string | undefined): unknown {
  const place = url !== undefined && addressProblem(url) === undefined ? placeOf(url) : undefined
  if (!place) return error
  for (let each = error; each instanceof Error; each = each.cause) {
    for (const [said, wordsOf] of 'code' in each && each.code === '08P01' ? refusals : []) {
      const found = said.exec(each.message)
      if (found) return new UnusableStore(...wordsOf(place, found[1] ?? ''), error)
    }
    const words = 'code' in each ? problems[String(each.code)] : undefined
    if (words) return new UnusableStore(...words(place), error)
    if (each.name === 'NoPrimary' && each.cause === undefined) return new UnusableStore(...noPrimary(each), error)
    if (/timeout/i.test(each.message) && !('code' in each)) return new UnusableStore(...silent(place), error)
  }
  return error
}
