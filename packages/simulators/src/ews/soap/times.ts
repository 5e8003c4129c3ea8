// The format of times.
import type { EwsCall } from '../model.ts'

/** A time as Exchange writes it. */
export function timeText({ milliseconds }: Pick<EwsCall, 'milliseconds'>, ms: number): string {
  const text = new Date(ms).toISOString()
  return milliseconds ? text : text.replace(/\.\d+/, '')
}
