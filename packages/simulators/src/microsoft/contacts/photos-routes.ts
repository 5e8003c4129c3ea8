// The pictures of contacts.
import { accessDenied, GraphError } from '../errors.ts'
import type { GraphAnswer, GraphCall, GraphRoute } from '../http.ts'
import { isPersonal } from '../owner.ts'
import { mailboxRoutes } from '../part.ts'
import { photoAnswer, readPhoto, valueAnswer } from '../photo.ts'
import { contactOfCall, contactPaths, READ, stateOf, WRITE } from './contacts-routes.ts'
import { changeContact } from './state.ts'

function get(call: GraphCall): GraphAnswer {
  const context = `users('${encodeURIComponent(call.owner.id)}')/contacts('${call.params.contactId}')/photo/$entity`
  return photoAnswer(contactOfCall(call).photo, context)
}

function getValue(call: GraphCall): GraphAnswer {
  return valueAnswer(contactOfCall(call).photo)
}

/** Pictures of contacts can be written only in mailboxes of organizations. */
function put(call: GraphCall): GraphAnswer {
  if (isPersonal(call.owner)) throw accessDenied()
  changeContact(stateOf(call), contactOfCall(call), { photo: readPhoto(call) })
  return { status: 200 }
}

/** Graph deletes pictures of users and groups, but not of contacts. */
function remove(): GraphAnswer {
  throw new GraphError(405, 'ErrorMethodNotAllowed', 'Specified HTTP method is not allowed for the request target.')
}

export const photosRoutes: readonly GraphRoute[] = contactPaths.flatMap((root) => {
  const path = `${root}/contacts/:contactId/photo`
  return [
    ...mailboxRoutes(`GET ${path}`, READ, get),
    ...mailboxRoutes(`GET ${path}/$value`, READ, getValue),
    ...mailboxRoutes(`PUT ${path}/$value`, WRITE, put),
    ...mailboxRoutes(`PATCH ${path}/$value`, WRITE, put),
    ...mailboxRoutes(`DELETE ${path}/$value`, WRITE, remove),
  ]
})
