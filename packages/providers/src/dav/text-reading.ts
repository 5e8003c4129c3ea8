/**
 * Parses the texts of stored objects: a few small ones on the main thread, with pauses for other work, all others in
 * worker threads. Small texts whose rules take many steps continue in worker threads, too. An object that exceeds a limit or takes too long is marked; the others are still parsed.
 */

import { MAX_STEPS, Steps } from '@waypost/formats/recurrence/steps'
import { type Slices, unpackSlices } from '@waypost/platform/parsing/slices'
import { forEachYielding, yieldBetween } from '@waypost/platform/parsing/yielding'
import type { Io } from '../io.ts'
import { smallAnswer } from '../shared/answer-threads.ts'
import { inGroups } from '../shared/pieces.ts'

export interface TextReading<T> {
  kind: 'events' | 'cards'
  zone: string
  /** Parses one text on the current thread, with at most these steps. */
  readHere(text: string, steps: Steps): T
}

/** The session fields that parsing needs. */
export interface ReadingSession {
  readonly grant: { readonly id: string }
  readonly io: Pick<Io, 'answers' | 'log' | 'signal'>
}

/** A text up to this length counts as small, if all texts together do. */
const smallText = 64 * 1024
/** The size of one unit of work for a thread, and the amount sent at once. */
const batchCharacters = 256 * 1024
const batchTexts = 500
const travelCharacters = 4 * 1024 * 1024

/** The parsed texts, in order; `too large` for each that exceeds a limit. */
export async function readTexts<T>(
  io: Pick<Io, 'answers' | 'signal'>,
  texts: readonly string[],
  reading: TextReading<T>,
): Promise<(T | 'too large')[]> {
  const isSmall = charactersOf(texts) <= smallAnswer && texts.every((text) => text.length <= smallText)
  return isSmall || !io.answers ? readHere(io, texts, reading) : readInThreads(io, texts, reading)
}

/** Objects with their parsed texts, in order; `leftOut` is logged if some are too large. */
export async function readContents<O extends { data: string }, T>(
  { io, grant }: ReadingSession,
  objects: readonly O[],
  { leftOut, ...reading }: TextReading<T> & { leftOut: string },
): Promise<{ object: O; content: T | 'too large' }[]> {
  const texts = objects.map(({ data }) => data)
  const read = await readTexts(io, texts, reading)
  const count = read.filter((content) => content === 'too large').length
  if (count > 0) io.log.warn({ grant_id: grant.id, count }, leftOut)
  const found: { object: O; content: T | 'too large' }[] = []
  await forEachYielding(objects, (object) => found.push({ object, content: read[found.length] ?? 'too large' }))
  return found
}

/** The steps that all texts together may take on the main thread. */
const stepsHere = 4 * MAX_STEPS

async function readHere<T>(
  io: Pick<Io, 'answers' | 'signal'>,
  texts: readonly string[],
  reading: TextReading<T>,
): Promise<(T | 'too large')[]> {
  const othersTurn = yieldBetween()
  const steps = new Steps(io.answers ? stepsHere : Number.POSITIVE_INFINITY)
  const found: (T | 'too large')[] = []
  for (const [index, text] of texts.entries()) {
    await othersTurn()
    // A text is only begun with all the steps that it may take, so its content does not depend on the others.
    if (steps.left < MAX_STEPS) return found.concat(await readInThreads(io, texts.slice(index), reading))
    found.push(reading.readHere(text, steps.part()))
  }
  return found
}

async function readInThreads<T>(
  { answers, signal }: Pick<Io, 'answers' | 'signal'>,
  texts: readonly string[],
  { kind, zone }: TextReading<T>,
): Promise<(T | 'too large')[]> {
  const found: (T | 'too large')[] = []
  for (const trip of inGroups(batchesOf(texts), charactersOf, travelCharacters)) {
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

/** A long text gets its own batch, so that no other is lost if it takes too long. */
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

const charactersOf = (texts: readonly string[]): number => texts.reduce((sum, text) => sum + text.length, 0)
