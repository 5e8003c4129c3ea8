/** The provider account that a message is sent from. */

import { ApiError } from '@waypost/platform/api-error'
import type { CallCount } from '@waypost/providers/call-count'
import { withOutline } from '@waypost/providers/mail/outline'
import type { FiledCopy, MailObject, OutgoingMessage, SentMessage } from '@waypost/providers/operations'
import { SendFailed, type SentMail } from '@waypost/providers/provider'
import type { Database } from '@waypost/store/engine/database'
import type { GrantRecord } from '@waypost/store/tables/grants/grants'
import type { SendRow } from '@waypost/store/tables/mail/sends'
import type { Sessions, Use } from '../../grants/sessions.ts'
import { composeFromDraft, type ReadMessage } from '../compose/raw.ts'

/** For sending a draft, its headers are enough. */
const nothingElse: ReadMessage = async () => ({ body: '', isHtml: false, snippet: '', attachments: [] })

export interface SendingAccount {
  /** See `Operations.messages.send`. */
  transmit(mail: MailObject, begin: () => Promise<void>): Promise<SentMessage>
  /** The account's sent mail; undefined if the provider has none that can be searched. */
  sent:
    | { find(messageId: string): Promise<string | undefined>; file(mail: MailObject): Promise<FiledCopy | undefined> }
    | undefined
  /** The message to send for a draft. */
  mailOfDraft(draftId: string, named: { messageId: string; date: Date }): Promise<MailObject>
  /** The same account with another abort signal. */
  under(signal: AbortSignal): SendingAccount
}

/** Opens the account of a message. Throws if the grant cannot be used now. */
export async function openAccount(
  { sessions, database }: { sessions: Sessions; database: Database },
  { application_id, grant_id }: Pick<SendRow, 'application_id' | 'grant_id'>,
  signal: AbortSignal,
): Promise<SendingAccount> {
  const record = await sessions.find(application_id, { by: 'id', value: grant_id })
  return accountOf({ sessions, database }, record, { signal })
}

/** The account of a grant that is already loaded. */
export function accountOf(
  { sessions, database }: { sessions: Sessions; database: Database },
  record: GrantRecord,
  { signal, calls }: { signal: AbortSignal; calls?: CallCount | undefined },
): SendingAccount {
  const use: Use = { queries: database, signal: () => signal, responseHeaders: {}, calls }
  const provider = sessions.providerOf(record, 'messages.send')
  const outgoing = (mail: MailObject): OutgoingMessage => withOutline(mail, { parse: sessions.parse, signal })
  const transmit = sessions.operation(record, { resource: 'messages', operation: 'send' }, use)
  const { sent } = provider
  const judged = async <T>(work: (mail: SentMail<unknown>, session: unknown) => Promise<T>): Promise<T> => {
    if (!sent) throw new ApiError('not_supported_by_provider')
    try {
      return await work(sent, sessions.open(record, 'messages.send', use))
    } catch (error) {
      throw await sessions.judge(record, error)
    }
  }
  return {
    transmit: (mail, begin) => transmit(outgoing(mail), begin),
    sent: sent && {
      find: (messageId) => judged((mail, session) => mail.find(session, messageId)),
      file: (mail) => judged((of, session) => of.file(session, outgoing(mail))),
    },
    async mailOfDraft(draftId, { messageId, date }) {
      if (!provider.draftSource) throw new ApiError('not_supported_by_provider')
      try {
        const source = await provider.draftSource(sessions.open(record, 'messages.send', use), { draft_id: draftId })
        const {
          from,
          recipients,
          source: bytes,
        } = await composeFromDraft({ source, account: record.grant, messageId, date }, nothingElse)
        return { messageId, from, recipients, source: bytes, draftId }
      } catch (error) {
        if (error instanceof ApiError && error.code === 'not_found') {
          throw new SendFailed('the draft that was to be sent no longer exists', { permanent: true, cause: error })
        }
        throw await sessions.judge(record, error)
      }
    },
    under: (other) => accountOf({ sessions, database }, record, { signal: other, calls }),
  }
}
