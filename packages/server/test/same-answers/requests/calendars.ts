import type { AskList } from '../run.ts'

const of = (name: string, call: string, body?: object) => ({
  name: `calendars: ${name}`,
  call,
  ...(body ? { body } : {}),
})

export const calendarRequests: AskList = [
  { ...of('created', 'POST /calendars', { name: 'Same answers' }), keep: { calendar: 'id' } },
  of('created, read', 'GET /calendars/{calendar}'),
  { ...of('listed', 'GET /calendars'), only: 'Same' },
  of('with chosen fields', 'GET /calendars/{calendar}?select=id,name'),
  { ...of('created with a name that is taken', 'POST /calendars', { name: 'Same answers' }), keep: { twin: 'id' } },
  of('the twin, deleted', 'DELETE /calendars/{twin}'),
  of('created without a name', 'POST /calendars', { name: '' }),
  of('created with nothing', 'POST /calendars', {}),
  {
    ...of('created with a description', 'POST /calendars', { name: 'Described', description: 'What it is for' }),
    keep: { described: 'id' },
  },
  of('with a description, read', 'GET /calendars/{described}'),
  {
    ...of('created with a time zone', 'POST /calendars', { name: 'Zoned', timezone: 'America/New_York' }),
    keep: { zoned: 'id' },
  },
  of('with a time zone, read', 'GET /calendars/{zoned}'),
  of('created with an unknown time zone', 'POST /calendars', { name: 'Zoned', timezone: 'Mars/Olympus' }),
  {
    ...of('created with a location', 'POST /calendars', { name: 'Placed', location: 'Berlin' }),
    keep: { placed: 'id' },
  },
  {
    ...of('created with metadata', 'POST /calendars', { name: 'Marked', metadata: { key1: 'a' } }),
    keep: { marked: 'id' },
  },
  of('by metadata', 'GET /calendars?metadata_pair=key1:a'),
  { ...of('created to be left alone', 'POST /calendars', { name: 'Plain' }), keep: { plain: 'id' } },
  of('renamed', 'PUT /calendars/{marked}', { name: 'Marked again' }),
  of('renamed to a name that is taken', 'PUT /calendars/{marked}', { name: 'Same answers' }),
  of('changed description', 'PUT /calendars/{marked}', { description: 'Other words' }),
  of('changed time zone', 'PUT /calendars/{marked}', { timezone: 'Europe/Berlin' }),
  of('changed color', 'PUT /calendars/{marked}', { hex_color: '#1a73e8' }),
  of('changed color that is none', 'PUT /calendars/{marked}', { hex_color: 'blue' }),
  of('changed by nothing', 'PUT /calendars/{plain}', {}),
  of('renamed to nothing', 'PUT /calendars/{marked}', { name: '' }),
  of('unknown', 'GET /calendars/no-such-calendar'),
  of('unknown, changed', 'PUT /calendars/no-such-calendar', { name: 'x' }),
  of('unknown, deleted', 'DELETE /calendars/no-such-calendar'),
  of('primary', 'GET /calendars/primary?select=object,is_primary,is_owned_by_user'),
  of('primary, deleted', 'DELETE /calendars/primary'),
  of('deleted', 'DELETE /calendars/{marked}'),
  of('deleted, read', 'GET /calendars/{marked}'),
  of('with a limit of 0', 'GET /calendars?limit=0'),
  of('with a page token that we did not give', 'GET /calendars?page_token=nonsense'),
]
