/**
 * A provider refuses or ignores every field that its limits table says: one request for each limit. Refusals happen
 * before a request to the provider, so the objects of those requests need not exist.
 */
import { contract, type NamedRoute, routesOf } from '@waypost/contract'
import { commonLimits, fieldName, type NamedLimit, namedLimits } from '@waypost/providers/limits'
import type { Provider } from '@waypost/providers/provider'
import { hasOperation } from '@waypost/providers/registry'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Account, type Call, expectStatus, type Fields, type Json, noon, type Query, search } from './accounts.ts'

export interface LimitsSubject {
  /** A kind of provider, or a variant of one. */
  name: string
  adapter: Provider
  /** Operations that cannot succeed with this account. */
  without?: readonly string[]
  open(): Promise<
    AsyncDisposable & {
      account: Account
      call: Call
      arrive?(): Promise<void>
      /** A writable calendar; by default the main one. */
      calendarId?: string
      /** The id of the inbox; by default INBOX. */
      inbox?: string
      /** The id of an event in the main calendar to which the account is invited, if only guests can answer. */
      invite?(): Promise<string>
    }
  >
}

const day = 86_400
const to = [{ email: 'bob@people.test' }]
const when = { start_time: noon + day, end_time: noon + day + 3600 }

/** The other required fields of a request. */
const bodies: Record<string, Fields> = {
  'calendars.create': { name: 'Main' },
  'calendars.update': { name: 'Main' },
  'calendars.freeBusy': { start_time: noon, end_time: noon + day, emails: ['bob@people.test'] },
  'events.create': { when },
  'events.update': { title: 'Lunch' },
  'events.rsvp': { status: 'yes' },
  'messages.clean': { message_id: ['nothing'] },
  'messages.send': { to, send_at: Math.floor(Date.now() / 1000) + day },
  'drafts.create': { to, subject: 'Draft' },
  'drafts.update': { subject: 'Another' },
  'contacts.create': { given_name: 'Bob' },
  'contacts.update': { given_name: 'Bea' },
}
/** Lists of one folder. */
const inFolder = new Set(['messages.list', 'threads.list'])
/** The other required fields within an object. */
const beside: Record<string, Fields> = {
  participants: { email: 'guest@people.test' },
  resources: { email: 'room@people.test' },
  reminders: { use_default: false },
  overrides: { reminder_minutes: 10 },
  conferencing: { provider: 'Google Meet' },
  attachments: {},
  custom_headers: { value: '<mailto:off@people.test>' },
  physical_addresses: { type: 'work' },
  emails: { email: 'bob@people.test' },
  im_addresses: { im_address: 'bob' },
  phone_numbers: { number: '+49 30 1234' },
  web_pages: { url: 'https://people.test' },
}
/** A value for a limit, by the last name of its path. */
const values: Record<string, unknown> = {
  shared_from: 'bob@people.test',
  shared_folder_id: 'INBOX',
  query_imap: true,
  parent_id: 'INBOX',
  include_hidden_folders: true,
  single_level: true,
  text_color: '#ffffff',
  background_color: '#000000',
  recurse: true,
  event_type: 'nonsense',
  show_cancelled: true,
  color_id: '12',
  phone_number: '+49 30 1234',
  group: 'friends',
  comment: 'Late',
  description: 'Ours',
  location: 'Berlin',
  timezone: 'Europe/Berlin',
  hex_color: '#1a73e8',
  hex_foreground_color: '#ffffff',
  reminder_method: 'email',
  capacity: 4,
  building: 'Main',
  floor_name: 'First',
  floor_section: 'North',
  floor_number: 1,
  reminders: { use_default: true },
  autocreate: {},
  use_draft: true,
  id: 'upload',
  status: 'maybe',
  calendar_id: 'primary',
  display_name: 'Bobby',
  source: 'inbox',
  picture: 'iVBORw0KGgo=',
  picture_url: 'https://pictures.test/1.jpg',
  format: 'short',
  path: 'parent/child',
  busy: true,
  ical_uid: 'uid',
  master_event_id: 'series',
  updated_after: noon,
  updated_before: noon,
  visibility: 'private',
  hide_participants: true,
  type: 'other',
  'if-none-overlap': 'true',
}

/** A request with a value at a path. */
function withValue(holder: Fields, path: string, value: unknown): Fields {
  const [step = '', ...rest] = path.split('.')
  const name = fieldName(step)
  const inner = rest.length > 0 ? withValue(beside[name] ?? {}, rest.join('.'), value) : value
  return { ...holder, [name]: step === name ? inner : [inner] }
}

function sampleFor({ path, values: concerned }: NamedLimit): unknown {
  if (concerned) return concerned[0]
  const name = fieldName(path).split('.').at(-1) ?? ''
  if (!Object.hasOwn(values, name)) throw new Error(`the suite of limits knows no value for ${path}`)
  return values[name]
}

export function describeLimits(subject: LimitsSubject): void {
  const provider = subject.adapter
  const routes = new Map(routesOf(contract).map((named) => [named.id, named]))
  const routeOf = (id: string): NamedRoute => {
    const named = routes.get(id)
    if (!named) throw new Error(`no route ${id}`)
    return named
  }
  const limits = [...namedLimits(provider.limits ?? {}), ...namedLimits(commonLimits)].filter(({ operation }) => {
    const named = routeOf(operation)
    return hasOperation(provider, named.resource, named.operation) && !subject.without?.includes(operation)
  })

  describe(`unsupported fields of ${subject.name}`, () => {
    let open: Awaited<ReturnType<LimitsSubject['open']>>
    const ids: Record<string, string> = {}
    beforeAll(async () => {
      open = await subject.open()
      const { account } = open
      if (provider.kind === 'virtual-calendar') ids.calendar_id = await made('/calendars', { name: 'Work' })
      const has = (resource: string): boolean => hasOperation(provider, resource, 'create')
      if (has('calendars')) ids.calendar_id ??= open.calendarId ?? 'primary'
      if (has('events')) ids.event_id = await made('/events', { when }, inCalendar())
      if (has('contacts')) ids.contact_id = await made('/contacts', { given_name: 'Ann' })
      if (has('contactGroups')) ids.group_id = await made('/contacts/groups', { name: 'Friends' })
      if (has('folders')) ids.folder_id = await made('/folders', { name: 'Plans' })
      if (has('drafts')) ids.draft_id = await made('/drafts', { to, subject: 'Draft' })
      if (!hasOperation(provider, 'messages', 'list')) return
      await open.arrive?.()
      ids.message_id = expectStatus(await account.get('/messages', inInbox()), 200).body.data[0].id
    })
    afterAll(() => open?.[Symbol.asyncDispose]())

    const made = async (path: string, body: Fields, query = {}): Promise<string> =>
      expectStatus(await open.account.post(path, body, query), 200).body.data.id
    const inInbox = (): Query => ({ in: open.inbox ?? 'INBOX' })
    const inCalendar = (): Fields => ({ calendar_id: open.calendarId ?? 'primary' })
    /** Objects that the request deletes or answers: each request has its own. */
    const usedUpBy = async (operation: string): Promise<Record<string, string>> => {
      if (operation === 'calendars.delete') return { calendar_id: await made('/calendars', { name: 'To be deleted' }) }
      if (operation === 'events.delete') return { event_id: await made('/events', { when }, inCalendar()) }
      if (operation === 'events.rsvp' && open.invite) return { event_id: await open.invite() }
      return {}
    }
    const send = (limit: NamedLimit, of: Record<string, string>) => {
      const { id, route } = routeOf(limit.operation)
      const unique = `${limit.path} ${Math.random()}`
      const names = id === 'folders.create' || id.startsWith('contactGroups.') ? { name: unique } : {}
      const query = id.startsWith('events.') ? inCalendar() : inFolder.has(id) ? inInbox() : {}
      const parts = { query, headers: {}, body: { ...bodies[id], ...names } }
      const value = limit.path.endsWith('[]') && limit.part === 'query' ? [sampleFor(limit)] : sampleFor(limit)
      const requested = { ...parts, [limit.part]: withValue(parts[limit.part], fieldPath(limit), value) }
      const path = route.path.replaceAll(/:(\w+)/g, (_, name: string) =>
        encodeURIComponent(name === 'grant_id' ? open.account.grantId : (of[name] ?? 'nothing')),
      )
      const text = search(requested.query as Record<string, string>)
      const headers = requested.headers as Record<string, string>
      return open.call(route.method, `${path}?${text}`, { headers, ...(route.body ? { body: requested.body } : {}) })
    }
    const fieldPath = ({ path, part }: NamedLimit): string => (part === 'query' ? fieldName(path) : path)

    test.each(limits.filter(({ answer }) => answer !== 'ignored'))('$operation refuses $part $path', async (limit) => {
      const answer = await send(limit, {})
      const [status, type] =
        limit.answer === 'invalid_request' ? [400, 'invalid_request_error'] : [422, 'not_supported_by_provider']
      const { error }: Json = expectStatus(answer, status).body
      expect(error).toMatchObject({ type, message: expect.stringContaining(limit.why) })
      expect(Object.keys(error.validation_errors).map((place) => place.replaceAll(/\.\d+/g, ''))).toEqual([
        fieldName(limit.path),
      ])
      if (status === 422) expect(error).toMatchObject({ provider: provider.kind, capability: fieldName(limit.path) })
    })

    test.each(limits.filter(({ answer }) => answer === 'ignored'))('$operation ignores $part $path', async (limit) => {
      const answer = expectStatus(await send(limit, { ...ids, ...(await usedUpBy(limit.operation)) }), 200)
      expect(answer.headers.get('x-ignored-fields')?.split(', ')).toContain(fieldName(limit.path))
    })
  })
}
