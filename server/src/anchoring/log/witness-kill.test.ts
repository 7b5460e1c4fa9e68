import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { cp, mkdtemp, rename, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { verifierKeyText } from '@befaqt/provenance/log/note'
import { parsePolicy } from '@befaqt/provenance/log/policy'
import { openCheckpoint } from '@befaqt/provenance/log/signed-checkpoint'
import { ed25519Of, startWitness, type WitnessProcess } from '@befaqt/provenance/testing/witness-process'
import { embeddedChain } from '#server/chain/embedded.ts'
import { openEmbedded } from '#server/db/embedded.ts'
import { AT_ONCE, assertContinued, logSettings } from '#server/testing/anchor-log.ts'
import { anchoringWorld } from '#server/testing/anchoring.ts'
import { witnessCalls } from './ask-witnesses.ts'
import { signersAt } from './cosignatures.ts'
import { followAnchors } from './sign-log.ts'
import { signerOf } from './signing.ts'

/** `KILLS=50 npm test -- server/src/anchoring/log/witness-kill` for more. */
const KILLS = Number(process.env.KILLS ?? 4)
const victim = fileURLToPath(new URL('../../testing/anchor-until-killed.ts', import.meta.url))
const { origin, secrets } = logSettings()
const log = signerOf(origin, secrets).key

/** Anchors, signs and asks the witness, until the witness signed something newer; then one is killed, then the other. */
async function runAndKill(
  shop: string,
  witness: WitnessProcess,
  first: 'shop' | 'witness',
): Promise<string[]> {
  const child = spawn(process.execPath, [victim, shop, policyText(witness)], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const exited = once(child, 'exit')
  const before = await witness.monitor()
  const seen: string[] = before === undefined ? [] : [before]
  let [isKilled, after] = [false, 0]
  for await (const line of createInterface(child.stdout)) {
    const told: { note?: string } = JSON.parse(line)
    if (told.note !== undefined) seen.push(told.note)
    const shown = isKilled ? undefined : await witness.monitor()
    if (shown !== undefined) seen.push(shown)
    if (isKilled && told.note !== undefined) after += 1
    const isNew = shown !== undefined && sizeOf(shown) > sizeOf(before)
    if (isNew && first === 'shop') child.kill('SIGKILL')
    if (isNew && first === 'witness') {
      await witness.kill()
      isKilled = true
    }
    if (after >= 2) child.kill('SIGKILL') // it signed on without its witness
  }
  assert.deepEqual(await exited, [null, 'SIGKILL'])
  const last = isKilled ? undefined : await witness.monitor()
  await witness.kill()
  return last === undefined ? seen : [...seen, last]
}

/**
 * The whole folder of a shop as it was some kills ago, while its witness knows more: it anchors on, and what it shows as signed
 * is what it had signed then. Answers that.
 */
async function runRestored(shop: string, backup: string, witness: WitnessProcess): Promise<string[]> {
  const aside = `${shop}-aside`
  await rename(shop, aside)
  await cp(backup, shop, { recursive: true, preserveTimestamps: true })
  const child = spawn(process.execPath, [victim, shop, policyText(witness)], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const exited = once(child, 'exit')
  const notes: string[] = []
  let [anchors, until] = [0, Number.POSITIVE_INFINITY]
  for await (const line of createInterface(child.stdout)) {
    const told: { note?: string; index?: number } = JSON.parse(line)
    if (told.note !== undefined) notes.push(told.note)
    if (told.index === undefined) continue
    anchors = told.index + 1
    if (until === Number.POSITIVE_INFINITY) until = anchors + 4
    if (anchors >= until) child.kill('SIGKILL')
  }
  assert.deepEqual(await exited, [null, 'SIGKILL'])
  await rm(shop, { recursive: true })
  await rename(aside, shop)
  return notes
}

const sizeOf = (note: string | undefined): number => Number(note?.split('\n')[1] ?? 0)
const policyText = (witness: WitnessProcess): string =>
  `witness w ${verifierKeyText(ed25519Of(witness))} ${witness.url}\nquorum w\n`

test(`${KILLS} kills of a shop and of its witness, and older backups put back: all that either ever showed is one history, and is signed on`, async (t) => {
  const folder = await mkdtemp(join(tmpdir(), 'befaqt-witness-kill-'))
  t.after(() => rm(folder, { recursive: true, force: true }))
  const [shop, memory] = [join(folder, 'shop'), join(folder, 'witness')]
  const backup = join(folder, 'backup')
  const seen: string[] = []
  let restored = 0
  for (let i = 0; i < KILLS; i++) {
    await using witness = await startWitness({ folder: memory, log })
    if (i % 4 === 2) {
      seen.push(...(await runRestored(shop, backup, witness)))
      restored += 1
    }
    seen.push(...(await runAndKill(shop, witness, i % 2 === 0 ? 'witness' : 'shop')))
    if (i % 4 === 0) {
      await rm(backup, { recursive: true, force: true })
      await cp(shop, backup, { recursive: true, preserveTimestamps: true })
    }
  }
  const database = await openEmbedded(shop)
  try {
    const { deps, pass } = anchoringWorld(database.db, await embeddedChain(), { now: () => new Date() })
    await pass()
    await using witness = await startWitness({ folder: memory, log })
    const calls = witnessCalls(parsePolicy(Buffer.from(policyText(witness))), AT_ONCE)
    await followAnchors({ ...logSettings(shop), witnesses: calls })(deps)
    await calls.settled()
    await calls.stop()
    await assertContinued(database.db, seen)
    const newest = (await assertContinued(database.db)).at(-1)
    assert.ok(newest)
    assert.deepEqual(await signersAt(database.db, newest), [verifierKeyText(ed25519Of(witness))])
    const shown = await openCheckpoint((await witness.monitor()) ?? '', [log], witness.keys)
    assert.deepEqual([shown.checkpoint, shown.cosignatures.length], [newest, 2])
    t.diagnostic(
      `${KILLS} kills, ${restored} backups put back: ${new Set(seen.map(sizeOf)).size} states seen, ${newest.size} anchors`,
    )
  } finally {
    await database.close()
  }
})
