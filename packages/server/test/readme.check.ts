/** Runs the examples of README.md and docs/getting-started.md as written. Only the address, the key and the test mailbox are replaced. */
import { spawn } from 'node:child_process'
import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import { mkdtempDisposable } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { freePort } from '@waypost/testing/peers/daemon'
import { sharedDovecot } from '@waypost/testing/peers/dovecot'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import {
  type ExchangeSimulator,
  type GoogleSimulator,
  seededExchange,
  seededGoogle,
} from '../../simulators/src/index.ts'
import { openService, type TestService } from './harness.ts'

const root = fileURLToPath(new URL('../../..', import.meta.url))
const readme = readFileSync(`${root}README.md`, 'utf8')
const guide = readFileSync(`${root}docs/getting-started.md`, 'utf8')
const blocksOf = (language: string, page = guide): string[] =>
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

/** The answers to the calls of a script. Every call must succeed. */
async function answersTo(script: string): Promise<{ data: unknown }[]> {
  const prepared = script.replaceAll('http://127.0.0.1:3000', base).replace(/^export WAYPOST_API_KEY=.*$/m, '')
  const lines = (await run('bash', ['-ec', prepared])).split('\n').filter((line) => line.startsWith('{'))
  const answers = lines.map((line) => JSON.parse(line))
  for (const answer of answers) {
    expect(answer).toHaveProperty('request_id')
    expect(answer).not.toHaveProperty('error')
  }
  return answers
}

describe('README.md', () => {
  test('its first call runs as written', async () => {
    const [, shell = ''] = blocksOf('sh', readme)
    const [connected, messages, events] = await answersTo(shell)
    expect(connected?.data).toMatchObject({ provider: 'google', email: 'ada@example.com' })
    const [shown = ''] = blocksOf('json', readme)
    const { id, ...message } = JSON.parse(shown).data[0]
    expect(messages?.data).toMatchObject([message])
    expect(events?.data).toMatchObject([{ title: 'Talk about note G' }])
  })
})

describe('docs/getting-started.md', () => {
  test('its shell examples run in order and every call succeeds', async () => {
    await using mail = await sharedDovecot()
    const { user, password } = await mail.addUser()
    await mail.deliver(user, 'From: a@example.com\nSubject: Hello\nMessage-ID: <1@example.com>\n\nText\n')
    const shell = blocksOf('sh').filter((block) => /\b(?:call|curl) /.test(block) && !block.includes(receiver))
    expect(shell.length).toBeGreaterThan(2)
    const answers = await answersTo(
      [/^call\(\).*$/m.exec(guide)?.[0], ...shell]
        .join('\n')
        .replaceAll('me@example.com', user)
        .replace('"imap_password":"…"', `"imap_password":"${password}"`)
        .replace('"imap_host":"imap.example.com"', `"imap_host":"localhost","imap_port":${mail.imapsPort}`)
        .replace('"smtp_host":"smtp.example.com"', `"smtp_host":"localhost","smtp_port":${mail.smtpPort}`),
    )
    const data = answers.map((answer) => answer.data)
    expect(data).toHaveLength(17)
    expect(data[3]).toMatchObject({ object: 'event', title: 'Stand-up' })
    expect((data[4] as unknown[]).length).toBeGreaterThan(1)
    expect(data[10]).toMatchObject([{ subject: 'Hello', folders: ['INBOX'] }])
    expect(data[12]).toMatchObject({ subject: 'Hello', schedule_id: '' })
    expect(data[13]).toMatchObject({ provider: 'google', email: 'grace@example.com' })
    for (const list of data.slice(14, 16)) expect((list as unknown[]).length).toBeGreaterThan(0)
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
      /^call\(\).*$/m.exec(guide)?.[0],
      `call /v3/connectors -d '{"provider":"virtual-calendar"}' > /dev/null`,
      `export PORT=${port}; trap 'kill $receiver' EXIT`,
      block,
      // The receiver prints a notification before it answers, and refuses an unsigned one.
      `curl -s -o /dev/null -w 'forged %{http_code}\\n' -d '{}' http://127.0.0.1:8000/`,
      'until [ -s "$PRINTED" ]; do sleep 0.1; done; cat "$PRINTED"',
    ]
      .join('\n')
      .replaceAll('http://127.0.0.1:3000', base)
      .replaceAll('127.0.0.1:8000', `127.0.0.1:${port}`)
      .replaceAll('$WAYPOST_API_KEY', (await service.createApplication('Receiver')).key)
      // Separates the output of the receiver from that of the shell.
      .replace(/(node examples\S+ )(& receiver=\$!\nuntil[^\n]*\ncall \/v3\/connect)/, '$1> "$PRINTED" $2')
    await using folder = await mkdtempDisposable(path.join(tmpdir(), 'waypost-receiver-'))
    const printed = await run('bash', ['-ec', `PRINTED=${folder.path}/printed\n${script}`])
    expect(printed).toMatch(/^event\.created \{[\s\S]*title: 'Hello'/m)
    expect(printed).toContain('forged 401')
  })
})

describe('docs/scheduling.md', () => {
  test('its shell examples run in order: a page, bookings, a session, a confirmation', async () => {
    const shell = blocksOf('sh', readFileSync(`${root}docs/scheduling.md`, 'utf8'))
    const { id, key } = await service.createApplication('Scheduling')
    const data = (await answersTo(`WAYPOST_API_KEY=${key}\n${shell.join('\n')}`)).map((answer) => answer.data)
    expect(data[3]).toMatchObject({ slug: 'conversation', scheduler: { min_booking_notice: 60 } })
    expect(data[4]).toMatchObject({ status: 'booked', title: 'Conversation with Grace', timezone: 'America/New_York' })
    expect(data.slice(5, 7)).toMatchObject([{ status: 'booked' }, { status: 'booked' }])
    expect(data[8]).toHaveProperty('session_id')
    expect(data.slice(10)).toMatchObject([{ status: 'pending' }, { status: 'booked' }])
    const page = await fetch(`${base}/book/${id}/conversation`)
    expect(page.status).toBe(200)
    expect(await page.text()).toContain('A conversation with Ada')
  })
})

test('the examples of docs/exchange.md run as they are beside a simulated Exchange', async () => {
  const [shell = ''] = blocksOf('sh', readFileSync(`${root}docs/exchange.md`, 'utf8'))
  const script = [/^call\(\).*$/m.exec(guide)?.[0], shell].join('\n').replaceAll('http://127.0.0.1:3000', base)
  const printed = await run('bash', ['-ec', script])
  const answers = printed.split('\n').flatMap((line) => (line.startsWith('{') ? [JSON.parse(line)] : []))
  expect(answers.filter((answer) => 'error' in answer)).toEqual([])
  const [, connected, messages, events, contacts] = answers.map(({ data }) => data)
  expect(connected).toMatchObject({ provider: 'ews', email: 'ada@exchange.example' })
  for (const list of [messages, events, contacts]) expect(list.length).toBeGreaterThan(0)
})
