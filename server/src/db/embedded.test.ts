import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openEmbedded } from './embedded.ts'

test('a data folder that cannot be made is refused with a sentence that names the setting', async () => {
  const inAFile = `${import.meta.filename}/data`
  await assert.rejects(openEmbedded(inAFile), /^Error: Wrong setting\. DATA_DIR: /)
})
