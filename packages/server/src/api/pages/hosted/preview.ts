/**
 * A preview of the hosted page with unsaved settings, for a frame of the dashboard. It uses only data from the
 * request, is for administrators only, and is not interactive.
 */
import { Branding, HostedAuthentication } from '@waypost/contract'
import { ApiError } from '@waypost/platform/api-error'
import type { Providers } from '@waypost/providers/registry'
import type { AdminAuthentication } from '../../../applications/admin-authentication.ts'
import { inUsualOrder } from '../../../grants/sign-in-request.ts'
import { administratorOf } from '../../pipeline/authenticate.ts'
import type { LivePage, PageAnswer, PageVisit } from '../../pipeline/page.ts'
import { addressView, choiceView } from './choice-view.ts'
import { credentialsView } from './credentials-view.ts'
import type { Frame } from './frame.ts'
import { languages } from './languages.ts'
import { type PageAppearance, type PageContent, pageWith } from './page.ts'
import { readerOf } from './reader.ts'
import { choicesOf } from './steps.ts'
import { stopOf, stopView } from './stop-view.ts'

export interface PreviewOptions {
  admin: AdminAuthentication
  providers: Providers
}

/** The valid fields of a JSON text, checked one by one, because the user is still typing. */
function fieldsOf<T>(
  shape: Readonly<Record<string, { safeParse(value: unknown): { success: boolean } }>>,
  given: unknown,
): Partial<T> {
  if (typeof given !== 'object' || given === null) return {}
  return Object.fromEntries(
    Object.entries(given).filter(
      ([name, value]) => Object.hasOwn(shape, name) && shape[name]?.safeParse(value).success,
    ),
  ) as Partial<T>
}

function parsed(text: string | null): unknown {
  try {
    return JSON.parse(text ?? '')
  } catch {
    return undefined
  }
}

const appearanceOf = ({ query }: PageVisit): PageAppearance => ({
  branding: { name: 'Waypost', ...fieldsOf<Branding>(Branding.shape, parsed(query.get('branding'))) },
  hosted: fieldsOf<HostedAuthentication>(HostedAuthentication.shape, parsed(query.get('hosted_authentication'))),
})

/** The named providers that users can sign in with; all if none is named. */
function kindsOf({ providers }: PreviewOptions, { query }: PageVisit): string[] {
  const all = Object.values(providers).flatMap((each) => (each && (each.form || each.oauth) ? [each.kind] : []))
  const named = (query.get('kinds') ?? '').split(',').filter((kind) => all.some((each) => each === kind))
  return inUsualOrder(providers, named.length > 0 ? named : all)
}

const email = 'ada@example.org'

function contentOf(options: PreviewOptions, visit: PageVisit, frame: Frame): PageContent {
  const choices = choicesOf(options.providers, kindsOf(options, visit))
  const any = Object.values(options.providers).find((each) => each?.form?.anyAddress)
  const view = visit.query.get('view')
  if (view === 'password' && any?.form) {
    const shape = any.form.shapeFor({ email: 'ada@fastmail.com', exchanges: [], services: {}, sends: false })
    const facts = { kind: any.kind, vendor: undefined, email: 'ada@fastmail.com', fixed: false, back: true }
    return credentialsView(frame, { ...facts, shape, instead: undefined, cloud: undefined, written: {} })
  }
  if (view === 'address') return addressView(frame, { provider: undefined, email, vendor: undefined, back: true })
  if (view === 'error') {
    const error = new ApiError('login_id_invalid')
    return stopView(frame, 200, stopOf(error, frame.t, frame.appearance.branding.name), error.message)
  }
  return choiceView(frame, { choices, prompt: 'select_provider', email: null })
}

export const hostedPreviewPage = (options: PreviewOptions): LivePage => ({
  path: '/dashboard/hosted-preview',
  async answer(visit): Promise<PageAnswer> {
    await administratorOf(options.admin, visit)
    const appearance = appearanceOf(visit)
    const reader = readerOf(languages, visit)
    const content = contentOf(options, visit, { ...reader, appearance, path: '', csrf: '' })
    const scheme = visit.query.get('scheme') === 'dark' ? 'dark' : 'light'
    return pageWith(appearance, reader, content, {
      languages: { all: languages, pathIn: () => '' },
      preview: { scheme },
    })
  },
})
