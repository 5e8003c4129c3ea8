/** Arguments, results and hints that several tools share. */
import { identifier } from '@waypost/contract'
import { z } from 'zod'
import { resolveTimeZone } from '../../../formats/timezones/timezones.ts'
import type { AnswerObject } from '../../http/answer.ts'
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
    .meta({ description: 'IANA time zone for times in the result; default UTC' }),
}

/**
 * A time in arguments: Unix seconds, or ISO 8601 with an offset. A time without an offset would be ambiguous.
 */
export const Time = z
  .union([
    z.int().min(0).max(253_402_300_799, { error: 'must be Unix time in seconds, not milliseconds' }),
    z
      .string()
      .max(40)
      .regex(/^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}(:\d{2}(\.\d+)?)?(Z|[+-]\d{2}:\d{2})$/, {
        error: 'must be Unix seconds, or ISO 8601 with an offset such as 2026-11-18T09:00:00+01:00',
      }),
  ])
  .refine((time) => typeof time === 'number' || !Number.isNaN(Date.parse(time)), { error: 'is no existing time' })
export const secondsOf = (time: z.output<typeof Time>): number =>
  typeof time === 'number' ? time : Math.floor(Date.parse(time) / 1000)
export const optionalSeconds = (time: z.output<typeof Time> | undefined): number | undefined =>
  time === undefined ? undefined : secondsOf(time)

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

/** `3 messages.` */
export const counted = (number: number, one: string, many = `${one}s`): string =>
  number === 0 ? `No ${many}.` : `${number} ${number === 1 ? one : many}.`
