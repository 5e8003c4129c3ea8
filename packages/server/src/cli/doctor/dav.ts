/**
 * `waypost doctor caldav` and `carddav`: finds the calendars or contacts of an account and what their server
 * supports.
 */

import { ApiError } from '@waypost/platform/api-error'
import { systemClock } from '@waypost/platform/clock'
import { isLoopbackHost } from '@waypost/platform/egress/addresses'
import { EgressError } from '@waypost/platform/egress/error'
import { inspectTls } from '@waypost/platform/egress/inspect'
import { createLog } from '@waypost/platform/log'
import { type DavClient, type DavResponse, openClient } from '@waypost/providers/dav/client'
import type { DiscoveredHome } from '@waypost/providers/dav/discovery'
import type { ServiceName } from '@waypost/providers/dav/home'
import { findDav } from '@waypost/providers/dav/session'
import { openTransport } from '@waypost/providers/dav/transport'
import { placesOf } from '@waypost/providers/imap/dav-settings'
import { type Io, ioFor } from '@waypost/providers/io'
import { networkFailed } from '@waypost/providers/mail/connection-failed'
import { knownDavAt } from '@waypost/providers/mail/dav-servers'
import { hostsOf } from '@waypost/providers/mail/vendors'
import { domainOf } from '@waypost/providers/shared/domain-hosts'
import { providerReason } from '@waypost/providers/shared/refusal'
import { needWord, type PlainRun, UsageError } from '../program/command.ts'
import { type Finding, ok, problem, warning } from './findings.ts'
import { type CheckContext, type Credentials, checkServer, isUnsafe, remedies, shown, tlsFindings } from './server.ts'

interface Service {
  name: ServiceName
  kind: 'calendar' | 'contacts'
  /** Plural name of the service's collections, and the name of one of them. */
  title: string
  collection: string
  type: 'C:calendar' | 'CR:addressbook'
  feature: string
}

/** The server named on the command line: a URL, or the domain of a mail address. */
interface Target {
  urls: readonly string[]
  address?: string
  domain?: string
  davHosts?: readonly string[] | undefined
}

function targetOf(service: Service, word: string): Target {
  if (/^https?:\/\//i.test(word)) {
    const url = URL.canParse(word) ? new URL(word) : undefined
    if (url?.username !== '' || url.password !== '') {
      throw new UsageError('the address is invalid, or contains a user: give the user with --user')
    }
    return { urls: placesOf(url.href) }
  }
  const at = word.lastIndexOf('@')
  if (at < 1 || at === word.length - 1) {
    throw new UsageError(`"${shown(word)}" is neither an address that begins with https:// nor a mail address`)
  }
  const domain = domainOf(word)
  if (domain === undefined) {
    throw new UsageError(`"${shown(word)}" has no domain for discovery: give the address of the server, with https://`)
  }
  const known = knownDavAt(hostsOf(domain)?.imap ?? '', word)
  const own = known?.[service.name]
  return { urls: own === undefined ? [] : [own], address: word, domain, davHosts: known?.domains }
}

/** Checks the TLS of the server without sending credentials. */
async function* protection(url: string, { egress, signal }: CheckContext): AsyncGenerator<Finding> {
  const { protocol, hostname, port } = new URL(url)
  const host = hostname.replace(/^\[(.*)\]$/, '$1')
  if (protocol === 'http:') {
    yield isLoopbackHost(host)
      ? warning('tls', 'plain http, which is accepted only on this machine', 'put a TLS proxy in front of the server')
      : problem('tls', 'plain http: no password is sent over it', 'give the address with https://')
    return
  }
  const socket = await egress.connect({ host, port: port === '' ? 443 : Number(port), signal })
  socket.on('error', () => undefined)
  try {
    const { report } = await inspectTls(socket, { host, signal })
    yield* tlsFindings({ host, lenient: false }, report, systemClock.now())
  } finally {
    socket.destroy()
  }
}

const headerOf = (headers: Record<string, string | string[]>, name: string): string =>
  [headers[name] ?? []].flat().join(', ')

/** What the server reveals without a login. */
async function* unknownUser(
  service: Service,
  { urls }: Target,
  { egress, signal }: CheckContext,
): AsyncGenerator<Finding> {
  const [given] = urls
  if (given === undefined) {
    yield warning(
      'discovery',
      'the account cannot be looked up by address without a password',
      'set DOCTOR_PASSWORD, or enter it at a terminal',
    )
    return
  }
  const { origin } = new URL(given)
  for (const url of new Set([given, `${origin}/.well-known/${service.name}`])) {
    const { status, headers } = await egress.request({ url, method: 'OPTIONS', signal })
    const features = headerOf(headers, 'dav').toLowerCase()
    const location = headerOf(headers, 'location')
    const wants = /^\w+/.exec(headerOf(headers, 'www-authenticate'))?.[0]
    const said = [
      `responds with ${status}`,
      location && `redirects to ${shown(location)}`,
      features && `reports ${shown(features)}`,
      wants && `requires a login with ${shown(wants)}`,
    ]
    const words = `${new URL(url).pathname} ${said.filter(Boolean).join(', ')}`
    if (features.includes(service.feature)) yield ok('discovery', `${words}: it has ${service.title}`)
    else if (location || wants || status < 400) yield ok('discovery', words)
    else
      yield warning(
        'discovery',
        `${words}: it offers no ${service.title}`,
        `check the address; an account may find the ${service.title} elsewhere: use --user`,
      )
  }
  yield ok('login', `log in with --user to find the ${service.title} and what the server supports`)
}

/** The home collection of the account, at the first URL that has one. */
async function findHome(service: Service, target: Target, io: Io, auth: Credentials): Promise<DiscoveredHome> {
  const { domain, davHosts } = target
  let failure: unknown
  for (const url of target.urls.length > 0 ? target.urls : [undefined]) {
    try {
      return await findDav(io, service.name, { auth, domain, davHosts, url })
    } catch (error) {
      io.signal.throwIfAborted()
      if (!(error instanceof ApiError) || error.code === 'grant_invalid') throw error
      failure ??= error
    }
  }
  throw failure
}

async function* knownUser(service: Service, target: Target, polling: CheckContext): AsyncGenerator<Finding> {
  const { credentials: auth, egress, signal } = polling
  if (!auth) return
  const parts = { egress, clock: systemClock, log: createLog('silent'), providerUrls: {}, shared: new Map() }
  const io = ioFor(parts, 'doctor', signal)
  const { home, url } = await findHome(service, target, io, auth)
  yield ok('login', `${auth.user} is logged in`)
  yield ok('discovery', `found by ${shown(url)}: the ${service.title} are in ${shown(home.url)}`)
  yield home.principal === undefined
    ? warning('principal', 'the server reports none: the given address is used', "not needed for an account's own data")
    : ok('principal', shown(home.principal))
  const hosts = { urls: [url, home.url], domain: target.domain, davHosts: target.davHosts }
  const client = openClient(openTransport({ io, auth, hosts }), service.kind)
  const list = await collectionsIn(service, client, home.url)
  yield* collectionFindings(service, list)
  if (service.kind === 'calendar') yield* schedulingFindings(home)
}

async function collectionsIn(service: Service, client: DavClient, home: string): Promise<DavResponse[]> {
  const props = ['D:resourcetype', 'D:displayname', 'D:sync-token', 'CS:getctag', 'D:supported-report-set'] as const
  const { responses } = await client.propfind(home, { depth: 1, props })
  return responses.filter((response) => response.props.names('D:resourcetype').includes(service.type))
}

function* collectionFindings({ title, collection }: Service, list: readonly DavResponse[]): Generator<Finding> {
  const names = list.map(({ href, props }) => props.text('D:displayname') ?? new URL(href).pathname)
  if (list.length === 0) {
    yield warning(
      'collections',
      `there is no ${collection} yet`,
      'create the first one with Waypost or another program',
    )
    return
  }
  yield ok('collections', `${list.length} of ${title}: ${shown(names.join(', '))}`)
  const tokens = list.filter(({ props }) => props.text('D:sync-token') !== undefined)
  const tags = list.filter(({ props }) => props.text('CS:getctag') !== undefined)
  if (tokens.length > 0) yield ok('sync-collection', 'changes are read with sync tokens: only changes are requested')
  else {
    const how = tags.length > 0 ? 'each changed collection' : 'every collection on every poll'
    yield warning(
      'sync-collection',
      `missing: all ETags of ${how} are read and compared, which is slower`,
      'turn it on if the server supports it (RFC 6578); everything works without it',
    )
  }
}

function* schedulingFindings({ schedules, defaultCalendar }: DiscoveredHome['home']): Generator<Finding> {
  yield schedules
    ? ok('scheduling', 'the server sends invitations and processes replies itself; Waypost sends no second mail')
    : ok(
        'scheduling',
        "Waypost sends invitations through the account's SMTP server, and reads replies in its mailbox, because this server does not",
      )
  yield defaultCalendar === undefined
    ? warning('primary', 'there is no default calendar: use calendar ids, because "primary" is not found', 'not needed')
    : ok('primary', `"primary" is ${shown(new URL(defaultCalendar).pathname)}`)
}

/** A refusal by the server or a network failure as a finding. */
function failureFinding(error: unknown, url: string | undefined): Finding {
  if (error instanceof ApiError) {
    if (error.code === 'grant_invalid') {
      return problem('login', 'the server did not accept the user name and password', remedies.credentials)
    }
    const remedy =
      providerReason(error) === 'foreign_host'
        ? 'if that host is right, give its address with https:// instead of the mail address'
        : 'check the address; the address of the principal or of a collection also works'
    return problem('discovery', error.message, remedy)
  }
  if (!(error instanceof EgressError)) throw error
  const host = url === undefined ? 'the server' : new URL(url).hostname
  const failed = networkFailed(error, { host, port: 443 })
  return problem('server', error.message, remedies[failed?.failure ?? 'connect'])
}

async function* poll(service: Service, target: Target, polling: CheckContext): AsyncGenerator<Finding> {
  const [url] = target.urls
  try {
    let safe = true
    if (url !== undefined) {
      for await (const finding of protection(url, polling)) {
        safe &&= !isUnsafe(finding)
        yield finding
      }
    }
    if (!polling.credentials) yield* unknownUser(service, target, polling)
    else if (safe) yield* knownUser(service, target, polling)
    else yield warning('login', 'skipped, because the password would not have been safe', 'fix the problem above')
  } catch (error) {
    polling.signal.throwIfAborted()
    yield failureFinding(error, url)
  }
}

const runFor =
  (service: Service): PlainRun =>
  async (call) => {
    const target = targetOf(service, needWord(call.args, 0, 'URL'))
    return checkServer(call, target.address, (polling) => poll(service, target, polling))
  }

export const doctorCaldav = runFor({
  name: 'caldav',
  kind: 'calendar',
  title: 'calendars',
  collection: 'calendar',
  type: 'C:calendar',
  feature: 'calendar-access',
})

export const doctorCarddav = runFor({
  name: 'carddav',
  kind: 'contacts',
  title: 'address books',
  collection: 'address book',
  type: 'CR:addressbook',
  feature: 'addressbook',
})
