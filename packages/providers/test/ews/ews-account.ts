/** An account on an Exchange server as its adapter sees it, without the service. */
import type { Grant } from '@waypost/contract'
import { privateEgress } from '../../../platform/test/egress/making-egress.ts'
import { open, type Session } from '../../src/ews/session.ts'
import type { SessionIo } from '../../src/io.ts'

export interface EwsTestAccount extends AsyncDisposable {
  io: SessionIo
  /** Warnings about unreadable parts. */
  warnings: string[]
  /** A session as a request has one: the cache between requests stays. */
  open(settings?: Record<string, unknown>): Session
  /** Ends the cache, as when the credentials change. */
  forget(): Promise<void>
}

export interface AccountOptions {
  url: string
  user?: string
  password?: string
  /** Shared by the accounts of a node. */
  shared?: Map<string, object>
  egress?: Parameters<typeof privateEgress>[0]
  now?(): number
}

export function ewsAccount(options: AccountOptions): EwsTestAccount {
  const { url, user = 'ada@exchange.example', password = 'secret', shared = new Map<string, object>() } = options
  const egress = privateEgress(options.egress)
  const retained = new Map<string, AsyncDisposable>()
  const warnings: string[] = []
  const io = Object.assign(Object.create(null) as SessionIo, {
    request: egress.request,
    connection: egress.connection,
    signal: new AbortController().signal,
    clock: { now: options.now ?? (() => Date.now()) },
    providerUrl: url,
    log: {
      debug: () => {},
      info: () => {},
      warn: ({ problem }: { problem: string }) => warnings.push(problem),
    } as unknown as SessionIo['log'],
    credentials: () => ({ ews_password: password }),
    shared: <T extends object>(name: string, make: () => T): T => {
      const value = (shared.get(name) as T | undefined) ?? make()
      shared.set(name, value)
      return value
    },
    retained: <T extends AsyncDisposable>(name: string, make: (forget: () => void) => T): T => {
      const value = (retained.get(name) as T | undefined) ?? make(() => retained.delete(name))
      retained.set(name, value)
      return value
    },
  })
  const forget = async (): Promise<void> => {
    await Promise.all(retained.values().map((value) => value[Symbol.asyncDispose]()))
    retained.clear()
  }
  return {
    io,
    warnings,
    forget,
    open: (settings = {}) => open(grantOf({ ews_username: user, ...settings }), io),
    async [Symbol.asyncDispose]() {
      await forget()
      await egress[Symbol.asyncDispose]()
    },
  }
}

const grantOf = (settings: Record<string, unknown>): Grant =>
  Object.assign(Object.create(null) as Grant, { id: 'grant', email: 'ada@exchange.example', settings })

const envelopeOf = (body: string): string =>
  '<?xml version="1.0" encoding="utf-8"?><s:Envelope xmlns:s="http://schemas.xmlsoap.org/soap/envelope/" ' +
  'xmlns:m="http://schemas.microsoft.com/exchange/services/2006/messages" ' +
  `xmlns:t="http://schemas.microsoft.com/exchange/services/2006/types"><s:Body>${body}</s:Body></s:Envelope>`

/** The response of an operation, with its response messages. */
export const answerOf = (operation: string, ...messages: string[]): string =>
  envelopeOf(
    `<m:${operation}Response><m:ResponseMessages>${messages.join('')}</m:ResponseMessages></m:${operation}Response>`,
  )

export const success = (operation: string, content = ''): string =>
  `<m:${operation}ResponseMessage ResponseClass="Success"><m:ResponseCode>NoError</m:ResponseCode>${content}</m:${operation}ResponseMessage>`

export const failed = (operation: string, code: string, more = '', responseClass = 'Error'): string =>
  `<m:${operation}ResponseMessage ResponseClass="${responseClass}"><m:MessageText>It says ${code}.</m:MessageText>` +
  `<m:ResponseCode>${code}</m:ResponseCode><m:DescriptiveLinkKey>0</m:DescriptiveLinkKey>${more}</m:${operation}ResponseMessage>`

export const backOff = (milliseconds: number | string): string =>
  `<t:Value Name="BackOffMilliseconds">${milliseconds}</t:Value>`

/** A fault as Exchange writes it. */
export const faultOf = (code: string, messageXml = ''): string =>
  envelopeOf(
    '<s:Fault><faultcode xmlns:a="http://schemas.microsoft.com/exchange/services/2006/types">' +
      `a:${code}</faultcode><faultstring xml:lang="en-US">It says ${code}.</faultstring><detail>` +
      '<e:ResponseCode xmlns:e="http://schemas.microsoft.com/exchange/services/2006/errors">' +
      `${code}</e:ResponseCode><e:Message xmlns:e="http://schemas.microsoft.com/exchange/services/2006/errors">It says ` +
      `${code}.</e:Message>${messageXml === '' ? '' : `<t:MessageXml>${messageXml}</t:MessageXml>`}</detail></s:Fault>`,
  )

export const folderAnswer = (name = 'Inbox'): string =>
  answerOf(
    'GetFolder',
    success(
      'GetFolder',
      `<m:Folders><t:Folder><t:FolderId Id="AAA="/><t:DisplayName>${name}</t:DisplayName></t:Folder></m:Folders>`,
    ),
  )
