// Property values in the form that restrictions and sort orders use.
import type { FieldValue } from '../model.ts'

export type PropertyType = 'text' | 'number' | 'boolean' | 'time' | 'binary' | 'texts'

/** A time is in milliseconds, binary data is base64, and an array holds several values of one property. */
export type PropertyValue = NonNullable<FieldValue>

/** The comparison type of an extended property type. */
export function typeOfExtended(type: string): PropertyType {
  if (type.endsWith('Array')) return 'texts'
  switch (type) {
    case 'Boolean':
      return 'boolean'
    case 'Binary':
      return 'binary'
    case 'SystemTime':
    case 'ApplicationTime':
      return 'time'
    case 'String':
    case 'CLSID':
      return 'text'
    default:
      return 'number'
  }
}

/** Parses a value of a type; undefined if the text is invalid for it. */
export function readValue(type: PropertyType, written: string): PropertyValue | undefined {
  switch (type) {
    case 'number':
      return written.trim() === '' || Number.isNaN(Number(written)) ? undefined : Number(written)
    case 'boolean':
      return { true: true, '1': true, false: false, '0': false }[written.trim().toLowerCase()]
    case 'time':
      return timeOf(written.trim())
    case 'binary':
      return Buffer.from(written, 'base64').toString('base64')
    default:
      return written
  }
}

/** Parses text in the type of an item's value; undefined if the two cannot be compared. */
export function readLike(value: PropertyValue, written: string): PropertyValue | undefined {
  if (typeof value === 'boolean') return readValue('boolean', written)
  if (typeof value !== 'number') return written
  return readValue(/^\s*-?\d+(?:\.\d+)?\s*$/.test(written) ? 'number' : 'time', written)
}

/** A time without a zone is UTC. */
function timeOf(text: string): number | undefined {
  if (!/^\d{4}-\d\d-\d\d/.test(text)) return undefined
  const hasZone = /(?:Z|[+-]\d\d:\d\d)$/.test(text)
  const time = Date.parse(hasZone || !text.includes('T') ? text : `${text}Z`)
  return Number.isNaN(time) ? undefined : time
}

/** Compares as Exchange does; text ignores case. */
export function compareValues(left: PropertyValue, right: PropertyValue, type?: PropertyType): number {
  if (typeof left === 'number' && typeof right === 'number') return left - right
  if (typeof left === 'boolean' && typeof right === 'boolean') return Number(left) - Number(right)
  const [first, second] = type === 'binary' ? [String(left), String(right)] : [folded(left), folded(right)]
  return first < second ? -1 : first > second ? 1 : 0
}

function folded(value: PropertyValue): string {
  return (Array.isArray(value) ? value.join('; ') : String(value)).toLowerCase()
}
