/** Pages of lists that the store reads in the order of an index. */

import { invalidField } from '@waypost/platform/api-error'
import type { JsonValue } from '@waypost/platform/json/guard'
import type { JsonText } from '@waypost/platform/json/text'
import type { KeysetPage, KeysetPosition } from '@waypost/store/engine/keyset'
import { z } from 'zod'
import type { ListPage } from '../../http/answer.ts'

const Place = z.tuple([z.int().min(0).max(9)], z.union([z.string(), z.number()]))

/** The start of a page. A cursor of another version may have another form. */
export function placeOf(position: JsonValue | undefined): KeysetPosition | undefined {
  if (position === undefined) return undefined
  const place = Place.safeParse(position)
  if (!place.success) throw invalidField('page_token', 'comes from another version: start with the first page')
  return place.data
}

/** A page may be empty although the list continues, because a search stopped early. */
export const pageOf = <T>({ next }: KeysetPage<unknown>, items: readonly (T | JsonText<T>)[]): ListPage<T> =>
  next === undefined ? { items } : { items, next, endless: true }
