/**
 * Decides which messages may be reports: a mail system wrote them, or their parts say so. The metadata of a message
 * is enough, so that only few messages are fetched.
 */
import { BOUNCE_SUBJECT } from './words.ts'

interface Suspect {
  readonly from?: readonly { readonly name?: string | undefined; readonly email: string }[] | undefined
  readonly subject?: string | undefined
  readonly attachments?: readonly { readonly content_type?: string | undefined }[] | undefined
}

const SYSTEM =
  /^(?:mailer[-_.]?daemon|mail[-_.]?daemon|post[-_.]?master|mdaemon|mmdf|bounces?\b|double-bounce|staff@|abuse|fbl|feedback|complaints?|mail[ ._-]?(?:delivery|deliver|router|system)|microsoft ?exchange|system administrator|系统退信)/i
const REPORT_PART = /^message\/(?:global-)?(?:delivery-status|feedback-report)\b/i
const OTHER_SUBJECT = /complaint about message/i

/** Whether a message may be a report about another one. */
export const mayBeReport = ({ from = [], subject = '', attachments = [] }: Suspect): boolean =>
  from.length === 0 ||
  from.some(({ name = '', email }) => SYSTEM.test(email) || SYSTEM.test(name)) ||
  BOUNCE_SUBJECT.test(subject) ||
  OTHER_SUBJECT.test(subject) ||
  attachments.some(({ content_type: type = '' }) => REPORT_PART.test(type))
