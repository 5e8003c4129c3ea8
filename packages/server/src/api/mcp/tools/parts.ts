/** Arguments, results and hints that several tools share. */
import { identifier } from '@waypost/contract'
import { resolveTimeZone } from '@waypost/formats/timezones/timezones'
import { textIn } from '@waypost/platform/json/values'
import { z } from 'zod'
import type { AnswerObject } from '../../http/answer.ts'
import type { Presentation, Row } from '../content/result-text.ts'
import type { ToolAnnotations } from '../tool.ts'

/** Reads only. */
export const reads: ToolAnnotations = {
  readOnlyHint: true,
  destructiveHint: false,
  idempotentHint: true,
  openWorldHint: true,
}
/** Reads nothing but the service itself. */
export const readsService: ToolAnnotations = { ...reads, openWorldHint: false }
/** Adds something. */
export const adds: ToolAnnotations = { ...reads, readOnlyHint: false, idempotentHint: false }
/** Sets something, so that a second call changes nothing. */
export const sets: ToolAnnotations = { ...reads, readOnlyHint: false, destructiveHint: true }
/** Sends or removes something for good. */
export const acts: ToolAnnotations = { ...sets, idempotentHint: false }

/** The most objects of a page. */
const pageSize = 25

export const paging = {
  limit: z
    .int()
    .min(1)
    .max(pageSize)
    .default(10)
    .meta({ description: `Page size, 1 to ${pageSize}; default 10` }),
  cursor: z
    .string()
    .min(1)
    .max(2048)
    .optional()
    .meta({ description: '`next_cursor` of the previous page, with the same other arguments' }),
}
export const nextCursor = {
  next_cursor: z.string().optional().meta({ description: 'Pass it as `cursor` for the next page; absent at the end' }),
}
export const pageQuery = ({ limit, cursor }: { limit: number; cursor?: string | undefined }) => ({
  limit,
  page_token: cursor,
})

export const timezone = {
  timezone: z
    .string()
    .max(64)
    .refine((name) => resolveTimeZone(name) !== undefined, {
      error: 'must be an IANA time zone such as Europe/Berlin',
    })
    .default('UTC')
    .meta({ description: 'IANA time zone of local times in the arguments, and for times in the result; default UTC' }),
}

const needsZone =
  'must be Unix seconds, or ISO 8601 with an offset or a zone, such as 2026-11-18T09:00:00+01:00 or 2026-11-18T09:00:00[Europe/Berlin]; a local time needs the argument timezone'

/** ISO 8601 to the minute or finer. Models also write a space for the T. */
const local = String.raw`\d{4}-\d{2}-\d{2}[T ]\d{2}:\d{2}(?::\d{2}(?:\.\d{1,9})?)?`
const localTime = new RegExp(`^${local}$`)
const exactTime = new RegExp(`^${local}(?:(?:Z|[+-]\\d{2}:\\d{2})|\\[[\\w+/-]{1,64}\\])$`)

/** Unix seconds of a text: with an offset, or with a zone in brackets (RFC 9557). Undefined if there is no such time. */
function secondsIn(text: string): number | undefined {
  const [, wall = '', zone] = /^([^[]*)(?:\[(.*)\])?$/.exec(text) ?? []
  try {
    if (zone === undefined) return Math.floor(Temporal.Instant.from(wall).epochMilliseconds / 1000)
    const resolved = resolveTimeZone(zone)
    if (resolved === undefined) return undefined
    // A time that the clocks show twice or never is no time: nobody could know which one is meant.
    const at = Temporal.PlainDateTime.from(wall).toZonedDateTime(resolved, { disambiguation: 'reject' })
    return Math.floor(at.epochMilliseconds / 1000)
  } catch {
    return undefined
  }
}

/** A time in arguments. A local time gets the zone of the argument `timezone` before it is read (`withZone`). */
export const Time = z
  .union([
    z.int().min(0).max(253_402_300_799, { error: 'must be Unix time in seconds, not milliseconds' }),
    z.string().max(120).regex(exactTime, { error: needsZone }),
  ])
  .refine((time) => typeof time === 'number' || secondsIn(time) !== undefined, {
    error:
      'is no existing time, or its clock shows it never or twice because it is changed on that day: give an offset such as +01:00',
  })
export const secondsOf = (time: z.output<typeof Time>): number =>
  typeof time === 'number' ? time : (secondsIn(time) ?? Number.NaN)
export const optionalSeconds = (time: z.output<typeof Time> | undefined): number | undefined =>
  time === undefined ? undefined : secondsOf(time)

/** Whether an argument is a time, perhaps optional or one of several forms. */
function takesTime(schema: z.core.$ZodType | undefined): boolean {
  if (schema instanceof z.ZodOptional || schema instanceof z.ZodDefault) return takesTime(schema.unwrap())
  if (schema instanceof z.ZodUnion && schema.def === Time.def) return true
  return schema instanceof z.ZodUnion && schema.options.some(takesTime)
}

/** Arguments whose local times have the zone that the argument `timezone` names. The default zone does not count. */
export function withZone(input: z.ZodRawShape, args: unknown): unknown {
  if (typeof args !== 'object' || args === null) return args
  const zone = textIn(args, 'timezone')
  if (zone === undefined || resolveTimeZone(zone) === undefined || !('timezone' in input)) return args
  const entries = Object.entries(args).map(([name, value]: [string, unknown]) => {
    const isLocal = typeof value === 'string' && localTime.test(value) && takesTime(input[name])
    return [name, isLocal ? `${value}[${resolveTimeZone(zone)}]` : value]
  })
  return Object.fromEntries(entries)
}

/** An id in the arguments. */
export const identifierOf = (what: string) => identifier().meta({ description: `Id of the ${what}` })

/** The objects in the answer of a list. The pipeline has made them by the contract. */
export const itemsOf = <T>({ data }: AnswerObject): readonly T[] => (Array.isArray(data) ? data : [])
/** The object in an answer. */
export const itemOf = <T>({ data }: AnswerObject): T => data as T

/** An object without fields that have no value. */
export const compact = <T extends object>(object: T): { [K in keyof T]: Exclude<T[K], undefined> } =>
  Object.fromEntries(Object.entries(object).filter(([, value]) => value !== undefined)) as {
    [K in keyof T]: Exclude<T[K], undefined>
  }

/** A page of a list as the result of a tool. `one` is the word for an object. */
export function pageOf<T>(
  page: AnswerObject,
  { name, one }: { name: string; one: string },
  rowOf: (item: T) => Row,
): Presentation {
  const rows = itemsOf<T>(page).map(rowOf)
  return { summary: counted(rows.length, one), rows: { name, rows }, nextCursor: page.next_cursor }
}

/** `3 messages.` */
export const counted = (number: number, one: string, many = `${one}s`): string =>
  number === 0 ? `No ${many}.` : `${number} ${number === 1 ? one : many}.`
