/** Certificates for servers of tests, created by openssl. */
import { execFile } from 'node:child_process'
import { mkdtempDisposable, readFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'

export interface Certificate {
  /** The certificate authority that signed it, as PEM. Clients that trust it trust the server. */
  ca: string
  cert: string
  key: string
}

let shared: Promise<Certificate> | undefined

/** The certificate of the servers of this process, valid for `localhost` and 127.0.0.1. */
export function testCertificate(): Promise<Certificate> {
  shared ??= makeCertificate()
  return shared
}

/** A new certificate authority, and a certificate by it for the given names. */
export async function makeCertificate(names = 'DNS:localhost,IP:127.0.0.1'): Promise<Certificate> {
  await using folder = await mkdtempDisposable(join(tmpdir(), 'waypost-certificate-'))
  const file = (name: string) => join(folder.path, name)
  const request = ['req', '-x509', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes', '-days', '2']
  const openssl = (args: string[]) => promisify(execFile)('openssl', [...request, ...args])
  const authority = ['-subj', '/CN=Test authority', '-addext', 'basicConstraints=critical,CA:TRUE']
  await openssl([...authority, '-keyout', file('ca.key'), '-out', file('ca.pem')])
  const leaf = ['-subj', '/CN=Test server', '-addext', `subjectAltName=${names}`]
  const signed = ['-CA', file('ca.pem'), '-CAkey', file('ca.key'), '-addext', 'basicConstraints=critical,CA:FALSE']
  await openssl([...leaf, ...signed, '-keyout', file('key.pem'), '-out', file('cert.pem')])
  const read = (name: string) => readFile(file(name), 'utf8')
  const [ca, cert, key] = await Promise.all([read('ca.pem'), read('cert.pem'), read('key.pem')])
  return { ca, cert, key }
}

/** The certificate of an application that signs with it: RSA, as identity platforms require. The key is PKCS #8. */
export async function makeSigningCertificate(): Promise<{ certificate: string; privateKey: string }> {
  await using folder = await mkdtempDisposable(join(tmpdir(), 'waypost-certificate-'))
  const file = (name: string) => join(folder.path, name)
  const request = ['req', '-x509', '-newkey', 'rsa:2048', '-nodes', '-days', '2', '-subj', '/CN=Test application']
  await promisify(execFile)('openssl', [...request, '-keyout', file('key.pem'), '-out', file('cert.pem')])
  const [certificate, privateKey] = await Promise.all(
    ['cert.pem', 'key.pem'].map((name) => readFile(file(name), 'utf8')),
  )
  return { certificate: certificate ?? '', privateKey: privateKey ?? '' }
}
