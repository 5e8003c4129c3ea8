/** The positions of Graph's messages in lists. */
import { type ListPlace, newestFirst } from '../../../mail/position.ts'
import type { GraphMessage } from '../mail-api.ts'
import { dateOf } from './message.ts'

export const placeOf = (message: GraphMessage): ListPlace => ({ id: message.id, date: dateOf(message) })

export const byPlace = (a: GraphMessage, b: GraphMessage): number => newestFirst(placeOf(a), placeOf(b))
