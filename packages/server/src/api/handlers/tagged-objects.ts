/** Lists objects of a provider by metadata: the service stores which objects match, the provider returns them. */

import type { MetadataPair } from '@waypost/contract'
import { ApiError } from '@waypost/platform/api-error'
import { concurrentMap } from '@waypost/platform/concurrent-map'
import type { JsonValue } from '@waypost/platform/json/guard'
import type { Queries } from '@waypost/store/engine/database'
import type { WithMetadata } from '@waypost/store/tables/calendars-contacts/metadata-rows'
import { findTaggedObjects, forgetObjectMetadata } from '@waypost/store/tables/calendars-contacts/object-metadata'
import { z } from 'zod'
import type { GrantReading } from '../pipeline/request-operations.ts'
import { holderOf } from './metadata.ts'

export interface Search<T> {
  limit: number
  position: JsonValue | undefined
  /** Objects with matching metadata, newest first. */
  find(after: WithMetadata | undefined, max: number): Promise<WithMetadata[]>
  /** Removes the metadata of a deleted object. */
  forget(gone: WithMetadata): Promise<void>
  /** Reads one object at the provider. */
  read(id: string): Promise<T>
  signal: AbortSignal
}

/** A position in the list: when the metadata of the last object was set, and its id. */
const Position = z.tuple([z.number(), z.string()])

/** Concurrent reads; providers allow few. */
const readAtOnce = 4

/** One page. Deleted objects are skipped and their metadata is removed, so a page is full unless it is the last. */
export async function listTagged<T>(search: Search<T>): Promise<{ items: T[]; next?: JsonValue }> {
  const { limit, position, find, forget, read, signal } = search
  let after: WithMetadata | undefined
  if (position !== undefined) {
    const [updatedAt, id] = Position.parse(position)
    after = { updatedAt, id }
  }
  const items: T[] = []
  for (;;) {
    signal.throwIfAborted()
    const missing = limit - items.length
    const found = await find(after, missing + 1)
    const wanted = found.slice(0, missing)
    const objects = await readAll(wanted, read)
    for (const [index, tagged] of wanted.entries()) {
      const object = objects[index]
      if (object) items.push(object)
      else await forget(tagged)
    }
    after = wanted.at(-1) ?? after
    if (found.length <= missing) return { items }
    if (after && items.length === limit) return { items, next: [after.updatedAt, after.id] }
  }
}

/** Objects in the requested order, undefined for deleted ones; the first other failure ends the list. */
const readAll = <T>(wanted: readonly WithMetadata[], read: Search<T>['read']): Promise<(T | undefined)[]> =>
  concurrentMap(wanted, readAtOnce, async ({ id }) => {
    try {
      return await read(id)
    } catch (error) {
      if (error instanceof ApiError && error.code === 'not_found') return undefined
      throw error
    }
  })

interface ObjectRequest {
  database: Queries
  context: GrantReading
  query: { limit: number; metadata_pair?: readonly MetadataPair[] | undefined }
  position: JsonValue | undefined
}

/** The calendars of a grant, or the events of one of its calendars, by their metadata. */
export function listTaggedObjects<T>(
  { database, context, query, position }: ObjectRequest,
  calendarId: string | undefined,
  read: Search<T>['read'],
): Promise<{ items: T[]; next?: JsonValue }> {
  const at = holderOf(context.grant)
  const object = calendarId === undefined ? 'calendar' : 'event'
  const of = { object, calendarId: calendarId ?? '', pairs: query.metadata_pair ?? [] } as const
  return listTagged<T>({
    limit: query.limit,
    position,
    signal: context.signal,
    find: (after, limit) => findTaggedObjects(database, at, of, { after, limit }),
    forget: ({ id, updatedAt }) => forgetObjectMetadata(database, at, { ...of, id }, updatedAt),
    read,
  })
}
