// Checks requests to Exchange and its responses against the published schema of EWS (XSD). The schema is not part of
// this repository: it is read from `../shared/schemas` next to it. Without it, nothing is checked (`hasEwsSchema` is
// false).
import { existsSync } from 'node:fs'
import path from 'node:path'
import { XmlC14NMode, XmlDocument, XsdValidator } from 'libxml2-wasm'
import { xmlRegisterFsInputProviders } from 'libxml2-wasm/lib/nodejs.mjs'
import type { Exchange } from '../src/index.ts'

const FILE = path.join(import.meta.dirname, '../../../../shared/schemas/ews/messages.xsd')
const SOAP = { s: 'http://schemas.xmlsoap.org/soap/envelope/' }

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

/** Throws if the body of an envelope violates the schema. A fault is not in the schema. */
export function checkEnvelope(source: string): void {
  if (!hasEwsSchema) return
  using envelope = XmlDocument.fromString(source)
  const body = envelope.get('/s:Envelope/s:Body/*', SOAP)
  if (body === null) throw new Error(`No SOAP envelope: ${source.slice(0, 200)}`)
  const content = body.canonicalizeToString({ mode: XmlC14NMode.XML_C14N_1_0 })
  if (/^<\w+:Fault/.test(content)) return
  using document = XmlDocument.fromString(content)
  try {
    schema().validate(document)
  } catch (error) {
    throw new Error(`${String(error)}\n${content.slice(0, 4000)}`)
  }
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
