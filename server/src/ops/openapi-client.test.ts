import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { mkdtemp, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { sampleBox } from '@befaqt/domain/testing/boxes'
import openapiTypes, { astToString } from 'openapi-typescript'
import { categories, products } from '#server/db/schema/shop.ts'
import { cheapPasswords, makeUser } from '#server/testing/accounts.ts'
import { testShop } from '#server/testing/shop.ts'

const run = promisify(execFile)
const PACKAGES = fileURLToPath(new URL('../../../node_modules', import.meta.url))
const COMPILER = join(PACKAGES, 'typescript', 'bin', 'tsc')

/** What somebody else would write who knows the shop's address and its document. */
const program = `
import createClient from 'openapi-fetch'
import type { paths } from './shop.ts'

const [baseUrl = '', email = '', password = ''] = process.argv.slice(2)
const client = createClient<paths>({ baseUrl })

const signedIn = await client.POST('/api/user/signIn', { body: { email, password } })
if (signedIn.data === undefined || !('token' in signedIn.data)) throw new Error('not signed in')
const { token, user } = signedIn.data
client.use({ onRequest: ({ request }) => void request.headers.set('authorization', 'Bearer ' + token) })

const product = { params: { path: { id: 'p' } } }
const edited = await client.PATCH('/api/product/{id}', { ...product, body: { price: 31.5, version: 1 } })
const stale = await client.PATCH('/api/product/{id}', { ...product, body: { price: 32, version: 1 } })
const box = await client.GET('/api/box/{boxID}', { params: { path: { boxID: 'BOX-1' } } })
const seen = {
  fname: user.fname,
  price: edited.data?.price,
  version: edited.data?.version,
  stale: stale.error?.error.code,
  species: box.data?.catchProv?.species,
}
console.log(JSON.stringify(seen))
`

const settings = {
  compilerOptions: {
    strict: true,
    noEmit: true,
    target: 'es2024',
    lib: ['es2024', 'dom'],
    types: ['node'],
    module: 'nodenext',
    moduleDetection: 'force',
    allowImportingTsExtensions: true,
  },
  files: ['program.ts'],
}

/** A folder with a client made from the document, as a project of its own. */
async function clientProject(document: string) {
  const folder = await mkdtemp(join(tmpdir(), 'befaqt-client-'))
  const write = (name: string, text: string) => writeFile(join(folder, name), text)
  await symlink(PACKAGES, join(folder, 'node_modules'), 'junction')
  await write('package.json', '{"type": "module"}')
  await write('tsconfig.json', JSON.stringify(settings))
  await write('shop.ts', astToString(await openapiTypes(document)))
  return {
    write,
    check: () => run(process.execPath, [COMPILER, '-p', folder]),
    start: (...words: string[]) => run(process.execPath, [join(folder, 'program.ts'), ...words]),
    [Symbol.asyncDispose]: () => rm(folder, { recursive: true }),
  }
}

test('a client made from the document signs in, edits a product and reads a box', async () => {
  const now = () => new Date('2026-11-20T00:00:00Z')
  await using shop = await testShop({ deps: { passwords: cheapPasswords, now } })
  const { db } = shop.deps
  const manager = { email: 'mia@example.com', password: 'secret', role: 'ADMIN' } as const
  await makeUser(shop, manager)
  await db.insert(categories).values({ id: 'c', title: 'Fish', titleKey: 'fish', shelfPos: '1' })
  await db.insert(products).values({ id: 'p', categoryId: 'c', title: 'Snapper' })
  const url = await shop.app.listen({ port: 0, host: '127.0.0.1' })
  await using project = await clientProject((await shop.app.inject('/api/openapi.json')).body)

  await project.write('program.ts', program.replace('price: 31.5', "price: 'dear'"))
  await assert.rejects(project.check(), { stdout: /'string' is not assignable to type 'number/ })
  await project.write('program.ts', program)
  await project.check()

  const { token } = (
    await shop.app.inject({ method: 'POST', url: '/api/user/signIn', payload: manager })
  ).json()
  const headers = { authorization: `Bearer ${token}` }
  const payload = { ...sampleBox(), boxID: 'BOX-1' }
  await shop.app.inject({ method: 'POST', url: '/api/box', payload, headers })
  const { stdout } = await project.start(url, manager.email, manager.password)
  const { fname, ...seen } = JSON.parse(stdout)
  const species = payload.catchProv?.species
  assert.deepEqual(seen, { price: 31.5, version: 2, stale: 'version.stale', species })
  assert.ok(fname)
})
