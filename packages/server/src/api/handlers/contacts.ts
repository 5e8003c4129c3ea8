import type { ContactDraft } from '@waypost/contract'
import { invalidField } from '@waypost/platform/api-error'
import type { Services } from '../../services/services.ts'
import type { Handlers } from '../pipeline/handler-types.ts'

import { exportsOf } from './exports.ts'

/** A contact needs a field by which it can be found. */
function checkName({ given_name, surname, company_name, emails }: ContactDraft): void {
  if (given_name || surname || company_name || (emails && emails.length > 0)) return
  throw invalidField('given_name', 'give at least one of given_name, surname, company_name and emails')
}

export const contactGroups: Handlers['contactGroups'] = {
  list: ({ op, query, position }) => op(query, position),
  create: ({ change, body, once }) => change((op) => op(body, { once })),
  get: ({ op, params }) => op(params),
  update: ({ change, params, body }) => change((op) => op(params, body)),
  delete: ({ change, params }) => change((op) => op(params)),
}

export const contacts = (services: Pick<Services, 'storage' | 'accounts'>): Handlers['contacts'] => ({
  list: ({ op, query, position }) => op(query, position),
  create: ({ change, body, once }) => {
    checkName(body)
    return change((op) => op(body, { once }))
  },
  export: exportsOf(services).contacts,
  get: ({ op, params, query }) => op({ ...params, profile_picture: query.profile_picture }),
  update: ({ change, params, body }) => change((op) => op(params, body)),
  delete: ({ change, params }) => change((op) => op(params)),
})
