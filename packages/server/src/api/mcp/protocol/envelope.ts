/**
 * Which generation of the protocol a message belongs to. Requests of 2026-07-28 name their version and the capabilities of
 * the client in `_meta`, and repeat some fields in HTTP headers, which must agree. Everything else belongs to the versions
 * with `initialize`. Pure.
 *
 * The rules and their order are those of `classifyInboundRequest` of the official library, which a test compares. The
 * library is not used here, because its checks cost more than a whole short request (docs/adr/0041-mcp.md).
 */
import type { JsonValue } from '@waypost/platform/json/guard'
import { version } from '@waypost/platform/versions'
import { codes, ProtocolFault } from './faults.ts'
import { isObject, type Message, type Params } from './json-rpc.ts'

const modernVersion = '2026-07-28'
/** The versions with `initialize`, newest first. */
export const olderVersions: readonly string[] = ['2025-11-25', '2025-06-18', '2025-03-26']
export const versions: readonly string[] = [modernVersion, ...olderVersions]

export const metaKeys = {
  version: 'io.modelcontextprotocol/protocolVersion',
  capabilities: 'io.modelcontextprotocol/clientCapabilities',
  clientInfo: 'io.modelcontextprotocol/clientInfo',
  serverInfo: 'io.modelcontextprotocol/serverInfo',
  subscription: 'io.modelcontextprotocol/subscriptionId',
} as const

/** The headers that repeat fields of the body; null if absent. */
interface MessageHeaders {
  version: string | null
  method: string | null
  name: string | null
}

type Generation =
  | { generation: 'modern'; capabilities: Params }
  /** `version`: the header, if there is one. */
  | { generation: 'older'; version: string | undefined }

const isModern = (version: string): boolean => version >= modernVersion

const mismatch = (why: string): ProtocolFault => new ProtocolFault(codes.headerMismatch, `Header mismatch: ${why}`)

const unsupportedVersion = (requested: string | undefined): ProtocolFault =>
  new ProtocolFault(codes.unsupportedVersion, 'Unsupported protocol version', {
    data: {
      supported: [...versions],
      ...(requested === undefined ? undefined : { requested: requested.slice(0, 100) }),
    },
  })

const trimmed = (header: string | null): string | undefined => header?.replace(/^[ \t]+|(?<![ \t])[ \t]+$/g, '')

export const metaOf = ({ _meta }: Params): { [name: string]: JsonValue } | undefined =>
  isObject(_meta) ? _meta : undefined

/** Finds the generation of a message, and refuses one whose headers and body disagree. */
export function generationOf(message: Message, headers: MessageHeaders): Generation {
  const header = trimmed(headers.version)
  if (message.kind === 'response') return older(header)
  const { method, params } = message
  const meta = metaOf(params)
  const hasClaim = meta !== undefined && Object.hasOwn(meta, metaKeys.version)
  const isNamedModern = header !== undefined && isModern(header)
  if (message.kind === 'request' && method === 'initialize' && !isValidModern(meta)) {
    if (isNamedModern) throw mismatch(`initialize does not exist in ${header}`)
    return older(undefined)
  }
  if (hasClaim) return modern(message, { meta, headers, header })
  if (!isNamedModern) return older(header)
  if (message.kind === 'notification') {
    checkMethod(method, headers)
    needSupported(header)
    return { generation: 'modern', capabilities: {} }
  }
  const missing = meta === undefined ? '_meta' : missingOf(meta).join(', ')
  throw new ProtocolFault(codes.invalidParams, `Invalid params: ${header} needs ${missing} in the request`)
}

function older(version: string | undefined): Generation {
  if (version !== undefined && !olderVersions.includes(version)) throw unsupportedVersion(version)
  return { generation: 'older', version }
}

const missingOf = (meta: Params): string[] =>
  [metaKeys.version, metaKeys.capabilities].filter((key) => !Object.hasOwn(meta, key))

/** Why the fields of a modern request do not fit; undefined if they do. */
function problemOf(meta: Params): string | undefined {
  const { [metaKeys.capabilities]: capabilities, [metaKeys.clientInfo]: info } = meta
  if (typeof meta[metaKeys.version] !== 'string') return `${metaKeys.version} must be a text`
  if (capabilities === undefined) return `${metaKeys.capabilities} is missing`
  if (!isObject(capabilities)) return `${metaKeys.capabilities} must be an object`
  const isInfo = info === undefined || (isObject(info) && isText(info.name) && isText(info.version))
  return isInfo ? undefined : `${metaKeys.clientInfo} must have a name and a version`
}

const isText = (value: JsonValue | undefined): boolean => typeof value === 'string'

const isValidModern = (meta: Params | undefined): boolean =>
  meta !== undefined && problemOf(meta) === undefined && isModern(String(meta[metaKeys.version]))

interface Claim {
  meta: Params
  headers: MessageHeaders
  header: string | undefined
}

function modern(message: Exclude<Message, { kind: 'response' }>, { meta, headers, header }: Claim): Generation {
  const version = meta[metaKeys.version]
  const problem = message.kind === 'request' ? problemOf(meta) : undefined
  if (problem !== undefined || typeof version !== 'string') {
    throw new ProtocolFault(
      codes.invalidParams,
      `Invalid params: _meta: ${problem ?? `${metaKeys.version} must be a text`}`,
    )
  }
  if (header !== undefined && header !== version) {
    throw mismatch(`MCP-Protocol-Version is ${header.slice(0, 40)}, the body has ${version.slice(0, 40)}`)
  }
  checkMethod(message.method, headers)
  if (message.kind === 'request') {
    if (header === undefined) throw mismatch('MCP-Protocol-Version is missing')
    if (headers.method === null) throw mismatch('Mcp-Method is missing')
    checkName(message.method, message.params, headers.name)
  }
  needSupported(version)
  const capabilities = meta[metaKeys.capabilities]
  return { generation: 'modern', capabilities: isObject(capabilities) ? capabilities : {} }
}

function needSupported(version: string): void {
  if (version !== modernVersion) throw unsupportedVersion(version)
}

function checkMethod(method: string, headers: MessageHeaders): void {
  const named = trimmed(headers.method)
  if (named !== undefined && named !== method) {
    throw mismatch(`Mcp-Method is ${named.slice(0, 100)}, the body has ${method.slice(0, 100)}`)
  }
}

/** The field that `Mcp-Name` repeats, by method. */
const namedField: Readonly<Record<string, 'name' | 'uri'>> = {
  'tools/call': 'name',
  'prompts/get': 'name',
  'resources/read': 'uri',
}

function checkName(method: string, params: Params, raw: string | null): void {
  const field = Object.hasOwn(namedField, method) ? namedField[method] : undefined
  if (field === undefined) return
  const value = params[field]
  const header = trimmed(raw)
  if (header === undefined) {
    if (typeof value === 'string') throw mismatch(`Mcp-Name is missing; the body has ${value.slice(0, 100)}`)
    return
  }
  const named = decodeName(header)
  if (named === undefined) throw mismatch('Mcp-Name is no valid Base64 text')
  if (typeof value === 'string' && named !== value) {
    throw mismatch(`Mcp-Name is ${named.slice(0, 100)}, the body has ${value.slice(0, 100)}`)
  }
}

/** A header value in clear, or as `=?base64?…?=`; undefined if it cannot be decoded. */
function decodeName(header: string): string | undefined {
  const [, encoded] = /^=\?base64\?(.*)\?=$/.exec(header) ?? []
  if (encoded === undefined) return header
  const bytes = Buffer.from(encoded, 'base64')
  if (bytes.toString('base64') !== encoded) return undefined
  const text = bytes.toString('utf8')
  return Buffer.from(text).equals(bytes) ? text : undefined
}

export const serverInfo = { name: 'waypost', title: 'Waypost', version }

/** The fields that every result of 2026-07-28 has, without the braces. */
const common = JSON.stringify({ resultType: 'complete', _meta: { [metaKeys.serverInfo]: serverInfo } }).slice(1, -1)
const meta = JSON.stringify({ _meta: { [metaKeys.serverInfo]: serverInfo } }).slice(1, -1)

/**
 * Encodes a result. Those of 2026-07-28 say that they are complete, and who answers. A result that has its own
 * `resultType` keeps it.
 */
export function encodeResult({ generation }: Pick<Generation, 'generation'>, result: object): string {
  return joined(generation, JSON.stringify(result), 'resultType' in result)
}

/** The same for the fields of a result that are JSON already: an object. */
export const encodeText = ({ generation }: Pick<Generation, 'generation'>, text: string): string =>
  joined(generation, text, false)

function joined(generation: Generation['generation'], text: string, hasType: boolean): string {
  if (generation === 'older') return text
  const own = hasType ? meta : common
  return text === '{}' ? `{${own}}` : `{${own},${text.slice(1)}`
}
