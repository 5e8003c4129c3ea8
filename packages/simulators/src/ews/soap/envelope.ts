// Reads and writes SOAP envelopes.
import { namespaces } from '../xml/namespaces.ts'
import { childOf, readXml, type XmlNode } from '../xml/read.ts'
import { element, withoutForbidden, writeXml, type Xml } from '../xml/write.ts'
import { valuesXml } from './answers.ts'
import { type EwsError, schemaViolation } from './errors.ts'
import type { ServerVersion } from './versions.ts'

export interface Envelope {
  readonly header: XmlNode | undefined
  /** The element of the request. */
  readonly request: XmlNode
}

/** Throws an `XmlSyntaxError` for invalid XML, and an `EwsError` for an invalid request. */
export function readEnvelope(source: string): Envelope {
  const root = readXml(source)
  const request = childOf(root, 'Body')?.children[0]
  if (root.name !== 'Envelope' || root.namespace !== namespaces.s || request === undefined) {
    throw schemaViolation('The root of a request is a SOAP 1.1 envelope with a body.')
  }
  checkNamespaces(request)
  if (request.namespace !== namespaces.m)
    throw schemaViolation(`The element '${request.name}' is in no known namespace.`)
  return { header: childOf(root, 'Header'), request }
}

function checkNamespaces(node: XmlNode): void {
  if (node.namespace !== namespaces.t && node.namespace !== namespaces.m) {
    throw schemaViolation(`The element '${node.name}' in namespace '${node.namespace}' is not expected.`)
  }
  for (const child of node.children) checkNamespaces(child)
}

export function writeEnvelope(body: Xml, server: ServerVersion, { writesControlCharacters = false } = {}): string {
  const content = [element('s:Header', [versionXml(server)]), element('s:Body', [body])]
  const written = envelope(content, { 'xmlns:m': namespaces.m })
  return writesControlCharacters ? written : withoutForbidden(written)
}

/** One envelope of a stream, in the different form that Exchange uses there: clients search for `</Envelope>`. */
export function writeStreamedEnvelope(body: Xml, server: ServerVersion): string {
  const soap = { 'xmlns:soap11': namespaces.s }
  const content = [
    element('soap11:Header', soap, [versionXml(server)]),
    element('soap11:Body', soap, [
      { ...body, attributes: { ...body.attributes, 'xmlns:t': namespaces.t, 'xmlns:m': namespaces.m } },
    ]),
  ]
  return `<?xml version="1.0" encoding="utf-8"?>${writeXml(element('Envelope', { xmlns: namespaces.s }, content))}`
}

function versionXml({ major, minor, majorBuild, minorBuild, name }: ServerVersion): Xml {
  return element('h:ServerVersionInfo', {
    MajorVersion: major,
    MinorVersion: minor,
    MajorBuildNumber: majorBuild,
    MinorBuildNumber: minorBuild,
    Version: name,
    'xmlns:h': namespaces.t,
  })
}

/** A fault; Exchange writes no version into faults. */
export function writeFault({ code, message, details }: EwsError): string {
  const fault = element('s:Fault', [
    element('faultcode', { 'xmlns:a': namespaces.t }, `a:${code}`),
    element('faultstring', { 'xml:lang': 'en-US' }, message),
    element('detail', [
      element('e:ResponseCode', { 'xmlns:e': namespaces.e }, code),
      element('e:Message', { 'xmlns:e': namespaces.e }, message),
      details.values === undefined ? undefined : element('t:MessageXml', valuesXml(details.values)),
    ]),
  ])
  return withoutForbidden(envelope([element('s:Body', [fault])], {}))
}

function envelope(content: readonly Xml[], declared: Readonly<Record<string, string>>): string {
  const attributes = { 'xmlns:s': namespaces.s, 'xmlns:t': namespaces.t, ...declared }
  return `<?xml version="1.0" encoding="utf-8"?>${writeXml(element('s:Envelope', attributes, content))}`
}
