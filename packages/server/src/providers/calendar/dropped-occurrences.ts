/** Tells the client which changed occurrences a change of their series has dropped, because it does not have them any more. */
import type { SessionIo } from '../io.ts'

/** More would make a header too long for some proxies. */
const mostNamed = 50

/** Names the original starts, as instance ids end with them. */
export function reportDropped({ io }: { io: Pick<SessionIo, 'setResponseHeader'> }, slots: readonly string[]): void {
  if (slots.length === 0) return
  const more = slots.length > mostNamed ? `, and ${slots.length - mostNamed} more` : ''
  io.setResponseHeader('x-dropped-occurrences', `${slots.slice(0, mostNamed).join(', ')}${more}`)
}
