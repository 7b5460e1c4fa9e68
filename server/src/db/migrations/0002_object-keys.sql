CREATE TABLE "pending_objects" (
	"key" text PRIMARY KEY NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
ALTER TABLE "file_variants" ADD COLUMN "object_key" text;--> statement-breakpoint
ALTER TABLE "files" ADD COLUMN "object_key" text;--> statement-breakpoint
UPDATE "file_variants" SET "object_key" = 'variants/' || "path" || '.' || "width" || '.' || "format";--> statement-breakpoint
UPDATE "files" SET "object_key" = "path";--> statement-breakpoint
ALTER TABLE "file_variants" ALTER COLUMN "object_key" SET NOT NULL;--> statement-breakpoint
ALTER TABLE "files" ALTER COLUMN "object_key" SET NOT NULL;--> statement-breakpoint
ALTER TABLE "file_variants" ADD CONSTRAINT "file_variants_objectKey_unique" UNIQUE("object_key");--> statement-breakpoint
ALTER TABLE "files" ADD CONSTRAINT "files_objectKey_unique" UNIQUE("object_key");
