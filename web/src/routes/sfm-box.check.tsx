import { boxPath } from '@befaqt/domain/page-paths'
import { type LoaderFunctionArgs, redirect, useLoaderData } from 'react-router'
import { boxNumber } from '#web/features/box/find/box-number.ts'
import { FindBoxPage } from '#web/features/box/find/find-box-page.tsx'
import { PageHead } from '#web/head/page-head.tsx'

type Data = { typed: string; problem?: string }

/** A number leads to the page of its box, known or not. */
export function loader({ request }: LoaderFunctionArgs): Data | Response {
  const typed = new URL(request.url).searchParams.get('number')?.slice(0, 500)
  if (typed === undefined) return { typed: '' }
  const number = boxNumber(typed)
  if (number !== null) return redirect(boxPath(number))
  const problem =
    typed.trim() === ''
      ? 'Type the number that is printed under the code.'
      : 'A box number has letters, digits, dots and dashes, and no spaces.'
  return { typed, problem }
}

const describe = () => ({
  title: 'Check a box',
  description: 'Check a box of fish by its number, by the code on it, or by a proof that you saved.',
  canonical: '/SFMBox/check',
})

export default function SfmBoxCheck() {
  const { typed, problem } = useLoaderData<Data>()
  return (
    <>
      <PageHead describe={describe} />
      <FindBoxPage key={typed} typed={typed} problem={problem} />
    </>
  )
}
