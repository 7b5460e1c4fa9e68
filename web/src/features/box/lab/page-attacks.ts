import type { Scene } from '@befaqt/provenance/attack/scene'
import { answering } from '@befaqt/provenance/attack/scene'
import { hexOf } from '@befaqt/provenance/digest'
import { sha256 } from '@befaqt/provenance/sha256'
import { verifyBundle } from '@befaqt/provenance/verify'
import { type ProvablePage, provenPage, type ShownPage } from '../check/page-match.ts'
import { checkFiles, type FileFound } from '../check/record-files.ts'
import type { PageChange } from './lab-types.ts'

/* What a shop can do beside the proof: its page says something else, or a file that a record names is another. */

/** The scene of a proof, with the page and the files that the shop shows beside it. */
export type Stage = {
  scene: Scene
  /** The species that the page shows in the place of the recorded one; null: what is recorded. */
  species: string | null
  /** Addresses of files with other bytes. */
  replaced: ReadonlySet<string>
}

const DEARER = 'Southern bluefin tuna'
const OTHER_THAN_DEARER = 'Mulloway'

/** Shows a dearer fish than the one that was caught; null where no catch is shown. */
export function withDearerFish(stage: Stage, view: ProvablePage): [Stage, PageChange[]] | null {
  const caught = view.box.catchProv?.species
  if (caught === undefined || stage.species !== null) return null
  const species = caught === DEARER ? OTHER_THAN_DEARER : DEARER
  return [{ ...stage, species }, [{ of: 'page', name: 'species', should: caught, is: species }]]
}

/** Serves other bytes in the place of the first file that a record names; null where none could be read. */
export async function withOtherFile(
  stage: Stage,
  files: readonly FileFound[],
): Promise<[Stage, PageChange[]] | null> {
  const file = files.find(({ state, href }) => state === 'same' && !stage.replaced.has(href))
  if (file?.state !== 'same') return null
  const { href, blob } = file
  const changed = { ...stage, replaced: new Set([...stage.replaced, href]) }
  const [should, is] = await Promise.all([digestOf(blob), digestOf(otherBytes(blob))])
  return [changed, [{ of: 'file', name: href, should, is }]]
}

const digestOf = async (blob: Blob): Promise<string> =>
  hexOf(sha256(new Uint8Array(await blob.arrayBuffer())))

/** One byte more than there was. */
const otherBytes = (blob: Blob): Blob => new Blob([blob, new Uint8Array(1)], { type: blob.type })

/** What the check of a page's files finds where some were replaced. */
export async function filesOf(stage: Stage, files: readonly FileFound[]): Promise<FileFound[]> {
  const served = new Map(files.flatMap((file) => (file.state === 'same' ? [[file.href, file.blob]] : [])))
  const replaced = await checkFiles([...stage.replaced], async (href) => {
    const blob = served.get(href)
    if (blob === undefined) throw new Error(`${href} was never read`)
    return otherBytes(blob)
  })
  return files.map((file) => replaced.find(({ href }) => href === file.href) ?? file)
}

/** What the shop's page shows: the truth, or what the forged records make; with the species that it was told to show. */
export async function pageOf({ scene, species }: Stage, shown: ShownPage): Promise<ProvablePage> {
  const view = scene.isShownSo ? await pageOfScene(scene, shown) : shown.view
  const { catchProv } = view.box
  if (species === null || catchProv === null) return view
  return { ...view, box: { ...view.box, catchProv: { ...catchProv, species } } }
}

async function pageOfScene({ bundle, answers }: Scene, shown: ShownPage): Promise<ProvablePage> {
  const { timeZone } = shown.market
  const result = await verifyBundle(bundle, answering(answers), { timeZone, box: bundle.box })
  return result.records.length === 0 ? shown.view : provenPage(bundle, result, shown)
}
