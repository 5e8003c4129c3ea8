/**
 * The published scheduling components, unmodified, in a browser: guests book, reschedule and cancel, the organizer
 * confirms, and the editor creates and changes a configuration. On a virtual calendar, at Google and at a mailbox with
 * CalDAV. The pages are on another origin than the service, and reach no other machine.
 */

import { createEgress } from '@waypost/platform/egress/egress'
import { type BrowserPeer, sharedBrowser } from '@waypost/testing/peers/browser'
import { freePort } from '@waypost/testing/peers/daemon'
import { sharedDovecot } from '@waypost/testing/peers/dovecot'
import type { MailServer } from '@waypost/testing/peers/mail-server'
import { type Radicale, sharedRadicale } from '@waypost/testing/peers/radicale'
import type { Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { expectStatus, type Json } from '../../conformance/accounts.ts'
import { imapSettings } from '../../conformance/imap-subject.ts'
import { openService, type TestService } from '../../harness.ts'
import { createGoogleGrant, type GooglePeer, openGoogle } from '../../peers/google.ts'
import { calendarScope } from '../sign-in/hosted-google.ts'
import { type ComponentSite, hasComponents, openComponentSite } from './component-pages.ts'
import { chooseTime, fillIn, giveReason, outcome, submit } from './component-visitor.ts'

if (!hasComponents) console.warn('skipped: tools/node_modules has no @nylas/web-elements (run node scripts/tools.ts)')

const guest = { name: 'Grace Hopper', email: 'grace@example.com' }

describe.skipIf(!hasComponents)('the published components', () => {
  let browser: BrowserPeer
  let google: GooglePeer
  let mail: MailServer
  let dav: Radicale
  let service: TestService
  let site: ComponentSite
  let client: { id: string; key: string }
  let page: Page

  beforeAll(async () => {
    ;[browser, google, mail, dav] = await Promise.all([
      sharedBrowser(),
      openGoogle(),
      sharedDovecot(),
      sharedRadicale(),
    ])
    service = await openService({
      env: { WAYPOST_PORT: String(await freePort()), WAYPOST_GOOGLE_URL: google.simulator.url },
      overrides: { egress: createEgress({ mode: 'private', trustLoopback: true, ca: [mail.ca] }) },
    })
    const api = await service.listen()
    client = await service.createApplication('Acme')
    site = await openComponentSite(browser, { api, clientId: client.id })
    const { id, secret } = google.simulator.client
    const settings = { client_id: id, client_secret: secret }
    await post('/v3/connectors', { provider: 'google', settings, scope: [calendarScope] })
    await post('/v3/connectors', { provider: 'imap' })
    const editor = { url: `${site.url}/editor`, platform: 'js', settings: { origin: site.url } }
    await post('/v3/applications/redirect-uris', editor)
  })
  afterEach(async () => {
    await page?.context().close()
    expect(site.foreign).toEqual([])
  })
  afterAll(async () => {
    await site?.[Symbol.asyncDispose]()
    await service?.[Symbol.asyncDispose]()
    await Promise.all([browser, google, mail, dav].map((peer) => peer?.[Symbol.asyncDispose]()))
  })

  const call = (method: string, path: string, body?: unknown) =>
    service.call(method, path, { key: client.key, ...(body === undefined ? {} : { body }) })
  async function post(path: string, body: unknown): Promise<Json> {
    const answer = await call('POST', path, body)
    expect(answer.body.error).toBeUndefined()
    return answer.body.data
  }

  /** An account whose calendar can be booked. */
  interface Host {
    grant: string
    email: string
    calendar: string
  }
  const hosts: Record<string, () => Promise<Host>> = {
    'a virtual calendar': async () => {
      const grant = await service.createGrant('ada@virtual.example', client.key)
      const calendar = await post(`/v3/grants/${grant.id}/calendars`, { name: 'Bookings', timezone: 'Europe/Berlin' })
      return { grant: grant.id, email: 'ada@virtual.example', calendar: calendar.id }
    },
    Google: async () => {
      const email = 'ada@gmail.com'
      google.simulator.addAccount({ email, name: 'Ada Lovelace', timezone: 'Europe/Berlin' })
      const grant = await createGoogleGrant(service, google.simulator, { email, key: client.key })
      return { grant: grant.id, email, calendar: 'primary' }
    },
    'a mailbox with CalDAV': async () => {
      const mailbox = await mail.addUser()
      await dav.addDavUser(mailbox.user.split('@')[0], mailbox.password)
      const settings = { ...imapSettings(mail, mailbox), caldav_url: dav.davUrl }
      const grant = await post('/v3/connect/custom', { provider: 'imap', settings })
      const calendars = await call('GET', `/v3/grants/${grant.id}/calendars`)
      return { grant: grant.id, email: mailbox.user, calendar: calendars.body.data[0].id }
    },
  }

  /** A page with free times at every hour, and its slug. */
  async function createPage({ grant, email, calendar }: Host, slug: string, event: Json = {}): Promise<Json> {
    const availability = { calendar_ids: [calendar] }
    const organizer = { email, name: 'Ada', is_organizer: true, availability, booking: { calendar_id: calendar } }
    return post(`/v3/grants/${grant}/scheduling/configurations`, {
      slug,
      participants: [organizer],
      availability: { duration_minutes: 30, round_to: 30 },
      // biome-ignore lint/suspicious/noTemplateCurlyInString: the service replaces it
      event_booking: { title: 'Talk with ${invitee}', timezone: 'Europe/Berlin', disable_emails: true, ...event },
      scheduler: { min_booking_notice: 60, available_days_in_future: 40 },
    })
  }

  /** Starts of the events with this guest in the calendar of the host. */
  async function booked({ grant, calendar }: Host): Promise<number[]> {
    const now = Math.floor(Date.now() / 1000)
    const window = `calendar_id=${encodeURIComponent(calendar)}&start=${now}&end=${now + 41 * 86_400}&limit=200`
    const answer = expectStatus(await call('GET', `/v3/grants/${grant}/events?${window}`), 200)
    return answer.body.data.flatMap((each: Json) =>
      each.title === 'Talk with Grace Hopper' ? [each.when.start_time] : [],
    )
  }

  const bookingIn = (method: string): Promise<Json> =>
    page
      .waitForResponse((answer) => answer.request().method() === method && answer.url().includes('/bookings'))
      .then(async (answer) => ({ status: answer.status(), ...((await answer.json()) as Json) }))

  /** Requests a time on a page whose organizer confirms, and returns the booking from the application's API. */
  async function ask(id: string, which: number): Promise<Json> {
    page = await site.open(`${site.guestUrl}/book?configurationId=${id}`)
    await chooseTime(page, which)
    await fillIn(page, guest)
    const created = bookingIn('POST')
    await submit(page)
    expect(await created).toMatchObject({ status: 200, data: { status: 'pending', guest } })
    await expect.poll(() => outcome(page)).toBe('Booking sent!')
    return (await created).data
  }

  /** Opens the organizer's link from a mail or a notification, and clicks on a button of the card. */
  async function decide(bookingId: string, button: 'reject' | 'confirm'): Promise<void> {
    const known = expectStatus(await call('GET', `/v3/scheduling/bookings/${bookingId}`), 200).body.data
    const link = `${site.guestUrl}/book?organizerConfirmationBookingRef=${known.booking_ref}`
    // The card ignores clicks until everything is loaded.
    await page.goto(link, { waitUntil: 'networkidle' })
    await expect.poll(() => outcome(page)).toBe('Booking pending!')
    await page
      .locator('nylas-organizer-confirmation-card .footer button')
      .nth(button === 'confirm' ? 1 : 0)
      .click()
  }

  test.each(Object.keys(hosts))(
    'on %s a guest asks, the organizer confirms, the guest moves and cancels',
    async (kind) => {
      const host = (await hosts[kind]?.()) as Host
      const { id } = await createPage(host, `ask-${kind.replaceAll(' ', '-')}`, {
        booking_type: 'organizer-confirmation',
      })
      const { booking_id, booking_ref, start_time } = await ask(id, 1)

      const confirmed = bookingIn('PUT')
      await decide(booking_id, 'confirm')
      expect(await confirmed).toMatchObject({ status: 200, data: { status: 'booked' } })
      await expect.poll(() => outcome(page)).toBe('Your booking has been confirmed successfully!')
      expect(await booked(host)).toEqual([start_time])

      await page.goto(`${site.guestUrl}/book?rescheduleBookingRef=${booking_ref}`)
      await chooseTime(page, 3)
      const moved = bookingIn('PATCH')
      await submit(page)
      expect(await moved).toMatchObject({ status: 200, data: { booking_id, guest } })
      await expect.poll(() => outcome(page)).toBe('Booking rescheduled!')
      const { start_time: later } = (await moved).data
      expect(later).toBeGreaterThan(start_time)
      expect(await booked(host)).toEqual([later])

      await page.goto(`${site.guestUrl}/book?cancelBookingRef=${booking_ref}`)
      const cancelled = bookingIn('DELETE')
      await giveReason(page, 'I am ill')
      expect(await cancelled).toMatchObject({ status: 200 })
      await expect.poll(() => outcome(page)).toBe('Your booking has been cancelled successfully!')
      expect(await booked(host)).toEqual([])
    },
  )

  test('the organizer declines with a reason', async () => {
    const host = (await hosts['a virtual calendar']?.()) as Host
    const { id } = await createPage(host, 'decline', { booking_type: 'organizer-confirmation' })
    const { booking_id } = await ask(id, 6)
    await decide(booking_id, 'reject')
    const declined = bookingIn('PUT')
    await giveReason(page, 'No time')
    expect(await declined).toMatchObject({ status: 200 })
    const after = await call('GET', `/v3/scheduling/bookings/${booking_id}`)
    expect(after.body.data.status).toBe('cancelled')
    expect(await booked(host)).toEqual([])
  })

  test('a guest books with slug and client id, and moves and cancels on the same page', async () => {
    const host = (await hosts['a virtual calendar']?.()) as Host
    await createPage(host, 'talk')
    page = await site.open(`${site.guestUrl}/book?slug=talk&clientId=${client.id}`)
    await chooseTime(page, 8)
    await fillIn(page, guest)
    await submit(page)
    await expect.poll(() => outcome(page)).toBe('Booking confirmed!')
    await page.locator('nylas-booked-event-card .footer button').nth(1).click()
    await chooseTime(page, 10)
    await submit(page)
    await expect.poll(() => outcome(page)).toBe('Booking rescheduled!')
    expect(await booked(host)).toHaveLength(1)
    await page.locator('nylas-booked-event-card .footer button').nth(0).click()
    await giveReason(page, 'I am ill')
    await expect.poll(() => outcome(page)).toBe('Your booking has been cancelled successfully!')
    expect(await booked(host)).toEqual([])
  })

  test('the second of two guests sees the free times again, and books another one', async () => {
    const host = (await hosts['a virtual calendar']?.()) as Host
    const { id } = await createPage(host, 'rush')
    page = await site.open(`${site.guestUrl}/book?configurationId=${id}`)
    await chooseTime(page, 4)
    await fillIn(page, guest)
    const refused = bookingIn('POST')
    await page.route('**/v3/scheduling/bookings**', async (route) => {
      const other = { ...route.request().postDataJSON(), guest: { name: 'Quick', email: 'quick@example.com' } }
      await page.unroute('**/v3/scheduling/bookings**')
      const first = await service.call('POST', `/v3/scheduling/bookings?configuration_id=${id}`, {
        key: null,
        body: other,
      })
      expect(first.status).toBe(200)
      await route.continue()
    })
    await submit(page)
    expect(await refused).toMatchObject({ status: 400, error: { type: 'timeslot_not_available' } })
    await chooseTime(page, 4)
    await fillIn(page, guest)
    await submit(page)
    await expect.poll(() => outcome(page)).toBe('Booking confirmed!')
  })

  test('hosts take turns', async () => {
    const people: Json[] = []
    for (const email of ['one@virtual.example', 'two@virtual.example']) {
      const { id } = await service.createGrant(email, client.key)
      await post(`/v3/grants/${id}/calendars`, { name: 'Bookings', timezone: 'UTC' })
      people.push({ email, availability: { calendar_ids: ['primary'] }, booking: { calendar_id: 'primary' } })
    }
    const { id } = await post('/v3/grants/one@virtual.example/scheduling/configurations', {
      participants: people,
      availability: {
        duration_minutes: 30,
        round_to: 30,
        availability_rules: { availability_method: 'max-availability' },
      },
      event_booking: { title: 'Turn', timezone: 'UTC', disable_emails: true },
    })
    const organizers: string[] = []
    for (const name of ['First', 'Second']) {
      page = await site.open(`${site.guestUrl}/book?configurationId=${id}`)
      await chooseTime(page, 5)
      await fillIn(page, { name, email: `${name}@example.com` })
      const created = bookingIn('POST')
      await submit(page)
      expect(await created).toMatchObject({ status: 200 })
      organizers.push((await created).data.organizer.email)
      await page.context().close()
    }
    expect(organizers.sort()).toEqual(['one@virtual.example', 'two@virtual.example'])
  })

  test('guests take the seats of a group event until it is full', async () => {
    const host = (await hosts['a virtual calendar']?.()) as Host
    const body = { name: 'Class', type: 'group', group_booking: { calendar_id: host.calendar, disable_emails: true } }
    const { id } = await post(`/v3/grants/${host.grant}/scheduling/configurations`, body)
    const start_time = Math.ceil(Date.now() / 3_600_000) * 3600 + 3 * 3600
    await post(`/v3/grants/${host.grant}/scheduling/configurations/${id}/group-events`, {
      ...{ title: 'Pottery', calendar_id: host.calendar, participants: [], capacity: 1 },
      when: { start_time, end_time: start_time + 3600 },
    })
    page = await site.open(`${site.guestUrl}/book?configurationId=${id}`)
    await chooseTime(page, 0)
    await fillIn(page, guest)
    const created = bookingIn('POST')
    await submit(page)
    expect(await created).toMatchObject({ status: 200, data: { status: 'booked', start_time } })
    await expect.poll(() => outcome(page)).toBe('Booking confirmed!')
    await page.goto(`${site.guestUrl}/book?configurationId=${id}`)
    await page.locator('nylas-timeslot-picker .empty').waitFor()
  })

  test('a private page opens only with a session', async () => {
    const host = (await hosts['a virtual calendar']?.()) as Host
    const { id } = await createPage(host, 'private')
    await call('PUT', `/v3/grants/${host.grant}/scheduling/configurations/${id}`, { requires_session_auth: true })
    page = await site.open(`${site.guestUrl}/book?configurationId=${id}`)
    await page.locator('nylas-notification').getByText('no such booking page').first().waitFor()
    const { session_id } = await post('/v3/scheduling/sessions', { configuration_id: id })
    await page.goto(`${site.guestUrl}/book?sessionId=${session_id}`)
    await chooseTime(page, 0)
    await fillIn(page, guest)
    await submit(page)
    await expect.poll(() => outcome(page)).toBe('Booking confirmed!')
  })

  test('the editor signs its user in, creates a configuration and changes it', async () => {
    const email = 'ella@gmail.com'
    google.simulator.addAccount({ email, name: 'Ella', timezone: 'Europe/Berlin' })
    page = await site.open(`${site.url}/editor`)
    await page.getByRole('button', { name: 'Continue with Google' }).click()
    await page.getByLabel('Ella').check()
    await page.getByRole('button', { name: 'Continue' }).click()
    await page.locator('nylas-list-configurations button-component[part~=nlc__create-new-cta] button').click()
    await page.locator('nylas-select-event-type .event-type-option').first().click()
    await page.locator('nylas-event-title .title').click()
    await page.keyboard.type('Talk with Ella')
    const save = page.locator('nylas-editor-tabs .buttons button-component').last().locator('button')
    await save.click()
    const pages = async (): Promise<Json[]> =>
      (await call('GET', `/v3/grants/${email}/scheduling/configurations`)).body.data
    await expect.poll(pages).toMatchObject([{ event_booking: { title: 'Talk with Ella' } }])

    await page.locator('nylas-event-title .title').click()
    await page.keyboard.press('End')
    await page.keyboard.type(', online')
    await save.click()
    await expect
      .poll(pages)
      .toMatchObject([
        { event_booking: { title: 'Talk with Ella, online' }, participants: [{ email, is_organizer: true }] },
      ])
    const [configuration] = await pages()
    await page.goto(`${site.guestUrl}/book?configurationId=${configuration?.id}`)
    await page.locator('nylas-date-picker h1', { hasText: 'Ella' }).waitFor()
  })
})
