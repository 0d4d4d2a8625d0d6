/* Tells systemd how far the server is, if it was started by systemd (sd_notify(3), sd_listen_fds(3)).
   SPDX-License-Identifier: Apache-2.0 */
#ifndef SERVE_NOTIFY_H
#define SERVE_NOTIFY_H

void notify_ready(void);
void notify_stopping(void);

/* Number of sockets that systemd has passed to this process; they are descriptors 3 and up. */
unsigned notify_sockets(void);

#endif
