/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The man page's list of variables is what the table says. With --print,
 * prints the list, for the page to be brought up to date.
 */
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "host/env.h"

#define START ".\\\" Begin of the list of tests/env/man --print.\n"
#define END ".\\\" End of the list.\n"

/* A hyphen in a value or a name is to be typed as one. */
static void print_literal(const char *text, FILE *out)
{
	for (; *text; text++)
		fprintf(out, *text == '-' ? "\\-" : "%c", *text);
}

static void item_print(const struct shmemi_env_item *item, FILE *out)
{
	fprintf(out, ".TP\n.B %s\n%c", item->name, toupper(*item->help));
	print_literal(item->help + 1, out);
	fputs(".\n.br\nValue: ", out);
	print_literal(item->expected, out);
	fputs(".\n.br\nDefault: ", out);
	print_literal(*item->dflt ? item->dflt : "none", out);
	fputs(".\n", out);
}

static void list_print(FILE *out)
{
	const char *category = "";
	struct shmemi_env_item item;
	size_t i;

	fputs(START, out);
	for (i = 0; shmemi_env_item(i, &item); i++) {
		if (strcmp(category, item.category))
			fprintf(out, ".SS %s\n", item.category);
		category = item.category;
		item_print(&item, out);
	}
	fputs(END, out);
}

static char *page_read(const char *path)
{
	char *page = NULL;
	size_t room = 0;
	FILE *in = fopen(path, "r");

	if (!in || getdelim(&page, &room, '\0', in) < 0) {
		perror(path);
		exit(1);
	}
	fclose(in);
	return page;
}

int main(int argc, char **argv)
{
	const char *srcdir = getenv("srcdir");
	char path[4096], *list = NULL, *page;
	size_t length;
	FILE *out;

	if (argc == 2 && !strcmp(argv[1], "--print")) {
		list_print(stdout);
		return 0;
	}
	out = open_memstream(&list, &length);
	if (!out)
		return 1;
	list_print(out);
	fclose(out);
	snprintf(path, sizeof(path), "%s/man/shmem_info.1",
		 srcdir ? srcdir : ".");
	page = page_read(path);
	if (!strstr(page, list)) {
		fprintf(stderr, "%s: expected what tests/env/man --print "
				"prints\n", path);
		return 1;
	}
	free(page);
	free(list);
	return 0;
}
