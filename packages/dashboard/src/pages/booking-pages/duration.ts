import { sayMinutes } from './minutes.ts'

/** Usual durations in minutes. */
const durations = [15, 20, 30, 45, 60, 90, 120]

/** Usual durations and the current one. */
export function durationOptions(current: number): (readonly [string, string])[] {
  const all = durations.includes(current) ? durations : [...durations, current].sort((a, b) => a - b)
  return all.map((minutes) => [String(minutes), sayMinutes(minutes)])
}
