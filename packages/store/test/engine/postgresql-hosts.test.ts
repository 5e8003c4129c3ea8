import { describe, expect, test } from 'vitest'
import { addressProblem, readHosts } from '../../src/engine/postgresql-hosts.ts'

const namesOf = (url: string) => readHosts(url).hosts.map(({ name }) => name)
const urlsOf = (url: string) => readHosts(url).hosts.map((host) => host.url)

describe('an address of PostgreSQL', () => {
  test('with one host is passed on unchanged', () => {
    const url = 'postgres://user:p%40ss@db.example.com:6543/waypost?sslmode=verify-full'
    expect(readHosts(url)).toEqual({
      hosts: [{ name: 'db.example.com:6543', url }],
      attributes: 'read-write',
      user: 'user',
      database: 'waypost',
      connectMs: undefined,
    })
  })

  test('with several hosts becomes one address for each, with the same user, database and parameters', () => {
    expect(urlsOf('postgresql://user:p%40ss@a,b:5433,[2001:db8::1]:5434/waypost?sslmode=verify-full')).toEqual([
      'postgresql://user:p%40ss@a:5432/waypost?sslmode=verify-full',
      'postgresql://user:p%40ss@b:5433/waypost?sslmode=verify-full',
      'postgresql://user:p%40ss@[2001:db8::1]:5434/waypost?sslmode=verify-full',
    ])
  })

  test.for<[what: string, url: string, names: string[]]>([
    ['the usual port', 'postgres://a,b/x', ['a:5432', 'b:5432']],
    ['IPv6', 'postgres://[::1],[2001:db8::1]:5433/x', ['[::1]:5432', '[2001:db8::1]:5433']],
    ['the parameters host and port', 'postgres:///x?host=a,b&port=1,2', ['a:1', 'b:2']],
    ['one port for all hosts', 'postgres://u@/x?host=a,b&port=7', ['a:7', 'b:7']],
    ['folders of sockets', 'postgres:///x?host=/run/a,/run/b', ['/run/a:5432', '/run/b:5432']],
    ['no host at all', 'postgres:///x', ['localhost:5432']],
    ['a password with the sign @', 'postgres://u:p@ss@a,b/x', ['a:5432', 'b:5432']],
  ])('names its hosts: %s', ([, url, names]) => {
    expect(namesOf(url)).toEqual(names)
    expect(urlsOf(url).every((each) => URL.canParse(each))).toBe(true)
  })

  test.for(['read-write', 'primary', 'any'])('can ask for target_session_attrs=%s', (attributes) => {
    const { hosts, ...found } = readHosts(`postgres://a/x?target_session_attrs=${attributes}&connect_timeout=7`)
    expect(found).toMatchObject({ attributes, connectMs: 7_000 })
    expect(hosts).toEqual([{ name: 'a:5432', url: 'postgres://a:5432/x' }])
  })

  test.for<[url: string, problem: RegExp]>([
    ['postgres://a,b/x?target_session_attrs=prefer-standby', /asks for a standby.*use read-write, primary or any/],
    ['postgres://a,b/x?target_session_attrs=read-only', /asks for a standby/],
    ['postgres://a,b/x?target_session_attrs=nearest', /must be read-write, primary or any/],
    ['postgres://a,b:one/x', /host 2 is not a host with a port/],
    ['postgres://a,b:70000/x', /host 2/],
    ['postgres://::1,b/x', /host 1/],
    ['postgres:///x?host=a,b,c&port=1,2', /3 hosts and 2 ports/],
    ['postgres://a,b/x?connect_timeout=soon', /connect_timeout must be a number of seconds/],
    ['mysql://a/x', /begin with postgres/],
  ])('with a mistake is refused with the reason: %s', ([url, problem]) => {
    expect(addressProblem(url)).toMatch(problem)
  })

  test.for(['postgres://user:CANARY/1@a,b/x', 'postgres://user:CANARY#1@a/x', 'postgres://user:99CANARY?@b/x'])(
    'with a mistake is refused without repeating the password',
    (url) => {
      expect(addressProblem(url)).toBeDefined()
      expect(addressProblem(url)).not.toContain('CANARY')
    },
  )
})
