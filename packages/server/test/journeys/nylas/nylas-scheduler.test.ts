/** The published `nylas` client, unmodified, with every operation of its scheduler. */

import { oneEngineFor } from '@waypost/testing/engines'
import { failureOf, Nylas, pagesOf } from '@waypost/testing/peers/nylas'
import type { Configuration, CreateConfigurationRequest } from 'nylas'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openService, type TestService } from '../../harness.ts'

/** The package's type lacks the id, which every answer has. */
type Known = Configuration & { id: string }

describe.each(oneEngineFor(import.meta.url))('the scheduler of the nylas client on %s', (engine) => {
  const email = 'ada@virtual.example'
  let service: TestService
  let nylas: Nylas
  let identifier: string
  let base: string
  beforeAll(async () => {
    service = await openService({ engine })
    base = await service.listen()
    nylas = new Nylas({ apiKey: service.apiKey, apiUri: base, timeout: 60 })
    identifier = (await service.createGrant(email)).id
    await nylas.calendars.create({ identifier, requestBody: { name: 'Bookings', timezone: 'Europe/Berlin' } })
  })
  afterAll(() => service[Symbol.asyncDispose]())

  const draft = (more: Partial<CreateConfigurationRequest> = {}): CreateConfigurationRequest => ({
    participants: [
      {
        email,
        name: 'Ada',
        isOrganizer: true,
        availability: { calendarIds: ['primary'] },
        booking: { calendarId: 'primary' },
      },
    ],
    availability: { durationMinutes: 30 },
    eventBooking: { title: 'Review', timezone: 'Europe/Berlin', disableEmails: true },
    ...more,
  })
  const create = async (more: Partial<CreateConfigurationRequest> = {}): Promise<Known> =>
    (await nylas.scheduler.configurations.create({ identifier, requestBody: draft(more) })).data as Known
  const guest = { name: 'Grace Hopper', email: 'grace@example.com' }
  const window = () => {
    const startTime = Math.floor(Date.now() / 1000)
    return { startTime, endTime: startTime + 7 * 86_400 }
  }

  test('configurations are created, found, listed, changed and destroyed', async () => {
    const made = await create({ slug: 'review', requiresSessionAuth: true })
    expect(made).toMatchObject({ slug: 'review', requiresSessionAuth: true, eventBooking: { title: 'Review' } })
    const configurationId = made.id
    const found = await nylas.scheduler.configurations.find({ identifier, configurationId })
    expect(found.data).toEqual(made)
    const pages = await pagesOf(nylas.scheduler.configurations.list({ identifier }))
    expect(pages.flat().map((each) => (each as Known).id)).toEqual([configurationId])
    const changed = await nylas.scheduler.configurations.update({
      identifier,
      configurationId,
      requestBody: { slug: 'talk', scheduler: { minBookingNotice: 120 } },
    })
    expect(changed.data).toMatchObject({
      slug: 'talk',
      requiresSessionAuth: true,
      participants: [{ email }],
      scheduler: { minBookingNotice: 120, availableDaysInFuture: 30 },
    })
    const { requestId } = await nylas.scheduler.configurations.destroy({ identifier, configurationId })
    expect(requestId).toMatch(/^[0-9a-f-]{36}$/)
    const gone = await failureOf(nylas.scheduler.configurations.find({ identifier, configurationId }))
    expect(gone.statusCode).toBe(404)
  })

  test('a refused configuration names the field', async () => {
    const refused = await failureOf(create({ availability: { durationMinutes: 7 } }))
    expect(refused).toMatchObject({ statusCode: 400, message: expect.stringContaining('duration_minutes') })
  })

  test('a guest with a session sees the times, books, moves and cancels', async () => {
    const made = await create({ requiresSessionAuth: true })
    const configurationId = made.id
    const { data: session } = await nylas.scheduler.sessions.create({
      requestBody: { configurationId, timeToLive: 10 },
    })
    const visitor = new Nylas({ apiKey: session.sessionId, apiUri: base, timeout: 60 })
    const { data: slots } = await visitor.scheduler.availability.get({ queryParams: window() })
    const [first, second] = slots.timeSlots
    if (!first || !second) throw new Error('no slots')
    expect(first.emails).toEqual([email])
    const { data: booking } = await visitor.scheduler.bookings.create({
      requestBody: { startTime: first.startTime, endTime: first.endTime, guest, emailLanguage: 'de' },
    })
    expect(booking).toMatchObject({ title: 'Review', status: 'booked', organizer: { email } })
    const { bookingId } = booking
    const moved = await visitor.scheduler.bookings.reschedule({
      bookingId,
      requestBody: { startTime: second.startTime, endTime: second.endTime },
    })
    expect(moved.data).toMatchObject({ bookingId, status: 'booked' })
    const found = await visitor.scheduler.bookings.find({ bookingId })
    expect(found.data).toMatchObject({ bookingId, eventId: moved.data.eventId })
    const taken = visitor.scheduler.bookings.create({
      requestBody: {
        startTime: second.startTime,
        endTime: second.endTime,
        guest: { name: 'Late', email: 'late@example.com' },
      },
    })
    const refused = await failureOf(taken)
    expect(refused).toMatchObject({ statusCode: 400, type: 'timeslot_not_available' })
    expect(refused.message).toMatch(/^The selected timeslot is unavailable/)
    await visitor.scheduler.bookings.destroy({ bookingId, requestBody: { cancellationReason: 'ill' } })
    await nylas.scheduler.sessions.destroy({ sessionId: session.sessionId })
    const ended = await failureOf(visitor.scheduler.availability.get({ queryParams: window() }))
    expect(ended).toMatchObject({ statusCode: 401, type: 'invalid_session' })
  })

  test('with an API key and a slug, a request is booked and confirmed', async () => {
    const event = { title: 'Interview', bookingType: 'organizer-confirmation' as const, disableEmails: true }
    await create({ slug: 'interview', eventBooking: event })
    const { data: slots } = await nylas.scheduler.availability.get({ queryParams: { ...window(), slug: 'interview' } })
    const slot = slots.timeSlots[4]
    if (!slot) throw new Error('no slots')
    const { data: booking } = await nylas.scheduler.bookings.create({
      requestBody: { startTime: slot.startTime, endTime: slot.endTime, guest },
      queryParams: { slug: 'interview', timezone: 'America/New_York' },
    })
    expect(booking).toMatchObject({ status: 'pending', title: 'Interview' })
    const { bookingId } = booking
    const { bookingRef } = (await nylas.scheduler.bookings.find({ bookingId })).data as unknown as {
      bookingRef: string
    }
    const salt = Buffer.from(bookingRef, 'base64url').subarray(32).toString('base64url')
    const confirmed = await nylas.scheduler.bookings.confirm({
      bookingId,
      requestBody: { salt, status: 'confirmed' },
      queryParams: { slug: 'interview' },
    })
    expect(confirmed.data).toMatchObject({ bookingId, status: 'booked' })
  })
})
