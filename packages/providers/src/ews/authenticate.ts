/**
 * Tests an account at its Exchange server, which is discovered if the user does not name it. Nothing is stored unless
 * the server accepts the account.
 */
import type { Identity } from '../identity.ts'
import type { Io } from '../io.ts'
import { discover, inPlaceOf } from './autodiscover/discover.ts'
import { beginSearch, beginSearchAt, type Ended, type FoundServer, type Search } from './autodiscover/plan.ts'
import {
  type Login,
  loginOf,
  type NamedServer,
  namedServer,
  serverAt,
  servicePath,
  servicePort,
  urlOf,
} from './login.ts'
import { type Owner, ownerOf } from './mailbox-owner.ts'
import { isElsewhere, isUnreached, notFound, refusalOf } from './refusals.ts'
import { scopeOf } from './scopes.ts'
import { withClient } from './session.ts'
import { AccountConnections } from './soap/connections.ts'
import { openTransport } from './soap/transport.ts'

/** The location and owner of a mailbox. */
interface OpenMailbox {
  url: string
  owner: Owner
  /** The owner's name from Autodiscover. */
  displayName?: string | undefined
}

export async function authenticate(
  given: Record<string, unknown>,
  io: Io,
  use: { scope: readonly string[] | undefined },
): Promise<Identity> {
  const scope = scopeOf(use.scope)
  const login = loginOf(given)
  const { url, owner, displayName } = await openServer(namedServer(given), login, io)
  const { host, port, path } = serverAt(url)
  return {
    email: owner.address,
    name: owner.name ?? displayName ?? null,
    providerUserId: null,
    scope,
    settings: {
      email: owner.address,
      ews_username: login.user,
      ews_host: host,
      ...(port === servicePort ? {} : { ews_port: port }),
      ...(path.toLowerCase() === servicePath.toLowerCase() ? {} : { ews_path: path }),
      ...(login.isImpersonated ? { ews_impersonation: true } : {}),
      ...(given.watch === undefined ? {} : { watch: given.watch }),
    },
    credentials: { ews_password: login.password },
  }
}

/** The named server, or the discovered one. A named host may be one that knows the actual server. */
async function openServer(named: NamedServer | undefined, login: Login, io: Io): Promise<OpenMailbox> {
  if (!named) return openFound(beginSearch(login.address), login, io)
  const url = urlOf(named)
  try {
    return { url, owner: await openAt(url, login, io) }
  } catch (error) {
    const elsewhere = isElsewhere(error) ? beginSearchAt(url, login.address) : undefined
    const ended = elsewhere && (await search(elsewhere, login, io))
    if (!ended || ended.kind === 'lost') throw refusalOf(error, login)
    return openEnded(ended, login, io)
  }
}

async function openFound(begun: Search | undefined, login: Login, io: Io): Promise<OpenMailbox> {
  if (!begun) throw notFound({ kind: 'lost', domain: login.address, noted: {} })
  return openEnded(await search(begun, login, io), login, io)
}

function openEnded(ended: Ended, login: Login, io: Io): Promise<OpenMailbox> {
  if (ended.kind !== 'found') throw notFound(ended)
  return firstThatOpens(ended, login, io)
}

function search(begun: Search, login: Login, io: Io): Promise<Ended> {
  const post: Parameters<typeof discover>[1]['post'] = async (url, request) => {
    await using connections = new AccountConnections()
    return await openTransport(io, { ...login, url }, connections).post({ ...request, mailbox: login.address })
  }
  return discover(begun, { io, post }).catch((error: unknown) => {
    throw refusalOf(error, login)
  })
}

/** The first of several URLs at which the mailbox opens. The next one is tried only if one cannot be reached. */
async function firstThatOpens({ ewsUrls, displayName }: FoundServer, login: Login, io: Io): Promise<OpenMailbox> {
  let unreached: unknown
  for (const url of ewsUrls) {
    try {
      return { url, owner: await openAt(url, login, io), displayName }
    } catch (error) {
      io.signal.throwIfAborted()
      if (!isUnreached(error)) throw refusalOf(error, login)
      unreached ??= error
    }
  }
  throw refusalOf(unreached, login)
}

function openAt(url: string, login: Login, io: Io): Promise<Owner> {
  const account = { ...login, url: inPlaceOf(url, io.providerUrl) }
  return withClient(io, account, (client) => ownerOf(client, login))
}
