import assert from 'node:assert/strict'
import { test } from 'node:test'
import { keyTypes } from '@befaqt/provenance/log/note'
import { newSigner } from '@befaqt/provenance/testing/log'
import { logCosignatures } from '#server/db/schema/anchor-log.ts'
import { testDatabases } from '#server/testing/database.ts'
import { keepCosignatures } from './cosignatures.ts'

const ORIGIN = 'shop.example/log'
const ROUNDS = 30

for (const [kind, open] of testDatabases)
  test(`${kind}: signatures of several witnesses that are kept at once replace those of the smaller checkpoint`, async () => {
    await using database = await open()
    const { db } = database
    const signers = ['a', 'b', 'c'].map((name) => newSigner(`${name}.example/w`, keyTypes.ed25519Cosigner))
    const keep = (size: number) =>
      Promise.all(
        signers.map(({ key }) =>
          keepCosignatures(db, { origin: ORIGIN, size }, [
            { key, timeS: size, line: `${key.name} ${size}\n` },
          ]),
        ),
      )
    for (let size = 1; size <= ROUNDS; size++) {
      await keep(size)
      const kept = await db.select().from(logCosignatures)
      assert.deepEqual(
        kept.map((row) => row.size),
        signers.map(() => size),
      )
    }
  })
