/** The official clients of both generations call every tool on accounts of a kind. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { resultBytes } from '../../../../src/api/mcp/content/result-text.ts'
import type { Json } from '../../../conformance/accounts.ts'
import { fetchOf, modernClient, olderClient } from '../protocol/clients.ts'
import type { ToolAccount, ToolAccounts, ToolKind } from './tool-accounts.ts'

interface Result {
  isError?: boolean
  content: { type: string; text?: string }[]
  structuredContent?: Json
}

/** One client: it checks structured results against the schema of their tool. */
interface Caller extends AsyncDisposable {
  names: string[]
  call(name: string, args: object): Promise<Result>
}

type Connect = (accounts: ToolAccounts) => Promise<Caller>

const clients: Readonly<Record<string, Connect>> = {
  '2026-07-28': async ({ service, key }) => {
    const client = await modernClient({ fetch: fetchOf(service.app), key })
    const names = (await client.listTools()).tools.map(({ name }) => name)
    return {
      names,
      call: async (name, args) => (await client.callTool({ name, arguments: { ...args } })) as Result,
      [Symbol.asyncDispose]: () => client.close(),
    }
  },
  '2025-11-25': async ({ service, key }) => {
    const client = await olderClient({ fetch: fetchOf(service.app), key })
    const names = (await client.listTools()).tools.map(({ name }) => name)
    return {
      names,
      call: async (name, args) => (await client.callTool({ name, arguments: { ...args } })) as Result,
      [Symbol.asyncDispose]: () => client.close(),
    }
  },
}

function clientOf(version: string): Connect {
  const connect = clients[version]
  if (!connect) throw new Error(`no client of ${version}`)
  return connect
}

/** Calls tools for one account, and checks the size and structure of each result. */
class Walk {
  readonly called = new Set<string>()
  readonly #caller: Caller
  readonly #account: ToolAccount
  readonly #has: ReadonlySet<string>

  constructor(caller: Caller, account: ToolAccount, has: ReadonlySet<string>) {
    this.#caller = caller
    this.#account = account
    this.#has = has
  }

  async call(name: string, args: object = {}): Promise<Result> {
    this.called.add(name)
    const result = await this.#caller.call(name, args)
    expect(Buffer.byteLength(JSON.stringify(result)), name).toBeLessThanOrEqual(resultBytes + 2_000)
    return result
  }

  /** Calls a tool for the account, and returns its structured result. */
  async ok(name: string, args: object = {}): Promise<Json> {
    const result = await this.call(name, { grant_id: this.#account.grantId, ...args })
    expect(result.isError, `${name}: ${result.content[0]?.text}`).toBeFalsy()
    return result.structuredContent
  }

  /** The same if the kind has the feature; otherwise the tool must return an error that says so. */
  async where(feature: string, name: string, args: object = {}): Promise<Json> {
    if (this.#has.has(feature)) return this.ok(name, args)
    const result = await this.call(name, { grant_id: this.#account.grantId, ...args })
    expect(result.isError, name).toBe(true)
    expect(result.content[0]?.text, name).toMatch(/^not_supported_by_provider: /)
    return undefined
  }

  get grantId(): string {
    return this.#account.grantId
  }

  has(feature: string): boolean {
    return this.#has.has(feature)
  }
}

const someone = [{ email: 'bob@sender.test', name: 'Bob' }]
const inHours = (hours: number): number => Math.floor(Date.now() / 3_600_000) * 3600 + hours * 3600

async function readMail(walk: Walk): Promise<Json> {
  const found = await walk.where('mail', 'find_messages', { subject: 'Quarterly report' })
  const id = found?.messages[0].id ?? 'none'
  const thread = found?.messages[0].thread_id ?? 'none'
  const read = await walk.where('mail', 'read_message', { message_id: id, timezone: 'Europe/Berlin' })
  if (read) {
    expect(read.message).toMatchObject({ hidden_text_removed: true, authentication: { dmarc: 'unknown' } })
    expect(read.message.date.iso).toMatch(/\+0[12]:00$/)
    expect(read.message.untrusted).toMatchObject({ subject: 'Quarterly report', nonce: expect.any(String) })
    expect(read.message.untrusted.text).toContain('report (https://files.test/real)')
    expect(JSON.stringify(read)).not.toMatch(/FORWARD|track\.test/)
  }
  await walk.where('mail', 'find_threads', { subject: 'Quarterly report' })
  if (walk.has('mail')) {
    // An unknown folder or thread is not an empty one.
    const wrong = [
      await walk.call('find_messages', { grant_id: walk.grantId, in: 'No such folder' }),
      await walk.call('find_threads', { grant_id: walk.grantId, in: 'No such folder' }),
      await walk.call('read_thread', { grant_id: walk.grantId, thread_id: 'no-such-thread' }),
    ]
    for (const result of wrong) expect([result.isError, result.content[0]?.text]).toEqual([true, expect.any(String)])
  }
  const messages = await walk.where('mail', 'read_thread', { thread_id: thread })
  if (messages) expect(messages.messages.map((each: Json) => each.id)).toContain(id)
  await walk.where('mail', 'list_folders')
  return read?.message ?? { id }
}

async function openFile(walk: Walk, service: ToolAccounts['service'], message: Json): Promise<void> {
  const attachment_id = message.attachments?.[0]?.id ?? 'none'
  const file = await walk.where('mail', 'get_attachment', { message_id: message.id, attachment_id })
  if (!file) return
  const answer = await service.call('GET', new URL(file.attachment.url).pathname, { key: null })
  expect(answer.body).toBe('the figures')
}

async function writeMail(walk: Walk, message: Json): Promise<void> {
  const changed = await walk.where('mail', 'update_message', { message_id: message.id, unread: false, starred: true })
  if (changed) expect(changed.message).toMatchObject({ unread: false, starred: true })
  const words = { to: someone, subject: 'Figures', body: 'See you' }
  const made = await walk.where('mail', 'create_draft', words)
  const draft_id = made?.draft.id ?? 'none'
  const retained = await walk.where('mail', 'update_draft', { draft_id, subject: 'New figures' })
  const sent = await walk.where('mail', 'send_draft', { draft_id: retained?.draft.id ?? draft_id })
  if (sent) expect(sent.message.id).toEqual(expect.any(String))
  const answered = await walk.where('mail', 'reply', { message_id: message.id, body: 'Thanks' })
  if (answered) expect(answered.draft.id).toEqual(expect.any(String))
  await walk.where('mail', 'send_message', words)
}

async function schedule(walk: Walk): Promise<void> {
  const words = { to: someone, subject: 'Later', body: 'See you', send_at: inHours(3) }
  const later = await walk.where('mail', 'send_message', words)
  const schedule_id = later?.message.schedule_id ?? 'none'
  // The service implements these itself, for every grant.
  const waiting = await walk.ok('list_scheduled_messages')
  if (later) {
    expect(later.message.send_at.unix).toBe(words.send_at)
    expect(waiting.scheduled_messages).toContainEqual(expect.objectContaining({ schedule_id, status: 'pending' }))
    await walk.ok('cancel_scheduled_message', { schedule_id })
  } else expect((await walk.call('cancel_scheduled_message', { schedule_id })).isError).toBe(true)
}

async function keepContacts(walk: Walk): Promise<void> {
  const made = await walk.where('contacts', 'create_contact', {
    given_name: 'Zoe',
    emails: [{ email: 'zoe@sender.test' }],
  })
  const contact_id = made?.contact.id ?? 'none'
  const changed = await walk.where('contacts', 'update_contact', { contact_id, job_title: 'Chief' })
  if (changed) expect(changed.contact.untrusted.job_title).toBe('Chief')
  await walk.where('contacts', 'find_contacts')
}

async function keepEvents(walk: Walk, { email }: ToolAccount): Promise<void> {
  const window = { start: inHours(24), end: inHours(48) }
  await walk.where('calendar', 'list_calendars')
  const times = { start: inHours(30), end: inHours(31), timezone: 'Europe/Berlin' }
  const made = await walk.where('calendar', 'create_event', { title: 'Review', ...times })
  const event_id = made?.event.id ?? 'none'
  if (made) expect(made.event).toMatchObject({ start: { unix: times.start }, untrusted: { title: 'Review' } })
  const found = await walk.where('calendar', 'find_events', window)
  if (found) expect(found.events.map(({ id }: Json) => id)).toContain(event_id)
  await walk.where('calendar', 'read_event', { event_id, calendar_id: 'primary' })
  const at = { event_id, calendar_id: 'primary' }
  const changed = await walk.where('calendar', 'update_event', { ...at, title: 'Long review' })
  if (changed) expect(changed.event.untrusted.title).toBe('Long review')
  const busy = await walk.where('calendar', 'free_busy', { emails: [email], ...window })
  if (busy)
    expect(busy.people[0].busy).toContainEqual(
      expect.objectContaining({ start: expect.objectContaining({ unix: times.start }) }),
    )
  const free = await walk.where('find_times', 'find_times', { ...window, duration_minutes: 60 })
  if (free) expect(free.times.map(({ start }: Json) => start.unix)).not.toContain(times.start)
  await walk.where('rooms', 'find_rooms')
  // The account organizes this event: Google stores its response, others refuse it.
  const answer = await walk.call('respond_to_event', { grant_id: email, ...at, status: 'yes' })
  if (!walk.has('calendar')) expect(answer.content[0]?.text).toMatch(/^not_supported_by_provider: /)
  await walk.where('calendar', 'delete_event', at)
}

async function bookTimes(walk: Walk, { configurationId }: ToolAccount): Promise<void> {
  const pages = await walk.call('list_scheduling_pages')
  expect(pages.isError).toBeFalsy()
  const window = { configuration_id: configurationId ?? 'none', start: inHours(48), end: inHours(72) }
  const times = await walk.call('find_bookable_times', window)
  const [time] = times.structuredContent?.times ?? []
  const guest = { name: 'Bob', email: 'bob@sender.test' }
  const at = { start: time?.start.iso ?? inHours(50), end: time?.end.iso ?? inHours(51) }
  const booked = await walk.call('book', { configuration_id: window.configuration_id, ...at, guest })
  const bookings = await walk.call('list_bookings')
  const booking_id = booked.structuredContent?.booking?.booking_id ?? 'none'
  const cancelled = await walk.call('cancel_booking', { booking_id })
  if (configurationId === undefined) {
    for (const result of [times, booked, cancelled]) expect(result.content[0]?.text).toMatch(/^[a-z_]*not_found/)
    return
  }
  for (const result of [times, booked, cancelled]) expect(result.isError, result.content[0]?.text).toBeFalsy()
  expect(bookings.structuredContent.bookings.map((each: Json) => each.booking_id)).toContain(booking_id)
}

async function askService(walk: Walk, { grantId, email }: ToolAccount): Promise<void> {
  const grants = (await walk.call('list_grants', { limit: 25 })).structuredContent.grants
  expect(grants).toContainEqual(expect.objectContaining({ id: grantId, email }))
  expect((await walk.call('current_time', { timezone: 'Asia/Tokyo' })).structuredContent.time.iso).toMatch(/\+09:00$/)
  expect((await walk.call('convert_time', { time: 0 })).structuredContent.time.iso).toBe('1970-01-01T00:00:00Z')
  expect((await walk.call('get_approval', { approval_id: 'none' })).content[0]?.text).toMatch(/^not_found/)
}

/** Tests that each client can call every tool on accounts of each of these kinds. */
export function describeEveryTool(kinds: Readonly<Record<string, ToolKind>>): void {
  const walks = Object.entries(kinds).flatMap(([kind, { has }]) =>
    Object.keys(clients).map((version) => ({ kind, version, has })),
  )
  /** The services of all kinds, with an account for each client. */
  const opened = new Map<string, { accounts: ToolAccounts; of: Map<string, ToolAccount> }>()
  beforeAll(async () => {
    await Promise.all(
      Object.entries(kinds).map(async ([kind, { open }]) => {
        const accounts = await open()
        const of = new Map<string, ToolAccount>()
        opened.set(kind, { accounts, of })
        for (const version of Object.keys(clients)) of.set(version, await accounts.newAccount())
      }),
    )
  })
  afterAll(() => Promise.all(Array.from(opened.values(), ({ accounts }) => accounts[Symbol.asyncDispose]())))

  test.concurrent.for(walks)('the client of $version calls every tool on $kind accounts', async (each) => {
    const { accounts, of } = opened.get(each.kind) ?? {}
    const account = of?.get(each.version)
    if (!accounts || !account) throw new Error(`no account of ${each.kind}`)
    await using caller = await clientOf(each.version)(accounts)
    const walk = new Walk(caller, account, each.has)
    await askService(walk, account)
    const message = await readMail(walk)
    await openFile(walk, accounts.service, message)
    await writeMail(walk, message)
    await schedule(walk)
    await walk.where('mail', 'delete_message', { message_id: message.id })
    await keepContacts(walk)
    await keepEvents(walk, account)
    await bookTimes(walk, account)
    expect([...walk.called].sort()).toEqual(caller.names.toSorted())
  })
}
