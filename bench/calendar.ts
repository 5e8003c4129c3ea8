/**
 * What calendars cost, on SQLite and on PostgreSQL:
 * (a) the first page and all pages of one month, of a calendar and of one ten times as large, with series that began ten
 *     years ago: the ratio says how much the time grows with the calendar when the answer stays. A page is asked again and
 *     again, and right after one of the series was changed;
 * (b) availability over 20 people and 30 days, with 200 events each, and with ten times as many outside the window;
 * (c) creating and changing events, 16 requests at a time, against the floor of the bare statement through the same driver.
 * Only ratios are meant to be read.
 *
 *   node bench/calendar.ts [--quick] [--json]
 */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import type { Hono } from 'hono'
import { readConfig } from '../packages/server/src/config.ts'
import { createServerApp } from '../packages/server/src/create-app.ts'
import { createServices } from '../packages/server/src/services/index.ts'
import type { BuiltServices } from '../packages/server/src/services/services.ts'
import { type Statement, sql } from '../packages/server/src/store/database.ts'
import { startPostgres } from '../packages/server/test/peers/postgres.ts'

const quick = process.argv.includes('--quick')
const json = process.argv.includes('--json')
const rounds = quick ? 3 : 9
const singles = quick ? 1_000 : 10_000
const series = quick ? 20 : 200
const writes = quick ? 100 : 500
const day = 86_400
/** Series that are created; the others are copies of them: 5 rules at 32 times of the day. */
const distinct = 160
/** 2026-06-01T00:00Z. */
const june = 1_780_272_000

const median = (values: readonly number[]): number =>
  values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0
const ratio = (part: number, whole: number): number => Math.round((part / whole) * 100) / 100

interface Service {
  services: BuiltServices
  app: Hono
  key: string
  stop(): Promise<void>
}

async function openService(databaseUrl: string | undefined): Promise<Service> {
  const dataDir = mkdtempSync(path.join(tmpdir(), 'waypost-bench-'))
  const key = 'only-for-the-benchmark-key'
  const { config, secrets } = readConfig({
    WAYPOST_DATA_DIR: dataDir,
    WAYPOST_API_KEY: key,
    WAYPOST_ADMIN_PASSWORD: 'only-for-the-benchmark',
    WAYPOST_RATE_LIMITS: 'off',
    WAYPOST_LOG_LEVEL: 'silent',
    ...(databaseUrl ? { DATABASE_URL: databaseUrl } : {}),
  })
  const services = await createServices(config, secrets)
  const app = createServerApp(services)
  const stop = async (): Promise<void> => {
    await services[Symbol.asyncDispose]()
    rmSync(dataDir, { recursive: true, force: true })
  }
  return { services, app, key, stop }
}

interface Answered {
  data: { id: string; api_key: string; application_id: string } & Record<string, unknown>
  next_cursor?: string
}

async function call(
  service: Service,
  method: string,
  at: string,
  body?: unknown,
  key = service.key,
): Promise<Answered> {
  const authorization = key === 'admin' ? `Basic ${btoa('admin:only-for-the-benchmark')}` : `Bearer ${key}`
  const response = await service.app.request(at, {
    method,
    headers: { authorization, 'content-type': 'application/json' },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  })
  if (!response.ok) throw new Error(`${method} ${at}: ${await response.text()}`)
  return (await response.json()) as Answered
}

/** An application without a limit; its key stands in for the sandbox's. */
async function openApplication(service: Service): Promise<void> {
  const { data } = await call(service, 'POST', '/v3/admin/applications', { name: 'Benchmark' }, 'admin')
  const made = await call(
    service,
    'POST',
    `/v3/admin/applications/${data.application_id}/api-keys`,
    { name: 'k' },
    'admin',
  )
  service.key = made.data.api_key
  await call(service, 'POST', '/v3/connectors', { provider: 'virtual-calendar' })
}

async function account(service: Service, email: string): Promise<string> {
  const { data } = await call(service, 'POST', '/v3/connect/custom', {
    provider: 'virtual-calendar',
    settings: { email },
  })
  await call(service, 'POST', `/v3/grants/${data.id}/calendars`, { name: 'Main', timezone: 'America/New_York' })
  return data.id
}

interface Filling {
  singles: number
  series: number
  /** Days over which the single events are spread, around June 2026. */
  days: number
}

/** Fills the primary calendar of an account, many events to a transaction, by copying the rows of two that were created. */
async function fill(service: Service, grant: string, { singles: count, series: many, days }: Filling): Promise<void> {
  const { database } = service.services
  const at = `/v3/grants/${grant}/events?calendar_id=primary&notify_participants=false`
  const zone = { start_timezone: 'America/New_York', end_timezone: 'America/New_York' }
  const single = (
    await call(service, 'POST', at, { title: 'Single', when: { start_time: june, end_time: june + 1800 } })
  ).data
  const copy = sql(
    'bench.copy',
    `insert into events (application_id, grant_id, id, calendar_id, kind, master_id, slot, slot_at, start_at, end_at, series,
     ical_uid, key1, key2, key3, key4, key5, created_at, updated_at, document)
     select application_id, grant_id, $3, calendar_id, kind, master_id, slot, slot_at, $4, $5, series, $3, key1, key2, key3,
     key4, key5, created_at, updated_at, $6 from events where grant_id = $1 and id = $2`,
  )
  for (let done = 0; done < count; done += 1000) {
    await database.transaction(async (tx) => {
      for (let index = done; index < Math.min(count, done + 1000); index++) {
        const start = june + Math.round((index / count - 0.5) * days) * day + (index % 96) * 900
        const id = `single-${index}`
        const when = {
          object: 'timespan',
          start_time: start,
          end_time: start + 1800,
          start_timezone: null,
          end_timezone: null,
        }
        await tx.run(copy, [grant, single.id, id, start, start + 1800, JSON.stringify({ ...single, id, when })])
      }
    })
  }
  const began = june - 3652 * day
  const rules = [
    'FREQ=WEEKLY;BYDAY=MO,WE',
    'FREQ=WEEKLY',
    'FREQ=DAILY;INTERVAL=3',
    'FREQ=MONTHLY',
    'FREQ=WEEKLY;INTERVAL=2',
  ]
  const made: string[] = []
  for (let index = 0; index < Math.min(many, distinct); index++) {
    // 2016-06-06 was a Monday.
    const start = began + 5 * day + 14 * 3600 + (index % 32) * 900
    const { data } = await call(service, 'POST', at, {
      title: 'Series',
      when: { start_time: start, end_time: start + 1800, ...zone },
      recurrence: [`RRULE:${rules[index % rules.length]}`],
    })
    made.push(data.id)
  }
  const copySeries = sql(
    'bench.copySeries',
    `insert into events (application_id, grant_id, id, calendar_id, kind, start_at, end_at, series, ical_uid, created_at,
     updated_at, document)
     select application_id, grant_id, $3, calendar_id, kind, start_at, end_at, series, $3, created_at, updated_at,
     replace(document, $2, $3) from events where grant_id = $1 and id = $2`,
  )
  await database.transaction(async (tx) => {
    for (let index = distinct; index < many; index++) {
      await tx.run(copySeries, [grant, made[index % distinct] ?? '', crypto.randomUUID()])
    }
  })
}

async function timeOf(work: () => Promise<unknown>): Promise<number> {
  await work()
  const times = []
  for (let round = 0; round < rounds; round++) {
    const started = performance.now()
    await work()
    times.push(performance.now() - started)
  }
  return median(times)
}

const month = `start=${june}&end=${june + 30 * day}`

async function pages(service: Service, grant: string): Promise<number> {
  let count = 0
  for (let cursor: string | undefined = ''; cursor !== undefined; ) {
    const token: string = cursor === '' ? '' : `&page_token=${cursor}`
    const page = await call(service, 'GET', `/v3/grants/${grant}/events?calendar_id=primary&${month}&limit=200${token}`)
    count += (page.data as unknown as unknown[]).length
    cursor = page.next_cursor
  }
  return count
}

/** The median times of several kinds of work, taken in turns, so that what else the machine does befalls them alike. */
async function timesOf<Name extends string>(
  works: Record<Name, () => Promise<unknown>>,
  times: number,
): Promise<Record<Name, number>> {
  const names = Object.keys(works) as Name[]
  const taken = new Map<Name, number[]>(names.map((name) => [name, []]))
  // The first rounds are for the compilers and memories of both sides.
  for (let round = -3; round < times; round++) {
    for (const name of names) {
      const started = performance.now()
      await works[name]()
      if (round >= 0) taken.get(name)?.push(performance.now() - started)
    }
  }
  return Object.fromEntries(names.map((name) => [name, median(taken.get(name) ?? [])])) as Record<Name, number>
}

/** Changes a series of a calendar, another one every time. */
async function seriesChanger(service: Service, grant: string): Promise<() => Promise<unknown>> {
  const at = `/v3/grants/${grant}/events`
  const masters = await call(service, 'GET', `${at}?calendar_id=primary&${month}&expand_recurring=false&limit=200`)
  const ids = (masters.data as unknown as { id: string; recurrence?: string[] }[])
    .filter((one) => one.recurrence)
    .map(({ id }) => id)
  let turn = 0
  return () => {
    const start = june - 3647 * day + 14 * 3600 + (turn % 7) * 900
    const change = { when: { start_time: start, end_time: start + 1800 }, recurrence: ['RRULE:FREQ=DAILY;INTERVAL=3'] }
    return call(service, 'PUT', `${at}/${ids[turn++ % ids.length]}?calendar_id=primary`, change)
  }
}

async function listing(service: Service): Promise<Record<string, number>> {
  // The same month holds the same single events: the larger calendar has ten times as many years of them.
  const small = await account(service, 'small')
  await fill(service, small, { singles, series, days: 365 })
  const large = await account(service, 'large')
  await fill(service, large, { singles: singles * 10, series, days: 3650 })
  const crowded = await account(service, 'crowded')
  await fill(service, crowded, { singles: singles * 10, series: series * 10, days: 3650 })
  const first = (grant: string) => () =>
    call(service, 'GET', `/v3/grants/${grant}/events?calendar_id=primary&${month}&limit=50`)
  const page = await timesOf({ small: first(small), large: first(large), crowded: first(crowded) }, 5 * rounds)
  const whole = await timesOf(
    { small: () => pages(service, small), large: () => pages(service, large), crowded: () => pages(service, crowded) },
    rounds,
  )
  const perEvent = { small: await pages(service, small), crowded: await pages(service, crowded) }
  const changed = await timesOf(
    {
      changeSmall: await seriesChanger(service, small),
      small: first(small),
      changeCrowded: await seriesChanger(service, crowded),
      crowded: first(crowded),
    },
    3 * rounds,
  )
  return {
    'page of 50: 10x older events / 1x': ratio(page.large, page.small),
    'page of 50: 10x events and series / 1x': ratio(page.crowded, page.small),
    'page of 50 after a change of a series: 10x / 1x': ratio(changed.crowded, changed.small),
    'page of 50, 10x: after a change of a series / asked again': ratio(changed.crowded, page.crowded),
    'whole month: 10x older events / 1x': ratio(whole.large, whole.small),
    'whole month: time per event, 10x series / 1x': ratio(
      whole.crowded / perEvent.crowded,
      whole.small / perEvent.small,
    ),
  }
}

async function finding(service: Service): Promise<Record<string, number>> {
  const team = async (name: string, filling: Filling): Promise<string[]> => {
    const emails = Array.from({ length: 20 }, (_, index) => `${name}-${index}`)
    for (const email of emails) await fill(service, await account(service, email), filling)
    return emails
  }
  const few = await team('few', { singles: 200, series: 0, days: 30 })
  const many = await team('many', { singles: 2000, series: 0, days: 300 })
  const ask = (emails: readonly string[]) => () =>
    call(service, 'POST', '/v3/calendars/availability', {
      start_time: june - 15 * day,
      end_time: june + 15 * day,
      duration_minutes: 30,
      participants: emails.map((email) => ({ email })),
      availability_rules: { availability_method: 'collective' },
    })
  return { 'availability: 10x events outside the window / 1x': ratio(await timeOf(ask(many)), await timeOf(ask(few))) }
}

const inFlight = 16

/** Runs `work` for 0 to `count`, some at a time, as clients do that do not wait for each other. */
async function together(count: number, work: (index: number) => unknown): Promise<void> {
  let next = 0
  const lane = async (): Promise<void> => {
    for (let index = next++; index < count; index = next++) await work(index)
  }
  await Promise.all(Array.from({ length: inFlight }, lane))
}

/**
 * The floor is the bare statement, durably committed by itself: on PostgreSQL on as many connections as the service has, on
 * SQLite on a connection of its own. The service lets changes share a commit, so its figures are better on a slow disk.
 * Both sides write documents of one size, no two alike, to as many accounts as there are lanes.
 * The service is called in this process: a client over the network would measure itself on the same processors.
 */
async function writing(service: Service): Promise<Record<string, number>> {
  const { database, config } = service.services
  const grants: string[] = []
  for (let lane = 0; lane < inFlight; lane++) grants.push(await account(service, `writer-${lane}`))
  const eventsOf = (index: number): string => `/v3/grants/${grants[index % inFlight]}/events`
  const event = { title: 'Written', when: { start_time: june, end_time: june + 1800 }, description: 'x'.repeat(200) }
  const ids: string[] = []
  let number = 0
  const title = (): string => `Number ${++number}`
  const create = () =>
    together(writes, async (index) => {
      const made = await call(service, 'POST', `${eventsOf(index)}?calendar_id=primary`, { ...event, title: title() })
      ids[index] = made.data.id
    })
  const update = () =>
    together(writes, (index) =>
      call(service, 'PUT', `${eventsOf(index)}/${ids[index]}?calendar_id=primary`, { title: title() }),
    )
  const insert = sql(
    'bench.insert',
    `insert into events (application_id, grant_id, id, calendar_id, kind, start_at, end_at, ical_uid, created_at, updated_at, document)
     select application_id, grant_id, $2, id, 'single', $3, $4, $2, 0, 0, $5 from calendars where grant_id = $1`,
  )
  const change = sql('bench.change', 'update events set document = $3 where grant_id = $1 and id = $2')
  const { data } = await call(service, 'POST', `${eventsOf(0)}?calendar_id=primary`, event)
  const document = (): string => JSON.stringify({ ...data, title: title() })
  using file = new DatabaseSync(path.join(config.dataDir, 'waypost.db'), { timeout: 5000 })
  if (database.engine === 'sqlite') file.exec('pragma journal_mode = wal; pragma synchronous = full')
  const bare = (statement: Statement<unknown>): ((values: (string | number)[]) => unknown) => {
    if (database.engine === 'postgresql') return (values) => database.run(statement, values)
    const prepared = file.prepare(statement.text)
    return (values) => prepared.run(Object.fromEntries(values.map((value, index) => [index + 1, value])))
  }
  const [insertBare, changeBare] = [bare(insert), bare(change)]
  let rows = 0
  const bareInsert = () =>
    together(writes, (index) =>
      insertBare([grants[index % inFlight] ?? '', `bare-${rows++}`, june, june + 1800, document()]),
    )
  const bareChange = () =>
    together(writes, (index) => changeBare([grants[index % inFlight] ?? '', `bare-${index}`, document()]))
  return {
    'create: floor / service': await compare(bareInsert, create),
    'update: floor / service': await compare(bareChange, update),
  }
}

/** Floor and service in turns, because the machine is not equally busy all the time. */
async function compare(floor: () => Promise<unknown>, service: () => Promise<unknown>): Promise<number> {
  const once = async (work: () => Promise<unknown>): Promise<number> => {
    const started = performance.now()
    await work()
    return performance.now() - started
  }
  await floor()
  await service()
  const ratios = []
  for (let round = 0; round < rounds; round++) ratios.push((await once(floor)) / (await once(service)))
  return ratio(median(ratios), 1)
}

const figures: Record<string, Record<string, number>> = {}
await using postgres = await startPostgres()
for (const store of ['SQLite', 'PostgreSQL']) {
  const service = await openService(store === 'PostgreSQL' ? await postgres.createDatabase() : undefined)
  try {
    await openApplication(service)
    figures[store] = { ...(await listing(service)), ...(await finding(service)), ...(await writing(service)) }
  } finally {
    await service.stop()
  }
}
if (json) console.log(JSON.stringify(figures))
else
  console.table(
    Object.fromEntries(
      Object.keys(figures.SQLite ?? {}).map((name) => [
        name,
        Object.fromEntries(Object.entries(figures).map(([store, values]) => [store, values[name]])),
      ]),
    ),
  )
