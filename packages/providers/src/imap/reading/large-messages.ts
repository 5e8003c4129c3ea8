/** Reads large messages: the structure first, then only the text parts, so that attachments are not downloaded. */

import type { RawStructure } from '@waypost/formats/mime/imap-structure'
import { MAX_RAW_BYTES, type PartNode } from '@waypost/formats/mime/mime'
import type { TextPlan } from '@waypost/formats/parse-worker'
import type { ImapFlow } from 'imapflow'
import { inGroups } from '../../shared/pieces.ts'
import { fetchByUid, fetchOneByUid } from '../client/commands.ts'
import type { FetchedMessage } from '../client/response-parser.ts'
import type { Entry, Fetched } from '../entry.ts'
import { isRefused, isUnreadable } from '../errors.ts'
import { uidSet } from '../index/folder-index.ts'
import type { Session } from '../session.ts'
import { type Piece, startParsing } from './parsing.ts'

/** Bytes to read of one text part. */
const textBytes = 2 * 1024 * 1024
/** Further text parts are left out. */
const maxParts = 50
/** Text to fetch at a time; a message with more is read alone. */
const textAtOnce = 4 * 1024 * 1024
/** Structures held in memory at a time. */
const structuresAtOnce = 25

/** A large message whose header was fetched. */
export interface LargeMessage {
  entry: Entry
  slot: Fetched
  /** Whether the header fields are requested. */
  headers: boolean
}

/** Reads the text of large messages: together per folder, and alone if one of them causes a failure. */
export async function readLarge(session: Session, messages: readonly LargeMessage[]): Promise<void> {
  const { mailbox, io } = session
  for (const [path, some] of Map.groupBy(messages, ({ entry }) => entry.path)) {
    if (some.length === 1) continue
    for (let from = 0; from < some.length; from += structuresAtOnce) {
      const few = some.slice(from, from + structuresAtOnce)
      await leavingSpoilt(() => mailbox.in(path, { signal: io.signal }, (client) => readTogether(session, client, few)))
    }
  }
  for (const message of messages) if (!message.slot.parsing) await readAlone(session, message)
}

/** A malicious structure must only affect its own message. */
async function leavingSpoilt<T>(work: () => Promise<T>): Promise<T | undefined> {
  try {
    return await work()
  } catch (error) {
    if (!isUnreadable(error) && !isRefused(error)) throw error
    return undefined
  }
}

/** The parts to fetch of a message. */
interface Plan {
  message: LargeMessage
  /** As received: the sender decides how large it is, so it is parsed in a worker thread. */
  structure: RawStructure
  parts: readonly string[]
  /** Size of the decoded text parts. */
  sizes: readonly number[]
}

async function readTogether(session: Session, client: ImapFlow, messages: readonly LargeMessage[]): Promise<void> {
  const byUid = new Map(messages.map((message) => [message.entry.uid, message]))
  const found = await fetchByUid(client, uidSet([...byUid.keys()]), { uid: true, bodyStructure: true })
  const plans = await plansOf(session, found, byUid)
  for (const alike of Map.groupBy(plans, ({ parts }) => parts.join()).values()) {
    const fitting = alike.filter((plan) => textSize(plan) <= textAtOnce)
    for (const some of inGroups(fitting, textSize, textAtOnce)) {
      const texts = await fetchTexts(client, some)
      startParsing(
        session,
        'assemble',
        some.flatMap((plan) => pieceOf(plan, texts.get(plan.message.entry.uid))),
      )
    }
  }
}

/** The parts to fetch for messages whose structure was fetched. Messages without a valid structure are omitted. */
async function plansOf(
  { io }: Session,
  found: readonly FetchedMessage[],
  byUid: ReadonlyMap<number, LargeMessage>,
): Promise<Plan[]> {
  const reported = found.flatMap(({ uid, structure }) => {
    const message = byUid.get(uid)
    return message && structure ? [{ message, structure }] : []
  })
  const inputs = reported.map(({ structure }) => ({ structure, max: maxParts }))
  const outcomes = await io.parse.run<unknown, TextPlan | undefined>('textPlan', inputs, { signal: io.signal })
  return reported.flatMap((each, place): Plan[] => {
    const outcome = outcomes[place]
    return outcome?.ok && outcome.value ? [{ ...each, ...outcome.value }] : []
  })
}

/** No encoding uses more than three bytes for one. */
const textSize = ({ sizes }: Plan): number => sizes.reduce((sum, size) => sum + Math.min(3 * size, textBytes), 0)

interface Text {
  part: string
  bytes: Uint8Array
}

/** Fetches the same parts of several messages; the result is keyed by UID. */
async function fetchTexts(client: ImapFlow, plans: readonly Plan[]): Promise<Map<number, Text[]>> {
  const parts = plans[0]?.parts ?? []
  const uids = plans.map(({ message }) => message.entry.uid)
  if (parts.length === 0) return new Map(uids.map((uid) => [uid, []]))
  const query = { uid: true, bodyParts: parts.map((key) => ({ key, start: 0, maxLength: textBytes })) }
  const found = await fetchByUid(client, uidSet(uids), query)
  return new Map(
    found.map(({ uid, bodyParts = new Map<string, Buffer>() }) => [
      uid,
      parts.flatMap((part) => {
        const bytes = bodyParts.get(part.toLowerCase()) ?? bodyParts.get(part)
        return bytes ? [{ part, bytes }] : []
      }),
    ]),
  )
}

const pieceOf = ({ message: { entry, slot, headers }, structure }: Plan, texts: Text[] | undefined): Piece[] =>
  texts ? [{ entry, slot, input: { header: slot.header, structure, texts, headers } }] : []

async function readAlone(session: Session, message: LargeMessage): Promise<void> {
  const { mailbox, io } = session
  const { entry } = message
  const isRead = await leavingSpoilt(() =>
    mailbox.in(entry.path, { signal: io.signal }, async (client) => {
      const found = await fetchOneByUid(client, entry.uid, { bodyStructure: true })
      const [plan] = await plansOf(session, found ? [found] : [], new Map([[entry.uid, message]]))
      if (!plan) return false
      const texts = await fetchTexts(client, [plan])
      startParsing(session, 'assemble', pieceOf(plan, texts.get(entry.uid) ?? []))
      return true
    }),
  )
  if (!isRead) await readWhole(session, message)
}

/** Reads a large message whose structure the server cannot return: its bytes may still be readable. */
async function readWhole(session: Session, { entry, slot, headers }: LargeMessage): Promise<void> {
  const { mailbox, io } = session
  if (entry.size > MAX_RAW_BYTES) {
    slot.parsing = Promise.resolve({ problem: 'its structure cannot be read' })
    return
  }
  const message = await mailbox.in(entry.path, { signal: io.signal }, (client) =>
    fetchOneByUid(client, entry.uid, { source: true }),
  )
  if (!message?.source) return
  startParsing(session, 'message', [{ entry, slot, input: { source: message.source, headers } }])
  // Only one of these is in memory at a time.
  await slot.parsing
}

/** A message of which only the header is needed. */
export const headerPiece = ({ entry, slot, headers }: LargeMessage): Piece => ({
  entry,
  slot,
  input: { header: slot.header, structure: noStructure, texts: [], headers },
  isHeader: true,
})

const noStructure: PartNode = {
  part: '1',
  type: 'text/plain',
  contentType: 'text/plain',
  parameters: {},
  filename: null,
  encoding: '7bit',
  size: 0,
}
