/** What is kept of the error that ended a job. Pure. */
import { ApiError } from '@waypost/platform/api-error'

export interface JobError {
  /** A name to group by: that of the error table, a system code such as `ECONNREFUSED`, or the class. */
  error: string
  message: string
}

const maxName = 64
const maxMessage = 500

/**
 * Messages of our own errors contain no secrets, but those of libraries and servers may quote an address with its
 * password or a header.
 */
const cleanText = (text: string): string =>
  text
    .replaceAll(/[^\p{L}\p{M}\p{N}\p{P}\p{S} ]+/gu, ' ')
    .replaceAll(/\b([a-z][a-z0-9+.-]*:\/\/)[^\s/@]*@/gi, '$1…@')
    .replaceAll(/\b(https?:\/\/[^\s?#]+)[?#]\S*/gi, '$1?…')
    .replaceAll(/\b(bearer|basic)\s+\S+/gi, '$1 …')
    .replaceAll(/[A-Za-z0-9_+/=~.-]{40,}/g, '…')

const bounded = (text: string, max: number): string => (text.length <= max ? text : `${text.slice(0, max - 1)}…`)

const nameOf = (error: Error): string => {
  if (error instanceof ApiError) return error.code
  if ('reason' in error && typeof error.reason === 'string') return error.reason
  if ('code' in error && typeof error.code === 'string') return error.code
  return error.name
}

/** The name and the message of an error, without credentials and of bounded length. */
export function jobErrorOf(error: unknown): JobError {
  if (!(error instanceof Error)) return { error: 'unknown', message: 'the job threw a value that is not an error' }
  return {
    error: bounded(nameOf(error).replaceAll(/[^\w.-]+/g, '_'), maxName),
    message: bounded(cleanText(error.message).trim() || nameOf(error), maxMessage),
  }
}
