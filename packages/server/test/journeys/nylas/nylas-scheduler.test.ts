/** The published `nylas` client, unmodified, with every operation of its scheduler. */
import type { Configuration, CreateConfigurationRequest } from 'nylas'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { oneEngineFor, openService, type TestService } from '../../harness.ts'
import { failureOf, Nylas, pagesOf } from '../../peers/nylas.ts'

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
    nylas = new Nylas({ apiKey: service.apiKey, apiUri: base, timeout: 30 })
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
})
