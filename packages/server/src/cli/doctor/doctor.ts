/** `waypost doctor`: looks at settings, store, clock, the way out and the service's own mail, and says how to mend what it finds. */

import { lookup } from 'node:dns/promises'
import { existsSync, statfsSync, statSync } from 'node:fs'
import { keyFileOf } from '../../applications/opening.ts'
import { keyCheckContext } from '../../applications/rotation.ts'
import { type Config, type ConfigSecrets, readConfig } from '../../config.ts'
import { systemClock } from '../../lib/clock.ts'
import { keyRingFromFile, keyRingFromText } from '../../lib/crypto/key-ring.ts'
import { createSecrets } from '../../lib/crypto/secrets.ts'
import { type AddressMode, addressVerdict, isLoopbackHost } from '../../lib/egress/addresses.ts'
import { createLog } from '../../lib/log.ts'
import { tryReplyMailbox } from '../../sending/replies/reply-mailbox.ts'
import { trySystemMail } from '../../sending/system-mail.ts'
import { connectionProblem } from '../../store/engine/connection-problem.ts'
import type { Database } from '../../store/engine/database.ts'
import { checkDurability } from '../../store/engine/durability.ts'
import { openDatabase } from '../../store/engine/open.ts'
import { missingSettings } from '../../store/engine/postgresql-session.ts'
import { findDamage, UnusableStore } from '../../store/engine/sqlite-file.ts'
import { countMigrations, migrations } from '../../store/migrations/migrate.ts'
import { readFact } from '../../store/tables/applications/installation.ts'
import type { PlainRun } from '../program/command.ts'
import { allowFindings } from './egress.ts'
import { type Finding, ok, printFindings, problem, warning } from './findings.ts'

const textOf = (error: unknown): string => (error instanceof Error ? error.message : String(error))

export const doctorCommand: PlainRun = async ({ terminal, output }) => {
  const { config, secrets } = readConfig(terminal.env)
  return printFindings(output, await examine(config, secrets))
}

/** Runs every check; none changes anything. */
export async function examine(config: Config, secrets: ConfigSecrets): Promise<Finding[]> {
  const findings = [...settingsFindings(config, secrets)]
  const log = createLog('silent')
  let forwardedBy: string | undefined
  try {
    const file = `${config.dataDir}/waypost.db`
    if (secrets.databaseUrl === undefined && !existsSync(file)) {
      findings.push(warning('store', `no store yet in ${config.dataDir}`, 'start the service once: npm start'))
    } else {
      await using database = await openDatabase(config.dataDir, secrets.databaseUrl, {
        ...{ log, lock: false, postgresql: config.postgresql },
      })
      forwardedBy = await readFact(database, 'forwarded_by').catch(() => undefined)
      findings.push(...(await storeFindings(database)), ...(await keyFindings(database, config, secrets)))
      if (database.engine === 'sqlite') findings.push(...fileFindings(file))
    }
  } catch (caught) {
    const error = connectionProblem(caught, secrets.databaseUrl)
    const remedy = 'check DATABASE_URL, that PostgreSQL runs, or the rights on the data folder'
    const how = error instanceof UnusableStore ? error.remedy : remedy
    findings.push(problem('store', `the store cannot be opened: ${textOf(error)}`, how))
  }
  findings.push(
    ...exposureFindings(config, secrets, forwardedBy),
    ...(
      await Promise.all([
        egressFinding(addressModeOf(config, forwardedBy)),
        mailFinding(secrets),
        repliesFinding(secrets),
      ])
    ).flat(),
  )
  return findings
}

const isExposed = ({ loopbackOnly }: Config, forwardedBy: string | undefined): boolean =>
  !loopbackOnly || forwardedBy !== undefined

const addressModeOf = (config: Config, forwardedBy: string | undefined): AddressMode =>
  config.egress ?? (isExposed(config, forwardedBy) ? 'public' : 'private')

/** Who reaches the service, what they reach through it, and what is open to them. */
function* exposureFindings(
  config: Config,
  { metricsToken }: ConfigSecrets,
  forwardedBy: string | undefined,
): Generator<Finding> {
  if (config.loopbackOnly && forwardedBy !== undefined) {
    yield warning(
      'exposure',
      `the service listens on loopback alone, but requests came through a proxy (${forwardedBy})`,
      'set WAYPOST_BASE_URL to the address of the proxy, and WAYPOST_TRUSTED_PROXIES to its own',
    )
  } else if (!isExposed(config, forwardedBy)) yield ok('exposure', 'nobody but this machine reaches the service')
  else yield ok('exposure', 'others than this machine reach the service')

  const exposed = isExposed(config, forwardedBy)
  const mode = addressModeOf(config, forwardedBy)
  if (mode === 'public') yield ok('egress', 'private addresses are out of reach')
  else if (!exposed) {
    yield ok(
      'egress',
      'private addresses may be reached until a request comes through a proxy, or WAYPOST_EGRESS says otherwise',
    )
  } else {
    yield warning(
      'egress',
      'WAYPOST_EGRESS=private: whoever has an API key, or signs in with a mailbox, makes the service connect to hosts inside, and learns which answer',
      'unset it, unless all of them may reach what this machine reaches',
    )
  }

  yield* allowFindings(config)
  yield config.docs
    ? ok('docs', '/docs and /openapi.json are open to everybody; WAYPOST_DOCS=off closes them')
    : ok('docs', 'WAYPOST_DOCS=off: /docs is closed, and /openapi.json is for signed-in administrators')

  if (metricsToken !== undefined)
    yield ok('metrics', '/metrics takes the token of WAYPOST_METRICS_TOKEN, or the administrator')
  else if (exposed)
    yield ok('metrics', '/metrics takes the administrator alone; WAYPOST_METRICS_TOKEN opens it to Prometheus')
  else yield ok('metrics', '/metrics is open to this machine')
}

function* settingsFindings(config: Config, secrets: ConfigSecrets): Generator<Finding> {
  yield ok('settings', `base address ${config.baseUrl}, roles ${config.roles.join(' and ')}`)
  const url = new URL(config.baseUrl)
  if (isLoopbackHost(url.hostname)) {
    yield warning(
      'tracking',
      'the base address is this machine alone: the links and pixels of tracked messages are dead for their recipients',
      'set WAYPOST_BASE_URL to the address at which others reach the service, or do not track',
    )
  } else if (url.protocol === 'http:') {
    yield warning(
      'settings',
      'the base address is plain http',
      'put a TLS proxy in front and set WAYPOST_BASE_URL to https',
    )
  }
  const file = keyFileOf(config)
  if (secrets.secretKey !== undefined) yield ok('key', 'the key comes from WAYPOST_SECRET_KEY')
  else if (!existsSync(file))
    yield warning('key', `no key yet at ${file}`, 'the first start makes it; keep a copy apart')
  else if ((statSync(file).mode & 0o077) !== 0) {
    yield problem('key', `${file} can be read by others`, `chmod 600 ${file}`)
  } else yield ok('key', `the key stands in ${file}: keep a copy apart from the store's backups`)
}

/** Room that a store needs to go on for a while. */
const leastRoom = 256 * 1024 * 1024

function* fileFindings(file: string): Generator<Finding> {
  const damage = findDamage(file)
  if (damage === undefined) yield ok('store', 'the pages of the database file are whole')
  else yield problem('store', `${file} is damaged: ${damage}`, 'stop the service and restore the file from a backup')
  const { bavail, bsize } = statfsSync(file)
  if (bavail * bsize < leastRoom) {
    const room = Math.floor((bavail * bsize) / 1024 / 1024)
    yield warning('store', `the disk of the data folder has ${room} MB left`, 'make room, or move the data folder')
  }
}

async function storeFindings(database: Database): Promise<Finding[]> {
  const findings: Finding[] = []
  const count = await countMigrations(database)
  if (count === undefined) findings.push(warning('store', 'the store is empty', 'run: npx waypost db migrate'))
  else if (count < migrations.length) {
    findings.push(
      warning('store', `${migrations.length - count} migrations are missing`, 'run: npx waypost db migrate'),
    )
  } else if (count > migrations.length) {
    findings.push(
      problem('store', 'a newer version of Waypost wrote the store', 'run that version, or restore a backup'),
    )
  } else findings.push(ok('store', `${database.engine} answers and is up to date`))
  const unsafe = await checkDurability(database)
  findings.push(
    unsafe
      ? problem('store', unsafe, 'turn it on in postgresql.conf and reload: what was acknowledged could be lost')
      : ok('store', 'commits are durable'),
  )
  if (database.isPooled()) findings.push(await poolingFinding(database))
  const skew = Math.abs((await database.now()) - systemClock.now())
  findings.push(
    // The service's time follows the store's; beyond this, times in logs and of certificates are wrong.
    skew < 60_000
      ? ok('clock', `this machine and the store differ by ${skew} ms`)
      : problem(
          'clock',
          `this machine and the store differ by ${Math.round(skew / 1000)} s`,
          'synchronise the clocks: systemctl enable --now systemd-timesyncd',
        ),
  )
  return findings
}

/** Whether what a pooler lends is set as the service needs it. */
async function poolingFinding(database: Database): Promise<Finding> {
  const missing = await missingSettings(database)
  return missing.length === 0
    ? ok('store', 'a pooler lends connections by the transaction: statements are prepared for each')
    : warning(
        'store',
        `connections of the pooler come without ${missing.join(', ')}`,
        'start the service, which sets them for its role; the pooler has them on connections that it opens anew (RECONNECT). Where the role may not, its owner sets them: docs/operations.md',
      )
}

/** Whether the key is the one that the store was sealed with. */
async function keyFindings(database: Database, config: Config, { secretKey }: ConfigSecrets): Promise<Finding[]> {
  const sealed = await readFact(database, 'key_check').catch(() => undefined)
  if (sealed === undefined) return []
  try {
    const ring = secretKey === undefined ? keyRingFromFile(keyFileOf(config)) : keyRingFromText(secretKey)
    createSecrets(ring).open(sealed, keyCheckContext)
    return [ok('key', 'the key opens the store')]
  } catch (error) {
    return [
      problem('key', `the key does not open the store: ${textOf(error)}`, 'restore the key the store was made with'),
    ]
  }
}

/** Whether the server of the service's own mail answers and takes the login; nothing is sent. */
async function mailFinding({ mail }: ConfigSecrets): Promise<Finding> {
  if (!mail) {
    return ok(
      'mail',
      'the service has no mail identity: invitations of virtual calendars and mails about webhooks are not sent',
    )
  }
  try {
    const { server, signedIn } = await trySystemMail(mail)
    return ok('mail', `${server} answers${signedIn ? ' and takes the login' : ''}; mails come from ${mail.from}`)
  } catch (error) {
    return problem(
      'mail',
      `mail of the service itself cannot be sent: ${textOf(error)}`,
      'check WAYPOST_SMTP_URL and WAYPOST_MAIL_FROM, and that the mail server runs',
    )
  }
}

/** Whether the mailbox of answers to invitations can be signed in to and opened; nothing is read. */
async function repliesFinding({ mail }: ConfigSecrets): Promise<Finding[]> {
  if (mail?.inbox === undefined) return []
  try {
    const { server, folder, tells } = await tryReplyMailbox(mail.inbox)
    const how = tells ? 'answers are read as they come' : 'the server cannot tell what comes (IDLE), so it is asked'
    return [ok('replies', `${server} opens the folder ${folder} of answers to invitations; ${how}`)]
  } catch (error) {
    const remedy = 'check WAYPOST_IMAP_URL: server, user, password and folder'
    return [problem('replies', `the mailbox of answers to invitations cannot be read: ${textOf(error)}`, remedy)]
  }
}

async function egressFinding(mode: AddressMode): Promise<Finding> {
  const host = 'example.com'
  try {
    const addresses = await Promise.race([
      lookup(host, { all: true }),
      new Promise<never>((_, reject) => setTimeout(() => reject(new Error('no answer in 5 s')), 5_000).unref()),
    ])
    const refused = addresses.find(({ address }) => !addressVerdict(address, { mode }).allowed)
    if (!refused) return ok('egress', 'names resolve')
    return problem(
      'egress',
      `${host} resolves to ${refused.address}, which may not be reached`,
      'check the resolver of this machine',
    )
  } catch (error) {
    return warning(
      'egress',
      `names do not resolve (${textOf(error)})`,
      'check /etc/resolv.conf and the firewall; webhooks and providers need the network',
    )
  }
}
