/**
 * Time zones as Windows describes them: periods with an offset each, groups of yearly changes, and the time of each
 * group.
 */
import {
  attributesOnly,
  choice,
  element,
  enumeration,
  integer,
  list,
  localDateTime,
  repeatedInline,
  required,
  requiredAttribute,
  sequence,
  text,
  textElement,
  type ValueOf,
} from '../soap/description.ts'
import { dayNames } from './recurrence.ts'

/** The bias is added to local time to get UTC, as xs:duration: `-PT1H` is east of Greenwich. */
const period = attributesOnly({ Bias: text, Name: text, Id: text })
const target = textElement({ Kind: requiredAttribute(enumeration(['Period', 'Group'], 'Period')) }, text)
const to = { To: required(target) }
/** Since midnight, in local time before the change. */
const yearly = { ...to, TimeOffset: required(text), Month: required(integer) }

const transition = choice({
  Transition: sequence(to),
  AbsoluteDateTransition: sequence({ ...to, DateTime: required(localDateTime) }),
  RecurringDateTransition: sequence({ ...yearly, Day: required(integer) }),
  RecurringDayTransition: sequence({
    ...yearly,
    DayOfWeek: required(enumeration(dayNames, 'Sunday')),
    /** The first to the fourth of the month; -1 is the last. */
    Occurrence: required(integer),
  }),
})
export type Transition = ValueOf<typeof transition>

const transitions = element({ attributes: { Id: text }, places: { Transitions: repeatedInline(transition) } })

/** A zone by its id, with its rules if it is not one of the server's, or if they are requested. */
export const timeZoneDefinition = element({
  attributes: { Id: text, Name: text },
  places: {
    Periods: list('Period', period),
    TransitionsGroups: list('TransitionsGroup', transitions),
    Transitions: transitions,
  },
})
export type TimeZoneDefinition = ValueOf<typeof timeZoneDefinition>
