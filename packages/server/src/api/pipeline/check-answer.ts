import type { NamedRoute } from '@waypost/contract'
import { JsonText } from '@waypost/platform/json/text'
import type { Enveloped, ListPage } from '../http/answer.ts'

/** In tests and development, throws if a value does not fit the contract. */
export function checkAnswer(named: NamedRoute, value: unknown): void {
  const schema = named.route.returns
  if (!schema) return
  const whole = named.route.beside ? (value as Enveloped<unknown, object>).data : value
  const items = !named.route.list ? [whole] : Array.isArray(value) ? value : [...(value as ListPage<unknown>).items]
  for (const item of items) {
    if (item === undefined && named.route.sometimes) continue
    const object = item instanceof JsonText ? JSON.parse(item.text) : JSON.parse(JSON.stringify(item))
    const parsed = schema.safeParse(object)
    if (!parsed.success) throw new Error(`${named.id} answers against its contract: ${parsed.error.message}`)
    if (typeof object !== 'object') continue
    const extra = Object.keys(object).filter((name) => !(name in (parsed.data as object)))
    if (extra.length > 0) throw new Error(`${named.id} answers fields that the contract lacks: ${extra.join(', ')}`)
  }
}
