/** The examples of README.md, run as written against a service of their own; only the address and the key are put in. */
import { spawn } from 'node:child_process'
import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import { mkdtempDisposable } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import {
  type ExchangeSimulator,
  type GoogleSimulator,
  seededExchange,
  seededGoogle,
} from '../../simulators/src/index.ts'
import { commandsOf } from '../src/cli/program/program.ts'
import { program } from '../src/cli/table/index.ts'
import { openService, type TestService } from './harness.ts'
import { freePort } from './peers/daemon.ts'
import { startDovecot } from './peers/dovecot.ts'

const root = fileURLToPath(new URL('../../..', import.meta.url))
const readme = readFileSync(`${root}README.md`, 'utf8')
const blocksOf = (language: string, page = readme): string[] =>
  Array.from(page.matchAll(new RegExp(`\`\`\`${language}\\n([\\s\\S]*?)\`\`\``, 'g')), (match) => match[1] ?? '')

const receiver = 'examples/webhook-receiver.ts'

let google: GoogleSimulator
let exchange: ExchangeSimulator
let service: TestService
let base: string
beforeAll(async () => {
  google = await seededGoogle()
  exchange = await seededExchange()
  service = await openService({
    env: {
      WAYPOST_GOOGLE_URL: google.url,
      WAYPOST_EWS_URL: exchange.url,
      WAYPOST_GOOGLE_CLIENT_ID: google.client.id,
      WAYPOST_GOOGLE_CLIENT_SECRET: google.client.secret,
    },
  })
  base = await service.listen()
})
afterAll(async () => {
  await service[Symbol.asyncDispose]()
  await google[Symbol.asyncDispose]()
  await exchange[Symbol.asyncDispose]()
})

/** Runs a program while the service, which lives in this process, goes on answering. */
async function run(command: string, args: string[]): Promise<string> {
  const env = { ...process.env, WAYPOST_API_KEY: service.apiKey, WAYPOST_ADMIN_PASSWORD: service.adminPassword }
  const child = spawn(command, args, { cwd: root, env, stdio: ['ignore', 'pipe', 'pipe'] })
  const chunks: string[] = []
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => chunks.push(String(chunk)))
  const code = await new Promise((resolve) => child.once('close', resolve))
  if (code !== 0) throw new Error(`${command} ended with ${code}: ${chunks.join('')}`)
  return chunks.join('')
}

describe('README.md', () => {
  test('its shell examples run in order and every call succeeds', async () => {
    await using mail = await startDovecot()
    const { user, password } = await mail.addUser()
    await mail.deliver(user, 'From: a@example.com\nSubject: Hello\nMessage-ID: <1@example.com>\n\nText\n')
    const shell = blocksOf('sh').filter((block) => /\b(?:call|curl) /.test(block) && !block.includes(receiver))
    expect(shell.length).toBeGreaterThan(2)
    const script = shell
      .join('\n')
      .replaceAll('http://127.0.0.1:3000', base)
      .replace(/^export WAYPOST_API_KEY=.*$/m, '')
      .replaceAll('me@example.com', user)
      .replace('"imap_password":"…"', `"imap_password":"${password}"`)
      .replace('"imap_host":"imap.example.com"', `"imap_host":"localhost","imap_port":${mail.imapsPort}`)
      .replace('"smtp_host":"smtp.example.com"', `"smtp_host":"localhost","smtp_port":${mail.smtpPort}`)
    const answers = (await run('bash', ['-ec', script])).split('\n').filter((line) => line.startsWith('{'))
    expect(answers).toHaveLength(18)
    for (const answer of answers.map((line) => JSON.parse(line))) {
      expect(answer).toHaveProperty('request_id')
      expect(answer).not.toHaveProperty('error')
    }
    expect(JSON.parse(answers[3] ?? '').data).toMatchObject({ object: 'event', title: 'Stand-up' })
    expect(JSON.parse(answers[4] ?? '').data.length).toBeGreaterThan(1)
    expect(JSON.parse(answers[10] ?? '').data).toMatchObject([{ subject: 'Hello', folders: ['INBOX'] }])
    expect(JSON.parse(answers[12] ?? '').data).toMatchObject({ subject: 'Hello', schedule_id: '' })
    expect(JSON.parse(answers[14] ?? '').data[0]).toMatchObject({ subject: 'A moth in the relay' })
    expect(JSON.parse(answers[15] ?? '').data[0]).toMatchObject({ title: 'Talk about note G' })
    expect(JSON.parse(answers[16] ?? '').data[0]).toMatchObject({ given_name: 'Grace' })
    expect(mail.relayed.map(({ to }) => to)).toEqual([['you@example.com']])
  })

  test('its example with the published client runs', async () => {
    const [program = ''] = blocksOf('js')
    const file = `${root}packages/server/test/readme-example.mjs`
    writeFileSync(file, program.replaceAll('http://127.0.0.1:3000', base))
    try {
      expect(await run(process.execPath, [file])).toMatch(/object: 'timespan'/)
    } finally {
      rmSync(file)
    }
  })

  test('its webhook receiver is the one in examples; it answers the challenge, and prints what happens', async () => {
    expect(blocksOf('ts')).toContain(readFileSync(`${root}${receiver}`, 'utf8'))
    const [block = ''] = blocksOf('sh').filter((each) => each.includes(receiver))
    const port = String(await freePort())
    const script = [
      /^call\(\).*$/m.exec(readme)?.[0],
      `call /v3/connectors -d '{"provider":"virtual-calendar"}' > /dev/null`,
      `export PORT=${port}; trap 'kill $receiver' EXIT`,
      block,
      // A receiver that was told prints before it answers; a stranger's words are refused.
      `curl -s -o /dev/null -w 'forged %{http_code}\\n' -d '{}' http://127.0.0.1:8000/`,
      'until [ -s "$PRINTED" ]; do sleep 0.1; done; cat "$PRINTED"',
    ]
      .join('\n')
      .replaceAll('http://127.0.0.1:3000', base)
      .replaceAll('127.0.0.1:8000', `127.0.0.1:${port}`)
      .replaceAll('$WAYPOST_API_KEY', (await service.createApplication('Receiver')).key)
      // What the receiver prints at last is told apart from what the shell prints.
      .replace(/(node examples\S+ )(& receiver=\$!\nuntil[^\n]*\ncall \/v3\/connect)/, '$1> "$PRINTED" $2')
    await using folder = await mkdtempDisposable(path.join(tmpdir(), 'waypost-receiver-'))
    const printed = await run('bash', ['-ec', `PRINTED=${folder.path}/printed\n${script}`])
    expect(printed).toMatch(/^event\.created \{[\s\S]*title: 'Told'/m)
    expect(printed).toContain('forged 401')
  })

  test('the commands it names exist', () => {
    const named = Array.from(readme.matchAll(/^\| `waypost ([^`]*)`/gm), (match) => match[1] ?? '')
    expect(named.length).toBeGreaterThan(5)
    const known = commandsOf(program).map(({ name }) => name)
    for (const line of named) {
      const words = line.split(' ')
      expect(known, line).toContain(known.includes(words[0] ?? '') ? words[0] : words.slice(0, 2).join(' '))
    }
    expect(Object.keys(JSON.parse(readFileSync(`${root}package.json`, 'utf8')).scripts)).toEqual(
      expect.arrayContaining(['start', 'dev', 'test', 'check', 'bench']),
    )
  })
})

test('the examples of docs/exchange.md run as they are beside a simulated Exchange', async () => {
  const [shell = ''] = blocksOf('sh', readFileSync(`${root}docs/exchange.md`, 'utf8'))
  const script = [/^call\(\).*$/m.exec(readme)?.[0], shell].join('\n').replaceAll('http://127.0.0.1:3000', base)
  const printed = await run('bash', ['-ec', script])
  const answers = printed.split('\n').flatMap((line) => (line.startsWith('{') ? [JSON.parse(line)] : []))
  expect(answers.filter((answer) => 'error' in answer)).toEqual([])
  const [, connected, messages, events, contacts] = answers.map(({ data }) => data)
  expect(connected).toMatchObject({ provider: 'ews', email: 'ada@exchange.example' })
  for (const list of [messages, events, contacts]) expect(list.length).toBeGreaterThan(0)
})
