/** On whose behalf a request creates the conference of an event. */

import type { Once } from '@waypost/providers/operations'
import type { GrantRecord } from '@waypost/store/tables/grants/grants'
import type { ConferenceUse } from '../../conferences/conferences.ts'
import type { Caller } from '../../grants/caller.ts'
import { reachOf } from '../pipeline/request-operations.ts'

export interface ConferenceRequest {
  application: Pick<Caller, 'grantId' | 'credential'>
  grant: GrantRecord
  signal: AbortSignal
  once?: Once | undefined
}

/** An access token names its own grant only; a restricted key or an agent names those that it may use. */
export function conferenceUse({ application, grant, signal, once }: ConferenceRequest): ConferenceUse {
  const reach = reachOf(application)
  return {
    account: grant,
    mayUse: (other) => {
      if (reach === 'application') return true
      return reach === 'grant' ? other.id === grant.grant.id : reach(other)
    },
    signal: () => signal,
    again: once?.again,
  }
}
