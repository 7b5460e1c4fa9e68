CREATE TABLE "seen_alerts" (
	"box_id" text NOT NULL,
	"kind" text NOT NULL,
	"at" text NOT NULL,
	"who" text NOT NULL,
	"seen_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "seen_alerts_box_id_kind_at_pk" PRIMARY KEY("box_id","kind","at")
);
--> statement-breakpoint
CREATE TABLE "warm_limit_periods" (
	"species" text NOT NULL,
	"since" timestamp with time zone NOT NULL,
	"degrees" real,
	"minutes" integer,
	CONSTRAINT "warm_limit_periods_species_since_pk" PRIMARY KEY("species","since")
);
--> statement-breakpoint
CREATE TABLE "watch_queue" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "watch_queue_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"box_id" text NOT NULL,
	"due_at" timestamp with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
DROP INDEX "excursions_box_id_kind_since_index";--> statement-breakpoint
ALTER TABLE "box_watches" ALTER COLUMN "peak" SET DATA TYPE double precision;--> statement-breakpoint
ALTER TABLE "excursions" ALTER COLUMN "peak" SET DATA TYPE double precision;--> statement-breakpoint
ALTER TABLE "box_watches" ADD COLUMN "warm_ms" double precision;--> statement-breakpoint
ALTER TABLE "box_watches" ADD COLUMN "warm_before_ms" double precision;--> statement-breakpoint
ALTER TABLE "box_watches" ADD COLUMN "is_excursion" boolean;--> statement-breakpoint
ALTER TABLE "box_watches" ADD COLUMN "species" text;--> statement-breakpoint
ALTER TABLE "box_watches" ADD COLUMN "alterations" integer;--> statement-breakpoint
ALTER TABLE "excursions" ADD COLUMN "grade" integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "excursions" ADD COLUMN "withdrawn_at" timestamp with time zone;--> statement-breakpoint
ALTER TABLE "excursions" ADD COLUMN "merged_into" text;--> statement-breakpoint
ALTER TABLE "notice_deliveries" ADD COLUMN "cancelled_at" timestamp with time zone;--> statement-breakpoint
ALTER TABLE "seen_alerts" ADD CONSTRAINT "seen_alerts_box_id_boxes_id_fk" FOREIGN KEY ("box_id") REFERENCES "public"."boxes"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "watch_queue_due_at_id_index" ON "watch_queue" USING btree ("due_at","id");--> statement-breakpoint
CREATE INDEX "watch_queue_box_id_index" ON "watch_queue" USING btree ("box_id");--> statement-breakpoint
CREATE INDEX "boxes_falling_silent" ON "boxes" USING btree ("silent_after") WHERE not sealed and stage in ('at sea', 'on the road');--> statement-breakpoint
CREATE UNIQUE INDEX "excursions_of_box" ON "excursions" USING btree ("box_id","kind","since") WHERE withdrawn_at is null;--> statement-breakpoint
CREATE INDEX "excursions_to_review" ON "excursions" USING btree ("box_id") WHERE closed_at is null and withdrawn_at is null;
--> statement-breakpoint
-- A row that a watcher takes at this moment is locked: the box gets another, since the watcher may not see this change.
CREATE FUNCTION "note_box_to_watch"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
	PERFORM FROM "watch_queue" WHERE "box_id" = NEW."id" FOR KEY SHARE SKIP LOCKED;
	IF NOT FOUND THEN
		INSERT INTO "watch_queue" ("box_id") VALUES (NEW."id");
	END IF;
	RETURN NULL;
END
$$;
--> statement-breakpoint
CREATE TRIGGER "boxes_to_watch" AFTER UPDATE ON "boxes"
	FOR EACH ROW WHEN (
		(OLD."count", OLD."alterations", OLD."sealed") IS DISTINCT FROM (NEW."count", NEW."alterations", NEW."sealed")
		AND NEW."id" NOT LIKE 'device:%')
	EXECUTE FUNCTION "note_box_to_watch"();
--> statement-breakpoint
INSERT INTO "warm_limit_periods" ("species", "since", "degrees", "minutes")
	SELECT w."species", coalesce((SELECT max(c."happened_at") FROM "changes" c
		WHERE c."entity" = 'box' AND c."entity_id" = 'limit:' || w."species"), 'epoch'), w."degrees", w."minutes"
	FROM "warm_limits" w;
--> statement-breakpoint
-- What was not followed to its end, the sample boxes among them, and what is open, perhaps more than once for one stretch.
INSERT INTO "watch_queue" ("box_id")
	SELECT b."id" FROM "boxes" b LEFT JOIN "box_watches" w ON w."box_id" = b."id"
	WHERE b."id" NOT LIKE 'device:%' AND (b."count" > coalesce(w."seq", 0)
		OR EXISTS (SELECT FROM "excursions" e WHERE e."box_id" = b."id" AND e."closed_at" IS NULL))
	ORDER BY b."updated_at";
--> statement-breakpoint
-- Silences until now are noted already.
INSERT INTO "installation" ("name", "value")
	SELECT 'silence-watched-until', to_char(now() AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') WHERE EXISTS (SELECT FROM "boxes");
--> statement-breakpoint
DELETE FROM "jobs" WHERE "queue" = 'excursion.watch';
