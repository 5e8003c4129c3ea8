/** Lists what a provider keeps by its metadata: the service knows which, the provider what they are. */
import { z } from 'zod'
import { ApiError } from '../../lib/api-error.ts'
import type { JsonValue } from '../../lib/json/guard.ts'
import type { WithMetadata } from '../../store/tables/calendars-contacts/metadata-rows.ts'

export interface Search<T> {
  limit: number
  position: JsonValue | undefined
  /** Those with the metadata that is looked for, newest first. */
  find(after: WithMetadata | undefined, most: number): Promise<WithMetadata[]>
  /** Removes the metadata of one that is gone. */
  forget(gone: WithMetadata): Promise<void>
  /** Reads one at the provider. */
  read(id: string): Promise<T>
  signal: AbortSignal
}

/** A place in the list: when the metadata of the last one was set, and its id. */
const Position = z.tuple([z.number(), z.string()])

/** Providers allow few requests at once. */
const readAtOnce = 4

/** One page. What is gone is passed over, and its metadata with it: a page is full unless it is the last. */
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

/** Objects in the order asked for, undefined where one is gone; the first other failure ends it. */
async function readAll<T>(wanted: readonly WithMetadata[], read: Search<T>['read']): Promise<(T | undefined)[]> {
  const objects: (T | undefined)[] = []
  const queue = wanted.entries()
  let failed = false
  const work = async (): Promise<void> => {
    for (const [index, { id }] of queue) {
      if (failed) return
      try {
        objects[index] = await read(id)
      } catch (error) {
        if (error instanceof ApiError && error.code === 'not_found') continue
        failed = true
        throw error
      }
    }
  }
  await Promise.all(Array.from({ length: readAtOnce }, work))
  return objects
}
