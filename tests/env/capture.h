/* SPDX-License-Identifier: BSD-3-Clause */
/* What a test writes to stderr, for the test to look at. */
#ifndef ENV_CAPTURE_H
#define ENV_CAPTURE_H

#include <stddef.h>

#define CAPTURE_BYTES 8192

/* From here on stderr is a pipe: at most a pipe's capacity may be written. */
void capture_start(void);

/* Stderr is what it was; text is what was written, cut to CAPTURE_BYTES. */
size_t capture_stop(char text[CAPTURE_BYTES]);

#endif
