/** What the supervisor and its processes tell each other. Unknown messages are ignored: versions may differ. */
import type { Role } from '@waypost/store/tables/applications/nodes'
import type { Family } from '../telemetry/exposition.ts'

/** Marks a process that a supervisor started, in its environment. */
export const supervisedVariable = 'SUPERVISED_BY_WAYPOST'

/** From the supervisor to a process. */
export type Order =
  /** The first message: what the process is. The first one of all migrates the store, and prints the addresses. */
  | { type: 'begin'; number: number; count: number; roles: readonly Role[]; isFirst: boolean }
  /** The port is open. */
  | { type: 'open'; port: number }
  /** Comes with the socket of a client. */
  | { type: 'connection' }
  /** Another process has taken the place: answer the open connections, then end. */
  | { type: 'hand-over' }
  /** The service stops. */
  | { type: 'stop' }
  /** These nodes are dead for certain: others may take their work now. */
  | { type: 'release'; nodes: readonly string[] }
  /** Send your figures. */
  | { type: 'read-figures'; id: number }
  /** The answer to `ask-figures`. */
  | { type: 'figures'; id: number; figures: GatheredFigures }

/** From a process to the supervisor. */
export type Report =
  /** The event loop runs. */
  | { type: 'beat' }
  /** The node can answer requests. */
  | { type: 'ready'; node: string }
  /** The process has the socket that it was given longest ago. */
  | { type: 'taken' }
  /** Connections have ended. */
  | { type: 'closed'; count: number }
  /** The process received a signal to end that the supervisor did not send. */
  | { type: 'ending' }
  /** The figures of this process. */
  | { type: 'figures'; id: number; families: Family[] }
  /** A client asked this process for the figures of all. */
  | { type: 'ask-figures'; id: number }

/** The figures of all processes. */
export interface GatheredFigures {
  processes: { number: number; families: Family[] }[]
  /** Processes by state. */
  states: Record<ProcessState, number>
  /** Replaced processes by reason. */
  replaced: Record<ReplaceReason, number>
  /** The resident memory of the supervisor in bytes. */
  residentBytes: number
}

export const processStates = ['starting', 'ready', 'draining'] as const
export type ProcessState = (typeof processStates)[number]
export const replaceReasons = ['crash', 'hang', 'reload'] as const
export type ReplaceReason = (typeof replaceReasons)[number]
