/**
 * The minimum store work for a change of an event: look up the key and calendar, then write the event row, the
 * grant's next notification number, and the notification. On SQLite this is one transaction through `node:sqlite`. On
 * PostgreSQL it is one query and one auto-committed statement, on as many connections as the service has. Durability
 * equals the service's: `synchronous = full`, `synchronous_commit` on.
 */
import { hash, randomUUID } from 'node:crypto'
import { DatabaseSync } from 'node:sqlite'
import { dayOf, firstPositionOf } from '@waypost/store/tables/notifications/day-partitions'
import pg from 'pg'

export interface Draft {
  title: string
  description?: string
  when?: { start_time: number; end_time: number }
}

type Document = Record<string, unknown>

export interface BareStatements {
  create(key: string, grant: string, draft: Draft): Promise<Document> | Document
  update(key: string, grant: string, event: string, draft: Draft): Promise<Document> | Document
}

/** Has the length of a sealed notification of such an event. */
const sealed = 'd1.00000000.20000.'.padEnd(1300, 'x')
const hashOf = (key: string): string => hash('sha256', key, 'hex')

const poll = `select a.id as application, a.blocked, k.revoked_at, k.expires_at, g.status, g.document as grant_document,
  c.id as calendar, c.document as calendar_document
  from api_keys k join applications a on a.id = k.application_id join grants g on g.application_id = a.id and g.id = $2
  join calendars c on c.application_id = a.id and c.grant_id = g.id and c.is_primary = 1 where k.hash = $1`
const inspectEvent = poll
  .replace(' from', ', e.document from')
  .replace(' where', ' join events e on e.application_id = a.id and e.grant_id = g.id and e.id = $3 where')
const insert = `insert into events (application_id, grant_id, id, calendar_id, kind, start_at, end_at, ical_uid, created_at,
  updated_at, document) values ($1, $2, $3, $4, 'single', $5, $6, $3, $7, $7, $8)`
const change =
  'update events set updated_at = $4, document = $5 where application_id = $1 and grant_id = $2 and id = $3'
const count = `update notification_sequences set last = last + 1 where application_id = $1 and grant_id = $2 returning last`
const notification = 'application_id, grant_id, id, sequence, type, source, bytes, created_at, sealed_payload'

interface Found {
  application: string
  calendar: string
  document?: string
}

const seconds = (): number => Math.floor(Date.now() / 1000)

function newDocument({ calendar }: Found, grant: string, { when, ...draft }: Draft): Document & { id: string } {
  const now = seconds()
  const time = { ...when, object: 'timespan', start_timezone: null, end_timezone: null }
  const fixed = { object: 'event', location: null, busy: true, status: 'confirmed', hide_participants: false }
  const more = { participants: [], resources: [], organizer: { name: null, email: grant }, sequence: 0, metadata: {} }
  const id = randomUUID()
  const named = { id, grant_id: grant, calendar_id: calendar, ical_uid: `${id}@localhost` }
  return { ...named, ...fixed, ...more, ...draft, when: time, read_only: false, created_at: now, updated_at: now }
}

const changedDocument = ({ document = '' }: Found, draft: Draft): Document & { id: string } => ({
  ...JSON.parse(document),
  ...draft,
  updated_at: seconds(),
})

const timesOf = ({ when }: Draft): [number, number] => [when?.start_time ?? 0, when?.end_time ?? 0]

function onSqlite(file: string): BareStatements {
  const database = new DatabaseSync(file, { timeout: 5000 })
  database.exec('pragma journal_mode = wal; pragma synchronous = full; pragma foreign_keys = on')
  const prepare = (text: string) => {
    const places = Array.from(text.matchAll(/\$(\d+)/g), ([, place]) => Number(place) - 1)
    const statement = database.prepare(text.replace(/\$\d+/g, '?'))
    const inOrder = (values: (string | number)[]) => places.map((place) => values[place] ?? null)
    return {
      get: (...values: (string | number)[]) => statement.get(...inOrder(values)) as unknown as Found & { last: number },
      run: (...values: (string | number)[]) => statement.run(...inOrder(values)),
    }
  }
  const [begin, commit] = [prepare('begin immediate'), prepare('commit')]
  const [polling, lookingAtEvent, inserting] = [prepare(poll), prepare(inspectEvent), prepare(insert)]
  const [changing, counting] = [prepare(change), prepare(count)]
  const telling = prepare(
    `insert into notifications (${notification}) values ($1, $2, $3, $4, $5, 'bench', 900, $6, $7)`,
  )
  const tell = (application: string, grant: string, type: string): void => {
    const { last } = counting.get(application, grant)
    telling.run(application, grant, randomUUID(), last, type, Date.now(), sealed)
  }
  return {
    create(key, grant, draft) {
      const found = polling.get(hashOf(key), grant)
      const event = newDocument(found, grant, draft)
      begin.run()
      const text = JSON.stringify(event)
      inserting.run(found.application, grant, event.id, found.calendar, ...timesOf(draft), Date.now(), text)
      tell(found.application, grant, 'event.created')
      commit.run()
      return event
    },
    update(key, grant, id, draft) {
      const found = lookingAtEvent.get(hashOf(key), grant, id)
      const event = changedDocument(found, draft)
      begin.run()
      changing.run(found.application, grant, id, Date.now(), JSON.stringify(event))
      tell(found.application, grant, 'event.updated')
      commit.run()
      return event
    },
  }
}

/** One statement for the event, its number and its notification. The notification's position begins with its day. */
function withNotification(statement: string, from: number): string {
  const [id, type, at, text, day] = [0, 1, 2, 3, 4].map((index) => `$${from + index}`)
  return `with written as (${statement}), counted as (${count})
    insert into notifications (${notification}, position)
    select $1, $2, ${id}, last, ${type}, 'bench', 900, ${at}, ${text}, cast(${day} as bigint) + nextval('notification_positions')
    from counted`
}

function onPostgresql(url: string): BareStatements {
  const pool = new pg.Pool({ connectionString: url, max: 10, options: '-c plan_cache_mode=force_generic_plan' })
  const ask = async (name: string, text: string, values: unknown[]): Promise<Found> =>
    (await pool.query({ name, text, values })).rows[0]
  const reported = (type: string): unknown[] => {
    const now = Date.now()
    return [randomUUID(), type, now, sealed, firstPositionOf(dayOf(now))]
  }
  return {
    async create(key, grant, draft) {
      const found = await ask('look', poll, [hashOf(key), grant])
      const event = newDocument(found, grant, draft)
      const row = [found.application, grant, event.id, found.calendar, ...timesOf(draft), Date.now()]
      const values = [...row, JSON.stringify(event), ...reported('event.created')]
      await ask('create', withNotification(insert, 9), values)
      return event
    },
    async update(key, grant, id, draft) {
      const found = await ask('lookAtEvent', inspectEvent, [hashOf(key), grant, id])
      const event = changedDocument(found, draft)
      const values = [found.application, grant, id, Date.now(), JSON.stringify(event), ...reported('event.updated')]
      await ask('update', withNotification(change, 6), values)
      return event
    },
  }
}

export const openBareStatements = (store: string): BareStatements =>
  store.startsWith('postgres') ? onPostgresql(store) : onSqlite(store)
