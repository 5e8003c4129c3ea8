/** Accounts at simulated providers, for suites with a table of what differs between the providers. */
import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, beforeEach } from 'vitest'
import type {
  SimulatedAccount,
  SimulatedExchangeAccount,
  SimulatedMicrosoftAccount,
} from '../../../simulators/src/index.ts'
import { openExchangeAccounts } from '../journeys/exchange/exchange-accounts.ts'
import { openGoogleAccounts } from '../journeys/google/google-accounts.ts'
import { openMicrosoftAccounts } from '../journeys/microsoft/microsoft-accounts.ts'
import { exchangePassword } from '../peers/exchange.ts'
import * as google from '../peers/google.ts'
import * as microsoft from '../peers/microsoft.ts'
import type { Account } from './accounts.ts'

type Google = Awaited<ReturnType<typeof openGoogleAccounts>>
interface Wish {
  scopes?: readonly string[]
  /** Of the application; default: one that all accounts share. */
  key?: string
}
type WithKey = Account & { key: string }
/** `view` is the account as its user, or another program, sees it. */
type AccountWith<V> = WithKey & { view: V }

export interface SimulatedAccounts<V> extends Pick<Google, 'service' | 'call'>, AsyncDisposable {
  /** A new account. `before` changes it before the service has a grant. */
  newAccount(wish?: Wish, before?: (view: V) => void): Promise<AccountWith<V>>
  /** Calls of the provider since the last time. */
  calls(): string[]
  simulator: { fail(match: object, failure: object): void }
}
type Options = Parameters<typeof openGoogleAccounts>[0] &
  Parameters<typeof openMicrosoftAccounts>[0] &
  Parameters<typeof openExchangeAccounts>[0]
export type OpenSimulated<V> = (options?: Options) => Promise<SimulatedAccounts<V>>

const withViews = <V>(
  accounts: Omit<SimulatedAccounts<V>, 'newAccount' | 'calls'> & {
    newAccount(wish: Wish & { email: string }): Promise<WithKey>
  },
  calls: () => string[],
  add: (email: string) => V,
): SimulatedAccounts<V> => ({
  ...accounts,
  calls,
  async newAccount(wish, before) {
    const email = `${randomUUID()}@contoso.example`
    const view = add(email)
    before?.(view)
    return { ...(await accounts.newAccount({ email, ...wish })), view }
  },
})

export const at = {
  google:
    <V>(viewOf: (account: SimulatedAccount) => V): OpenSimulated<V> =>
    async (options) => {
      const accounts = await openGoogleAccounts(options)
      const add = (email: string): V => viewOf(accounts.simulator.addAccount({ email, name: 'User', timezone: 'UTC' }))
      return withViews(accounts, () => accounts.requested('/v'), add)
    },
  microsoft:
    <V>(viewOf: (account: SimulatedMicrosoftAccount) => V): OpenSimulated<V> =>
    async (options) => {
      const accounts = await openMicrosoftAccounts(options)
      return withViews(accounts, accounts.requests, (email) =>
        viewOf(accounts.simulator.addAccount({ email, name: 'User' })),
      )
    },
  exchange:
    <V>(viewOf: (account: SimulatedExchangeAccount) => V): OpenSimulated<V> =>
    async (options) => {
      const accounts = await openExchangeAccounts(options)
      return withViews(accounts, accounts.operations, (email) =>
        viewOf(accounts.simulator.addAccount({ email, name: 'User', password: exchangePassword })),
      )
    },
}

export const scopes = {
  google: (...names: string[]): string[] => [...google.identity, ...names.map(google.scope)],
  microsoft: (...names: string[]): string[] => [...microsoft.identity, ...names],
}

/** Accounts for all tests of a suite, and a new account for each test. */
export function useAccounts<V>(open: OpenSimulated<V>) {
  const its = {} as { accounts: SimulatedAccounts<V>; account: AccountWith<V> }
  beforeAll(async () => {
    its.accounts = await open()
  })
  afterAll(() => its.accounts?.[Symbol.asyncDispose]())
  beforeEach(async () => {
    its.account = await its.accounts.newAccount()
  })
  return its
}
