/** The last step on our own page: credentials are checked with the provider before the browser returns. */

import type { ApiError } from '@waypost/platform/api-error'
import { emailKey } from '@waypost/platform/email-key'
import type { FormShape } from '@waypost/providers/form'
import { endLoginSession } from '@waypost/store/tables/grants/login-sessions'
import { fixedAddress, trySignIn } from '../../../grants/sign-in.ts'
import { asApiError } from '../../http/answer.ts'
import type { PageAnswer } from '../../pipeline/page.ts'
import { type HostedContext, noSession, noteIn, visitorOf } from './hosted-context.ts'
import { backWithCode, backWithFailure, denied, failureOf } from './outcome.ts'
import { pageWith } from './page.ts'
import { type Problem, problemOf } from './problems.ts'
import { giveAddress, isAddress, type Step, shapeOf, showForm, vendorOf } from './steps.ts'
import { leavingView } from './stop-view.ts'

/** Checks the credentials of an account with the provider and completes the sign-in. */
export async function giveCredentials(hosted: HostedContext, step: Step, sent: URLSearchParams): Promise<PageAnswer> {
  const { session, visit, appearance, reader } = step
  const kind = session.row.provider
  const form = kind === null ? undefined : hosted.providers[kind]?.form
  if (kind === null || !form) throw noSession()
  const fixed = await fixedAddress(hosted, session)
  const email = fixed ?? (sent.get('email') ?? '').trim()
  if (!isAddress(email)) return giveAddress(hosted, step, sent)
  const fields = Object.fromEntries([...sent].filter(([, value]) => value.length <= 1024))
  const vendor = vendorOf(form, sent.get('vendor'))
  const facts = { email, vendor, exchanges: [], services: {}, sends: session.request.sends }
  const { shapeNames, passwords } = namesOf(shapeOf(form, facts, session.request))
  const written = pick(fields, shapeNames)
  try {
    hosted.countTry(visit.address, emailKey(email))
    const code = await trySignIn(
      hosted,
      session,
      { kind, email, fields: written },
      { visitor: visitorOf(visit), signal: AbortSignal.any([visit.signal, AbortSignal.timeout(tryMs)]) },
    )
    return leaveBack(step, backWithCode(session.request, code))
  } catch (thrown) {
    const error = asApiError(thrown)
    noteIn(hosted, session, visit, error)
    if (ends.has(error.code)) return endWith(hosted, step, error)
    const retained = pick(
      written,
      shapeNames.filter((name) => !passwords.includes(name)),
    )
    const shown = { kind, form, email, vendor, fixed: fixed !== undefined, written: retained }
    const reported = { t: reader.t, application: appearance.branding.name, written }
    const problem = (shape: FormShape): Problem => problemOf(error, { ...reported, shape })
    return showForm(hosted, step, { ...shown, problem, status: error.status === 429 ? 429 : 422 })
  }
}

const tryMs = 60_000

/** Errors that different input cannot fix. */
const ends: ReadonlySet<ApiError['code']> = new Set([
  'login_id_invalid',
  'conflict',
  'connector_required',
  'grant_limit_reached',
  'reauth_email_invalid',
  'not_supported_by_provider',
])

async function endWith({ database, clock }: HostedContext, step: Step, error: ApiError): Promise<PageAnswer> {
  const { session } = step
  await endLoginSession(database, session.row, clock.now())
  const failure =
    error.code === 'login_id_invalid' ? denied('too many attempts: the sign-in was ended') : failureOf(error)
  return leaveBack(step, backWithFailure(session.request, failure))
}

/** Returns the browser to the application after a form was submitted. */
const leaveBack = ({ appearance, reader }: Step, location: string): PageAnswer =>
  pageWith(
    appearance,
    reader,
    leavingView(reader, reader.t('leaving.back', { application: appearance.branding.name }), location),
  )

const pick = (fields: Record<string, string>, names: readonly string[]): Record<string, string> =>
  Object.fromEntries(names.flatMap((name) => (fields[name] === undefined ? [] : [[name, fields[name]]])))

function namesOf({ sections }: FormShape) {
  const fields = sections.flatMap((section) => section.fields)
  return {
    shapeNames: fields.map(({ name }) => name),
    passwords: fields.filter(({ kind }) => kind === 'password').map(({ name }) => name),
  }
}
