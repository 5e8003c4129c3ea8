/** What accounts at Microsoft do not have. */
import { defineLimits } from '../limits.ts'

export const limits = defineLimits({})
