/* SPDX-License-Identifier: BSD-3-Clause */
#include "launch/message.h"

#include <stdarg.h>
#include <stdio.h>

#include "launch/io.h"

void oshrun_say(const char *format, ...)
{
	char text[2000], line[2048];
	va_list ap;
	int n;

	va_start(ap, format);
	vsnprintf(text, sizeof(text), format, ap);
	va_end(ap);
	n = snprintf(line, sizeof(line), "oshrun: %s\n", text);
	io_message(line, (size_t)n);
}
