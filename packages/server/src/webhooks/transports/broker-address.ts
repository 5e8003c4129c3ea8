/** The address of a broker, parsed from a URL of its protocol. Which hosts and ports may be reached is decided later. */
export interface BrokerAddress {
  readonly protocol: string
  readonly host: string
  readonly port: number
  /** Everything after the authority, as given. */
  readonly path: string
}

/** The protocols of the brokers with their default ports. */
export const natsPorts = { 'nats:': 4222, 'tls:': 4222 }
export const amqpPorts = { 'amqp:': 5672, 'amqps:': 5671 }

const form = /^([a-z]+:)\/\/(\[[0-9a-f:.]+\]|[^\s\\/?#@:[\]]+)(?::(\d{1,5}))?(\/[^\s?#]*)?$/i

/**
 * Undefined if the text is not such a URL, or contains a user, which belongs into the credentials. `ports` are the
 * allowed protocols with their default ports.
 */
export function brokerAddress(text: string, ports: Readonly<Record<string, number>>): BrokerAddress | undefined {
  const [, scheme = '', host = '', port, path = ''] = form.exec(text) ?? []
  const protocol = scheme.toLowerCase()
  const usual = ports[protocol]
  if (usual === undefined || host === '') return undefined
  return { protocol, host, port: port === undefined ? usual : Number(port), path }
}
