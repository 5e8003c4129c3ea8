// `GetUserPhoto`: the directory's picture of a user.
import type { EwsCall } from '../model.ts'
import type { Account } from '../owner.ts'
import { answerWhole } from '../soap/answers.ts'
import { EwsError, schemaViolation } from '../soap/errors.ts'
import { textOf } from '../xml/read.ts'
import { element, type Xml } from '../xml/write.ts'

const photos = new WeakMap<Account['mailbox'], Uint8Array>()

/** Sets or removes the picture of a user. */
export function setUserPhoto({ mailbox }: Account, photo: Uint8Array | undefined): void {
  if (photo === undefined) photos.delete(mailbox)
  else photos.set(mailbox, photo)
}

const sizes = [48, 64, 96, 120, 240, 360, 432, 504, 648].map((size) => `HR${size}x${size}`)

/** Returns the same picture for every requested size. */
export function getUserPhoto(call: EwsCall): Promise<Xml> {
  const { request, world } = call
  const size = textOf(request, 'SizeRequested') ?? ''
  if (!sizes.includes(size)) throw schemaViolation(`The 'SizeRequested' element is invalid: '${size}'.`)
  const account = world.findAccount(textOf(request, 'Email') ?? '')
  // An unknown user fails the whole request.
  if (account === undefined) {
    throw new EwsError('ErrorInternalServerError', 'An internal server error occurred. The operation failed.')
  }
  return answerWhole(call, () => {
    const photo = photos.get(account.mailbox)
    if (photo === undefined) throw new EwsError('ErrorItemNotFound', 'The photo was not found.')
    return [element('m:HasChanged', true), element('m:PictureData', Buffer.from(photo).toString('base64'))]
  })
}
