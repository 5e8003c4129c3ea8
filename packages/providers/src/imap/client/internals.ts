/**
 * The only list of private parts of imapflow that Waypost uses. Files in this folder reach them through `internals`; no
 * other file does (`architecture.test.ts`). Every part is optional: where a version of imapflow lacks one, the caller
 * falls back to imapflow's own behavior.
 *
 * To upgrade imapflow: compare each part below with its source, run `test/providers/imap` and `test/journeys/imap`, then
 * change `checkedVersion`. docs/adr/0020 says why they are used.
 */
import type { EventEmitter } from 'node:events'
import type { ImapFlow } from 'imapflow'
import type { Plain, Response } from './response-parser.ts'

/** The version of imapflow with which every part below was checked. */
export const checkedVersion = '2.10.2'

/** A command in imapflow's queue. */
export interface QueuedCommand {
  tag: string
  command: string
  attributes: unknown
  options?: object
}

export type Attribute = { type: 'ATOM' | 'LITERAL' | 'SEQUENCE'; value: string } | string | Attribute[]

/** One untagged response, parsed by imapflow. */
export interface Untagged {
  attributes?: readonly unknown[]
}

export interface ExecOptions {
  untagged?: Record<string, (untagged: Untagged) => Promise<void>>
}

interface Socket extends EventEmitter {
  setTimeout?(milliseconds: number): void
}

export interface Internals {
  /** Queues a command; resolves at its tagged response. Used for commands that imapflow has no method for. */
  exec?(command: string, attributes: readonly Attribute[], options: ExecOptions): Promise<{ next(): void }>
  /** Writes one command to the socket. */
  send?(command: QueuedCommand): Promise<void>
  /** Takes the next command from `requestQueue` and sends it, if none is running. */
  trySend?(): Promise<void>
  requestQueue?: QueuedCommand[]
  /** The command whose response imapflow waits for. */
  currentRequest?: (QueuedCommand & { sent?: boolean }) | false
  /** Parts of a command that wait for the server's permission to send a literal. */
  commandParts?: Buffer[]
  write?(bytes: Buffer): void
  /** Receives every response before imapflow parses it. */
  handleResponse?(response: Response): Promise<boolean>
  /** The function that handles an untagged response of this name at the moment. */
  getUntaggedHandler?(
    command: string,
    attributes: Plain['attributes'],
  ): ((response: Plain) => Promise<void>) | undefined
  /** Handles an untagged BYE. */
  serverBye?(response: unknown): Promise<void>
  /** Folders that this connection has listed, by path. imapflow lists a folder before it selects it, unless it is here. */
  folders?: Map<string, object>
  /** true: do not use LSUB. */
  skipLsub?: boolean
  socket?: Socket | false
  writeSocket?: EventEmitter & { cork?(): void; uncork?(): void; writableNeedDrain?: boolean }
}

/** The private parts of a connection. */
export const internals = (client: ImapFlow): Internals => client as unknown as Internals

/** imapflow's private function that turns a command into bytes. */
export async function loadCompiler(): Promise<(command: QueuedCommand) => Promise<Buffer[]>> {
  const { default: compile } = await import('imapflow/lib/handler/imap-compiler')
  return async (command) => compile(command as Parameters<typeof compile>[0], { asArray: true, literalPlus: true })
}
