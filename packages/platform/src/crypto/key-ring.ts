/**
 * The key ring holds the key-encryption keys (KEK), newest first. New values are sealed with the newest key. The
 * older keys only open values that were sealed before.
 *
 * To rotate: prepend a key, wait until every server has read it, re-wrap everything sealed under the old keys, and
 * drop them. A server checks the key file once a second, so it can still seal with the previous key for that long.
 * Count the values under the old key again after that second, and only then drop it.
 *
 * If the key file of a running server disappears or becomes unreadable, the server still opens values with the keys
 * in memory but refuses to seal: a value sealed now could be lost at the next restart.
 */
import { createHash, randomBytes } from 'node:crypto'
import {
  type BigIntStats,
  closeSync,
  fchownSync,
  fstatSync,
  fsyncSync,
  openSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { dirname } from 'node:path'

/** A key-encryption key: 32 bytes, named by the first 8 hex digits of their SHA-256. */
export type Key = { id: string; bytes: Buffer }

/** The keys in use, newest first; `current` seals, `find` opens. */
export interface KeyRing {
  /** The file of the keys. Keys from the settings have none. */
  readonly file?: string
  current(): Key
  find(id: string): Key | undefined
  ids(): string[]
}

const KEY_LENGTH = 32
const LOOK_INTERVAL_MS = 1000
const REMEDY = 'Make a key with: openssl rand -base64 32'

// 32 random bytes have about 30 distinct values. Fewer than this only come from a typed or repeated pattern.
const FEWEST_DISTINCT_BYTES = 12

/** Reads a key ring from text such as an environment variable: keys separated by commas or newlines, newest first. */
export function keyRingFromText(text: string): KeyRing {
  const keys = parseKeys(text, 'The key setting')
  return {
    current: () => keys[0],
    find: (id) => keys.find((key) => key.id === id),
    ids: () => keys.map((key) => key.id),
  }
}

/** Reads a key ring from a private file, one key per line, newest first. Later changes to the file are picked up. */
export function keyRingFromFile(path: string, now: () => number = () => performance.now()): KeyRing {
  let loaded = readKeyFile(path)
  let checkedAt = now()

  function poll(): void {
    if (stampOf(statSync(path, { bigint: true })) !== loaded.stamp) loaded = readKeyFile(path)
    // Set only after a successful read: keys that may have been removed from the file are not trusted for another
    // second.
    checkedAt = now()
  }

  function pollNowAndThen(): void {
    if (now() - checkedAt >= LOOK_INTERVAL_MS) poll()
  }

  const findLoaded = (id: string) => loaded.keys.find((key) => key.id === id)

  return {
    file: path,
    current() {
      pollNowAndThen()
      return loaded.keys[0]
    },
    find(id) {
      const known = findLoaded(id)
      if (known) return known
      poll()
      return findLoaded(id)
    },
    ids() {
      pollNowAndThen()
      return loaded.keys.map((key) => key.id)
    },
  }
}

/**
 * Creates a key file with one new key, readable only by its owner, and returns the key's id. Fails if the file
 * exists.
 */
export function createKeyFile(path: string): string {
  const key = newKey([])
  const file = openSync(path, 'wx', 0o600)
  try {
    writeFileSync(file, formatKeys([key]))
    fsyncSync(file)
  } catch (error) {
    rmSync(path, { force: true })
    throw error
  } finally {
    closeSync(file)
  }
  syncFolder(dirname(path))
  return key.id
}

/** Adds a new newest key to a key file and returns its id. */
export function prependKey(path: string): string {
  const [newest] = changeKeyFile(path, (keys) => [newKey(keys), ...keys])
  return newest.id
}

/** Removes old keys from a key file and returns the ids that were removed. The newest key cannot be removed. */
export function dropKeys(path: string, ids: string[]): string[] {
  let dropped: Key[] = []
  changeKeyFile(path, (keys) => {
    if (ids.includes(keys[0].id)) {
      throw new Error(`Key ${keys[0].id} is the newest of ${path} and seals new values. Add a newer key first`)
    }
    dropped = keys.filter((key) => ids.includes(key.id))
    return keys.filter((key) => !ids.includes(key.id))
  })
  return dropped.map((key) => key.id)
}

function parseKeys(text: string, source: string): Key[] {
  const entries = text
    .split(/[,\n]/)
    .map((entry) => entry.trim())
    .filter((entry) => entry !== '')
  if (entries.length === 0) throw new Error(`${source} holds no key. ${REMEDY}`)

  const keys: Key[] = []
  for (const [index, entry] of entries.entries()) {
    const name = `${source}: key ${index + 1} of ${entries.length}`
    const bytes = decodeKey(entry)
    if (!bytes) throw new Error(`${name} is not 32 bytes in base64, base64url or hex. ${REMEDY}`)
    if (new Set(bytes).size < FEWEST_DISTINCT_BYTES) throw new Error(`${name} is not random. ${REMEDY}`)
    const key = keyFromBytes(bytes)
    if (keys.some((other) => other.id === key.id)) throw new Error(`${name} appears twice (id ${key.id}). Remove one`)
    keys.push(key)
  }
  return keys
}

function decodeKey(entry: string): Buffer | undefined {
  if (/^[0-9a-f]{64}$/i.test(entry)) return Buffer.from(entry, 'hex')
  const unpadded = entry.replace(/=$/, '')
  for (const encoding of ['base64', 'base64url'] as const) {
    const bytes = Buffer.from(unpadded, encoding)
    // Node silently skips characters it cannot decode. Only encoding the result again shows that nothing was skipped.
    if (bytes.length === KEY_LENGTH && bytes.toString(encoding).replace(/=$/, '') === unpadded) return bytes
  }
  return undefined
}

function keyFromBytes(bytes: Buffer): Key {
  return { id: createHash('sha256').update(bytes).digest('hex').slice(0, 8), bytes }
}

function newKey(others: Key[]): Key {
  const key = keyFromBytes(randomBytes(KEY_LENGTH))
  // Ids are short. A ring with a duplicate id could not be read again.
  return others.some((other) => other.id === key.id) ? newKey(others) : key
}

function formatKeys(keys: Key[]): string {
  return keys.map((key) => `${key.bytes.toString('base64')}\n`).join('')
}

type KeyFile = { keys: Key[]; stamp: string; owner: bigint; group: bigint }

function readKeyFile(path: string): KeyFile {
  const file = openSync(path, 'r')
  try {
    // Check the opened file, because the path could be replaced between the check and the read.
    const stat = fstatSync(file, { bigint: true })
    if (!stat.isFile()) throw new Error(`The key file ${path} is not a regular file`)
    if ((stat.mode & 0o077n) !== 0n) {
      throw new Error(`The key file ${path} is open to other users. Close it with: chmod 600 ${path}`)
    }
    const keys = parseKeys(readFileSync(file, 'utf8'), `The key file ${path}`)
    return { keys, stamp: stampOf(stat), owner: stat.uid, group: stat.gid }
  } finally {
    closeSync(file)
  }
}

// The inode distinguishes two files renamed into place within one tick of the file system's clock.
function stampOf(stat: BigIntStats): string {
  return `${stat.ino}:${stat.size}:${stat.mtimeNs}`
}

function changeKeyFile(path: string, change: (keys: Key[]) => Key[]): Key[] {
  // Follow a symbolic link, so that the rename replaces the file and not the link.
  const target = realpathSync(path)
  const temporary = `${target}.new`
  const file = openTemporary(temporary)
  let after: Key[]
  try {
    const before = readKeyFile(target)
    after = change(before.keys)
    writeFileSync(file, formatKeys(after))
    keepOwner(file, before)
    fsyncSync(file)
    renameSync(temporary, target)
  } catch (error) {
    rmSync(temporary, { force: true })
    throw error
  } finally {
    closeSync(file)
  }
  syncFolder(dirname(target))
  return after
}

// The temporary file doubles as a lock: without it, one of two concurrent rotations would undo the other and lose its
// key.
function openTemporary(temporary: string): number {
  try {
    return openSync(temporary, 'wx', 0o600)
  } catch (cause) {
    throw new Error(`Cannot create ${temporary}. If it was left by an interrupted key change, delete it`, { cause })
  }
}

// An administrator may rotate as root. The server must still be able to read the file.
function keepOwner(file: number, before: KeyFile): void {
  const stat = fstatSync(file, { bigint: true })
  if (stat.uid !== before.owner) fchownSync(file, Number(before.owner), Number(before.group))
}

function syncFolder(path: string): void {
  const folder = openSync(path, 'r')
  try {
    fsyncSync(folder)
  } finally {
    closeSync(folder)
  }
}
