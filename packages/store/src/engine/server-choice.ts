/**
 * Chooses one of several PostgreSQL servers. A server that was replaced by a promoted standby can come back and believe
 * that it is the primary. Each promotion starts a new timeline, so the highest timeline belongs to the current primary.
 */
import type { SessionAttributes } from './postgresql-hosts.ts'

export interface ServerState {
  isStandby: boolean
  /** It accepts no writes: a standby, or a server with `default_transaction_read_only`. */
  isReadOnly: boolean
  /** Counts promotions. Undefined on a standby, and where the server does not tell. */
  timeline: number | undefined
}

/** The state of a server, or the error that its examination ended with. */
export type Examined<S> = { readonly server: S } & (
  | { readonly state: ServerState; readonly error?: undefined }
  | { readonly state?: undefined; readonly error: unknown }
)

export interface ServerRequirements {
  attributes: SessionAttributes
  /** The highest timeline that was seen so far. */
  newest: number
}

const isOld = ({ timeline }: ServerState, newest: number): boolean => timeline !== undefined && timeline < newest

/** How well a server fits; 0 if it does not. A primary that is read-only can serve reads if there is no better one. */
function fitness(state: ServerState | undefined, { attributes, newest }: ServerRequirements): number {
  if (!state || isOld(state, newest)) return 0
  if (!state.isStandby) return state.isReadOnly && attributes !== 'any' ? 2 : 3
  return attributes === 'any' ? 1 : 0
}

/** The server to use, the first of equal ones; undefined if none fits. */
export function chooseServer<S>(examined: readonly Examined<S>[], wanted: ServerRequirements): S | undefined {
  const timelineOf = ({ state }: Examined<S>): number => state?.timeline ?? 0
  return examined
    .filter(({ state }) => fitness(state, wanted) > 0)
    .toSorted((a, b) => timelineOf(b) - timelineOf(a) || fitness(b.state, wanted) - fitness(a.state, wanted))[0]?.server
}

/** Whether a server was found that no later answer can replace. */
export const isCertain = <S>(examined: readonly Examined<S>[], { attributes, newest }: ServerRequirements): boolean =>
  examined.some(({ state }) => fitness(state, { attributes, newest }) === 3 && (state?.timeline ?? 0) > newest)

const reasons: Record<string, string> = {
  ECONNREFUSED: 'nothing listens there',
  ENOTFOUND: 'the host is not known',
  EAI_AGAIN: 'the host is not known',
}

function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return 'it cannot be used'
  const code = 'code' in error ? String(error.code) : ''
  return reasons[code] ?? (/timeout|ETIMEDOUT/i.test(`${error.message} ${code}`) ? 'it does not answer' : error.message)
}

/** Why a server is not used. */
export function whyNot({ state, error }: Examined<unknown>, { newest }: ServerRequirements): string {
  if (!state) return reasonOf(error)
  if (state.isStandby) return 'it is a standby, which accepts no changes'
  if (isOld(state, newest)) return `it was replaced: its timeline is ${state.timeline}, and the newest is ${newest}`
  return state.isReadOnly ? 'it is read-only' : 'it accepts changes'
}
