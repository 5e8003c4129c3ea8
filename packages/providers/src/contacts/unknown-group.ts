import { type ApiError, invalidField } from '@waypost/platform/api-error'

/** The error for a contact in a group that the account does not have. */
export const unknownGroup = (): ApiError =>
  invalidField('groups', 'is not the id of a group of this account: see GET …/contacts/groups')
