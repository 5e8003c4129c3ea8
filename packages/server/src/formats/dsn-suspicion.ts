// Which messages are worth reading as a report: a mail system wrote them, or they say themselves what they are. What is
// known of every message is enough to tell, so that only few are fetched for it.
interface Suspect {
  readonly from?: readonly { readonly name?: string | undefined; readonly email: string }[] | undefined
  readonly subject?: string | undefined
  readonly attachments?: readonly { readonly content_type?: string | undefined }[] | undefined
}

const SYSTEM =
  /^(?:mailer[-_.]?daemon|mail[-_.]?daemon|post[-_.]?master|mdaemon|mmdf|bounces?\b|double-bounce|staff@|abuse|fbl|feedback|complaints?|mail[ ._-]?(?:delivery|deliver|router|system)|microsoft ?exchange|系统退信)/i
const REPORT_PART = /^message\/(?:global-)?(?:delivery-status|feedback-report)\b/i
const REPORT_SUBJECT =
  /undeliver|non[- ]?deliver|deliver\w* (?:problem|fail|error|report|status|notif)|fail\w* (?:notice|deliver)|deliver\w* fail|returned (?:mail|message)|returning message|mail (?:delivery|system) (?:fail|error)|complaint about message|unzustellbar|退信|не доставлено|недоставлен/i

/** Whether a message may be a report about another one. */
export const mayBeReport = ({ from = [], subject = '', attachments = [] }: Suspect): boolean =>
  from.length === 0 ||
  from.some(({ name = '', email }) => SYSTEM.test(email) || SYSTEM.test(name)) ||
  REPORT_SUBJECT.test(subject) ||
  attachments.some(({ content_type: type = '' }) => REPORT_PART.test(type))
