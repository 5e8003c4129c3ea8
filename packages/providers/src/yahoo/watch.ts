/** Watches Yahoo mailboxes, if the grant allows access to mail. */
import { sleep } from '@waypost/platform/clock'
import type { Session } from '../imap/session.ts'
import { changes as mailChanges } from '../imap/watch/watch.ts'
import type { ChangeSource } from '../provider.ts'
import { canonicalScope, mailScopes } from './scopes.ts'
import { isByPassword } from './session.ts'

/** A token without a mail scope would be refused, which says nothing about the account. */
const hasMail = ({ grant }: Session): boolean =>
  isByPassword(grant) || grant.scope.some((scope) => mailScopes.includes(canonicalScope(scope)))

export const changes: ChangeSource<Session> = {
  since: (session, cursor, options) =>
    hasMail(session)
      ? mailChanges.since(session, cursor || undefined, options)
      : Promise.resolve({ changes: [], cursor: '' }),
  async wait(session, signal) {
    if (hasMail(session)) return mailChanges.wait(session, signal)
    await sleep(session.io.pollSeconds * 1000, signal)
    return 'time'
  },
}
