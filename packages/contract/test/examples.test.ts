import { bodyObject, type Contract, contract, paramsOf, routesOf } from '@waypost/contract'
import { type AnyCase, exampleOf, givenParams } from '@waypost/contract/examples'
import { describe, expect, test } from 'vitest'
import { z } from 'zod'

/** A query as received: every value is text, and a list has commas. */
const asText = (query: Readonly<Record<string, unknown>>): Record<string, string> =>
  Object.fromEntries(Object.entries(query).map(([name, value]) => [name, String(value)]))

const shown = routesOf(contract as Contract).flatMap(({ id, resource, operation, route }) => {
  const example = exampleOf(resource, operation)
  const cases: [string, AnyCase][] = example ? [['', example], ...Object.entries(example.more ?? {})] : []
  return cases.map(([name, each]) => ({ title: name ? `${id}, ${name}` : id, route, each }))
})

describe.each(shown)('the example of $title', ({ route, each }) => {
  test('is a valid request of the route', () => {
    expect(Object.keys({ ...givenParams, ...each.params })).toEqual(expect.arrayContaining(paramsOf(route.path)))
    expect(paramsOf(route.path)).toEqual(expect.arrayContaining(Object.keys(each.params ?? {})))
    const { query = z.strictObject({}), headers = z.strictObject({}) } = route
    z.strictObject(query.shape).parse(asText(each.query ?? {}))
    query.parse(asText(each.query ?? {}))
    z.strictObject(headers.shape).parse(asText(each.headers ?? {}))
    const known = Object.keys(bodyObject(route)?.shape ?? {})
    const items = [each.body ?? []].flat()
    for (const item of items) expect(known).toEqual(expect.arrayContaining(Object.keys(item)))
    if (route.body) route.body.parse(each.body ?? {})
    else expect(each.body).toBeUndefined()
  })

  test('is a valid response of the route, without undeclared fields', () => {
    const { answer, beside } = each
    expect(JSON.parse(JSON.stringify({ answer, beside }))).toEqual({ answer, beside })
    const { returns = z.undefined(), list } = route
    expect((list ? z.array(returns) : returns).parse(answer)).toEqual(answer)
    expect((route.beside ?? z.strictObject({})).parse(beside ?? {})).toEqual(beside ?? {})
  })
})
