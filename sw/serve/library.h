/* The backend of real devices: libeccel.
   SPDX-License-Identifier: Apache-2.0 */
#ifndef SERVE_LIBRARY_H
#define SERVE_LIBRARY_H

#include "backend.h"
#include "options.h"

/* Opens the devices of the command line. Returns NULL with a sentence in `error` if none can be reached. */
struct backend *library_open(const struct options *options, char *error, size_t room);

#endif
