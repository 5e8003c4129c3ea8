/**
 * Servers that replace a provider's own, in tests or in an installation that reaches them through others. An operator
 * names them with variables such as `WAYPOST_YAHOO_IMAP_URL=imaps://host:993`.
 */

import { said } from '@waypost/platform/settings/values'
import { z } from 'zod'
import type { Security } from './mail/server-account.ts'
import { type Hosts, vendorOf } from './mail/vendors.ts'

/** URLs by protocol; for an absent one the provider's own server is used. */
export interface ServerUrls {
  readonly imap?: string | undefined
  readonly smtp?: string | undefined
  readonly caldav?: string | undefined
  readonly carddav?: string | undefined
}

export interface MailServer {
  host: string
  port: number
  /** Absent if it is to be detected. */
  security?: Security | undefined
}

const protocols: Record<keyof ServerUrls, RegExp> = {
  imap: /^imaps?$/,
  smtp: /^smtps?$/,
  caldav: /^https?$/,
  carddav: /^https?$/,
}

const protocolNames: Record<keyof ServerUrls, string> = {
  imap: 'IMAP',
  smtp: 'SMTP',
  caldav: 'CalDAV',
  carddav: 'CardDAV',
}

type VariableOf<K extends string, P extends keyof ServerUrls> = `WAYPOST_${K}_${Uppercase<P>}_URL`

/** The variables that name servers of a kind, with their forms. */
export function serverVariables<K extends string, P extends keyof ServerUrls>(
  kind: K,
  names: readonly P[],
): { [N in VariableOf<K, P>]: z.ZodOptional<z.ZodString> } {
  const entries = names.map((name) => {
    const protocol = protocols[name]
    const isAddress = (value: string): boolean =>
      URL.canParse(value) && protocol.test(new URL(value).protocol.slice(0, -1)) && new URL(value).hostname !== ''
    const example =
      name === 'imap' || name === 'smtp' ? `${name}s://127.0.0.1:${usualPorts[`${name}s:`]}` : 'https://127.0.0.1/dav/'
    return [
      `WAYPOST_${kind}_${name.toUpperCase()}_URL`,
      said(z.string().trim().refine(isAddress).optional(), `an address such as ${example}`, example).describe(
        `A server in place of the provider's own ${protocolNames[name]} server, such as a test server.`,
      ),
    ]
  })
  return Object.fromEntries(entries)
}

/** The servers that these variables name; undefined if they name none. */
export function serversIn(kind: string, values: Readonly<Record<string, unknown>>): ServerUrls | undefined {
  const names = Object.keys(protocols) as (keyof ServerUrls)[]
  const found = names.flatMap((name) => {
    const value = values[`WAYPOST_${kind}_${name.toUpperCase()}_URL`]
    return typeof value === 'string' ? [[name, value] as const] : []
  })
  return found.length === 0 ? undefined : Object.fromEntries(found)
}

/** The default port of a protocol. */
const usualPorts: Record<string, number> = { 'imaps:': 993, 'imap:': 143, 'smtps:': 465, 'smtp:': 587 }

function serverAt(url: string): MailServer {
  const { protocol, hostname, port } = new URL(url)
  return {
    host: hostname,
    port: Number(port) || (usualPorts[protocol] ?? 0),
    ...(protocol.endsWith('s:') ? { security: 'tls' as const } : {}),
  }
}

/** The mail servers of a well-known service, or their replacements. */
export function mailServersOf(
  vendor: string,
  { providerServers }: { providerServers: ServerUrls },
): { imap: MailServer; smtp: MailServer } {
  const hosts: Hosts | undefined = vendorOf(vendor)?.hosts
  if (!hosts) throw new Error(`no mail servers of ${vendor} are known`)
  const { imap, smtp } = providerServers
  return {
    imap: imap === undefined ? { host: hosts.imap, port: 993 } : serverAt(imap),
    smtp: smtp === undefined ? { host: hosts.smtp, port: hosts.smtpPort ?? 587 } : serverAt(smtp),
  }
}
