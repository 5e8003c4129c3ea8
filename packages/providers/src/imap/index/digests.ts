/** Hashes the bytes of messages. */
import { createHash, type Hash } from 'node:crypto'
import type { ImapFlow } from 'imapflow'
import { fetchByUid, fetchOneByUid } from '../client/commands.ts'
import { type Entry, smallMessage } from '../entry.ts'
import { isRefused } from '../errors.ts'
import { uidSet } from './folder-index.ts'

/** Bytes of small messages fetched at a time. */
const batchBytes = 4 * 1024 * 1024
/** Bytes of a large message fetched at a time. */
const pieceBytes = 512 * 1024
/** Messages that are too large to be parsed (docs/mail.md) are not compared either. */
const largestBytes = 40 * 1024 * 1024

/**
 * Reads messages of the selected folder and records their hashes; an empty hash if the server does not return the
 * bytes.
 */
export async function readDigests(client: ImapFlow, entries: readonly Entry[]): Promise<void> {
  for (const batch of batchesOf(entries.filter(({ size }) => size <= smallMessage))) await readSmall(client, batch)
  for (const entry of entries) {
    if (entry.size > smallMessage && entry.size <= largestBytes) entry.digest = await readLarge(client, entry)
  }
  for (const entry of entries) entry.digest ??= ''
}

function* batchesOf(entries: readonly Entry[]): Generator<Entry[]> {
  let batch: Entry[] = []
  let bytes = 0
  for (const entry of entries) {
    if (batch.length > 0 && bytes + entry.size > batchBytes) {
      yield batch
      batch = []
      bytes = 0
    }
    batch.push(entry)
    bytes += entry.size
  }
  if (batch.length > 0) yield batch
}

async function readSmall(client: ImapFlow, entries: readonly Entry[]): Promise<void> {
  const byUid = new Map(entries.map((entry) => [entry.uid, entry]))
  await fetchByUid(
    client,
    uidSet([...byUid.keys()]),
    { uid: true, source: true },
    {
      refused: () => undefined,
      arrived(message) {
        const entry = byUid.get(message.uid)
        if (entry && 'source' in message) entry.digest = digestOf(createHash('sha256').update(message.source ?? ''))
      },
    },
  )
}

async function readLarge(client: ImapFlow, { uid, size }: Entry): Promise<string> {
  const hash = createHash('sha256')
  try {
    for (let start = 0; ; ) {
      const message = await fetchOneByUid(client, uid, { source: { start, maxLength: pieceBytes } })
      if (!message) return ''
      const bytes = message.source ?? Buffer.alloc(0)
      hash.update(bytes)
      start += bytes.length
      // Fewer bytes mean the end. More mean the whole message, from servers that ignore the range.
      if (bytes.length !== pieceBytes) return digestOf(hash)
      if (start > 2 * size + pieceBytes) return ''
    }
  } catch (error) {
    if (isRefused(error)) return ''
    throw error
  }
}

const digestOf = (hash: Hash): string => hash.digest().subarray(0, 16).toString('base64url')
