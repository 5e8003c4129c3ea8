/** A CalDAV server with one calendar that deviates from the RFCs like real servers. */
import type { ServerResponse } from 'node:http'
import { type Heard, type Listener, openListener } from '@waypost/testing/listener'

export interface Habits {
  /** Whether it returns tags of collections, ETags of objects, sync tokens. */
  ctag: boolean
  etags: boolean
  /**
   * `exact`; `none`; `everything`: it lists all objects whatever the token, and no deleted ones; `pages`: one change
   * per response.
   */
  tokens: 'exact' | 'none' | 'everything' | 'pages'
  /** Tags and tokens are the second of the last change, by this clock. */
  second?: () => number
}

interface Stored {
  data: string
  version: number
}

export class ScriptedCalendar implements AsyncDisposable {
  habits: Habits = { ctag: true, etags: true, tokens: 'exact' }
  /** Whether the home list omits the calendar, and whether requests for it fail. */
  hidden = false
  readonly objects = new Map<string, Stored>()
  readonly #log: { name: string; version: number }[] = []
  readonly #listener: Listener
  #version = 1

  constructor(listener: Listener) {
    this.#listener = listener
    listener.answer = (response, heard) => this.#answer(response, heard)
  }

  get url(): string {
    return `${this.#listener.url}/`
  }

  get heard(): Heard[] {
    return this.#listener.heard
  }

  put(name: string, data: string): void {
    this.objects.set(name, { data, version: this.#note(name) })
  }

  remove(name: string): void {
    this.objects.delete(name)
    this.#note(name)
  }

  #note(name: string): number {
    this.#version = this.habits.second?.() ?? this.#version + 1
    this.#log.push({ name, version: this.#version })
    return this.#version
  }

  #answer(response: ServerResponse, heard: Heard): void {
    const answer = this.#answerTo(heard)
    if (typeof answer === 'number') return void response.writeHead(answer).end()
    const root = `<D:multistatus xmlns:D="DAV:" xmlns:C="urn:ietf:params:xml:ns:caldav" xmlns:CS="http://calendarserver.org/ns/">`
    response.writeHead(207, { 'content-type': 'application/xml' }).end(`${root}${answer}</D:multistatus>`)
  }

  /** The content of a 207, or another status. */
  #answerTo({ method, target, body }: Heard): string | number {
    if (this.hidden && target === '/home/cal/') return 403
    if (method === 'PROPFIND' && target === '/home/cal/') return this.#listing()
    if (method === 'PROPFIND') return target === '/home/' ? this.#home() : principal
    if (body.includes('sync-collection')) return this.#sync(body)
    if (body.includes('calendar-multiget')) return this.#multiget(body)
    if (body.includes('calendar-query')) return ''
    return method === 'OPTIONS' ? 200 : 404
  }

  #home(): string {
    const { ctag, tokens } = this.habits
    const props =
      '<D:displayname>Plans</D:displayname><D:resourcetype><D:collection/><C:calendar/></D:resourcetype>' +
      (ctag ? `<CS:getctag>${this.#version}</CS:getctag>` : '') +
      (tokens === 'none' ? '' : `<D:sync-token>${this.#token(this.#version)}</D:sync-token>`)
    const type = '<D:resourcetype><D:collection/></D:resourcetype>'
    return found('/home/', type) + (this.hidden ? '' : found('/home/cal/', props))
  }

  #token = (version: number): string => `${this.habits.second ? '' : 't'}${version}`

  #etag = ({ version, data }: Stored): string =>
    this.habits.etags ? `<D:getetag>"${version}-${data.length}"</D:getetag>` : ''

  #listing(): string {
    const type = '<D:resourcetype><D:collection/><C:calendar/></D:resourcetype>'
    const members = Array.from(this.objects, ([name, stored]) =>
      found(`/home/cal/${name}`, `${this.#etag(stored)}<D:resourcetype/>`),
    )
    return found('/home/cal/', type) + members.join('')
  }

  #multiget(body: string): string {
    return Array.from(body.matchAll(/<D:href>([^<]+)<\/D:href>/g), ([, href = '']) => {
      const stored = this.objects.get(href.slice('/home/cal/'.length))
      return stored ? found(href, `${this.#etag(stored)}<C:calendar-data>${stored.data}</C:calendar-data>`) : gone(href)
    }).join('')
  }

  #sync(body: string): string | number {
    const { tokens } = this.habits
    const from = Number(/sync-token>t?(\d+)</.exec(body)?.[1] ?? 0)
    if (tokens === 'none') return 415
    if (tokens === 'everything') return `${this.#listing()}<D:sync-token>${this.#token(this.#version)}</D:sync-token>`
    const latest = new Map(
      this.#log.filter(({ version }) => version > from).map(({ name, version }) => [name, version]),
    )
    const reported = [...latest].sort(([, a], [, b]) => a - b).slice(0, tokens === 'pages' ? 1 : undefined)
    const inner = reported.map(([name]) => {
      const stored = this.objects.get(name)
      return stored ? found(`/home/cal/${name}`, this.#etag(stored)) : gone(`/home/cal/${name}`)
    })
    const isCut = reported.length < latest.size
    const token = isCut ? (reported.at(-1)?.[1] ?? from) : this.#version
    return `${inner.join('')}${isCut ? cut : ''}<D:sync-token>${this.#token(token)}</D:sync-token>`
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#listener[Symbol.asyncDispose]()
  }
}

export const openScriptedCalendar = async (): Promise<ScriptedCalendar> => new ScriptedCalendar(await openListener())

const found = (href: string, props: string): string =>
  `<D:response><D:href>${href}</D:href><D:propstat><D:prop>${props}</D:prop><D:status>HTTP/1.1 200 OK</D:status></D:propstat></D:response>`
const gone = (href: string): string =>
  `<D:response><D:href>${href}</D:href><D:status>HTTP/1.1 404 Not Found</D:status></D:response>`
const cut = '<D:response><D:href>/home/cal/</D:href><D:status>HTTP/1.1 507 Insufficient Storage</D:status></D:response>'
const principal = found(
  '/',
  '<D:current-user-principal><D:href>/me/</D:href></D:current-user-principal><C:calendar-home-set><D:href>/home/</D:href></C:calendar-home-set>',
)
