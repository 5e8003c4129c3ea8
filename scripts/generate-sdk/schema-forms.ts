/** Decides which form of a schema becomes a type: the request form, the response form, or both if they differ. */
import { z } from 'zod'
import { ConnectAuthQuery, type Contract, routesOf, triggers } from '../../packages/contract/src/index.ts'
import { jsonSchemas, namedSchemas, reachable } from './contract-schemas.ts'
import { type JsonSchema, referencesIn } from './json-schema.ts'
import { type Form, typeOf } from './typescript-type.ts'

export interface SchemaForms {
  names: ReadonlyMap<z.ZodType, string>
  input: Record<string, JsonSchema>
  output: Record<string, JsonSchema>
  /** Names of types that occur in responses only. */
  onlyAnswered: ReadonlySet<string>
  /** Names of types that occur in requests and in responses, in two forms. */
  twofold: ReadonlySet<string>
  /** The name of the request form of a type. */
  sentName(name: string): string
}

/** `data.object` of each trigger and the fields next to it, as two records. */
function triggerSchemas(): [z.ZodType, string][] {
  const entries = Object.entries(triggers)
  const objects = entries.map(([name, { object, summary }]) => [name, object.meta({ description: summary })])
  const beside = entries.flatMap(([name, { data }]) => (data ? [[name, data.schema]] : []))
  return [
    [
      z.object(Object.fromEntries(objects)).meta({ description: '`data.object` of a notification, by its trigger.' }),
      'TriggerObjects',
    ],
    [
      z
        .object(Object.fromEntries(beside))
        .meta({ description: 'What stands in `data` beside the object, by trigger.' }),
      'TriggerData',
    ],
  ]
}

const plain: Form = { nameOf: (name) => name, descriptionOf: () => undefined, undefinedFields: false }

/** Names whose two forms differ, directly or through a reference. */
function differing(input: SchemaForms['input'], output: SchemaForms['output'], names: readonly string[]): Set<string> {
  const differs = (name: string): boolean => typeOf(input[name] ?? {}, plain) !== typeOf(output[name] ?? {}, plain)
  const different = new Set(names.filter(differs))
  for (let size = -1; size !== different.size; ) {
    size = different.size
    for (const name of names) if (referencesIn(input[name]).some((each) => different.has(each))) different.add(name)
  }
  return different
}

/** The schemas of a contract in both forms. */
export function schemaForms(contract: Contract): SchemaForms {
  const reported = triggerSchemas()
  const names = new Map([...namedSchemas(contract), ...reported])
  const input = jsonSchemas(names, 'input')
  const output = jsonSchemas(names, 'output')
  const routes = routesOf(contract).map(({ route }) => route)
  const namesOf = (schemas: readonly (z.ZodType | undefined)[]): string[] =>
    schemas.flatMap((schema) => (schema && names.get(schema)) ?? [])
  const sent = reachable(
    input,
    namesOf([ConnectAuthQuery, ...routes.flatMap(({ query, headers, body }) => [query, headers, body])]),
  )
  const answered = reachable(
    output,
    namesOf([...reported.map(([schema]) => schema), ...routes.map(({ returns }) => returns)]),
  )
  const both = [...sent].filter((name) => answered.has(name))
  const twofold = differing(input, output, both)
  return {
    names,
    input,
    output,
    onlyAnswered: answered.difference(sent),
    twofold,
    sentName: (name) => (twofold.has(name) ? `${name}Input` : name),
  }
}
