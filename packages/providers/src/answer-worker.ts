// Functions that run in the threads for reading answers, which untrusted servers may have written. Each function
// bounds its work and returns slices, which the main thread unpacks a few at a time.
import { type StoredEvents, storedEvents } from '@waypost/formats/icalendar/stored-events'
import { flattenJson, JsonTooLarge } from '@waypost/platform/json/slices'
import { type Slices, SliceWriter } from '@waypost/platform/parsing/slices'
import { flattenXml } from '@waypost/platform/xml/slices'
import { parseXml, type XmlElement } from '@waypost/platform/xml/xml'
import { type FreeBusyAnswer, readFreeBusyResponse } from './dav/caldav/mapping/free-busy.ts'
import { type CardContent, cardContent } from './dav/carddav/mapping/card.ts'
import {
  answerLimits,
  type MultiStatusEnd,
  type MultiStatusSource,
  type ReportedResponse,
  readMultiStatus,
} from './dav/multistatus.ts'
import { answerLimits as envelopeLimits } from './ews/soap/answer-limits.ts'

/** A 207 answer of a DAV server; undefined if it is other XML. */
export function multiStatus(source: MultiStatusSource): (MultiStatusEnd & { slices: Slices }) | undefined {
  const writer = new SliceWriter<ReportedResponse>()
  const end = readMultiStatus(source, answerLimits, (response) => writer.add(response, weightOf(response)))
  return end && { ...end, slices: writer.slices() }
}

function weightOf({ href, props, propStatus }: ReportedResponse): { characters: number; objects: number } {
  let characters = href.length
  let objects = 3 + propStatus.length
  const count = (element: XmlElement): void => {
    characters += element.text.length
    objects += 3
    for (const child of element.children) count(child)
  }
  for (const [, element] of props) count(element)
  return { characters, objects }
}

/** An answer of an Exchange server. */
export const envelope = ({ body }: { body: Uint8Array }): Slices => flattenXml(parseXml(body, envelopeLimits))

/** Texts of objects that a thread parses together, and the zone of floating times. */
interface TextBatch {
  texts: readonly string[]
  zone: string
}

/** Calendar objects; a failure affects only its own object. */
export function events({ texts, zone }: TextBatch): Slices {
  const writer = new SliceWriter<StoredEvents>()
  for (const text of texts) {
    const read = storedEvents(text, { zone })
    const objects = typeof read === 'string' ? 1 : 40 + 40 * read.overrides.length + peopleIn(read)
    writer.add(read, { characters: Math.min(text.length, maxRead), objects })
  }
  return writer.slices()
}

/** Attachments are not read. */
const maxRead = 256 * 1024

const peopleIn = ({ main, overrides }: Exclude<StoredEvents, string>): number =>
  (main?.participants.length ?? 0) + overrides.reduce((sum, { fields }) => sum + fields.participants.length, 0)

/** Cards; a failure affects only its own card. */
export function cards({ texts }: TextBatch): Slices {
  const writer = new SliceWriter<CardContent>()
  for (const text of texts) writer.add(cardContent(text), { characters: Math.min(text.length, maxRead), objects: 30 })
  return writer.slices()
}

/** When other people are busy, by address. */
export const freeBusy = ({ body }: { body: Uint8Array }): [string, FreeBusyAnswer][] => [...readFreeBusyResponse(body)]

/** A JSON answer. Members are counted before it is parsed, because a value takes far more memory than its text. */
export function json({ body }: { body: Uint8Array }): Slices {
  const [comma, colon] = [0x2c, 0x3a]
  let left = maxMarks
  for (const byte of body)
    if ((byte === comma || byte === colon) && left-- <= 0) throw new JsonTooLarge('it has too many values')
  return flattenJson(JSON.parse(Buffer.from(body.buffer, body.byteOffset, body.byteLength).toString()))
}

/** Commas and colons, including those in texts. */
const maxMarks = 4_000_000
