/* SPDX-License-Identifier: BSD-3-Clause */
/* Says what this Sirocco is and what the environment makes of it. */
#include <argp.h>
#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <event2/event-config.h>
#include <jansson.h>

#include "gpu/cpu/cpu.h"
#include "gpu/gpu.h"
#include "host/env.h"
#include "shmem/constants.h"
#include "tools/nics.h"
#include "tools/routes.h"

#define TEXT(number) TEXT_(number)
#define TEXT_(number) #number

struct fact {
	const char *name, *value;
};

static const struct fact build_facts[] = {
	{ "sirocco", PACKAGE_VERSION },
	{ "openshmem",
	  TEXT(SHMEM_MAJOR_VERSION) "." TEXT(SHMEM_MINOR_VERSION) },
	{ "compiler", __VERSION__ },
	{ "configure", SIROCCO_CONFIGURE_ARGS },
	{ "pmix", SIROCCO_PMIX_VERSION },
	{ "hwloc", SIROCCO_HWLOC_VERSION },
	{ "libevent", EVENT__VERSION },
	{ "jansson", JANSSON_VERSION },
	{ "ucx", SIROCCO_UCX_VERSION },
};

#define NFACTS (sizeof(build_facts) / sizeof(build_facts[0]))

enum {
	OPTION_ENV = 'e',
	OPTION_JSON = 'j',
	OPTION_NICS = 'n',
	OPTION_ROUTES = 'r',
};

static const struct argp_option options[] = {
	{ .name = "env", .key = OPTION_ENV,
	  .doc = "Print the environment variables only" },
	{ .name = "json", .key = OPTION_JSON, .doc = "Print as JSON" },
	{ .name = "nics", .key = OPTION_NICS,
	  .doc = "Print the NICs that kernels could drive, and which ones a PE "
		 "takes and why; under oshrun, for each PE" },
	{ .name = "routes", .key = OPTION_ROUTES,
	  .doc = "Print how each PE reaches each other; run it under oshrun "
		 "with as many PEs as the job will have" },
	{ 0 },
};

struct request {
	bool env_only, json, nics, routes;
};

static error_t option_parse(int key, char *arg, struct argp_state *state)
{
	struct request *request = state->input;

	switch (key) {
	case OPTION_ENV:
		request->env_only = true;
		return 0;
	case OPTION_JSON:
		request->json = true;
		return 0;
	case OPTION_NICS:
		request->nics = true;
		return 0;
	case OPTION_ROUTES:
		request->routes = true;
		return 0;
	case ARGP_KEY_ARG:
		argp_error(state, "%s: expected options only", arg);
		return EINVAL;
	default:
		return ARGP_ERR_UNKNOWN;
	}
}

static const struct argp argp = {
	.options = options,
	.parser = option_parse,
	.doc = "Prints the version and the build of Sirocco and its "
	       "environment variables: their values, where these come from, "
	       "and what they may be.\vThe exit status is 1 if a variable is "
	       "malformed or unknown, or names a platform or a GPU that is not "
	       "there: then nothing but an error is printed.",
};

/* What a variable says, or its default where that is malformed. */
static const char *variable(const char *name)
{
	struct shmemi_env_item item = { 0 };
	size_t i;

	for (i = 0; shmemi_env_item(i, &item); i++)
		if (!strcmp(item.name, name))
			return item.valid ? item.value : item.dflt;
	return NULL;
}

/* The platform that a PE of this environment would take; exits if none. */
enum { N_PLATFORM_FACTS = 4 };

static void platform_facts(struct fact *facts)
{
	static char wave[16];

	shmemg_cpu_set_wave(atoi(variable("SHMEM_CPU_WAVE")));
	if (shmemg_open(variable("SHMEM_PLATFORM"), atoi(variable("SHMEM_GPU")),
			0))
		exit(1);
	snprintf(wave, sizeof(wave), "%d", shmemg_device.wave_size);
	facts[0] = (struct fact){ "platform", shmemg->name };
	facts[1] = (struct fact){ "device", shmemg_device.name };
	facts[2] = (struct fact){ "memory", shmemg_device.memory };
	facts[3] = (struct fact){ "wave size", wave };
}

static void facts_print(void)
{
	struct fact facts[N_PLATFORM_FACTS];
	size_t i;

	platform_facts(facts);
	for (i = 0; i < NFACTS; i++)
		printf("%-10s %s\n", build_facts[i].name, build_facts[i].value);
	for (i = 0; i < N_PLATFORM_FACTS; i++)
		printf("%-10s %s\n", facts[i].name, facts[i].value);
	putchar('\n');
}

/* JSON is UTF-8, the environment need not be. */
static json_t *json_text(const char *text, size_t length)
{
	json_t *value = json_stringn(text, length);
	char *ascii;
	size_t i;

	if (value)
		return value;
	ascii = strndup(text, length);
	for (i = 0; ascii && i < length; i++)
		if (ascii[i] & 0x80)
			ascii[i] = '?';
	value = json_stringn(ascii, length);
	free(ascii);
	return value;
}

static json_t *facts_json(const struct fact *facts, size_t n)
{
	json_t *object = json_object();
	size_t i;

	for (i = 0; i < n; i++)
		json_object_set_new(object, facts[i].name,
				    json_string(facts[i].value));
	return object;
}

static json_t *variables_json(int *nerrors)
{
	json_t *array = json_array();
	struct shmemi_env_item item;
	size_t i;

	for (i = 0; shmemi_env_item(i, &item); i++) {
		*nerrors += !item.valid;
		json_array_append_new(array, json_pack(
			"{s:s, s:o, s:b, s:s?, s:s, s:s, s:s, s:s}",
			"name", item.name,
			"value", json_text(item.value, strlen(item.value)),
			"valid", item.valid, "source", item.source,
			"default", item.dflt, "category", item.category,
			"expected", item.expected, "help", item.help));
	}
	return array;
}

static json_t *unknown_json(int *nerrors)
{
	json_t *array = json_array();
	const char *entry, *value;
	size_t cursor = 0, length;

	while ((entry = shmemi_env_unknown(&cursor))) {
		++*nerrors;
		length = strcspn(entry, "=");
		value = entry[length] ? entry + length + 1 : "";
		json_array_append_new(array, json_pack(
			"{s:o, s:o, s:s?}",
			"name", json_text(entry, length),
			"value", json_text(value, strlen(value)),
			"nearest", shmemi_env_nearest(entry)));
	}
	return array;
}

static int json_print(const struct request *request)
{
	struct fact facts[N_PLATFORM_FACTS];
	json_t *root = json_object();
	int nerrors = 0;

	if (!request->env_only) {
		platform_facts(facts);
		json_object_set_new(root, "build",
				    facts_json(build_facts, NFACTS));
		json_object_set_new(root, "platform",
				    facts_json(facts, N_PLATFORM_FACTS));
	}
	json_object_set_new(root, "environment", variables_json(&nerrors));
	json_object_set_new(root, "unknown", unknown_json(&nerrors));
	json_dumpf(root, stdout, JSON_INDENT(2));
	putchar('\n');
	json_decref(root);
	return nerrors;
}

static int text_print(const struct request *request)
{
	if (!request->env_only)
		facts_print();
	return shmemi_env_print(stdout);
}

int main(int argc, char **argv)
{
	struct request request = { 0 };
	int nerrors;

	argp_program_version = "shmem_info (sirocco) " PACKAGE_VERSION;
	argp_parse(&argp, argc, argv, 0, NULL, &request);
	if (request.routes) {
		routes_print();
		return 0;
	}
	if (request.nics)
		nerrors = nics_print(request.json);
	else
		nerrors = request.json ? json_print(&request) :
					 text_print(&request);
	if (fflush(stdout)) {
		perror("shmem_info: standard output");
		return 1;
	}
	return nerrors != 0;
}
