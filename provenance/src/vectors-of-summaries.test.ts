import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { verifySummary } from './verify-summary.ts'

interface KnownSummary {
  name: string
  box: string
  summary: object
  reason: string | null
  freshnessIndex: number | null
}

const fileOf = (name: string): string => fileURLToPath(new URL(`../vectors/${name}`, import.meta.url))
const text = readFileSync(fileOf('summaries.json'), 'utf8')
const { cases }: { cases: KnownSummary[] } = JSON.parse(text)

test('the known summaries are what summaries.py makes', (t) => {
  const made = spawnSync('python3', [fileOf('summaries.py')], { encoding: 'utf8' })
  if (made.error !== undefined) return t.skip('python3 is not there')
  assert.ok(made.stdout === text, `vectors/summaries.json is another ${made.stderr}`)
})

for (const { name, box, summary, reason, freshnessIndex } of cases)
  test(`a summary ${name}: ${reason ?? 'proven'}`, async () => {
    const { code, freshness } = await verifySummary(JSON.stringify(summary), { box })
    assert.deepEqual([code, freshness?.index ?? null], [reason, freshnessIndex])
  })

test('the known summaries have a case of every reason that needs no policy', () => {
  const reasons = [...new Set(cases.flatMap(({ reason }) => reason ?? []))].sort()
  assert.deepEqual(reasons, [
    'head_mismatch',
    'log_mismatch',
    'malformed',
    'other_box',
    'proof_mismatch',
    'record_missing',
    'record_of_other_box',
    'seal_mismatch',
  ])
})
