import { boxPath } from '@befaqt/domain/page-paths'
import { Link } from 'react-router'
import { looksLikeBoxNumber } from '#web/features/box/find/box-number.ts'
import TellMe from '#web/features/notices/tell-me.tsx'

/**
 * What a list of products says that has none.
 * @param q what was searched for, which may be the number of a box
 * @param named what it names that the shop has none of
 */
export default function NothingFound({ q, named }: { q: string; named: string | null }) {
  return (
    <div className="rounded-lg bg-ice p-8">
      <h3 className="text-2xl">Nothing like that on the slab</h3>
      <p className="mt-2 text-slate">Try fewer words, a wider price range, or another kind of seafood.</p>
      {named !== null && (
        <div className="my-5">
          <TellMe key={named} about={{ species: named }}>
            Tell me when {named} lands
          </TellMe>
        </div>
      )}
      {looksLikeBoxNumber(q) && (
        <Link to={boxPath(q)} className="link mt-3 mr-6 tap font-semibold">
          Check box {q}
        </Link>
      )}
      <Link to="/product" className="link mt-3 tap font-semibold">
        Clear all filters
      </Link>
    </div>
  )
}
