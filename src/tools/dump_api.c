/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Prints the tables of the API, one routine a line: name, result and
 * parameters, by tabs. --map prints the linker's version script instead, the
 * extensions of shmemx.h included.
 */
#include <stdio.h>
#include <string.h>

#define SHMEMI_NO_GENERIC
#include <shmemx.h>

struct routine {
	const char *name, *ret, *params;
};

#define TEXT_(x) #x
#define TEXT(...) TEXT_((__VA_ARGS__))

#define SHMEMI_FN(name, ret, params, ...) { #name, TEXT(ret), TEXT(params) },
#define SHMEMI_PLAIN(ret, name, params) SHMEMI_FN(name, ret, params, )
static const struct routine routines[] = {
#include <shmem/expand.h>
};

static const char *const extensions[] = {
	"shmemx_get_uniqueid",
	"shmemx_init_attr",
};

#define COUNT(a) (sizeof(a) / sizeof(*(a)))

static void print_map(void)
{
	puts("SIROCCO_0.1 {\nglobal:");
	for (size_t i = 0; i < COUNT(routines); i++)
		printf("\t%s;\n\tp%s;\n", routines[i].name, routines[i].name);
	for (size_t i = 0; i < COUNT(extensions); i++)
		printf("\t%s;\n", extensions[i]);
	puts("local:\n\t*;\n};");
}

/* TEXT wraps its argument in parentheses, so that it may hold commas. */
static void print_inner(const char *text)
{
	printf("\t%.*s", (int)strlen(text) - 2, text + 1);
}

static void print_rows(void)
{
	for (size_t i = 0; i < COUNT(routines); i++) {
		printf("%s", routines[i].name);
		print_inner(routines[i].ret);
		print_inner(routines[i].params);
		putchar('\n');
	}
}

int main(int argc, char **argv)
{
	if (argc == 2 && !strcmp(argv[1], "--map"))
		print_map();
	else
		print_rows();
	return 0;
}
