/** The booking pages in a real browser, from the month to the confirmation, on a virtual calendar. */
import { mkdirSync } from 'node:fs'
import path from 'node:path'
import {
  type BrowserPeer,
  barriersOf,
  colourRules,
  complaintsOf,
  phone,
  sharedBrowser,
} from '@waypost/testing/peers/browser'
import { freePort } from '@waypost/testing/peers/daemon'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { findBooking, organizerReferenceOf, referenceOf } from '../../../src/booking/bookings/booking-record.ts'
import { type ExampleProgram, startExample } from '../../examples/example-program.ts'
import { openService, type TestService } from '../../harness.ts'

let service: TestService
let browser: BrowserPeer
let base: string
let clientId: string
let grantId: string
let site: ExampleProgram

const desk = { viewport: { width: 1280, height: 860 }, locale: 'en-US', timezoneId: 'Europe/Berlin' } as const
const host = 'ada@calendars.test'

const shots = process.env.BOOKING_SHOTS
/** Takes a screenshot if a folder is set. */
async function shoot(page: Page, name: string): Promise<void> {
  if (shots === undefined) return
  mkdirSync(shots, { recursive: true })
  await page.screenshot({ path: path.join(shots, `${name}.png`), fullPage: true, animations: 'disabled' })
}

const additionalFields = {
  topic: { label: 'What is it about?', type: 'multi_line_text', required: true, order: 1 },
  size: { label: 'Team size', type: 'dropdown', required: false, options: ['1–10', 'more'], order: 2 },
  way: { label: 'How do we talk?', type: 'radio_button', required: true, options: ['Video', 'Telephone'], order: 3 },
  code: { label: 'Code', type: 'text', required: false, pattern: '[A-Z]{3}', order: 4 },
  terms: { label: 'I agree to the terms', type: 'checkbox', required: true, order: 5 },
  source: { label: 'Source', type: 'metadata', required: false },
}

async function createPage(slug: string, more: Record<string, unknown> = {}): Promise<void> {
  const { scheduler, event_booking: event, ...rest } = more as Record<string, object>
  const made = await service.call('POST', `/v3/grants/${grantId}/scheduling/configurations`, {
    body: {
      name: 'Intro call',
      slug,
      participants: [
        {
          ...{ name: 'Ada Lovelace', email: host, is_organizer: true },
          ...{ availability: { calendar_ids: ['primary'] }, booking: { calendar_id: 'primary' } },
        },
      ],
      availability: {
        duration_minutes: 30,
        availability_rules: {
          default_open_hours: [{ days: [0, 1, 2, 3, 4, 5, 6], start: '8:00', end: '18:00', timezone: 'UTC' }],
        },
      },
      event_booking: { title: 'Intro call', timezone: 'Europe/Berlin', ...event },
      // The whole next month can be booked, so that tests do not depend on the day.
      scheduler: { available_days_in_future: 70, min_booking_notice: 0, ...scheduler },
      ...rest,
    },
  })
  expect(made.status, JSON.stringify(made.body)).toBe(200)
}

beforeAll(async () => {
  const port = String(await freePort())
  ;[service, browser] = await Promise.all([openService(), sharedBrowser()])
  base = await service.listen()
  const grant = await service.createGrant(host)
  grantId = grant.id
  await service.call('POST', `/v3/grants/${grantId}/calendars`, { body: { name: 'Work', timezone: 'UTC' } })
  clientId = (await service.call('GET', '/v3/applications')).body.data.application_id
  await createPage('intro', { appearance: { color: '#5b3df5' }, embed_origins: [`http://127.0.0.1:${port}`] })
  await createPage('questions', {
    scheduler: { additional_fields: additionalFields, cancellation_policy: 'Cancel an hour before.' },
    appearance: { submit_button_label: 'See you', thank_you_message: 'We look forward to it.' },
  })
  await createPage('later', { scheduler: { min_booking_notice: 35 * 24 * 60 } })
  await createPage('asked', { event_booking: { booking_type: 'organizer-confirmation' } })
  const env = { WAYPOST_URL: base, BOOKING_CLIENT_ID: clientId, BOOKING_SLUG: 'intro', PORT: port }
  site = await startExample('embed-booking/server.ts', env)
})
afterAll(async () => {
  await Promise.all([browser?.[Symbol.asyncDispose](), site?.[Symbol.asyncDispose]()])
  await service?.[Symbol.asyncDispose]()
})

/** Opens a page and shows the next month, in which every day is free. */
async function openMonth(page: Page, target: string): Promise<void> {
  await page.goto(`${base}${target}`)
  await page.locator('.time').first().waitFor()
  await page.locator('.month-head .round').last().click()
  await page.locator('[aria-busy=false] .day.free').first().waitFor()
}

/** Chooses a day of the month and its first time. Returns the start. */
async function chooseTime(page: Page, day: number): Promise<void> {
  await page.locator('.day.free').nth(day).click()
  await page.locator('.time').first().click()
  await page.locator('form').waitFor()
}

const fill = async (page: Page, name: string, email: string): Promise<void> => {
  await page.locator('[name=name]').fill(name)
  await page.locator('[name=email]').fill(email)
}

/** Books on the page, and returns the reference in its links. */
async function bookBy(page: Page, slug: string, day: number, email: string): Promise<string> {
  await openMonth(page, `/book/${clientId}/${slug}`)
  await chooseTime(page, day)
  await fill(page, 'Grace Hopper', email)
  await page.locator('button[type=submit]').click()
  await page.locator('.outcome h1').waitFor()
  const link = await page.getByRole('link', { name: 'Cancel' }).getAttribute('href')
  return link?.split('/').at(-1) ?? ''
}

async function eventsOf(email: string): Promise<{ when: { start_time: number }; title: string }[]> {
  const now = Math.floor(Date.now() / 1000)
  const window = `calendar_id=primary&limit=200&start=${now}&end=${now + 80 * 86_400}`
  const { body } = await service.call('GET', `/v3/grants/${grantId}/events?${window}`)
  const isOf = ({ participants = [] }: { participants?: { email: string }[] }) =>
    participants.some((each) => each.email === email)
  return body.data.filter(isOf)
}

describe('a guest', () => {
  test('finds a time, fills in the form and is booked; each step is free of barriers', async () => {
    const page = await browser.newPage(desk)
    await openMonth(page, `/book/${clientId}/questions?email=grace@example.com&source=mail`)
    await page.locator('.day.free').nth(2).click()
    await page.locator('.time').first().waitFor()
    expect(await barriersOf(page)).toEqual([])
    await shoot(page, 'month')
    await page.getByLabel('24 h').check()
    const time = await page.locator('.time').nth(3).innerText()
    expect(time).toMatch(/^\d\d:\d\d$/)
    await page.locator('.time').nth(3).click()
    await page.getByRole('button', { name: 'See you' }).click()
    expect(await page.locator('.wrong').allInnerTexts()).toEqual([
      'Fill in this field.',
      'Fill in this field.',
      'Choose one.',
      'Check this box to continue.',
    ])
    expect(await page.evaluate('document.activeElement.name')).toBe('name')
    expect(await barriersOf(page)).toEqual([])
    await page.locator('[name=name]').fill('Grace Hopper')
    await page.getByLabel('What is it about?').fill('Compilers')
    await page.getByLabel('Team size').selectOption('more')
    await page.getByLabel('Telephone').check()
    await page.getByLabel('Code').fill('ab')
    await page.getByLabel('I agree').check()
    await page.getByRole('button', { name: 'Add a guest' }).click()
    await page.getByLabel('E-mail address of guest 1').fill('alan@example.com')
    await page.getByRole('button', { name: 'See you' }).click()
    expect(await page.locator('.wrong').allInnerTexts()).toEqual(['This does not have the expected format.'])
    await page.getByLabel('Code').fill('ABC')
    await shoot(page, 'form')
    await page.getByRole('button', { name: 'See you' }).click()
    await page.getByRole('heading', { name: 'You are booked' }).waitFor()
    expect(await page.locator('.outcome').innerText()).toContain('We look forward to it.')
    expect(await page.locator('.details').innerText()).toContain(time)
    expect(await barriersOf(page)).toEqual([])
    await shoot(page, 'confirmation')
    const [file] = await Promise.all([page.waitForEvent('download'), page.getByText('Calendar file').click()])
    expect(file.suggestedFilename()).toBe('booking.ics')
    const [event] = await eventsOf('grace@example.com')
    expect(event).toMatchObject({ title: 'Intro call' })
    expect(await eventsOf('alan@example.com')).toHaveLength(1)
    expect(complaintsOf(page)).toEqual([])
  })

  test('whose time was taken meanwhile is offered the nearest times, and keeps every entry', async () => {
    const [page, other] = [await browser.newPage(desk), await browser.newPage(desk)]
    await openMonth(page, `/book/${clientId}/intro`)
    await chooseTime(page, 4)
    await fill(page, 'Late Guest', 'late@example.com')
    await bookBy(other, 'intro', 4, 'early@example.com')
    await page.locator('button[type=submit]').click()
    await page.getByText('This time was just taken.').waitFor()
    await page.locator('.taken .chip').first().waitFor()
    expect(await page.locator('.taken .chip').count()).toBeGreaterThan(2)
    expect(await barriersOf(page)).toEqual([])
    await shoot(page, 'taken')
    await page.locator('.taken .chip').first().click()
    expect(await page.locator('[name=name]').inputValue()).toBe('Late Guest')
    await page.locator('button[type=submit]').click()
    await page.getByRole('heading', { name: 'You are booked' }).waitFor()
    const [late, early] = [await eventsOf('late@example.com'), await eventsOf('early@example.com')]
    expect([late.length, early.length]).toEqual([1, 1])
    expect(late[0]?.when.start_time).not.toBe(early[0]?.when.start_time)
  })

  test('books with the keyboard alone', async () => {
    const page = await browser.newPage(desk)
    await openMonth(page, `/book/${clientId}/intro`)
    await page.locator('.day[tabindex="0"]').focus()
    const start = await page.evaluate('document.activeElement.dataset.day')
    for (const key of ['ArrowRight', 'ArrowDown', 'ArrowDown', 'ArrowLeft']) await page.keyboard.press(key)
    const day = await page.evaluate('document.activeElement.dataset.day')
    expect(Date.parse(String(day)) - Date.parse(String(start))).toBe(14 * 86_400_000)
    expect(await page.locator('.day[tabindex="0"]').count()).toBe(1)
    await page.keyboard.press('Enter')
    await expect.poll(() => page.evaluate('document.activeElement.className')).toBe('time')
    await page.keyboard.press('Enter')
    await page.locator('form').waitFor()
    for (const text of ['Key Board', 'keys@example.com']) {
      await page.keyboard.press('Tab')
      await page.keyboard.type(text)
    }
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { name: 'You are booked' }).waitFor()
    expect(await eventsOf('keys@example.com')).toHaveLength(1)
  })

  test('goes back from the form to the times, and changes the time zone by its name', async () => {
    const page = await browser.newPage(desk)
    await openMonth(page, `/book/${clientId}/intro`)
    await chooseTime(page, 6)
    await page.goBack()
    // A day in the middle of the month, because today may be over in Tokyo.
    await page.locator('.day.free').nth(2).click()
    const before = await page.locator('.time').first().innerText()
    await page.getByRole('button', { name: /^Time zone/ }).click()
    await page.getByRole('combobox', { name: /Find a city/ }).fill('tokyo')
    await page.getByRole('option').first().filter({ hasText: 'Tokyo' }).waitFor()
    await page.keyboard.press('Enter')
    await page.getByRole('button', { name: 'Tokyo' }).waitFor()
    await page.locator('.day.free').nth(2).click()
    expect(await page.locator('.time').first().innerText()).not.toBe(before)
    expect(complaintsOf(page)).toEqual([])
  })

  test('sees the first month with free times, and jumps to the next free day from an empty one', async () => {
    const page = await browser.newPage(desk)
    await page.goto(`${base}/book/${clientId}/later`)
    await page.locator('.time').first().waitFor()
    const day = await page.locator('.day[aria-pressed=true]').getAttribute('data-day')
    await page.getByRole('button', { name: 'Previous month' }).click()
    await page.getByText(/^No free times in/).waitFor()
    expect(await barriersOf(page)).toEqual([])
    await page.getByRole('button', { name: 'Next free day' }).click()
    await page.locator('.time').first().waitFor()
    expect(await page.locator('.day[aria-pressed=true]').getAttribute('data-day')).toBe(day)
  })
})

describe('a booking', () => {
  test("is moved and canceled through the guest's links", async () => {
    const page = await browser.newPage(desk)
    const reference = await bookBy(page, 'intro', 8, 'moving@example.com')
    const [before] = await eventsOf('moving@example.com')
    await openMonth(page, `/book/reschedule/${reference}`)
    expect(await page.locator('.former').innerText()).toContain('Former time')
    await page.locator('.day.free').nth(9).click()
    await page.locator('.time').nth(2).click()
    await page.getByRole('button', { name: 'Move the booking' }).click()
    await page.getByRole('heading', { name: 'Your booking was moved' }).waitFor()
    const moved = await eventsOf('moving@example.com')
    expect(moved).toHaveLength(1)
    expect(moved[0]?.when.start_time).not.toBe(before?.when.start_time)
    await page.getByRole('link', { name: 'Cancel' }).click()
    await page.getByLabel('Reason').fill('I am ill')
    expect(await barriersOf(page)).toEqual([])
    await shoot(page, 'cancel')
    await page.getByRole('button', { name: 'Cancel the booking' }).click()
    await page.getByRole('heading', { name: 'The booking is canceled' }).waitFor()
    expect(await eventsOf('moving@example.com')).toEqual([])
    await page.reload()
    await page.getByText('This booking was already canceled.').waitFor()
  })

  test.each([
    ['confirms', 'Confirm', 'The booking is confirmed'],
    ['declines', 'Decline', 'The request is declined'],
  ])('that needs a confirmation is open until the organizer %s it', async (what, button, outcome) => {
    const page = await browser.newPage(desk)
    const email = `${what}@example.com`
    await openMonth(page, `/book/${clientId}/asked`)
    await chooseTime(page, what === 'confirms' ? 10 : 11)
    await fill(page, 'Grace Hopper', email)
    await page.locator('button[type=submit]').click()
    await page.getByRole('heading', { name: 'Your request was sent' }).waitFor()
    const { body } = await service.call('GET', '/v3/scheduling/bookings?limit=50')
    const { booking_id: id } = body.data.find(({ guest }: { guest: { email: string } }) => guest.email === email)
    const { database, seals } = service.services.storage
    const booking = await findBooking(database, seals, { applicationId: clientId, id })
    if (!booking) throw new Error('no booking')
    const organizer = await browser.newPage(desk)
    // The guest's own link does not confirm the booking.
    const refused = await organizer.goto(`${base}/book/confirm/${referenceOf(booking)}`)
    expect(refused?.status()).toBe(404)
    await organizer.goto(`${base}/book/confirm/${organizerReferenceOf(booking)}`)
    await organizer.getByText('Grace Hopper asks for this time.').waitFor()
    expect(await barriersOf(organizer)).toEqual([])
    await shoot(organizer, 'confirm')
    await organizer.getByRole('button', { name: button, exact: true }).click()
    if (button === 'Decline') await organizer.getByRole('button', { name: 'Decline the request' }).click()
    await organizer.getByRole('heading', { name: outcome }).waitFor()
    const after = await service.call('GET', `/v3/scheduling/bookings/${id}`)
    expect(after.body.data.status).toBe(button === 'Confirm' ? 'booked' : 'cancelled')
  })

  test('of a private page is made with a session, and moved by its link without one', async () => {
    await createPage('private', { requires_session_auth: true })
    const page = await browser.newPage(desk)
    const closed = await page.goto(`${base}/book/${clientId}/private`)
    expect(closed?.status()).toBe(404)
    const made = await service.call('POST', '/v3/scheduling/sessions', { body: { slug: 'private' } })
    const session: string = made.body.data.session_id
    await openMonth(page, `/book/${clientId}/private?session_id=${session}`)
    await chooseTime(page, 14)
    await fill(page, 'Grace Hopper', 'private@example.com')
    await page.locator('button[type=submit]').click()
    await page.getByRole('heading', { name: 'You are booked' }).waitFor()
    await page.getByRole('link', { name: 'Reschedule' }).click()
    await page.locator('.time').last().click()
    await page.getByRole('button', { name: 'Move the booking' }).click()
    await page.getByRole('heading', { name: 'Your booking was moved' }).waitFor()
    expect(await eventsOf('private@example.com')).toHaveLength(1)
    // A session opens only its own page.
    expect((await page.goto(`${base}/book/${clientId}/asked?session_id=${session}`))?.status()).toBe(404)
  })

  test('of a group event takes a seat; the page shows how many are left', async () => {
    const made = await service.call('POST', `/v3/grants/${grantId}/scheduling/configurations`, {
      body: { name: 'Workshop', slug: 'workshop', type: 'group', group_booking: { calendar_id: 'primary' } },
    })
    expect(made.status, JSON.stringify(made.body)).toBe(200)
    const start = Math.floor(Date.now() / 86_400_000) * 86_400 + 2 * 86_400 + 4 * 3600
    const when = { start_time: start, end_time: start + 5400 }
    const path = `/v3/grants/${grantId}/scheduling/configurations/${made.body.data.id}/group-events`
    const added = await service.call('POST', path, {
      body: { calendar_id: 'primary', title: 'Workshop', when, participants: [], capacity: 2 },
    })
    expect(added.status, JSON.stringify(added.body)).toBe(200)
    const page = await browser.newPage(desk)
    await page.goto(`${base}/book/${clientId}/workshop`)
    expect(await page.locator('.time').first().innerText()).toContain('2 seats left')
    await page.locator('.time').first().click()
    expect(await page.locator('.facts').innerText()).toContain('1 h 30 min')
    await fill(page, 'Grace Hopper', 'seat@example.com')
    await page.locator('button[type=submit]').click()
    await page.getByRole('heading', { name: 'You are booked' }).waitFor()
    await page.goto(`${base}/book/${clientId}/workshop`)
    expect(await page.locator('.time').first().innerText()).toContain('One seat left')
  })
})

describe('the page', () => {
  test('fits a phone in dark mode and German, with readable colors', async () => {
    const page = await browser.newPage({ ...phone, colorScheme: 'dark', locale: 'de-DE', timezoneId: 'Europe/Berlin' })
    await openMonth(page, `/book/${clientId}/intro`)
    await page.locator('.day.free').nth(3).click()
    await page.locator('.time').first().waitFor()
    expect(await page.evaluate('document.documentElement.scrollWidth <= innerWidth')).toBe(true)
    expect(await page.evaluate('document.documentElement.lang')).toBe('de')
    expect(await page.getByRole('heading', { name: 'Vormittag' }).count()).toBe(1)
    expect(await barriersOf(page)).toEqual([])
    await shoot(page, 'phone-dark')
    await page.goto(`${base}/book/${clientId}/intro?lang=ja`)
    await page.locator('.time').first().waitFor()
    expect(await page.evaluate('document.documentElement.lang')).toBe('ja')
    await page.locator('.time').first().click()
    expect(await page.getByRole('button', { name: '予約する' }).count()).toBe(1)
    expect(complaintsOf(page)).toEqual([])
  })

  test('has readable colors in dark mode on a wide screen', async () => {
    const page = await browser.newPage({ ...desk, colorScheme: 'dark' })
    await openMonth(page, `/book/${clientId}/intro`)
    await page.locator('.day.free').nth(3).click()
    expect(await barriersOf(page, colourRules)).toEqual([])
    await shoot(page, 'dark')
  })

  test('loads the free times again after a failure', async () => {
    const page = await browser.newPage(desk)
    await page.route('**/v3/scheduling/availability*', (route) => route.abort())
    await page.goto(`${base}/book/${clientId}/intro`)
    await page.getByText('The free times could not be loaded.').waitFor()
    await page.unroute('**/v3/scheduling/availability*')
    await page.getByRole('button', { name: 'Try again' }).click()
    await page.locator('.day.free').first().waitFor()
  })

  test('is embedded in a listed site with its height, and reports a booking to the site', async () => {
    const page = await browser.newPage(desk)
    await page.goto(site.url)
    const frame = page.frameLocator('iframe')
    await frame.locator('.time').first().waitFor()
    const heightOf = (): Promise<number> => page.evaluate("document.querySelector('iframe').offsetHeight")
    await expect.poll(heightOf).not.toBe(700)
    await frame.locator('.month-head .round').last().click()
    await frame.locator('.day.free').nth(12).click()
    await frame.locator('.time').first().click()
    await frame.locator('[name=name]').fill('Framed')
    await frame.locator('[name=email]').fill('framed@example.com')
    await frame.locator('button[type=submit]').click()
    await frame.getByRole('heading', { name: 'You are booked' }).waitFor()
    await expect.poll(() => page.locator('#thanks').innerText()).toContain('Thank you!')
    await shoot(page, 'embedded')
    expect(complaintsOf(page)).toEqual([])
  })

  test('cannot be embedded in another site', async () => {
    const page = await browser.newPage(desk)
    await page.goto(site.url.replace('127.0.0.1', 'localhost'))
    await expect.poll(() => complaintsOf(page).join(' ')).toContain('frame-ancestors')
    expect(await page.frameLocator('iframe').locator('.time').count()).toBe(0)
  })

  test('shows unsaved settings in a preview, and books nothing', async () => {
    const page = await browser.newPage(desk)
    const target = `/book/${clientId}/intro?preview=yes`
    const parent = `<!doctype html><iframe src="${target}" width="1200" height="800"></iframe>`
    await page.route('**/preview-parent', (route) => route.fulfill({ body: parent, contentType: 'text/html' }))
    await page.goto(`${base}/preview-parent`)
    const frame = page.frameLocator('iframe')
    await frame.locator('.time').first().waitFor()
    const settings = { name: 'Renamed', appearance: { color: '#b00020', submit_button_label: 'Go' } }
    const message = JSON.stringify({ kind: 'waypost-preview', settings })
    await expect
      .poll(async () => {
        await page.evaluate(`document.querySelector('iframe').contentWindow.postMessage(${message}, location.origin)`)
        return frame.locator('h1').innerText()
      })
      .toBe('Renamed')
    await frame.locator('.time').first().click()
    await frame.locator('[name=name]').fill('Nobody')
    await frame.locator('[name=email]').fill('nobody@example.com')
    await frame.getByRole('button', { name: 'Go' }).click()
    expect(await frame.locator('.alert').innerText()).toContain('It books nothing.')
    expect(await eventsOf('nobody@example.com')).toEqual([])
    expect(complaintsOf(page)).toEqual([])
  })
})
