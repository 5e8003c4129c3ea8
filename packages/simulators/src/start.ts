/** Starts simulators with sample data, for the command line (`main.ts`) and for `npm run dev`. */
import { seededExchange, seededPassword } from './ews/seed.ts'
import { seededGoogle } from './google/seed.ts'
import { seededMicrosoft } from './microsoft/seed.ts'
import { seededToken } from './shared/seed.ts'
import { seededYahoo } from './yahoo/seed.ts'
import { seededZoom } from './zoom/seed.ts'

export const simulatorKinds = ['google', 'microsoft', 'yahoo', 'exchange', 'zoom'] as const
export type SimulatorKind = (typeof simulatorKinds)[number]

/** The port of each simulator, unless its variable or `--port` names another. */
export const defaultPorts: Record<SimulatorKind, number> = {
  google: 3100,
  microsoft: 3200,
  yahoo: 3300,
  exchange: 3400,
  zoom: 3500,
}
export const portVariables: Record<SimulatorKind, string> = {
  google: 'SIMULATED_GOOGLE_PORT',
  microsoft: 'SIMULATED_MICROSOFT_PORT',
  yahoo: 'SIMULATED_YAHOO_PORT',
  exchange: 'SIMULATED_EWS_PORT',
  zoom: 'SIMULATED_ZOOM_PORT',
}

export interface StartedAccount {
  email: string
  /** Only for Exchange accounts. */
  password?: string
  /** For the other simulators: exchangeable for access tokens at the token endpoint, the same at every start. */
  refreshToken?: string
}

export interface StartedSimulator extends AsyncDisposable {
  kind: SimulatorKind
  url: string
  /** The OAuth client; Exchange has none. */
  client?: { id: string; secret: string }
  accounts: StartedAccount[]
}

const starts = {
  google: seededGoogle,
  microsoft: seededMicrosoft,
  yahoo: seededYahoo,
  exchange: seededExchange,
  zoom: seededZoom,
}

/** Starts one simulator; port 0 selects a free one. */
export async function startSimulator(kind: SimulatorKind, port = defaultPorts[kind]): Promise<StartedSimulator> {
  const simulator = await starts[kind]({ port })
  const emails = simulator.accounts().map(({ email }) => email)
  const started = { kind, url: simulator.url, [Symbol.asyncDispose]: () => simulator[Symbol.asyncDispose]() }
  if (!('client' in simulator)) {
    return { ...started, accounts: emails.map((email) => ({ email, password: seededPassword })) }
  }
  const { id, secret } = simulator.client
  const accounts = emails.map((email) => ({ email, refreshToken: seededToken(email) }))
  return { ...started, client: { id, secret }, accounts }
}
