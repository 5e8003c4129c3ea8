/**
 * Mails to the owners of accounts about actions that wait for approval. They are sent by the service's own identity,
 * never by the account. A job is written with the approval. It waits a moment, because the person at an MCP client
 * often decides at once, and does nothing if the approval is decided by then.
 */
import type { ApprovalKind } from '@waypost/contract'
import { oneLine } from '@waypost/formats/icalendar/icalendar'
import { escapeHtml, type MailText } from '@waypost/formats/itip/invitation-text'
import { isMailAddress } from '@waypost/formats/itip/itip'
import { ApiError } from '@waypost/platform/api-error'
import type { Clock } from '@waypost/platform/clock'
import type { DataSeals } from '@waypost/platform/crypto/data-seals'
import type { Log } from '@waypost/platform/log'
import { findProvider, type Providers } from '@waypost/providers/registry'
import type { Database, Queries } from '@waypost/store/engine/database'
import { listApprovals } from '@waypost/store/tables/agents/approvals'
import { getApplication } from '@waypost/store/tables/applications/applications'
import { type GrantRecord, getGrant } from '@waypost/store/tables/grants/grants'
import { addToOutbox, takeOutbox } from '@waypost/store/tables/notifications/outbox'
import { queueSealed, takeMails } from '../../grants/queued-mail.ts'
import type { JobHandlers } from '../../outbox/runner.ts'
import { sendIdOf } from '../../sending/ledger/send-keys.ts'
import { type ApprovalRecord, findApproval } from './approval-record.ts'
import { type JobPayload, jobIdOf, mailJob } from './tools.ts'

interface OwnerMailTools {
  database: Database
  clock: Clock
  log: Log
  seals: DataSeals
  providers: Providers
  baseUrl: string
  /** The address of the service's own mail identity, if it has one. */
  mailAddress: string | undefined
  /** Messages per day that an application may send through it. */
  mailPerDay: number
  /** How long the mail waits for a decision. */
  delayMs?: number | undefined
}

export interface OwnerMails {
  /** Queues the mail about a new approval, in its transaction. */
  queue(tx: Queries, record: ApprovalRecord): Promise<void>
  handlers: JobHandlers<typeof mailJob>
}

const usualDelayMs = 20_000
/** While so many actions of an account wait, its owner gets no further mail: each mail leads to all of them. */
const maxMails = 5

/** Whether people can sign in to accounts of a provider. Administrators decide about the others. */
const hasSignIn = (providers: Providers, kind: string): boolean => {
  const provider = findProvider(providers, kind)
  return Boolean(provider?.oauth || provider?.form)
}

export function createOwnerMails(tools: OwnerMailTools): OwnerMails {
  return {
    queue: (tx, record) => queueMail(tools, tx, record),
    handlers: { [mailJob]: (payload) => sendMail(tools, JSON.parse(payload)) },
  }
}

/** The account of an approval, if its owner can get a mail and decide. */
async function accountOf(
  { providers, mailAddress }: OwnerMailTools,
  queries: Queries,
  { applicationId, grantId }: ApprovalRecord,
): Promise<GrantRecord | undefined> {
  if (mailAddress === undefined || grantId === null) return undefined
  const account = await getGrant(queries, applicationId, grantId)
  return account && hasSignIn(providers, account.grant.provider) && isMailAddress(account.grant.email)
    ? account
    : undefined
}

async function queueMail(tools: OwnerMailTools, tx: Queries, record: ApprovalRecord): Promise<void> {
  const account = await accountOf(tools, tx, record)
  if (!account) return
  const { applicationId, id } = record
  const grantId = account.grant.id
  const filter = { applicationId, grantIds: [grantId], status: 'pending' } as const
  const { rows } = await listApprovals(tx, filter, { limit: maxMails + 1 })
  if (rows.length > maxMails) return
  const payload: JobPayload = { applicationId, id }
  const now = tools.clock.now()
  const job = { id: jobIdOf(record, mailJob), applicationId, grantId, kind: mailJob }
  await addToOutbox(tx, {
    ...job,
    payload: JSON.stringify(payload),
    dueAt: now + (tools.delayMs ?? usualDelayMs),
    now,
  })
}

/** Gives the mail to the queue of the service's identity, once: the job removes itself in the same transaction. */
async function sendMail(tools: OwnerMailTools, at: JobPayload): Promise<void> {
  const { database, clock, seals, log } = tools
  const record = await findApproval(database, seals, at)
  const now = clock.now()
  if (record?.status !== 'pending' || record.expiresAt <= now) return
  const account = await accountOf(tools, database, record)
  const application = await getApplication(database, at.applicationId)
  if (!account || !application) return
  const mail = mailOf(tools, { record, account, application: nameOf(application.branding) })
  const job = jobIdOf(record, mailJob)
  const { applicationId } = at
  const grantId = account.grant.id
  await database
    .transaction(async (tx) => {
      if (!(await takeOutbox(tx, { applicationId, id: job }))) return
      await takeMails(tx, applicationId, { count: 1, usual: tools.mailPerDay, now })
      const id = sendIdOf({ applicationId, grantId }, job)
      await queueSealed(tx, seals, { applicationId, grantId, id, kind: 'mail.send', content: mail, dueAt: now, now })
    })
    .catch((error: unknown) => {
      // The approval waits in the dashboard; tomorrow it may be too late for a mail.
      if (!(error instanceof ApiError) || error.code !== 'mail_quota_reached') throw error
      log.warn(
        { approval_id: record.id, application_id: applicationId },
        'no mail about an approval: the quota is used',
      )
    })
}

const nameOf = (branding: string): string => {
  const { name }: { name?: string } = JSON.parse(branding)
  return name ?? ''
}

interface MailFacts {
  record: ApprovalRecord
  account: GrantRecord
  application: string
}

function mailOf({ baseUrl }: OwnerMailTools, { record, account, application }: MailFacts) {
  const { preview, requester } = record.document
  const query = new URLSearchParams({ client_id: record.applicationId })
  return {
    to: account.grant.email,
    ...ownerMailText({
      requester,
      application,
      account: account.grant.email,
      kind: record.kind,
      recipients: preview.recipients.length,
      subject: preview.subject,
      expiresAt: record.expiresAt,
      link: `${baseUrl}/account/approvals/${record.id}?${query}`,
    }),
  }
}

interface OwnerMail {
  /** The name of the agent or key. */
  requester: string
  application: string
  account: string
  kind: ApprovalKind
  recipients: number
  subject: string | undefined
  /** Milliseconds. */
  expiresAt: number
  link: string
}

const wishes: Readonly<Record<ApprovalKind, string>> = {
  send: 'send a message',
  delete: 'delete something permanently',
  invite: 'invite or notify other people',
}

/** One line of foreign text: without direction marks and links, and cut. Mail programs would make links of addresses. */
function quoted(text: string, maxLength: number): string {
  const plain = oneLine(text)
    .replace(/[\p{Cf}\p{Co}\p{Cn}]/gu, '')
    .replace(/\b(?:[a-z][a-z\d+.-]{0,30}:\/\/|www\.)\S*/gi, '[link]')
  const letters = [...plain]
  return letters.length <= maxLength ? plain : `${letters.slice(0, maxLength - 1).join('')}…`
}

const timeOf = (at: number): string => `${new Date(at).toISOString().slice(0, 16).replace('T', ' ')} UTC`

const font = "font-family:system-ui,-apple-system,'Segoe UI',Roboto,sans-serif"
const button =
  'display:inline-block;padding:10px 18px;border:1px solid #1a56db;border-radius:6px;color:#1a56db;text-decoration:none'

/**
 * The text of the mail. It names who asks, the kind of action, the number of recipients and the subject. It contains
 * neither the text of the message nor anything that decides: an agent may be able to read it.
 */
function ownerMailText(mail: OwnerMail): MailText {
  const requester = quoted(mail.requester, 60)
  const application = quoted(mail.application, 60)
  const lead = `“${requester}” wants to ${wishes[mail.kind]} with your account at ${application}, and needs your approval.`
  const rows = [
    ['Asked by', requester],
    ['Account', mail.account],
    ['Recipients', mail.recipients === 0 ? '' : String(mail.recipients)],
    ['Subject', mail.subject === undefined ? '' : quoted(mail.subject, 120)],
    ['Decide until', timeOf(mail.expiresAt)],
  ].filter((row): row is [string, string] => row[1] !== '')
  const notes = [
    'If you do nothing, nothing happens.',
    `The page asks you to sign in to ${mail.account}. This link alone approves nothing.`,
  ]
  const cells = rows.map(
    ([label, value]) =>
      `<tr><th align="left" valign="top" style="padding:4px 16px 4px 0;color:#555;font-weight:normal">${escapeHtml(label)}</th><td style="padding:4px 0"><bdi>${escapeHtml(value)}</bdi></td></tr>`,
  )
  const link = `<p><a href="${escapeHtml(mail.link)}" style="${button}">Look at it and decide</a></p>`
  return {
    subject: `Approval needed: ${requester} wants to ${wishes[mail.kind]}`,
    text: [
      lead,
      '',
      ...rows.map(([label, value]) => `${label}: ${value}`),
      '',
      `Look at it and decide: ${mail.link}`,
      '',
      ...notes,
      '',
    ].join('\n'),
    html: `<!doctype html><html lang="en"><head><meta charset="utf-8"></head><body style="${font};font-size:15px;line-height:1.5;color:#222"><div style="max-width:600px"><p>${escapeHtml(lead)}</p><table style="border-collapse:collapse">${cells.join('')}</table>${link}<p style="color:#555">${notes.map(escapeHtml).join('<br>')}</p></div></body></html>`,
  }
}
