/** What an event keeps for us that Exchange has no field for: a conference that was described, and how many may come. Pure. */
import type { Conferencing } from '@waypost/contract'
import { type ExchangeEvent, ownPropertyId } from './event-model.ts'

export interface OwnFields {
  conferencing?: Conferencing | null
  capacity?: number | null
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** Nothing where it is absent, or was not written by us. */
export function ownFieldsOf({ singleValueExtendedProperties: properties = [] }: ExchangeEvent): OwnFields {
  const text = properties.find(({ id }) => id?.toLowerCase() === ownPropertyId.toLowerCase())?.value
  if (text === undefined) return {}
  try {
    const value: unknown = JSON.parse(text)
    if (!isObject(value)) return {}
    const { capacity, conferencing } = value
    return {
      ...(typeof capacity === 'number' && Number.isInteger(capacity) && capacity > 0 ? { capacity } : {}),
      ...(isObject(conferencing) && typeof conferencing.provider === 'string' ? { conferencing } : {}),
    }
  } catch {
    return {}
  }
}

/** The property with what changed of it. */
export function ownProperty(before: OwnFields, change: OwnFields): { id: string; value: string } {
  const fields = Object.entries({ ...before, ...change }).filter(([, value]) => value !== null && value !== undefined)
  return { id: ownPropertyId, value: JSON.stringify(Object.fromEntries(fields)) }
}
