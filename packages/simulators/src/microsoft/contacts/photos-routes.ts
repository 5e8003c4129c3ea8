// The pictures of contacts.
import type { GraphAnswer, GraphCall, GraphRoute } from '../http.ts'
import { mailboxRoutes } from '../part.ts'
import { imageNotFound, photoAnswer, readPhoto, valueAnswer } from '../photo.ts'
import { CONTACT_PATHS, contactOfCall, READ, stateOf, WRITE } from './contacts-routes.ts'
import { changeContact } from './state.ts'

function get(call: GraphCall): GraphAnswer {
  const context = `users('${encodeURIComponent(call.owner.id)}')/contacts('${call.params.contactId}')/photo/$entity`
  return photoAnswer(contactOfCall(call).photo, context)
}

function getValue(call: GraphCall): GraphAnswer {
  return valueAnswer(contactOfCall(call).photo)
}

function put(call: GraphCall): GraphAnswer {
  changeContact(stateOf(call), contactOfCall(call), { photo: readPhoto(call) })
  return { status: 200 }
}

function remove(call: GraphCall): GraphAnswer {
  const contact = contactOfCall(call)
  if (contact.photo === undefined) throw imageNotFound()
  changeContact(stateOf(call), contact, { photo: undefined })
  return {}
}

export const photosRoutes: readonly GraphRoute[] = CONTACT_PATHS.flatMap((root) => {
  const path = `${root}/contacts/:contactId/photo`
  return [
    ...mailboxRoutes(`GET ${path}`, READ, get),
    ...mailboxRoutes(`GET ${path}/$value`, READ, getValue),
    ...mailboxRoutes(`PUT ${path}/$value`, WRITE, put),
    ...mailboxRoutes(`PATCH ${path}/$value`, WRITE, put),
    ...mailboxRoutes(`DELETE ${path}/$value`, WRITE, remove),
  ]
})
