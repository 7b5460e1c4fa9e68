ALTER TABLE "boxes" ADD COLUMN "grams_left" integer;--> statement-breakpoint
ALTER TABLE "boxes" ADD COLUMN "offers" jsonb DEFAULT '{}'::jsonb NOT NULL;--> statement-breakpoint
ALTER TABLE "order_line_boxes" ADD COLUMN "sale_seq" integer;--> statement-breakpoint
-- What is left of boxes that were weighed before: no correction of a weight, a sale or a loss was ever written.
UPDATE "boxes" b SET "grams_left" = w."total" - g."taken" FROM (
		SELECT DISTINCT ON ("box_id") "box_id", ("body"::jsonb->'data'->>'grams')::int AS "total"
		FROM "records" WHERE "kind" = 'weight' AND "body" IS NOT NULL
		ORDER BY "box_id", "body"::jsonb->'data'->>'of' = 'box' DESC, "seq" DESC) w,
	LATERAL (
		SELECT coalesce(sum(("body"::jsonb->'data'->>'grams')::int
			* CASE WHEN "body"::jsonb->'data'->>'returned' = 'true' THEN -1 ELSE 1 END), 0)::int AS "taken"
		FROM "records" r WHERE r."box_id" = w."box_id" AND r."kind" IN ('sale', 'loss') AND r."body" IS NOT NULL) g
	WHERE b."id" = w."box_id";
