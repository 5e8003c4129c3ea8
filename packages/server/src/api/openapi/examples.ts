/** The examples of the contract as components of the document. */
import type { NamedRoute, Route } from '@waypost/contract'
import { type AnyCase, exampleOf, givenParams, requestId } from '@waypost/contract/examples'
import { type Json, refer } from './json.ts'

/** The cases of a route's example, by name; the first has none. */
function casesOf({ resource, operation }: NamedRoute): [string, AnyCase][] {
  const example = exampleOf(resource, operation)
  return example ? [['', example], ...Object.entries(example.more ?? {})] : []
}

/** The first case of a route, with the parameters that all have in common. */
export function mainCase(named: NamedRoute): AnyCase | undefined {
  const [first] = casesOf(named)
  return first && { ...first[1], params: paramsIn(named.route, first[1]) }
}

/** The path parameters of an example. */
function paramsIn({ path }: Route, { params }: AnyCase): Record<string, string> {
  const given = Object.entries(givenParams).filter(([name]) => path.split('/').includes(`:${name}`))
  return { ...Object.fromEntries(given), ...params }
}

/** The complete response of a case. */
function answerOf({ list, flat }: Route, { answer, beside, next_cursor, query }: AnyCase): Json {
  if (flat) return { ...(answer as Json), request_id: requestId }
  return {
    request_id: requestId,
    ...beside,
    ...(answer === undefined ? {} : { data: answer }),
    ...(next_cursor === undefined ? {} : { next_cursor }),
    ...(list === 'offset' ? { limit: query?.limit ?? 10, offset: query?.offset ?? 0 } : {}),
  }
}

type Part = 'request' | 'response'
const nameOf = (named: NamedRoute, part: Part, name: string): string =>
  [named.id, part, ...(name ? [name] : [])].join('.')

/** The examples of a request or a response, if there are any. */
export function examplesOf(named: NamedRoute, part: Part): Json {
  const cases = casesOf(named)
  if (cases.length === 0) return {}
  const shown = cases.map(([name]) => [name || 'example', refer('examples', nameOf(named, part, name))])
  return { examples: Object.fromEntries(shown) }
}

/** The components for these examples. */
export function exampleComponents(routes: readonly NamedRoute[]): Json {
  const components: Json = {}
  for (const named of routes) {
    for (const [name, each] of casesOf(named)) {
      const words = each.summary === undefined ? {} : { summary: each.summary }
      if (named.route.body) components[nameOf(named, 'request', name)] = { ...words, value: each.body ?? {} }
      if (!named.route.bytes)
        components[nameOf(named, 'response', name)] = { ...words, value: answerOf(named.route, each) }
    }
  }
  return components
}
