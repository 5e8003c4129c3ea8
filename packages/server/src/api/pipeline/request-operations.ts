import { ApiError } from '@waypost/platform/api-error'
import { checkLimits } from '@waypost/providers/limits'
import { keepsResource } from '@waypost/providers/registry'
import type { Queries } from '@waypost/store/engine/database'
import type { Reach } from '@waypost/store/tables/calendars-contacts/virtual-tables'
import type { GrantRecord } from '@waypost/store/tables/grants/grants'
import { isLimited, mayUseGrant } from '../../applications/key-rights.ts'
import type { Caller } from '../../grants/caller.ts'
import type { Operation } from '../../grants/sessions.ts'
import { tellIgnored } from '../http/ignored-fields.ts'
import type { ApiServices } from './api-services.ts'
import type { RequestContext } from './request-context.ts'

/**
 * Gives a request the operation of its provider: `op` for reading, and `change` to run it as a change. If the service itself
 * stores the account, the change runs in one transaction. Anything else that is stored with the change is written in that
 * transaction too, or else in one after the provider's change.
 */
export function addOperations(api: ApiServices, context: RequestContext, record: GrantRecord): void {
  const { named } = context.served
  const { query, headers, body, responseHeaders, span, requestId, application, calls } = context
  const bind = (queries: Queries): Operation =>
    api.accounts.sessions.bind(record, named, {
      queries,
      signal: () => context.signal,
      responseHeaders,
      reach: application ? reachOf(application) : 'application',
      span,
      requestId,
      calls,
    })
  const op = bind(api.storage.database)
  const provider = api.accounts.sessions.providerOf(record, named.id)
  tellIgnored(responseHeaders, checkLimits(provider, named.id, { query, headers, body }))
  const isOurs = keepsResource(provider, named.resource)
  context.op = op
  context.change = async (work, keep) => {
    if (isOurs) {
      const changed = (tx: Queries): Promise<unknown> => work(bind(tx), tx)
      // Changes of events lock their grant first, and are small; changes of calendars may rewrite many events.
      const sharing =
        named.resource === 'events' ? { key: record.grant.id, applicationId: record.applicationId } : undefined
      return context.write(async (tx) => (keep ? keep(tx, await changed(tx)) : changed(tx)), sharing)
    }
    context.reachedProvider = true
    const made = await work(op, api.storage.database).catch((error: unknown) => {
      // An earlier attempt of this request has already deleted the object.
      const isDone = context.once?.again && named.route.method === 'DELETE'
      if (isDone && error instanceof ApiError && error.code === 'not_found') return undefined
      throw error
    })
    return keep ? context.write((tx) => keep(tx, made)) : made
  }
}

/** The accounts that a caller may access besides that of its request. */
export function reachOf({ grantId, credential }: Pick<Caller, 'grantId' | 'credential'>): Reach {
  if (grantId !== undefined) return 'grant'
  return credential && isLimited(credential) ? (grant) => mayUseGrant(credential, grant) : 'application'
}
