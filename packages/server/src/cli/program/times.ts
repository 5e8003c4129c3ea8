import { type Arguments, textOption, UsageError } from './command.ts'

/** A time in Unix seconds, or a date with its time zone. */
export function timeOption(args: Arguments, name: string): number | undefined {
  const text = textOption(args, name)
  if (text === undefined) return undefined
  if (/^\d{1,12}$/.test(text)) return Number(text)
  const at = /^\d{4}-\d{2}-\d{2}(T[\d:.]+(Z|[+-]\d{2}:\d{2}))?$/.test(text) ? Date.parse(text) : Number.NaN
  if (Number.isNaN(at))
    throw new UsageError(`--${name} takes seconds since 1970, or a date such as 2026-11-15T06:00:00Z`)
  return Math.floor(at / 1000)
}

/** A time of the API, for people. */
export const shownTime = (seconds: number | null): string | null =>
  seconds === null ? null : new Date(seconds * 1000).toISOString().replace('.000', '')
