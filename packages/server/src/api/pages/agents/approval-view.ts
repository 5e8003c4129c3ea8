/** `/account/approvals/<id>`: exactly what will happen, the decision, and its outcome. */
import type { Approval, ApprovalPreview } from '@waypost/contract'
import { hidden } from '../hosted/frame.ts'
import { type Html, html } from '../hosted/html.ts'
import type { PlainKey } from '../hosted/languages.ts'
import type { PageContent } from '../hosted/page.ts'
import type { Reader } from '../hosted/reader.ts'
import { type AccountVisit, csrfField, emailOf, notice, type OwnerVisit, timeOf } from './account-frame.ts'
import { hasUnseen, shownLine, shownText } from './foreign-text.ts'

export interface ApprovalView {
  approval: Approval
  /** Whether the message can become a draft. */
  canDraft: boolean
  /** Whether its time is over, even if nobody has noticed yet. */
  isOver: boolean
}

/** What an agent wants, in one line. */
export const titleOf = ({ t }: Reader, { kind, requested_by }: Approval): string =>
  t(`approval.${kind}`, { agent: shownLine(requested_by.name, 80) })

export function approvalView(at: OwnerVisit, view: ApprovalView): PageContent {
  const { approval, isOver } = view
  const { t } = at.reader
  const title = titleOf(at.reader, approval)
  const canDecide = approval.status === 'pending' && !isOver
  return {
    title,
    body: html`<h1>${title}</h1>${canDecide ? html`<p class="quiet">${t('approval.until', { time: timeOf(at.reader, approval.expires_at) })}</p>` : outcomeOf(at.reader, view)}
<dl class="facts"><dt>${t('approval.account')}</dt><dd><bdi dir="ltr">${emailOf(at, approval.grant_id)}</bdi></dd></dl>
${previewOf(at.reader, approval)}${canDecide && decisions(at, view)}
<p class="links small"><a href="${at.link('/account')}">${t('account.all')}</a></p>`,
  }
}

/** The state of an approval that needs no decision. */
function outcomeOf(reader: Reader, { approval, isOver }: ApprovalView): Html {
  const { t } = reader
  const { status, reason, decided_by: who, decided_at: at } = approval
  const shown = status === 'pending' || isOver ? 'expired' : status
  return notice(
    t(`state.${shown}`),
    html`${who !== null && at !== null && html`<p class="small quiet">${t('approval.decided', { who: shownLine(who), time: timeOf(reader, at) })}</p>`}${
      reason !== null && html`<p>${t('approval.reason_given', { reason: shownLine(reason, 1_000) })}</p>`
    }`,
  )
}

/** A box with text of others. It can be scrolled with the keyboard. */
const foreign = (label: string, text: string, kind: 'line' | 'block'): Html =>
  html`<h2>${label}</h2><div class="foreign${kind === 'line' && ' line'}" role="group" aria-label="${label}" tabindex="0" dir="auto">${shownText(text)}</div>`

function previewOf(reader: Reader, { preview, kind }: Approval): Html {
  const { t } = reader
  const { recipients, subject, text, attachments, details } = preview
  const written = [subject, text, ...attachments.map(({ filename }) => filename), ...details.map(({ value }) => value)]
  return html`${recipients.length > 0 && people(reader, recipients)}${
    // What is deleted was not written by the agent.
    kind !== 'delete' && written.some(Boolean) && html`<p class="small quiet">${t('approval.foreign')}</p>`
  }${written.some((each) => each && hasUnseen(each)) && html`<p class="small wrong">${t('approval.marks')}</p>`}${
    subject !== undefined && foreign(t('approval.subject'), subject, 'line')
  }${text !== undefined && text !== '' && foreign(t('approval.text'), text, 'block')}${
    preview.text_is_cut === true && html`<p class="wrong">${t('approval.cut')}</p>`
  }${attachments.length > 0 && files(reader, attachments)}${
    details.length > 0 &&
    html`<h2>${t('approval.details')}</h2><dl class="facts">${details.map(
      ({ label, value }) => html`<dt>${label}</dt><dd dir="auto">${shownText(value)}</dd>`,
    )}</dl>`
  }`
}

const roles = ['to', 'cc', 'bcc', 'reply_to', 'participant', 'guest', 'organizer', 'resource', 'header'] as const
const roleKey = (role: string): PlainKey | undefined => {
  const known = roles.find((each) => each === role)
  return known && `role.${known}`
}

function people({ t }: Reader, recipients: ApprovalPreview['recipients']): Html {
  const label = t('approval.people')
  return html`<h2>${label}</h2><div class="people" role="group" aria-label="${label}" tabindex="0"><dl class="facts">${recipients.map(
    ({ role, email, name }) => {
      const key = roleKey(role)
      return html`<dt>${key ? t(key) : role}</dt><dd><strong><bdi dir="ltr">${shownText(email)}</bdi></strong>${name !== undefined && name !== '' && html` <bdi class="quiet">(${shownText(name)})</bdi>`}</dd>`
    },
  )}</dl></div>`
}

function files({ t, language }: Reader, attachments: ApprovalPreview['attachments']): Html {
  const size = new Intl.NumberFormat(language.tag, { style: 'unit', unit: 'kilobyte', maximumFractionDigits: 1 })
  return html`<h2>${t('approval.files')}</h2><dl class="facts">${attachments.map(
    ({ filename, content_type, size: bytes }) =>
      html`<dt>${size.format(bytes / 1_000)}</dt><dd><bdi>${shownText(filename)}</bdi> <span class="small quiet">${shownLine(content_type, 100)}</span></dd>`,
  )}</dl>`
}

/** One form per decision, so that the Enter key in the reason never approves. */
function decisions(at: OwnerVisit, { approval, canDraft }: ApprovalView): Html {
  const { t } = at.reader
  const action = at.link(`/account/approvals/${approval.id}`)
  const form = (decision: string, content: Html): Html =>
    html`<form method="post" action="${action}">${csrfField(at, `approval ${approval.id}`)}${hidden('decision', decision)}${content}</form>`
  return html`<div class="decide"><p>${t('approval.once')}</p>${form('approve', html`<button>${t(`approval.yes_${approval.kind}`)}</button>`)}${
    canDraft &&
    form(
      'draft',
      html`<button class="secondary" aria-describedby="draft-hint">${t('approval.draft')}</button><p class="small quiet" id="draft-hint">${t('approval.draft_hint')}</p>`,
    )
  }${form(
    'reject',
    html`<div class="field"><label for="reason">${t('approval.reason')}</label><input id="reason" name="reason" type="text" maxlength="500" autocomplete="off" aria-describedby="reason-hint"><p class="small quiet" id="reason-hint">${t('approval.reason_hint')}</p></div><button class="secondary">${t('approval.no')}</button>`,
  )}</div>`
}

/** The same page for an approval that does not exist and for one of another account. */
export function missingApproval(at: AccountVisit, id: string): PageContent {
  const { t } = at.reader
  const title = t('approval.missing_title')
  return {
    status: 404,
    title,
    body: html`<h1>${title}</h1><p>${t('approval.missing')}</p><p><a class="button" href="${at.link('/account/sign-in', { approval: id })}">${t('approval.other_account')}</a></p><p class="links small"><a href="${at.link('/account')}">${t('account.all')}</a></p>`,
  }
}
