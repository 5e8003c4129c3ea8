/** Passwords that are refused because of their owner, or because they are on a list. */
import { createHash } from 'node:crypto'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { isBreached, openPasswordFile } from '../../src/applications/forbidden-passwords.ts'
import { createPasswordPolicy, followsFromContext } from '../../src/applications/password-policy.ts'

const ada = {
  email: 'ada.okafor@northwind.example',
  names: ['Adá Okafor'],
  baseUrl: 'https://mail.hub.northwind.example',
}

describe('a password derived from its owner', () => {
  test.each([
    'ada.okafor@northwind.example',
    'Ada.Okafor@Northwind.Example',
    'ada.okafor@northwind.example1',
    'mailto:ada.okafor@northwind.example',
    'ada.okafor',
    'AdaOkafor2026!',
    'okafor.ada',
    'okafor_okafor',
    '4d4.0k4f0r',
    'rofako.ada',
    'elpmaxe.dniwhtron@rofako.ada',
    'a-d-a-o-k-a-f-o-r',
    'ＡＤＡＯＫＡＦＯＲ',
    'northwind.example',
    'Northwind-2026',
    'okafor-password',
    'waypost-2026',
    'W4yp0st!!!',
    'admin-waypost',
    'administrator1',
    'ada.okafor@northwind.example'.repeat(30),
  ])('is refused: %s', (password) => {
    expect(followsFromContext(password, ada)).toBe(true)
  })

  test.each([
    'slow-otters-cross-the-quay',
    'ada keeps seven bees in Lagos',
    'kQ7#vLp2',
    'example of a long phrase',
    'a canadian heron',
  ])('is not assumed for one that only mentions them: %s', (password) => {
    expect(followsFromContext(password, ada)).toBe(false)
  })

  test('is detected for short and foreign names, and for addresses without a dot', () => {
    const baseUrl = 'http://127.0.0.1:3000'
    expect(followsFromContext('李明李明李明李明', { email: 'x@y.example', names: ['李明'], baseUrl })).toBe(true)
    expect(followsFromContext('root@localhost', { email: 'root@localhost', names: [], baseUrl })).toBe(true)
    expect(followsFromContext('zoeunal1990', { email: 'z@y.example', names: ['Zoë Ünal'], baseUrl })).toBe(true)
  })
})

describe('a breached password', () => {
  test.each(['trustno1', 'Liverpool1', '1qaz2wsx', 'corvette99', 'iloveyou!!', 'Vinogradov7'])(
    'is refused in any case, and with a few digits around it: %s',
    async (password) => {
      expect(await isBreached(password)).toBe(true)
    },
  )

  test('is one of more than 3000 that the length policy admits', async () => {
    expect(await isBreached('slow-otters-cross-the-quay')).toBe(false)
    const { default: list } = await import('@zxcvbn-ts/language-common/src/passwords.json', { with: { type: 'json' } })
    expect(list.filter((password: string) => password.length >= 8).length).toBeGreaterThan(10_000)
  })
})

describe("the operator's own list", () => {
  let folder: string
  beforeAll(async () => {
    folder = await mkdtemp(path.join(tmpdir(), 'waypost-passwords-'))
  })
  afterAll(() => rm(folder, { recursive: true }))
  const write = async (name: string, text: string): Promise<string> => {
    const file = path.join(folder, name)
    await writeFile(file, text)
    return file
  }
  const sha1 = (text: string): string => createHash('sha1').update(text).digest('hex').toUpperCase()

  test('of passwords refuses every line of it, with any line end, and nothing else', async () => {
    const many = Array.from({ length: 200_000 }, (_, at) => `otter number ${at}`)
    const file = await openPasswordFile(await write('plain.txt', `the first line\r\n${many.join('\n')}\nthe last line`))
    for (const listed of ['the first line', 'the last line', 'otter number 0', 'Otter Number 123456']) {
      expect([listed, await file.has(listed)]).toEqual([listed, true])
    }
    for (const other of ['the first', 'first line', 'otter number', 'otter number 200000', '']) {
      expect([other, await file.has(other)]).toEqual([other, false])
    }
  })

  test('of sorted SHA-1 hashes is searched by bisection', async () => {
    const words = Array.from({ length: 5000 }, (_, at) => `heron ${at}`)
    const lines = words.map((word, at) => `${sha1(word)}:${at + 1}`).sort()
    for (const text of [
      lines.join('\r\n'),
      `${lines.join('\n')}\n`,
      lines.map((line) => line.slice(0, 40)).join('\n'),
    ]) {
      const file = await openPasswordFile(await write('hashes.txt', text))
      const found = await Promise.all(words.slice(0, 300).map((word) => file.has(word)))
      expect(found.every(Boolean)).toBe(true)
      for (const line of [lines[0], lines.at(-1)]) {
        const word = words.find((each) => line?.startsWith(sha1(each)))
        expect(await file.has(word ?? '')).toBe(true)
      }
      expect(await file.has('heron 5000')).toBe(false)
    }
    const one = await openPasswordFile(await write('one.txt', sha1('heron')))
    expect([await one.has('heron'), await one.has('egret')]).toEqual([true, false])
  })

  test('prevents the start if it is missing, a folder, unsorted, or of another kind of hash', async () => {
    const unsorted = Array.from({ length: 500 }, (_, at) => sha1(`heron ${at}`)).join('\n')
    const cases: [string, RegExp][] = [
      [path.join(folder, 'missing.txt'), /WAYPOST_PASSWORD_LIST: .*missing\.txt cannot be read/],
      [folder, /cannot be read/],
      [await write('unsorted.txt', unsorted), /sorted by hash/],
      [await write('ntlm.txt', `${'0'.repeat(32)}:1\n`), /NTLM/],
    ]
    for (const [file, problem] of cases) await expect(openPasswordFile(file)).rejects.toThrow(problem)
  })

  test('is checked after the other rules, whose messages are more helpful', async () => {
    const file = await openPasswordFile(await write('own.txt', 'northwind summer party\n'))
    const policy = createPasswordPolicy({ baseUrl: ada.baseUrl, file })
    const problems = ['ada.okafor', 'qwertz123', 'corvette99', 'Northwind Summer Party', 'a heron over the weir']
    const owner = { email: 'x@y.example', names: ['Ada Okafor'] }
    expect(await Promise.all(problems.map((each) => policy.problemWith(each, owner)))).toEqual([
      'is little more than your name, your address or the name of this service',
      'is a row of keys',
      expect.stringMatching(/breaches|most common/),
      expect.stringMatching(/installation refuses|little more/),
      undefined,
    ])
    await expect(policy.need('corvette99', 'new_password')).rejects.toMatchObject({
      details: { validationErrors: { new_password: expect.stringContaining('choose a longer') } },
    })
  })
})
