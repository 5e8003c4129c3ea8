/** The positions of Graph's messages in lists. */
import { newestFirst, type Placed } from '../../../mail/position.ts'
import type { GraphMessage } from '../mail-api.ts'
import { dateOf } from './message.ts'

export const placeOf = (message: GraphMessage): Placed => ({ id: message.id, date: dateOf(message) })

export const byPlace = (a: GraphMessage, b: GraphMessage): number => newestFirst(placeOf(a), placeOf(b))
