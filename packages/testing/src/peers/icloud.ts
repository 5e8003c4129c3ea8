/**
 * Cyrus behind a proxy that behaves like iCloud: the well-known address redirects to another host (here: another port),
 * only app-specific passwords are accepted, paths are numbers, no calendar is the default one, and some requests get
 * responses specific to iCloud. Mail is plain Cyrus.
 */
import { randomInt, randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { sharedCyrus } from './cyrus.ts'
import { type DavServer, davRequest } from './dav-server.ts'
import { type Mailbox, type MailServer, newMailbox } from './mail-server.ts'

export interface ICloudUser extends Mailbox {
  /** The password of the website; it is refused to mail programs. */
  accountPassword: string
}

export interface ICloudServer extends MailServer, DavServer {
  addDavUser(name?: string): Promise<ICloudUser>
  /** The requests to the partition host, as `METHOD /path`. */
  readonly requests: readonly string[]
}

const letters = 'abcdefghijklmnopqrstuvwxyz'
const group = (): string => Array.from({ length: 4 }, () => letters[randomInt(letters.length)]).join('')
const appPassword = (): string => Array.from({ length: 4 }, group).join('-')

export async function startICloud(): Promise<ICloudServer> {
  await using resources = new AsyncDisposableStack()
  const cyrus = resources.use(await sharedCyrus())
  const numbers = new Map<string, string>()
  const requests: string[] = []
  const partition = await listening(resources, proxyTo(cyrus, { numbers, requests }))
  const entry = await listening(resources, (request, response) => {
    const path = request.url?.startsWith('/.well-known/') ? '/' : request.url
    response.writeHead(301, { location: `http://127.0.0.1:${partition}${path}` }).end()
  })
  const open = resources.move()
  const numberOf = (user: string): string => numbers.get(user) ?? ''

  return {
    ...cyrus,
    name: 'icloud',
    davUrl: `http://127.0.0.1:${entry}/`,
    requests,
    calendarHome: (user) => `http://127.0.0.1:${partition}/${numberOf(user)}/calendars/`,
    addressbookHome: (user) => `http://127.0.0.1:${partition}/${numberOf(user)}/carddavhome/`,
    async addDavUser(name) {
      const mailbox = await cyrus.addDavUser(name ?? newMailbox().user.split('@')[0], appPassword())
      numbers.set(mailbox.user, `${randomInt(10 ** 9, 2 * 10 ** 9)}`)
      return { ...mailbox, accountPassword: `Secret-${randomUUID()}` }
    },
    request: davRequest,
    [Symbol.asyncDispose]: () => open.disposeAsync(),
  }
}

type Handler = (request: IncomingMessage, response: ServerResponse) => void

async function listening(resources: AsyncDisposableStack, handler: Handler): Promise<number> {
  const server: Server = createServer(handler)
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  resources.defer(async () => {
    server.closeAllConnections()
    server.close()
  })
  return (server.address() as AddressInfo).port
}

interface RelayedRequest {
  method: string
  path: string
  body: string
}

/** The response to requests that iCloud refuses or answers differently; undefined for all others. */
function ownAnswer({ method, body }: RelayedRequest): number | undefined {
  if (method === 'REPORT' && body.includes('free-busy-query')) return 501
  if (method === 'REPORT' && body.includes('calendar-query') && !/comp-filter\s+name="VEVENT"/.test(body)) return 500
  if (method === 'PROPFIND' && /<(\w+:)?allprop/.test(body)) return 500
  if (method === 'MKCOL') return 403
  if (method === 'PUT' && body.includes('BEGIN:VEVENT') && !/^(DTEND|DURATION)[;:]/m.test(body)) return 404
  if (method === 'PUT' && /^METHOD:/m.test(body)) return 403
  return undefined
}

interface ProxyState {
  numbers: ReadonlyMap<string, string>
  requests: string[]
}

function proxyTo(cyrus: DavServer, { numbers, requests }: ProxyState): Handler {
  let puts = 0
  const handle: (request: IncomingMessage, response: ServerResponse) => Promise<void> = async (request, response) => {
    const body = await text(request)
    const { method = 'GET', url = '/' } = request
    requests.push(`${method} ${url}`)
    const user = userOf(request)
    const number = user === undefined ? undefined : numbers.get(user)
    if (user === undefined || number === undefined) return refuse(response, 401)
    const own = ownAnswer({ method, path: url, body })
    if (own !== undefined) return refuse(response, own)
    const paths = pathsOf(user, number)
    const target = new URL(inward(paths, url), cyrus.davUrl)
    const answer = await fetch(target, {
      method,
      headers: forwarded(request),
      redirect: 'manual',
      ...(body === '' ? {} : { body: inward(paths, withoutExpand(body)) }),
    })
    const headers = answeredHeaders(answer, paths, method === 'PUT' && puts++ % 2 === 1)
    const reported = told207(outward(paths, await answer.text()), { method, path: url, body })
    if (answer.status === 401) return refuse(response, 401)
    response.writeHead(answer.status, headers).end(reported)
  }
  return (request, response) => {
    handle(request, response).catch((error: unknown) => {
      response.writeHead(502).end(String(error))
    })
  }
}

/** As iCloud does: without a challenge that names the login methods. */
function refuse(response: ServerResponse, status: number): void {
  response.writeHead(status, { 'content-type': 'text/plain' }).end()
}

function userOf({ headers: { authorization = '' } }: IncomingMessage): string | undefined {
  const [user, password] = Buffer.from(authorization.replace(/^Basic /, ''), 'base64')
    .toString()
    .split(':')
  return password && /^([a-z]{4}-){3}[a-z]{4}$/.test(password) ? user : undefined
}

const passedOn = ['authorization', 'content-type', 'depth', 'if-match', 'if-none-match', 'if-schedule-tag-match']
const alsoPassedOn = ['schedule-reply', 'originator', 'recipient', 'prefer', 'destination', 'overwrite']

const forwarded = ({ headers }: IncomingMessage): Record<string, string> =>
  Object.fromEntries(
    [...passedOn, ...alsoPassedOn].flatMap((name) => {
      const value = headers[name]
      return typeof value === 'string' ? [[name, value]] : []
    }),
  )

function answeredHeaders({ headers }: Response, paths: Paths, withoutTags: boolean): Record<string, string> {
  const names = ['content-type', 'dav', 'location', ...(withoutTags ? [] : ['etag', 'schedule-tag'])]
  return Object.fromEntries(
    names.flatMap((name) => {
      const value = headers.get(name)
      return value === null ? [] : [[name, outward(paths, value)]]
    }),
  )
}

/** Pairs of a path of Cyrus and the path of iCloud. */
type Paths = readonly (readonly [string, string])[]

const pathsOf = (user: string, number: string): Paths => [
  [`/dav/principals/user/${user}/`, `/${number}/principal/`],
  [`/dav/calendars/user/${user}/Default/`, `/${number}/calendars/home/`],
  [`/dav/calendars/user/${user}/`, `/${number}/calendars/`],
  [`/dav/addressbooks/user/${user}/Default/`, `/${number}/carddavhome/card/`],
  [`/dav/addressbooks/user/${user}/`, `/${number}/carddavhome/`],
]

const inward = (paths: Paths, text: string): string =>
  paths.reduce((each, [cyrus, icloud]) => each.replaceAll(icloud, cyrus), text)
const outward = (paths: Paths, text: string): string =>
  paths.reduce((each, [cyrus, icloud]) => each.replaceAll(cyrus, icloud), text)

/** It returns the series where its occurrences are requested. */
const withoutExpand = (body: string): string => body.replace(/<(\w+:)?expand\b[^>]*\/>/g, '')

/** The capabilities that iCloud reports differ from those of others. */
function told207(answer: string, { method, path, body }: RelayedRequest): string {
  const plain = answer.replace(
    /<(\w+:)?schedule-default-calendar-URL>[\s\S]*?<\/(\w+:)?schedule-default-calendar-URL>/g,
    '',
  )
  if (method === 'PROPFIND' && /^\/\d+\/principal\/$/.test(path)) {
    return plain.replace(/(<(?:\w+:)?response>\s*<(?:\w+:)?href>)\/\d+(\/principal\/<)/, '$1$2')
  }
  const isListing = method === 'REPORT' && /calendar-(query|multiget)|addressbook-(query|multiget)/.test(body)
  return isListing ? plain.replace(/(?=<\/(\w+:)?multistatus>)/, collectionItself(path)) : plain
}

const collectionItself = (path: string): string =>
  `<D:response xmlns:D="DAV:"><D:href>${path}</D:href><D:propstat><D:prop><D:getetag>"collection"</D:getetag></D:prop>
<D:status>HTTP/1.1 200 OK</D:status></D:propstat></D:response>`
