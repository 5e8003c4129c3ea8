/**
 * Reads the texts of objects that a server stores: a few small ones on the main thread, with pauses for other work, and
 * all others in threads. An object that exceeds a limit, or takes too long, is marked as such; the others are read.
 */
import { type Slices, unpackSlices } from '../../lib/parsing/slices.ts'
import { yieldBetween } from '../../lib/parsing/yielding.ts'
import type { Io } from '../io.ts'
import { smallAnswer } from '../shared/answer-threads.ts'

export interface TextReading<T> {
  kind: 'events' | 'cards'
  zone: string
  /** Reads one text where it is. */
  readHere(text: string): T
}

/** A text of this length is small, where all of them together are. */
const smallText = 64 * 1024
/** What a thread is given as one piece of work, and what travels at once. */
const batchCharacters = 256 * 1024
const batchTexts = 500
const travelCharacters = 4 * 1024 * 1024

/** What each text says, in order; `too large` where it exceeds a limit. */
export async function readTexts<T>(
  io: Pick<Io, 'answers' | 'signal'>,
  texts: readonly string[],
  reading: TextReading<T>,
): Promise<(T | 'too large')[]> {
  const total = texts.reduce((sum, text) => sum + text.length, 0)
  const isSmall = total <= smallAnswer && texts.every((text) => text.length <= smallText)
  return isSmall || !io.answers ? readHere(texts, reading) : readInThreads(io, texts, reading)
}

async function readHere<T>(texts: readonly string[], { readHere: read }: TextReading<T>): Promise<T[]> {
  const othersTurn = yieldBetween()
  const found: T[] = []
  for (const text of texts) {
    await othersTurn()
    found.push(read(text))
  }
  return found
}

async function readInThreads<T>(
  { answers, signal }: Pick<Io, 'answers' | 'signal'>,
  texts: readonly string[],
  { kind, zone }: TextReading<T>,
): Promise<(T | 'too large')[]> {
  const found: (T | 'too large')[] = []
  for (const trip of inGroups(batchesOf(texts), travelCharacters)) {
    const outcomes = (await answers?.run(
      kind,
      trip.map((batch) => ({ texts: batch, zone })),
      signal,
    )) as { ok: boolean; value?: Slices }[] | undefined
    for (const [index, batch] of trip.entries()) {
      const slices = outcomes?.[index]?.value
      const before = found.length
      if (slices) await unpackSlices<T | 'too large'>(slices, (read) => found.push(read))
      while (found.length < before + batch.length) found.push('too large')
    }
  }
  return found
}

/** A long text goes alone: where it takes too long, no other is lost with it. */
function batchesOf(texts: readonly string[]): string[][] {
  const batches: string[][] = []
  let last: string[] = []
  let characters = 0
  for (const text of texts) {
    const isFull = characters + text.length > batchCharacters || last.length >= batchTexts
    if (last.length === 0 || isFull) {
      last = []
      batches.push(last)
      characters = 0
    }
    last.push(text)
    characters += text.length
  }
  return batches
}

function inGroups(batches: readonly string[][], most: number): string[][][] {
  const groups: string[][][] = []
  let left = 0
  for (const batch of batches) {
    const characters = batch.reduce((sum, text) => sum + text.length, 0)
    if (groups.length === 0 || characters > left) {
      groups.push([])
      left = most
    }
    groups.at(-1)?.push(batch)
    left -= characters
  }
  return groups
}
