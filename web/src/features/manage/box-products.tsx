import type { ManagedBox } from '@befaqt/domain/api/manage-api'
import { numberOf } from '@befaqt/domain/typed-number'
import { useEffect, useState } from 'react'
import { useLocation } from 'react-router'
import { visitorWords } from '#web/api/hydration.ts'
import { Button } from '#web/components/button.tsx'
import { Field } from '#web/components/field.tsx'
import { useHydrated } from '#web/features/account/use-hydrated.ts'
import { useDirty } from '#web/forms/dirty-guard.tsx'
import { dropDraft, storeDraft, storedDraft } from '#web/forms/stored-drafts.ts'
import { boxCalls } from './box-calls.ts'
import { ErrorBanner } from './error-banner.tsx'
import { ProductSearch } from './product-search.tsx'

type Link = { _id: string; title: string; quantity: string }
const MOST = 1_000_000

const faultOf = ({ quantity }: Link): string | undefined => {
  const amount = numberOf(quantity)
  return typeof amount === 'number' && amount >= 0 && amount <= MOST
    ? undefined
    : 'must be a number from 0, like 12.5'
}

function useLinks({ boxID, products }: Pick<ManagedBox, 'boxID' | 'products'>, onSaved: () => void) {
  const saved = (): readonly Link[] =>
    products.map((product) => ({ ...product, quantity: String(product.quantity) }))
  const [links, setLinks] = useState(saved)
  const [tried, setTried] = useState(false)
  const [failure, setFailure] = useState<string | null>(null)
  const [busy, setBusy] = useState(false)
  const draft = `${useLocation().pathname} links`
  const { setDirty } = useDirty('links', () => {
    dropDraft(draft)
    setLinks(saved())
  })
  useEffect(() => {
    const stored = storedDraft<readonly Link[]>(draft)
    if (!stored) return
    setLinks(stored)
    setDirty(true)
  }, [draft, setDirty])
  const change = (next: readonly Link[]) => {
    setLinks(next)
    setDirty(true)
    storeDraft(draft, next)
  }
  const save = async () => {
    setTried(true)
    setFailure(null)
    if (links.some((link) => faultOf(link))) return
    setBusy(true)
    try {
      await boxCalls.link(
        boxID,
        links.map(({ _id, quantity }) => ({ product_id: _id, quantity: Number(numberOf(quantity)) })),
      )
      setDirty(false)
      dropDraft(draft)
      onSaved()
    } catch (error) {
      setFailure(visitorWords(error))
    } finally {
      setBusy(false)
    }
  }
  return { links, tried, failure, busy, change, save }
}

type Props = { box: Pick<ManagedBox, 'boxID' | 'products'>; onSaved: () => void }

/** Which products come from a box, and how much of each it holds. */
export function BoxProducts({ box, onSaved }: Props) {
  const { links, tried, failure, busy, change, save } = useLinks(box, onSaved)
  const hydrated = useHydrated()
  return (
    <div className="grid gap-4">
      {failure && <ErrorBanner message={failure} />}
      {links.length === 0 && <p className="text-slate">No product on sale comes from this box yet.</p>}
      <ul aria-label="Linked products" className="grid gap-3">
        {links.map((link) => (
          <li key={link._id} className="flex flex-wrap items-end gap-3">
            <div className="w-full max-w-xs">
              <Field
                label={`Quantity of ${link.title}`}
                inputMode="decimal"
                value={link.quantity}
                readOnly={!hydrated}
                error={tried ? faultOf(link) : undefined}
                onChange={(event) => {
                  const quantity = event.currentTarget.value
                  change(links.map((other) => (other === link ? { ...link, quantity } : other)))
                }}
              />
            </div>
            <Button
              look="quiet"
              className="px-3"
              disabled={!hydrated}
              aria-label={`Unlink ${link.title}`}
              onClick={() => change(links.filter((other) => other !== link))}
            >
              Unlink
            </Button>
          </li>
        ))}
      </ul>
      <ProductSearch
        onChoose={({ _id, title }) => {
          if (!links.some((link) => link._id === _id)) change([...links, { _id, title, quantity: '0' }])
        }}
      />
      <Button className="justify-self-start" disabled={!hydrated || busy} onClick={() => void save()}>
        {busy ? 'One moment…' : 'Save links'}
      </Button>
    </div>
  )
}
