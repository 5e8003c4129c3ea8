/** Accounts at a simulated Google with their grants, for journeys. */
import type { GoogleOptions, GoogleSimulator, SimulatedAccount } from '../../../../simulators/src/index.ts'
import { type Account, accountOf, type Call } from '../../conformance/accounts.ts'
import type { ServiceOptions, TestService } from '../../harness.ts'
import { createGoogleGrant, openGoogle, openGoogleService } from '../../peers/google.ts'

export interface GoogleAccount extends Account {
  /** The account as its user, or another program, sees it. */
  google: SimulatedAccount
  key: string
}

export interface GoogleAccounts extends AsyncDisposable {
  service: TestService
  simulator: GoogleSimulator
  key: string
  call: Call
  newAccount(options?: {
    email?: string
    scopes?: readonly string[]
    key?: string
    timezone?: string
  }): Promise<GoogleAccount>
  /** Requests to an API since the last call, as `GET /calendar/v3/…`, including those inside a batch. */
  requested(api: string): string[]
}

let count = 0

export async function openGoogleAccounts(
  options: ServiceOptions & { google?: GoogleOptions } = {},
): Promise<GoogleAccounts> {
  const peer = await openGoogle(options.google)
  const { simulator } = peer
  const service = await openGoogleService(simulator, options)
  const { key } = await service.createApplication('Desks')
  return {
    service,
    simulator,
    key,
    call: (method, path, rest) => service.call(method, path, { key, ...rest }),
    async newAccount({ email = `user${++count}@example.com`, scopes, key: own = key, timezone = 'UTC' } = {}) {
      const known = simulator.accounts().find((account) => account.email === email)
      const google = known ?? simulator.addAccount({ email, name: 'User', timezone })
      const grant = await createGoogleGrant(service, simulator, { email, key: own, ...(scopes ? { scopes } : {}) })
      const call: Call = (method, path, rest) => service.call(method, path, { key: own, ...rest })
      return { ...accountOf(call, { grantId: grant.id, email }), google, key: own }
    },
    requested(api) {
      const requested = simulator.calls.map(({ method, path }) => `${method} ${path}`)
      simulator.clearCalls()
      return requested.filter((one) => one.includes(api))
    },
    async [Symbol.asyncDispose]() {
      await service[Symbol.asyncDispose]()
      await peer[Symbol.asyncDispose]()
    },
  }
}
