CREATE TABLE "event_consumers" (
	"name" text PRIMARY KEY NOT NULL,
	"last" bigint NOT NULL,
	"failures" integer DEFAULT 0 NOT NULL,
	"failing_since" timestamp with time zone,
	"retry_at" timestamp with time zone,
	"last_error" text,
	"skipped" integer DEFAULT 0 NOT NULL,
	"skipped_from" bigint,
	"lost" integer DEFAULT 0 NOT NULL
);
--> statement-breakpoint
ALTER TABLE "events" ADD COLUMN "version" smallint DEFAULT 1 NOT NULL;
--> statement-breakpoint
-- The watch of the cold chain reads events from now on; what is in its queue stays there.
DROP TRIGGER "boxes_to_watch" ON "boxes";--> statement-breakpoint
DROP FUNCTION "note_box_to_watch"();--> statement-breakpoint
CREATE OR REPLACE FUNCTION "count_alterations"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
	UPDATE "boxes" SET "alterations" = "alterations" + 1 WHERE "id" IN (SELECT "box_id" FROM "changed_records");
	INSERT INTO "events" ("kind", "keys")
		SELECT 'box.altered', array_agg(DISTINCT "box_id") FROM "changed_records" HAVING count(*) > 0;
	RETURN NULL;
END
$$;
