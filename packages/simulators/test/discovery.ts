// Checks requests to Google and its responses against Google's published API descriptions (discovery documents): the
// method exists, its parameters are known and of the right type, and both bodies have only known properties of the
// right types. The documents are not part of this repository: they are read from `../shared/schemas` next to it.
// Without them, nothing is checked (`hasSchemas` is false).
import { existsSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { readMultipart } from '../src/google/multipart.ts'
import type { Exchange } from '../src/index.ts'
import { type DiscoveryDocument, type DiscoveryMethod, methodsOf, type Parameter } from './discovery-document.ts'
import { checkValue, type Problem } from './discovery-values.ts'

const FOLDER = path.join(import.meta.dirname, '../../../../shared/schemas')
const APIS = ['gmail', 'calendar', 'people', 'pubsub'] as const
/** Paths of APIs; others, such as those of sign-in, have no description. */
const DESCRIBED = /^\/(?:gmail\/v1|calendar\/v3|v1\/(?:people|contactGroups|otherContacts)|v1\/projects)\b/
const UPLOAD = /^(?:\/resumable)?\/upload(?=\/)/
/** Documented as required, but Google fills them in if they are missing. */
const NOT_ENFORCED = ['labelListVisibility', 'messageListVisibility']
/** In addition to those that a document lists for all methods. */
const common = ['alt', 'fields', 'key', 'prettyPrint', 'quotaUser', 'access_token', 'oauth_token']

interface Described {
  readonly method: DiscoveryMethod
  readonly document: DiscoveryDocument
  readonly pattern: RegExp
}

/** Whether the documents are available. */
export const hasSchemas = APIS.every((api) => existsSync(fileOf(api)))

let described: Described[] | undefined

/** Throws all problems if an exchange does not match. Rejected requests are not checked. */
export function checkExchange(exchange: Exchange): void {
  const upload = UPLOAD.exec(exchange.path)
  const apiPath = exchange.path.slice(upload?.[0].length ?? 0)
  if (!hasSchemas || exchange.status >= 400 || !DESCRIBED.test(apiPath)) return
  const isPiece = upload !== null && exchange.query.has('upload_id')
  const found = findMethod(exchange.method, apiPath) ?? (isPiece ? findMethod('POST', apiPath) : undefined)
  const name = `${exchange.method} ${exchange.path}`
  if (found === undefined) throw new Error(`${name}: Google has no such method`)
  const problems: Problem[] = []
  if (upload !== null && found.method.mediaUpload === undefined) problems.push('this method takes no upload')
  checkQuery(found, exchange, problems)
  if (!isPiece) checkRequest(found, exchange, upload !== null, problems)
  checkAnswer(found, exchange, problems)
  if (problems.length > 0) throw new Error(`${name} (${found.method.id}):\n  ${problems.join('\n  ')}`)
}

function fileOf(api: string): string {
  return path.join(FOLDER, `${api}-api.json`)
}

function findMethod(httpMethod: string, apiPath: string): Described | undefined {
  described ??= APIS.flatMap((api) => {
    const document: DiscoveryDocument = JSON.parse(readFileSync(fileOf(api), 'utf8'))
    return methodsOf(document).map((method) => ({ method, document, pattern: patternOf(document, method) }))
  })
  const fitting = described.filter(({ method, pattern }) => method.httpMethod === httpMethod && pattern.test(apiPath))
  // The path with the fewest parameters is the intended one.
  const parameters = ({ method }: Described) => (method.flatPath ?? method.path).split('{').length
  return fitting.sort((left, right) => parameters(left) - parameters(right))[0]
}

function patternOf({ servicePath }: DiscoveryDocument, { path: template, flatPath }: DiscoveryMethod): RegExp {
  const escaped = `/${servicePath}${flatPath ?? template}`.replace(/[.:+]/g, '\\$&')
  return new RegExp(`^${escaped.replace(/\{[^}]+\}/g, '[^/]+')}$`)
}

function checkQuery({ method, document }: Described, { query, path: called }: Exchange, problems: Problem[]): void {
  const uploads = UPLOAD.test(called) ? ['uploadType', 'upload_protocol', 'upload_id'] : []
  for (const name of new Set(query.keys())) {
    const own = method.parameters?.[name]
    const parameter = own?.location === 'query' ? own : document.parameters[name]
    if (parameter === undefined) {
      if (!common.includes(name) && !uploads.includes(name)) problems.push(`query: unknown parameter ${name}`)
      continue
    }
    const values = query.getAll(name)
    if (values.length > 1 && !parameter.repeated) problems.push(`query.${name}: given ${values.length} times`)
    for (const value of values) checkParameter(document, parameter, { name, value }, problems)
  }
  for (const [name, parameter] of Object.entries(method.parameters ?? {})) {
    if (parameter.location === 'query' && parameter.required && !query.has(name))
      problems.push(`query.${name}: missing`)
  }
}

function checkParameter(
  document: DiscoveryDocument,
  parameter: Parameter,
  { name, value }: { name: string; value: string },
  problems: Problem[],
): void {
  const at = `query.${name}`
  if (parameter.type === 'boolean') {
    if (value !== 'true' && value !== 'false') problems.push(`${at}: ${value} is no boolean`)
    return
  }
  if (parameter.type === 'integer') {
    const number = Number(value)
    const { minimum = -Infinity, maximum = Infinity } = parameter
    if (!/^-?\d+$/.test(value)) problems.push(`${at}: ${value} is no integer`)
    else if (number < Number(minimum) || number > Number(maximum)) problems.push(`${at}: ${value} is out of bounds`)
    return
  }
  checkValue({ document, schema: parameter, value, at }, problems)
}

function checkRequest(
  { method, document }: Described,
  exchange: Exchange,
  isUpload: boolean,
  problems: Problem[],
): void {
  const body = jsonPart(exchange, isUpload)
  if (body === undefined) {
    // Methods without a body accept an empty object.
    if (method.request !== undefined && !isUpload) problems.push('request: no body')
    return
  }
  if (method.request === undefined) {
    if (JSON.stringify(body) !== '{}') problems.push('request: this method takes no body')
    return
  }
  checkValue({ document, schema: method.request, value: body, at: 'request' }, problems)
  // The content of an upload replaces required fields.
  if (isUpload) return
  const properties = document.schemas[method.request.$ref]?.properties ?? {}
  for (const [name, { annotations }] of Object.entries(properties)) {
    const isRequired = annotations?.required?.includes(method.id) === true && !NOT_ENFORCED.includes(name)
    if (isRequired && typeof body === 'object' && body !== null && !(name in body))
      problems.push(`request.${name}: missing`)
  }
}

function checkAnswer(
  { method, document }: Described,
  { status, responseHeaders, responseBody }: Exchange,
  problems: Problem[],
): void {
  if (status >= 300 || responseBody.length === 0) {
    const isBegun = 'location' in responseHeaders
    if (status === 200 && method.response !== undefined && !isBegun) problems.push('answer: no body')
    return
  }
  const value: unknown = JSON.parse(new TextDecoder().decode(responseBody))
  if (method.response !== undefined) checkValue({ document, schema: method.response, value, at: 'answer' }, problems)
  else if (JSON.stringify(value) !== '{}') problems.push('answer: this method has no answer')
}

/** The JSON of a request; undefined if there is none. */
function jsonPart({ requestHeaders, requestBody, query }: Exchange, isUpload: boolean): unknown {
  if (requestBody.length === 0) return undefined
  const type = requestHeaders.get('content-type') ?? ''
  if (!isUpload || query.get('uploadType') === 'resumable') return JSON.parse(new TextDecoder().decode(requestBody))
  const metadata = type.startsWith('multipart/') ? readMultipart(type, requestBody)?.[0] : undefined
  return metadata && JSON.parse(new TextDecoder().decode(metadata.body))
}
