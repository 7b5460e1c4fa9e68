import { execFile } from 'node:child_process'
import { cpSync, globSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import { promisify } from 'node:util'
import { fromRoot, root, runScript, UserError } from './script.mjs'

/*
 * npm run packages [-- FOLDER [NAME…]]: builds the packages for others, @befaqt/verify and @befaqt/client, and packs each as
 * a file to publish or to install from. The same sources give the same bytes.
 */

const run = promisify(execFile)
const node = (...args: string[]) => run(process.execPath, args, { cwd: root, maxBuffer: 64 << 20 })

type Manifest = { version: string; license: string; dependencies: Record<string, string> }
const manifestOf = (...path: string[]): Manifest =>
  JSON.parse(readFileSync(fromRoot(...path, 'package.json'), 'utf8'))

/** What fills the folder of a package, beside what packages/NAME holds. Answers what its manifest gets. */
const makers: Readonly<Record<string, (folder: string) => Promise<Partial<Manifest>>>> = {
  verify: async (folder) => {
    const sources = fromRoot('provenance', 'src')
    const { dependencies } = manifestOf('provenance')
    await compile(sources, join(folder, 'dist'))
    const whole = ['--format', 'esm', '--platform', 'browser', '--no-code-splitting', '--minify']
    await node(
      fromRoot('node_modules/rolldown/bin/cli.mjs'),
      join(sources, 'published.ts'),
      ...whole,
      '--file',
      join(folder, 'dist', 'browser.js'),
    )
    write(join(folder, 'THIRD-PARTY.txt'), licencesOf(Object.keys(dependencies)))
    write(join(folder, 'bin', 'befaqt-verify.js'), "#!/usr/bin/env node\nimport '../dist/cli.js'\n")
    for (const name of globSync('*.{json,md}', { cwd: fromRoot('provenance', 'vectors') }))
      cpSync(fromRoot('provenance', 'vectors', name), join(folder, 'vectors', name))
    return { dependencies }
  },
  client: async (folder) => {
    await node(fromRoot('server/src/testing/api-types.ts'), folder)
    return {}
  },
}

/** Compiles what the package exports and its command to JavaScript of Node 20, with types that name what is there. */
async function compile(sources: string, to: string): Promise<void> {
  const config = join(dirname(to), 'tsconfig.json')
  const compilerOptions = {
    noEmit: false,
    declaration: true,
    rewriteRelativeImportExtensions: true,
    target: 'es2022',
    lib: ['es2023', 'es2024.string'], // what Node 20 has: something newer is an error here
    types: ['node'],
    typeRoots: [fromRoot('node_modules/@types')],
    rootDir: sources,
    outDir: to,
  }
  const files = ['published', 'cli', 'sha256', 'sha256-node', 'signed/signatures', 'signed/signatures-node']
  write(
    config,
    JSON.stringify({
      extends: fromRoot('tsconfig.base.json'),
      compilerOptions,
      files: files.map((name) => join(sources, `${name}.ts`)),
    }),
  )
  await node(fromRoot('node_modules/typescript/bin/tsc'), '-p', config)
  rmSync(config)
  // The compiler leaves the names in types as they are in the sources.
  for (const name of globSync('**/*.d.ts', { cwd: to }))
    write(join(to, name), readFileSync(join(to, name), 'utf8').replaceAll(/(from '\.[^']*)\.ts'/g, "$1.js'"))
}

/** Licences of the packages that the file for browsers has inside. */
const licencesOf = (names: readonly string[]): string =>
  [
    'dist/browser.js contains the following packages.\n',
    ...names.map((name) => {
      const [file] = globSync('LICENSE*', { cwd: fromRoot('node_modules', name) })
      if (file === undefined) throw new UserError(`${name} has no licence file.`)
      return `## ${name}\n\n${readFileSync(fromRoot('node_modules', name, file), 'utf8').trim()}\n`
    }),
  ].join('\n')

function write(path: string, text: string): void {
  mkdirSync(dirname(path), { recursive: true })
  writeFileSync(path, text)
}

/** Makes one package in `folder` and packs it to `into`. Answers the path of the file. */
async function makePackage(name: string, folder: string, into: string): Promise<string> {
  cpSync(fromRoot('packages', name), folder, { recursive: true })
  cpSync(fromRoot('LICENSE'), join(folder, 'LICENSE'))
  const made = await makers[name]?.(folder)
  const { version, license } = manifestOf()
  const manifest = { ...manifestOf('packages', name), version, license, ...made }
  write(join(folder, 'package.json'), `${JSON.stringify(manifest, null, 2)}\n`)
  const flags = ['--json', '--ignore-scripts', '--offline', '--pack-destination', into]
  const npm = process.platform === 'win32' ? 'npm.cmd' : 'npm'
  await run(npm, ['pack', ...flags], { cwd: folder, shell: process.platform === 'win32' })
  return join(into, `befaqt-${name}-${version}.tgz`)
}

await runScript(async () => {
  const [to = fromRoot('.runtime', 'packages'), ...named] = process.argv.slice(2)
  const unknown = named.find((name) => !Object.hasOwn(makers, name))
  if (unknown !== undefined) throw new UserError(`There is no package ${unknown}: verify, client.`)
  const into = resolve(process.env.INIT_CWD ?? root, to)
  mkdirSync(into, { recursive: true })
  for (const name of named.length > 0 ? named : Object.keys(makers)) {
    const folder = mkdtempSync(join(tmpdir(), 'befaqt-package-'))
    try {
      process.stdout.write(`${await makePackage(name, folder, into)}\n`)
    } finally {
      rmSync(folder, { recursive: true, force: true })
    }
  }
  return 0
})
