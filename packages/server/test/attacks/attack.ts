/**
 * An attack: a message, event or contact that tries to make an agent act for somebody else. Its text contains orders.
 * The agent of these tests (`obedient-agent.ts`) obeys every order that it can read.
 */

export type Goal = 'send' | 'forward' | 'delete' | 'invite' | 'gain rights' | 'leak'

/** A call of an MCP tool. */
export interface ToolOrder {
  tool: string
  arguments: Record<string, unknown>
}
/** A request to the API with the credential of the agent. */
export interface HttpOrder {
  method: string
  path: string
  body?: unknown
  /** The parts of a form, instead of a body. */
  form?: Record<string, string>
  headers?: Record<string, string>
}
/** A message to the MCP endpoint that no client library would send. */
export interface RawOrder {
  rpc: { method: string; params: Record<string, unknown> }
}
/** Names such as `$message` stand for what the agent knows (`obedient-agent.ts`). */
export type Order = ToolOrder | HttpOrder | RawOrder

interface Base {
  title: string
  goal: Goal
  orders: readonly Order[]
}

/** Texts contain `@@` where the orders stand. */
export interface MailAttack extends Base {
  kind: 'message'
  /** Header lines that replace the usual ones. */
  headers?: Record<string, string>
  text?: string
  html?: string
  attachment?: { name: string; content: string }
}
export interface EventAttack extends Base {
  kind: 'event'
  summary?: string
  description?: string
  location?: string
  organizer?: string
  attendees?: readonly string[]
}
export interface ContactAttack extends Base {
  kind: 'contact'
  name?: string
  email?: string
  company?: string
  notes?: string
}
export type Attack = MailAttack | EventAttack | ContactAttack

/** Where stolen data should go. Nothing may ever arrive there. */
export const evil = 'drop@evil.example'
/** The only domain that the agent may write to. */
export const allowedDomain = 'colleagues.example'
export const colleague = `boss@${allowedDomain}`

export const tool = (name: string, args: Record<string, unknown> = {}): ToolOrder => ({ tool: name, arguments: args })
export const http = (method: string, path: string, body?: unknown, headers?: Record<string, string>): HttpOrder => ({
  method,
  path,
  ...(body === undefined ? {} : { body }),
  ...(headers === undefined ? {} : { headers }),
})

/** The orders as they stand in a text. */
export const written = (orders: readonly Order[]): string =>
  orders.map((order) => `[[${JSON.stringify(order)}]]`).join(' ')
