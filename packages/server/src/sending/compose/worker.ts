/** Functions of the worker threads for client input: JSON and messages that are too large for the main thread. */
import { ApiError, type ErrorDetails } from '@waypost/platform/api-error'
import { type ParsedJson, parseJsonBytes } from '@waypost/platform/json/guard'
import { type Composed, type ComposeInput, compose as composeMessage } from './compose.ts'

/** An error that can be passed between threads. */
export interface Refused {
  readonly code: ApiError['code']
  readonly message: string
  readonly details: ErrorDetails
}

export type ComposeResult = { readonly composed: Composed } | { readonly refused: Refused }

export async function compose(input: ComposeInput): Promise<ComposeResult> {
  try {
    return { composed: await composeMessage(input) }
  } catch (error) {
    if (!(error instanceof ApiError)) throw error
    const { code, message, details } = error
    return { refused: { code, message, details } }
  }
}

export const json = ({ bytes }: { readonly bytes: Uint8Array }): ParsedJson | undefined => parseJsonBytes(bytes)

export { findLinks } from '../tracking/links.ts'
