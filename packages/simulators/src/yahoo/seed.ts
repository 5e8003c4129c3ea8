// A simulated Yahoo for development, with two users.
import { seededToken } from '../shared/seed.ts'
import { startYahoo, type YahooOptions, type YahooSimulator } from './simulator.ts'

const scopes = ['openid', 'email', 'profile', 'mail-w']

/** Starts a simulated Yahoo with two accounts, `ada@yahoo.example` and `grace@yahoo.example`. */
export async function seededYahoo(options: YahooOptions = {}): Promise<YahooSimulator> {
  const yahoo = await startYahoo(options)
  yahoo.addAccount({ email: 'ada@yahoo.example', name: 'Ada Lovelace' })
  yahoo.addAccount({ email: 'grace@yahoo.example', name: 'Grace Hopper' })
  for (const { email } of yahoo.accounts()) yahoo.grantToken(email, scopes, { refreshToken: seededToken(email) })
  return yahoo
}
