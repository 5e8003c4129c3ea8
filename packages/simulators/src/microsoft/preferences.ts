// The `Prefer` header of a request, as far as Outlook supports it.
// https://learn.microsoft.com/graph/outlook-immutable-id and the pages of the methods

export interface Preferences {
  /** `IdType="ImmutableId"`. */
  readonly immutableIds: boolean
  /** `outlook.timezone`: the name as sent, Windows or IANA. */
  readonly timeZone: string | undefined
  /** `outlook.body-content-type`. */
  readonly bodyType: 'text' | 'html' | undefined
  /** `odata.maxpagesize`. */
  readonly maxPageSize: number | undefined
  readonly allowUnsafeHtml: boolean
  /** Any other preference, by its name in lower case. */
  get(name: string): string | undefined
  /** The value of `Preference-Applied`; empty if nothing was preferred. */
  readonly applied: string
}

const ECHOED = ['idtype', 'outlook.timezone', 'outlook.body-content-type', 'outlook.allow-unsafe-html']

export function readPreferences(headers: Headers): Preferences {
  const header = headers.get('prefer') ?? ''
  const values = new Map<string, string>()
  const echoed: string[] = []
  for (const [whole, name = '', quoted, bare] of header.matchAll(/([\w.-]+)(?:\s*=\s*(?:"([^"]*)"|([^\s,;"]+)))?/g)) {
    values.set(name.toLowerCase(), quoted ?? bare ?? '')
    if (ECHOED.includes(name.toLowerCase())) echoed.push(whole)
  }
  const bodyType = values.get('outlook.body-content-type')?.toLowerCase()
  const pageSize = values.get('odata.maxpagesize') ?? ''
  return {
    immutableIds: values.get('idtype')?.toLowerCase() === 'immutableid',
    timeZone: values.get('outlook.timezone'),
    bodyType: bodyType === 'text' || bodyType === 'html' ? bodyType : undefined,
    maxPageSize: /^[1-9]\d{0,6}$/.test(pageSize) ? Number(pageSize) : undefined,
    allowUnsafeHtml: values.has('outlook.allow-unsafe-html'),
    get: (name) => values.get(name),
    applied: echoed.join(', '),
  }
}
