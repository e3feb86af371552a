/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef BASE_LINE_H
#define BASE_LINE_H

/* What two cores pass to and fro as one: things that share it share a fate. */
#define CACHE_LINE_BYTES 64

#endif
