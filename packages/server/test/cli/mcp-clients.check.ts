/** `waypost mcp` with the official client of each protocol generation, over standard input and output. */
import { Client } from '@modelcontextprotocol/client'
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio'
import { Client as OlderClient } from '@modelcontextprotocol/sdk/client/index.js'
import { StdioClientTransport as OlderStdio } from '@modelcontextprotocol/sdk/client/stdio.js'
import { processEnvironment, programFile } from '@waypost/testing/programs'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openService, type TestService } from '../harness.ts'

let service: TestService
let base: string
beforeAll(async () => {
  service = await openService()
  base = await service.listen()
})
afterAll(() => service[Symbol.asyncDispose]())

/** A key for one virtual account. */
async function createKey(): Promise<string> {
  const { id: grant } = await service.createGrant('ada@example.com')
  await service.call('POST', `/v3/grants/${grant}/calendars`, { body: { name: 'Work', timezone: 'UTC' } })
  const { body } = await service.call('PATCH', '/v3/applications', { body: { mcp_enabled: true } })
  const rights = { operations: ['calendar.read', 'mcp'], grants: { ids: [grant] } }
  const made = await service.call('POST', `/v3/admin/applications/${body.data.application_id}/api-keys`, {
    admin: true,
    body: { name: 'Agent', rights },
  })
  return made.body.data.api_key
}

const command = async (key: string) => ({
  command: process.execPath,
  args: [await programFile('waypost'), 'mcp', '--url', base],
  env: { ...processEnvironment, WAYPOST_API_KEY: key },
  stderr: 'pipe' as const,
})

test('clients of both generations list and call the tools that the key allows, and end the process', async () => {
  const key = await createKey()
  const modern = new Client({ name: 'stdio', version: '1' })
  const older = new OlderClient({ name: 'stdio', version: '1' })
  await modern.connect(new StdioClientTransport(await command(key)))
  await older.connect(new OlderStdio(await command(key)))
  for (const client of [modern, older]) {
    const { tools } = await client.listTools()
    expect(tools.map(({ name }) => name)).toContain('list_calendars')
    expect(tools.map(({ name }) => name)).not.toContain('create_event')
    const result = await client.callTool({ name: 'list_calendars', arguments: {} })
    expect(Object(result.structuredContent).calendars).toHaveLength(1)
    await client.close()
  }
})

test('a wrong key is reported to the client and on standard error', async () => {
  const client = new OlderClient({ name: 'stdio', version: '1' })
  const transport = new OlderStdio(await command('wprk_test_wrong'))
  let printed = ''
  transport.stderr?.on('data', (chunk) => {
    printed += chunk
  })
  await expect(client.connect(transport)).rejects.toThrow()
  await expect.poll(() => printed).toContain('waypost mcp: the key was refused')
  await client.close()
})
