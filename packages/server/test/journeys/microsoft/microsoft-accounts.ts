/** Accounts at a simulated Microsoft with their grants, for journeys. */
import type {
  MicrosoftOptions,
  MicrosoftSimulator,
  SimulatedMicrosoftAccount,
} from '../../../../simulators/src/index.ts'
import { type Account, accountOf, type Call } from '../../conformance/accounts.ts'
import type { ServiceOptions, TestService } from '../../harness.ts'
import { createMicrosoftGrant, openMicrosoft, openMicrosoftService } from '../../peers/microsoft.ts'

export interface MicrosoftAccount extends Account {
  /** The account as its user, or another program, sees it. */
  microsoft: SimulatedMicrosoftAccount
  key: string
}

export interface MicrosoftAccounts extends AsyncDisposable {
  service: TestService
  simulator: MicrosoftSimulator
  key: string
  call: Call
  newAccount(options?: {
    email?: string
    scopes?: readonly string[]
    key?: string
    kind?: 'work' | 'personal'
  }): Promise<MicrosoftAccount>
  /** HTTP requests to Graph since the last call, as `GET /v1.0/…`: a batch is one request. */
  requests(): string[]
}

let count = 0

export async function openMicrosoftAccounts(
  options: ServiceOptions & { microsoft?: MicrosoftOptions } = {},
): Promise<MicrosoftAccounts> {
  const peer = await openMicrosoft(options.microsoft)
  const { simulator } = peer
  const service = await openMicrosoftService(simulator, options)
  const { key } = await service.createApplication('Office')
  return {
    service,
    simulator,
    key,
    call: (method, path, rest) => service.call(method, path, { key, ...rest }),
    async newAccount({ email = `user${++count}@contoso.example`, scopes, key: own = key, kind = 'work' } = {}) {
      const known = simulator.accounts().find((account) => account.email === email)
      const microsoft = known ?? simulator.addAccount({ email, name: 'User', kind })
      const grant = await createMicrosoftGrant(service, simulator, { email, key: own, ...(scopes ? { scopes } : {}) })
      const call: Call = (method, path, rest) => service.call(method, path, { key: own, ...rest })
      return { ...accountOf(call, { grantId: grant.id, email }), microsoft, key: own }
    },
    requests() {
      const made = simulator.calls
        .filter(({ batched, path }) => !batched && path.startsWith('/v1.0/'))
        .map(({ method, path }) => `${method} ${path}`)
      simulator.clearCalls()
      return made
    },
    async [Symbol.asyncDispose]() {
      await service[Symbol.asyncDispose]()
      await peer[Symbol.asyncDispose]()
    },
  }
}
