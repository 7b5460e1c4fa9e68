import type { ProductCard, ProductView } from '@befaqt/domain/catalogue'
import type { Favourite } from '@befaqt/domain/favourites'
import { productPath } from '@befaqt/domain/page-paths'
import { useCallback, useEffect, useRef, useState } from 'react'
import { Link } from 'react-router'
import { userMessage } from '#web/api/hydration.ts'
import { useRead } from '#web/api/use-read.ts'
import { Alert } from '#web/components/alert.tsx'
import { Button, ButtonLink } from '#web/components/button.tsx'
import { Skeleton } from '#web/components/spinner.tsx'
import { ProductGrid } from '#web/features/catalogue/product-grid.tsx'
import { syncFavourites } from '#web/features/favourites/account-favourites.ts'
import { favourites } from '#web/features/favourites/favourites-store.ts'
import { bringInStep, keepFavourite } from '#web/features/favourites/keep-favourites.ts'
import { useFavourites } from '#web/features/favourites/shown-favourites.ts'
import { PageHead } from '#web/head/page-head.tsx'
import { useViewer } from '#web/root-data.ts'

const describe = () => ({
  title: 'Favourites',
  description: 'What you keep an eye on.',
  canonical: '/favourites',
})

export default function Favourites() {
  return (
    <>
      <PageHead describe={describe} />
      <FavouritesPage />
    </>
  )
}

const Reading = () => (
  <>
    <noscript>
      <p className="text-lg">Favourites are kept in your browser and need JavaScript.</p>
    </noscript>
    <div aria-hidden="true" className="grid grid-cols-2 gap-4 md:grid-cols-3 xl:grid-cols-4">
      <Skeleton className="h-64" />
      <Skeleton className="h-64" />
    </div>
    <p role="status" className="sr-only">
      Reading your favourites
    </p>
  </>
)

const Empty = () => (
  <div className="grid justify-items-start gap-5 rounded-lg bg-ice p-8">
    <p className="font-serif text-2xl">Nothing here yet</p>
    <p className="max-w-prose text-slate">
      Press the heart of a product, and you find it here again, with its price and how fresh it is.
    </p>
    <ButtonLink to="/product" variant="primary">
      See what is on the slab
    </ButtonLink>
  </div>
)

/** What there is no product of any more. Removing one takes its entry away, so the focus goes to the heading. */
function NoLongerSold({
  gone,
  onRemoved,
}: {
  gone: readonly Favourite[]
  onRemoved: (title: string) => void
}) {
  return (
    <section aria-labelledby="gone" className="mt-12">
      <h2 id="gone" className="text-2xl">
        No longer sold
      </h2>
      <ul className="mt-3 max-w-3xl border-line border-t">
        {gone.map((one) => (
          <li
            key={one._id}
            className="flex flex-wrap items-center justify-between gap-x-6 border-line border-b py-2"
          >
            <span className="wrap-anywhere">
              {one.title} <span className="text-slate">is no longer sold</span>
            </span>
            <button
              type="button"
              onClick={() => {
                keepFavourite(one, false)
                onRemoved(one.title)
              }}
              className="link min-h-11 font-semibold"
            >
              Remove<span className="sr-only"> {one.title}</span>
            </button>
          </li>
        ))}
      </ul>
    </section>
  )
}

/** Their names, where nothing else could be read of them. */
const Names = ({ items }: { items: readonly Favourite[] }) => (
  <ul className="grid gap-1">
    {items.map(({ _id, title }) => (
      <li key={_id}>
        <Link to={productPath(_id)} className="link tap wrap-anywhere">
          {title}
        </Link>
      </li>
    ))}
  </ul>
)

const cardOf = ({ images, ...product }: ProductView): ProductCard => ({
  ...product,
  image: images[0] ?? null,
  isPrepared: product.preparations.length > 0,
})

/** What is a favourite, and what was when this page showed it: a heart that is pressed by mistake is pressed again. */
function useShown(items: readonly Favourite[]): readonly Favourite[] {
  const [shown, setShown] = useState(items)
  const added = items.filter(({ _id }) => !shown.some((one) => one._id === _id))
  if (added.length === 0) return shown
  const all = [...added, ...shown]
  setShown(all)
  return all
}

/** Those of these products that are sold, with what was asked for: what was added since is not known yet. */
async function readSold(ids: string) {
  const asked = new Set(ids.split(','))
  const { onSaleNow } = await import('#web/features/cart/check-cart.ts')
  const products = await onSaleNow(asked)
  return { asked, sold: new Map(products.map((product) => [product._id, cardOf(product)])) }
}

/** @param items what is kept now: products that left it stay until the page is left, what is no longer sold goes */
function Kept({ items }: { items: readonly Favourite[] }) {
  const heading = useRef<HTMLHeadingElement>(null)
  const [removed, setRemoved] = useState('')
  const shown = useShown(items)
  const ids = shown.map(({ _id }) => _id).join(',')
  const { value, failure, again } = useRead(useCallback(() => readSold(ids), [ids]))
  if (value === null && failure === null) return <Reading />
  const gone = items.filter(({ _id }) => value?.asked.has(_id) && !value.sold.has(_id))
  return (
    <>
      <h2 ref={heading} tabIndex={-1} className="sr-only">
        Products
      </h2>
      {failure !== null && <Failure failure={failure} again={again} />}
      {value === null ? (
        <Names items={items} />
      ) : (
        <ProductGrid products={shown.flatMap(({ _id }) => value.sold.get(_id) ?? [])} eager={4} />
      )}
      {gone.length > 0 && (
        <NoLongerSold
          gone={gone}
          onRemoved={(title) => {
            setRemoved(`${title} was removed.`)
            heading.current?.focus()
          }}
        />
      )}
      <p role="status" className="mt-4 min-h-6 text-slate">
        {removed}
      </p>
    </>
  )
}

const Failure = ({ failure, again }: { failure: unknown; again: () => void }) => (
  <div className="mb-6 grid justify-items-start gap-4">
    <Alert tone="bad">Error: {userMessage(failure)}</Alert>
    <Button onClick={again}>Try again</Button>
  </div>
)

const readAccount = () => syncFavourites(favourites)

/** Until the account was read: what is shown is then a copy of it. */
function AccountReading() {
  const { failure, again } = useRead(readAccount)
  return failure === null ? <Reading /> : <Failure failure={failure} again={again} />
}

/** What a visitor keeps: on the device, or with the account. So the server shows only its place. */
function FavouritesPage() {
  const { items, ready, isAccount } = useFavourites()
  const [hadSome, setHadSome] = useState(false)
  const isSignedIn = useViewer() !== null
  useEffect(() => {
    if (isSignedIn) favourites.load()
    else void bringInStep(false) // the copy of an account, which may still be stored, is not shown
  }, [isSignedIn])
  if (items.length > 0 && !hadSome) setHadSome(true)
  const isHere = isAccount || !isSignedIn || hadSome
  return (
    <div className="wrap min-h-dvh pt-10 sm:pt-14">
      <h1 className="page-title">Favourites</h1>
      <p className="mt-3 mb-6 max-w-prose text-slate">
        {isSignedIn
          ? 'Kept with your account, on every device that you log in with.'
          : 'Kept on this device. Log in, and they are kept with your account.'}
      </p>
      {!ready && <Reading />}
      {ready && !isHere && <AccountReading />}
      {ready && isHere && !hadSome && <Empty />}
      {ready && hadSome && <Kept items={items} />}
    </div>
  )
}
