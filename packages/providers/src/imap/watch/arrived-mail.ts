/** Reads the content of new messages: delivery reports and calendar objects. */
import type { Message } from '@waypost/contract'
import type { ItipMail } from '@waypost/formats/itip/mail'
import type { Report } from '@waypost/formats/parse-worker'
import { readItip, readReports } from '../../mail/message-notifications.ts'
import type { Group } from '../entry.ts'
import { readAll } from '../reading/read-messages.ts'
import type { Session } from '../session.ts'

/** A report contains at most the message it is about; a larger message is not a report. */
const reportBytes = 40 * 1024 * 1024
/** Invitations have small attachments at most. */
const itipBytes = 10 * 1024 * 1024
/** Folders of messages that were not received: written by the account, deleted, or spam. */
const notDelivered: ReadonlySet<string> = new Set(['\\Sent', '\\Drafts', '\\Trash', '\\Junk'])

export interface Arrived {
  message: Message
  group: Group
}

/** The reports and calendar objects in new messages, by message id. `uses` has the special use of each folder. */
export async function readArrived(
  session: Session,
  arrived: readonly Arrived[],
  uses: ReadonlyMap<string, string | undefined>,
): Promise<{ reports: Map<string, Report>; itip: Map<string, ItipMail> }> {
  const { io } = session
  const sourcesOf = (suspects: readonly Arrived[], bytes: number) =>
    readSources(
      session,
      suspects.map(({ group }) => group),
      bytes,
    )
  const isDelivered = ({ group: { entries } }: Arrived): boolean =>
    entries.some(({ path }) => !notDelivered.has(uses.get(path) ?? ''))
  const reports = await readReports(io, arrived, (suspects) => sourcesOf(suspects, reportBytes))
  const delivered = (await readsItip(session)) ? arrived.filter(isDelivered) : []
  return { reports, itip: await readItip(io, delivered, (suspects) => sourcesOf(suspects, itipBytes)) }
}

/** If this cannot be decided now, the mail is read anyway: it is decided again before it is used. */
const readsItip = async (session: Session): Promise<boolean> => (await session.readsItip?.().catch(() => true)) ?? false

/** The bytes of messages up to a size. */
async function readSources(
  session: Session,
  groups: readonly Group[],
  bytes: number,
): Promise<{ id: string; source: Uint8Array }[]> {
  const fits = groups.filter(({ entries }) => entries.every(({ size }) => size <= bytes))
  const read = await readAll(session, fits, { fields: 'raw_mime', content: true })
  return read.flatMap(({ group, raw }) => (raw ? [{ id: group.id, source: raw }] : []))
}
