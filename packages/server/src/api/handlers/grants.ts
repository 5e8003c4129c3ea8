import type { Grant, GrantListQuery } from '@waypost/contract'
import { z } from 'zod'
import { changeGrant, eraseGrant, needGrant } from '../../grants/grants.ts'
import { emailKey, isNamed, locatorFor } from '../../grants/locator.ts'
import { tryNewSettings } from '../../grants/trial.ts'
import { ApiError } from '../../lib/api-error.ts'
import type { Services } from '../../services.ts'
import {
  findGrant,
  findGrantDocument,
  type GrantFilter,
  type GrantRecord,
  listGrantDocuments,
} from '../../store/grants.ts'
import type { Handlers } from './index.ts'

/** A place in the list: the last grant's time and id, and how many stand before the next page. */
const Position = z.tuple([z.number(), z.string(), z.number()])

function filterOf(query: GrantListQuery): GrantFilter {
  const accounts = [...(query.account_ids ?? []), ...(query.account_id === undefined ? [] : [query.account_id])]
  return {
    sortBy: query.sort_by ?? query.sortBy ?? 'created_at',
    order: query.order_by ?? query.orderBy ?? 'desc',
    since: query.since === undefined ? undefined : query.since * 1000,
    until: query.before === undefined ? undefined : (query.before + 1) * 1000,
    emailKey: query.email === undefined ? undefined : emailKey(query.email),
    status: query.grant_status ?? query.grantStatus ?? query.status,
    ip: query.ip,
    provider: query.provider,
    accountIds: accounts.length > 0 ? accounts : undefined,
    workspaceId: query.workspace_id,
    connectorId: query.connector_id,
  }
}

export const grants = (services: Services): Handlers['grants'] => {
  const { database, clock, secrets, log, notify, providers, sessions } = services
  const find = async (applicationId: string, segment: string) => {
    const record = await findGrant(database, applicationId, locatorFor(segment))
    if (!record) throw new ApiError('grant_not_found')
    return record
  }
  /** The grant with the further addresses of its account, where it is valid and its provider tells them. */
  const withAliases = async (
    record: GrantRecord,
    { signal, remarks }: { signal: AbortSignal; remarks: Record<string, string> },
  ): Promise<Grant> => {
    const { grant } = record
    const provider = Object.hasOwn(providers, grant.provider) ? providers[grant.provider] : undefined
    if (!provider?.aliases || record.status !== 'valid' || grant.blocked) return grant
    const session = sessions.open(record, 'grants.get', { queries: database, signal: () => signal, remarks })
    const email_aliases = await provider.aliases(session).catch(async (error) => {
      throw await sessions.judge(record, error)
    })
    return email_aliases.length > 0 ? { ...grant, email_aliases } : grant
  }
  return {
    list: async ({ application, query, position }) => {
      const place = position === undefined ? undefined : Position.parse(position)
      const offset = place ? place[2] : (query.offset ?? 0)
      const found = await listGrantDocuments(database, application.id, filterOf(query), {
        limit: query.limit + 1,
        offset: place ? 0 : offset,
        after: place && { time: place[0], id: place[1] },
      })
      const page = found.slice(0, query.limit)
      const last = page.at(-1)?.position
      const more = found.length > query.limit && last !== undefined
      return {
        items: page.map((item) => item.document),
        offset,
        ...(more ? { next: [last.time, last.id, offset + page.length] } : {}),
      }
    },
    get: async (context) => {
      const { application, params, query } = context
      if (application.grantId !== undefined) {
        const own = await find(application.id, application.grantId)
        if (!isNamed(own, params.grant_id)) throw new ApiError('grant_access_denied')
        return query.expose_aliases ? withAliases(own, context) : own.grant
      }
      if (query.expose_aliases) return withAliases(await find(application.id, params.grant_id), context)
      const document = await findGrantDocument(database, application.id, locatorFor(params.grant_id))
      if (!document) throw new ApiError('grant_not_found')
      return document
    },
    update: async (context) => {
      const { application, params, body, write } = context
      const record = await find(application.id, params.grant_id)
      const trying = { providers, secrets, ioFor: (kind: string) => services.ioFor(kind, context.signal) }
      const identity = body.settings && (await tryNewSettings(database, record, body.settings, trying))
      return write(async (tx) => {
        const current = await needGrant(tx, application.id, record.grant.id)
        return changeGrant(tx, current, { update: body, identity }, { secrets, log, notify, now: clock.now() })
      })
    },
    delete: async ({ application, params, write }) => {
      const { grant } = await find(application.id, params.grant_id)
      return write(async (tx) =>
        eraseGrant(tx, await needGrant(tx, application.id, grant.id), { secrets, log, notify, now: clock.now() }),
      )
    },
  }
}
