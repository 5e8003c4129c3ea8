/** The examples of README.md, run as written against a service of their own; only the address and the key are put in. */
import { spawnSync } from 'node:child_process'
import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openHouse, type TestHouse } from './harness.ts'

const root = fileURLToPath(new URL('../../..', import.meta.url))
const readme = readFileSync(`${root}README.md`, 'utf8')
const blocksOf = (language: string): string[] =>
  Array.from(readme.matchAll(new RegExp(`\`\`\`${language}\\n([\\s\\S]*?)\`\`\``, 'g')), (match) => match[1] ?? '')

let house: TestHouse
let base: string
beforeAll(async () => {
  house = await openHouse()
  base = await house.listen()
})
afterAll(() => house[Symbol.asyncDispose]())

/** Runs a program while the service, which lives in this process, goes on answering. */
async function run(command: string, args: string[]): Promise<string> {
  const { spawn } = await import('node:child_process')
  const env = { ...process.env, WAYPOST_API_KEY: house.apiKey, WAYPOST_ADMIN_PASSWORD: house.adminPassword }
  const child = spawn(command, args, { cwd: root, env, stdio: ['ignore', 'pipe', 'pipe'] })
  const chunks: string[] = []
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => chunks.push(String(chunk)))
  const code = await new Promise((resolve) => child.once('close', resolve))
  if (code !== 0) throw new Error(`${command} ended with ${code}: ${chunks.join('')}`)
  return chunks.join('')
}

describe('README.md', () => {
  test('its shell examples run in order and every call succeeds', async () => {
    const shell = blocksOf('sh').filter((block) => block.includes('call ') || block.includes('curl '))
    expect(shell.length).toBeGreaterThan(2)
    const script = shell
      .join('\n')
      .replaceAll('http://127.0.0.1:3000', base)
      .replace(/^export WAYPOST_API_KEY=.*$/m, '')
    const answers = (await run('bash', ['-ec', script])).split('\n').filter((line) => line.startsWith('{'))
    expect(answers).toHaveLength(9)
    for (const answer of answers.map((line) => JSON.parse(line))) {
      expect(answer).toHaveProperty('request_id')
      expect(answer).not.toHaveProperty('error')
    }
    expect(JSON.parse(answers[3] ?? '').data).toMatchObject({ object: 'event', title: 'Stand-up' })
    expect(JSON.parse(answers[4] ?? '').data.length).toBeGreaterThan(1)
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

  test('the commands it names exist', () => {
    const help = spawnSync(process.execPath, [`${root}packages/server/src/main.ts`, '--help'], {
      encoding: 'utf8',
    }).stdout
    const named = Array.from(readme.matchAll(/^\| `waypost ([a-z0-9-]+(?: [a-z]+)?)/gm), (match) => match[1] ?? '')
    expect(named.length).toBeGreaterThan(5)
    for (const command of named) expect(help).toContain(`waypost ${command}`)
    expect(Object.keys(JSON.parse(readFileSync(`${root}package.json`, 'utf8')).scripts)).toEqual(
      expect.arrayContaining(['start', 'dev', 'test', 'check', 'bench']),
    )
  })
})
