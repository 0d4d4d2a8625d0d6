/* The paced device: no engine, but results of software after the time that an engine would take.
   SPDX-License-Identifier: Apache-2.0

   It shows what a host and its programs do at the rate of an engine. STATUS says that it is paced, and its name in a
   table or log is never that of an engine alone. */
#ifndef SERVE_PACED_H
#define SERVE_PACED_H

#include "backend.h"
#include "options.h"

/* Opens the device that the command line asks for. Returns NULL with a sentence in `error`. */
struct backend *paced_open(const struct options *options, struct log *log, char *error, size_t room);

#endif
