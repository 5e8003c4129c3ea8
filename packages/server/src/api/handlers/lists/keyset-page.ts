/** Pages of lists that the store reads in the order of an index. */

import { invalidField } from '@waypost/platform/api-error'
import type { JsonValue } from '@waypost/platform/json/guard'
import type { JsonText } from '@waypost/platform/json/values'
import type { KeysetPage, KeysetPosition } from '@waypost/store/engine/keyset'
import type { After } from '@waypost/store/tables/mail/signatures'
import { z } from 'zod'
import type { ListPage } from '../../http/answer.ts'

const Place = z.tuple([z.int().min(0).max(9)], z.union([z.string(), z.number()]))

/** The start of a page. */
export const placeOf = (position: JsonValue | undefined): KeysetPosition | undefined =>
  position === undefined ? undefined : read(Place, position)

/** A cursor of another version may have another form. */
function read<T>(form: z.ZodType<T>, position: JsonValue): T {
  const place = form.safeParse(position)
  if (!place.success) throw invalidField('page_token', 'comes from another version: start with the first page')
  return place.data
}

/** A page may be empty although the list continues, because a search stopped early. */
export const pageOf = <T>({ next }: KeysetPage<unknown>, items: readonly (T | JsonText<T>)[]): ListPage<T> =>
  next === undefined ? { items } : { items, next, endless: true }

const CreatedPlace = z.tuple([z.number(), z.string()])

/** The start of a page of rows in the order in which they were created. */
export function createdAfter(position: JsonValue | undefined): After | undefined {
  if (position === undefined) return undefined
  const [createdAt, id] = read(CreatedPlace, position)
  return { createdAt, id }
}

/** One page of rows; `rows` has one row more than the page if there is a next one. */
export function cutPage<R>(
  rows: readonly R[],
  limit: number,
  positionOf: (last: R) => JsonValue,
): { items: R[]; next?: JsonValue } {
  const items = rows.slice(0, limit)
  const last = items.at(-1)
  return { items, ...(rows.length > limit && last ? { next: positionOf(last) } : {}) }
}

interface Created {
  created_at: number
  id: string
}

export const positionOfCreated = ({ created_at, id }: Created): JsonValue => [created_at, id]

export function pageOfCreated<R extends Created, T>(rows: readonly R[], limit: number, show: (row: R) => T) {
  const page = cutPage(rows, limit, positionOfCreated)
  return { ...page, items: page.items.map(show) }
}

/** A list of rows in the order in which they were created. */
export const listCreated = async <R extends Created, T>(
  { query: { limit }, position }: { query: { limit: number }; position: JsonValue | undefined },
  read: (page: { after: After | undefined; limit: number }) => Promise<readonly R[]>,
  show: (row: R) => T,
) => pageOfCreated(await read({ after: createdAfter(position), limit: limit + 1 }), limit, show)
