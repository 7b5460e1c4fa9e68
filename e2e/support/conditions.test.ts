import assert from 'node:assert/strict'
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import test from 'node:test'
import { chooseConditions, conditions } from './conditions.ts'

const journeys = readdirSync(join(import.meta.dirname, '../journeys'))

test('together the journeys run in all conditions, and in none run fewer than one of eight', () => {
  const runs = journeys.map((file) => chooseConditions(['node', 'import-files.ts', `e2e/journeys/${file}`]))
  for (const name of Object.keys(conditions)) {
    const count = runs.filter((run) => run === name).length
    assert.ok(count * 8 >= journeys.length, `${name}: ${count} of ${journeys.length} journeys`)
  }
})

test('a journey runs in the same conditions from any folder, unless the environment names others', () => {
  const relative = chooseConditions(['node', 'e2e/journeys/manage-drafts.e2e.ts'])
  assert.equal(chooseConditions(['node', '/somewhere/else/manage-drafts.e2e.ts']), relative)
  for (const name of ['plain', 'slow'])
    assert.equal(chooseConditions(['node', 'e2e/journeys/manage-drafts.e2e.ts'], name), name)
  assert.throws(() => chooseConditions(['node', 'x.e2e.ts'], 'stormy'), /stormy.*plain, motion, slow/)
})
