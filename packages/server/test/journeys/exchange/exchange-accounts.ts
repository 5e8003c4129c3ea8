/** Accounts at a simulated Exchange with their grants, for journeys. */
import type { ExchangeOptions, ExchangeSimulator, SimulatedExchangeAccount } from '../../../../simulators/src/index.ts'
import { type Account, accountOf, type Call } from '../../conformance/accounts.ts'
import type { ServiceOptions, TestService } from '../../harness.ts'
import { createExchangeGrant, exchangePassword, openExchange, openExchangeService } from '../../peers/exchange.ts'

export interface ExchangeAccount extends Account {
  /** The account as its user, or another program, sees it. */
  exchange: SimulatedExchangeAccount
  key: string
}

export interface ExchangeAccounts extends AsyncDisposable {
  service: TestService
  simulator: ExchangeSimulator
  key: string
  call: Call
  newAccount(options?: { email?: string; scopes?: readonly string[]; key?: string }): Promise<ExchangeAccount>
  /** The operations requested since the last call. */
  operations(): string[]
}

let count = 0

export async function openExchangeAccounts(
  options: ServiceOptions & { exchange?: ExchangeOptions } = {},
): Promise<ExchangeAccounts> {
  const peer = await openExchange(options.exchange)
  const { simulator } = peer
  const service = await openExchangeService(simulator, options)
  const { key } = await service.createApplication('Office')
  return {
    service,
    simulator,
    key,
    call: (method, path, rest) => service.call(method, path, { key, ...rest }),
    async newAccount({ email = `user${++count}@exchange.example`, scopes, key: own = key } = {}) {
      const known = simulator.accounts().find((account) => account.email === email)
      const exchange = known ?? simulator.addAccount({ email, name: 'User', password: exchangePassword })
      const grant = await createExchangeGrant(service, { email, key: own, ...(scopes ? { scopes } : {}) })
      const call: Call = (method, path, rest) => service.call(method, path, { key: own, ...rest })
      return { ...accountOf(call, { grantId: grant.id, email }), exchange, key: own }
    },
    operations() {
      const made = simulator.calls.map(({ operation }) => operation ?? '')
      simulator.clearCalls()
      return made.filter((name) => name !== '')
    },
    async [Symbol.asyncDispose]() {
      await service[Symbol.asyncDispose]()
      await peer[Symbol.asyncDispose]()
    },
  }
}
