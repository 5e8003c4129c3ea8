/** An OpenID provider whose responses a test controls, valid or invalid. */
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { exportJWK, generateKeyPair, type JWTPayload, SignJWT } from 'jose'

export interface ScriptedOidc extends AsyncDisposable {
  issuer: string
  /** The number of requests to each path. */
  requested: Map<string, number>
  /** The bodies of token requests. */
  traded: { form: URLSearchParams; authorization: string | undefined }[]
  /** Replacements of valid responses, by path: status and body. */
  answers: Map<string, { status: number; body: string }>
  /** A token of this provider with these claims, signed with its own key unless another is given. */
  sign(claims: JWTPayload, by?: Signing): Promise<string>
  /** Signs the following tokens with another key, which is published. */
  rotate(): Promise<void>
  /** Creates the token for the next exchange. */
  token: (form: URLSearchParams) => Promise<unknown>
  userinfo: unknown
}

export interface Signing {
  key: CryptoKey | Uint8Array
  alg: string
  kid?: string
}

const newKey = async () => {
  const { privateKey, publicKey } = await generateKeyPair('ES256', { extractable: true })
  const kid = crypto.randomUUID()
  return { key: privateKey, alg: 'ES256', kid, published: { ...(await exportJWK(publicKey)), kid, alg: 'ES256' } }
}

export async function startScriptedOidc(): Promise<ScriptedOidc> {
  const server = createServer()
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  let own = await newKey()
  const peer: ScriptedOidc = {
    issuer,
    requested: new Map(),
    traded: [],
    answers: new Map(),
    sign: (claims, { key, alg, kid } = own) =>
      new SignJWT(claims).setProtectedHeader({ alg, ...(kid ? { kid } : {}) }).sign(key),
    rotate: async () => {
      own = await newKey()
    },
    token: async () => ({}),
    userinfo: {},
    async [Symbol.asyncDispose]() {
      server.close()
      server.closeAllConnections()
      await once(server, 'close')
    },
  }
  const answerTo = async (path: string, form: URLSearchParams): Promise<unknown> => {
    if (path === '/keys') return { keys: [own.published] }
    if (path === '/token') return peer.token(form)
    if (path === '/userinfo') return peer.userinfo
    return {
      issuer,
      authorization_endpoint: `${issuer}/authorize?realm=one`,
      token_endpoint: `${issuer}/token`,
      jwks_uri: `${issuer}/keys`,
      userinfo_endpoint: `${issuer}/userinfo`,
    }
  }
  server.on('request', async (request, response) => {
    const path = request.url ?? ''
    peer.requested.set(path, (peer.requested.get(path) ?? 0) + 1)
    const form = new URLSearchParams(await text(request))
    if (path === '/token') peer.traded.push({ form, authorization: request.headers.authorization })
    const scripted = peer.answers.get(path)
    response.statusCode = scripted?.status ?? 200
    response.setHeader('content-type', 'application/json')
    response.end(scripted?.body ?? JSON.stringify(await answerTo(path, form)))
  })
  return peer
}
