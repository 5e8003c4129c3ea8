/** One account of every kind with calendars, each with an empty calendar, for suites that compare the kinds. */

import { sharedRadicale } from '@waypost/testing/peers/radicale'
import type { TestService } from '../harness.ts'
import { createExchangeGrant, exchangePassword, openExchange, openExchangeService } from '../peers/exchange.ts'
import { createGoogleGrant, openGoogle, openGoogleService } from '../peers/google.ts'
import { createMicrosoftGrant, openMicrosoft, openMicrosoftService } from '../peers/microsoft.ts'
import { type Account, accountOf, type Call, openAccounts } from './accounts.ts'
import { type OpenDav, openICloud, openImapAndDav } from './dav-subject.ts'

export interface KindAccount {
  kind: string
  service: TestService
  applicationId: string
  account: Account
  calendarId: string
}

const email = 'series@example.com'
const zone = 'Europe/Berlin'

async function openVirtual(resources: AsyncDisposableStack): Promise<KindAccount> {
  const accounts = resources.use(await openAccounts())
  const account = await accounts.newCalendarAccount({ timezone: zone })
  return {
    kind: 'virtual',
    service: accounts.service,
    applicationId: accounts.applicationId,
    account,
    calendarId: account.calendarId,
  }
}

async function openAtGoogle(resources: AsyncDisposableStack): Promise<KindAccount> {
  const { simulator } = resources.use(await openGoogle())
  const service = resources.use(await openGoogleService(simulator))
  const { calendar } = simulator.addAccount({ email, name: 'Ada', timezone: zone })
  const { id: applicationId, key } = await service.createApplication('Series')
  const { id } = await createGoogleGrant(service, simulator, { email, key })
  const call: Call = (method, path, options) => service.call(method, path, { key, ...options })
  const { id: calendarId } = calendar.addCalendar({ summary: 'Series' })
  return { kind: 'google', service, applicationId, account: accountOf(call, { grantId: id, email }), calendarId }
}

async function openAtMicrosoft(resources: AsyncDisposableStack): Promise<KindAccount> {
  const { simulator } = resources.use(await openMicrosoft())
  const service = resources.use(await openMicrosoftService(simulator))
  const { calendar } = simulator.addAccount({ email, name: 'Ada' })
  const { id: applicationId, key } = await service.createApplication('Series')
  const { id } = await createMicrosoftGrant(service, simulator, { email, key })
  const call: Call = (method, path, options) => service.call(method, path, { key, ...options })
  const { id: calendarId } = calendar.addCalendar('Series')
  return { kind: 'microsoft', service, applicationId, account: accountOf(call, { grantId: id, email }), calendarId }
}

async function openAtExchange(resources: AsyncDisposableStack): Promise<KindAccount> {
  const { simulator } = resources.use(await openExchange())
  const service = resources.use(await openExchangeService(simulator))
  simulator.addAccount({ email, name: 'Ada', password: exchangePassword })
  const { id: applicationId, key } = await service.createApplication('Series')
  const { id } = await createExchangeGrant(service, { email, key })
  const call: Call = (method, path, options) => service.call(method, path, { key, ...options })
  const account = accountOf(call, { grantId: id, email })
  return {
    kind: 'ews',
    service,
    applicationId,
    account,
    calendarId: (await account.createCalendar({ name: 'Series' })).id,
  }
}

async function openDav(kind: string, dav: OpenDav, more = {}): Promise<KindAccount> {
  const account = accountOf(dav.call, await dav.newAccount(more))
  const { service, applicationId } = dav
  return { kind, service, applicationId, account, calendarId: (await account.createCalendar({ name: 'Series' })).id }
}

/** Opens all kinds; they are closed with `resources`. */
export async function openKinds(resources: AsyncDisposableStack): Promise<KindAccount[]> {
  return Promise.all([
    openVirtual(resources),
    openAtGoogle(resources),
    openAtMicrosoft(resources),
    openAtExchange(resources),
    openImapAndDav(sharedRadicale).then((dav) => openDav('imap', resources.use(dav), { carddav_url: 'none' })),
    openICloud().then((dav) => openDav('icloud', resources.use(dav))),
  ])
}
