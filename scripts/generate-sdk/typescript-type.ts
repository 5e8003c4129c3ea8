/** TypeScript types, as text, from JSON Schema. */
import { docComment } from './doc-comment.ts'
import type { JsonSchema } from './json-schema.ts'

/** How the types of one form (request or response) are written. */
export interface Form {
  /** The type name of a reference. */
  nameOf(reference: string): string
  /** The description of the referenced type. */
  descriptionOf(reference: string): string | undefined
  /** Whether optional fields also accept undefined, so that callers can pass any value they have. */
  undefinedFields: boolean
}

const primitives: Record<string, string> = {
  string: 'string',
  number: 'number',
  integer: 'number',
  boolean: 'boolean',
  null: 'null',
}

const literal = (value: unknown): string =>
  typeof value === 'string' ? `'${value.replace(/[\\']/g, '\\$&')}'` : JSON.stringify(value)

const union = (types: readonly string[]): string => [...new Set(types)].join(' | ')
const grouped = (type: string): string => (/[|&]/.test(type) && !/^[{(].*[})]$/s.test(type) ? `(${type})` : type)
const propertyName = (name: string): string => (/^[A-Za-z_$][\w$]*$/.test(name) ? name : literal(name))

/** The type of a schema; lines after the first are indented. */
export function typeOf(schema: JsonSchema, form: Form, indent = ''): string {
  if (schema.$ref !== undefined) return form.nameOf(schema.$ref)
  if (schema.const !== undefined) return literal(schema.const)
  if (schema.enum !== undefined) return union(schema.enum.map(literal))
  const choices = schema.anyOf ?? schema.oneOf
  if (choices !== undefined) return union(choices.map((choice) => typeOf(choice, form, indent)))
  if (schema.allOf !== undefined) return schema.allOf.map((part) => grouped(typeOf(part, form, indent))).join(' & ')
  if (Array.isArray(schema.type)) return union(schema.type.map((type) => typeOf({ ...schema, type }, form, indent)))
  if (schema.type === 'array') return arrayOf(schema, form, indent)
  if (schema.type === 'object') return objectOf(schema, form, indent)
  return primitives[schema.type ?? ''] ?? 'unknown'
}

function arrayOf({ items = {}, prefixItems }: JsonSchema, form: Form, indent: string): string {
  if (prefixItems !== undefined) return `[${prefixItems.map((item) => typeOf(item, form, indent)).join(', ')}]`
  return `${grouped(typeOf(items, form, indent))}[]`
}

function objectOf(schema: JsonSchema, form: Form, indent: string): string {
  const { properties = {}, additionalProperties, propertyNames } = schema
  const rest = typeof additionalProperties === 'object' ? additionalProperties : undefined
  if (Object.keys(properties).length === 0 && rest !== undefined) {
    const names = propertyNames?.enum === undefined ? 'string' : typeOf(propertyNames, form)
    return `Record<${names}, ${typeOf(rest, form, indent)}>`
  }
  return `{\n${fieldsOf(schema, form, `${indent}  `)}${indent}}`
}

/** The fields of an object, one after the other, each below its description. */
function fieldsOf(schema: JsonSchema, form: Form, indent: string): string {
  const { properties = {}, required = [], additionalProperties } = schema
  const fields = Object.entries(properties).map(([name, field]) => {
    const type = typeOf(field, form, indent)
    const comment = docComment([descriptionOf(field, form)], indent)
    if (required.includes(name)) return `${comment}${indent}${propertyName(name)}: ${type}\n`
    return `${comment}${indent}${propertyName(name)}?: ${type}${form.undefinedFields ? ' | undefined' : ''}\n`
  })
  // Such an object may have more fields than listed, of any type.
  const others = typeof additionalProperties === 'object' ? `${indent}[name: string]: unknown\n` : ''
  return `${fields.join('')}${others}`
}

/** The description of a field: its own, or that of its type. */
function descriptionOf(field: JsonSchema, form: Form): string | undefined {
  if (field.description !== undefined) return field.description
  if (field.$ref !== undefined) return form.descriptionOf(field.$ref)
  const choices = (field.anyOf ?? []).filter(({ type }) => type !== 'null')
  return choices.length === 1 && choices[0] !== undefined ? descriptionOf(choices[0], form) : undefined
}
