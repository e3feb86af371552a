/* SPDX-License-Identifier: BSD-3-Clause */
/* What oshrun tells its user, errors and other. */
#ifndef OSHRUN_MESSAGE_H
#define OSHRUN_MESSAGE_H

/*
 * Prints "oshrun: <text>\n" on stderr with one write; the text holds no
 * newline and is cut after about 2000 bytes.
 */
void oshrun_say(const char *format, ...) __attribute__((format(printf, 1, 2)));

#endif
