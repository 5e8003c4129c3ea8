import {
  type AdminGrant,
  contract,
  type Grant,
  type GrantActivity,
  type Query,
  routesOf,
  type Waypost,
} from '@waypost/contract'
import { ApiError, invalidField } from '@waypost/platform/api-error'
import { seconds } from '@waypost/platform/clock'
import { JsonText } from '@waypost/platform/json/values'
import type { Provider } from '@waypost/providers/provider'
import { canDo, findAdapter } from '@waypost/providers/registry'
import { nodeLeaseMs } from '@waypost/store/tables/applications/nodes'
import {
  lastGrantErrors,
  lastGrantUse,
  type WatchStateRow,
  watchState,
} from '@waypost/store/tables/grants/grant-activity'
import { countFoundGrants, type GrantSearch, searchGrants } from '@waypost/store/tables/grants/grant-search'
import { getGrant } from '@waypost/store/tables/grants/grants'
import { z } from 'zod'
import { needApplication } from '../../applications/applications.ts'
import { tradeCode } from '../../grants/authorization-codes.ts'
import { blockGrant, loseAccess, needGrant } from '../../grants/grants.ts'
import { readTimeline, type TimelinePosition, timelineKinds } from '../../grants/timeline.ts'
import type { Services } from '../../services/services.ts'
import type { Handlers } from '../pipeline/handler-types.ts'
import { milliseconds } from './lists/filters.ts'
import { pageOf, placeOf } from './lists/keyset-page.ts'

const TimelineKinds = z.array(z.enum(timelineKinds))
const TimelinePlaces = z.array(z.tuple([z.enum(timelineKinds), z.number(), z.union([z.string(), z.number()])]))

/** The position of a timeline page, as stored in a cursor. */
const placesOf = (position: TimelinePosition) =>
  Object.entries(position).map(([kind, [first, second]]) => [kind, first, second])
const positionOf = (cursor: unknown): TimelinePosition =>
  Object.fromEntries(TimelinePlaces.parse(cursor ?? []).map(([kind, ...place]) => [kind, place]))

const secondsOrNull = (milliseconds: number | null): number | null =>
  milliseconds === null ? null : seconds(milliseconds)

const searchOf = (query: Query<Waypost['adminGrants']['count']>): GrantSearch => ({
  text: query.search,
  status: query.grant_status,
  provider: query.provider,
  workspaceId: query.workspace_id,
  blocked: query.blocked,
  created: { since: milliseconds(query.created_since), before: milliseconds(query.created_before) },
  lastUsed: { since: milliseconds(query.last_used_since), before: milliseconds(query.last_used_before) },
})

/** Whether a grant is watched for changes, by which node, and with what result. */
function watchOf(row: WatchStateRow, provider: Provider | undefined): GrantActivity['watch'] {
  const none = { node_id: null, synced_at: null, failures: 0, next_try_at: null }
  if (row.watched === 0) return { ...none, state: 'off' }
  // Accounts that the service stores itself notify with each change.
  if (provider?.local) return { ...none, state: 'watching' }
  if (!provider?.changes) return { ...none, state: 'unsupported' }
  const failures = row.failures ?? 0
  const synced = row.synced_at !== null && row.node_id !== null
  return {
    state: failures > 0 ? 'resting' : synced ? 'watching' : 'starting',
    node_id: row.node_id,
    synced_at: secondsOrNull(row.synced_at),
    failures,
    next_try_at: secondsOrNull(row.next_try_at),
  }
}

/** The routes that a provider answers; the service answers the others itself. */
const ofProviders = routesOf(contract).filter(({ route }) => route.audience === 'grant' && !route.own)

const operationsOf = (provider: Provider | undefined, grant: Grant): string[] =>
  provider ? ofProviders.filter((named) => canDo(provider, grant, named)).map(({ id }) => id) : []

export const adminGrants = (
  services: Pick<Services, 'storage' | 'accounts' | 'notifications'>,
): Handlers['adminGrants'] => {
  const { database, clock, secrets, seals, log } = services.storage
  const { notify } = services.notifications
  const { providers } = services.accounts
  return {
    list: async ({ params, query, position }) => {
      const { id: applicationId } = await needApplication(database, params.application_id)
      const found = await searchGrants(database, database.engine, {
        applicationId,
        search: searchOf(query),
        sort: query.sort ?? 'created_at',
        order: query.order ?? 'desc',
        after: placeOf(position),
        limit: query.limit,
      })
      // The document is the JSON that clients read; one field is appended.
      const items = found.rows.map(
        (row) =>
          new JsonText<AdminGrant>(`${row.document.slice(0, -1)},"last_used_at":${secondsOrNull(row.last_used_at)}}`),
      )
      return pageOf<AdminGrant>(found, items)
    },
    count: async ({ params, query }) => {
      const { id: applicationId } = await needApplication(database, params.application_id)
      return countFoundGrants(database, database.engine, { applicationId, search: searchOf(query) })
    },
    complete: async ({ params, body, requestId }) => {
      const row = await needApplication(database, params.application_id)
      const client = {
        id: row.id,
        workspaceId: row.default_workspace_id,
        grantLimit: row.grant_limit,
        settings: JSON.parse(row.additional_settings),
      }
      const shown = {
        code: body.code,
        redirectUri: body.redirect_uri,
        verifier: body.code_verifier ?? '',
        hasKey: true,
      }
      const { record } = await tradeCode(database, client, shown, { secrets, log, notify, now: clock.now(), requestId })
      return record.grant
    },
    activity: async ({ params }) => {
      const { id: applicationId } = await needApplication(database, params.application_id)
      const at = { applicationId, grantId: params.grant_id }
      const record = await getGrant(database, applicationId, params.grant_id)
      const watch = await watchState(database, at, clock.now() - nodeLeaseMs)
      if (!record || record.status === 'unverified' || !watch) throw new ApiError('grant_not_found')
      const errors = await lastGrantErrors(database, at, seals)
      const adapter = findAdapter(providers, record.grant)
      return {
        last_used_at: secondsOrNull(await lastGrantUse(database, at)),
        watch: watchOf(watch, adapter),
        errors: errors.map((each) => ({ ...each, at: seconds(each.at) })),
        operations: operationsOf(adapter, record.grant),
      }
    },
    timeline: async ({ params, query, position }) => {
      const { id: applicationId } = await needApplication(database, params.application_id)
      const record = await getGrant(database, applicationId, params.grant_id)
      if (!record || record.status === 'unverified') throw new ApiError('grant_not_found')
      const wanted = TimelineKinds.safeParse(query.kinds?.length ? query.kinds : timelineKinds)
      if (!wanted.success) throw invalidField('kinds', `must be of ${timelineKinds.join(', ')}`)
      const of = { applicationId, grantId: record.grant.id }
      const page = { position: positionOf(position), limit: query.limit }
      const reading = { queries: database, engine: database.engine, seals, of }
      const { entries, next } = await readTimeline(reading, [...new Set(wanted.data)], page)
      return next ? { items: entries, next: placesOf(next) } : { items: entries }
    },
    update: ({ params, body, write, requestId }) =>
      write(async (tx) => {
        const record = await needGrant(tx, params.application_id, params.grant_id)
        return blockGrant(tx, record, body.blocked, { now: clock.now(), requestId })
      }),
    revoke: ({ params, write, requestId }) =>
      write(async (tx) => {
        const record = await needGrant(tx, params.application_id, params.grant_id)
        return loseAccess(tx, record, { reason: 'revoked' }, { secrets, log, notify, now: clock.now(), requestId })
      }),
  }
}
