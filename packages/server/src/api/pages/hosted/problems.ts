/** Converts errors for users: the summary, what to do, and the affected field. */
import type { ApiError } from '@waypost/platform/api-error'
import type { FormField, FormShape } from '@waypost/providers/form'
import type { PlainKey, Translate } from './languages.ts'

export interface Problem {
  summary: string
  advice?: string | undefined
  /** By field name. */
  fields: Record<string, string>
  /** The API error in English, for people who help the user. */
  technical?: string | undefined
}

interface Words {
  summary: PlainKey
  advice: PlainKey
}

const unreachable: Words = { summary: 'problem.unreachable', advice: 'problem.unreachable_advice' }
const serverRefused: Words = { summary: 'problem.server_refused', advice: 'problem.server_refused_advice' }
const notMail: Words = { summary: 'problem.not_mail', advice: 'problem.server_refused_advice' }
const expired: Words = { summary: 'problem.expired', advice: 'problem.expired_advice' }
const calendars: Words = { summary: 'problem.calendars', advice: 'problem.calendars_advice' }
const busy: Words = { summary: 'problem.busy', advice: 'problem.later_advice' }
const noPasswords: Words = { summary: 'problem.method', advice: 'problem.method_advice' }
const ours: Words = { summary: 'problem.ours', advice: 'problem.ours_advice' }

/** By `reason` of the error. */
const byReason: Readonly<Record<string, Words>> = {
  host_failed: { summary: 'problem.server_name', advice: 'problem.server_name_advice' },
  address_failed: serverRefused,
  port_failed: serverRefused,
  version_failed: serverRefused,
  connect_failed: unreachable,
  timeout_failed: unreachable,
  unavailable_failed: unreachable,
  tls_failed: { summary: 'problem.not_secure', advice: 'problem.server_refused_advice' },
  protocol_failed: notMail,
  service_failed: notMail,
  method_failed: noPasswords,
  cloud_mailbox: noPasswords,
  limit_failed: busy,
  account_locked: { summary: 'problem.locked', advice: 'problem.locked_advice' },
  account_disabled: { summary: 'problem.disabled', advice: 'problem.disabled_advice' },
  access_failed: { summary: 'problem.disabled', advice: 'problem.disabled_advice' },
  password_expired: expired,
  autodiscover_failed: { summary: 'problem.server_unknown', advice: 'problem.server_unknown_advice' },
  mailbox_failed: { summary: 'problem.mailbox', advice: 'problem.mailbox_advice' },
}

/** By error code, if there is no reason. */
const byCode: Partial<Record<ApiError['code'], Words>> = {
  provider_unavailable: unreachable,
  provider_rate_limited: busy,
  rate_limited: { summary: 'problem.attempts', advice: 'problem.attempts_advice' },
  internal_error: ours,
  service_unavailable: ours,
}

/** By affected field, regardless of the reason. */
const byLabel: Partial<Record<FormField['label'], Words>> = {
  'form.calendars_address': calendars,
  'form.contacts_address': calendars,
  'form.apple_account_address': { summary: 'problem.apple_account', advice: 'problem.apple_account_advice' },
}

export interface ProblemFacts {
  shape: FormShape
  t: Translate
  application: string
  /** The user's input by field. */
  written: Readonly<Record<string, string>>
}

const fieldsOf = ({ sections }: FormShape): Map<string, FormField> =>
  new Map(sections.flatMap(({ fields }) => fields.map((field) => [field.name, field] as const)))

const nameOf = (path: string): string => path.replace(/^settings\./, '')

/** What to do about a refused password. */
function passwordAdvice({ shape: { advice }, t }: ProblemFacts): string {
  if (advice?.kind === 'own_exchange') return t('problem.work_user_advice')
  if (advice?.kind !== 'password') return t('problem.password_advice')
  return t('problem.app_password_advice', { provider: advice.vendor, password: t(advice.name) })
}

/** The problem with an invalid value. */
function wordOf({ name, label, kind }: FormField, { t, written, application }: ProblemFacts): string {
  if ((written[name] ?? '').trim() === '') {
    return label === 'form.outgoing_server' ? t('field.required_to_send', { application }) : t('field.required')
  }
  if (kind === 'port') return t('field.port')
  return label === 'form.calendars_address' || label === 'form.contacts_address'
    ? t('field.web_address')
    : t('field.check')
}

/** Whether the input is invalid and no server was contacted yet. */
const isForm = ({ code, details }: ApiError): boolean => code === 'invalid_request' && details.fields === undefined

/** Converts a sign-in error for the user. */
export function problemOf(error: ApiError, facts: ProblemFacts): Problem {
  const { t, shape } = facts
  const known = fieldsOf(shape)
  const { validationErrors = {}, fields: marks = {} } = error.details
  const names = [...new Set([...Object.keys(validationErrors), ...(marks.field ? [marks.field] : [])].map(nameOf))]
  const about = names.flatMap((name) => known.get(name) ?? [])
  const technical = error.message
  if (isForm(error)) {
    const fields = Object.fromEntries(about.map((field) => [field.name, wordOf(field, facts)]))
    return { summary: t('problem.fields'), advice: t('problem.fields_advice'), fields, technical }
  }
  const [first] = about
  const words = (first && byLabel[first.label]) ?? byReason[marks.reason ?? ''] ?? byCode[error.code]
  const summary = words
    ? t(words.summary)
    : error.code === 'authentication_failed'
      ? t('problem.password')
      : t(ours.summary)
  const fields = Object.fromEntries(about.map(({ name }) => [name, summary]))
  return { summary, advice: adviceOf(words, error, facts), fields, technical }
}

function adviceOf(words: Words | undefined, error: ApiError, facts: ProblemFacts): string {
  if (words === unreachable && ![...fieldsOf(facts.shape).values()].some(({ kind }) => kind === 'port')) {
    // Users cannot change the servers of this provider.
    return facts.t('problem.later_advice')
  }
  if (words) return facts.t(words.advice)
  return error.code === 'authentication_failed' ? passwordAdvice(facts) : facts.t(ours.advice)
}
