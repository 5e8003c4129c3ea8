/**
 * The data that we store with an event because Exchange has no field for it: a described conference, the capacity,
 * and the original IANA zones. Pure.
 */
import { isDeepStrictEqual } from 'node:util'
import type { Conferencing } from '@waypost/contract'
import { type ExchangeEvent, ownPropertyId } from './event-model.ts'

export interface OwnFields {
  conferencing?: Conferencing | null
  capacity?: number | null
  /** IANA names. */
  zones?: { start: string; end: string } | null
}

function zonesOf(value: unknown): Pick<OwnFields, 'zones'> {
  if (!isObject(value) || typeof value.start !== 'string' || typeof value.end !== 'string') return {}
  return { zones: { start: value.start, end: value.end } }
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** Empty if the property is absent or was not written by us. */
export function ownFieldsOf({
  singleValueExtendedProperties: properties = [],
}: Pick<ExchangeEvent, 'singleValueExtendedProperties'>): OwnFields {
  const text = properties.find(({ id }) => id?.toLowerCase() === ownPropertyId.toLowerCase())?.value
  if (text === undefined) return {}
  try {
    const value: unknown = JSON.parse(text)
    if (!isObject(value)) return {}
    const { capacity, conferencing, zones } = value
    return {
      ...(typeof capacity === 'number' && Number.isInteger(capacity) && capacity > 0 ? { capacity } : {}),
      ...(isObject(conferencing) && typeof conferencing.provider === 'string' ? { conferencing } : {}),
      ...zonesOf(zones),
    }
  } catch {
    return {}
  }
}

/** The property after a change; undefined if nothing changes. */
export function ownProperty(before: OwnFields, change: OwnFields): { id: string; value: string } | undefined {
  const fields = given({ ...before, ...change })
  if (isDeepStrictEqual(fields, given(before))) return undefined
  return { id: ownPropertyId, value: JSON.stringify(fields) }
}

const given = (fields: OwnFields): OwnFields =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== null && value !== undefined))
