/** Filters of lists: times, triggers, and notifications within what a credential may see. */
import { Trigger, typesOf } from '@waypost/contract'
import { ApiError, invalidField } from '@waypost/platform/api-error'
import type { Queries } from '@waypost/store/engine/database'
import { z } from 'zod'
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

/** A time of a query. */
export const milliseconds = (seconds: number | undefined): number | undefined =>
  seconds === undefined ? undefined : seconds * 1000

/** The notification types of the named triggers; undefined for all. */
export function typesWanted(names: readonly string[] = []): string[] | undefined {
  const wanted = z.array(Trigger).safeParse(names)
  if (!wanted.success) throw invalidField('trigger_types', 'must be triggers that can be subscribed to')
  return wanted.data.length === 0 ? undefined : wanted.data.flatMap(typesOf)
}

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
  const since = milliseconds(wanted.start)
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
