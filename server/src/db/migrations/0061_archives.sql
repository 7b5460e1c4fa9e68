CREATE TABLE "box_archives" (
	"box_id" text PRIMARY KEY NOT NULL,
	"object_key" text NOT NULL,
	"sha256" text NOT NULL,
	"bytes" bigint NOT NULL,
	"records" integer NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"dropped" jsonb,
	"dropped_at" timestamp with time zone,
	CONSTRAINT "box_archives_objectKey_unique" UNIQUE("object_key")
);
--> statement-breakpoint
ALTER TABLE "box_archives" ADD CONSTRAINT "box_archives_box_id_boxes_id_fk" FOREIGN KEY ("box_id") REFERENCES "public"."boxes"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
-- A reading whose text is in its box's file is not altered when its row is dropped.
CREATE OR REPLACE FUNCTION "count_alterations"() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
	"altered" text[] := (SELECT array_agg(DISTINCT c."box_id") FROM "changed_records" c
		WHERE NOT (TG_OP = 'DELETE' AND c."kind" IN ('tracking', 'freshness') AND EXISTS (
			SELECT FROM "box_archives" a WHERE a."box_id" = c."box_id" AND a."dropped_at" IS NOT NULL)));
BEGIN
	IF "altered" IS NOT NULL THEN
		UPDATE "boxes" SET "alterations" = "alterations" + 1 WHERE "id" = ANY("altered");
		INSERT INTO "events" ("kind", "keys") VALUES ('box.altered', "altered");
	END IF;
	RETURN NULL;
END
$$;--> statement-breakpoint
-- What is known of every record without its text, whether its row is there or was dropped.
CREATE VIEW "known_records" AS
	SELECT "box_id", "seq", "kind", "record_hash", "dedupe_key", "recorded_at" FROM "records"
	UNION ALL
	SELECT a."box_id", d."seq", d."kind", d."recordHash", d."dedupeKey", d."recordedAt"
	FROM "box_archives" a, jsonb_to_recordset(a."dropped")
		AS d("seq" int, "kind" text, "recordHash" text, "dedupeKey" text, "recordedAt" timestamptz);
