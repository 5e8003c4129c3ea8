/** The filter of a list of notifications: what the client asks for, within what its credential may see. */
import { Trigger, typesOf } from '@waypost/contract'
import { ApiError } from '@waypost/platform/api-error'
import type { Queries } from '@waypost/store/engine/database'
import {
  type Credential,
  isLimited,
  judgeTrigger,
  readableTriggers,
  scopeOf,
} from '../../../applications/key-rights.ts'
import { isInReach, needInReach } from '../../../grants/caller.ts'
import { locatorFor } from '../../../grants/locator.ts'
import type { StreamFilter } from '../../../webhooks/stream-reading.ts'
import { missingRight } from '../../pipeline/key-admission.ts'
import { typesWanted } from './trigger-filter.ts'

interface Reader {
  id: string
  /** The caller has an access token of this grant. */
  grantId?: string | undefined
  credential?: Credential | undefined
}

interface FilterTarget {
  grant_id?: string | undefined
  trigger_types?: readonly string[] | undefined
  start?: number | undefined
}

/** Refuses a grant and triggers out of reach by name; without names, the list contains what is in reach. */
export async function notificationFilter(
  queries: Queries,
  reader: Reader,
  wanted: FilterTarget,
): Promise<StreamFilter> {
  const { credential } = reader
  const types = typesWanted(wanted.trigger_types)
  const since = wanted.start === undefined ? undefined : wanted.start * 1000
  if (reader.grantId !== undefined) {
    if (wanted.grant_id !== undefined && wanted.grant_id !== reader.grantId) throw new ApiError('grant_access_denied')
    return { grantId: reader.grantId, types, since }
  }
  if (!credential) return { grantId: wanted.grant_id, types, since }
  for (const name of wanted.trigger_types ?? []) {
    const judgement = judgeTrigger(credential, Trigger.parse(name))
    if (!judgement.allowed) throw missingRight(credential, judgement.missing)
  }
  const readable = readableTriggers(credential)
  const isAll = readable.length === Trigger.options.length
  const seen = types ?? (isAll ? undefined : readable.flatMap(typesOf))
  if (!isLimited(credential)) return { grantId: wanted.grant_id, types: seen, since }
  if (wanted.grant_id !== undefined) await needInReach(queries, reader, locatorFor(wanted.grant_id))
  return { grantId: wanted.grant_id ?? onlyGrant(credential), types: seen, since, reach: reachOf(queries, reader) }
}

/** The grant of a credential that may use one alone, so that the store reads no others. */
function onlyGrant(credential: Credential): string | undefined {
  const scope = scopeOf(credential)
  return scope?.ids?.length === 1 ? scope.ids[0] : undefined
}

const reachOf =
  (queries: Queries, reader: Reader) =>
  async (grantIds: readonly string[]): Promise<ReadonlySet<string>> => {
    const reached = await Promise.all(grantIds.map((value) => isInReach(queries, reader, { by: 'id', value })))
    return new Set(grantIds.filter((_, at) => reached[at]))
  }
