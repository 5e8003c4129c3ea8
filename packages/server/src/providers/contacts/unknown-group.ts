import { type ApiError, invalidField } from '../../lib/api-error.ts'

/** A contact is to be put into a group that the account does not have. */
export const unknownGroup = (): ApiError =>
  invalidField('groups', 'is not the id of a group of this account: see GET …/contacts/groups')
