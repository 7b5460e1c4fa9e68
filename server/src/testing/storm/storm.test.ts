import { test } from 'node:test'
import { embeddedWorld } from './embedded-world.ts'
import { playStorm } from './run.ts'

test('embedded: whatever is done in any order, stock, mass, money, numbers and emails hold', async () => {
  await playStorm(Number(process.env.STORM_SEED ?? 1), { steps: 40, open: embeddedWorld })
})
