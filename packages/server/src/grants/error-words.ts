import { errors, type Grant, providerKinds } from '@waypost/contract'
import { ApiError } from '@waypost/platform/api-error'

const retainedMessage = 500

const isText = (value: unknown): value is string => typeof value === 'string' && value !== ''

/**
 * Describes an error of a grant. Messages of our own errors are written for clients. For other errors, only the text
 * of the error table is used.
 */
export function wordsOf(error: unknown): string {
  if (!(error instanceof ApiError)) return 'The connection to the provider was lost.'
  const said = error.details.providerError
  const words = [said?.error_description, said?.message, said?.error].find(isText)
  const message = error.message || errors[error.code].title
  const whole = words && !message.includes(words) ? `${message} (the provider said: ${words})` : message
  return whole.slice(0, retainedMessage).toWellFormed().replaceAll('\0', '')
}

/** Describes why a provider refused an account, with its host or name, which some messages lack. */
export function wordsAboutAccount(
  error: ApiError,
  { provider, settings }: Pick<Grant, 'provider' | 'settings'>,
): string {
  const words = wordsOf(error)
  const host = isText(settings.ews_host) ? settings.ews_host : undefined
  const isBare = error.message === errors[error.code].title
  const place = host ?? (isBare ? providerKinds[provider].title : undefined)
  return place === undefined || words.includes(place)
    ? words
    : `${place}: ${words}`.slice(0, retainedMessage).toWellFormed()
}
