/** Collaborators for sessions of accounts that are stored in our own tables. */
import type { Clock } from '@waypost/platform/clock'
import type { DataSeals } from '@waypost/platform/crypto/data-seals'
import { type LocalIo, type SharedValues, sharedOf } from '@waypost/providers/io'
import type { Queries } from '@waypost/store/engine/database'
import { type Reach, virtualTables } from '@waypost/store/tables/calendars-contacts/virtual-tables'
import type { GrantRecord } from '@waypost/store/tables/grants/grants'
import type { Notify } from './notify.ts'
import { queueMail, takeMails } from './queued-mail.ts'

interface LocalParts {
  clock: Clock
  seals: DataSeals
  notify: Notify
  baseUrl: string
  shared: SharedValues
  mailAddress: string | undefined
  readsReplies: boolean
  mailPerDay: number
}

interface LocalUse {
  queries: Queries
  responseHeaders: Record<string, string>
  reach?: Reach | undefined
}

export function localIo(parts: LocalParts, record: GrantRecord, use: LocalUse): LocalIo {
  const { applicationId, grant } = record
  return {
    baseUrl: parts.baseUrl,
    clock: parts.clock,
    shared: (name, make) => sharedOf(parts.shared, grant.provider, { name, make }),
    setResponseHeader: (header, text) => sayInHeader(use.responseHeaders, header, text),
    tables: virtualTables(use.queries, { applicationId, grantId: grant.id, kind: grant.provider, reach: use.reach }),
    mail: mailboxOf(parts, record, use),
    notify: notifying(parts, record, use),
  }
}

/** The service's own mail identity, if it has one. */
function mailboxOf(parts: LocalParts, { applicationId, grant }: GrantRecord, { queries }: LocalUse): LocalIo['mail'] {
  const { mailAddress: address, readsReplies, mailPerDay: usual, clock, seals } = parts
  if (address === undefined) return undefined
  return {
    address,
    readsReplies,
    async queue(...mails) {
      const now = clock.now()
      const count = mails.reduce((sum, { next }) => sum + (next ? 2 : 1), 0)
      await takeMails(queries, applicationId, { count, usual, now })
      for (const mail of mails) await queueMail(queries, seals, { applicationId, grantId: grant.id, mail, now })
    },
  }
}

/** Notifies the application of changes of a grant, in the transaction of the change. */
export const notifying = (
  { notify }: { notify: Notify },
  { applicationId, grant }: GrantRecord,
  { queries }: { queries: Queries },
): LocalIo['notify'] => {
  const { id: grantId, provider } = grant
  return (trigger, object) => notify(queries, { applicationId, grantId, provider, trigger, object })
}

/** Adds text to a response header, after any text that is already there. */
export function sayInHeader(headers: Record<string, string>, header: string, text: string): void {
  const said = headers[header]
  // Clients and proxies accept only a few kilobytes of headers.
  if ((said?.length ?? 0) + text.length > 2_000) return
  headers[header] = said ? `${said}, ${text}` : text
}
