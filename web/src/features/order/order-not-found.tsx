import { ButtonLink } from '#web/components/button.tsx'
import { useSignInPath } from '#web/features/account/use-next.ts'
import { ErrorHead } from '#web/head/page-head.tsx'
import { useViewer } from '#web/root-data.ts'

/** No such order, or one of somebody else: which of the two is not said. */
export default function OrderNotFound() {
  const signIn = useSignInPath()
  const viewer = useViewer()
  return (
    <div className="wrap py-16">
      <ErrorHead title="404: Page not found" />
      <h1 className="page-title">404: Page not found</h1>
      <p className="mt-4 max-w-prose text-lg">
        There is no such order for you to see. The link in the email about your order shows it; if it is in
        your account, you have to be logged in.
      </p>
      <div className="mt-6 flex flex-wrap gap-3">
        {viewer ? (
          <ButtonLink to="/user/order">My Orders</ButtonLink>
        ) : (
          <ButtonLink to={signIn}>Log in</ButtonLink>
        )}
        <ButtonLink to="/" variant="outline">
          Back to Shop
        </ButtonLink>
      </div>
    </div>
  )
}
