import { createHash, randomBytes } from 'node:crypto'
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import { createKeyFile, dropKeys, keyRingFromFile, keyRingFromText, prependKey } from '../src/crypto/key-ring.ts'

const folder = mkdtempSync(join(tmpdir(), 'waypost-keys-'))
afterAll(() => rmSync(folder, { recursive: true }))

let files = 0
function freshPath(): string {
  files += 1
  return join(folder, `keys-${files}`)
}

function idOf(bytes: Buffer): string {
  return createHash('sha256').update(bytes).digest('hex').slice(0, 8)
}

function messageOf(action: () => unknown): string {
  try {
    action()
  } catch (error) {
    return String(error)
  }
  throw new Error('nothing was thrown')
}

describe('a key ring from text', () => {
  test('reads base64, base64url and hex, newest first, separated by commas or newlines', () => {
    const [a, b, c, d] = [randomBytes(32), randomBytes(32), randomBytes(32), randomBytes(32)]
    const text = `${a.toString('base64')}, ${b.toString('base64url')}\r\n${c.toString('hex')}\n${d.toString('hex').toUpperCase()}\n`
    const ring = keyRingFromText(text)
    expect(ring.ids()).toEqual([a, b, c, d].map(idOf))
    expect(ring.current()).toEqual({ id: idOf(a), bytes: a })
    expect(ring.find(idOf(c))?.bytes).toEqual(c)
    expect(ring.find('00000000')).toBeUndefined()
  })

  test('reads base64 without its padding', () => {
    const bytes = randomBytes(32)
    expect(keyRingFromText(bytes.toString('base64').replace('=', '')).current().bytes).toEqual(bytes)
  })

  const strong = randomBytes(32)
  const weak: [string, string][] = [
    ['nothing', ''],
    ['only separators', ' ,\n, '],
    ['a word', 'changeme'],
    ['a word encoded', Buffer.from('changeme'.repeat(4)).toString('base64')],
    ['31 bytes', randomBytes(31).toString('base64')],
    ['33 bytes', randomBytes(33).toString('base64')],
    ['16 bytes in hex', randomBytes(16).toString('hex')],
    ['63 hex digits', strong.toString('hex').slice(1)],
    ['all zero in base64', Buffer.alloc(32).toString('base64')],
    ['all zero in hex', '0'.repeat(64)],
    ['one byte repeated', Buffer.alloc(32, 0x41).toString('base64url')],
    ['a counted hex pattern', '0123456789abcdef'.repeat(4)],
    ['foreign characters inside', `${strong.toString('base64').slice(0, 20)}!${strong.toString('base64').slice(20)}`],
    ['double padding', `${strong.toString('base64')}=`],
    ['unused bits set', `${strong.toString('base64url').slice(0, 42)}B`],
    ['a good key followed by a bad one', `${strong.toString('base64')},changeme`],
  ]
  test.each(weak)('refuses %s with a remedy and without echoing it', (_name, text) => {
    const message = messageOf(() => keyRingFromText(text))
    expect(message).toContain('openssl rand -base64 32')
    for (const entry of text.split(/[,\n]/).filter((part) => part.trim() !== '')) expect(message).not.toContain(entry)
  })

  test('refuses the same key twice, also in two notations', () => {
    const text = `${strong.toString('base64')}\n${strong.toString('hex')}`
    const message = messageOf(() => keyRingFromText(text))
    expect(message).toMatch(/key 2 of 2 appears twice/)
    expect(message).not.toContain(strong.toString('hex'))
  })
})

describe('a key file', () => {
  test('is created with one strong key, private to its owner, and never over an existing file', () => {
    const path = freshPath()
    const id = createKeyFile(path)
    expect(statSync(path).mode & 0o777).toBe(0o600)
    expect(keyRingFromFile(path).ids()).toEqual([id])
    const before = readFileSync(path, 'utf8')
    expect(() => createKeyFile(path)).toThrow(/EEXIST/)
    expect(readFileSync(path, 'utf8')).toBe(before)
  })

  test('is refused when missing, a folder, empty, or open to group or others', () => {
    expect(() => keyRingFromFile(join(folder, 'missing'))).toThrow(/ENOENT/)
    const directory = freshPath()
    mkdirSync(directory, { mode: 0o700 })
    expect(() => keyRingFromFile(directory)).toThrow(/not a regular file/)
    const empty = freshPath()
    writeFileSync(empty, '', { mode: 0o600 })
    expect(() => keyRingFromFile(empty)).toThrow(/holds no key/)
    const open = freshPath()
    createKeyFile(open)
    for (const mode of [0o640, 0o604, 0o620, 0o644, 0o666]) {
      chmodSync(open, mode)
      expect(() => keyRingFromFile(open)).toThrow(/chmod 600/)
    }
    chmodSync(open, 0o400)
    expect(keyRingFromFile(open).ids()).toHaveLength(1)
  })

  test('gets a new key and loses old ones, staying private and leaving no other files', () => {
    const path = freshPath()
    const first = createKeyFile(path)
    const second = prependKey(path)
    const third = prependKey(path)
    expect(keyRingFromFile(path).ids()).toEqual([third, second, first])
    expect(dropKeys(path, [first, 'ffffffff'])).toEqual([first])
    expect(dropKeys(path, [first])).toEqual([])
    expect(keyRingFromFile(path).ids()).toEqual([third, second])
    expect(statSync(path).mode & 0o777).toBe(0o600)
    expect(existsSync(`${path}.new`)).toBe(false)
  })

  test('keeps its newest key', () => {
    const path = freshPath()
    const first = createKeyFile(path)
    expect(() => dropKeys(path, [first])).toThrow(/newest/)
    const second = prependKey(path)
    expect(() => dropKeys(path, [first, second])).toThrow(/newest/)
    expect(keyRingFromFile(path).ids()).toEqual([second, first])
    expect(existsSync(`${path}.new`)).toBe(false)
  })

  test('is not changed by two concurrent rotations, and reports the remains of an interrupted one', () => {
    const path = freshPath()
    const first = createKeyFile(path)
    writeFileSync(`${path}.new`, 'half', { mode: 0o600 })
    expect(() => prependKey(path)).toThrow(/interrupted key change, delete it/)
    expect(keyRingFromFile(path).ids()).toEqual([first])
    rmSync(`${path}.new`)
    expect(prependKey(path)).not.toBe(first)
  })

  test('reached through a link is replaced at its target', () => {
    const path = freshPath()
    const link = freshPath()
    createKeyFile(path)
    symlinkSync(path, link)
    const second = prependKey(link)
    expect(keyRingFromFile(path).current().id).toBe(second)
    expect(readdirSync(folder).filter((name) => name.endsWith('.new'))).toEqual([])
  })
})

describe('a key ring from a file', () => {
  test('loads a new key within a second', () => {
    const path = freshPath()
    const first = createKeyFile(path)
    let time = 0
    const ring = keyRingFromFile(path, () => time)
    const second = prependKey(path)
    time = 999
    expect(ring.current().id).toBe(first)
    time = 1000
    expect(ring.current().id).toBe(second)
    expect(ring.ids()).toEqual([second, first])
  })

  test('checks the file at once for an unknown key', () => {
    const path = freshPath()
    createKeyFile(path)
    const ring = keyRingFromFile(path, () => 0)
    const second = prependKey(path)
    expect(ring.find(second)?.id).toBe(second)
    expect(ring.current().id).toBe(second)
    expect(ring.find('00000000')).toBeUndefined()
  })

  test('drops a removed key', () => {
    const path = freshPath()
    const first = createKeyFile(path)
    prependKey(path)
    let time = 0
    const ring = keyRingFromFile(path, () => time)
    dropKeys(path, [first])
    time = 1000
    ring.current()
    expect(ring.find(first)).toBeUndefined()
  })

  test('keeps the same key objects while the file is unchanged', () => {
    const path = freshPath()
    createKeyFile(path)
    let time = 0
    const ring = keyRingFromFile(path, () => time)
    const before = ring.current()
    time = 5000
    expect(ring.current()).toBe(before)
  })

  test('keeps opening but stops sealing while its file is missing or broken', () => {
    const path = freshPath()
    const first = createKeyFile(path)
    let time = 0
    const ring = keyRingFromFile(path, () => time)
    renameSync(path, `${path}.away`)
    time = 1000
    expect(() => ring.current()).toThrow(/ENOENT/)
    expect(() => ring.current()).toThrow(/ENOENT/)
    expect(ring.find(first)?.id).toBe(first)
    writeFileSync(path, 'changeme\n', { mode: 0o600 })
    expect(() => ring.current()).toThrow(/not 32 bytes/)
    renameSync(`${path}.away`, path)
    expect(ring.current().id).toBe(first)
  })
})
