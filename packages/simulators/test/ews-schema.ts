// Checks requests to Exchange and its responses against the published schema of EWS (XSD). The schema is not part of
// this repository: it is read from `../shared/schemas` next to it. Without it, nothing is checked (`hasEwsSchema` is
// false).
import { hash } from 'node:crypto'
import { existsSync } from 'node:fs'
import path from 'node:path'
import { XmlDocument, XsdValidator } from 'libxml2-wasm'
import { xmlRegisterFsInputProviders } from 'libxml2-wasm/lib/nodejs.mjs'
import type { Exchange } from '../src/index.ts'

const FILE = path.join(import.meta.dirname, '../../../../shared/schemas/ews/messages.xsd')

export const hasEwsSchema = existsSync(FILE)

let validator: XsdValidator | undefined

/** Loaded once: it takes more than a second. */
function schema(): XsdValidator {
  if (validator !== undefined) return validator
  xmlRegisterFsInputProviders()
  const source = `<?xml version="1.0"?>
<xs:schema xmlns:xs="http://www.w3.org/2001/XMLSchema">
  <xs:import namespace="http://schemas.microsoft.com/exchange/services/2006/messages" schemaLocation="${FILE}"/>
</xs:schema>`
  using document = XmlDocument.fromString(source, { url: `file://${path.dirname(FILE)}/all.xsd` })
  validator = XsdValidator.fromDoc(document)
  return validator
}

/** The content of the body, with the namespaces that are declared around it; undefined without an envelope. */
function bodyOf(source: string): string | undefined {
  const envelope = /<(?:\w+:)?Envelope\b[^>]*>/.exec(source)
  const open = /<((?:\w+:)?Body)\b[^>]*>\s*/.exec(source)
  if (!envelope || !open) return undefined
  const body = source.slice(open.index + open[0].length, source.lastIndexOf(`</${open[1]}>`))
  const [tag = ''] = /^<[^>]+/.exec(body) ?? []
  const declared = `${envelope[0]}${open[0]}`.matchAll(/\s(xmlns(?::\w+)?)=("[^"]*")/g)
  const missing = [...new Map(Array.from(declared, ([, name = '', value]) => [name, value]))]
    .filter(([name]) => !tag.includes(` ${name}=`))
    .map(([name, value]) => ` ${name}=${value}`)
  return body.replace(/^<[\w:]+/, (start) => start + missing.join(''))
}

/**
 * A body without its ids, numbers and longer texts, and with one of several elements alike: bodies of the same form are
 * valid or invalid together.
 */
function formOf(body: string): string {
  // The expressions are not for megabytes.
  if (body.length > 200_000) return body
  const blank = body
    .replaceAll(/="(?!http)[^"]{24,}"|>(?![A-Za-z]+<)[^<]{24,}/g, '>')
    .replaceAll(/\d+(?=[^<>]*<)/g, '0')
  return [...new Set(blank.split(/(?=<t:(?:Message|ItemId|Folder|CalendarItem|Mailbox)\b)/))].join('')
}

/** Hashes of the forms that are valid. */
const valid = new Set<string>()

/** Throws if the body of an envelope violates the schema. A fault is not in the schema. */
export function checkEnvelope(source: string): void {
  if (!hasEwsSchema) return
  const body = bodyOf(source)
  if (body === undefined) throw new Error(`No SOAP envelope: ${source.slice(0, 200)}`)
  if (/^<(?:\w+:)?Fault\b/.test(body)) return
  const form = hash('sha1', formOf(body))
  if (valid.has(form)) return
  using document = XmlDocument.fromString(body)
  try {
    schema().validate(document)
  } catch (error) {
    throw new Error(`${String(error)}\n${body.slice(0, 4000)}`)
  }
  valid.add(form)
}

/** A streaming response is a sequence of envelopes. */
export const envelopesOf = (body: string): string[] => body.split(/(?=<\?xml )/).filter((part) => part.trim() !== '')

/** Throws if a request or its response violates the schema. */
export function checkEwsExchange(exchange: Exchange): void {
  if (exchange.operation === undefined || exchange.path.toLowerCase() !== '/ews/exchange.asmx') return
  const isXml = /xml/.test(exchange.responseHeaders['content-type'] ?? '')
  if (exchange.status === 200) checkEnvelope(Buffer.from(exchange.requestBody).toString())
  if (isXml) for (const envelope of envelopesOf(Buffer.from(exchange.responseBody).toString())) checkEnvelope(envelope)
}

/** Checks every exchange of a simulator; the returned function throws the violations found so far. */
export function checkingSchema(simulator: { observe(listener: (exchange: Exchange) => void): () => void }): () => void {
  const strays: unknown[] = []
  simulator.observe((exchange) => {
    try {
      checkEwsExchange(exchange)
    } catch (error) {
      strays.push(error)
    }
  })
  return () => {
    const all = strays.splice(0)
    if (all.length > 0) throw new AggregateError(all, `not as the schema has it: ${all.map(String).join('\n')}`)
  }
}
