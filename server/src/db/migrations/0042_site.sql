CREATE TABLE "site_versions" (
	"part" text NOT NULL,
	"version" integer NOT NULL,
	"value" jsonb,
	"restored" integer,
	"who" text NOT NULL,
	"at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "site_versions_part_version_pk" PRIMARY KEY("part","version")
);
