/** The official conformance suite, against the endpoint with its own tools and those that the suite calls by name. */
import { spawn } from 'node:child_process'
import { createServer } from 'node:http'
import { createRequire } from 'node:module'
import type { AddressInfo } from 'node:net'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { processEnvironment } from '@waypost/testing/programs'
import { expect, test } from 'vitest'
import { NodeRequest, send } from '../../../../src/api/http/node-http.ts'
import { tools } from '../../../../src/api/mcp/catalog.ts'
import type { McpOptions } from '../../../../src/api/mcp/mcp.ts'
import type { Endpoint } from '../../../../src/api/pipeline/page.ts'
import { openService, type TestService } from '../../../harness.ts'
import { endpointOf } from './clients.ts'
import { conformanceQuestions, conformanceTools } from './conformance-tools.ts'

const suite = path.join(
  path.dirname(createRequire(import.meta.url).resolve('@modelcontextprotocol/conformance/package.json')),
  'dist/index.js',
)
/** The expected failures of a version of the protocol, with their reasons. */
const baselineOf = (version: string): string => fileURLToPath(new URL(`conformance-${version}.yml`, import.meta.url))

/** A port in front of the endpoint that adds the API key, because the suite cannot send one. */
async function openPort(service: TestService, options: Pick<McpOptions, 'tools'> & Partial<McpOptions>) {
  let endpoint: Endpoint | undefined
  const server = createServer((incoming, outgoing) => {
    if (incoming.method !== 'POST') {
      outgoing.writeHead(405, { allow: 'POST' }).end()
      return
    }
    incoming.headers.authorization = `Bearer ${service.apiKey}`
    const request = new NodeRequest(incoming, outgoing, '/mcp')
    void endpoint?.respond({ request, path: '/mcp', params: {} }).then((answer) => send(answer, incoming, outgoing))
  })
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  const baseUrl = `http://127.0.0.1:${port}`
  endpoint = endpointOf(service, { ...options, baseUrl })
  return {
    url: `${baseUrl}/mcp`,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

async function run(...args: string[]): Promise<{ code: number | null; printed: string }> {
  const child = spawn(process.execPath, [suite, 'server', ...args], { env: processEnvironment, stdio: 'pipe' })
  let printed = ''
  const note = (chunk: Buffer): void => {
    printed += chunk
  }
  for (const stream of [child.stdout, child.stderr]) stream.on('data', note)
  const code = await new Promise<number | null>((resolve) => void child.on('close', resolve))
  return { code, printed }
}

test('the suite passes for both generations, except for what the endpoint does not offer', {
  timeout: 300_000,
}, async () => {
  await using service = await openService()
  await service.call('PATCH', '/v3/applications', { body: { mcp_enabled: true } })
  await using port = await openPort(service, {
    tools: [...tools, ...conformanceTools],
    questions: conformanceQuestions(),
  })
  for (const version of ['2025-11-25', '2026-07-28']) {
    const { code, printed } = await run(
      ...['--url', port.url, '--suite', 'all', '--spec-version', version],
      ...['--expected-failures', baselineOf(version)],
    )

    expect(code, printed).toBe(0)
  }
})
