/** The protocol version of a message: the same result as in the official library, for every form of request. */
import { classifyInboundRequest } from '@modelcontextprotocol/server'
import type { JsonValue } from '@waypost/platform/json/guard'
import { describe, expect, test } from 'vitest'
import { generationOf } from '../../../../src/api/mcp/protocol/envelope.ts'
import { ProtocolFault } from '../../../../src/api/mcp/protocol/faults.ts'
import { readMessage } from '../../../../src/api/mcp/protocol/json-rpc.ts'

const version = 'io.modelcontextprotocol/protocolVersion'
const capabilities = 'io.modelcontextprotocol/clientCapabilities'
const clientInfo = 'io.modelcontextprotocol/clientInfo'
const meta = { [version]: '2026-07-28', [capabilities]: {} }

const metas: Record<string, JsonValue | undefined> = {
  none: undefined,
  'no object': 'text',
  empty: {},
  whole: meta,
  'with client': { ...meta, [clientInfo]: { name: 'a', version: '1' } },
  'with half a client': { ...meta, [clientInfo]: { name: 'a' } },
  'without capabilities': { [version]: '2026-07-28' },
  'without version': { [capabilities]: {} },
  'wrong capabilities': { ...meta, [capabilities]: [] },
  'wrong version': { ...meta, [version]: 7 },
  'older version': { ...meta, [version]: '2025-11-25' },
  'later version': { ...meta, [version]: '2099-01-01' },
}
const versionHeaders = [undefined, '2026-07-28', ' 2026-07-28\t', '2025-11-25', '2099-01-01']
const methods = ['initialize', 'tools/list', 'notifications/initialized']
const methodHeaders = [undefined, 'tools/list', 'Tools/List', 'initialize']

type Verdict = 'modern' | 'older' | number

function ours(body: JsonValue, headers: { version: string | null; method: string | null }): Verdict {
  try {
    return generationOf(readMessage(body), { ...headers, name: null }).generation
  } catch (error) {
    if (error instanceof ProtocolFault) return error.code
    throw error
  }
}

/** The checks that the library makes after the classification, in its handler. */
const later = new Set<Verdict>([-32022, -32020])

function theirs(body: JsonValue, headers: { version: string | null; method: string | null }): Verdict {
  const outcome = classifyInboundRequest({
    httpMethod: 'POST',
    body,
    ...(headers.version === null ? {} : { protocolVersionHeader: headers.version }),
    ...(headers.method === null ? {} : { mcpMethodHeader: headers.method }),
  })
  if (outcome.kind === 'reject') return outcome.code
  return outcome.kind === 'legacy' ? 'older' : 'modern'
}

describe('the verdict of the official library', () => {
  test.each(Object.entries(metas))('is ours too: _meta %s', (_name, _meta) => {
    for (const method of methods) {
      for (const [header, named] of versionHeaders.flatMap((each) => methodHeaders.map((name) => [each, name]))) {
        const body: JsonValue = { jsonrpc: '2.0', method, params: _meta === undefined ? {} : { _meta } }
        if (!method.startsWith('notifications/')) body.id = 1
        const headers = { version: header ?? null, method: named ?? null }
        const [own, library] = [ours(body, headers), theirs(body, headers)]
        // A message that the library accepts may still be refused for its version or a missing header.
        const isLater = typeof library === 'string' && later.has(own)
        expect({ method, headers, verdict: isLater ? library : own }).toEqual({ method, headers, verdict: library })
        const claimed =
          typeof _meta === 'object' && _meta !== null && !Array.isArray(_meta) ? _meta[version] : undefined
        // The library compares no method with a version that the protocol does not have.
        if (isLater && own === -32020 && claimed !== '2025-11-25') expect([header, named]).toContain(undefined)
        if (isLater && own === -32022) expect(claimed ?? header).not.toBe('2026-07-28')
      }
    }
  })

  test.each([
    ['text', 'hello'],
    ['number', 5],
    ['null', null],
    ['other version', { jsonrpc: '1.0', id: 1, method: 'a' }],
    ['null id', { jsonrpc: '2.0', id: null, method: 'a' }],
    ['fractional id', { jsonrpc: '2.0', id: 1.5, method: 'a' }],
    ['params list', { jsonrpc: '2.0', id: 1, method: 'a', params: [] }],
    ['method number', { jsonrpc: '2.0', id: 1, method: 5 }],
    ['empty batch', []],
    ['response', { jsonrpc: '2.0', id: 1, result: {} }],
    ['error response', { jsonrpc: '2.0', id: 1, error: { code: 1, message: 'a' } }],
    ['result and error', { jsonrpc: '2.0', id: 1, result: {}, error: { code: 1, message: 'a' } }],
  ] as [string, JsonValue][])('is ours too: %s', (_name, body) => {
    const headers = { version: null, method: null }
    expect(ours(body, headers)).toBe(theirs(body, headers))
  })
})

test('batches are refused, also in the version that allowed them', () => {
  const one: JsonValue = { jsonrpc: '2.0', id: 1, method: 'ping' }
  expect(ours([one, one], { version: '2025-03-26', method: null })).toBe(-32600)
})
