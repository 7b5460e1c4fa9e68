ALTER TABLE "boxes" ADD COLUMN "projection" jsonb;--> statement-breakpoint
ALTER TABLE "boxes" ADD COLUMN "alterations" integer DEFAULT 0 NOT NULL;
--> statement-breakpoint
CREATE FUNCTION "count_alterations"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
	UPDATE "boxes" SET "alterations" = "alterations" + 1 WHERE "id" IN (SELECT "box_id" FROM "changed_records");
	RETURN NULL;
END
$$;
--> statement-breakpoint
CREATE TRIGGER "records_altered" AFTER UPDATE ON "records"
	REFERENCING OLD TABLE AS "changed_records"
	FOR EACH STATEMENT EXECUTE FUNCTION "count_alterations"();
--> statement-breakpoint
CREATE TRIGGER "records_deleted" AFTER DELETE ON "records"
	REFERENCING OLD TABLE AS "changed_records"
	FOR EACH STATEMENT EXECUTE FUNCTION "count_alterations"();
