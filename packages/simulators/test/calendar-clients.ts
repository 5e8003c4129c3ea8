// Two accounts of a simulated Google and Google's own clients for them; every exchange is checked against the
// published schemas.
import { calendar, type calendar_v3 } from '@googleapis/calendar'
import { people, type people_v1 } from '@googleapis/people'
import { OAuth2Client } from 'google-auth-library'
import { type GoogleOptions, type GoogleSimulator, type SimulatedAccount, startGoogle } from '../src/index.ts'
import { checkExchange } from './discovery.ts'

export interface TestAccount extends AsyncDisposable {
  readonly google: GoogleSimulator
  readonly ada: SimulatedAccount
  readonly bob: SimulatedAccount
  calendarOf(account: SimulatedAccount): calendar_v3.Calendar
  peopleOf(account: SimulatedAccount): people_v1.People
}

const CALENDAR = ['https://www.googleapis.com/auth/calendar']
const PEOPLE = [
  'https://www.googleapis.com/auth/contacts',
  'https://www.googleapis.com/auth/contacts.other.readonly',
  'https://www.googleapis.com/auth/directory.readonly',
  'https://www.googleapis.com/auth/userinfo.profile',
]

export async function openAccount(options: GoogleOptions = {}): Promise<TestAccount> {
  const google = await startGoogle(options)
  const unseen: unknown[] = []
  google.observe((exchange) => {
    try {
      checkExchange(exchange)
    } catch (error) {
      unseen.push(error)
    }
  })
  const ada = google.addAccount({ email: 'ada@example.com', name: 'Ada Lovelace', timezone: 'Europe/Zurich' })
  const bob = google.addAccount({ email: 'bob@gmail.com', name: 'Bob', timezone: 'America/New_York' })
  const authFor = (account: SimulatedAccount, scopes: readonly string[]) => {
    const auth = new OAuth2Client()
    auth.setCredentials({ access_token: google.grantToken(account.email, scopes).accessToken })
    return auth
  }
  const rootUrl = `${google.url}/`
  return {
    google,
    ada,
    bob,
    calendarOf: (account) => calendar({ version: 'v3', auth: authFor(account, CALENDAR), rootUrl, retry: false }),
    peopleOf: (account) => people({ version: 'v1', auth: authFor(account, PEOPLE), rootUrl, retry: false }),
    async [Symbol.asyncDispose]() {
      await google[Symbol.asyncDispose]()
      if (unseen.length > 0) throw new AggregateError(unseen, String(unseen[0]))
    },
  }
}

interface Refusal {
  readonly status: number
  readonly reason: string
}

/** The status and reason of a failed call. */
export async function refusalOf(call: Promise<unknown>): Promise<Refusal> {
  try {
    await call
  } catch (error) {
    if (error instanceof Error && 'response' in error) {
      const { response } = error as Error & {
        response: { status: number; data: { error: { errors: { reason: string }[] } } }
      }
      return { status: response.status, reason: response.data.error.errors[0]?.reason ?? '' }
    }
    throw error
  }
  throw new Error('it did not fail')
}
