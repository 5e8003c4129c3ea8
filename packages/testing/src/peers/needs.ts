/**
 * The servers and programs that tests use beside Node. `scripts/test-setup.ts` installs them. Where one is missing, the
 * tests that need it are skipped, and the last lines of the run name it. To add a server, add an entry here.
 *
 * A test file needs a server when it imports one of the server's `modules`, directly or through other test files.
 * A single test that runs a program calls `needsProgram`.
 */
import { existsSync } from 'node:fs'
import type { TestContext } from 'vitest'
import { cyrusImapdFolder, findBrowser, findCyrus, findPostgres, findProgram, postgresFolders } from './debian.ts'

export interface Need {
  name: string
  why: string
  present(): boolean
  packages: string[]
  /** A package that conflicts with the others. Its files are unpacked into a folder. */
  unpack?: { package: string; into: string }
  /** Files of `packages/` whose importers need the server. */
  modules?: string[]
}

const path = process.env.PATH ?? ''
const peer = (...names: string[]): string[] => names.map((name) => `testing/src/peers/${name}.ts`)
const hasPrograms = (...names: string[]): boolean => names.every((name) => findProgram(name) !== undefined)

export const needs = [
  {
    name: 'PostgreSQL 15 or newer',
    why: 'the store is tested on a real server',
    present: () => findPostgres(postgresFolders(path)) !== undefined,
    packages: ['postgresql'],
    modules: peer('postgres', 'database-url'),
  },
  {
    name: 'PgBouncer',
    why: 'nodes reach their store through a pooler that lends connections by the transaction',
    present: () => hasPrograms('pgbouncer'),
    packages: ['pgbouncer'],
    modules: peer('pgbouncer'),
  },
  {
    name: 'Dovecot',
    why: 'mail is read from a real IMAP server',
    present: () =>
      hasPrograms('dovecot') && ['imap', 'submission', 'lmtp'].every((name) => existsSync(`/usr/lib/dovecot/${name}`)),
    packages: ['dovecot-imapd', 'dovecot-submissiond', 'dovecot-lmtpd'],
    modules: peer('dovecot'),
  },
  {
    name: 'Exim',
    why: 'mail is sent through a real mail transfer agent, which writes real bounces',
    present: () => hasPrograms('exim4'),
    packages: ['exim4-daemon-light'],
    modules: peer('exim'),
  },
  {
    name: 'Cyrus',
    why: 'mail is read from a second IMAP server, which knows threads and ids of its own; calendars from one that schedules',
    present: () => findCyrus() !== undefined,
    packages: ['cyrus-common', 'cyrus-caldav', 'sasl2-bin', 'libsasl2-modules'],
    unpack: { package: 'cyrus-imapd', into: cyrusImapdFolder },
    modules: peer('cyrus'),
  },
  {
    name: 'Radicale',
    why: 'calendars and contacts are read from a second DAV server, which schedules nothing',
    present: () => hasPrograms('radicale'),
    packages: ['radicale'],
    modules: peer('radicale'),
  },
  {
    name: 'exchangelib',
    why: 'a client of Exchange that others wrote is a witness of the simulator',
    present: () => hasPrograms('python3') && existsSync('/usr/lib/python3/dist-packages/exchangelib'),
    packages: ['python3-exchangelib'],
  },
  {
    name: 'curl',
    why: 'a client that others wrote signs in to the simulated Exchange by NTLM',
    present: () => hasPrograms('curl'),
    packages: ['curl'],
  },
  {
    name: 'Python',
    why: 'examples and archives are tried with the language itself',
    present: () => hasPrograms('python3'),
    packages: ['python3'],
    modules: ['server/test/exports/readers.ts'],
  },
  {
    name: 'zsh',
    why: 'completion of the command is tried in the shell itself',
    present: () => hasPrograms('zsh'),
    packages: ['zsh'],
  },
  {
    name: 'Chromium',
    why: 'pages are tested in a real browser',
    present: () => findBrowser() !== undefined,
    packages: ['chromium-headless-shell'],
    modules: peer('browser'),
  },
  {
    name: 'systemd-analyze',
    why: 'systemd itself checks the unit of the service',
    present: () => hasPrograms('systemd-analyze'),
    packages: ['systemd'],
  },
  {
    name: 'promtool',
    why: 'rules of Prometheus are tried by its own tool',
    present: () => hasPrograms('promtool'),
    packages: ['prometheus'],
  },
  {
    name: 'nginx and Caddy',
    why: 'the service runs behind proxies that are set up as the guide says',
    present: () => hasPrograms('nginx', 'caddy'),
    packages: ['nginx-light', 'caddy'],
  },
  {
    name: 'NATS server',
    why: 'notifications are published to a real JetStream',
    present: () => hasPrograms('nats-server'),
    packages: ['nats-server'],
    modules: peer('nats'),
  },
  {
    name: 'RabbitMQ',
    why: 'notifications are published to a real AMQP broker',
    present: () => hasPrograms('rabbitmq-server', 'epmd'),
    packages: ['rabbitmq-server'],
    modules: peer('rabbitmq'),
  },
  {
    name: 'openssl',
    why: 'the servers of the tests need certificates',
    present: () => hasPrograms('openssl'),
    packages: ['openssl'],
    modules: peer('certificates'),
  },
] as const satisfies readonly Need[]

export type NeedName = (typeof needs)[number]['name']

export const missingNeeds = (): Need[] => needs.filter((need) => !need.present())

/** The note of a skipped test, from which the end of the run names what is missing. */
export const skipNote = (name: string): string => `needs ${name}`

/** Skips the test that calls it where a program is missing. */
export function needsProgram({ skip }: Pick<TestContext, 'skip'>, name: NeedName): void {
  const need: Need | undefined = needs.find((each) => each.name === name)
  if (need?.present() === false) skip(skipNote(name))
}

export const packagesOf = ({ packages, unpack }: Need): string[] =>
  unpack === undefined ? packages : [...packages, unpack.package]

/** The commands that install what is missing on Debian. */
export function installCommands(wanted: readonly Need[]): string[] {
  const packages = wanted.flatMap((need) => need.packages)
  const unpacked = wanted.flatMap(({ unpack }) => unpack ?? [])
  return [
    `apt-get update && apt-get install -y --no-install-recommends ${packages.join(' ')}`,
    ...unpacked.map(
      ({ package: name, into }) => `cd "$(mktemp -d)" && apt-get download ${name} && dpkg-deb -x ${name}_*.deb ${into}`,
    ),
  ]
}
