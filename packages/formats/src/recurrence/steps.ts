/**
 * Counts the work that rules, dates and zone definitions cause. One budget covers a whole text, or a whole request,
 * however many rules it has. So what one client or one stranger sends costs a bounded amount of computation.
 */
import { ApiError } from '@waypost/platform/api-error'

/** Recurrence whose expansion exceeds the limit of a text or a request. */
export class RecurrenceTooLarge extends ApiError {
  /** The message without the field. */
  readonly why: string

  constructor(why: string) {
    super('invalid_request', `recurrence: ${why}`, { validationErrors: { recurrence: why } })
    this.name = 'RecurrenceTooLarge'
    this.why = why
  }
}

/**
 * The limit of what is computed at once. A step is a visited period, a day or time that a rule examines, or a date of
 * EXDATE or RDATE. It takes a quarter to half a microsecond. A DAILY rule reaches 70 years.
 */
export const MAX_STEPS = 50_000

/**
 * The limit of a whole request that reads many series. Each series has at most `MAX_STEPS` of them, and the main
 * thread yields to other work in between.
 */
export const STEPS_OF_REQUEST = 200 * MAX_STEPS

/** The limit of a change to a series: each of its deleted occurrences is looked for in the new rule. */
export const STEPS_OF_CHANGE = 2 * MAX_STEPS

const TOO_MANY =
  'the rule takes too many steps to expand: use fewer BY parts, an earlier end, or fewer dates of EXDATE and RDATE'

/** A budget of steps. It stays used up: after the first refusal, nothing else is computed with it. */
export class Steps {
  #left: number
  readonly #whole: Steps | undefined

  constructor(max = MAX_STEPS, whole?: Steps) {
    this.#left = max
    this.#whole = whole
  }

  /** The budget of one part, such as one of many texts. Its steps count for the whole, too. */
  part(): Steps {
    return new Steps(MAX_STEPS, this)
  }

  /** Counts steps before they are made; throws `RecurrenceTooLarge` if fewer are left. */
  take(count: number): void {
    this.#whole?.take(count)
    this.#left -= count
    if (this.#left < 0) throw new RecurrenceTooLarge(TOO_MANY)
  }

  get left(): number {
    return Math.max(0, this.#left)
  }
}
