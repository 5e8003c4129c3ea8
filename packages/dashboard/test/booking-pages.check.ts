/** Journeys through booking pages and bookings: virtual calendars in the real store. */

import { barriersOf, colourRules, phone } from '@waypost/testing/peers/browser'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Booking, SchedulingPage } from '../../sdk/src/index.ts'
import { type Dashboard, openDashboard, settled } from './dashboard.ts'
import { openTrapped, ran, refusals, screenshot } from './sweep.ts'

let dashboard: Dashboard
let page: Page

const call = async (method: string, path: string, body?: unknown) => {
  const answer = await dashboard.service.call(method, `/v3${path}`, { key: dashboard.application.key, body })
  if (answer.status >= 300) throw new Error(`${path}: ${JSON.stringify(answer.body)}`)
  return answer.body.data
}
const pagesNow = async (): Promise<SchedulingPage[]> => call('GET', '/scheduling/configurations')
const pageNamed = async (name: string): Promise<SchedulingPage> => {
  const found = (await pagesNow()).find((each) => each.name === name)
  if (!found) throw new Error(`no page is called ${name}`)
  return found
}
const bookingNow = async (id: string): Promise<Booking> => call('GET', `/scheduling/bookings/${id}`)

/** Books as a guest: without a credential, by the id of the page. */
async function bookAs(name: string, configuration: string): Promise<Booking> {
  const now = Math.floor(Date.now() / 1000)
  const of = `configuration_id=${configuration}`
  const ask = async (path: string, init?: RequestInit) => {
    const answer = await fetch(`${dashboard.base}/v3/scheduling/${path}`, init)
    const body = (await answer.json()) as { data: never }
    if (!answer.ok) throw new Error(`${path}: ${JSON.stringify(body)}`)
    return body.data
  }
  const free: { time_slots: { start_time: number; end_time: number }[] } = await ask(
    `availability?${of}&start_time=${now}&end_time=${now + 14 * 86_400}`,
  )
  const slot = free.time_slots[4]
  return ask(`bookings?${of}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ ...slot, guest: { name, email: 'grace@example.com' }, timezone: 'America/New_York' }),
  })
}

const dialog = () => page.getByRole('dialog').last()
const button = (name: string) => page.getByRole('button', { name, exact: true })
const inDialog = (name: string | RegExp) => dialog().getByRole('button', { name, exact: true })
const reported = (text: string | RegExp) => page.locator('.toast').filter({ hasText: text }).first().waitFor()
const preview = () => page.frameLocator('iframe[title="Preview of the booking page"]')
const row = (text: string) => page.getByRole('row').filter({ hasText: text })

beforeAll(async () => {
  dashboard = await openDashboard()
  const { key } = dashboard.application
  const ada = await dashboard.service.createGrant('ada@northwind.example', key)
  await call('POST', `/grants/${ada.id}/calendars`, { name: 'Work', timezone: 'UTC' })
  await dashboard.service.createGrant('bob@northwind.example', key)
  page = await openTrapped(dashboard)
})
afterAll(async () => {
  await dashboard[Symbol.asyncDispose]()
})

describe('without booking pages', () => {
  test('both lists say what to do, and a step says what is missing', async () => {
    await dashboard.visit(page, '/booking-pages/bookings')
    await page.getByText('No upcoming bookings').waitFor()
    await page.getByRole('link', { name: 'Booking pages', exact: true }).first().click()
    await page.getByText('No booking pages yet').waitFor()
    expect(await barriersOf(page)).toEqual([])
    await page.getByRole('link', { name: 'New booking page' }).last().click()
    await settled(page)
    await button('Next').click()
    await page.getByText('Choose an account.').waitFor()
  })
})

describe('a page in three steps', () => {
  test('whose calendar: accounts are found by address, and an account without calendars gets one', async () => {
    await page.getByRole('radio', { name: /Round robin/ }).check()
    await page.getByLabel('Accounts').fill('north')
    await page.getByRole('option', { name: /ada@/ }).click()
    await page.getByLabel('Calendar', { exact: true }).waitFor()
    await page.getByLabel('Add an account').fill('bob')
    await page.getByRole('option', { name: /bob@/ }).click()
    await button('Create a calendar').click()
    await expect.poll(() => page.getByLabel('Calendar', { exact: true }).count()).toBe(2)
    expect(await barriersOf(page)).toEqual([])
    await page.getByRole('radio', { name: /One-on-one/ }).check()
    await page.getByText('bob@northwind.example').waitFor({ state: 'detached' })
    await screenshot(page, 'booking-page-who')
    await button('Next').click()
  })

  test('what: hours by keyboard, and the proposed title', async () => {
    const title = page.getByLabel('Title')
    await title.waitFor()
    expect(await title.inputValue()).toBe('30 minutes with ada')
    await title.fill('Intro call')
    await page.getByLabel('Duration').selectOption('45 minutes')
    await page.getByRole('checkbox', { name: 'Saturday' }).focus()
    await page.keyboard.press('Space')
    await page.getByLabel('Saturday: to').selectOption('12:00')
    await button('Add hours on Monday').click()
    await page.getByLabel('Monday, hours 2: from').selectOption('12:00')
    await page.getByText('The hours overlap.').waitFor()
    await button('Next').click()
    await page.getByText('Monday: The hours overlap.').waitFor()
    await button('Remove Monday, hours 2').click()
    expect(await barriersOf(page)).toEqual([])
    await screenshot(page, 'booking-page-what')
    await button('Next').click()
  })

  test('link: a review, and the page works', async () => {
    const link = page.getByLabel('Link', { exact: true })
    await link.waitFor()
    expect(await link.inputValue()).toBe('intro-call')
    await page.getByRole('radio', { name: /Ask first/ }).check()
    await page.getByText('Mon–Fri 09:00–17:00; Sat 09:00–12:00').waitFor()
    expect(await barriersOf(page)).toEqual([])
    await screenshot(page, 'booking-page-link')
    await button('Create page').click()
    await reported('Intro call is ready')
    await page.getByText('Embed in a site').waitFor()
    const made = await pageNamed('Intro call')
    expect(made).toMatchObject({
      slug: 'intro-call',
      availability: { duration_minutes: 45 },
      event_booking: { title: 'Intro call', booking_type: 'organizer-confirmation' },
    })
    expect(await page.locator('.copy code').first().innerText()).toBe(
      `${dashboard.base}/book/${dashboard.application.id}/intro-call`,
    )
    expect(await barriersOf(page)).toEqual([])
    await screenshot(page, 'booking-page-share')
    const guest = await dashboard.openAsStranger()
    await guest.goto(`${dashboard.base}/book/${dashboard.application.id}/intro-call`)
    await guest.getByRole('heading', { name: 'Intro call' }).waitFor()
    await guest.getByText('45 min').first().waitFor()
    await guest.close()
  })
})

describe('bookings', () => {
  let booking: Booking

  test('a request of a guest appears and is confirmed', async () => {
    booking = await bookAs('Grace Hopper', (await pageNamed('Intro call')).id)
    expect(booking.status).toBe('pending')
    await dashboard.visit(page, '/booking-pages/bookings')
    await row('Grace Hopper').getByText('waiting').waitFor()
    await screenshot(page, 'bookings')
    expect(await barriersOf(page)).toEqual([])
    await page.getByRole('button', { name: 'Grace Hopper' }).click()
    await dialog().getByText('America/New_York').waitFor()
    expect(await barriersOf(page)).toEqual([])
    await inDialog('Confirm').click()
    await reported('Booking confirmed')
    await inDialog('Move').waitFor()
    expect((await bookingNow(booking.booking_id)).status).toBe('booked')
  })

  test('it moves to a free time', async () => {
    await inDialog('Move').click()
    await dialog().getByRole('button', { name: 'Next week' }).click()
    const times = dialog().locator('.free-day').first().getByRole('button')
    await times.first().waitFor()
    expect(await barriersOf(page)).toEqual([])
    await times.nth(1).click()
    await screenshot(page, 'booking-move')
    await inDialog(/^Move to/).click()
    await reported('Booking moved')
    const moved = await bookingNow(booking.booking_id)
    expect(moved.status).toBe('booked')
    expect(moved.start_time).toBeGreaterThan(booking.start_time)
    expect(moved.end_time - moved.start_time).toBe(45 * 60)
  })

  test('it is canceled with a reason, and stays in the list', async () => {
    await inDialog('Cancel booking').click()
    await dialog().getByLabel('Reason').fill('I am ill')
    await inDialog('Cancel booking').click()
    await reported('Booking canceled')
    expect((await bookingNow(booking.booking_id)).status).toBe('cancelled')
    await page.keyboard.press('Escape')
    await row('Grace Hopper').getByText('canceled').waitFor()
    await page.getByLabel('State').selectOption('Booked')
    await page.getByText('No matching bookings').waitFor()
    await page.getByLabel('Time', { exact: true }).selectOption('Past')
    await button('Clear filters').click()
    await row('Grace Hopper').waitFor()
  })

  test('another request is declined, on the page’s own tab', async () => {
    const { id } = await pageNamed('Intro call')
    const second = await bookAs('Alan Turing', id)
    await dashboard.visit(page, `/booking-pages/${id}/bookings?booking=${second.booking_id}`)
    await inDialog('Decline').click()
    await dialog().getByLabel('Reason').fill('Wrong department')
    await inDialog('Decline').click()
    await reported('Booking declined')
    expect((await bookingNow(second.booking_id)).status).toBe('cancelled')
  })
})

describe('editing', () => {
  const openAll = "document.querySelectorAll('details.section').forEach((each) => { each.open = true })"

  test('all common fields are saved, and others stay as they are', async () => {
    const before = await pageNamed('Intro call')
    await dashboard.visit(page, `/booking-pages/${before.id}`)
    await page.evaluate(openAll)
    await page.getByLabel('Name of the page').fill('Intro talk')
    await page.getByText('You have changes that are not saved.').waitFor()
    await preview().getByRole('heading', { name: 'Intro talk' }).waitFor()
    await page.getByLabel('Thursday: from').selectOption('10:30')
    await button('Close a day').click()
    await page.getByLabel('Free time before a meeting').selectOption('10 minutes')
    await page.getByLabel('Minimum notice', { exact: true }).fill('3')
    await page.getByLabel('Days ahead').fill('60')
    await button('Add a question').click()
    await page.getByLabel('Question', { exact: true }).fill('What is it about?')
    await page.getByLabel('Kind of answer').selectOption('Drop-down list')
    await page.getByLabel('Options').fill('Sales\n\nSupport')
    await page.getByLabel(/^Color/).fill('#0a7d38')
    await page.getByLabel(/^Text of the button/).fill('Let us talk')
    await button('Add a reminder').click()
    await page.getByLabel(/^Cancellation policy/).fill('One day before, please')
    await page.getByLabel(/^Sites that may embed/).fill('https://www.example.com\n')
    expect(await barriersOf(page)).toEqual([])
    await screenshot(page, 'booking-page-edit')
    await button('Save page').click()
    await reported('Page saved')
    await page.getByText('Everything is saved.').waitFor()
    const after = await pageNamed('Intro talk')
    expect(after).toMatchObject({
      id: before.id,
      slug: 'intro-call',
      participants: before.participants,
      embed_origins: ['https://www.example.com'],
      appearance: { color: '#0a7d38', submit_button_label: 'Let us talk' },
      event_booking: {
        booking_type: 'organizer-confirmation',
        reminders: [{ type: 'email', minutes_before_event: 1440, recipient: 'guest' }],
      },
      scheduler: {
        min_booking_notice: 180,
        available_days_in_future: 60,
        cancellation_policy: 'One day before, please',
        additional_fields: { field_1: { label: 'What is it about?', type: 'dropdown', options: ['Sales', 'Support'] } },
      },
    })
    const rules = after.availability.availability_rules
    expect(rules?.buffer).toEqual({ before: 10, after: 0 })
    expect(rules?.default_specific_time_availability).toHaveLength(1)
    expect(rules?.default_open_hours?.find(({ days }) => days.includes(4))?.start).toBe('10:30')
  })

  test('the service’s refusal is shown at its field', async () => {
    await page.evaluate(openAll)
    await page.getByLabel(/^Sites that may embed/).fill('www.example.com/path')
    await button('Save page').click()
    await page.locator('.field').filter({ hasText: 'Sites that may embed' }).locator('.problem').waitFor()
    await page.getByLabel(/^Sites that may embed/).fill('https://www.example.com')
    await page.getByText('Everything is saved.').waitFor()
  })

  test('a phone in the dark theme shows every part', async () => {
    const dark = await dashboard.open({ ...phone, colorScheme: 'dark' })
    const { id } = await pageNamed('Intro talk')
    for (const path of ['', '/new', `/${id}`, `/${id}/share`, `/${id}/bookings`]) {
      await dashboard.visit(dark, `/booking-pages${path}`)
      expect(await barriersOf(dark, colourRules), path).toEqual([])
      expect(await dark.evaluate('document.documentElement.scrollWidth > innerWidth'), path).toBe(false)
      await screenshot(dark, `booking-pages-phone${path.replaceAll('/', '-').replace(id, 'page')}`)
    }
    await dark.close()
  })
})

test('a group page begins with an event, and events are added and deleted', async () => {
  await dashboard.visit(page, '/booking-pages/new')
  await page.getByRole('radio', { name: /^Group/ }).check()
  await page.getByRole('combobox', { name: 'Account', exact: true }).fill('ada')
  await page.getByRole('option', { name: /ada@/ }).click()
  await page.getByLabel('Calendar', { exact: true }).waitFor()
  await button('Next').click()
  await page.getByLabel('Title').fill('Yoga')
  await page.getByLabel('Seats', { exact: true }).fill('12')
  await page.getByLabel('Repeat').selectOption('Every week')
  expect(await barriersOf(page)).toEqual([])
  await button('Next').click()
  await button('Create page').click()
  await reported('Yoga is ready')
  await page.getByRole('link', { name: 'Events' }).click()
  await expect.poll(() => page.getByRole('row').filter({ hasText: '0 of 12' }).count()).toBe(8)
  await button('New event').click()
  await dialog().getByLabel('Title').fill('Yoga for beginners')
  await inDialog('Add event').click()
  await reported('Event added')
  expect(await barriersOf(page)).toEqual([])
  await screenshot(page, 'booking-page-events')
  await row('Yoga for beginners').getByRole('button', { name: 'Delete' }).click()
  await inDialog('Delete event').click()
  await reported('Event deleted')
  await row('Yoga for beginners').waitFor({ state: 'detached' })
  await button('Delete').first().click()
  await inDialog('Delete page').click()
  await reported('Yoga was deleted')
})

test('deleting says what happens, and the list is searched', async () => {
  await dashboard.visit(page, '/booking-pages')
  await row('Intro talk').getByText('After confirmation').waitFor()
  await screenshot(page, 'booking-pages')
  await page.getByLabel('Search').fill('nobody')
  await page.getByText('No matching booking pages').waitFor()
  await page.getByLabel('Search').fill('intro')
  await page.getByRole('link', { name: 'Intro talk' }).click()
  await button('Delete').click()
  await dialog().getByText('Meetings that are already booked stay in the calendars.').waitFor()
  await inDialog('Delete page').click()
  await reported('Intro talk was deleted')
  await page.getByText('No booking pages yet').waitFor()
  expect(await pagesNow()).toEqual([])
  expect(await ran(page)).toBe(0)
  expect(refusals(page)).toEqual([])
  expect(dashboard.reports).toEqual([])
})
