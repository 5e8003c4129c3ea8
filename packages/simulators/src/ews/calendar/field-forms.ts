// Builders for the fields of calendar items.
import type { EwsCall, Field, FieldValue, WriteContext } from '../model.ts'
import { cut } from '../shapes/said-fields.ts'
import { schemaViolation } from '../soap/errors.ts'
import { timeText } from '../soap/times.ts'
import type { XmlNode } from '../xml/read.ts'
import { element, type Xml } from '../xml/write.ts'
import { type CalendarContent, type CalendarItem, changeContent } from './content.ts'
import { contextZone } from './draft.ts'

export type CalendarField = Field<CalendarContent>
export type Named = Pick<CalendarField, 'shape' | 'since' | 'onlyGet'> & {
  readonly name: string
  readonly uri?: string
}
type Changes = Pick<CalendarField, 'set' | 'remove'>

const uriOf = ({ name, uri }: Named): string => uri ?? `calendar:${name}`

/** A time in the zone of the request's context, or in UTC. */
export function zonedTime(call: EwsCall, ms: number): string {
  const zone = contextZone(call)
  if (zone === undefined || zone.iana === 'UTC' || zone.iana === 'Etc/UTC') return timeText(call, ms)
  const time = Temporal.Instant.fromEpochMilliseconds(ms).toZonedDateTimeISO(zone.iana)
  return time.toString({ timeZoneName: 'never', smallestUnit: call.milliseconds ? 'millisecond' : 'second' })
}

/** A field with one value: text, number or boolean. */
export function plainField(
  named: Named,
  value: (item: CalendarItem) => string | number | boolean | undefined,
  changes: Changes = {},
): CalendarField {
  const { name } = named
  return {
    ...named,
    uri: uriOf(named),
    write(item, context) {
      const known = value(item)
      const shown = typeof known === 'string' ? cut(known, context) : known
      return shown === undefined || shown === '' ? undefined : element(`t:${name}`, shown)
    },
    value,
    ...changes,
  }
}

export function timeField(
  named: Named,
  value: (item: CalendarItem) => number | undefined,
  changes: Changes = {},
): CalendarField {
  return {
    ...named,
    uri: uriOf(named),
    write(item, { call }) {
      const time = value(item)
      return time === undefined ? undefined : element(`t:${named.name}`, zonedTime(call, time))
    },
    value,
    ...changes,
  }
}

/** A field with its own XML form; it is searchable only if `value` is given. */
export function xmlField(
  named: Named,
  write: (item: CalendarItem, context: WriteContext) => Xml | undefined,
  changes: Changes & { value?: (item: CalendarItem) => FieldValue } = {},
): CalendarField {
  return { ...named, uri: uriOf(named), write, ...changes }
}

/** Functions that set and remove one property of the content. */
export function sets<Name extends keyof CalendarContent>(
  name: Name,
  read: (written: XmlNode) => CalendarContent[Name],
  without: CalendarContent[Name],
): Changes {
  return {
    set: (item, written) => changeContent(item, { [name]: read(written) }),
    remove: (item) => changeContent(item, { [name]: without }),
  }
}

export function yesOrNo({ name, text }: XmlNode): boolean {
  const written = text.trim()
  if (['true', '1'].includes(written)) return true
  if (['false', '0'].includes(written)) return false
  throw schemaViolation(
    `The '${name}' element is invalid - The value '${written}' is invalid according to its datatype.`,
  )
}

export function wholeNumber({ name, text }: XmlNode): number {
  if (/^\s*-?\d+\s*$/.test(text)) return Number(text)
  throw schemaViolation(`The '${name}' element is invalid - The value '${text}' is invalid according to its datatype.`)
}

export function oneOf<T extends string>(values: readonly T[]): (written: XmlNode) => T {
  return ({ name, text }) => {
    const value = values.find((one) => one === text.trim())
    if (value !== undefined) return value
    throw schemaViolation(
      `The '${name}' element is invalid - The value '${text}' is invalid according to its datatype.`,
    )
  }
}
