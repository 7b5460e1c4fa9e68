import assert from 'node:assert/strict'
import { existsSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { askForCopy } from './embedded-copy.ts'

test('a copy is waited for neither where nobody makes one, nor where who began it was killed', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'befaqt-copy-'))
  const copies = join(folder, 'database.copy')
  await assert.rejects(askForCopy(folder, { waitMs: 200 }), /makes no copy of it/)
  assert.equal(existsSync(copies), false)
  const asked = assert.rejects(askForCopy(folder, { copyMs: 200 }), /did not end/)
  while (!existsSync(join(copies, 'wanted'))) await new Promise((later) => setTimeout(later, 10))
  await rm(join(copies, 'wanted')) // it has read the wish, and says no more
  await asked
  assert.equal(existsSync(copies), false)
  await rm(folder, { recursive: true })
})
