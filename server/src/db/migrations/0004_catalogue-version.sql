CREATE TABLE "catalogue_version" (
	"only_row" boolean PRIMARY KEY DEFAULT true NOT NULL,
	"version" bigint NOT NULL,
	CONSTRAINT "one_row" CHECK ("catalogue_version"."only_row")
);
