/**
 * Requests and answers of Autodiscover in both formats: "plain old XML" (POX, all servers) and SOAP (2010 and later).
 * https://learn.microsoft.com/exchange/client-developer/web-service-reference/autodiscover-web-service-reference-for-exchange
 */
import { escapeXml, parseXml, type XmlElement, XmlError } from '@waypost/platform/xml/xml'

export type DiscoveryAnswer =
  /** The URLs of the web service of the mailbox, external ones first. */
  | { kind: 'settings'; ewsUrls: readonly string[]; displayName: string | undefined }
  | { kind: 'redirect address'; address: string }
  | { kind: 'redirect url'; url: string }
  /** The service exists and cannot answer. */
  | { kind: 'error'; code: string }
  | { kind: 'busy' }
  /** Not an answer of Autodiscover, such as a page of a web site. */
  | { kind: 'none' }

export type DiscoveryFormat = 'pox' | 'soap'

const pox = 'http://schemas.microsoft.com/exchange/autodiscover/outlook'
const autodiscover = 'http://schemas.microsoft.com/exchange/2010/Autodiscover'

/** The requests, with their headers. */
export const discoveryRequests: Record<
  DiscoveryFormat,
  { headers: Readonly<Record<string, string>>; body(address: string, url: string): string }
> = {
  pox: {
    // Without the second header, newer servers omit the external URLs.
    headers: { 'content-type': 'text/xml; charset=utf-8', 'x-clientcanhandle': 'Negotiate, ExHttpInfo' },
    body: (address) =>
      `<?xml version="1.0" encoding="utf-8"?><Autodiscover xmlns="${pox}/requestschema/2006"><Request>` +
      `<EMailAddress>${escapeXml(address)}</EMailAddress>` +
      `<AcceptableResponseSchema>${pox}/responseschema/2006a</AcceptableResponseSchema></Request></Autodiscover>`,
  },
  soap: {
    headers: {
      'content-type': 'text/xml; charset=utf-8',
      soapaction: `"${autodiscover}/Autodiscover/GetUserSettings"`,
    },
    body: (address, url) =>
      `<?xml version="1.0" encoding="utf-8"?><s:Envelope xmlns:s="http://schemas.xmlsoap.org/soap/envelope/"` +
      ` xmlns:w="http://www.w3.org/2005/08/addressing" xmlns:a="${autodiscover}"><s:Header>` +
      `<a:RequestedServerVersion>Exchange2010</a:RequestedServerVersion>` +
      `<w:Action>${autodiscover}/Autodiscover/GetUserSettings</w:Action><w:To>${escapeXml(url)}</w:To></s:Header>` +
      `<s:Body><a:GetUserSettingsRequestMessage><a:Request><a:Users><a:User>` +
      `<a:Mailbox>${escapeXml(address)}</a:Mailbox></a:User></a:Users><a:RequestedSettings>` +
      `${settingNames.map((name) => `<a:Setting>${name}</a:Setting>`).join('')}` +
      `</a:RequestedSettings></a:Request></a:GetUserSettingsRequestMessage></s:Body></s:Envelope>`,
  },
}

const settingNames = ['UserDisplayName', 'ExternalEwsUrl', 'InternalEwsUrl'] as const

/** URLs of services are long, and an answer contains a few dozen of them. */
export const answerBytes = 512 * 1024
const limits = { characters: answerBytes, depth: 32, elements: 10_000 }

/**
 * Reads an answer of either format, whatever the request was. Servers differ in namespaces, so only local names
 * count.
 */
export function readDiscoveryAnswer(body: Uint8Array): DiscoveryAnswer {
  try {
    const root = parseXml(body, limits)
    if (root.name === 'Autodiscover') return readPox(root)
    return root.name === 'Envelope' ? readSoap(root) : { kind: 'none' }
  } catch (error) {
    if (error instanceof XmlError) return { kind: 'none' }
    throw error
  }
}

/** The first element at a path of names. */
function find(element: XmlElement | undefined, ...path: readonly string[]): XmlElement | undefined {
  return path.reduce<XmlElement | undefined>((at, name) => at?.children.find((child) => child.name === name), element)
}

const textAt = (element: XmlElement | undefined, ...path: readonly string[]): string | undefined =>
  find(element, ...path)?.text.trim() || undefined

/** External by RPC over HTTP, external by other protocols, and internal only. */
const protocols = ['EXPR', 'EXHTTP', 'EXCH']

function readPox(root: XmlElement): DiscoveryAnswer {
  const response = find(root, 'Response')
  const account = find(response, 'Account')
  if (!response) return { kind: 'none' }
  if (!account) return { kind: 'error', code: textAt(response, 'Error', 'ErrorCode') ?? '' }
  const url = textAt(account, 'RedirectUrl')
  if (url !== undefined) return { kind: 'redirect url', url }
  const address = textAt(account, 'RedirectAddr')
  if (address !== undefined) return { kind: 'redirect address', address }
  const named = account.children.filter((child) => child.name === 'Protocol')
  const ewsUrls = protocols.flatMap((type) =>
    named
      .filter((protocol) => textAt(protocol, 'Type') === type)
      .flatMap((protocol) => textAt(protocol, 'EwsUrl') ?? textAt(protocol, 'ASUrl') ?? []),
  )
  return { kind: 'settings', ewsUrls: [...new Set(ewsUrls)], displayName: textAt(response, 'User', 'DisplayName') }
}

function readSoap(root: XmlElement): DiscoveryAnswer {
  const response = find(root, 'Body', 'GetUserSettingsResponseMessage', 'Response')
  if (!response) return find(root, 'Body', 'Fault') ? { kind: 'error', code: 'Fault' } : { kind: 'none' }
  const user = find(response, 'UserResponses', 'UserResponse')
  const codes = [textAt(response, 'ErrorCode'), textAt(user, 'ErrorCode')]
  const code = codes.find((each) => each !== undefined && each !== 'NoError')
  const target = textAt(user, 'RedirectTarget') ?? ''
  if (code === 'RedirectAddress') return { kind: 'redirect address', address: target }
  if (code === 'RedirectUrl') return { kind: 'redirect url', url: target }
  if (code === 'ServerBusy') return { kind: 'busy' }
  if (code !== undefined) return { kind: 'error', code }
  const settings = new Map(
    (find(user, 'UserSettings')?.children ?? []).map((each) => [textAt(each, 'Name'), textAt(each, 'Value')]),
  )
  const ewsUrls = ['ExternalEwsUrl', 'InternalEwsUrl'].flatMap((name) => settings.get(name) ?? [])
  return { kind: 'settings', ewsUrls: [...new Set(ewsUrls)], displayName: settings.get('UserDisplayName') }
}
