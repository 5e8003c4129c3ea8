/** Reports which changed occurrences were dropped because their series no longer has them. */
import type { SessionIo } from '../io.ts'

/** A longer header would exceed the limits of some proxies. */
const maxNamed = 50

/** Lists the original starts, as at the end of instance ids. */
export function reportDropped({ io }: { io: Pick<SessionIo, 'setResponseHeader'> }, slots: readonly string[]): void {
  if (slots.length === 0) return
  const more = slots.length > maxNamed ? `, and ${slots.length - maxNamed} more` : ''
  io.setResponseHeader('x-dropped-occurrences', `${slots.slice(0, maxNamed).join(', ')}${more}`)
}
