import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { promisify } from 'node:util'
import { sampleBox, waitUntilAnchored } from '../support/box-page.ts'
import { visit } from '../support/browser.ts'
import { admin, type Server, startServer } from '../support/server.ts'

/* The packages for others, as others meet them: installed from their files, typed, called, in Node 20 and in a browser. */

const root = join(import.meta.dirname, '../..')
const inRoot = (...path: string[]): string => join(root, ...path)
const start = promisify(execFile)
/** The node of the PATH, which runs npm and is mostly older than the tests' own. */
const nodes = [process.execPath, 'node']
const flags = ['--offline', '--ignore-scripts', '--no-audit', '--no-fund']

let folder = ''
before(async () => {
  folder = await mkdtemp(join(tmpdir(), 'befaqt-others-'))
})
after(() => rm(folder, { recursive: true, force: true }))
const put = (name: string, content: unknown): Promise<void> =>
  writeFile(join(folder, name), typeof content === 'string' ? content : JSON.stringify(content))

/** Runs a program in the folder, without what preloads tests. */
async function run(command: string, ...args: string[]): Promise<{ status: number; out: string }> {
  const { NODE_OPTIONS, NODE_COMPILE_CACHE, INIT_CWD, ...env } = process.env
  const settings = { npm_config_registry: 'http://127.0.0.1:9/', npm_config_cache: join(folder, 'cache') }
  try {
    const done = await start(command, args, { cwd: folder, env: { ...env, ...settings } })
    return { status: 0, out: done.stdout }
  } catch (failed) {
    const { code, stdout, stderr } = Object(failed)
    return { status: Number(code), out: `${stdout}${stderr}` }
  }
}

async function ok(command: string, ...args: string[]): Promise<string> {
  const { status, out } = await run(command, ...args)
  assert.equal(status, 0, out)
  return out
}

const program = `
import { shopClient } from "@befaqt/client"
import { type BoxVerdict, fileLedger, parseAnchorFile, verifyBundle } from "@befaqt/verify"

export const check = async (bundle: unknown, anchors: unknown): Promise<BoxVerdict> =>
  (await verifyBundle(bundle, fileLedger(parseAnchorFile(anchors)))).verdict

export async function visit(baseUrl: string, email: string, password: string) {
  let token: string | undefined
  const shop = shopClient(baseUrl, { token: () => token })
  const wrong = await shop.POST('/api/user/signIn', { body: { email, password: password + 'x' } })
  const signedIn = await shop.POST('/api/user/signIn', { body: { email, password } })
  if (signedIn.data === undefined || !('token' in signedIn.data)) throw new Error('not signed in')
  token = signedIn.data.token
  const viewer = await shop.GET('/api/viewer')
  const box = await shop.GET('/api/box/{boxID}', { params: { path: { boxID: '${sampleBox}' } } })
  return [wrong.error?.error.code, viewer.data?.role, box.data?.boxID]
}
`
const strict = {
  strict: true,
  exactOptionalPropertyTypes: true,
  noUncheckedIndexedAccess: true,
  skipLibCheck: false,
  target: 'es2022',
  lib: ['es2022', 'dom'],
  types: [],
  module: 'nodenext',
}
const typed = (): Promise<{ status: number; out: string }> =>
  run(process.execPath, inRoot('node_modules/typescript/bin/tsc'), '-p', folder)

/** The first two known answers as files: a true history, and one rewritten. */
async function putKnown(): Promise<void> {
  const { cases } = JSON.parse(
    await readFile(join(folder, 'node_modules/@befaqt/verify/vectors/bundles.json'), 'utf8'),
  )
  for (const [i, { bundle, ledger }] of cases.slice(0, 2).entries()) {
    const { chainId, contract } = bundle.ledger
    const anchors = Array.from(ledger, (anchor) => ({ ...Object(anchor), records: 0 }))
    await put(`${i}.proof.json`, bundle)
    const count = anchors.length
    await put(`${i}.anchors.json`, { format: 'befaqt-anchors/1', chainId, contract, count, anchors })
  }
}

test('both are packed twice to the same bytes, and install without a network', async () => {
  const make = (to: string) => ok(process.execPath, inRoot('tools/make-packages.ts'), join(folder, to))
  const [files] = await Promise.all([make('one'), make('two')])
  const made = files.trim().split('\n')
  assert.equal(made.length, 2)
  for (const file of made)
    assert.deepEqual(await readFile(file), await readFile(file.replace('/one/', '/two/')), file)
  await put('package.json', '{"private": true, "type": "module"}')
  const names = ['@noble/hashes', 'cborg', 'openapi-fetch', 'openapi-typescript-helpers']
  const theirs = names.map((name) => inRoot('node_modules', name))
  const packed = await ok('npm', 'pack', ...flags, '--silent', ...theirs)
  const dependencies = packed.trim().split('\n')
  await ok('npm', 'install', ...flags, ...dependencies.map((file) => `./${file}`), ...made)
  const { version, license } = JSON.parse(await readFile(inRoot('package.json'), 'utf8'))
  for (const name of ['verify', 'client']) {
    const inside = (file: string) => readFile(join(folder, 'node_modules/@befaqt', name, file), 'utf8')
    const manifest = JSON.parse(await inside('package.json'))
    assert.deepEqual([manifest.version, manifest.license], [version, license])
    assert.match(await inside('README.md'), new RegExp(`^# @befaqt/${name}\n`))
    assert.match(await inside('LICENSE'), /^MIT License/)
    const theirVersions = Object.entries<string>(manifest.dependencies)
    assert.ok(theirVersions.length > 0)
    for (const [dependency, wanted] of theirVersions) {
      const found = await readFile(inRoot('node_modules', dependency, 'package.json'), 'utf8')
      assert.equal(JSON.parse(found).version, wanted, dependency)
    }
  }
})

test('the command ends with 0, 1, 2 and 3, also in the older Node', async () => {
  await putKnown()
  const command = join(folder, 'node_modules/@befaqt/verify/bin/befaqt-verify.js')
  for (const node of nodes)
    for (const [status, says, ...args] of [
      [
        0,
        /^Box BOX1: verified\n/,
        '0.proof.json',
        '--anchors',
        '0.anchors.json',
        '--anchors-from',
        'a.example',
      ],
      [1, /^Box BOX1: broken\n/, '1.proof.json', '--anchors', '1.anchors.json'],
      [2, /^Box BOX1: unreachable\n/, '0.proof.json'],
      [2, /Usage: befaqt-verify /],
      [3, /^Box BOX1: Unchanged, by the ledger/, '0.proof.json', '--anchors', '0.anchors.json'],
    ] as const) {
      const done = await run(node, command, ...args)
      assert.equal(done.status, status, `${node} ${args.join(' ')}: ${done.out}`)
      assert.match(done.out, says)
    }
  assert.match(
    await ok(
      'npx',
      '--offline',
      'befaqt-verify',
      '0.proof.json',
      '--anchors',
      '0.anchors.json',
      '--anchors-from',
      'a.example',
    ),
    /verified/,
  )
})

/** Witnesses may sign with ML-DSA-44, which an older Node does not have: that is no error there. */
const unknownSignature = `
import { verifyMlDsa44 } from './node_modules/@befaqt/verify/dist/signed/signatures-node.js'
const said = await verifyMlDsa44(new Uint8Array(1312), new Uint8Array(), new Uint8Array(2420))
console.log(said === undefined || said === false)
`

let server: Server
before(async () => {
  server = await startServer()
})
after(() => server[Symbol.asyncDispose]())

test('a program of others is checked strictly, and verifies and calls a shop from plain Node', async () => {
  await put('tsconfig.json', { compilerOptions: strict, files: ['program.ts'] })
  for (const [good, bad, says] of [
    ["'/api/viewer'", "'/api/nobody'", /program\.ts\(15,/],
    ['viewer.data?.role', 'viewer.data?.rule', /Property 'rule' does not exist/],
    ['.verdict', '.verdicts', /Property 'verdicts' does not exist/],
  ] as const) {
    await put('program.ts', program.replace(good, bad))
    const { status, out } = await typed()
    assert.notEqual(status, 0, bad)
    assert.match(out, says)
  }
  await put('program.ts', program)
  const { status, out } = await typed()
  assert.equal(status, 0, out)
  await put(
    'main.js',
    `import { readFileSync } from 'node:fs'
    import { check, visit } from './program.js'
    const read = (name) => JSON.parse(readFileSync(name, 'utf8'))
    const verdicts = []
    for (const i of [0, 1]) verdicts.push(await check(read(i + '.proof.json'), read(i + '.anchors.json')))
    console.log(JSON.stringify([...verdicts, ...(await visit(...process.argv.slice(2)))]))`,
  )
  await put('unknown.js', unknownSignature)
  for (const node of nodes) {
    const said = await ok(node, 'main.js', server.url, admin.email, admin.password)
    assert.deepEqual(JSON.parse(said), ['verified', 'broken', 'signin.refused', 'ADMIN', sampleBox])
    assert.equal(await ok(node, 'unknown.js'), 'true\n')
  }
})

test('a page of others verifies a box of a shop with the file for browsers, and finds a lie', async () => {
  await using at = await visit(server.url)
  const { page } = at
  await waitUntilAnchored(page, sampleBox)
  const script = await readFile(join(folder, 'node_modules/@befaqt/verify/dist/browser.js'), 'utf8')
  await page.route('**/others/browser.js', (route) =>
    route.fulfill({ contentType: 'text/javascript', body: script }),
  )
  const html = `<!doctype html><title>others</title><p></p><script type="module">
    import { parseBundleText, rpcLedger, verifyBundle } from './browser.js'
    const bundle = parseBundleText(await (await fetch('/api/box/${sampleBox}/proof')).text())
    const ledger = rpcLedger(bundle.ledger.rpc, fetch, { contract: bundle.ledger.contract })
    const records = bundle.records.with(0, { ...bundle.records[0], by: 'somebody else' })
    const checked = [bundle, { ...bundle, records }].map((each) => verifyBundle(each, ledger, { box: '${sampleBox}' }))
    document.querySelector('p').textContent = (await Promise.all(checked)).map(({ verdict }) => verdict).join(', ')
  </script>`
  await page.route('**/others/', (route) => route.fulfill({ contentType: 'text/html', body: html }))
  await page.goto(`${server.url}/others/`)
  await page.getByText(/^verified(-up-to)?, broken$/).waitFor()
})
