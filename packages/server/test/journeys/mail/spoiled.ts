/** Answers of a provider in which one field is wrong. */
import type { Json } from '../../conformance/accounts.ts'

/** The same value with each of its fields, at any depth, wrong in some ways; `more` says further ways, by the value. */
export function* spoiled(value: Json, more: (value: Json) => readonly Json[] = () => []): Generator<Json> {
  yield* [null, typeof value === 'string' ? 7 : 'text', Array.isArray(value) ? {} : [], ...more(value)]
  if (typeof value !== 'object' || value === null) return
  // What is alike is spoiled once.
  for (const key of Array.isArray(value) ? value.keys().take(1) : Object.keys(value)) {
    for (const part of spoiled(value[key], more)) {
      yield Array.isArray(value) ? value.with(Number(key), part) : { ...value, [key]: part }
    }
  }
}
