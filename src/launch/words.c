/* SPDX-License-Identifier: BSD-3-Clause */
#include "launch/words.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include "launch/hosts.h"
#include "launch/job.h"
#include "launch/message.h"

__attribute__((noreturn)) static void out_of_memory(void)
{
	oshrun_say("out of memory");
	exit(OSHRUN_EXIT_RESOURCE);
}

void words_add(struct words *w, const char *format, ...)
{
	char **v = realloc(w->v, (w->n + 2) * sizeof(*v));
	va_list ap;

	if (!v)
		out_of_memory();
	w->v = v;
	va_start(ap, format);
	if (vasprintf(&v[w->n++], format, ap) < 0)
		out_of_memory();
	va_end(ap);
	v[w->n] = NULL;
}

void words_add_all(struct words *w, char *const *argv)
{
	for (; *argv; argv++)
		words_add(w, "%s", *argv);
}

char *words_hosts(const struct host_list *list, bool slots)
{
	char *text = NULL;
	size_t bytes;
	FILE *f = open_memstream(&text, &bytes);

	if (!f)
		out_of_memory();
	for (unsigned i = 0; i < list->nhosts; i++) {
		fprintf(f, "%s%s", i ? "," : "", list->hosts[i].name);
		if (slots)
			fprintf(f, ":%u", list->hosts[i].slots);
	}
	if (fclose(f))
		out_of_memory();
	return text;
}
