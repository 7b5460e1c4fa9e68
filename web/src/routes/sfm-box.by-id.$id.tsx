import type { BoxPageView } from '@befaqt/domain/api/box-api'
import { ShopError } from '@befaqt/domain/errors'
import { asOf, datedFacts, freshnessFacts } from '@befaqt/domain/freshness-facts'
import { freshnessAt, hasFreshness } from '@befaqt/domain/freshness-word'
import { boxPath } from '@befaqt/domain/page-paths'
import { lazy, Suspense, useCallback, useState } from 'react'
import { useLoaderData, useParams, useRouteError } from 'react-router'
import { fileUrl } from '#web/api/file-url.ts'
import { BoxPage } from '#web/features/box/box-page.tsx'
import { PageError } from '#web/features/shell/error-screen.tsx'
import type { Head } from '#web/head/head-tags.ts'
import { PageHead } from '#web/head/page-head.tsx'
import { useSite } from '#web/root-data.ts'

/** Stars and their word as of when the page was made; nothing where nothing may be said. */
function starsText(view: BoxPageView, zone: string): string {
  const { figures, asOf: at } = view
  if (!hasFreshness(view)) return ''
  const { word, stars } = freshnessAt(datedFacts(freshnessFacts(figures), zone), asOf(Date.parse(at), zone))
  const said = [stars !== null && `${stars} of 5 stars`, word].filter(Boolean).join(', ')
  return said && ` ${said}.`
}

const describe = (view: BoxPageView, zone: string): Head => {
  const { box, recall, speciesImage } = view
  const species = box.catchProv?.species
  const stars = starsText(view, zone)
  return {
    title: `${recall ? 'Recalled: ' : ''}${species ? `${species}, ` : ''}box ${box.boxID}`,
    description: `${recall ? 'Recalled: do not eat fish from this box. ' : ''}History of fish box ${box.boxID} from catch to assessment, checked in your browser.${stars}`,
    canonical: boxPath(box.boxID),
    ...(speciesImage && { image: fileUrl(speciesImage.path) }),
  }
}

export default function SfmBox() {
  const loaded = useLoaderData<BoxPageView>()
  const [live, setLive] = useState({ loaded, view: loaded })
  const onView = useCallback((view: BoxPageView) => setLive({ loaded, view }), [loaded])
  const site = useSite()
  const { id = '' } = useParams()
  if (!site) return null
  const view = live.loaded === loaded ? live.view : loaded
  return (
    <>
      <PageHead describe={() => describe(view, site.market.timeZone)} />
      <BoxPage key={id} asked={id} view={view} site={site} onView={onView} />
    </>
  )
}

const notFound = () => import('#web/features/box/find/box-not-found.tsx')
/** The server has it at once, since it renders without waiting; browsers fetch it when a box is not found. */
const BoxNotFound = import.meta.env.SSR ? (await notFound()).default : lazy(notFound)

export function ErrorBoundary() {
  const error = useRouteError()
  const { id = '' } = useParams()
  const unknown = error instanceof ShopError && error.code === 'box.not_found'
  if (!unknown) return <PageError />
  return (
    <Suspense>
      <BoxNotFound asked={id} />
    </Suspense>
  )
}
