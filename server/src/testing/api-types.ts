import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import openapiTypes, { astToString } from 'openapi-typescript'
import { openApiDocument } from '#server/ops/openapi.ts'
import { testShop } from './shop.ts'

/* `node server/src/testing/api-types.ts FOLDER`: writes the API as a document and as types, as npm run packages needs them. */

const HEAD = '// Made from openapi.json.\n\n'

async function writeApi(folder: string): Promise<void> {
  await using shop = await testShop()
  const document = JSON.stringify(openApiDocument(shop.app.routes))
  await writeFile(join(folder, 'openapi.json'), `${document}\n`)
  await writeFile(join(folder, 'api.d.ts'), HEAD + astToString(await openapiTypes(document)))
}

const [folder] = process.argv.slice(2)
if (folder === undefined) throw new Error('Name the folder to write to.')
await writeApi(folder)
// Test databases are closed by the test runner, which does not run here.
process.exit()
