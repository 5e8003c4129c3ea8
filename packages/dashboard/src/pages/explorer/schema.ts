/** Reads JSON schemas of the API description for form fields. Pure functions. */
export interface Schema {
  $ref?: string
  type?: string | readonly string[]
  format?: string
  pattern?: string
  enum?: readonly unknown[]
  const?: unknown
  anyOf?: readonly Schema[]
  oneOf?: readonly Schema[]
  allOf?: readonly Schema[]
  items?: Schema
  properties?: Record<string, Schema>
  additionalProperties?: Schema | boolean
  required?: readonly string[]
  description?: string
  default?: unknown
  minimum?: number
  maximum?: number
}
export type Schemas = Readonly<Record<string, Schema>>

const withWords = (schema: Schema, description: string | undefined): Schema =>
  description === undefined ? schema : { ...schema, description }

/** A schema with its references resolved and without "or null". */
export function plain(schema: Schema | undefined, all: Schemas): Schema {
  if (!schema) return {}
  if (schema.$ref) {
    return withWords(plain(all[schema.$ref.replace('#/components/schemas/', '')], all), schema.description)
  }
  const parts = schema.anyOf ?? schema.oneOf ?? schema.allOf ?? []
  const others = parts.filter(({ type }) => type !== 'null').map((each) => plain(each, all))
  const [first] = others
  if (first && (others.length === 1 || others.every((each) => typeOf(each) === 'string' && !each.enum))) {
    return withWords(first, schema.description)
  }
  return schema
}

export const typeOf = ({ type }: Schema): string | undefined =>
  typeof type === 'string' ? type : type?.find((each) => each !== 'null')

export type Kind =
  | 'choice'
  | 'boolean'
  | 'number'
  | 'time'
  | 'date'
  | 'text'
  | 'long text'
  | 'list'
  | 'pairs'
  | 'object'
  | 'forms'
  | 'json'

const isLong = (name: string): boolean => /^(?:body|description|html|text|notes|content)$/.test(name)
/** Fields in Unix seconds are recognized by their description. */
const isTime = ({ description = '' }: Schema): boolean => /Unix (?:seconds|time)/.test(description)

/** The kind of form field for a value. */
export function kindOf(name: string, schema: Schema, all: Schemas): Kind {
  if (schema.enum?.every((value) => typeof value === 'string')) return 'choice'
  const type = typeOf(schema)
  if (type === 'boolean') return 'boolean'
  if (type === 'integer' || type === 'number') return isTime(schema) ? 'time' : 'number'
  if (type === 'string') {
    if (schema.pattern?.startsWith('^\\d{4}-\\d{2}-\\d{2}')) return 'date'
    return isLong(name) ? 'long text' : 'text'
  }
  if (type === 'array') return schema.items && kindOf('', plain(schema.items, all), all) !== 'json' ? 'list' : 'json'
  if (formsOf(schema, all).length > 1) return 'forms'
  if (Object.keys(schema.properties ?? {}).length > 0) return 'object'
  const { additionalProperties: values } = schema
  return typeof values === 'object' && typeOf(values) === 'string' ? 'pairs' : 'json'
}

/** One of several alternative forms of a value: its required fields, and optional fields allowed with them. */
export interface Form {
  label: string
  schema: Schema
}

const namesIn = (text: string): string[] => [...text.matchAll(/`([a-z_]+)`/g)].map(([, name = '']) => name)

/**
 * The alternative forms of a value: listed in the schema, or named in its description ("Exactly one of: `a`; `b` and
 * `c`.").
 */
export function formsOf(schema: Schema, all: Schemas): Form[] {
  const listed = (schema.anyOf ?? schema.oneOf ?? []).filter(({ type }) => type !== 'null')
  if (listed.length > 1) {
    return listed.map((each, index) => {
      const found = plain(each, all)
      const label = Object.keys(found.properties ?? {}).join(', ') || typeOf(found) || `form ${index + 1}`
      return { label: label.slice(0, 60), schema: found }
    })
  }
  const { properties } = schema
  const said = /Exactly one of: ([^.]+)\./.exec(schema.description ?? '')?.[1]
  if (!properties || !said) return []
  const groups = said.split(';').map(namesIn)
  const known = new Set(groups.flat())
  return groups
    .filter((names) => names.length > 0 && names.every((name) => properties[name]))
    .map((names) => {
      // Time zone fields are allowed with the times they belong to.
      const zones = Object.keys(properties).filter(
        (name) => !known.has(name) && names.includes(name.replace(/zone$/, '')),
      )
      const fields = [...names, ...zones].map((name) => [name, properties[name] ?? {}] as const)
      return {
        label: names.join(' and '),
        schema: { type: 'object', properties: Object.fromEntries(fields), required: names },
      }
    })
}

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

export const recordOf = (value: unknown): Record<string, unknown> => (isRecord(value) ? value : {})

/** Index of the form that a value has; the first if it has none. */
export function formOf(forms: readonly Form[], value: unknown): number {
  const names = Object.keys(recordOf(value)).filter((name) => name !== 'object')
  const fits = ({ schema }: Form): boolean => names.every((name) => schema.properties?.[name] !== undefined)
  const found = names.length === 0 ? -1 : forms.findIndex(fits)
  return Math.max(found, 0)
}

/** An initial value for a required field, so that its subfields appear; undefined if a simple field is enough. */
export function emptyOf(name: string, schema: Schema, all: Schemas): unknown {
  const kind = kindOf(name, schema, all)
  if (schema.default !== undefined) return schema.default
  if (kind === 'object' || kind === 'forms' || kind === 'pairs') return {}
  if (kind === 'list') return []
  return kind === 'text' || kind === 'long text' ? '' : undefined
}

/** The record with one field set, or removed if the value is undefined. */
export function withField(value: unknown, name: string, field: unknown): Record<string, unknown> {
  const { [name]: _, ...rest } = recordOf(value)
  if (field === undefined) return rest
  const before = recordOf(value)
  return name in before ? { ...before, [name]: field } : { ...rest, [name]: field }
}
