/**
 * Reads calendars as they grow. First: the first page and all pages of one month, for a calendar and for one ten
 * times as large, with series that began ten years ago. Both are read repeatedly, and directly after a change of one
 * series. Second: availability of 20 people over 30 days with 200 events each, and with ten times as many outside the
 * window. The ratios show how the time grows with the calendar when the response stays the same.
 */

import { sql } from '@waypost/testing/statement'
import { type FigureRow, median, quick, ratio, rowOf } from '../figures.ts'
import type { Node } from '../node.ts'

const rounds = quick ? 3 : 9
const singles = quick ? 1_000 : 10_000
const series = quick ? 20 : 200
const day = 86_400
/** The number of series created through the API; the others are copies of them: 5 rules at 32 times of the day. */
const distinct = 160
/** 2026-06-01T00:00Z. */
const june = 1_780_272_000

async function account(node: Node, email: string): Promise<string> {
  const settings = { email }
  const { data } = await node.call('POST', '/v3/connect/custom', { provider: 'virtual-calendar', settings })
  await node.call('POST', `/v3/grants/${data.id}/calendars`, { name: 'Main', timezone: 'America/New_York' })
  return data.id
}

interface Filling {
  singles: number
  series: number
  /** The number of days, around June 2026, that the single events are spread over. */
  days: number
}

/**
 * Fills the primary calendar of an account with many events per transaction, by copying the rows of two created
 * events.
 */
async function fill(node: Node, grant: string, { singles: count, series: many, days }: Filling): Promise<void> {
  const { database } = node.services.storage
  const at = `/v3/grants/${grant}/events?calendar_id=primary&notify_participants=false`
  const zone = { start_timezone: 'America/New_York', end_timezone: 'America/New_York' }
  const single = (await node.call('POST', at, { title: 'Single', when: { start_time: june, end_time: june + 1800 } }))
    .data
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
    const { data } = await node.call('POST', at, {
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

async function pages(node: Node, grant: string): Promise<number> {
  let count = 0
  for (let cursor: string | undefined = ''; cursor !== undefined; ) {
    const token: string = cursor === '' ? '' : `&page_token=${cursor}`
    const page = await node.call('GET', `/v3/grants/${grant}/events?calendar_id=primary&${month}&limit=200${token}`)
    count += (page.data as unknown as unknown[]).length
    cursor = page.next_cursor
  }
  return count
}

/**
 * The median times of several kinds of work. They alternate, so that other load on the machine affects all of them
 * equally.
 */
async function timesOf<Name extends string>(
  works: Record<Name, () => Promise<unknown>>,
  times: number,
): Promise<Record<Name, number>> {
  const names = Object.keys(works) as Name[]
  const taken = new Map<Name, number[]>(names.map((name) => [name, []]))
  // The first rounds warm up compilers and caches on both sides.
  for (let round = -3; round < times; round++) {
    for (const name of names) {
      const started = performance.now()
      await works[name]()
      if (round >= 0) taken.get(name)?.push(performance.now() - started)
    }
  }
  return Object.fromEntries(names.map((name) => [name, median(taken.get(name) ?? [])])) as Record<Name, number>
}

/** Changes a series of a calendar, a different one each time. */
async function seriesChanger(node: Node, grant: string): Promise<() => Promise<unknown>> {
  const at = `/v3/grants/${grant}/events`
  const masters = await node.call('GET', `${at}?calendar_id=primary&${month}&expand_recurring=false&limit=200`)
  const ids = (masters.data as unknown as { id: string; recurrence?: string[] }[])
    .filter((one) => one.recurrence)
    .map(({ id }) => id)
  let turn = 0
  return () => {
    const start = june - 3647 * day + 14 * 3600 + (turn % 7) * 900
    const change = { when: { start_time: start, end_time: start + 1800 }, recurrence: ['RRULE:FREQ=DAILY;INTERVAL=3'] }
    return node.call('PUT', `${at}/${ids[turn++ % ids.length]}?calendar_id=primary`, change)
  }
}

async function listing(node: Node): Promise<Record<string, number>> {
  // The month contains the same single events: the larger calendar covers ten times as many years.
  const small = await account(node, 'small')
  await fill(node, small, { singles, series, days: 365 })
  const large = await account(node, 'large')
  await fill(node, large, { singles: singles * 10, series, days: 3650 })
  const crowded = await account(node, 'crowded')
  await fill(node, crowded, { singles: singles * 10, series: series * 10, days: 3650 })
  const first = (grant: string) => () =>
    node.call('GET', `/v3/grants/${grant}/events?calendar_id=primary&${month}&limit=50`)
  const page = await timesOf({ small: first(small), large: first(large), crowded: first(crowded) }, 5 * rounds)
  const whole = await timesOf(
    { small: () => pages(node, small), large: () => pages(node, large), crowded: () => pages(node, crowded) },
    rounds,
  )
  const perEvent = { small: await pages(node, small), crowded: await pages(node, crowded) }
  const changed = await timesOf(
    {
      changeSmall: await seriesChanger(node, small),
      small: first(small),
      changeCrowded: await seriesChanger(node, crowded),
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

async function finding(node: Node): Promise<Record<string, number>> {
  const team = async (name: string, filling: Filling): Promise<string[]> => {
    const emails = Array.from({ length: 20 }, (_, index) => `${name}-${index}`)
    for (const email of emails) await fill(node, await account(node, email), filling)
    return emails
  }
  const few = await team('few', { singles: 200, series: 0, days: 30 })
  const many = await team('many', { singles: 2000, series: 0, days: 300 })
  const ask = (emails: readonly string[]) => () =>
    node.call('POST', '/v3/calendars/availability', {
      start_time: june - 15 * day,
      end_time: june + 15 * day,
      duration_minutes: 30,
      participants: emails.map((email) => ({ email })),
      availability_rules: { availability_method: 'collective' },
    })
  return { 'availability: 10x events outside the window / 1x': ratio(await timeOf(ask(many)), await timeOf(ask(few))) }
}

/** A page costs about the same at any calendar size. After a change of a series, its weeks are computed again. */
export async function measureReading(store: string, node: Node): Promise<FigureRow[]> {
  await node.call('POST', '/v3/connectors', { provider: 'virtual-calendar' })
  const figures = { ...(await listing(node)), ...(await finding(node)) }
  return Object.entries(figures).map(([what, figure]) => rowOf(what, { store, figure, unit: 'x', aim: '<= 1.50' }))
}
