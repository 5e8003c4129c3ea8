/** Booking pages for tests of guests: a service, two applications, and the public calls. */
import { randomUUID } from 'node:crypto'
import { expect } from 'vitest'
import type { Fields, Json } from '../../conformance/accounts.ts'
import { type Answer, openService, type ServiceOptions, type TestService } from '../../harness.ts'

export interface BookingTenant {
  id: string
  key: string
  grant: string
  email: string
  /** Creates a configuration of the tenant's calendar, and returns it. */
  createPage(fields?: Fields): Promise<Json>
}

export interface GuestFixture extends AsyncDisposable {
  service: TestService
  /** A call without an API key, or with a session. */
  guest(method: string, path: string, options?: { body?: unknown; session?: string; headers?: Fields }): Promise<Answer>
  newTenant(): Promise<BookingTenant>
  /** Free times of a page from tomorrow on. */
  freeTimes(configurationId: string): Promise<{ start_time: number; end_time: number }[]>
}

export async function openGuestFixture(options: ServiceOptions = {}): Promise<GuestFixture> {
  const service = await openService(options)
  const now = (): number => Math.floor((options.overrides?.clock?.now() ?? Date.now()) / 1000)
  const guest: GuestFixture['guest'] = (method, path, { body, session, headers } = {}) =>
    service.call(method, `/v3/scheduling/${path}`, {
      key: session ?? null,
      ...(body === undefined ? {} : { body }),
      ...(headers ? { headers: headers as Record<string, string> } : {}),
    })
  return {
    service,
    guest,
    async newTenant() {
      const { id, key } = await service.createApplication('Tenant')
      const email = `host-${randomUUID()}@example.com`
      const { id: grant } = await service.createGrant(email, key)
      const post = async (path: string, body: unknown): Promise<Json> => {
        const answer = await service.call('POST', `/v3/grants/${grant}/${path}`, { key, body })
        expect(answer.body.error).toBeUndefined()
        return answer.body.data
      }
      await post('calendars', { name: 'Bookings', timezone: 'UTC' })
      const booking = { calendar_id: 'primary' }
      const organizer = { email, is_organizer: true, availability: { calendar_ids: ['primary'] }, booking }
      return {
        id,
        key,
        grant,
        email,
        createPage: (fields = {}) =>
          post('scheduling/configurations', {
            participants: [organizer],
            availability: { duration_minutes: 30, round_to: 30 },
            event_booking: { title: 'Meeting', timezone: 'UTC', disable_emails: true },
            ...fields,
          }),
      }
    },
    async freeTimes(configurationId) {
      const start = now() + 86_400
      const window = `configuration_id=${configurationId}&start_time=${start}&end_time=${start + 3 * 86_400}`
      return (await guest('GET', `availability?${window}`)).body.data.time_slots
    },
    [Symbol.asyncDispose]: () => service[Symbol.asyncDispose](),
  }
}
