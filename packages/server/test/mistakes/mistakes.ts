/** Typical mistakes of whoever sets up a provider, and the words that the answer must have: the field and the remedy. */
import type { Json } from '../conformance/accounts.ts'

export interface Mistake {
  name: string
  /** Method and path; `{…}` stands for what the test has prepared. */
  call: string
  body?: Json
  /** Without a key, as browsers come. */
  isPublic?: true
  status: number
  /** All of these stand in the answer. */
  says: readonly RegExp[]
}

const connector = (name: string, provider: string, rest: Json, says: readonly RegExp[]): Mistake => ({
  ...{ name: `connector: ${name}`, call: 'POST /v3/connectors', body: { provider, ...rest }, status: 400, says },
})
const client = { client_id: 'id', client_secret: 'secret' }

export const connectorMistakes: readonly Mistake[] = [
  connector('google with a misspelt scope', 'google', { settings: client, scope: ['gmail.modfy'] }, [
    /scope/,
    /gmail\.modfy/,
    /did you mean .*gmail\.modify/,
  ]),
  connector('google with a scope of Microsoft', 'google', { settings: client, scope: ['Mail.Read'] }, [
    /scope/,
    /Mail\.Read/,
    /Microsoft/,
  ]),
  connector(
    'google with a misspelt address of a scope',
    'google',
    { settings: client, scope: ['https://www.googleapis.com/auth/calender'] },
    [/scope/, /did you mean .*calendar/],
  ),
  connector('google with two scopes in one', 'google', { settings: client, scope: ['gmail.modify calendar'] }, [
    /scope/,
    /one item of the list/,
  ]),
  connector('google with a scope of Yahoo', 'google', { settings: client, scope: ['mail-r'] }, [/scope/, /Yahoo/]),
  connector('microsoft with a misspelt scope', 'microsoft', { settings: client, scope: ['Mail.Raed'] }, [
    /scope/,
    /Mail\.Raed/,
    /did you mean Mail\.Read/,
  ]),
  connector('microsoft with a scope of Google', 'microsoft', { settings: client, scope: ['gmail.modify'] }, [
    /scope/,
    /gmail\.modify/,
    /Google/,
  ]),
  connector(
    'microsoft with an address of a scope of Google',
    'microsoft',
    { settings: client, scope: ['https://www.googleapis.com/auth/calendar'] },
    [/scope/, /Google/],
  ),
  connector(
    'microsoft with a misspelt scope of Graph in full',
    'microsoft',
    { settings: client, scope: ['https://graph.microsoft.com/Calendar.ReadWrite'] },
    [/scope/, /did you mean Calendars\.ReadWrite/],
  ),
  connector('yahoo with a scope of Google', 'yahoo', { settings: client, scope: ['gmail.readonly'] }, [
    /scope/,
    /Google/,
  ]),
  connector('google without a client secret', 'google', { settings: { client_id: 'id' } }, [
    /client_secret/,
    /required/,
  ]),
  connector('google without a client id', 'google', { settings: { client_secret: 'secret' } }, [
    /client_id/,
    /required/,
  ]),
  connector('google without settings', 'google', {}, [/settings/, /client_id/]),
  connector('microsoft without settings', 'microsoft', {}, [/settings/, /client_id/]),
  connector('microsoft with an empty secret', 'microsoft', { settings: { client_id: 'id', client_secret: '' } }, [
    /client_secret/,
  ]),
  connector('microsoft with a tenant that is none', 'microsoft', { settings: { ...client, tenant: 'my tenant!' } }, [
    /tenant/,
    /common|directory/,
  ]),
  connector('of an unknown provider', 'gmail', { settings: client }, [/provider/, /google/]),
  connector('outlook for microsoft', 'outlook', { settings: client }, [/provider/, /microsoft/]),
  connector('without a provider', undefined as never, { settings: client }, [/provider/]),
  { ...connector('twice', 'virtual-calendar', {}, [/virtual-calendar/, /PATCH|PUT|change/]), status: 409 },
  {
    name: 'connector: tenant alone',
    call: 'PATCH /v3/connectors/microsoft',
    body: { settings: { tenant: 'common' } },
    status: 400,
    says: [/client_id/, /client_secret/],
  },
  {
    name: 'connector: client secret alone',
    call: 'PATCH /v3/connectors/google',
    body: { settings: { client_secret: 'new' } },
    status: 400,
    says: [/client_id/],
  },
  {
    name: 'connector: misspelt scope of a change',
    call: 'PATCH /v3/connectors/google',
    body: { scope: ['gmail.modfy'] },
    status: 400,
    says: [/scope/, /did you mean .*gmail\.modify/],
  },
  {
    name: 'connector: change of one that is not there',
    call: 'PATCH /v3/connectors/ews',
    body: { scope: [] },
    status: 404,
    says: [/no connector/, /POST \/v3\/connectors/],
  },
]

const custom = (name: string, provider: string, rest: Json, says: readonly RegExp[], status = 400): Mistake => ({
  ...{ name: `custom: ${name}`, call: 'POST /v3/connect/custom', body: { provider, ...rest }, status, says },
})
const mailbox = { imap_username: '{user}', imap_password: '{password}', imap_host: '{host}', imap_port: '{port}' }

export const customMistakes: readonly Mistake[] = [
  custom('without a provider', undefined as never, { settings: { refresh_token: 'x' } }, [/provider/]),
  custom('without a connector', 'ews', { settings: { ews_username: 'a@b.test', ews_password: 'x' } }, [
    /ews/,
    /POST \/v3\/connectors/,
  ]),
  custom('google without a token', 'google', { settings: {} }, [/refresh_token/]),
  custom('google with a wrong token', 'google', { settings: { refresh_token: 'wrong' } }, [/refresh_token/], 401),
  custom('google with a misspelt scope', 'google', { settings: { refresh_token: '{token}' }, scope: ['gmail.modfy'] }, [
    /scope/,
    /did you mean .*gmail\.modify/,
  ]),
  custom(
    'google with a scope of Microsoft',
    'google',
    { settings: { refresh_token: '{token}' }, scope: ['Mail.Read'] },
    [/scope/, /Microsoft/],
  ),
  custom('imap without a password', 'imap', { settings: { imap_username: 'a@b.test' } }, [/imap_password/]),
  custom('imap with a wrong password', 'imap', { settings: { ...mailbox, imap_password: 'wrong' } }, [
    /imap_password|password/,
  ]),
  custom('imap with an unknown host', 'imap', { settings: { ...mailbox, imap_host: 'no-such-host.invalid' } }, [
    /imap_host/,
  ]),
  custom(
    'imap with a host that is an address',
    'imap',
    { settings: { ...mailbox, imap_host: 'https://imap.people.test/' } },
    [/imap_host/, /without|name of the host|host name/],
  ),
  custom('imap with a port that is none', 'imap', { settings: { ...mailbox, imap_port: 'imap' } }, [/imap_port/]),
  custom('imap with a page that is not DAV as caldav_url', 'imap', { settings: { ...mailbox, caldav_url: '{page}' } }, [
    /caldav_url/,
    /200/,
    /text\/html/,
    /address of|CalDAV/,
  ]),
  custom(
    'imap with a page that is not DAV as carddav_url',
    'imap',
    { settings: { ...mailbox, carddav_url: '{page}' } },
    [/carddav_url/, /200/, /text\/html/],
  ),
  custom('imap with a missing page as caldav_url', 'imap', { settings: { ...mailbox, caldav_url: '{missing}' } }, [
    /caldav_url/,
    /404/,
  ]),
  custom('imap with a caldav_url that is no address', 'imap', { settings: { ...mailbox, caldav_url: 'my calendar' } }, [
    /caldav_url/,
    /https:/,
  ]),
  custom('virtual without an identifier', 'virtual-calendar', { settings: {} }, [/email/]),
  custom('settings beside the object', 'imap', { imap_username: 'a@b.test', imap_password: 'x' }, [/settings/]),
]
