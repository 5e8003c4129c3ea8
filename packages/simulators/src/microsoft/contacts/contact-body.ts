// Parses a contact in a request into changes. https://learn.microsoft.com/graph/api/resources/contact
import { isObject, type JsonObject } from '../../shared/http.ts'
import { GraphError, invalidBody } from '../errors.ts'

export const texts = [
  'displayName',
  'givenName',
  'middleName',
  'surname',
  'nickName',
  'title',
  'initials',
  'generation',
  'fileAs',
  'yomiGivenName',
  'yomiSurname',
  'yomiCompanyName',
  'jobTitle',
  'companyName',
  'department',
  'officeLocation',
  'profession',
  'businessHomePage',
  'assistantName',
  'manager',
  'mobilePhone',
  'spouseName',
  'personalNotes',
] as const
/** Lists of text, with their maximum lengths. */
const lists: Readonly<Record<string, number>> = {
  businessPhones: 2,
  homePhones: 2,
  imAddresses: 3,
  children: 100,
  categories: 100,
}
export const addresses = ['homeAddress', 'businessAddress', 'otherAddress'] as const
const addressParts = ['street', 'city', 'state', 'countryOrRegion', 'postalCode']
const maxEmails = 3
/** The properties for single addresses, in the order of `emailAddresses`. */
export const emailPlaces: readonly string[] = ['primaryEmailAddress', 'secondaryEmailAddress', 'tertiaryEmailAddress']
const readOnly = ['id', 'changeKey', 'createdDateTime', 'lastModifiedDateTime', 'parentFolderId', 'photo']

/** Applies the fields of a body to the existing ones. */
export function parseContact(body: JsonObject, before: Readonly<JsonObject> = {}): JsonObject {
  const fields: JsonObject = { ...before }
  for (const [name, value] of Object.entries(body)) {
    if (name.includes('@odata.') || readOnly.includes(name)) continue
    fields[emailPlaces.includes(name) ? 'emailAddresses' : name] = parseField(name, value, fields)
  }
  return withNames(fields, body)
}

function parseField(name: string, value: unknown, fields: JsonObject): unknown {
  if (name === 'emailAddresses') return parseEmails(value)
  const place = emailPlaces.indexOf(name)
  if (place >= 0) return placeEmail(fields, place, value)
  if (texts.some((one) => one === name)) return parseText(name, value)
  if (Object.hasOwn(lists, name)) return parseList(name, value, lists[name] ?? 0)
  if (addresses.some((one) => one === name)) return parseAddress(name, value)
  if (name === 'birthday') return parseBirthday(value)
  throw invalidBody(
    `The property '${name}' does not exist on type 'microsoft.graph.contact'. Make sure to only use property names that are defined by the type.`,
  )
}

function parseText(name: string, value: unknown): string | null {
  if (value === null || typeof value === 'string') return value
  throw cannotConvert(name, 'Edm.String')
}

function cannotConvert(name: string, type: string): GraphError {
  return invalidBody(`Cannot convert the value of '${name}' to the expected type '${type}'.`)
}

function tooMany(name: string, count: number, max: number): GraphError {
  const property = name[0]?.toUpperCase() + name.slice(1)
  const message = `The multi value property ${property} has ${count} entries, that exceeds the max allowed value of ${max}`
  return new GraphError(400, 'ErrorInvalidRequest', message)
}

function parseList(name: string, value: unknown, max: number): string[] {
  if (!Array.isArray(value) || value.some((one) => typeof one !== 'string')) {
    throw cannotConvert(name, 'Collection(Edm.String)')
  }
  if (value.length > max) throw tooMany(name, value.length, max)
  return value
}

interface EmailAddress {
  readonly name: string
  readonly address: string
}

function parseEmails(value: unknown): EmailAddress[] {
  if (!Array.isArray(value)) throw cannotConvert('emailAddresses', 'Collection(microsoft.graph.emailAddress)')
  if (value.length > maxEmails) throw tooMany('emailAddresses', value.length, maxEmails)
  return value.flatMap((one) => parseEmail(one) ?? [])
}

function parseEmail(value: unknown): EmailAddress | undefined {
  if (value === null) return undefined
  if (!isObject(value)) throw cannotConvert('emailAddresses', 'microsoft.graph.emailAddress')
  const { address, name } = value
  if (typeof address !== 'string' || address === '') return undefined
  return { name: typeof name === 'string' && name !== '' ? name : address, address }
}

/** All addresses after a change at one position; null removes the address there. */
function placeEmail({ emailAddresses }: JsonObject, place: number, value: unknown): EmailAddress[] {
  const emails: (EmailAddress | undefined)[] = Array.isArray(emailAddresses) ? [...emailAddresses] : []
  emails[place] = parseEmail(value)
  return emails.filter((one) => one !== undefined)
}

function parseAddress(name: string, value: unknown): JsonObject {
  if (value === null) return {}
  if (!isObject(value)) throw cannotConvert(name, 'microsoft.graph.physicalAddress')
  const unknown = Object.keys(value).find((part) => !addressParts.includes(part) && !part.includes('@odata.'))
  if (unknown !== undefined) throw invalidBody(`The property '${unknown}' does not exist on type 'physicalAddress'.`)
  const parts = addressParts.flatMap((part) => (typeof value[part] === 'string' ? [[part, value[part]]] : []))
  return Object.fromEntries(parts)
}

/** A timestamp, of which Outlook shows only the day; a date alone is rejected. */
function parseBirthday(value: unknown): string | null {
  if (value === null) return null
  const isMoment =
    typeof value === 'string' && /^\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d)?(\.\d+)?(Z|[+-]\d\d:\d\d)$/.test(value)
  if (!isMoment || Number.isNaN(Date.parse(value))) throw cannotConvert('birthday', 'Edm.DateTimeOffset')
  return new Date(value).toISOString().replace('.000Z', 'Z')
}

/** Adds the names that Outlook derives from others if the request omits them. */
function withNames(fields: JsonObject, body: JsonObject): JsonObject {
  const { givenName, middleName, surname, companyName } = fields
  const names = [givenName, middleName, surname].filter((one) => typeof one === 'string' && one !== '')
  const changed = ['givenName', 'middleName', 'surname'].some((name) => body[name] !== undefined)
  const shown = names.length > 0 ? names.join(' ') : String(companyName ?? '')
  const given = [givenName, middleName].filter((one) => typeof one === 'string' && one !== '').join(' ')
  const filed = typeof surname === 'string' && surname !== '' && given !== '' ? `${surname}, ${given}` : shown
  return {
    ...fields,
    ...(body.displayName === undefined && (changed || fields.displayName === undefined) && { displayName: shown }),
    ...(body.fileAs === undefined && (changed || fields.fileAs === undefined) && { fileAs: filed }),
  }
}
