/** The color of a calendar: from its provider, or one of our own. */
import type { Calendar } from '@waypost/sdk'

const ours = [1, 3, 4, 5, 6, 2].map((number) => `var(--chart-${number})`)

/** Only valid colors are used in a style. */
export function colorOf({ hex_color }: Calendar, index: number): string {
  if (hex_color && /^#[0-9a-f]{6}$/i.test(hex_color)) return hex_color
  return ours[index % ours.length] ?? 'var(--accent)'
}

export const colorOfPerson = (index: number): string => ours[(index + 1) % ours.length] ?? 'var(--accent)'
