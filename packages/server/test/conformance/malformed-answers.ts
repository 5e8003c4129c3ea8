/** Responses of a provider in which one field is wrong. */
import type { Json } from './accounts.ts'

/**
 * Yields the value with one field wrong at a time, at any depth. `more` adds further wrong values for a given value.
 */
export function* malformed(value: Json, more: (value: Json) => readonly Json[] = () => []): Generator<Json> {
  yield* [null, typeof value === 'string' ? 7 : 'text', Array.isArray(value) ? {} : [], ...more(value)]
  if (typeof value !== 'object' || value === null) return
  // Elements of an array are alike, so only the first is changed.
  for (const key of Array.isArray(value) ? value.keys().take(1) : Object.keys(value)) {
    for (const part of malformed(value[key], more)) {
      yield Array.isArray(value) ? value.with(Number(key), part) : { ...value, [key]: part }
    }
  }
}
