/* The link for a URI.
   SPDX-License-Identifier: Apache-2.0 */
#include "link.h"

#include <stdio.h>
#include <string.h>

static const struct link_ops *const known[] = {&link_unix, &link_tcp, &link_model, &link_uart, &link_uio};

struct link *link_create(const char *uri, char *why, size_t room)
{
    for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
        size_t length = strlen(known[i]->scheme);
        if (!strncmp(uri, known[i]->scheme, length) && uri[length] == ':')
            return known[i]->create(uri + length + 1, why, room);
    }
    (void)snprintf(why, room, "%s: an address begins with unix:, tcp:, model:, uart: or uio:", uri);
    return NULL;
}
