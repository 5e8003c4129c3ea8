/** An OpenID provider that answers as a test wants it to, right or wrong. */
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { exportJWK, generateKeyPair, type JWTPayload, SignJWT } from 'jose'

export interface ScriptedOidc extends AsyncDisposable {
  issuer: string
  /** How often each path was asked for. */
  asked: Map<string, number>
  /** What clients posted to trade a code. */
  traded: { form: URLSearchParams; authorization: string | undefined }[]
  /** What stands in place of a right answer, by path: its status and body. */
  answers: Map<string, { status: number; body: string }>
  /** A token of this provider with these claims; of its own key, unless it is told another. */
  sign(claims: JWTPayload, by?: Signing): Promise<string>
  /** The next tokens are of another key, which is published. */
  rotate(): Promise<void>
  /** Makes the token for the next trade. */
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
    asked: new Map(),
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
    peer.asked.set(path, (peer.asked.get(path) ?? 0) + 1)
    const form = new URLSearchParams(await text(request))
    if (path === '/token') peer.traded.push({ form, authorization: request.headers.authorization })
    const scripted = peer.answers.get(path)
    response.statusCode = scripted?.status ?? 200
    response.setHeader('content-type', 'application/json')
    response.end(scripted?.body ?? JSON.stringify(await answerTo(path, form)))
  })
  return peer
}
