/** Minutes in the largest unit that fits: 1440 is one day. Pure. */
export const units = [
  ['minutes', 1],
  ['hours', 60],
  ['days', 1440],
] as const
export type Unit = (typeof units)[number][0]

const factorOf = (unit: Unit): number => units.find(([name]) => name === unit)?.[1] ?? 1

export function splitMinutes(minutes: number): { amount: number; unit: Unit } {
  const [unit, factor] = units.findLast(([, each]) => minutes !== 0 && minutes % each === 0) ?? units[0]
  return { amount: minutes / factor, unit }
}

export const joinMinutes = (amount: number, unit: Unit): number => Math.round(amount * factorOf(unit))

/** `90` as "90 minutes", `1440` as "1 day". */
export function sayMinutes(minutes: number): string {
  const { amount, unit } = splitMinutes(minutes)
  return `${amount} ${amount === 1 ? unit.slice(0, -1) : unit}`
}

/** Usual durations in minutes. */
const durations = [15, 20, 30, 45, 60, 90, 120]

/** Usual durations and the current one. */
export function durationOptions(current: number): (readonly [string, string])[] {
  const all = durations.includes(current) ? durations : [...durations, current].sort((a, b) => a - b)
  return all.map((minutes) => [String(minutes), sayMinutes(minutes)])
}
