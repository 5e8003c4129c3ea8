import type { AdminGrant, GrantActivity } from '@waypost/contract'
import { z } from 'zod'
import { needApplication } from '../../applications/applications.ts'
import { tradeCode } from '../../grants/authorization-codes.ts'
import { blockGrant, loseAccess, needGrant } from '../../grants/grants.ts'
import { ApiError } from '../../lib/api-error.ts'
import { seconds } from '../../lib/clock.ts'
import { JsonText } from '../../lib/json-text.ts'
import type { Provider } from '../../providers/provider.ts'
import { findAdapter } from '../../providers/registry.ts'
import type { Services } from '../../services/services.ts'
import { lastGrantErrors, lastGrantUse, type WatchStateRow, watchState } from '../../store/grant-activity.ts'
import { searchGrants } from '../../store/grant-search.ts'
import { getGrant } from '../../store/grants.ts'
import { nodeLeaseMs } from '../../store/nodes.ts'
import type { Handlers } from '../context.ts'

const Place = z.tuple([z.number(), z.string()])

const secondsOrNull = (milliseconds: number | null): number | null =>
  milliseconds === null ? null : seconds(milliseconds)

/** Whether, by whom, and how well changes of a grant are looked for. */
function watchOf(row: WatchStateRow, provider: Provider | undefined): GrantActivity['watch'] {
  const none = { node_id: null, synced_at: null, failures: 0, next_try_at: null }
  if (row.watched === 0) return { ...none, state: 'off' }
  // Who keeps the account ourselves tells of each change as it is made.
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

export const adminGrants = (services: Services): Handlers['adminGrants'] => {
  const { database, clock, secrets, seals, log, notify, providers } = services
  return {
    list: async ({ params, query, position }) => {
      const { id: applicationId } = await needApplication(database, params.application_id)
      const [time, id] = position === undefined ? [] : Place.parse(position)
      const found = await searchGrants(database, database.engine, {
        applicationId,
        search: { text: query.search, status: query.grant_status, provider: query.provider },
        after: time === undefined || id === undefined ? undefined : { time, id },
        limit: query.limit + 1,
      })
      const page = found.slice(0, query.limit)
      const last = page.at(-1)
      // The document is the grant as clients read it; one field more goes at its end.
      const items = page.map(
        (row) =>
          new JsonText<AdminGrant>(`${row.document.slice(0, -1)},"last_used_at":${secondsOrNull(row.last_used_at)}}`),
      )
      return found.length > page.length && last ? { items, next: [last.created_at, last.id] } : { items }
    },
    complete: async ({ params, body }) => {
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
      const { record } = await tradeCode(database, client, shown, { secrets, log, notify, now: clock.now() })
      return record.grant
    },
    activity: async ({ params }) => {
      const { id: applicationId } = await needApplication(database, params.application_id)
      const at = { applicationId, grantId: params.grant_id }
      const record = await getGrant(database, applicationId, params.grant_id)
      const watch = await watchState(database, at, clock.now() - nodeLeaseMs)
      if (!record || record.status === 'unverified' || !watch) throw new ApiError('grant_not_found')
      const errors = await lastGrantErrors(database, at, seals)
      return {
        last_used_at: secondsOrNull(await lastGrantUse(database, at)),
        watch: watchOf(watch, findAdapter(providers, record.grant)),
        errors: errors.map((each) => ({ ...each, at: seconds(each.at) })),
      }
    },
    update: ({ params, body, write }) =>
      write(async (tx) => blockGrant(tx, await needGrant(tx, params.application_id, params.grant_id), body.blocked)),
    revoke: ({ params, write }) =>
      write(async (tx) => {
        const record = await needGrant(tx, params.application_id, params.grant_id)
        return loseAccess(tx, record, { secrets, log, notify, now: clock.now() })
      }),
  }
}
