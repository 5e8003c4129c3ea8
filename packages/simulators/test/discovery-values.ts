// Checks values against the schemas of a discovery document. Properties that a schema does not name are errors, and
// null counts as absent.
import type { DiscoveryDocument, Schema } from './discovery-document.ts'

export type Problem = string

export interface Checked {
  readonly document: DiscoveryDocument
  readonly schema: Schema
  readonly value: unknown
  /** The location of the value, for messages. */
  readonly at: string
}

const timestamp = /^\d{4}-\d{2}-\d{2}[Tt ]\d{2}:\d{2}:\d{2}(?:\.\d+)?(?:[Zz]|[+-]\d{2}:\d{2})$/
/** In requests, the time of an event may have no offset, because its `timeZone` defines it. */
const LOCAL_TIME = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(?:\.\d+)?$/
const formats: Readonly<Record<string, RegExp>> = {
  int64: /^-?\d{1,19}$/,
  uint64: /^\d{1,20}$/,
  byte: /^[\w\-+/]*={0,2}$/,
  date: /^\d{4}-\d{2}-\d{2}$/,
  'date-time': timestamp,
  'google-datetime': timestamp,
  'google-duration': /^-?\d+(?:\.\d+)?s$/,
  'google-fieldmask': /^[\w.,*]+$/,
}
const INTEGERS: Readonly<Record<string, readonly [number, number]>> = {
  int32: [-(2 ** 31), 2 ** 31 - 1],
  uint32: [0, 2 ** 32 - 1],
}

/** Adds the problems of a value. */
export function checkValue({ document, schema, value, at }: Checked, problems: Problem[]): void {
  if (schema.$ref !== undefined) {
    const target = document.schemas[schema.$ref]
    if (target === undefined) problems.push(`${at}: no schema ${schema.$ref}`)
    else checkValue({ document, schema: target, value, at }, problems)
    return
  }
  if (value === null || schema.type === 'any') return
  switch (schema.type) {
    case 'object':
      checkObject({ document, schema, value, at }, problems)
      return
    case 'array':
      if (!Array.isArray(value)) problems.push(`${at}: ${show(value)} is no array`)
      else {
        const { items = { type: 'any' } } = schema
        for (const [index, item] of value.entries()) {
          checkValue({ document, schema: items, value: item, at: `${at}[${index}]` }, problems)
        }
      }
      return
    case 'string':
      checkText(schema, value, at, problems)
      return
    case 'integer': {
      const [least, max] = INTEGERS[schema.format ?? ''] ?? [Number.MIN_SAFE_INTEGER, Number.MAX_SAFE_INTEGER]
      const fits = typeof value === 'number' && Number.isInteger(value) && value >= least && value <= max
      if (!fits) problems.push(`${at}: ${show(value)} is no ${schema.format ?? 'integer'}`)
      return
    }
    default:
      // The remaining types, boolean and number, are those of JavaScript.
      if (typeof value !== schema.type) problems.push(`${at}: ${show(value)} is no ${schema.type}`)
  }
}

function checkObject({ document, schema, value, at }: Checked, problems: Problem[]): void {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    problems.push(`${at}: ${show(value)} is no object`)
    return
  }
  for (const [name, item] of Object.entries(value)) {
    const known = schema.properties?.[name] ?? schema.additionalProperties
    if (known === undefined) problems.push(`${at}: unknown property ${name}`)
    else checkValue({ document, schema: known, value: item, at: `${at}.${name}` }, problems)
  }
}

function checkText({ format, enum: choices }: Schema, value: unknown, at: string, problems: Problem[]): void {
  if (typeof value !== 'string') {
    problems.push(`${at}: ${show(value)} is no string`)
    return
  }
  if (choices !== undefined && !choices.includes(value))
    problems.push(`${at}: ${show(value)} is none of ${choices.join(', ')}`)
  if (/^request\..*\bdateTime$/.test(at) && LOCAL_TIME.test(value)) return
  const pattern = formats[format ?? '']
  if (pattern !== undefined && !pattern.test(value)) problems.push(`${at}: ${show(value)} is no ${format}`)
}

function show(value: unknown): string {
  return JSON.stringify(value)?.slice(0, 100) ?? String(value)
}
