/** Tries an account at its Exchange server, which is looked for where nobody names it: nothing is stored unless it lets the account in. */
import type { Identity } from '../identity.ts'
import type { Io } from '../io.ts'
import { discover, inPlaceOf } from './autodiscover/discover.ts'
import { beginSearch } from './autodiscover/plan.ts'
import { type Login, loginOf, namedServer, serverAt, servicePath, servicePort, urlOf } from './login.ts'
import { type Owner, ownerOf } from './mailbox-owner.ts'
import { isUnreached, notFound, refusalOf } from './refusals.ts'
import { scopeOf } from './scopes.ts'
import { openClient } from './soap/client.ts'
import { openTransport } from './soap/transport.ts'

/** Where the web service may be, the best first. */
interface Places {
  urls: readonly string[]
  displayName?: string | undefined
}

export async function authenticate(
  given: Record<string, unknown>,
  io: Io,
  use: { scope: readonly string[] | undefined },
): Promise<Identity> {
  const scope = scopeOf(use.scope)
  const login = loginOf(given)
  const named = namedServer(given)
  const { urls, displayName } = named ? { urls: [urlOf(named)] } : await findServer(login, io)
  const { url, owner } = await firstThatOpens(urls, login, io)
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

async function findServer(login: Login, io: Io): Promise<Places> {
  const search = beginSearch(login.address)
  if (!search) throw notFound({ kind: 'lost', domain: login.address, noted: {} })
  const post: Parameters<typeof discover>[1]['post'] = (url, request) =>
    openTransport(io, { ...login, url }).post(request)
  const ended = await discover(search, { io, post }).catch((error: unknown) => {
    throw refusalOf(error, login)
  })
  if (ended.kind !== 'found') throw notFound(ended)
  return { urls: ended.ewsUrls, displayName: ended.displayName }
}

/** The first of several places where the mailbox opens; another is tried only where one cannot be reached. */
async function firstThatOpens(urls: readonly string[], login: Login, io: Io): Promise<{ url: string; owner: Owner }> {
  let unreached: unknown
  for (const url of urls) {
    const account = { ...login, url: inPlaceOf(url, io.providerUrl) }
    try {
      const client = openClient({ io, account, transport: openTransport(io, account) })
      return { url, owner: await ownerOf(client, login) }
    } catch (error) {
      io.signal.throwIfAborted()
      if (!isUnreached(error)) throw refusalOf(error, login)
      unreached ??= error
    }
  }
  throw refusalOf(unreached, login)
}
