// The values of properties as restrictions and sort orders see them.
import type { FieldValue } from '../model.ts'

export type PropertyType = 'text' | 'number' | 'boolean' | 'time' | 'binary' | 'texts'

/** A time is in milliseconds, binary is base64, texts are several values of one property. */
export type PropertyValue = NonNullable<FieldValue>

/** The type of extended properties, which restrictions compare by. */
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

/** What a value that is written as text is worth; undefined where it is none of that type. */
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

/** A value to compare with one that an item has; undefined where it cannot be compared. */
export function readLike(value: PropertyValue, written: string): PropertyValue | undefined {
  if (typeof value === 'boolean') return readValue('boolean', written)
  if (typeof value !== 'number') return written
  return readValue(/^\s*-?\d+(?:\.\d+)?\s*$/.test(written) ? 'number' : 'time', written)
}

/** A time without a zone is one of UTC. */
function timeOf(text: string): number | undefined {
  if (!/^\d{4}-\d\d-\d\d/.test(text)) return undefined
  const hasZone = /(?:Z|[+-]\d\d:\d\d)$/.test(text)
  const time = Date.parse(hasZone || !text.includes('T') ? text : `${text}Z`)
  return Number.isNaN(time) ? undefined : time
}

/** As Exchange compares: text regardless of its case. */
export function compareValues(left: PropertyValue, right: PropertyValue, type?: PropertyType): number {
  if (typeof left === 'number' && typeof right === 'number') return left - right
  if (typeof left === 'boolean' && typeof right === 'boolean') return Number(left) - Number(right)
  const [first, second] = type === 'binary' ? [String(left), String(right)] : [folded(left), folded(right)]
  return first < second ? -1 : first > second ? 1 : 0
}

function folded(value: PropertyValue): string {
  return (Array.isArray(value) ? value.join('; ') : String(value)).toLowerCase()
}
