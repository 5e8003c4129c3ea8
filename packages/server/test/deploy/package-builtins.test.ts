/** scripts/package/builtins.ts: imports of Node's modules in the package, without their facades. */
import { expect, test } from 'vitest'
import { withoutFacades } from '../../../../scripts/package/builtins.ts'

test('imports of Node’s modules become the modules themselves, whatever form they have', () => {
  const code = [
    'import path from "node:path";',
    'import net, { isIP } from "node:net";',
    'import * as os from "node:os";',
    'import { Server as Server$1, STATUS_CODES } from "node:http";',
    'import { setTimeout } from "node:timers/promises";',
  ].join('\n')
  const of = (name: string): string => `globalThis.process.getBuiltinModule("${name}");`
  expect(withoutFacades(code).split('\n')).toEqual([
    `const path = ${of('node:path')}`,
    `const net = ${of('node:net')} const { isIP } = ${of('node:net')}`,
    `const os = ${of('node:os')}`,
    `const { Server: Server$1, STATUS_CODES } = ${of('node:http')}`,
    `const { setTimeout } = ${of('node:timers/promises')}`,
  ])
})

test('all other imports stay unchanged', () => {
  const code = [
    'import { a } from "./node:path.js";',
    'import { default as net } from "node:net";',
    'const text = `import path from "node:path"`;',
    'import "node:process";',
  ].join('\n')
  expect(withoutFacades(code)).toBe(code)
})
