// A simulated Microsoft to develop against: two users of one organization who know each other, and one personal account.
import { type MicrosoftOptions, type MicrosoftSimulator, startMicrosoft } from './simulator.ts'

/** What a first installation's own application may be granted. */
const scopes = [
  'openid',
  'profile',
  'email',
  'offline_access',
  'User.Read',
  'Mail.ReadWrite',
  'Mail.Send',
  'Calendars.ReadWrite',
  'Contacts.ReadWrite',
]

/** The refresh token that a seeded account has from the beginning, the same at every start. */
const seededToken = (email: string): string => `simulated-refresh-token-of-${email}`

/** Starts a simulated Microsoft with `ada@contoso.example`, `grace@contoso.example` and `ada@outlook.example`. */
export async function seededMicrosoft(options: MicrosoftOptions = {}): Promise<MicrosoftSimulator> {
  const microsoft = await startMicrosoft(options)
  const seeds = [
    { email: 'ada@contoso.example', name: 'Ada Lovelace', timezone: 'Europe/London' },
    { email: 'grace@contoso.example', name: 'Grace Hopper', timezone: 'America/New_York' },
    { email: 'ada@outlook.example', name: 'Ada at home', timezone: 'Europe/London', kind: 'personal' },
  ] as const
  for (const seed of seeds) {
    const account = microsoft.addAccount(seed)
    microsoft.grantToken(account.email, scopes, { refreshToken: seededToken(account.email) })
  }
  return microsoft
}
