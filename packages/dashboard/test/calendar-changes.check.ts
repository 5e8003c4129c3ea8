/** Journeys that change a calendar: virtual calendars in the real store, and an account of Google's simulator. */

import { barriersOf } from '@waypost/testing/peers/browser'
import type { Locator, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createGoogleGrant } from '../../server/test/peers/google.ts'
import { type GoogleSimulator, type SimulatedAccount, startGoogle } from '../../simulators/src/index.ts'
import { type Dashboard, openDashboard } from './dashboard.ts'
import { openTrapped, ran, refusals, screenshot } from './sweep.ts'

let dashboard: Dashboard
let google: GoogleSimulator
let mira: SimulatedAccount['calendar']
let page: Page
let grant: string
let team: string

const zone = 'Europe/Berlin'
const at = (day: number, time: string): number =>
  Date.parse(`2027-03-${String(day).padStart(2, '0')}T${time}:00+01:00`) / 1000

const call = async (method: string, path: string, body?: unknown) => {
  const answer = await dashboard.service.call(method, `/v3${path}`, { key: dashboard.application.key, body })
  if (answer.status >= 300) throw new Error(`${path}: ${JSON.stringify(answer.body)}`)
  return answer.body.data
}
// biome-ignore lint/suspicious/noExplicitAny: events are read in part
const events = (query: string): Promise<any[]> =>
  call(
    'GET',
    `/grants/${grant}/events?calendar_id=${team}&start=${at(1, '00:00')}&end=${at(31, '00:00')}&limit=200&${query}`,
  )
const addEvent = (body: unknown) =>
  call('POST', `/grants/${grant}/events?calendar_id=${team}&notify_participants=false`, body)
const spanned = (start: number, end: number) => ({
  ...{ start_time: start, end_time: end },
  ...{ start_timezone: zone, end_timezone: zone },
})
const to = (query: string, of = grant): string => `/grants/${of}/calendar?zone=${zone}&${query}`

const button = (name: string | RegExp) => page.getByRole('button', { name, exact: true }).first()
const shown = (name: RegExp) => page.getByRole('region', { name: 'Calendar' }).getByRole('button', { name }).first()
const dialog = () => page.getByRole('dialog')
const inDialog = (name: string) => dialog().getByRole('button', { name, exact: true })
const reported = (text: string | RegExp) => page.locator('.toast').filter({ hasText: text }).first().waitFor()

/** Height of an hour in pixels. */
const hour = 44

/** Drags an element by the given number of pixels. */
async function drag(what: Locator, by: { x?: number; y?: number }, from: 'middle' | 'end' = 'middle'): Promise<void> {
  await what.scrollIntoViewIfNeeded()
  await what.hover()
  const box = await what.boundingBox()
  if (!box) throw new Error('nothing to drag')
  const x = box.x + box.width / 2
  // Within a quarter of an hour, not between two.
  const y = from === 'end' ? box.y + box.height - 2 : box.y + box.height / 2 + 2
  await page.mouse.move(x, y)
  await page.mouse.down()
  await page.mouse.move(x + (by.x ?? 0) / 2, y + (by.y ?? 0) / 2, { steps: 4 })
  await page.mouse.move(x + (by.x ?? 0), y + (by.y ?? 0), { steps: 4 })
  await page.mouse.up()
}

beforeAll(async () => {
  google = await startGoogle()
  dashboard = await openDashboard({ env: { WAYPOST_GOOGLE_URL: google.url, WAYPOST_EGRESS: 'private' } })
  grant = (await dashboard.service.createGrant('studio', dashboard.application.key)).id
  await call('PATCH', '/applications', { notification_stream: true })
  team = (await call('POST', `/grants/${grant}/calendars`, { name: 'Team', timezone: zone })).id
  await addEvent({ title: 'Lunch', when: spanned(at(9, '12:00'), at(9, '13:00')) })
  await addEvent({
    title: 'Stand-up',
    when: spanned(at(8, '09:00'), at(8, '09:30')),
    recurrence: ['RRULE:FREQ=WEEKLY;BYDAY=MO,TU,WE,TH,FR;COUNT=10'],
  })
  mira = google.addAccount({ email: 'mira@gmail.example', name: 'Mira', timezone: zone }).calendar
  await createGoogleGrant(dashboard.service, google, { email: 'mira@gmail.example', key: dashboard.application.key })
  page = await openTrapped(dashboard, { viewport: { width: 1280, height: 1500 } })
})
afterAll(async () => {
  await dashboard[Symbol.asyncDispose]()
  await google[Symbol.asyncDispose]()
})

describe('a virtual calendar', () => {
  test('a mistake is reported in the form; then the event is created with guests and a recurrence', async () => {
    await dashboard.visit(page, to('view=week&date=2027-03-09'))
    await button(/New event/).click()
    await dialog().getByLabel('Title').fill('Review')
    await dialog().getByLabel('Starts').fill('2027-03-10')
    await dialog().getByLabel('Start time').fill('14:00')
    expect(await dialog().getByLabel('End time').inputValue(), 'the end goes along').toBe('15:00')
    await dialog().getByLabel('End time').fill('13:00')
    await inDialog('Create event').click()
    await dialog().getByText('must be after start_time').waitFor()
    await dialog().getByLabel('End time').fill('14:30')
    await dialog()
      .getByLabel(/^Guests/)
      .fill('Ann <ann@example.com>\nbob@example.com')
    await dialog().getByLabel('Repeats').selectOption('weekly')
    await dialog().getByLabel('Until').selectOption('after')
    await dialog().getByLabel('Number of events').fill('2')
    expect(await barriersOf(page)).toEqual([])
    await screenshot(page, 'form')
    await inDialog('Create event').click()
    await reported('Event created')
    await shown(/Review/).waitFor()
    const [series] = (await events('expand_recurring=false')).filter(({ title }) => title === 'Review')
    expect(series).toMatchObject({
      when: { start_time: at(10, '14:00'), end_time: at(10, '14:30'), start_timezone: zone },
      recurrence: ['RRULE:FREQ=WEEKLY;COUNT=2'],
      participants: [{ email: 'ann@example.com', name: 'Ann' }, { email: 'bob@example.com' }],
    })
  })

  test('dragging over hours starts an event', async () => {
    const column = await page.locator('[data-date="2027-03-11"]').last().boundingBox()
    if (!column) throw new Error('no column')
    const x = column.x + column.width / 2
    const y = column.y + column.height * 0.5
    await page.mouse.move(x, y)
    await page.mouse.down()
    await page.mouse.move(x, y + 60, { steps: 6 })
    await page.mouse.up()
    await dialog().getByLabel('Starts').waitFor()
    expect(await dialog().getByLabel('Starts').inputValue()).toBe('2027-03-11')
    expect(await dialog().getByLabel('Ends').inputValue()).toBe('2027-03-11')
    await inDialog('Cancel').click()
  })

  test('dragging moves and resizes an event', async () => {
    await drag(shown(/Lunch/), { y: hour })
    await reported(/^Moved to/)
    const lunch = async () => (await events('')).find(({ title }) => title === 'Lunch')?.when
    expect(await lunch()).toMatchObject({ start_time: at(9, '13:00'), end_time: at(9, '14:00'), start_timezone: zone })
    await drag(shown(/Lunch/), { y: hour }, 'end')
    await expect.poll(lunch).toMatchObject({ start_time: at(9, '13:00'), end_time: at(9, '15:00') })
  })

  test('one occurrence of a series is moved, or the move is canceled', async () => {
    const second = page
      .getByRole('region', { name: 'Calendar' })
      .getByRole('button', { name: /Stand-up/ })
      .nth(1)
    await drag(second, { y: 2 * hour })
    await dialog().getByText('This and following events').waitFor()
    expect(await barriersOf(page)).toEqual([])
    await screenshot(page, 'scope')
    await inDialog('Cancel').click()
    await drag(second, { y: 2 * hour })
    await inDialog('Move').click()
    await dialog().waitFor({ state: 'detached' })
    const starts = (await events('')).filter(({ title }) => title === 'Stand-up').map(({ when }) => when.start_time)
    expect(starts.slice(0, 3)).toEqual([at(8, '09:00'), at(9, '11:00'), at(10, '09:00')])
  })

  test('this and following events become a series with the right count; all events are renamed', async () => {
    await dashboard.visit(page, to('view=list&date=2027-03-09'))
    await page
      .getByRole('listitem', { name: 'March 15, 2027' })
      .getByRole('button', { name: /Stand-up/ })
      .click()
    await inDialog('Change').click()
    await dialog().getByLabel('This and following events').check()
    await inDialog('Continue').click()
    await dialog().getByLabel('Title').fill('Late stand-up')
    await dialog().getByLabel('Start time').fill('16:00')
    await inDialog('Save').click()
    await reported('Event updated')
    const series = await events('expand_recurring=false')
    expect(series.find(({ title, recurrence }) => title === 'Stand-up' && recurrence)?.recurrence).toEqual([
      'RRULE:FREQ=WEEKLY;BYDAY=MO,TU,WE,TH,FR;UNTIL=20270315T075959Z',
    ])
    const late = (await events('')).filter(({ title }) => title === 'Late stand-up')
    expect(late.map(({ when }) => when.start_time)).toEqual([15, 16, 17, 18, 19].map((day) => at(day, '16:00')))
    await page
      .getByRole('listitem', { name: 'March 17, 2027' })
      .getByRole('button', { name: /Late stand-up/ })
      .click()
    await inDialog('Change').click()
    await dialog().getByLabel('All events in the series').check()
    await inDialog('Continue').click()
    expect(await dialog().getByLabel('Starts').inputValue(), 'the series itself is shown').toBe('2027-03-15')
    await dialog().getByLabel('Title').fill('Evening stand-up')
    await inDialog('Save').click()
    await dialog().waitFor({ state: 'detached' })
    expect((await events('')).filter(({ title }) => title === 'Evening stand-up')).toHaveLength(5)
  })

  test('this and following events are deleted', async () => {
    await page
      .getByRole('listitem', { name: 'March 18, 2027' })
      .getByRole('button', { name: /Evening stand-up/ })
      .click()
    await inDialog('Delete').click()
    await dialog().getByLabel('This and following events').check()
    await inDialog('Delete').click()
    await reported('Event deleted')
    const left = (await events('')).filter(({ title }) => title === 'Evening stand-up')
    expect(left.map(({ when }) => when.start_time)).toEqual([15, 16, 17].map((day) => at(day, '16:00')))
  })

  test('changes made elsewhere appear automatically', async () => {
    await addEvent({ title: 'From elsewhere', when: { date: '2027-03-20' } })
    await shown(/From elsewhere/).waitFor()
  })

  test('busy times are shown over the week, and unreadable calendars are reported', async () => {
    await dashboard.visit(page, to('view=week&date=2027-03-09'))
    await page.getByLabel('Free/busy').fill('studio')
    await button('Show').click()
    await page.getByText(/^Busy \d+ times/).waitFor()
    await page.getByLabel('Free/busy').fill('nobody')
    await page.keyboard.press('Enter')
    await page.getByText('no calendar found for nobody').waitFor()
    expect(await page.locator('.cal-busy').count()).toBeGreaterThan(3)
    await expect.poll(() => page.url()).toContain('busy=studio')
    expect(await barriersOf(page)).toEqual([])
    await screenshot(page, 'busy')
  })

  test('everything works with the keyboard alone', async () => {
    await dashboard.visit(page, to('view=day&date=2027-03-22'))
    await button(/New event/).focus()
    await page.keyboard.press('Enter')
    await dialog().getByLabel('Title').focus()
    await page.keyboard.type('By keys')
    await page.keyboard.press('Tab')
    await page.keyboard.press('Space')
    expect(await dialog().getByLabel('All day').isChecked()).toBe(true)
    await inDialog('Create event').focus()
    await page.keyboard.press('Enter')
    await reported('Event created')
    await shown(/By keys/).focus()
    await page.keyboard.press('Enter')
    await inDialog('Change').focus()
    await page.keyboard.press('Enter')
    await dialog().getByLabel('Starts').fill('2027-03-24')
    await page.keyboard.press('Enter')
    await reported('Event updated')
    const keyed = async () => (await events('')).find(({ title }) => title === 'By keys')?.when
    expect(await keyed()).toMatchObject({ date: '2027-03-24' })
    await dashboard.visit(page, to('view=day&date=2027-03-24'))
    await shown(/By keys/).focus()
    await page.keyboard.press('Enter')
    await inDialog('Delete').focus()
    await page.keyboard.press('Enter')
    await inDialog('Delete').focus()
    await page.keyboard.press('Enter')
    await expect.poll(keyed).toBeUndefined()
  })
})

describe('a Google account', () => {
  const times = (start: string, end: string) => ({
    start: { dateTime: `${start}:00`, timeZone: zone },
    end: { dateTime: `${end}:00`, timeZone: zone },
  })
  const mine = (query: string): string => to(query, 'mira@gmail.example')

  beforeAll(() => {
    mira.addEvent({ summary: 'Interview', ...times('2027-03-09T10:00', '2027-03-09T11:00') })
    mira.addEvent({
      summary: 'Trap',
      ...times('2027-03-10T10:00', '2027-03-10T11:00'),
      hangoutLink: 'javascript:__xss()',
      conferenceData: {
        conferenceSolution: { key: { type: 'addOn' }, name: 'Trap' },
        entryPoints: [{ entryPointType: 'video', uri: 'javascript:__xss()' }],
      },
    })
    mira.receiveInvitation(
      { email: 'boss@example.com', displayName: 'Boss' },
      { summary: 'All hands', ...times('2027-03-11T10:00', '2027-03-11T11:00') },
    )
    const readers = google.addAccount({ email: 'office@gmail.example', timezone: zone }).calendar
    const { id } = readers.addCalendar({ summary: 'Office', timeZone: zone })
    readers.addEvent({ summary: 'Fire drill', ...times('2027-03-12T10:00', '2027-03-12T11:00') }, id)
    readers.share(id, 'mira@gmail.example', 'reader')
  })

  test('a move that Google refuses is reverted with the reason', async () => {
    await dashboard.visit(page, mine('view=week&date=2027-03-09'))
    await shown(/Interview/).waitFor()
    const before = await shown(/Interview/).boundingBox()
    const refusal = { status: 403, reason: 'forbidden', message: 'You may not move this' }
    google.fail({ path: /\/events\//, method: 'PATCH' }, refusal)
    google.fail({ path: /\/events\//, method: 'PUT' }, refusal)
    await drag(shown(/Interview/), { y: 2 * hour })
    await dialog().getByText('Interview was not moved').waitFor()
    expect(await dialog().getByRole('alert').innerText()).toContain('You may not move this')
    expect(await barriersOf(page)).toEqual([])
    await screenshot(page, 'refused')
    await page.keyboard.press('Escape')
    await expect.poll(async () => (await shown(/Interview/).boundingBox())?.y).toBe(before?.y)
    const [retained] = mira.events().filter(({ summary }) => summary === 'Interview')
    expect(retained?.start).toMatchObject({ dateTime: '2027-03-09T10:00:00+01:00' })
  })

  test('an invitation is answered and cannot be moved', async () => {
    await shown(/All hands/).click()
    await dialog().getByText('Only the organizer can change this event').waitFor()
    expect(await inDialog('Change').count()).toBe(0)
    await dialog().getByLabel('Note to the organizer').fill('With pleasure')
    await inDialog('Yes').click()
    await expect
      .poll(() => JSON.stringify(mira.events().find(({ summary }) => summary === 'All hands')?.attendees))
      .toContain('"responseStatus":"accepted"')
    await dialog().locator('[aria-pressed="true"]', { hasText: 'Yes' }).waitFor()
    await screenshot(page, 'invitation')
    await page.keyboard.press('Escape')
  })

  test('read-only events say so, and an invalid link is not a link', async () => {
    await shown(/Fire drill.*read-only/).click()
    await dialog().getByText('This account can only read this calendar.').waitFor()
    expect(await inDialog('Delete').count()).toBe(0)
    await page.keyboard.press('Escape')
    await shown(/Trap/).click()
    await dialog().getByRole('heading', { name: 'Trap' }).waitFor()
    expect(await dialog().locator('a[href^="javascript"]').count()).toBe(0)
    await page.keyboard.press('Escape')
  })
})

test('no foreign text ran, and the browser blocked nothing', async () => {
  expect(await ran(page)).toBe(0)
  expect(refusals(page)).toEqual([])
  expect(dashboard.reports).toEqual([])
})
