/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Prints the tables of the API, one routine a line: name, result and
 * parameters, by tabs. --extensions does so for those of Sirocco; --map prints
 * the linker's version script, of both and of what headers for kernels need.
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

#define SHMEMI_FN(stem, ret, params, ...) \
	{ "shmem_" #stem, TEXT(ret), TEXT(params) },
#define SHMEMI_PLAIN(ret, name, params) { #name, TEXT(ret), TEXT(params) },
static const struct routine routines[] = {
#include <shmem/expand.h>
};

#define SHMEMI_STREAM_FN(name, ret, params, ...) \
	{ #name, TEXT(ret), TEXT(params) },
#define SHMEMI_STREAM_PLAIN(ret, name, params) \
	{ #name, TEXT(ret), TEXT(params) },
#define SHMEMI_PLAIN(ret, name, params) { #name, TEXT(ret), TEXT(params) },
static const struct routine extensions[] = {
	{ "shmemx_get_uniqueid", "(int)", "((shmemx_uniqueid_t *uniqueid))" },
	{ "shmemx_init_attr", "(int)",
	  "((int requested, int *provided, const shmemx_init_attr_t *attr))" },
#include <shmem/kernel.def>
#include <shmem/moe.def>
#include <shmem/network.def>
#include <shmem/stream_expand.h>
#define SHMEMI_FN(stem, ret, params, ...) \
	{ "shmemx_" #stem, TEXT(ret), TEXT(params) },
#define SHMEMI_TABLES <shmem/exchange.def>
#include <shmem/expand.h>
};

/* What headers call and programs do not; a pattern for many. */
static const char *const support[] = {
	"shmemd_cpu_*",
	"shmemd_work",
	"shmemx_module_register",
	"shmemx_module_unregister",
};

#define COUNT(a) (sizeof(a) / sizeof(*(a)))

static void print_map(void)
{
	puts("SIROCCO_0.1 {\nglobal:");
	for (size_t i = 0; i < COUNT(routines); i++)
		printf("\t%s;\n\tp%s;\n", routines[i].name, routines[i].name);
	for (size_t i = 0; i < COUNT(extensions); i++)
		printf("\t%s;\n", extensions[i].name);
	for (size_t i = 0; i < COUNT(support); i++)
		printf("\t%s;\n", support[i]);
	puts("local:\n\t*;\n};");
}

/* TEXT wraps its argument in parentheses, so that it may hold commas. */
static void print_inner(const char *text)
{
	printf("\t%.*s", (int)strlen(text) - 2, text + 1);
}

static void print_rows(const struct routine *r, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		printf("%s", r[i].name);
		print_inner(r[i].ret);
		print_inner(r[i].params);
		putchar('\n');
	}
}

int main(int argc, char **argv)
{
	if (argc == 2 && !strcmp(argv[1], "--map"))
		print_map();
	else if (argc == 2 && !strcmp(argv[1], "--extensions"))
		print_rows(extensions, COUNT(extensions));
	else
		print_rows(routines, COUNT(routines));
	return 0;
}
