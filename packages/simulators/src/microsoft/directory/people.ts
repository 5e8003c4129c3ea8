// People relevant to the user, as Graph ranks them: colleagues and contacts, with a fuzzy search. Also the pictures
// of users. https://learn.microsoft.com/graph/api/user-list-people
import { createHash } from 'node:crypto'
import type { JsonObject } from '../../shared/http.ts'
import { contactsState } from '../contacts/state.ts'
import { badRequest } from '../errors.ts'
import type { GraphAnswer, GraphCall, GraphRoute } from '../http.ts'
import { listAnswer } from '../odata/collection.ts'
import type { EntityType } from '../odata/entity.ts'
import { optionOf, readQuery } from '../odata/query.ts'
import { type AccountOwner, isPersonal } from '../owner.ts'
import { type GraphPart, mailboxRoutes } from '../part.ts'
import { type Photo, photoAnswer, readPhoto, valueAnswer } from '../photo.ts'

const PERSON: EntityType = {
  name: 'person',
  properties: [
    'id',
    'displayName',
    'givenName',
    'surname',
    'birthday',
    'personNotes',
    'isFavorite',
    'jobTitle',
    'companyName',
    'yomiCompany',
    'department',
    'officeLocation',
    'profession',
    'userPrincipalName',
    'imAddress',
    'scoredEmailAddresses',
    'phones',
    'postalAddresses',
    'websites',
    'personType',
  ],
}

/** Colleagues first, then contacts, then people who appear only in mail. */
function peopleOf(call: GraphCall): JsonObject[] {
  const { world, owner } = call
  const colleagues = isPersonal(owner)
    ? []
    : [...world.accounts.values()].filter(({ tenant, oid }) => tenant.id === owner.tenant.id && oid !== owner.oid)
  const state = contactsState(world, owner)
  const contacts = [...state.defaultFolder.contacts.values()]
  const hashed = (key: string) => createHash('sha256').update(key).digest('hex').slice(0, 32)
  return [
    ...colleagues.map((account) => personJson(account.id, splitName(account), 'OrganizationUser', account.email)),
    ...contacts.flatMap(({ key, fields }) => {
      const emails = Array.isArray(fields.emailAddresses) ? fields.emailAddresses : []
      return emails.length === 0 ? [] : [personJson(hashed(key), fields, 'PersonalContact', String(emails[0]?.address))]
    }),
    ...[...state.correspondents].map(([email, name]) =>
      personJson(hashed(email), splitName({ name, email }), 'ImplicitContact', email),
    ),
  ]
}

function splitName({ name, email }: Pick<AccountOwner, 'name' | 'email'>): JsonObject {
  const [givenName = name, ...rest] = name.split(' ')
  return { displayName: name, givenName, surname: rest.join(' ') || null, userPrincipalName: email }
}

function personJson(id: string, fields: Readonly<JsonObject>, subclass: string, address: string): JsonObject {
  const text = (name: string) => (typeof fields[name] === 'string' ? fields[name] : null)
  return {
    id,
    displayName: text('displayName'),
    givenName: text('givenName'),
    surname: text('surname'),
    birthday: '',
    personNotes: '',
    isFavorite: false,
    jobTitle: text('jobTitle'),
    companyName: text('companyName'),
    yomiCompany: '',
    department: text('department'),
    officeLocation: text('officeLocation'),
    profession: '',
    userPrincipalName: text('userPrincipalName'),
    imAddress: null,
    scoredEmailAddresses: [{ address, relevanceScore: 10, selectionLikelihood: 'notSpecified' }],
    phones: [],
    postalAddresses: [],
    websites: [],
    personType: { class: 'Person', subclass },
  }
}

/** Whether each word of the search is a prefix of some word of the person. */
function matches(person: JsonObject, search: string): boolean {
  const [email] = person.scoredEmailAddresses as { address: string }[]
  const words = `${String(person.displayName)} ${email?.address}`.toLowerCase().split(/[\s@.]+/)
  const wanted = search
    .toLowerCase()
    .split(/[\s@.]+/)
    .filter(Boolean)
  return wanted.every((one) => words.some((word) => word.startsWith(one)))
}

function listPeople(call: GraphCall): GraphAnswer {
  const { search } = readQuery(call.query)
  if (search !== undefined && optionOf(call.query, '$skip') !== undefined) {
    throw badRequest("The query parameter '$skip' is not supported with '$search' on people.")
  }
  const people = peopleOf(call).filter((person) => search === undefined || matches(person, search))
  const context = `users('${encodeURIComponent(call.owner.id)}')/people`
  return listAnswer(call, people, { type: PERSON, context, json: (person) => person })
}

const photos = new WeakMap<AccountOwner, Photo>()

function contextOf({ owner }: GraphCall): string {
  return `users('${encodeURIComponent(owner.id)}')/photo/$entity`
}

function putPhoto(call: GraphCall): GraphAnswer {
  photos.set(call.owner, readPhoto(call))
  return { status: 200 }
}

const READ_PHOTO = ['User.Read', 'User.ReadBasic.All', 'User.Read.All', 'User.ReadWrite', 'ProfilePhoto.Read.All']
const anybody = { checksDelegates: false }

const routes: readonly GraphRoute[] = [
  ...mailboxRoutes('GET /people', ['People.Read', 'People.Read.All'], listPeople),
  ...mailboxRoutes('GET /photo', READ_PHOTO, (call) => photoAnswer(photos.get(call.owner), contextOf(call)), anybody),
  ...mailboxRoutes('GET /photo/$value', READ_PHOTO, (call) => valueAnswer(photos.get(call.owner)), anybody),
  ...mailboxRoutes('GET /photos/:size/$value', READ_PHOTO, (call) => valueAnswer(photos.get(call.owner)), anybody),
  ...mailboxRoutes('PUT /photo/$value', ['User.ReadWrite', 'User.ReadWrite.All'], putPhoto),
]

export const peoplePart: GraphPart = { routes, subscribable: [] }
