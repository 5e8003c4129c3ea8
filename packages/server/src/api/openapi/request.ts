/** Parameters and bodies of requests. */
import { type NamedRoute, paramsOf, type Route } from '@waypost/contract'
import type { z } from 'zod'
import { takesKey } from './error-responses.ts'
import { examplesOf, mainCase } from './examples.ts'
import { type Json, refer } from './json.ts'
import { wordsOf } from './path-parameters.ts'
import { schemaOf } from './schemas.ts'

type Sample = Readonly<Record<string, unknown>> | undefined

const parameterOf = (place: Json, schema: Json, { description, example }: Json): Json => ({
  ...place,
  ...(description ? { description } : {}),
  schema,
  ...(example === undefined ? {} : { example }),
})

/** The fields of a query or of headers as parameters. Required ones have an example. */
export const fieldParametersOf = (fields: z.ZodObject | undefined, place: 'query' | 'header', sample: Sample): Json[] =>
  Object.entries((fields?.shape ?? {}) as Record<string, z.ZodType>).map(([name, field]) => {
    const { description, ...schema } = schemaOf(field, 'input')
    const required = !field.safeParse(undefined).success
    return parameterOf({ name, in: place, required }, schema, {
      description,
      example: required ? sample?.[name] : undefined,
    })
  })

/** All parameters of a route. */
export function parametersOf(named: NamedRoute): Json[] {
  const { route, resource } = named
  const sample = mainCase(named)
  const path = paramsOf(route.path).map((name) => {
    const words = { description: wordsOf(resource, name), example: sample?.params?.[name] }
    return parameterOf({ name, in: 'path', required: true }, { type: 'string' }, words)
  })
  const query = fieldParametersOf(route.query, 'query', sample?.query)
  const headers = fieldParametersOf(route.headers, 'header', undefined)
  const key = takesKey(route) ? [refer('parameters', 'IdempotencyKey')] : []
  return [...path, ...query, ...headers, ...key]
}

const binary = (description: string): Json => ({ type: 'string', format: 'binary', description })

/** A multipart body with files; one part contains the JSON. */
function formOf({ mime }: Route, part: string, schema: Json): Json {
  return {
    schema: {
      type: 'object',
      description: 'One part holds the JSON, every other one a file',
      properties: {
        [part]: { description: 'What the body would be without files.', ...schema },
        ...(mime ? { mime: binary('With `type=mime`: the one part, a whole message.') } : {}),
      },
      additionalProperties: binary('A file, under any name.'),
    },
    encoding: { [part]: { contentType: 'application/json' } },
  }
}

/** A body as JSON, and as a form if the route accepts one. */
export function bodyOf(named: NamedRoute): Json {
  const { body, parts, form } = named.route
  if (!body) return {}
  const schema = schemaOf(body, 'input')
  const plain = { schema, ...examplesOf(named, 'request') }
  const [part] = parts ?? []
  const content = {
    'application/json': plain,
    ...(part ? { 'multipart/form-data': formOf(named.route, part, schema) } : {}),
    ...(form ? { 'application/x-www-form-urlencoded': plain } : {}),
  }
  return { requestBody: { required: !body.safeParse({}).success || !form, content } }
}
