/* Tells systemd how far the server is. See notify.h for the contract.
   SPDX-License-Identifier: Apache-2.0 */
#define _GNU_SOURCE
#include "notify.h"

#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

static void notify(const char *state)
{
    const char *path = getenv("NOTIFY_SOCKET");
    struct sockaddr_un address = {.sun_family = AF_UNIX};
    size_t length = path ? strlen(path) : 0;
    if (!length || length >= sizeof address.sun_path || (path[0] != '/' && path[0] != '@'))
        return;
    memcpy(address.sun_path, path, length);
    if (path[0] == '@') /* an abstract socket */
        address.sun_path[0] = 0;
    int fd = socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC, 0);
    if (fd < 0)
        return;
    ssize_t sent = sendto(fd, state, strlen(state), MSG_NOSIGNAL, (struct sockaddr *)&address,
                          (socklen_t)(offsetof(struct sockaddr_un, sun_path) + length));
    (void)sent; /* nobody waits for it then */
    close(fd);
}

void notify_ready(void)
{
    notify("READY=1\n");
}

void notify_stopping(void)
{
    notify("STOPPING=1\n");
}

unsigned notify_sockets(void)
{
    const char *pid = getenv("LISTEN_PID"), *count = getenv("LISTEN_FDS");
    if (!pid || !count || strtol(pid, NULL, 10) != (long)getpid())
        return 0;
    long sockets = strtol(count, NULL, 10);
    return sockets > 0 && sockets < 64 ? (unsigned)sockets : 0;
}
