// Autodiscover with SOAP, since Exchange 2010: `/autodiscover/autodiscover.svc`, operation GetUserSettings.
import type { RawAnswer } from '../../shared/http.ts'
import type { World } from '../model.ts'
import { namespaces } from '../xml/namespaces.ts'
import { childOf, readXml, textOf, within, type XmlNode, XmlSyntaxError } from '../xml/read.ts'
import { element, writeXml, type Xml } from '../xml/write.ts'
import type { Place, Places } from './places.ts'

const autodiscover = 'http://schemas.microsoft.com/exchange/2010/Autodiscover'
const action = `${autodiscover}/Autodiscover/GetUserSettingsResponse`

export function answerSettings(world: World, places: Places, body: Uint8Array): RawAnswer {
  const request = requestIn(new TextDecoder().decode(body))
  if (request === undefined) {
    return answer(world, [element('ErrorCode', 'InvalidRequest'), element('ErrorMessage', 'The request is invalid.')])
  }
  const wanted = childOf(request, 'RequestedSettings')?.children.map(({ text }) => text.trim()) ?? []
  const users = childOf(request, 'Users')?.children ?? []
  const responses = users.map((user) => userXml(world, places.find(textOf(user, 'Mailbox') ?? ''), wanted))
  return answer(world, [...errorFree(), element('UserResponses', responses)])
}

function requestIn(source: string): XmlNode | undefined {
  try {
    return within(readXml(source), 'Body', 'GetUserSettingsRequestMessage', 'Request')
  } catch (error) {
    if (error instanceof XmlSyntaxError) return undefined
    throw error
  }
}

const errorFree = (): Xml[] => [element('ErrorCode', 'NoError'), element('ErrorMessage')]

function userXml(world: World, place: Place, wanted: readonly string[]): Xml {
  if (place.kind === 'unknown') return userResponse('InvalidUser', 'The user was not found.', undefined, [])
  if (place.kind === 'redirect') {
    const { redirect } = place
    return 'address' in redirect
      ? userResponse('RedirectAddress', 'Redirection address.', redirect.address, [])
      : userResponse('RedirectUrl', 'Redirection URL.', redirect.url, [])
  }
  const { major, minor, majorBuild, minorBuild } = world.server
  const known: Readonly<Record<string, string>> = {
    UserDisplayName: place.account.name,
    AutoDiscoverSMTPAddress: place.account.email,
    ExternalEwsUrl: place.external,
    InternalEwsUrl: place.internal,
    ExternalEwsVersion: [major, minor, majorBuild, minorBuild].join('.'),
    EwsSupportedSchemas: 'Exchange2007, Exchange2007_SP1, Exchange2010, Exchange2010_SP1',
    GroupingInformation: 'Default-First-Site-Name',
  }
  const settings = wanted.flatMap((name) => {
    const value = known[name]
    return value === undefined
      ? []
      : [element('UserSetting', { 'i:type': 'StringSetting' }, [element('Name', name), element('Value', value)])]
  })
  return userResponse('NoError', 'No error.', undefined, settings)
}

function userResponse(code: string, message: string, target: string | undefined, settings: readonly Xml[]): Xml {
  return element('UserResponse', [
    element('ErrorCode', code),
    element('ErrorMessage', message),
    target === undefined ? element('RedirectTarget', { 'i:nil': true }) : element('RedirectTarget', target),
    element('UserSettingErrors'),
    element('UserSettings', settings),
  ])
}

function answer({ server }: World, content: readonly Xml[]): RawAnswer {
  const response = element('Response', { 'xmlns:i': 'http://www.w3.org/2001/XMLSchema-instance' }, content)
  const version = element('h:ServerVersionInfo', { 'xmlns:h': autodiscover }, [
    element('h:MajorVersion', server.major),
    element('h:MinorVersion', server.minor),
    element('h:MajorBuildNumber', server.majorBuild),
    element('h:MinorBuildNumber', server.minorBuild),
    element('h:Version', server.schema),
  ])
  const envelope = element(
    's:Envelope',
    { 'xmlns:s': namespaces.s, 'xmlns:a': 'http://www.w3.org/2005/08/addressing' },
    [
      element('s:Header', [element('a:Action', { 's:mustUnderstand': 1 }, action), version]),
      element('s:Body', [element('GetUserSettingsResponseMessage', { xmlns: autodiscover }, [response])]),
    ],
  )
  const body = new TextEncoder().encode(writeXml(envelope))
  return { status: 200, headers: { 'content-type': 'text/xml; charset=utf-8' }, body }
}
