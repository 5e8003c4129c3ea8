/** What accounts at Exchange do not have. */
import { defineLimits } from '../limits.ts'

export const limits = defineLimits({})
