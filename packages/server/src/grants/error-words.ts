import { errors } from '@waypost/contract'
import { ApiError } from '../lib/api-error.ts'

const keptMessage = 500

/**
 * Describes an error of a grant. Messages of our own errors are written for clients. For other errors, only the text
 * of the error table is used.
 */
export function wordsOf(error: unknown): string {
  if (!(error instanceof ApiError)) return 'The connection to the provider was lost.'
  const said = error.details.providerError
  const words = [said?.error_description, said?.message, said?.error].find((text) => typeof text === 'string')
  const message = error.message || errors[error.code].title
  const whole = words && !message.includes(words) ? `${message} (the provider said: ${words})` : message
  return whole.slice(0, keptMessage).toWellFormed().replaceAll('\0', '')
}
