/**
 * Creates every statement of the store: those with a fixed text by importing the modules, those with a composed text by
 * calling their functions. A test imports this file after `recordStatements()`, which records them.
 */
import { readdir } from 'node:fs/promises'
import type { Distributable, Queries, Statement } from '@waypost/store/engine/database'
import { searchApplications } from '@waypost/store/tables/applications/applications'
import { listAudit } from '@waypost/store/tables/applications/audit'
import { addCredentialRequests, listCredentialRequests } from '@waypost/store/tables/applications/credential-requests'
import { contactTables } from '@waypost/store/tables/calendars-contacts/contacts'
import {
  addGrantErrors,
  forgetWatchFailures,
  saveGrantUses,
  saveWatchFailures,
  trimGrantErrors,
} from '@waypost/store/tables/grants/grant-activity'
import { addCalls } from '@waypost/store/tables/grants/grant-calls'
import { type GrantFilter, readGrantPage } from '@waypost/store/tables/grants/grant-pages'
import { countFoundGrants, searchGrants } from '@waypost/store/tables/grants/grant-search'
import { listWatched, tallyWatched } from '@waypost/store/tables/grants/watches'
import { placeMemory, savePlaces } from '@waypost/store/tables/mail/message-places'
import { claimSends, dueSends } from '@waypost/store/tables/mail/sends'
import { attemptsOf, listAttempts, scanAttempts, takenOf } from '@waypost/store/tables/notifications/attempt-log'
import { listDeliveries, notificationsAt } from '@waypost/store/tables/notifications/deliveries'
import { releaseLeases } from '@waypost/store/tables/notifications/delivery-leases'
import {
  completeDeliveries,
  logAttempts,
  postponeDeliveries,
} from '@waypost/store/tables/notifications/delivery-results'
import { readStream, scanStream, streamedAt } from '@waypost/store/tables/notifications/notification-stream'
import { claimOutbox } from '@waypost/store/tables/notifications/outbox'
import { failedDeliveries, requeueFailed, requeueNotifications } from '@waypost/store/tables/notifications/replays'
import { listBookings } from '@waypost/store/tables/scheduling/bookings'
import { listConfigurations } from '@waypost/store/tables/scheduling/configurations'
import { engines } from '@waypost/testing/engines'
import { testSeals } from '../../webhooks/notification-rows.ts'
import { recordedStatements } from './recorded-statements.ts'

const folder = new URL('../../../../store/src/', import.meta.url)

export async function composeStatements(): Promise<Statement[]> {
  const files = (await readdir(folder, { recursive: true })).filter((file) => file.endsWith('.ts'))
  for (const file of files) await import(`../../../../store/src/${file.slice(0, -3)}.ts`)
  const silent: Queries = {
    get: async () => undefined,
    all: async () => [],
    run: async () => 0,
    post: async () => {},
  }
  const job = { id: 'x', application_id: 'x' }
  const oneJob: Distributable = { ...silent, all: async <T>() => [job] as T[], isDistributed: () => true }
  await claimOutbox(oneJob, { owner: 'x', leaseUntil: 1, now: 1, limit: 1 })
  const filter: GrantFilter = { sortBy: 'updated_at', order: 'desc', ip: 'x' }
  const destination = { applicationId: 'x', webhookId: 'x' }
  const attempts = { notificationId: 'x', outcome: 'failed', start: 1, end: 2 } as const
  await releaseLeases(silent, { applicationId: 'x', owner: 'x', webhookIds: ['x'] })
  await listAttempts(silent, destination, { filter: attempts, after: [1, 1, 1], limit: 1 })
  await scanAttempts(silent, destination, { filter: attempts, after: [1, 1, 1], limit: 1 })
  await attemptsOf(silent, destination, [1])
  await takenOf(silent, destination, [1])
  await listDeliveries(silent, destination, { limit: 1 })
  await failedDeliveries(silent, destination, { after: 0, limit: 1 })
  await requeueNotifications(silent, destination, { positions: [1], now: 1 })
  await requeueFailed(silent, destination, { ids: [1], now: 1 })
  const contacts = contactTables(silent, testSeals, { applicationId: 'x', grantId: 'x' })
  const narrowed = { emailKey: 'x', phoneKey: 'x', groupId: 'x', after: 'x' }
  await contacts.list({ source: 'inbox', ...narrowed, limit: 1 })
  await contacts.met(['x'])
  const places = placeMemory(silent, { applicationId: 'x', grantId: 'x' })
  await places.at('x', ['x'])
  await places.named(['x'])
  const added = [{ folder: 'x', place: 'x', id: 'x', name: 'x', date: 1 }]
  const changes = { added, removed: [], folders: [], surplus: 0 }
  await savePlaces(silent, { applicationId: 'x', grantId: 'x' }, changes)
  await tallyWatched(silent, 'x', ['x'])
  await listWatched(silent, 'x', { kinds: ['x'], part: 1 })
  await dueSends(silent, { node: 'x', now: 1 }, { without: ['x'], limit: 1 })
  await claimSends(silent, { node: 'x', now: 1, attempt: 'x', seals: testSeals }, [{ applicationId: 'x', id: 'x' }])
  const noted = { grantId: 'x', at: 1, hour: 1, lastUsedAt: 1, failures: 1, nextTryAt: 1 }
  const error = { id: 'x', operation: 'x', type: 'x', message: 'x', requestId: null, isRefusal: false }
  await saveGrantUses(silent, [noted])
  await addGrantErrors(silent, [{ ...noted, ...error }], testSeals)
  await trimGrantErrors(silent, ['x'])
  await saveWatchFailures(silent, [noted])
  await forgetWatchFailures(silent, ['x'])
  const sums = { requests: 1, refused: 1, errors: 1, milliseconds: 1, lastAt: 1, lastRequestId: 'x' }
  await addCalls(silent, [{ ...noted, route: 'x', ...sums }])
  const request = { method: 'x', operation: 'x', tool: null, status: 1, error: null, grant_id: null }
  await addCredentialRequests(silent, [{ credential_id: 'x', at: 1, id: 'x', application_id: 'x', ...request }])
  const credential = { applicationId: 'x', credentialId: 'x' }
  await listCredentialRequests(silent, { ...credential, outcome: 'failed', status: 1, grantId: 'x' }, { limit: 1 })
  const part = {
    applicationId: 'x',
    grantId: 'x',
    order: 'asc',
    from: { transaction: 0, position: 0 },
    limit: 1,
  } as const
  await streamedAt(silent, 'x', [1])
  const polled = { applicationId: 'x', search: { text: 'x', provider: 'x' }, order: 'desc' } as const
  await listAudit(silent, { action: 'x*', target: 'x' }, { order: 'asc', limit: 1 })
  for (const engine of engines) {
    const whole = { limit: 1, offset: 0, after: { time: 1, id: 'x' } }
    await readGrantPage({ ...silent, engine }, 'x', filter, whole)
    for (const scope of [{ ids: ['x'] }, { ids: ['x'], pair: { key: 'x', value: 'x' } }]) {
      await readGrantPage({ ...silent, engine }, 'x', { ...filter, scope }, whole)
      await listBookings({ ...silent, engine }, { applicationId: 'x', order: 'asc', scope }, { limit: 1 })
      for (const words of [undefined, 'x']) {
        await listConfigurations({ ...silent, engine }, 'x', { after: undefined, limit: 1, words, scope })
      }
    }
    await notificationsAt(silent, engine, 'x', [1])
    const delivery = { webhookId: 'x', id: 1, attempts: 1, tries: 1, dueAt: 1, state: 'waiting' } as const
    const logged = { attempt: 1, at: 1, latencyMs: 1, status: 1, error: 'x', sealedAnswer: 'x' }
    await completeDeliveries(silent, engine, { applicationId: 'x', owner: 'x' }, [delivery])
    await postponeDeliveries(silent, engine, { applicationId: 'x', owner: 'x' }, [delivery])
    await logAttempts(silent, engine, 'x', [{ webhookId: 'x', notification: 1, ...logged }])
    for (const sort of ['created_at', 'last_used_at', 'email', 'grant_status'] as const) {
      await searchGrants(silent, engine, { ...polled, sort, limit: 1 })
    }
    await countFoundGrants(silent, engine, polled)
    const named = { search: { text: 'x', ids: ['x'] }, sort: 'name', order: 'asc' } as const
    await searchApplications(silent, engine, named, { limit: 1 })
    await readStream(silent, engine, part)
    await scanStream(silent, engine, part)
  }
  return recordedStatements.filter(({ name }) => !/^(notes|test)\./.test(name))
}
