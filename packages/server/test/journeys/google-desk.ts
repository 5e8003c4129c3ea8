/** Accounts at a simulated Google with their grants, for journeys. */
import type { GoogleOptions, GoogleSimulator, SimulatedAccount } from '../../../simulators/src/index.ts'
import { type Account, accountOf, type Call } from '../conformance/office.ts'
import type { HouseOptions, TestHouse } from '../harness.ts'
import { createGoogleGrant, openGoogle, openGoogleHouse } from '../peers/google.ts'

export interface Desk extends Account {
  /** The account as its user, or another program, has it. */
  google: SimulatedAccount
  key: string
}

export interface Desks extends AsyncDisposable {
  house: TestHouse
  simulator: GoogleSimulator
  key: string
  call: Call
  newDesk(options?: { email?: string; scopes?: readonly string[]; key?: string; timezone?: string }): Promise<Desk>
  /** What was asked of an API since the last question, as `GET /calendar/v3/…`; what came inside a batch as well. */
  asked(api: string): string[]
}

let count = 0

export async function openDesks(options: HouseOptions & { google?: GoogleOptions } = {}): Promise<Desks> {
  const peer = await openGoogle(options.google)
  const { simulator } = peer
  const house = await openGoogleHouse(simulator, options)
  const { key } = await house.createApplication('Desks')
  return {
    house,
    simulator,
    key,
    call: (method, path, rest) => house.call(method, path, { key, ...rest }),
    async newDesk({ email = `user${++count}@example.com`, scopes, key: own = key, timezone = 'UTC' } = {}) {
      const known = simulator.accounts().find((account) => account.email === email)
      const google = known ?? simulator.addAccount({ email, name: 'User', timezone })
      const grant = await createGoogleGrant(house, simulator, { email, key: own, ...(scopes ? { scopes } : {}) })
      const call: Call = (method, path, rest) => house.call(method, path, { key: own, ...rest })
      return { ...accountOf(call, { grantId: grant.id, email }), google, key: own }
    },
    asked(api) {
      const asked = simulator.calls.map(({ method, path }) => `${method} ${path}`)
      simulator.clearCalls()
      return asked.filter((one) => one.includes(api))
    },
    async [Symbol.asyncDispose]() {
      await house[Symbol.asyncDispose]()
      await peer[Symbol.asyncDispose]()
    },
  }
}
