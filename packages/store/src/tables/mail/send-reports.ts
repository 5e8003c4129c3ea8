/**
 * Bounces and complaints of sent messages, by Message-ID and recipient. The recipient and the text are encrypted. A
 * keyed hash detects repeated reports about a recipient.
 */
import type { DataSeals } from '@waypost/platform/crypto/data-seals'
import { type Queries, sql } from '../../engine/database.ts'
import { statementsOn } from '../../engine/table.ts'
import { sealedColumn } from '../../sealing/sealed-values.ts'

export interface SendReport {
  applicationId: string
  grantId: string
  /** The Message-ID of the sent message, without brackets. */
  messageId: string
  kind: 'bounce' | 'complaint'
  /** In lower case; empty if the complaint does not name the recipient. */
  recipient: string
  createdAt: number
  /** The content of the report. */
  document: object
}

interface ReportRow {
  kind: SendReport['kind']
  recipient_hash: string
  created_at: number
  sealed_report: string
}

const add = sql('send_reports.add')`
   insert into send_reports (grant_id, message_id, kind, recipient_hash, application_id, created_at, sealed_report)
   values ($1, $2, $3, $4, $5, $6, $7) on conflict do nothing`
const list = sql<ReportRow>('send_reports.list')`select kind, recipient_hash, created_at, sealed_report
   from send_reports where application_id = $1 and grant_id = $2 and message_id = $3 order by created_at, kind`

const key = 'grant_id, message_id, kind, recipient_hash, application_id'
export const purgeSendReports = statementsOn('send_reports').purge(key, 'created_at')

export const recipientHash = (seals: DataSeals, application: string, recipient: string): string =>
  seals.hash(recipient, { table: 'send_reports', column: 'recipient_hash', application })

const reportContext = sealedColumn('send_reports', 'sealed_report')
const contextOf = (
  { applicationId, grantId, messageId }: Pick<SendReport, 'applicationId' | 'grantId' | 'messageId'>,
  { kind, recipient_hash }: Pick<ReportRow, 'kind' | 'recipient_hash'>,
) => reportContext(applicationId, `${grantId} ${messageId} ${kind} ${recipient_hash}`)

/** Stores a report. True if it is the first of its kind about this recipient of this message. */
export const addSendReport = async (tx: Queries, report: SendReport, seals: DataSeals): Promise<boolean> => {
  const { grantId, messageId, kind, recipient, applicationId, createdAt, document } = report
  const hash = recipientHash(seals, applicationId, recipient)
  const context = contextOf(report, { kind, recipient_hash: hash })
  const sealed = seals.seal(JSON.stringify({ recipient, document }), context)
  return (await tx.run(add, [grantId, messageId, kind, hash, applicationId, createdAt, sealed])) > 0
}

const byRecipient = (one: SendReport, other: SendReport): number =>
  one.createdAt - other.createdAt || (one.kind + one.recipient < other.kind + other.recipient ? -1 : 1)

/** The reports about a message, in order of time, kind and recipient. */
export async function listSendReports(
  queries: Queries,
  at: Pick<SendReport, 'applicationId' | 'grantId' | 'messageId'>,
  seals: DataSeals,
): Promise<SendReport[]> {
  const { applicationId, grantId, messageId } = at
  const rows = await queries.all(list, [applicationId, grantId, messageId])
  await seals.learn(rows.map((row) => row.sealed_report))
  const reports = rows.flatMap((row): SendReport[] => {
    const text = seals.openOrLog(row.sealed_report, contextOf(at, row))
    if (text === undefined) return []
    const { recipient, document } = JSON.parse(text)
    return [{ applicationId, grantId, messageId, kind: row.kind, recipient, createdAt: row.created_at, document }]
  })
  return reports.sort(byRecipient)
}
