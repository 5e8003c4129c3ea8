/** What requests say about the place and the credentials of a channel, by transport. Pure. */
import type {
  AmqpChannelChange,
  AmqpChannelDraft,
  NatsChannelChange,
  NatsChannelDraft,
  PubsubChannelChange,
  PubsubChannelDraft,
  SnsChannelChange,
  SnsChannelDraft,
} from '@waypost/contract'
import { invalidField } from '@waypost/platform/api-error'
import { isServiceAccountKey } from '@waypost/platform/settings/channel-settings'
import { amqpPorts, brokerAddress, natsPorts } from '../transports/broker-session.ts'
import type { ChannelCredentials, ChannelSettings, ChannelTransport } from '../transports/channel-settings.ts'

export interface ChannelDrafts {
  pubsub: PubsubChannelDraft
  sns: SnsChannelDraft
  nats: NatsChannelDraft
  amqp: AmqpChannelDraft
}
export interface ChannelChanges {
  pubsub: PubsubChannelChange
  sns: SnsChannelChange
  nats: NatsChannelChange
  amqp: AmqpChannelChange
}

export interface ChannelForm<T extends ChannelTransport> {
  settings(draft: ChannelDrafts[T]): ChannelSettings[T]
  changedSettings(change: ChannelChanges[T], before: ChannelSettings[T]): ChannelSettings[T]
  /** The credentials in a request. Undefined: it says nothing about them. Null: the channel has none of its own. */
  credentials(request: ChannelDrafts[T] | ChannelChanges[T]): ChannelCredentials[T] | null | undefined
  /** The field of the credentials, and the setting of the operator that replaces it. */
  credentialFields: { field: string; setting?: string }
  /** The field that says where the broker is. */
  placeField: string
  /** Who receives or checks the credentials, each in one spelling: servers with protocol and port, projects, accounts. */
  credentialPlaces(settings: ChannelSettings[T]): readonly string[]
  /** The place, for people: in lists and mails. */
  address(settings: ChannelSettings[T]): string
}

/** The given fields of those named. Undefined if none is mentioned, null if none has a value. */
function given<K extends string>(
  request: { readonly [N in K]?: string | null | undefined },
  names: readonly K[],
): { [N in K]?: string } | null | undefined {
  if (names.every((name) => request[name] === undefined)) return undefined
  const found: { [N in K]?: string } = {}
  for (const name of names) {
    const value = request[name]
    if (typeof value === 'string') found[name] = value
  }
  return Object.keys(found).length === 0 ? null : found
}

const pubsub: ChannelForm<'pubsub'> = {
  settings: ({ topic }) => ({ topic }),
  changedSettings: ({ topic }, before) => ({ topic: topic ?? before.topic }),
  credentials({ credentials }) {
    if (credentials === undefined || credentials === null) return credentials
    const text = typeof credentials === 'string' ? credentials : JSON.stringify(credentials)
    if (!isServiceAccountKey(text)) {
      throw invalidField(
        'credentials',
        'must be the key of a service account as JSON, with client_email and private_key',
      )
    }
    return { credentials: text }
  },
  credentialFields: { field: 'credentials', setting: 'WAYPOST_PUBSUB_CREDENTIALS' },
  placeField: 'topic',
  // Google is asked in any case, so it is the project that may belong to somebody else.
  credentialPlaces: ({ topic }) => [topic.split('/').slice(0, 2).join('/')],
  address: ({ topic }) => topic,
}

/** The partition, service, region and account of an ARN. The first three determine the host. */
const accountOf = (arn: string): string => arn.split(':').slice(0, 5).join(':')

const sns: ChannelForm<'sns'> = {
  settings: ({ topic, role_arn }) => ({ topic, role_arn: role_arn ?? null }),
  changedSettings: ({ topic, role_arn }, before) => ({
    topic: topic ?? before.topic,
    role_arn: role_arn === undefined ? before.role_arn : role_arn,
  }),
  credentials(request) {
    const found = given(request, ['access_key_id', 'secret_access_key'])
    if (!found) return found
    const { access_key_id, secret_access_key } = found
    if (access_key_id === undefined) throw invalidField('access_key_id', 'is required with secret_access_key')
    if (secret_access_key === undefined) throw invalidField('secret_access_key', 'is required with access_key_id')
    return { access_key_id, secret_access_key }
  },
  credentialFields: { field: 'access_key_id', setting: 'WAYPOST_SNS_ACCESS_KEY_ID' },
  placeField: 'topic',
  credentialPlaces: ({ topic, role_arn }) => [topic, ...(role_arn === null ? [] : [role_arn])].map(accountOf),
  address: ({ topic }) => topic,
}

/** Protocol, host and port of a server. Another protocol is another place: it may have no TLS. */
function serverOf(text: string, ports: Readonly<Record<string, number>>): string {
  const address = brokerAddress(text, ports)
  return address ? `${address.protocol}//${address.host.toLowerCase()}:${address.port}` : text
}

function needBoth({ username, password }: { username?: string; password?: string }): void {
  if ((username === undefined) === (password === undefined)) return
  throw invalidField(username === undefined ? 'username' : 'password', 'username and password belong together')
}

const nats: ChannelForm<'nats'> = {
  settings: ({ servers, subject, stream }) => ({ servers, subject, stream: stream ?? null }),
  changedSettings: ({ servers, subject, stream }, before) => ({
    servers: servers ?? before.servers,
    subject: subject ?? before.subject,
    stream: stream === undefined ? before.stream : stream,
  }),
  credentials(request) {
    const found = given(request, ['token', 'username', 'password', 'credentials'])
    if (!found) return found
    const ways = [found.token, found.credentials, found.username ?? found.password].filter((way) => way !== undefined)
    if (ways.length > 1) throw invalidField('credentials', 'give one of token, credentials, or username with password')
    needBoth(found)
    return found
  },
  credentialFields: { field: 'token' },
  placeField: 'servers',
  credentialPlaces: ({ servers }) => servers.map((server) => serverOf(server, natsPorts)),
  address: ({ servers: [first = ''], subject }) => `${first}/${subject}`,
}

/** Splits off what nobody must see. */
function withoutUser(text: string): { url: string; user: { username?: string; password?: string } | undefined } {
  const parsed = URL.parse(text)
  if (!parsed) throw invalidField('url', 'must be an address such as amqps://rabbit.example.com/my-vhost')
  const { username, password } = parsed
  parsed.username = ''
  parsed.password = ''
  if (username === '' && password === '') return { url: parsed.href, user: undefined }
  return { url: parsed.href, user: { username: decoded(username), password: decoded(password) } }
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    throw invalidField('url', 'the user and password in it must be percent-encoded; or use username and password')
  }
}

const amqp: ChannelForm<'amqp'> = {
  settings: ({ url, exchange, routing_key }) => ({ url: withoutUser(url).url, exchange, routing_key }),
  changedSettings: ({ url, exchange, routing_key }, before) => ({
    url: url === undefined ? before.url : withoutUser(url).url,
    exchange: exchange ?? before.exchange,
    routing_key: routing_key ?? before.routing_key,
  }),
  credentials(request) {
    const { user } = request.url === undefined ? { user: undefined } : withoutUser(request.url)
    const found = given(request, ['username', 'password'])
    if (user && found) throw invalidField('url', 'has a user already: leave out username and password, or the user')
    needBoth(found ?? {})
    return user ?? found
  },
  credentialFields: { field: 'username' },
  placeField: 'url',
  credentialPlaces: ({ url }) => [serverOf(url, amqpPorts)],
  address: ({ url, exchange, routing_key }) => `${url} ${exchange}/${routing_key}`,
}

export const channelForms: { readonly [T in ChannelTransport]: ChannelForm<T> } = { pubsub, sns, nats, amqp }
