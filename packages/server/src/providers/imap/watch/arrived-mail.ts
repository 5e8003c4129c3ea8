/** What messages that came say beside what they are: reports of mail systems, and what they say about events. */
import type { Message } from '@waypost/contract'
import type { ItipMail } from '../../../formats/itip/mail.ts'
import type { Report } from '../../../formats/mime/parse-worker.ts'
import { readItip, readReports } from '../../mail/arrivals.ts'
import type { Group } from '../index/message-group.ts'
import { readAll } from '../reading/read-messages.ts'
import type { Session } from '../session.ts'

/** Reports carry at most the message that they are about; what is larger is none. */
const reportBytes = 40 * 1024 * 1024
/** Invitations come with a few files at most. */
const itipBytes = 10 * 1024 * 1024
/** What the account wrote, threw away or takes for spam was not sent to it. */
const notDelivered: ReadonlySet<string> = new Set(['\\Sent', '\\Drafts', '\\Trash', '\\Junk'])

export interface Arrived {
  message: Message
  group: Group
}

/** What is said in messages that came, by their ids; `uses` says what each folder is for. */
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

/** Where it cannot be known now, what came is read: it is decided again before anything is done with it. */
const readsItip = async (session: Session): Promise<boolean> => (await session.readsItip?.().catch(() => true)) ?? false

/** The bytes of messages that are no larger than what is looked for in them. */
async function readSources(
  session: Session,
  groups: readonly Group[],
  bytes: number,
): Promise<{ id: string; source: Uint8Array }[]> {
  const fits = groups.filter(({ entries }) => entries.every(({ size }) => size <= bytes))
  const read = await readAll(session, fits, { fields: 'raw_mime', content: true })
  return read.flatMap(({ group, raw }) => (raw ? [{ id: group.id, source: raw }] : []))
}
