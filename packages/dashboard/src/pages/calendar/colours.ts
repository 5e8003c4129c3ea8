/** The colour of a calendar: the one it has at its provider, or one of ours. */
import type { Calendar } from '@waypost/sdk'

const ours = [1, 3, 4, 5, 6, 2].map((number) => `var(--chart-${number})`)

/** Only what is a colour goes into a style. */
export function colourOf({ hex_color }: Calendar, index: number): string {
  if (hex_color && /^#[0-9a-f]{6}$/i.test(hex_color)) return hex_color
  return ours[index % ours.length] ?? 'var(--accent)'
}

export const colourOfPerson = (index: number): string => ours[(index + 1) % ours.length] ?? 'var(--accent)'
