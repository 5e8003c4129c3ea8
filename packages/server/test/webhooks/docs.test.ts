/** The examples of docs/webhooks.md, run as written, and its triggers and commands, compared with the real ones. */
import { execFile } from 'node:child_process'
import { readFile, rm, writeFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { triggerNames } from '@waypost/contract'
import { runGuide } from '@waypost/testing/guide-shell'
import { openListener } from '@waypost/testing/listener'
import { describe, expect, test } from 'vitest'
import { createSigner, newWebhookSecret } from '../../src/webhooks/transports/sign.ts'
import { openService } from '../harness.ts'

const root = fileURLToPath(new URL('../../../..', import.meta.url))
const page = await readFile(`${root}docs/webhooks.md`, 'utf8')
const blocksOf = (language: string): string[] =>
  Array.from(page.matchAll(new RegExp(`\`\`\`${language}\\n([\\s\\S]*?)\`\`\``, 'g')), (match) => match[1] ?? '')

describe('docs/webhooks.md', () => {
  test('has calls that run in order and succeed', async (context) => {
    await using service = await openService()
    await using listener = await openListener()
    const base = await service.listen()
    await service.createGrant('docs')
    const call = /^call\(\).*$/m.exec(page)?.[0]
    const blocks = blocksOf('sh').filter((block) => block.includes('call /v3') || block.includes('call "/v3'))
    expect(blocks.length).toBeGreaterThan(4)
    const ready = (lines: string): string =>
      `${call}\n${lines}`
        .replaceAll('http://127.0.0.1:3000', base)
        .replaceAll('http://127.0.0.1:8000', listener.url)
        .replaceAll('$WAYPOST_API_KEY', service.apiKey)
    const [register = '', ...others] = blocks
    const made = JSON.parse(await runGuide(context, ready(register.replace(/^export .*$/m, ''))))
    expect(made.data).toMatchObject({ webhook_secret: expect.any(String), description: 'Bookings' })
    const calls = await runGuide(context, ready(`WEBHOOK_ID=${made.data.id}\n${others.join('\n')}`))
    const answers = calls.trim().split('\n')
    expect(answers).toHaveLength(14)
    for (const answer of answers) {
      expect(JSON.parse(answer)).toHaveProperty('request_id')
      expect(JSON.parse(answer)).not.toHaveProperty('error')
    }
    expect(JSON.parse(answers[2] ?? '').data.webhook_secret).not.toBe(made.data.webhook_secret)
    expect(JSON.parse(answers.at(-1) ?? '').data).toContainEqual(expect.objectContaining({ type: 'grant.created' }))
    expect(listener.heard.map(({ method }) => method)).toEqual(['GET', 'POST'])
  })

  test('has three ways to verify that accept only the server', async () => {
    const programs = blocksOf('js')
    expect(programs).toHaveLength(3)
    const secret = newWebhookSecret()
    const reported = { specversion: '1.0', type: 'x', source: '/x', id: 'n-1', time: 1, data: { object: {} } }
    const body = Buffer.from(JSON.stringify(reported))
    const headers = createSigner(
      { current: secret },
      'x-service-signature',
    )({
      id: 'n-1',
      timestamp: Math.floor(Date.now() / 1000),
      body,
    })
    for (const [index, program] of programs.entries()) {
      // Next to the tests, where packages are found.
      const file = fileURLToPath(new URL(`docs-example-${index}.mjs`, import.meta.url))
      await writeFile(file, program)
      try {
        const { verify } = await import(file)
        expect(await verify(body, headers, secret)).toEqual(reported)
        const refused = async (...args: unknown[]) => verify(...args)
        await expect(refused(Buffer.from(`${body} `), headers, secret)).rejects.toThrow()
        await expect(refused(body, headers, newWebhookSecret())).rejects.toThrow()
        await expect(refused(body, {}, secret)).rejects.toThrow()
      } finally {
        await rm(file)
      }
    }
  })

  test('names every trigger, and no other', () => {
    const rows = page
      .split('\n')
      .filter((line) => /^\| `(?:grant|calendar|event|message|contact|folder|booking|approval)\./.test(line))
    const named = rows.flatMap((row) =>
      Array.from(row.matchAll(/`([a-z]+\.[a-z_]+(?:\.cleaned)?)`/g), (match) => match[1]),
    )
    expect(named.sort()).toEqual([...triggerNames].sort())
  })

  test('names only existing commands and settings', async () => {
    const program = ['packages/server/src/main.ts', 'webhooks', '--help']
    const { stdout: help } = await promisify(execFile)(process.execPath, program, { cwd: root })
    const commands = Array.from(page.matchAll(/npx waypost (webhooks [a-z-]+)/g), (match) => match[1])
    expect(commands).toHaveLength(7)
    for (const command of commands) expect(help).toContain(`  ${command} `)
    const settings = await readFile(`${root}example.env`, 'utf8')
    for (const [name] of page.matchAll(/WAYPOST_(?!API_KEY)[A-Z_]+/g)) expect(settings).toContain(`${name}=`)
  })
})
