ALTER TABLE "products" ADD COLUMN "ever_active" boolean DEFAULT false NOT NULL;
--> statement-breakpoint
-- A draft is only what its history says was made INACTIVE and never set ACTIVE since; of others nobody knows.
UPDATE "products" p SET "ever_active" = true
	WHERE NOT EXISTS (
			SELECT FROM "changes" c WHERE c."entity" = 'product' AND c."entity_id" = p."id"
				AND c."action" = 'create' AND c."after" ->> 'status' = 'INACTIVE')
		OR EXISTS (
			SELECT FROM "changes" c WHERE c."entity" = 'product' AND c."entity_id" = p."id"
				AND c."after" ->> 'status' = 'ACTIVE');
--> statement-breakpoint
-- Products are written by forms, files, bulk changes and schedules: whichever sets one ACTIVE, it is no draft any more.
CREATE FUNCTION "note_active"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
	NEW."ever_active" := true;
	RETURN NEW;
END
$$;
--> statement-breakpoint
CREATE TRIGGER "products_note_active" BEFORE INSERT OR UPDATE ON "products"
	FOR EACH ROW WHEN (NEW."status" = 'ACTIVE' AND NOT NEW."ever_active") EXECUTE FUNCTION "note_active"();
