/** Bounces and complaints of sent messages, by Message-ID and recipient. */
import { type Queries, sql } from './database.ts'

export interface SendReport {
  applicationId: string
  grantId: string
  /** The Message-ID of what was sent, without brackets. */
  messageId: string
  kind: 'bounce' | 'complaint'
  /** In lower case; empty where it is not told who complained. */
  recipient: string
  createdAt: number
  /** What was said. */
  document: object
}

interface ReportRow {
  kind: SendReport['kind']
  recipient: string
  created_at: number
  document: string
}

const add = sql(
  'send_reports.add',
  `insert into send_reports (grant_id, message_id, kind, recipient, application_id, created_at, document)
   values ($1, $2, $3, $4, $5, $6, $7) on conflict do nothing`,
)
const list = sql<ReportRow>(
  'send_reports.list',
  `select kind, recipient, created_at, document from send_reports
   where application_id = $1 and grant_id = $2 and message_id = $3 order by created_at, kind, recipient`,
)

const purge = sql(
  'send_reports.purge',
  `delete from send_reports where (grant_id, message_id, kind, recipient) in (
     select grant_id, message_id, kind, recipient from send_reports where created_at < $1 order by created_at limit 1000)`,
)

/** Removes a piece of what is older than a time; answers whether there may be more. */
export const purgeSendReports = async (queries: Queries, before: number): Promise<boolean> =>
  (await queries.run(purge, [before])) > 0

/** Keeps a report; answers whether it is the first of its kind about this recipient of this message. */
export const addSendReport = async (tx: Queries, report: SendReport): Promise<boolean> => {
  const { grantId, messageId, kind, recipient, applicationId, createdAt, document } = report
  const row = [grantId, messageId, kind, recipient, applicationId, createdAt, JSON.stringify(document)]
  return (await tx.run(add, row)) > 0
}

/** What came back of a message. */
export async function listSendReports(
  queries: Queries,
  { applicationId, grantId, messageId }: Pick<SendReport, 'applicationId' | 'grantId' | 'messageId'>,
): Promise<SendReport[]> {
  const rows = await queries.all(list, [applicationId, grantId, messageId])
  return rows.map(({ kind, recipient, created_at, document }) => ({
    ...{ applicationId, grantId, messageId, kind, recipient, createdAt: created_at },
    document: JSON.parse(document),
  }))
}
