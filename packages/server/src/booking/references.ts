/**
 * The booking reference of mails, links and notifications: base64url of the configuration id (16 bytes), the booking
 * id (16 bytes) and the salt. The salt proves that its holder received the reference. Pure.
 */
import type { Configuration } from '@waypost/contract'
import { randomBytes } from '@waypost/platform/crypto/random'
import { isUuid } from '@waypost/platform/ids'

export interface BookingReference {
  configurationId: string
  bookingId: string
  /** base64url. */
  salt: string
}

const idBytes = 16
const saltBytes = 16
/** References of other services have salts of other lengths; none is longer. */
const maxSaltBytes = 64

const bytesOf = (id: string): Buffer => Buffer.from(id.replaceAll('-', ''), 'hex')
const idOf = (bytes: Buffer): string =>
  bytes.toString('hex').replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5')

export const newSalt = (): string => randomBytes(saltBytes).toString('base64url')

export function formatReference({ configurationId, bookingId, salt }: BookingReference): string {
  if (!isUuid(configurationId) || !isUuid(bookingId)) throw new Error('a booking reference is made of two UUIDs')
  return Buffer.concat([bytesOf(configurationId), bytesOf(bookingId), Buffer.from(salt, 'base64url')]).toString(
    'base64url',
  )
}

/** The parts of a reference, or undefined if the text is none. */
export function readReference(text: string): BookingReference | undefined {
  if (!/^[A-Za-z0-9_-]+$/.test(text)) return undefined
  const bytes = Buffer.from(text, 'base64url')
  const salt = bytes.subarray(2 * idBytes)
  if (salt.length === 0 || salt.length > maxSaltBytes) return undefined
  return {
    configurationId: idOf(bytes.subarray(0, idBytes)),
    bookingId: idOf(bytes.subarray(idBytes, 2 * idBytes)),
    salt: salt.toString('base64url'),
  }
}

interface BookingLinks {
  reschedule: string
  cancel: string
  confirm: string
}

/** The pages where guests and organizers change a booking: those of the configuration, or those of this service. */
export function linksOf(baseUrl: string, { scheduler }: Configuration, reference: string): BookingLinks {
  const linkTo = (page: string, own: string | null | undefined): string =>
    own ? own.replaceAll(':booking_ref', reference) : `${baseUrl}/book/${page}/${reference}`
  return {
    reschedule: linkTo('reschedule', scheduler.rescheduling_url),
    cancel: linkTo('cancel', scheduler.cancellation_url),
    confirm: linkTo('confirm', scheduler.organizer_confirmation_url),
  }
}
