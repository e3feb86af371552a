/* SPDX-License-Identifier: BSD-3-Clause */
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "io.h"
#include "job.h"

void oshrun_say(const char *text)
{
	char line[2048];
	int n = snprintf(line, sizeof line, "oshrun: %s\n", text);

	if (n >= (int)sizeof line) {
		n = sizeof line - 1;
		line[n - 1] = '\n';
	}
	io_message(line, (size_t)n);
}

void oshrun_error(const char *format, ...)
{
	char text[2000];
	va_list ap;

	va_start(ap, format);
	vsnprintf(text, sizeof text, format, ap);
	va_end(ap);
	oshrun_say(text);
}
