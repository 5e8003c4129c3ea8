/** What an action of a restricted credential does outside: who receives something, and what is deleted. */
import { hash } from 'node:crypto'
import type { ApprovalKind, ApprovalPreview } from '@waypost/contract'
import { canonicalJson } from '@waypost/platform/json/values'
import { withAsciiHosts } from '@waypost/platform/look-alike'

export interface EffectRecipient {
  role: 'to' | 'cc' | 'bcc' | 'reply_to' | 'header' | 'participant' | 'resource' | 'guest' | 'organizer'
  email: string
  name?: string | undefined
}

export interface Effects {
  /** The kinds that need the approval of a person; empty: none. */
  kinds: readonly ApprovalKind[]
  /** Everybody who receives something. */
  recipients: readonly EffectRecipient[]
  /** The action notifies people whom the request does not name, such as the guests of all events of a calendar. */
  hasUnknownRecipients?: boolean
  /** The senders that the action claims to have. */
  senders?: readonly string[]
  preview: ApprovalPreview
  /** What the action depends on besides the request, such as the content of a draft. */
  basis?: unknown
  /** The digest that a draft must still have when it is sent. */
  onlyAs?: string
  /** The action makes no sense after this time; milliseconds. */
  until?: number | undefined
}

export const none: Effects = {
  kinds: [],
  recipients: [],
  preview: { recipients: [], attachments: [], details: [] },
}

export interface Detail {
  label: string
  value: string
}

/** A detail of the preview, unless there is nothing to say. */
export const detail = (label: string, value: string | null | undefined): Detail[] =>
  value === null || value === undefined || value === '' ? [] : [{ label, value: visible(value) }]

/** Characters without a picture of their own can make a text look like another. */
const invisible = /(?!\n|\t|\u200c|\u200d|\u00ad)[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu

/**
 * A text in which nothing is invisible: control and direction characters are written as their numbers, and hosts that
 * look like others with their form in networks.
 */
export const visible = (text: string): string =>
  withAsciiHosts(text)
    .replaceAll('\r\n', '\n')
    .replace(
      invisible,
      (character) => `[U+${(character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}]`,
    )
    .toWellFormed()

/** The preview of an action on behalf of an account. */
export const previewOf = ({ recipients = [], subject, text, details }: ShownAction): ApprovalPreview => ({
  recipients: shownRecipients(recipients),
  subject: visible(subject),
  ...(text === undefined ? {} : { text: visible(text) }),
  attachments: [],
  details: [...details],
})

export interface ShownAction {
  recipients?: readonly EffectRecipient[]
  subject: string
  text?: string | undefined
  details: readonly Detail[]
}

interface Person {
  email?: string | null | undefined
  name?: string | null | undefined
}

/** People with an address as recipients. */
export const recipientsOf = (
  role: EffectRecipient['role'],
  people: readonly Person[] | null | undefined,
): EffectRecipient[] =>
  (people ?? []).flatMap(({ email, name }) => (email ? [{ role, email, name: name ?? undefined }] : []))

/** The recipients as a preview shows them. */
export const shownRecipients = (recipients: readonly EffectRecipient[]): ApprovalPreview['recipients'] =>
  recipients.map(({ role, email, name }) => ({
    role,
    email: visible(email),
    ...(name ? { name: visible(name) } : {}),
  }))

const digestOf = (value: unknown): string => hash('sha256', canonicalJson(JSON.parse(JSON.stringify(value))), 'hex')

/** The digest of what an action depends on besides the request; null if there is nothing. */
export const snapshotOf = ({ basis }: Pick<Effects, 'basis'>): string | null =>
  basis === undefined ? null : digestOf(basis)

/** The digest of everything that a person saw before the decision. */
export const shownDigest = (preview: ApprovalPreview): string => digestOf(preview)
