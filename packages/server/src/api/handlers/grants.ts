/** Grants, and the workspaces that group them. */
import { type Grant, type GrantListQuery, providerKinds, type Waypost } from '@waypost/contract'
import { ApiError, invalidField } from '@waypost/platform/api-error'
import { emailKey } from '@waypost/platform/email-key'
import type { JsonText } from '@waypost/platform/json/values'
import { findAdapter, findProvider } from '@waypost/providers/registry'
import { checkScopeNames } from '@waypost/providers/scope-names'
import { getConnector } from '@waypost/store/tables/applications/connectors'
import { type GrantFilter, readGrantPage } from '@waypost/store/tables/grants/grant-pages'
import { findGrant, findGrantDocument, type GrantRecord } from '@waypost/store/tables/grants/grants'
import { z } from 'zod'
import { needApplication } from '../../applications/applications.ts'
import { type Credential, scopeOf } from '../../applications/key-rights.ts'
import { startGrouping } from '../../grants/auto-grouping.ts'
import { changeGrant, eraseGrant, needGrant } from '../../grants/grants.ts'
import { countGuess } from '../../grants/guesses.ts'
import { isNamed, locatorFor } from '../../grants/locator.ts'
import { maybeInvalid, withReason } from '../../grants/refused-credentials.ts'
import { refuseWiderScopes, tryNewSettings } from '../../grants/verify-credentials.ts'
import {
  allWorkspaces,
  assignGrants,
  changeWorkspace,
  checkWorkspaceId,
  createWorkspace,
  emptyWorkspace,
  lockedApplication,
  needWorkspace,
  removeWorkspace,
} from '../../grants/workspaces.ts'
import type { Services } from '../../services/services.ts'
import { tellIgnoredSettings } from '../http/ignored-fields.ts'
import type { Context, Handlers } from '../pipeline/handler-types.ts'
import { useFor } from '../pipeline/request-operations.ts'
import { milliseconds } from './lists/filters.ts'

/**
 * With a larger offset the store would read all skipped rows for every page; a cursor starts where the last page
 * ended.
 */
const maxOffset = 10_000

/** A position in the list: time and id of the last grant, and the offset of the next page. */
const Position = z.tuple([z.number(), z.string(), z.number()])

function filterOf(query: GrantListQuery, credential: Credential | undefined): GrantFilter {
  const accounts = [...(query.account_ids ?? []), ...(query.account_id === undefined ? [] : [query.account_id])]
  return {
    sortBy: query.sort_by ?? query.sortBy ?? 'created_at',
    order: query.order_by ?? query.orderBy ?? 'desc',
    since: milliseconds(query.since),
    until: query.before === undefined ? undefined : (query.before + 1) * 1000,
    emailKey: query.email === undefined ? undefined : emailKey(query.email),
    status: query.grant_status ?? query.grantStatus ?? query.status,
    ip: query.ip,
    provider: query.provider,
    accountIds: accounts.length > 0 ? accounts : undefined,
    workspaceId: query.workspace_id,
    connectorId: query.connector_id,
    scope: credential && scopeOf(credential),
  }
}

function needDocument(document: JsonText<Grant> | undefined): JsonText<Grant> {
  if (!document) throw new ApiError('grant_not_found')
  return document
}

export const grants = (
  services: Pick<Services, 'storage' | 'accounts' | 'notifications' | 'telemetry'>,
): Handlers['grants'] => {
  const { database, clock, secrets, seals, log } = services.storage
  const { notify } = services.notifications
  const { providers, sessions } = services.accounts
  const { limiter } = services.telemetry
  const find = async (applicationId: string, segment: string) => {
    const record = await findGrant(database, applicationId, locatorFor(segment))
    if (!record) throw new ApiError('grant_not_found')
    return record
  }
  const explained = (applicationId: string, grant: Grant): Promise<Grant> =>
    withReason({ queries: database, seals, applicationId }, grant)
  /** The grant with the aliases of its account, if it is valid and its provider lists them. */
  const withAliases = async (
    record: GrantRecord,
    context: Pick<Context<Waypost['grants']['get']>, 'signal' | 'responseHeaders' | 'calls'>,
  ): Promise<Grant> => {
    const { grant } = record
    const provider = findAdapter(providers, grant)
    if (!provider?.aliases || record.status !== 'valid' || grant.blocked) return grant
    const session = sessions.open(record, 'grants.get', useFor(context, database, context.responseHeaders))
    const email_aliases = await provider.aliases(session).catch(async (error) => {
      throw await sessions.judge(record, error)
    })
    return email_aliases.length > 0 ? { ...grant, email_aliases } : grant
  }
  /** The grant of an access token. */
  const ownGrant = async (context: Context<Waypost['grants']['get']>, grantId: string): Promise<Grant> => {
    const own = await find(context.application.id, grantId)
    if (!isNamed(own, context.params.grant_id)) throw new ApiError('grant_access_denied')
    return explained(
      context.application.id,
      await (context.query.expose_aliases ? withAliases(own, context) : own.grant),
    )
  }
  /** The stored scopes decide what a grant may do here. */
  const refuseWider = async ({ applicationId, grant }: GrantRecord, scopes: readonly string[]): Promise<void> => {
    const connector = await getConnector(database, applicationId, grant.provider)
    const oauth = findProvider(providers, grant.provider)?.oauth
    if (connector) await refuseWiderScopes(database, { connector, oauth }, scopes)
  }
  return {
    list: async ({ application, query, position }) => {
      const place = position === undefined ? undefined : Position.parse(position)
      const offset = place ? place[2] : (query.offset ?? 0)
      if (!place && offset > maxOffset) {
        throw invalidField('offset', `must be at most ${maxOffset}: go on with page_token, the next_cursor of a page`)
      }
      const { grants: items, next } = await readGrantPage(
        database,
        application.id,
        filterOf(query, application.credential),
        {
          limit: query.limit,
          offset: place ? 0 : offset,
          after: place && { time: place[0], id: place[1] },
        },
      )
      return next ? { items, offset, next: [next.time, next.id, offset + query.limit] } : { items, offset }
    },
    get: async (context) => {
      const { application, params, query, found } = context
      if (application.grantId !== undefined) return ownGrant(context, application.grantId)
      if (query.expose_aliases) {
        const record = await find(application.id, params.grant_id)
        return explained(application.id, await withAliases(record, context))
      }
      const stored = found
        ? found.document
        : await findGrantDocument(database, application.id, locatorFor(params.grant_id))
      const grant = needDocument(stored)
      return maybeInvalid(grant.text) ? explained(application.id, JSON.parse(grant.text)) : grant
    },
    update: async (context) => {
      const { application, params, body, write, requestId } = context
      const record = await find(application.id, params.grant_id)
      checkScopeNames(providers, record.grant.provider, body.scope)
      if (body.scope) await refuseWider(record, body.scope)
      await checkWorkspaceId(database, application, body.workspace_id)
      const trying = { providers, secrets, ioFor: (kind: string) => services.accounts.ioFor(kind, context.signal) }
      const { settings } = body
      const guessing = {
        from: `${application.id} ${context.visitor.address}`,
        settings: { ...record.grant.settings, ...settings, email: record.grant.email },
        now: clock.now(),
      }
      const identity =
        settings && (await countGuess(limiter, guessing, () => tryNewSettings(database, record, settings, trying)))
      tellIgnoredSettings(context.responseHeaders, providerKinds[record.grant.provider].customSettings, settings)
      return write(async (tx) => {
        const current = await needGrant(tx, application.id, record.grant.id)
        await checkWorkspaceId(tx, application, body.workspace_id)
        return changeGrant(
          tx,
          current,
          { update: body, identity },
          { secrets, log, notify, now: clock.now(), requestId },
        )
      })
    },
    delete: async ({ application, params, write, requestId }) => {
      const { grant } = await find(application.id, params.grant_id)
      return write(async (tx) => {
        const record = await needGrant(tx, application.id, grant.id)
        await sessions.leave(record, tx)
        await eraseGrant(tx, record, { secrets, log, notify, now: clock.now(), requestId })
      })
    },
  }
}

export const workspaces = ({ storage: { database, clock } }: Pick<Services, 'storage'>): Handlers['workspaces'] => ({
  list: async ({ application }) => allWorkspaces(database, await needApplication(database, application.id)),
  create: ({ application, body, write }) =>
    write(async (tx) => {
      await lockedApplication(tx, application.id)
      return createWorkspace(tx, application.id, body, clock.now())
    }),
  autoGroup: ({ application, body, write }) => write((tx) => startGrouping(tx, application.id, body, clock.now())),
  get: async ({ application, params }) =>
    needWorkspace(database, await needApplication(database, application.id), params.workspace_id),
  update: ({ application, params, body, write }) =>
    write(async (tx) => {
      const row = await lockedApplication(tx, application.id)
      return changeWorkspace(tx, row, params.workspace_id, body, clock.now())
    }),
  delete: async ({ application, params, signal, write }) => {
    await emptyWorkspace(database, application.id, params.workspace_id, signal)
    return write((tx) => removeWorkspace(tx, application.id, params.workspace_id))
  },
  manualAssign: ({ application, params, body, write }) =>
    write((tx) => assignGrants(tx, application.id, params.workspace_id, body)),
})
