/** Lists of calendars in which some objects have rules that take many steps. */

import { MAX_STEPS, STEPS_OF_REQUEST, Steps } from '@waypost/formats/recurrence/steps'
import { expect, test } from 'vitest'
import { groupReader } from '../../src/dav/caldav/object-reading.ts'
import { judgeSearch } from '../../src/dav/caldav/series-search.ts'
import { entriesOf } from '../../src/dav/caldav/timeline.ts'
import { readTexts } from '../../src/dav/text-reading.ts'

const place = { url: 'https://dav.test/home/work/', id: 'work', zone: 'Europe/Berlin', readOnly: false }
const session = { grant: { id: 'grant', email: 'ann@dav.test' }, io: { signal: AbortSignal.timeout(60_000) } } as never
const june = { from: Date.UTC(2026, 5, 1) / 1000, to: Date.UTC(2026, 6, 1) / 1000 }

const object = (name: string, rule: string) => ({
  href: `${place.url}${name}.ics`,
  data: `BEGIN:VCALENDAR\r\nBEGIN:VEVENT\r\nUID:${name}\r\nDTSTART:20260610T090000Z\r\nDTEND:20260610T100000Z\r\nRRULE:${rule}\r\nEND:VEVENT\r\nEND:VCALENDAR\r\n`,
})
const hours = Array.from({ length: 24 }, (_, hour) => hour)
/** Accepted, because one occurrence is cheap to find. Each year that a window touches takes half of the steps. */
const costly = `FREQ=YEARLY;BYDAY=MO,TU,WE,TH,FR,SA,SU;BYHOUR=${hours};BYSETPOS=9`

test('a rule that takes too many steps does not make a list fail: its event is shown at its own start', async () => {
  const groups = await groupReader(session, {})([object('costly', costly), object('weekly', 'FREQ=WEEKLY')], place)
  const window = { from: june.from, to: june.from + 300 * 86_400 }
  const entries = await entriesOf(groups, {
    ...{ window, part: window, after: undefined, expand: true, showCancelled: false, filter: undefined },
    zone: place.zone,
    steps: new Steps(STEPS_OF_REQUEST),
  })
  expect(entries.filter(({ id }) => id.startsWith('weekly'))).toHaveLength(42)
  const [shown, ...others] = entries.filter(({ id }) => id.startsWith('costly'))
  expect(others).toEqual([])
  expect(shown?.event()).toMatchObject({ when: { start_time: Date.UTC(2026, 5, 10, 9) / 1000 } })
})

test('a list that takes more steps than a request has is refused with the fields to change', async () => {
  const groups = await groupReader(session, {})([object('daily', 'FREQ=DAILY')], place)
  const query = { window: june, part: june, after: undefined, expand: true, showCancelled: false, filter: undefined }
  await expect(entriesOf(groups, { ...query, zone: place.zone, steps: new Steps(10) })).rejects.toThrow(
    'start, end: the window holds too many occurrences',
  )
})

test('small texts whose rules take many steps continue in worker threads', async () => {
  const here: string[] = []
  const there: string[] = []
  const texts = Array.from({ length: 12 }, (_, index) => `${index}`)
  const read = await readTexts(
    {
      signal: AbortSignal.timeout(60_000),
      answers: {
        run: (_kind: string, batches: { texts: string[] }[]) => {
          for (const batch of batches) there.push(...batch.texts)
          return Promise.resolve(batches.map(() => ({ ok: false })))
        },
      } as never,
    },
    texts,
    {
      kind: 'events',
      zone: 'UTC',
      readHere: (text, steps) => {
        here.push(text)
        steps.take(MAX_STEPS - 1)
        return text
      },
    },
  )
  expect(here).toEqual(texts.slice(0, 4))
  expect(there).toEqual(texts.slice(4))
  expect(read).toHaveLength(texts.length)
})

test('a text on the main thread may take all its steps, whatever the texts before it took', async () => {
  const left: number[] = []
  const run = () => Promise.resolve([{ ok: false }])
  await readTexts({ signal: AbortSignal.timeout(60_000), answers: { run } as never }, ['1', '2', '3'], {
    kind: 'events',
    zone: 'UTC',
    readHere: (_, steps) => {
      left.push(steps.left)
      steps.take(MAX_STEPS)
    },
  })
  expect(left).toEqual([MAX_STEPS, MAX_STEPS, MAX_STEPS])
})

test('the search of a server is judged within one budget, whatever the series are', async () => {
  const early = (name: string, rule: string) => {
    const { href, data } = object(name, rule)
    return { href, data: data.replaceAll('20260610T', '20250610T') }
  }
  const daily = early('daily', 'FREQ=DAILY')
  const many = Array.from({ length: 400 }, (_, index) => early(`costly${index}`, costly))
  const [first, ...others] = await groupReader(session, {})([daily, ...many], place)
  const all = first ? [first, ...others] : []
  expect(judgeSearch(new Set([daily.href]), all, { range: june, zone: place.zone })).toEqual({ timed: true })
  // Series that come after the steps are used up tell nothing about the server.
  const late = [...others.toReversed(), ...all.slice(0, 1)]
  expect(judgeSearch(new Set(), late, { range: { ...june, to: june.to + 86_400 }, zone: place.zone })).toEqual({})
})
