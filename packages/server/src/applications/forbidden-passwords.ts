/**
 * Lists of forbidden passwords. One holds those that stand in published breaches, the most frequent ones (OWASP ASVS 5.0,
 * 6.2.4 and 6.2.12). It comes with a package, so that no password leaves the machine. It is loaded with the first password
 * that is checked, as a module, so that the installable package contains it.
 *
 * The other one is the operator's own: a file with one password per line, or with one SHA-1 hash per line,
 * sorted, as Have I Been Pwned publishes them (`HASH:count`). Neither is loaded into memory. A file of passwords is
 * searched from start to end and has a size limit. A file of hashes is searched by bisection and may have any size.
 */
import { createHash } from 'node:crypto'
import { type FileHandle, open } from 'node:fs/promises'
import { z } from 'zod'
import { ConfigError } from '../config.ts'

export interface PasswordFile {
  has(password: string): Promise<boolean>
}

const setting = 'WAYPOST_PASSWORD_LIST'
const maxPlainBytes = 64 * 1024 * 1024
const hashLine = /^([0-9a-f]{40})(?::\d{1,20})?$/i
/** More than twice the length of a line of hashes. */
const window = 160
const chunkBytes = 1024 * 1024
/** Number of positions that are compared to check that a file of hashes is sorted. */
const samples = 64

/** Opens the list, or throws an error that describes the problem with the file. */
export async function openPasswordFile(path: string): Promise<PasswordFile> {
  const refuse = (problem: string): never => {
    throw new ConfigError([`${setting}: ${path} ${problem}`])
  }
  const reading = <T>(read: (handle: FileHandle, size: number) => Promise<T>): Promise<T> => readFrom(path, read)
  return reading(async (handle, size) => {
    const head = (await bytesAt(handle, 0, window)).toString('latin1').split(/\r?\n/, 1)[0] ?? ''
    if (/^[0-9a-f]{32}(:\d+)?$/i.test(head)) refuse('contains NTLM hashes: download the SHA-1 hashes instead')
    if (!hashLine.test(head)) {
      if (size > maxPlainBytes) refuse('is larger than 64 MB: use sorted SHA-1 hashes for a list of this size')
      return { has: (password: string) => reading((each) => hasLine(each, password)) }
    }
    if (!(await isSorted(handle, size))) refuse('must contain one SHA-1 hash per line, sorted by hash')
    return { has: (password: string) => reading((each, now) => hasHash(each, now, password)) }
  }).catch((error) => {
    if (error instanceof ConfigError) throw error
    return refuse(`cannot be read (${error instanceof Error ? error.message : 'unknown reason'})`)
  })
}

async function readFrom<T>(path: string, read: (handle: FileHandle, size: number) => Promise<T>): Promise<T> {
  const handle = await open(path)
  try {
    const facts = await handle.stat()
    if (!facts.isFile()) throw new Error('it is not a file')
    return await read(handle, facts.size)
  } finally {
    await handle.close()
  }
}

async function bytesAt(handle: FileHandle, position: number, length: number): Promise<Buffer> {
  const { buffer, bytesRead } = await handle.read(Buffer.alloc(length), 0, length, position)
  return buffer.subarray(0, bytesRead)
}

/** Whether one of the forms of a password is a line of the file. */
async function hasLine(handle: FileHandle, password: string): Promise<boolean> {
  const needles = formsOf(password).map((form) => Buffer.from(`\n${form}`))
  const longest = Math.max(...needles.map((needle) => needle.length)) + 1
  // The end of a chunk is checked again with the next one. The first line starts like all others.
  let rest: Buffer = Buffer.from('\n')
  for (let position = 0; ; position += chunkBytes) {
    const read = await bytesAt(handle, position, chunkBytes)
    const isLast = read.length < chunkBytes
    const piece = Buffer.concat([rest, read, ...(isLast ? [Buffer.from('\n')] : [])])
    if (needles.some((needle) => isLineIn(piece, needle))) return true
    if (isLast) return false
    rest = piece.subarray(Math.max(0, piece.length - longest))
  }
}

function isLineIn(piece: Buffer, needle: Buffer): boolean {
  for (let at = piece.indexOf(needle); at >= 0; at = piece.indexOf(needle, at + 1)) {
    const end = piece[at + needle.length]
    if (end === 0x0a || end === 0x0d) return true
  }
  return false
}

interface FoundLine {
  hash: string
  start: number
}

/** The first line that starts at or after a position. Undefined at the end of the file, or if it is not a hash. */
async function hashFrom(handle: FileHandle, place: number): Promise<FoundLine | undefined> {
  const from = Math.max(0, place - 1)
  const text = (await bytesAt(handle, from, window)).toString('latin1')
  const begin = place === 0 ? 0 : text.indexOf('\n') + 1
  const hash = hashLine.exec(text.slice(begin).split(/\r?\n/, 1)[0] ?? '')?.[1]
  return hash === undefined || (place > 0 && begin === 0)
    ? undefined
    : { hash: hash.toUpperCase(), start: from + begin }
}

async function isSorted(handle: FileHandle, size: number): Promise<boolean> {
  let before = ''
  for (let sample = 0; sample < samples; sample++) {
    const place = Math.floor((size * sample) / samples)
    const line = await hashFrom(handle, place)
    if (!line && size - place > window) return false
    if (line && line.hash < before) return false
    before = line?.hash ?? before
  }
  return true
}

async function hasHash(handle: FileHandle, size: number, password: string): Promise<boolean> {
  const wanted = createHash('sha1').update(password).digest('hex').toUpperCase()
  let [low, high] = [0, size]
  while (low < high) {
    const middle = Math.floor((low + high) / 2)
    const line = await hashFrom(handle, middle)
    if (line?.hash === wanted) return true
    if (!line || line.start >= high || line.hash > wanted) high = middle
    else low = line.start + wanted.length
  }
  return false
}

const List = z.array(z.string())

/** Digits and signs around a listed password that make it no better. */
const maxAffixLength = 4
const shortestCore = 6

/** What a password must not be: itself, and without the few digits and signs around it. */
function formsOf(password: string): string[] {
  const text = password.toLowerCase()
  const core = text.replaceAll(/^[\W\d_]+|[\W\d_]+$/g, '')
  const isPadded = core.length >= shortestCore && text.length - core.length <= maxAffixLength
  return [...new Set([password, text, ...(isPadded ? [core] : [])])]
}

/** Whether a password is on the list. */
export async function isBreached(password: string): Promise<boolean> {
  const { default: listed } = await import('@zxcvbn-ts/language-common/src/passwords.json', { with: { type: 'json' } })
  const list = List.parse(listed)
  return formsOf(password).some((form) => list.includes(form))
}
