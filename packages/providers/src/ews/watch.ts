/** Notices changes: Exchange reports that something changed, and the changes are read folder by folder. */
import type { ChangeSource } from '../provider.ts'
import { watchedParts } from '../shared/watched-parts.ts'
import { calendar } from './calendar/watch.ts'
import { contacts } from './contacts/watch.ts'
import { mail } from './mail/watch.ts'
import type { Session } from './session.ts'
import { Notifier } from './watch/notifier.ts'
import { beginPoll } from './watch/polled-folders.ts'

const parts = watchedParts<Session>([mail, calendar, contacts])

/** The notifier of a session decides when its watch polls; it ends with the session. */
const notifiers = new WeakMap<Session, Notifier>()

function notifierOf(session: Session): Notifier {
  const known = notifiers.get(session)
  if (known) return known
  const notifier = new Notifier(session)
  notifiers.set(session, notifier)
  session.io.signal.addEventListener('abort', () => void notifier[Symbol.asyncDispose](), { once: true })
  return notifier
}

export const changes: ChangeSource<Session> = {
  async since(session, cursor, options) {
    const notifier = notifierOf(session)
    notifier.beginPoll()
    beginPoll(session)
    const found = await parts.since(session, cursor, options)
    notifier.endPoll(found.changes.length > 0)
    return found
  },
  wait(session, signal) {
    const notifier = notifierOf(session)
    const rest = parts.restOf(session)
    const seconds = notifier.isTrusted ? rest : Math.min(rest, session.io.pollSeconds)
    return notifier.wait(seconds * 1000, signal)
  },
}
