/** docs/agents.md and examples/agent, run as written against simulated accounts. */
import { readFileSync } from 'node:fs'
import { mkdtempDisposable } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { runGuide } from '@waypost/testing/guide-shell'
import { processEnvironment, programFile } from '@waypost/testing/programs'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { installTools } from '../../../../scripts/tools.ts'
import { type GoogleSimulator, seededGoogle } from '../../../simulators/src/index.ts'
import { runExample } from '../examples/example-program.ts'
import { openService, type TestService } from '../harness.ts'

const root = fileURLToPath(new URL('../../../..', import.meta.url))
const guide = readFileSync(`${root}docs/agents.md`, 'utf8')

let google: GoogleSimulator
let service: TestService
let base: string
let folder: Awaited<ReturnType<typeof mkdtempDisposable>>
beforeAll(async () => {
  google = await seededGoogle()
  folder = await mkdtempDisposable(path.join(tmpdir(), 'waypost-agents-guide-'))
  service = await openService({
    dataDir: folder.path,
    env: {
      WAYPOST_GOOGLE_URL: google.url,
      WAYPOST_GOOGLE_CLIENT_ID: google.client.id,
      WAYPOST_GOOGLE_CLIENT_SECRET: google.client.secret,
    },
  })
  base = await service.listen()
})
afterAll(async () => {
  await service[Symbol.asyncDispose]()
  await google[Symbol.asyncDispose]()
  await folder.remove()
})

/** Ada's grant, and a key for it with these rights. */
async function agentKey(rights: object): Promise<string> {
  const settings = { refresh_token: 'simulated-refresh-token-of-ada@example.com' }
  const grant = await service.call('POST', '/v3/connect/custom', { body: { provider: 'google', settings } })
  const application = await service.call('PATCH', '/v3/applications', { body: { mcp_enabled: true } })
  const path = `/v3/admin/applications/${application.body.data.application_id}/api-keys`
  const body = { name: 'Agent', rights: { grants: { ids: [grant.body.data.id] }, ...rights } }
  const made = await service.call('POST', path, { admin: true, body })
  expect(made.status).toBe(200)
  return made.body.data.api_key
}

const sentOf = (email: string) =>
  google
    .account(email)
    .mail.list()
    .filter(({ labels }) => labels.includes('SENT'))

test('the quickstart of docs/agents.md runs in order: a key, a message, an approval, a refusal', async (context) => {
  const blocks = Array.from(guide.matchAll(/```sh\n([\s\S]*?)```/g), (match) => match[1] ?? '')
  const script = blocks
    .join('\n')
    .replaceAll('http://127.0.0.1:3000', base)
    .replaceAll('npx waypost', `'${process.execPath}' '${await programFile('waypost')}'`)
    .replace(/^export WAYPOST_API_KEY=.*$/gm, '')
  // The commands use the store of the service that runs.
  const env = { ...processEnvironment, WAYPOST_API_KEY: service.apiKey, WAYPOST_DATA_DIR: folder.path }
  const before = sentOf('ada@example.com').length
  const printed = await runGuide(context, script, { env, cwd: root })
  const [, found, waits, refused, approved] = printed
    .split('\n')
    .filter((line) => line.startsWith('{'))
    .map((line) => JSON.parse(line))
  expect(found.result.structuredContent.messages).toHaveLength(1)
  expect(found.result.content[0].text).toContain('<untrusted-content id="')
  expect(waits.result.structuredContent.approval.status).toBe('pending')
  expect(refused.result).toMatchObject({ isError: true })
  expect(JSON.stringify(refused.result.content)).toContain('recipient_not_allowed')
  expect(approved.data).toMatchObject({ object: 'approval', status: 'executed' })
  expect(sentOf('ada@example.com')).toHaveLength(before + 1)
})

test('the configurations in docs/agents.md are JSON', () => {
  const blocks = Array.from(guide.matchAll(/```json\n([\s\S]*?)```/g), (match) => JSON.parse(match[1] ?? ''))
  expect(blocks).toHaveLength(3)
})

test('examples/agent reads a message, drafts an answer, and sends it when a person approves', async () => {
  installTools()
  const operations = ['mail.read', 'mail.draft', 'mail.send', 'mcp']
  const key = await agentKey({ operations })
  const before = sentOf('ada@example.com').length
  await using program = runExample('agent/agent.mjs', {
    WAYPOST_URL: base,
    WAYPOST_API_KEY: key,
    AGENT_SUBJECT: 'A moth in the relay',
  })
  await expect.poll(() => program.printed()).toContain('Waiting for approval')
  const id = /approval (\S+) until/.exec(program.printed())?.[1]
  expect(sentOf('ada@example.com')).toHaveLength(before)
  const approved = await service.call('POST', `/v3/approvals/${id}/approve`)
  expect(approved.body.data).toMatchObject({ status: 'executed' })
  expect(await program.ended).toBe(0)
  expect(program.printed()).toContain('The approval is executed')
  expect(sentOf('ada@example.com')).toHaveLength(before + 1)
})
