/** Journeys through the calendar of a grant: virtual calendars in the real store. */

import { barriersOf, colourRules, phone } from '@waypost/testing/peers/browser'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Dashboard, openDashboard } from './dashboard.ts'
import { attack, openTrapped, ran, refusals, screenshot } from './sweep.ts'

let dashboard: Dashboard
let page: Page
let grant: string
let team: string
let travel: string

const zone = 'Europe/Berlin'
/** A time on a day of the tested week, in the time zone of Berlin. */
const at = (day: number, time: string): number =>
  Date.parse(`2027-03-${String(day).padStart(2, '0')}T${time}:00+01:00`) / 1000

const call = async (method: string, path: string, body?: unknown) => {
  const answer = await dashboard.service.call(method, `/v3/grants/${path}`, { key: dashboard.application.key, body })
  if (answer.status >= 300) throw new Error(`${path}: ${JSON.stringify(answer.body)}`)
  return answer.body.data
}
const addEvent = (calendar: string, body: unknown) =>
  call('POST', `${grant}/events?calendar_id=${calendar}&notify_participants=false`, body)
const spanned = (start: number, end: number) => ({
  start_time: start,
  end_time: end,
  start_timezone: zone,
  end_timezone: zone,
})

async function fill(): Promise<void> {
  grant = (await dashboard.service.createGrant('studio', dashboard.application.key)).id
  team = (await call('POST', `${grant}/calendars`, { name: 'Team', timezone: zone })).id
  travel = (await call('POST', `${grant}/calendars`, { name: 'Travel', timezone: zone })).id
  await addEvent(team, {
    title: 'Planning',
    location: 'Room 4',
    description: '<p>Bring <b>numbers</b></p>',
    when: spanned(at(9, '10:00'), at(9, '11:00')),
    participants: [{ email: 'ann@example.com', name: 'Ann' }],
    conferencing: { provider: 'Zoom Meeting', details: { url: 'https://zoom.example/j/1' } },
  })
  await addEvent(team, {
    title: 'Stand-up',
    when: spanned(at(1, '09:00'), at(1, '09:15')),
    recurrence: ['RRULE:FREQ=WEEKLY;BYDAY=MO,TU,WE,TH,FR;COUNT=40'],
  })
  await addEvent(travel, { title: 'Fair in Lyon', when: { start_date: '2027-03-10', end_date: '2027-03-12' } })
  await addEvent(travel, { title: 'Early flight', when: spanned(at(14, '05:30'), at(14, '06:30')) })
  await addEvent(travel, { title: 'Holiday', when: { date: '2027-03-08' } })
  await addEvent(team, { title: 'Release', when: { time: at(11, '15:00') }, busy: false })
  await addEvent(team, {
    title: attack,
    description: attack,
    location: attack,
    when: spanned(at(10, '13:00'), at(10, '14:30')),
    participants: [{ email: 'mallory@evil.example', name: attack.slice(0, 200) }],
  })
}

const to = (query: string): string => `/grants/${grant}/calendar?zone=${zone}&${query}`

beforeAll(async () => {
  dashboard = await openDashboard()
  await fill()
  page = await openTrapped(dashboard)
})
afterAll(async () => {
  await dashboard[Symbol.asyncDispose]()
})

const event = (name: string | RegExp) => page.getByRole('button', { name }).first()
const dialog = () => page.getByRole('dialog')
const cell = (date: string) => page.locator(`[data-date="${date}"]`).first()

describe('viewing', () => {
  test('a month shows single events, series, all-day events and points in time on their days', async () => {
    await dashboard.visit(page, to('view=month&date=2027-03-09'))
    await event(/Planning/).waitFor()
    expect(await page.getByRole('heading', { level: 2, name: 'March 2027' }).isVisible()).toBe(true)
    expect(await cell('2027-03-09').innerText()).toMatch(/9.*Stand-up.*10a?.*Planning/s)
    expect(await cell('2027-03-08').innerText()).toContain('Holiday')
    expect(await cell('2027-03-11').innerText()).toMatch(/3p.*Release/s)
    expect(await page.getByRole('button', { name: /Stand-up/ }).count()).toBeGreaterThan(20)
    await event(/Fair in Lyon/).waitFor()
    expect(await barriersOf(page)).toEqual([])
    await screenshot(page, 'month')
  })

  test('a calendar is hidden and shown, and the URL stores it', async () => {
    await page.getByRole('checkbox', { name: 'Travel' }).uncheck()
    await event(/Holiday/).waitFor({ state: 'detached' })
    await expect.poll(() => page.url()).toContain(`hide=${travel}`)
    await page.reload()
    await event(/Planning/).waitFor()
    expect(await event(/Holiday/).count()).toBe(0)
    await page.getByRole('checkbox', { name: 'Travel' }).check()
    await event(/Holiday/).waitFor()
  })

  test('another time zone moves timed events and leaves all-day events', async () => {
    await page.getByLabel('Time zone').selectOption('Asia/Tokyo')
    await expect.poll(() => cell('2027-03-09').innerText()).toMatch(/6p.*Planning/s)
    expect(await cell('2027-03-08').innerText()).toContain('Holiday')
    await page.getByLabel('Time zone').selectOption(zone)
    await expect.poll(() => cell('2027-03-09').innerText()).toMatch(/10a.*Planning/s)
  })

  test('navigation moves by week and day, and a day opens from the month', async () => {
    await page.getByRole('button', { name: 'Week', exact: true }).click()
    await page.getByRole('heading', { level: 2, name: 'Mar 7 – 13, 2027' }).waitFor()
    await event(/Planning/).waitFor()
    expect(await barriersOf(page)).toEqual([])
    await screenshot(page, 'week')
    await page.getByRole('button', { name: 'Next week' }).click()
    await page.getByRole('heading', { level: 2, name: 'Mar 14 – 20, 2027' }).waitFor()
    await event(/Early flight/).waitFor()
    await page.getByRole('button', { name: 'Month', exact: true }).click()
    await page.getByRole('link', { name: 'March 9, 2027' }).click()
    await page.getByRole('heading', { level: 2, name: 'Tuesday, March 9, 2027' }).waitFor()
    await expect.poll(() => page.url()).toMatch(/view=day.*date=2027-03-09|date=2027-03-09.*view=day/)
    expect(await barriersOf(page)).toEqual([])
  })

  test('an event shows all its details, and its URL opens it again', async () => {
    await event(/Planning/).click()
    await dialog().getByText('Room 4').first().waitFor()
    const text = await dialog().innerText()
    expect(text).toMatch(/Ann <ann@example.com>[\s\S]*no response/)
    expect(text, 'HTML is shown as text').toContain('Bring numbers')
    expect(await dialog().getByRole('link', { name: 'Join (Zoom Meeting)' }).getAttribute('href')).toBe(
      'https://zoom.example/j/1',
    )
    expect(await barriersOf(page)).toEqual([])
    await screenshot(page, 'details')
    await page.reload()
    await dialog().getByText('Room 4').first().waitFor()
    await page.keyboard.press('Escape')
    await dialog().waitFor({ state: 'detached' })
    await expect.poll(() => page.url()).not.toContain('event=')
  })

  test('foreign text stays text, and the dark theme is accessible', async () => {
    const trapped = await openTrapped(dashboard, { colorScheme: 'dark' })
    const written = trapped.getByRole('button', { name: /onerror/ }).first()
    for (const view of ['month', 'week', 'day', 'list']) {
      await dashboard.visit(trapped, to(`view=${view}&date=2027-03-10`))
      await written.waitFor()
      await screenshot(trapped, `${view}-dark`)
      expect(await barriersOf(trapped, colourRules)).toEqual([])
    }
    await written.click()
    await trapped.getByRole('dialog').getByText('mallory').first().waitFor()
    expect(await barriersOf(trapped)).toEqual([])
    expect(await ran(trapped)).toBe(0)
    expect(refusals(trapped)).toEqual([])
    await trapped.close()
  })

  test('a phone shows a list that fits', async () => {
    const small = await dashboard.open(phone)
    await dashboard.visit(small, to('date=2027-03-10'))
    await small
      .getByRole('button', { name: /Planning/ })
      .first()
      .waitFor()
    expect(await small.evaluate('document.documentElement.scrollWidth > innerWidth')).toBe(false)
    await screenshot(small, 'list-phone')
    await small.close()
  })
})

test('the browser blocked nothing', () => {
  expect(dashboard.reports).toEqual([])
})
