/**
 * Node's own modules without the facade that an `import` of them makes. To make it, Node reads everything that the module
 * exports, and with it loads what is there only for who asks: `node:http` brings a whole client for the web, `node:crypto`
 * another kind of cryptography, a tenth of a start together. `process.getBuiltinModule` gives the module as it is.
 */
const importOfBuiltin = /^import ([^"';]+?) from "(node:[a-z_/0-9]+)";$/gm

/** The text of a module, as the bundler writes it: one import in a line. */
export const withoutFacades = (code: string): string =>
  code.replaceAll(importOfBuiltin, (line, clause: string, name: string) => {
    const bindings = bindingsOf(clause)
    // A module may have a `process` of its own.
    const module = `globalThis.process.getBuiltinModule("${name}")`
    return bindings ? bindings.map((binding) => `const ${binding} = ${module};`).join(' ') : line
  })

/** What is bound by `a`, `* as a`, `{ a, b as c }`, or by two of them; the default of Node's modules is the module. */
function bindingsOf(clause: string): string[] | undefined {
  const [found, whole, named] = /^(?:\* as )?([\w$]+)?(?:, )?(\{[\w$, ]+\})?$/.exec(clause) ?? []
  if (found === undefined || /\bdefault\b/.test(clause)) return undefined
  return [whole, named?.replaceAll(' as ', ': ')].filter((binding) => binding !== undefined)
}
