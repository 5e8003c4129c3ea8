/** The configuration of a dovecot for tests. */
import { join } from 'node:path'
import type { ServerUser } from './daemon.ts'

const usualFolders = ['Drafts', 'Sent', 'Trash', 'Junk', 'Archive'] as const
export type UsualFolder = (typeof usualFolders)[number]

export interface DovecotOptions {
  name?: string
  /** The complete list of capabilities after the login. */
  capability?: string
  /** Capabilities to hide, such as MOVE. Without SPECIAL-USE, folders have no declared purpose either. */
  without?: readonly string[]
  /** Default: `/`. */
  separator?: '/' | '.'
  /** The prefix of every folder except the inbox, such as `INBOX.`. */
  prefix?: string
  /** The names of the folders that every account has, if not the usual ones. */
  folderNames?: Partial<Record<UsualFolder, string>>
  /** The maximum number of connections of a user from one address. Default: 200. */
  connectionsPerUser?: number
  /** Accepts access tokens: those of `issueToken`, or those that another server confirms. */
  oauth?: boolean | Introspection
}

/** The token introspection endpoint (RFC 7662) and its credentials. */
export interface Introspection {
  url: string
  client: { readonly id: string; readonly secret: string }
}

export interface Ports {
  imap: number
  imaps: number
  smtp: number
  smtps: number
  lmtp: number
  relay: number
  introspection: number
}

/** The capabilities of dovecot 2.3 after the login. */
const capabilities =
  'IMAP4rev1 SASL-IR LOGIN-REFERRALS ID ENABLE IDLE SORT SORT=DISPLAY THREAD=REFERENCES THREAD=REFS THREAD=ORDEREDSUBJECT MULTIAPPEND URL-PARTIAL CATENATE UNSELECT CHILDREN NAMESPACE UIDPLUS LIST-EXTENDED I18NLEVEL=1 CONDSTORE QRESYNC ESEARCH ESORT SEARCHRES WITHIN CONTEXT=SEARCH LIST-STATUS BINARY MOVE SNIPPET=FUZZY PREVIEW=FUZZY PREVIEW STATUS=SIZE SAVEDATE LITERAL+ NOTIFY SPECIAL-USE'

/** The extensions that a modern client would use, to be hidden together. */
export const modernCapabilities = capabilities
  .split(' ')
  .filter((name) => !['IMAP4rev1', 'SASL-IR', 'LOGIN-REFERRALS', 'ID', 'CHILDREN', 'NAMESPACE'].includes(name))

/** The main configuration file. */
export function configuration(folder: string, user: ServerUser, ports: Ports, options: DovecotOptions): string {
  const { without = [], separator = '/', prefix = '', connectionsPerUser = 200, oauth = false } = options
  const left =
    options.capability ??
    capabilities
      .split(' ')
      .filter((name) => !without.includes(name))
      .join(' ')
  const special = usualFolders.map((name) =>
    block(`mailbox "${options.folderNames?.[name] ?? name}"`, {
      auto: 'subscribe',
      ...(without.includes('SPECIAL-USE') ? {} : { special_use: `\\${name}` }),
    }),
  )
  const tokens = { driver: 'oauth2', mechanisms: 'xoauth2 oauthbearer', args: join(folder, 'oauth2.conf') }
  return lines(
    assignments({
      base_dir: join(folder, 'run'),
      state_dir: join(folder, 'state'),
      instance_name: `waypost-${ports.imap}`,
      log_path: join(folder, 'dovecot.log'),
      protocols: 'imap lmtp submission',
      listen: '127.0.0.1',
      default_internal_user: user.name,
      default_internal_group: user.group,
      default_login_user: user.name,
      first_valid_uid: '1',
      ssl: 'yes',
      ssl_cert: `<${join(folder, 'cert.pem')}`,
      ssl_key: `<${join(folder, 'key.pem')}`,
      disable_plaintext_auth: 'no',
      auth_failure_delay: '0',
      auth_mechanisms: oauth !== false ? 'plain login xoauth2 oauthbearer' : 'plain login',
      // Folder names are stored unchanged in mdbox, which allows every character except the separator.
      mail_location: `mdbox:${join(folder, 'mail')}/%u`,
      mailbox_list_index: 'yes',
      mail_fsync: 'never',
      mail_max_keyword_length: '100',
      submission_relay_host: '127.0.0.1',
      submission_relay_port: String(ports.relay),
      hostname: 'localhost',
    }),
    block('passdb', {
      driver: 'passwd-file',
      mechanisms: 'plain login',
      args: `scheme=PLAIN username_format=%u ${join(folder, 'users')}`,
    }),
    oauth !== false ? block('passdb', tokens) : '',
    block('userdb', {
      driver: 'passwd-file',
      args: `username_format=%u ${join(folder, 'users')}`,
      override_fields: `uid=${user.name} gid=${user.group} home=${join(folder, 'mail')}/%u`,
    }),
    // Without a delay after failed logins, because tests make many.
    block('service anvil', { chroot: '' }, block('unix_listener anvil-auth-penalty', { mode: '0' })),
    block('service stats', { chroot: '' }),
    block('service auth', { user: user.name }, block('unix_listener auth-userdb', { mode: '0666' })),
    block('service auth-worker', { user: user.name }),
    block(
      'service imap-login',
      // One process, started in advance, serves all logins.
      { chroot: '', service_count: '0', process_min_avail: '1' },
      block('inet_listener imap', { port: String(ports.imap) }),
      block('inet_listener imaps', { port: String(ports.imaps), ssl: 'yes' }),
    ),
    // A process serves several connections in sequence: starting a new one for each costs more than most tests.
    block('service imap', { process_limit: '2000', service_count: '0' }),
    block('service submission', { service_count: '0' }),
    block(
      'service submission-login',
      { chroot: '', service_count: '0' },
      block('inet_listener submission', { port: String(ports.smtp) }),
      block('inet_listener submissions', { port: String(ports.smtps), ssl: 'yes' }),
    ),
    block('service lmtp', { user: user.name, chroot: '' }, block('inet_listener lmtp', { port: String(ports.lmtp) })),
    block('namespace inbox', { inbox: 'yes', separator, prefix }, ...special),
    block('protocol imap', {
      imap_capability: left,
      mail_max_userip_connections: String(connectionsPerUser),
    }),
  )
}

/** The configuration of token introspection. */
export function introspectionConfiguration({ url, client }: Introspection): string {
  return assignments({
    introspection_mode: 'post',
    introspection_url: url,
    username_attribute: 'username',
    active_attribute: 'active',
    active_value: 'true',
    client_id: client.id,
    client_secret: client.secret,
    timeout_msecs: '5000',
  })
}

const lines = (...parts: string[]): string => `${parts.filter((part) => part !== '').join('\n')}\n`
const assignments = (settings: Record<string, string>): string =>
  lines(...Object.entries(settings).map(([name, value]) => `${name} = ${value}`))
const block = (name: string, settings: Record<string, string>, ...inner: string[]): string =>
  lines(`${name} {`, assignments(settings), ...inner, '}')
