/**
 * Runs before the tests. Installs the npm packages of tools/ and the real servers that the tests use. As root on
 * Debian it installs missing packages; otherwise it prints the command. To add a peer, add an entry to `needs`.
 */
import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempDisposableSync, readdirSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import {
  cyrusImapdFolder,
  findBrowser,
  findCyrus,
  findPostgres,
  findProgram,
  isExecutable,
  postgresFolders,
} from '../packages/server/test/peers/debian.ts'
import { installTools } from './tools.ts'

type Need = {
  name: string
  why: string
  present(): boolean
  packages: string[]
  /** A package that conflicts with the others: its files are unpacked into a folder. */
  unpack?: { package: string; into: string }
}

const path = process.env.PATH ?? ''

const needs: Need[] = [
  {
    name: 'PostgreSQL 15 or newer',
    why: 'the store is tested on a real server',
    present: () => findPostgres(postgresFolders(path)) !== undefined,
    packages: ['postgresql'],
  },
  {
    name: 'PgBouncer',
    why: 'nodes reach their store through a pooler that lends connections by the transaction',
    present: () => findProgram('pgbouncer') !== undefined,
    packages: ['pgbouncer'],
  },
  {
    name: 'dovecot',
    why: 'mail is read from a real IMAP server',
    present: () => ['imap', 'submission', 'lmtp'].every((name) => existsSync(`/usr/lib/dovecot/${name}`)),
    packages: ['dovecot-imapd', 'dovecot-submissiond', 'dovecot-lmtpd'],
  },
  {
    name: 'exim',
    why: 'mail is sent through a real mail transfer agent, which writes real bounces',
    present: () => findProgram('exim4') !== undefined,
    packages: ['exim4-daemon-light'],
  },
  {
    name: 'Cyrus',
    why: 'mail is read from a second IMAP server, which knows threads and ids of its own; calendars from one that schedules',
    present: () => findCyrus() !== undefined,
    packages: ['cyrus-common', 'cyrus-caldav', 'sasl2-bin', 'libsasl2-modules'],
    unpack: { package: 'cyrus-imapd', into: cyrusImapdFolder },
  },
  {
    name: 'Radicale',
    why: 'calendars and contacts are read from a second DAV server, which schedules nothing',
    present: () => findProgram('radicale') !== undefined,
    packages: ['radicale'],
  },
  {
    name: 'exchangelib',
    why: 'a client of Exchange that others wrote is a witness of the simulator',
    present: () => existsSync('/usr/lib/python3/dist-packages/exchangelib'),
    packages: ['python3-exchangelib'],
  },
  {
    name: 'curl',
    why: 'a client that others wrote signs in to the simulated Exchange by NTLM',
    present: () => findProgram('curl') !== undefined,
    packages: ['curl'],
  },
  {
    name: 'zsh',
    why: 'completion of the command is tried in the shell itself',
    present: () => findProgram('zsh') !== undefined,
    packages: ['zsh'],
  },
  {
    name: 'Chromium',
    why: 'pages are looked at in a real browser',
    present: () => findBrowser() !== undefined,
    packages: ['chromium-headless-shell'],
  },
  {
    name: 'systemd-analyze',
    why: 'the unit of the service is looked at by systemd itself',
    present: () => findProgram('systemd-analyze') !== undefined,
    packages: ['systemd'],
  },
  {
    name: 'promtool',
    why: 'rules of Prometheus are tried by its own tool',
    present: () => findProgram('promtool') !== undefined,
    packages: ['prometheus'],
  },
  {
    name: 'nginx and Caddy',
    why: 'the service runs behind proxies that are set up as the guide says',
    present: () => ['nginx', 'caddy'].every((name) => findProgram(name) !== undefined),
    packages: ['nginx-light', 'caddy'],
  },
  {
    name: 'NATS server',
    why: 'notifications are published to a real JetStream',
    present: () => findProgram('nats-server') !== undefined,
    packages: ['nats-server'],
  },
  {
    name: 'RabbitMQ',
    why: 'notifications are published to a real AMQP broker',
    present: () => findProgram('rabbitmq-server') !== undefined,
    packages: ['rabbitmq-server'],
  },
  {
    name: 'openssl',
    why: 'the servers of the tests need certificates',
    present: () => findProgram('openssl') !== undefined,
    packages: ['openssl'],
  },
]

installTools()

const missing = missingNeeds()
if (missing.length > 0) {
  for (const need of missing) {
    console.log(`The tests need ${need.name}: ${need.why}. Debian package: ${packagesOf(need).join(' ')}`)
  }
  if (!canInstall()) fail(`Install as root:\n${commandsFor(missing).join('\n')}`)
  install(missing)
  const still = missingNeeds()
  if (still.length > 0) fail(`Still missing after the install: ${still.map((need) => need.name).join(', ')}`)
}

function missingNeeds(): Need[] {
  return needs.filter((need) => !need.present())
}

function canInstall(): boolean {
  return process.getuid?.() === 0 && path.split(':').some((folder) => isExecutable(join(folder, 'apt-get')))
}

function packagesOf({ packages, unpack }: Need): string[] {
  return unpack === undefined ? packages : [...packages, unpack.package]
}

function commandsFor(wanted: Need[]): string[] {
  const packages = wanted.flatMap((need) => need.packages)
  const unpacked = wanted.flatMap(({ unpack }) => unpack ?? [])
  return [
    `  apt-get update && apt-get install -y --no-install-recommends ${packages.join(' ')}`,
    ...unpacked.map(
      ({ package: name, into }) =>
        `  cd "$(mktemp -d)" && apt-get download ${name} && dpkg-deb -x ${name}_*.deb ${into}`,
    ),
  ]
}

function install(wanted: Need[]): void {
  const packages = wanted.flatMap((need) => need.packages)
  console.log(`Installing with apt-get: ${wanted.flatMap(packagesOf).join(' ')}`)
  const deadline = performance.now() + 10 * 60_000
  using _cluster = withoutDefaultCluster()
  using _services = withoutServices()
  run('apt-get', ['update'], { deadline })
  run('apt-get', ['install', '-y', '--no-install-recommends', ...packages], { deadline })
  for (const { unpack } of wanted) if (unpack !== undefined) unpackPackage(unpack, deadline)
}

function unpackPackage({ package: name, into }: { package: string; into: string }, deadline: number): void {
  using folder = mkdtempDisposableSync(join(tmpdir(), 'waypost-package-'))
  run('apt-get', ['download', name], { deadline, cwd: folder.path })
  const [file] = readdirSync(folder.path)
  if (file === undefined) throw new Error(`apt-get download ${name} brought nothing`)
  run('dpkg-deb', ['-x', join(folder.path, file), into], { deadline })
}

function run(program: string, args: string[], { deadline, cwd }: { deadline: number; cwd?: string }): void {
  const { status, signal, error } = spawnSync(program, args, {
    stdio: 'inherit',
    env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' },
    timeout: Math.max(1, Math.ceil(deadline - performance.now())),
    ...(cwd === undefined ? {} : { cwd }),
  })
  if (status === 0) return
  throw new Error(`${program} ${args.join(' ')}: ${error?.message ?? signal ?? `exit code ${status}`}`)
}

/**
 * Debian starts a server when it is installed, unless policy-rc.d forbids it. Our file forbids it during the install.
 * An existing file belongs to the machine's owner and is left alone.
 */
function withoutServices(): Disposable {
  const file = '/usr/sbin/policy-rc.d'
  if (existsSync(file)) return { [Symbol.dispose]: () => {} }
  writeFileSync(file, '#!/bin/sh\nexit 101\n', { mode: 0o755 })
  return { [Symbol.dispose]: () => rmSync(file) }
}

/**
 * Debian's PostgreSQL package creates and starts a cluster unless createcluster.conf forbids it. Ours forbids it
 * during the install; then the file of the package, which ucf stored as .ucf-dist, takes its place. An existing file
 * is left alone.
 */
function withoutDefaultCluster(): Disposable {
  const file = '/etc/postgresql-common/createcluster.conf'
  const packaged = `${file}.ucf-dist`
  if (existsSync(file)) return { [Symbol.dispose]: () => {} }
  mkdirSync(dirname(file), { recursive: true })
  writeFileSync(file, 'create_main_cluster = false\n')
  return {
    [Symbol.dispose]: () => {
      if (existsSync(packaged)) renameSync(packaged, file)
      else rmSync(file)
    },
  }
}

function fail(message: string): never {
  console.error(message)
  process.exit(1)
}
