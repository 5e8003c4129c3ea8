/**
 * Postal addresses in vCards: seven parts (RFC 6350 §6.3.1). The API returns street, extended address and post office
 * box as the lines of one field. Pure.
 */
import { partsOf, withParts } from './values.ts'

export interface PostalAddress {
  street_address?: string | null | undefined
  city?: string | null | undefined
  state?: string | null | undefined
  postal_code?: string | null | undefined
  country?: string | null | undefined
}

/** The index of each field within the value. */
const places = { city: 3, state: 4, postal_code: 5, country: 6 } as const
type Field = keyof typeof places
const fields = Object.keys(places) as Field[]

/** The address in a value, or undefined if all parts are empty. */
export function readAddress(value: string, version: string): PostalAddress | undefined {
  const [box, extended, street, city, state, code, country] = partsOf(value, { joint: ', ', version })
  const lines = [street, extended, box].filter((line) => line)
  if (lines.length === 0 && !city && !state && !code && !country) return undefined
  return {
    street_address: lines.join('\n') || null,
    city: city || null,
    state: state || null,
    postal_code: code || null,
    country: country || null,
  }
}

const isSame = (one: string | null | undefined, other: string | null | undefined): boolean =>
  (one || '') === (other || '')

export const isSameAddress = (one: PostalAddress, other: PostalAddress): boolean =>
  isSame(one.street_address, other.street_address) && fields.every((field) => isSame(one[field], other[field]))

/** The value of an address, based on the former value: unchanged parts stay as they are written. */
export function writeAddress(wanted: PostalAddress, version: string, before = ';;;;;;'): string {
  const known = readAddress(before, version) ?? {}
  const parts: Record<number, string> = {}
  if (!isSame(wanted.street_address, known.street_address)) {
    Object.assign(parts, { 0: '', 1: '', 2: wanted.street_address ?? '' })
  }
  for (const field of fields) if (!isSame(wanted[field], known[field])) parts[places[field]] = wanted[field] ?? ''
  return withParts(before, parts, version)
}
